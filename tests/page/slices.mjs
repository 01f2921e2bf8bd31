// SPDX-License-Identifier: BSD-3-Clause
// A file as the browser gives it, with parts that are read when they are needed.

import { closeSync, openSync, readSync, statSync } from 'node:fs';

export function slices(path) {
  const size = statSync(path).size;
  return { name: path, size, slice: (from, to) => ({ arrayBuffer: async () => {
    const bytes = Buffer.alloc(to - from), descriptor = openSync(path, 'r');
    const read = readSync(descriptor, bytes, 0, to - from, from);
    closeSync(descriptor);
    return new Uint8Array(bytes.subarray(0, read)).buffer;
  } }) };
}
