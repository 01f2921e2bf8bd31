// SPDX-License-Identifier: BSD-3-Clause
// The time of any range of nodes by class of leaves (colour.ts: familyRow). A node and all below it
// are such a range. To save memory, running sums are kept only for every BLOCK rows of the table of
// parts. The rows between are added when a sum is computed. Pure functions.

import type { NodeTable, PartTable } from '../data/tables';

const BLOCK = 256;

export class ClassSums {
  private readonly until: Float64Array; // for each block: sums of all rows before it

  /** `first` says where the rows of each node begin (sums.ts: firstRows). */
  constructor(readonly classes: number, private readonly classOf: Uint8Array,
      private readonly part: PartTable, private readonly first: Uint32Array,
      private readonly units: Uint8Array | null) {
    const rows = part.ns.length, blocks = Math.floor(rows / BLOCK) + 1;
    this.until = new Float64Array(blocks * classes);
    const sums = new Float64Array(classes);
    for (let block = 0; block < blocks; block++) {
      this.until.set(sums, block * classes);
      this.add(sums, 1, block * BLOCK, Math.min((block + 1) * BLOCK, rows));
    }
  }

  /** The sums of the nodes from `from` to `to` - 1. */
  of(from: number, to: number): Float64Array {
    const sums = new Float64Array(this.classes);
    this.addUntil(sums, 1, this.first[to]);
    this.addUntil(sums, -1, this.first[from]);
    return sums;
  }

  ofNode(node: NodeTable, row: number): Float64Array {
    return this.of(row, node.end[row]);
  }

  private add(sums: Float64Array, sign: number, from: number, to: number): void {
    const { leaf, ns, unit } = this.part;
    const { classOf, units } = this;
    for (let row = from; row < to; row++)
      if (!units || units[unit[row]]) sums[classOf[leaf[row]]] += sign * ns[row];
  }

  private addUntil(sums: Float64Array, sign: number, row: number): void {
    const block = Math.floor(row / BLOCK);
    for (let i = 0; i < this.classes; i++) sums[i] += sign * this.until[block * this.classes + i];
    this.add(sums, sign, block * BLOCK, row);
  }
}

/** The outermost nodes of each group of regions: node[first[group]] to node[first[group + 1] - 1].
 * A node inside another node of its group is left out. `groupOf` has the group of each region, or
 * -1. */
export function outermost(node: NodeTable, groups: number, groupOf: Int32Array)
    : { first: Uint32Array; node: Uint32Array } {
  const pass = (visit: (group: number, row: number) => void) => {
    const until = new Uint32Array(groups);
    for (let row = 0; row < node.parent.length; row++) {
      const group = groupOf[node.region[row]];
      if (group < 0 || row < until[group]) continue;
      until[group] = node.end[row];
      visit(group, row);
    }
  };
  const first = new Uint32Array(groups + 1);
  pass(group => { first[group + 1]++; });
  for (let group = 0; group < groups; group++) first[group + 1] += first[group];
  const next = first.slice();
  const list = new Uint32Array(first[groups]);
  pass((group, row) => { list[next[group]++] = row; });
  return { first, node: list };
}
