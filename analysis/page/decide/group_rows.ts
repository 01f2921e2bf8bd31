// SPDX-License-Identifier: BSD-3-Clause
// Groups rows of a table that agree in some columns, of millions of rows: a hash table in typed
// arrays, with no object for each row. Pure.

import type { Numbers } from '../data/tables';

export interface RowGroups {
  readonly count: number;
  readonly of: Int32Array; // by row: its group; -1: the mask leaves it out
  readonly first: Uint32Array; // by group: its first row
}

function hashOf(columns: readonly Numbers[], row: number): number {
  let hash = 0x2545f491;
  for (const column of columns) {
    hash = Math.imul(hash ^ column[row], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function agree(columns: readonly Numbers[], a: number, b: number): boolean {
  for (const column of columns) if (column[a] !== column[b]) return false;
  return true;
}

/** Groups are in the order of their first rows. `mask`: only rows that have 1. */
export function groupRows(columns: readonly Numbers[], mask: Uint8Array): RowGroups {
  let size = 16;
  while (size < 2 * mask.length) size *= 2;
  const slots = new Int32Array(size).fill(-1); // groups
  const of = new Int32Array(mask.length).fill(-1);
  const first = new Uint32Array(mask.length);
  let count = 0;
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue;
    let slot = hashOf(columns, row) & size - 1;
    while (slots[slot] >= 0 && !agree(columns, first[slots[slot]], row)) slot = slot + 1 & size - 1;
    if (slots[slot] < 0) {
      slots[slot] = count;
      first[count++] = row;
    }
    of[row] = slots[slot];
  }
  return { count, of, first: first.slice(0, count) };
}

/** Adds up a column by group. */
export function groupSums({ count, of }: RowGroups, values: Numbers): Float64Array {
  const sums = new Float64Array(count);
  for (let row = 0; row < of.length; row++) if (of[row] >= 0) sums[of[row]] += values[row];
  return sums;
}
