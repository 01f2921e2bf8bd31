// SPDX-License-Identifier: BSD-3-Clause
// The call graph upside down: below each region its callers, and theirs. A row stands for a set of
// nodes of one region that were reached through the same callers; its numbers are theirs. Rows are
// made when they are opened, because the whole tree would be larger than the call graph. Pure.

import type { NodeTable } from '../data/tables';

export interface CallerRow {
  readonly parent: number; // row; -1: a region at the top
  readonly depth: number;
  readonly region: number;
  readonly origins: Uint32Array; // nodes of the region at the top
  readonly at: Uint32Array; // for each of them, its ancestor that this row stands for
  children: number[] | null; // rows; null: not yet made
}

/** All nodes by region: node[first[region]] to node[first[region + 1]]. */
export interface NodesByRegion {
  readonly first: Uint32Array;
  readonly node: Uint32Array;
}

export function nodesByRegion(node: NodeTable, regions: number): NodesByRegion {
  const first = new Uint32Array(regions + 1);
  for (const region of node.region) first[region + 1]++;
  for (let region = 0; region < regions; region++) first[region + 1] += first[region];
  const next = first.slice();
  const list = new Uint32Array(node.region.length);
  for (let row = 0; row < list.length; row++) list[next[node.region[row]]++] = row;
  return { first, node: list };
}

export class CallerTree {
  readonly rows: CallerRow[] = [];

  constructor(private readonly node: NodeTable, byRegion: NodesByRegion,
      regions: readonly number[]) {
    for (const region of regions) {
      const nodes = byRegion.node.subarray(byRegion.first[region], byRegion.first[region + 1]);
      if (nodes.length) this.add(-1, 0, region, nodes, nodes);
    }
  }

  private add(parent: number, depth: number, region: number, origins: Uint32Array,
      at: Uint32Array): number {
    return this.rows.push({ parent, depth, region, origins, at, children: null }) - 1;
  }

  /** A row has callers unless all its nodes are roots. */
  isLeaf(row: number): boolean {
    return this.rows[row].at.every(at => this.node.parent[at] < 0);
  }

  /** The callers of a row. Each is a row below it. */
  children(row: number): readonly number[] {
    const own = this.rows[row];
    if (own.children) return own.children;
    const groups = new Map<number, { origins: number[]; at: number[] }>();
    own.at.forEach((at, i) => {
      const above = this.node.parent[at];
      if (above < 0) return;
      const region = this.node.region[above];
      const group = groups.get(region) ?? { origins: [], at: [] };
      groups.set(region, group);
      group.origins.push(own.origins[i]);
      group.at.push(above);
    });
    own.children = [...groups].map(([region, { origins, at }]) =>
      this.add(row, own.depth + 1, region, Uint32Array.from(origins), Uint32Array.from(at)));
    return own.children;
  }

  /** A sum of the region at the top, as far as it was reached through this row's callers. What is
   * inclusive leaves out nodes inside others of the same region. */
  sum(row: number, values: Float64Array, isInclusive: boolean): number {
    let sum = 0;
    for (const origin of this.rows[row].origins)
      if (!isInclusive || !this.node.nested[origin]) sum += values[origin];
    return sum;
  }
}
