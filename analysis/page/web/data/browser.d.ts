// SPDX-License-Identifier: BSD-3-Clause
// Declares features that browsers have, but that TypeScript 4.8 does not know yet.

declare class DecompressionStream implements GenericTransformStream {
  constructor(format: 'deflate-raw' | 'deflate' | 'gzip');
  readonly readable: ReadableStream;
  readonly writable: WritableStream;
}
