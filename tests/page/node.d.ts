// SPDX-License-Identifier: BSD-3-Clause
// What the tests use of node: Debian has no package of its types.

declare module 'node:test' {
  export default function test(name: string, body: () => void | Promise<void>): Promise<void>;
}
declare module 'node:assert/strict' {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp, message?: string): void;
    throws(body: () => void, expected?: RegExp): void;
  }
  const assert: Assert;
  export default assert;
}
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
  export function writeFileSync(path: string, text: string): void;
}
declare module 'node:zlib' {
  export function deflateRawSync(bytes: Uint8Array, options?: { level: number }): Uint8Array;
}
declare const process: { argv: string[]; env: { [name: string]: string | undefined } };
declare const Buffer: { from(bytes: Uint8Array): { toString(encoding: 'base64'): string } };
