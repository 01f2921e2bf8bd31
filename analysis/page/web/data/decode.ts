// SPDX-License-Identifier: BSD-3-Clause
// Decodes the bytes of blocks to columns, in the forms that index.ts describes. Pure: no browser is
// needed. All functions read as many rows as the table has; a shorter block is an error.

import type { ColumnIndex } from './index';
import type { Numbers } from './tables';

export class Damaged extends Error {
  constructor(readonly what: string) {
    super(`This page is damaged: ${what}. Write it again with sis-analyze view.`);
  }
}

function room(type: ColumnIndex['type'], rows: number): Numbers {
  switch (type) {
    case 'u32': return new Uint32Array(rows);
    case 'i32': return new Int32Array(rows);
    case 'u8': return new Uint8Array(rows);
    default: return new Float64Array(rows);
  }
}

/** Reads the differences to `base`: first the lowest byte of each row's difference, then the second
 * byte of each, and so on. Two planes are added at once, because memory is slower than
 * arithmetic. */
function planes(bytes: Uint8Array, column: ColumnIndex, out: Numbers): void {
  const rows = out.length, width = column.width ?? 0;
  if (bytes.length < rows * width) throw new Damaged('a column is too short');
  out.fill(column.base ?? 0);
  for (let k = 0, scale = 1; k < width; k += 2, scale *= 65536) {
    const low = bytes.subarray(k * rows, (k + 1) * rows);
    if (k + 1 === width) {
      for (let i = 0; i < rows; i++) out[i] += low[i] * scale;
    } else {
      const high = bytes.subarray((k + 1) * rows, (k + 2) * rows);
      for (let i = 0; i < rows; i++) out[i] += (low[i] | high[i] << 8) * scale;
    }
  }
}

/** Reads numbers with 7 bits in a byte, the lowest first. A set top bit says that more bytes
 * follow. */
function variable(bytes: Uint8Array, rows: number,
    take: (value: number, row: number) => void): void {
  let at = 0;
  for (let i = 0; i < rows; i++) {
    let byte = bytes[at++], value = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = bytes[at++];
      value += (byte & 127) * scale;
    }
    take(value, i);
  }
  if (at > bytes.length) throw new Damaged('a column is too short');
}

/** Reads differences to the value before. 0, -1, 1, -2, 2 ... are stored as 0, 1, 2, 3, 4 ... */
function deltas(bytes: Uint8Array, out: Numbers): void {
  let last = 0;
  variable(bytes, out.length, (value, row) => {
    last += value % 2 ? -(value + 1) / 2 : value / 2;
    out[row] = last;
  });
}

export function numbers(bytes: Uint8Array, column: ColumnIndex, rows: number): Numbers {
  const out = room(column.type, rows);
  if (column.form === 'plane') planes(bytes, column, out);
  else if (column.form === 'delta') deltas(bytes, out);
  else throw new Damaged(`no numbers have the form '${column.form}'`);
  if (column.none !== undefined && out instanceof Float64Array)
    for (let i = 0; i < rows; i++) if (out[i] === column.none) out[i] = NaN;
  return out;
}

export function texts(bytes: Uint8Array, pool: readonly string[], rows: number): string[] {
  const out = new Array<string>(rows);
  variable(bytes, rows, (value, row) => { out[row] = pool[value] ?? ''; });
  return out;
}
