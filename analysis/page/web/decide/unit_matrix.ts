// SPDX-License-Identifier: BSD-3-Clause
// The sums behind the heat map of view Units, by unit and region, or by unit and leaf. The time of
// a region is that of its nodes and of the nodes that the runtime adds below them, without regions
// inside it, as in `overhead --exclusive --region`. Pure; each loop goes over typed arrays once.

import type { NodeTable, Numbers, PartTable } from '../data/tables';
import type { Groups } from './unit_groups';
import { sortKeys } from './sort';

export type MatrixKind = 'regions' | 'leaves';

/** `item` is a row of `region`, or a leaf. OTHERS stands for all items without a column of their
 * own. */
export interface MatrixColumn {
  readonly item: number;
  readonly total_ns: number; // over all units
  readonly items: number; // number of items in the column
}
export const OTHERS = -1;

export interface UnitMatrix {
  readonly columns: readonly MatrixColumn[]; // most time first
  readonly units: number;
  readonly ns: Float64Array; // [unit * columns.length + column]
  readonly all: number; // number of items with time
  readonly columnOf: Int32Array; // by item; -1 if it has no time
}

/** The item of each part. */
export function itemsOf(kind: MatrixKind, node: NodeTable, part: PartTable): Numbers {
  if (kind === 'leaves') return part.leaf;
  const { region, source_node } = node;
  const regions = source_node.map(source => region[source]);
  const items = new Uint32Array(part.node.length);
  for (let row = 0; row < items.length; row++) items[row] = regions[part.node[row]];
  return items;
}

function totals(part: PartTable, count: number, leaves: Uint8Array, items: Numbers): Float64Array {
  const sums = new Float64Array(count);
  const { leaf, ns } = part;
  for (let row = 0; row < ns.length; row++) if (leaves[leaf[row]]) sums[items[row]] += ns[row];
  return sums;
}

const FEW = 12; // number of items with most time that always have columns of their own
const LEAST_PART = 0.002; // other items have a column if they have this part of all time

/** At most `most` columns for the items with most time. `kept` always has a column, if it has
 * time. */
function columnsFor(sums: Float64Array, most: number, kept: number): MatrixColumn[] {
  const items = Array.from(sums.keys()).filter(item => sums[item] !== 0);
  items.sort((a, b) => sums[b] - sums[a] || a - b);
  const all = items.reduce((sum, item) => sum + sums[item], 0);
  const column = (item: number): MatrixColumn => ({ item, total_ns: sums[item], items: 1 });
  const large = items.filter((item, i) => i < FEW || sums[item] >= LEAST_PART * all);
  if (large.length >= items.length - 1 && items.length <= most) return items.map(column);
  const own = large.slice(0, most - 1);
  if (items.includes(kept) && !own.includes(kept)) own.push(kept);
  const rest = items.filter(item => !own.includes(item));
  const total_ns = rest.reduce((sum, item) => sum + sums[item], 0);
  return [...own.map(column), { item: OTHERS, total_ns, items: rest.length }];
}

/** Sums of the chosen leaves (a mask of decide/sums.ts) by unit and column. `items` is the result
 * of itemsOf; all are below `count`. */
export function unitMatrix(items: Numbers, count: number, part: PartTable, units: number,
    leaves: Uint8Array, most: number, kept = OTHERS): UnitMatrix {
  const sums = totals(part, count, leaves, items);
  const columns = columnsFor(sums, most, kept);
  const others = columns.findIndex(column => column.item === OTHERS);
  const columnOf = Int32Array.from(sums, sum => sum === 0 ? -1 : others);
  columns.forEach((column, i) => { if (column.item !== OTHERS) columnOf[column.item] = i; });
  const width = columns.length;
  const ns = new Float64Array(units * width);
  const { leaf, unit, ns: time } = part;
  for (let row = 0; row < time.length; row++) {
    const column = leaves[leaf[row]] ? columnOf[items[row]] : -1;
    if (column >= 0) ns[unit[row] * width + column] += time[row];
  }
  const all = sums.reduce((seen, sum) => seen + (sum !== 0 ? 1 : 0), 0);
  return { columns, units, ns, all, columnOf };
}

/** The values of one column, for each unit that is in a group. */
export function columnValues({ ns, columns, units }: UnitMatrix, column: number,
    groups: Groups): Float64Array {
  const values = new Float64Array(units);
  let count = 0;
  for (let unit = 0; unit < units; unit++)
    if (groups.of[unit] >= 0) values[count++] = ns[unit * columns.length + column];
  return values.subarray(0, count);
}

export interface GroupMatrix {
  readonly mean: Float64Array; // mean of a group's units: [group * columns + column]
  readonly most: Float64Array; // the largest value of a group's units
  readonly total: Float64Array; // by group: sum of all columns, mean of its units
}

export function groupMatrix({ ns, columns, units }: UnitMatrix, groups: Groups): GroupMatrix {
  const width = columns.length;
  const mean = new Float64Array(groups.count * width), most = mean.slice();
  const total = new Float64Array(groups.count);
  for (let unit = 0; unit < units; unit++) {
    const group = groups.of[unit];
    if (group < 0) continue;
    for (let column = 0; column < width; column++) {
      const value = ns[unit * width + column], to = group * width + column;
      mean[to] += value;
      if (value > most[to]) most[to] = value;
    }
  }
  for (let cell = 0; cell < mean.length; cell++) {
    const group = Math.floor(cell / width);
    mean[cell] /= groups.size[group];
    total[group] += mean[cell];
  }
  return { mean, most, total };
}

/** Time by group and class (families of leaves: Colours.familyRow), as the mean of the units. */
export function classesByGroup(part: PartTable, groups: Groups, classes: number,
    classOf: Uint8Array): Float64Array {
  const sums = new Float64Array(groups.count * classes);
  const { unit, leaf, ns } = part;
  for (let row = 0; row < ns.length; row++) {
    const group = groups.of[unit[row]];
    if (group >= 0) sums[group * classes + classOf[leaf[row]]] += ns[row];
  }
  return sums.map((sum, at) => sum / groups.size[Math.floor(at / classes)]);
}

/** By group and column: the class with the most time; 255 if there is no time. */
export function mainClasses({ columns, columnOf }: UnitMatrix, items: Numbers, part: PartTable,
    groups: Groups, leaves: Uint8Array, classes: number, classOf: Uint8Array): Uint8Array {
  const width = columns.length;
  const sums = new Float32Array(groups.count * width * classes);
  const { unit, leaf, ns } = part;
  for (let row = 0; row < ns.length; row++) {
    const group = groups.of[unit[row]];
    if (group < 0 || !leaves[leaf[row]]) continue;
    const column = columnOf[items[row]];
    if (column >= 0) sums[(group * width + column) * classes + classOf[leaf[row]]] += ns[row];
  }
  const main = new Uint8Array(groups.count * width).fill(255);
  for (let cell = 0; cell < main.length; cell++) {
    let most = 0;
    for (let i = 0; i < classes; i++) {
      const value = sums[cell * classes + i];
      if (value > most) [most, main[cell]] = [value, i];
    }
  }
  return main;
}

export const BY_VALUE = '-time';

/** The sort by a column. It is named by its item, because columns change their places. */
export function byColumn(item: number): string {
  return `-column.${item}`;
}

/** The item by whose column the lines are sorted; -1 if there is none. */
export function sortedItem(sort: string): number {
  const column = /^column\.(\d{1,9})$/.exec(sortKeys(sort)[0]?.name ?? '');
  return column ? Number(column[1]) : -1;
}

/** The groups in the order of the lines: in the order of the run, or by Selection.sort. '-time'
 * sorts by all time of a line, '-column.3' by the time of item 3. */
export function lineOrder(sort: string, groups: Groups, cells: GroupMatrix,
    columns: readonly MatrixColumn[]): Uint32Array {
  const order = Uint32Array.from({ length: groups.count }, (_, group) => group);
  const key = sortKeys(sort)[0];
  const item = sortedItem(sort);
  const at = item < 0 ? -1 : columns.findIndex(column => column.item === item);
  if (!key || (at < 0 && key.name !== 'time')) return order;
  const value = (group: number) =>
    at < 0 ? cells.total[group] : cells.mean[group * columns.length + at];
  return order.sort((a, b) =>
    (key.descending ? value(b) - value(a) : value(a) - value(b)) || a - b);
}
