// SPDX-License-Identifier: BSD-3-Clause
// The call graph upside down: below each region are its callers, and below these their callers. A
// row stands for the nodes of the region at the top that were reached through the same callers, and
// its numbers are sums over these nodes. Rows are made when they are opened, because the whole tree
// would be larger than the call graph. Pure functions.

import type { NodeTable } from '../data/tables';

export interface CallerRow {
  readonly parent: number; // row; -1 for a region at the top
  readonly depth: number;
  readonly region: number;
  readonly origins: Uint32Array; // nodes of the region at the top
  readonly at: Uint32Array; // for each of these nodes, its ancestor at this row
  children: number[] | null; // rows; null if they are not made yet
}

/** The nodes of each region: node[first[region]] to node[first[region + 1] - 1]. */
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

  /** Whether a row has no callers: its nodes are all roots. */
  isLeaf(row: number): boolean {
    return this.rows[row].at.every(at => this.node.parent[at] < 0);
  }

  /** The callers of a row, which are the rows below it. */
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

  /** A sum over the nodes of the region at the top that were reached through this row's callers. An
   * inclusive sum leaves out nodes inside other nodes of the same region. */
  sum(row: number, values: Float64Array, isInclusive: boolean): number {
    let sum = 0;
    for (const origin of this.rows[row].origins)
      if (!isInclusive || !this.node.nested[origin]) sum += values[origin];
    return sum;
  }
}
