// SPDX-License-Identifier: BSD-3-Clause
// Bytes of blocks to columns, in the forms that index.ts describes. Pure: no browser is needed.
// All functions read as many rows as the table has; a block that is shorter is an error.

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

/** Value - base, the lowest bytes of all rows first, then the next ones. Two planes are added at
 * once, because memory is slower than arithmetic. */
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

/** Reads numbers of 7 bits a byte, the lowest first; a set top bit: more bytes follow. */
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

/** Differences: 0, -1, 1, -2, 2 ... are 0, 1, 2, 3, 4 ... */
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
