// SPDX-License-Identifier: BSD-3-Clause
// Groups the rows of a table that agree in some columns. A table may have millions of rows, so the
// hash table is in typed arrays, without an object for each row. Pure functions.

import type { Numbers } from '../data/tables';

export interface RowGroups {
  readonly count: number;
  readonly of: Int32Array; // by row: its group; -1 if the mask leaves the row out
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

function agree(columns: readonly Numbers[], a: number, others: readonly Numbers[], b: number)
    : boolean {
  for (let i = 0; i < columns.length; i++) if (columns[i][a] !== others[i][b]) return false;
  return true;
}

/** Groups the rows that have 1 in `mask`. Groups are in the order of their first rows. */
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
    while (slots[slot] >= 0 && !agree(columns, first[slots[slot]], columns, row))
      slot = slot + 1 & size - 1;
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

/** Finds rows of a table by some columns. No two rows agree in all these columns. */
export class RowIndex {
  private readonly slots: Int32Array; // rows

  constructor(private readonly columns: readonly Numbers[]) {
    const rows = columns[0].length;
    let size = 16;
    while (size < 2 * rows) size *= 2;
    this.slots = new Int32Array(size).fill(-1);
    for (let row = 0; row < rows; row++) this.slots[this.slotOf(columns, row)] = row;
  }

  private slotOf(others: readonly Numbers[], row: number): number {
    const { slots, columns } = this, last = slots.length - 1;
    let slot = hashOf(others, row) & last;
    while (slots[slot] >= 0 && !agree(columns, slots[slot], others, row)) slot = slot + 1 & last;
    return slot;
  }

  /** For each row of another table, the row with the same values; -1 if there is none. */
  match(others: readonly Numbers[]): Int32Array {
    const found = new Int32Array(others[0].length);
    for (let row = 0; row < found.length; row++) found[row] = this.slots[this.slotOf(others, row)];
    return found;
  }
}
