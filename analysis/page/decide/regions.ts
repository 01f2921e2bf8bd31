// SPDX-License-Identifier: BSD-3-Clause
// The numbers of view Regions, by node of the call graph and by region. Calls and times are those of
// `sis-analyze regions`; useful work and overheads those of `overhead --region`, which also count
// units that waited for what happens here. Pure.

import type { OverheadKind } from '../data/index';
import type { CellTable, NodeTable, PartTable, RegionTable } from '../data/tables';
import { byRegion, inclusive, inclusiveByRegion, leavesOf, partsByNode, sumBy } from './sums';

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
  readonly lost: Float64Array; // inclusive: the selected overhead, or all
  readonly lost_self: Float64Array;
  readonly spent: Float64Array; // inclusive: useful work and all overheads
}

export type SumName = keyof Sums;

export const SUM_NAMES: readonly SumName[] =
  ['calls', 'incl', 'self', 'useful', 'lost', 'lost_self', 'spent'];

/** All leaves but what was not measured, which is neither useful nor lost. */
function lostLeaves(kinds: readonly OverheadKind[], overhead: string): Uint8Array {
  const leaves = leavesOf(kinds, overhead);
  const unmeasured = kinds.findIndex(kind => kind.name === 'UNMEASURED');
  if (unmeasured >= 0 && overhead !== 'UNMEASURED') leaves[unmeasured] = 0;
  return leaves;
}

export function sumsByNode({ node, cell, part }: Tables, kinds: readonly OverheadKind[],
    overhead: string, units: Uint8Array | null): Sums {
  const nodes = node.parent.length;
  const of = (values: Float64Array) => sumBy(nodes, cell.node, values, cell.unit, units);
  const lost_self = partsByNode(nodes, part, lostLeaves(kinds, overhead), units);
  const useful = partsByNode(nodes, part, leavesOf(kinds, 'useful'), units);
  const all = sumBy(nodes, part.node, part.ns, part.unit, units);
  return {
    calls: of(cell.calls), incl: of(cell.incl_ns), self: of(cell.excl_ns),
    useful: inclusive(node, useful), lost: inclusive(node, lost_self), lost_self,
    spent: inclusive(node, all),
  };
}

/** Sums of regions: a node inside another one of its region counts once where it is inclusive. */
export function sumsByRegion({ region, node }: Tables, sums: Sums): Sums {
  const count = region.name.length;
  const own = (values: Float64Array) => byRegion(count, node, values);
  const all = (values: Float64Array) => inclusiveByRegion(count, node, values);
  return {
    calls: own(sums.calls), incl: all(sums.incl), self: own(sums.self), useful: all(sums.useful),
    lost: all(sums.lost), lost_self: own(sums.lost_self), spent: all(sums.spent),
  };
}

/** For each node: whether a node further up has the same group (file, function ...). */
export function nestedIn(node: NodeTable, groups: number, groupOf: (region: number) => number)
    : Uint8Array {
  const until = new Uint32Array(groups);
  const nested = new Uint8Array(node.parent.length);
  for (let row = 0; row < nested.length; row++) {
    const group = groupOf(node.region[row]);
    if (group < 0) continue;
    if (row < until[group]) nested[row] = 1;
    else until[group] = node.end[row];
  }
  return nested;
}

/** Sums of groups of regions. */
export function sumsByGroup({ node }: Tables, sums: Sums, groups: number,
    groupOf: (region: number) => number): Sums {
  const nested = nestedIn(node, groups, groupOf);
  const total = Object.fromEntries(SUM_NAMES.map(name =>
    [name, new Float64Array(groups)])) as { [name in SumName]: Float64Array };
  for (let row = 0; row < nested.length; row++) {
    const group = groupOf(node.region[row]);
    if (group < 0) continue;
    for (const name of ['calls', 'self', 'lost_self'] as const)
      total[name][group] += sums[name][row];
    if (nested[row]) continue;
    for (const name of ['incl', 'useful', 'lost', 'spent'] as const)
      total[name][group] += sums[name][row];
  }
  return total;
}

/** What a region is called when it is searched: name, place, type. */
export function searchTexts(region: RegionTable): string[] {
  return region.name.map((name, row) => region.file[row]
    ? `${name} ${region.file[row]}:${region.line_start[row]} ${region.type[row]}`
    : `${name} ${region.type[row]}`);
}

/** The path to the node where most time goes, from the top: children with the most. */
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

/** The node of a region with the most time; -1: it has none. */
export function mainNode(node: NodeTable, spent: Float64Array, region: number): number {
  let main = -1;
  for (let row = 0; row < spent.length; row++)
    if (node.region[row] === region && (main < 0 || spent[row] > spent[main])) main = row;
  return main;
}
