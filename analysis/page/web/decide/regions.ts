// SPDX-License-Identifier: BSD-3-Clause
// The numbers of view Regions, by node of the call graph and by group of regions (region, function,
// file). Calls and times are those of `sis-analyze regions`. Useful work and overheads are those of
// `overhead --region`, which also count units that waited for the work in the region.
//
// Tables are ordered by node, and nodes are in pre-order. So one pass over a table makes the sums
// of nodes, and a second pass makes them inclusive. Pure functions.

import type { OverheadKind } from '../data/index';
import { CellTable, NodeTable, PartTable, RegionTable, USEFUL } from '../data/tables';
import { leavesOf, partsByNode } from './sums';

export interface Tables {
  region: RegionTable;
  node: NodeTable;
  cell: CellTable;
  part: PartTable;
}

/** Sums over the chosen units, one value for each row (node, region, file ...). */
export interface Sums {
  readonly calls: Float64Array;
  readonly incl: Float64Array; // ns
  readonly self: Float64Array;
  readonly useful: Float64Array; // inclusive
  readonly lost: Float64Array; // inclusive; the selected overhead, or all overheads
  readonly lost_self: Float64Array;
  readonly spent: Float64Array; // inclusive; useful work, all overheads, and time not measured
  readonly spent_self: Float64Array;
}

export type SumName = keyof Sums;

export const SUM_NAMES: readonly SumName[] =
  ['calls', 'incl', 'self', 'useful', 'lost', 'lost_self', 'spent', 'spent_self'];

/** Which sums are inclusive. If a region calls itself, inclusive sums count its time only once. */
export const INCLUSIVE: { readonly [name in SumName]: boolean } = {
  calls: false, incl: true, self: false, useful: true, lost: true, lost_self: false, spent: true,
  spent_self: false,
};

type CellSums = Pick<Sums, 'calls' | 'incl' | 'self'>;

export function cellSums({ node, cell }: Tables, units: Uint8Array | null): CellSums {
  const nodes = node.parent.length;
  const calls = new Float64Array(nodes), incl = new Float64Array(nodes);
  const self = new Float64Array(nodes);
  for (let row = 0; row < cell.node.length; row++) {
    if (units && !units[cell.unit[row]]) continue;
    const at = cell.node[row];
    calls[at] += cell.calls[row];
    incl[at] += cell.incl_ns[row];
    self[at] += cell.excl_ns[row];
  }
  return { calls, incl, self };
}

/** The sums of nodes including all nodes below. A node is directly before the nodes below it, so
 * its sum is a difference of running sums. These are exact: integers below 2^53. */
function withCallees({ end }: NodeTable, own: Float64Array): Float64Array {
  const until = new Float64Array(own.length + 1);
  for (let row = 0; row < own.length; row++) until[row + 1] = until[row] + own[row];
  const sums = new Float64Array(own.length);
  for (let row = 0; row < own.length; row++) sums[row] = until[end[row]] - until[row];
  return sums;
}

type SpentSums = Pick<Sums, 'useful' | 'spent' | 'spent_self'>;

export function spentSums({ node, part }: Tables, units: Uint8Array | null): SpentSums {
  const useful = new Float64Array(node.parent.length);
  const spent_self = new Float64Array(node.parent.length);
  for (let row = 0; row < part.ns.length; row++) {
    if (units && !units[part.unit[row]]) continue;
    spent_self[part.node[row]] += part.ns[row];
    if (part.leaf[row] === USEFUL) useful[part.node[row]] += part.ns[row];
  }
  return { useful: withCallees(node, useful), spent_self, spent: withCallees(node, spent_self) };
}

/** The leaves that count as lost: those of the overhead, or all if it is ''. UNMEASURED is neither
 * useful nor lost, so it counts only if it is the overhead itself. */
function lostLeaves(kinds: readonly OverheadKind[], overhead: string): Uint8Array {
  const leaves = leavesOf(kinds, overhead);
  const unmeasured = kinds.findIndex(kind => kind.name === 'UNMEASURED');
  if (unmeasured >= 0 && overhead !== 'UNMEASURED') leaves[unmeasured] = 0;
  return leaves;
}

export function lostSums(tables: Tables, kinds: readonly OverheadKind[], overhead: string,
    units: Uint8Array | null): Pick<Sums, 'lost' | 'lost_self'> {
  const lost_self = partsByNode(tables.node.parent.length, tables.part,
      lostLeaves(kinds, overhead), units);
  return { lost_self, lost: withCallees(tables.node, lost_self) };
}

export function sumsByNode(tables: Tables, kinds: readonly OverheadKind[], overhead: string,
    units: Uint8Array | null): Sums {
  return { ...cellSums(tables, units), ...spentSums(tables, units),
    ...lostSums(tables, kinds, overhead, units) };
}

/** Sums of groups of regions. `groupOf` has the group of each region, or -1. */
export function sumsByGroup({ node }: Tables, sums: Sums, groups: number, groupOf: Int32Array)
    : Sums {
  const until = new Uint32Array(groups); // the end of the outermost node that is open
  const total = Object.fromEntries(SUM_NAMES.map(name =>
    [name, new Float64Array(groups)])) as { [name in SumName]: Float64Array };
  for (let row = 0; row < node.parent.length; row++) {
    const group = groupOf[node.region[row]];
    if (group < 0) continue;
    total.calls[group] += sums.calls[row];
    total.self[group] += sums.self[row];
    total.lost_self[group] += sums.lost_self[row];
    total.spent_self[group] += sums.spent_self[row];
    if (row < until[group]) continue;
    until[group] = node.end[row];
    total.incl[group] += sums.incl[row];
    total.useful[group] += sums.useful[row];
    total.lost[group] += sums.lost[row];
    total.spent[group] += sums.spent[row];
  }
  return total;
}

export function sumsByRegion(tables: Tables, sums: Sums): Sums {
  const regions = tables.region.name.length;
  return sumsByGroup(tables, sums, regions, Int32Array.from({ length: regions }, (_, row) => row));
}

/** The text of each region that a search looks at: name, place and type. */
export function searchTexts(region: RegionTable): string[] {
  return region.name.map((name, row) => region.file[row]
    ? `${name} ${region.file[row]}:${region.line_start[row]} ${region.type[row]}`
    : `${name} ${region.type[row]}`);
}

/** The path from the top that follows at each step the child with the most time. It ends where no
 * child has half of the time of its parent. */
export function hotPath(node: NodeTable, spent: Float64Array): number[] {
  const path: number[] = [];
  for (let row = 0; row >= 0 && row < spent.length;) {
    path.push(row);
    let next = -1;
    for (let child = row + 1; child < node.end[row]; child = node.end[child])
      if (next < 0 || spent[child] > spent[next]) next = child;
    if (next < 0 || spent[next] < 0.5 * spent[row]) break;
    row = next;
  }
  return path;
}

/** The node of a region with the most time; -1 if it has none. */
export function mainNode(node: NodeTable, spent: Float64Array, region: number): number {
  let main = -1;
  for (let row = 0; row < spent.length; row++)
    if (node.region[row] === region && (main < 0 || spent[row] > spent[main])) main = row;
  return main;
}
