// SPDX-License-Identifier: BSD-3-Clause
// The contents of the details panel for a node, or for all nodes of a region: its calls, its
// leaves, and how its time is distributed among units. Pure functions.

import type { CellTable, NodeTable, PartTable } from '../data/tables';
import { firstRows } from './sums';

export interface Details {
  calls: number;
  incl_ns: number;
  self_ns: number;
  min_ns: number; // NaN: no activation ended
  max_ns: number;
  error_ns: number; // error of self_ns, with 95 %; 0: self_ns is exact
  open: number; // number of units in which an activation had not ended
  units: number; // number of units that spent time in the nodes
  self_by_unit: Float64Array;
  incl_by_unit: Float64Array;
  leaves: Float64Array; // ns by leaf, without the nodes below
  leaves_below: Float64Array; // ns by leaf, with the nodes below
}

/** The rows of each node in `cell` and `part`. They are computed once. */
export interface NodeRows {
  readonly cell: Uint32Array;
  readonly part: Uint32Array;
}

export function nodeRows(nodes: number, cell: CellTable, part: PartTable): NodeRows {
  return { cell: firstRows(nodes, cell.node), part: firstRows(nodes, part.node) };
}

/** The selected nodes: one node, or all nodes of a region. */
export function chosenNodes(node: NodeTable, region: number, row: number): number[] {
  if (row >= 0) return row < node.parent.length ? [row] : [];
  const list: number[] = [];
  if (region >= 0)
    for (let at = 0; at < node.region.length; at++) if (node.region[at] === region) list.push(at);
  return list;
}

function addCells(made: Details, rows: readonly number[], isOne: boolean, node: NodeTable,
    cell: CellTable, first: Uint32Array, units: Uint8Array | null): void {
  let errors = 0;
  for (const row of rows)
    for (let at = first[row]; at < first[row + 1]; at++) {
      const unit = cell.unit[at];
      if (units && !units[unit]) continue;
      made.calls += cell.calls[at];
      made.self_ns += cell.excl_ns[at];
      made.self_by_unit[unit] += cell.excl_ns[at];
      errors += cell.error_ns[at] ** 2; // estimates of different units are independent
      made.open += cell.is_open[at];
      if (!(cell.min_ns[at] >= made.min_ns)) made.min_ns = cell.min_ns[at];
      if (!(cell.max_ns[at] <= made.max_ns)) made.max_ns = cell.max_ns[at];
      if (!isOne && node.nested[row]) continue;
      made.incl_ns += cell.incl_ns[at];
      made.incl_by_unit[unit] += cell.incl_ns[at];
    }
  made.error_ns = Math.sqrt(errors);
  made.units = made.incl_by_unit.reduce((count, ns) => count + (ns > 0 ? 1 : 0), 0);
}

export function detailsOf(node: NodeTable, cell: CellTable, part: PartTable, first: NodeRows,
    count: number, rows: readonly number[], units: Uint8Array | null): Details {
  const made: Details = {
    calls: 0, incl_ns: 0, self_ns: 0, min_ns: NaN, max_ns: NaN, error_ns: 0, open: 0, units: 0,
    self_by_unit: new Float64Array(count), incl_by_unit: new Float64Array(count),
    leaves: new Float64Array(256), leaves_below: new Float64Array(256),
  };
  const isOne = rows.length === 1;
  addCells(made, rows, isOne, node, cell, first.cell, units);
  const add = (sums: Float64Array, from: number, to: number) => {
    for (let at = first.part[from]; at < first.part[to]; at++)
      if (!units || units[part.unit[at]]) sums[part.leaf[at]] += part.ns[at];
  };
  for (const row of rows) {
    add(made.leaves, row, row + 1);
    if (isOne || !node.nested[row]) add(made.leaves_below, row, node.end[row]);
  }
  return made;
}

export interface Distribution {
  count: number; // number of chosen units
  mean: number;
  least: number;
  most: number;
  mostUnit: number; // row of `unit`
  leastUnit: number;
  bins: Uint32Array; // number of units by value, from 0 to `most`
}

/** How values are distributed among the chosen units. */
export function distribution(values: Float64Array, units: Uint8Array | null, bins: number)
    : Distribution {
  const made: Distribution = { count: 0, mean: 0, least: NaN, most: NaN, mostUnit: -1,
    leastUnit: -1, bins: new Uint32Array(bins) };
  values.forEach((value, unit) => {
    if (units && !units[unit]) return;
    made.count++;
    made.mean += value;
    if (!(value <= made.most)) [made.most, made.mostUnit] = [value, unit];
    if (!(value >= made.least)) [made.least, made.leastUnit] = [value, unit];
  });
  made.mean /= made.count || 1;
  values.forEach((value, unit) => {
    if (units && !units[unit]) return;
    const bin = made.most > 0 ? Math.floor(value / made.most * bins) : 0;
    made.bins[Math.min(bins - 1, bin)]++;
  });
  return made;
}
