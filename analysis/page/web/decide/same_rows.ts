// SPDX-License-Identifier: BSD-3-Clause
// Finds the rows of one look at a running program in the next look. Rows may have other numbers
// there, because regions and call paths are added. Pure functions.

import type { BlamePointTable, NodeTable, RegionTable, UnitTable } from '../data/tables';
import { changed, type Selection } from '../store/selection';
import { filesOf } from './source';
import { byColumn, sortedItem } from './unit_matrix';

export type RegionKeys = Pick<RegionTable, 'name' | 'type' | 'function' | 'file' | 'line_start'
  | 'line_end'>;

/** The tables whose rows a selection names or a view remembers. */
export interface Numbered {
  readonly region: RegionKeys;
  readonly node: Pick<NodeTable, 'parent' | 'region'>;
  readonly unit: Pick<UnitTable, 'process' | 'thread'>;
  readonly blame_point: Pick<BlamePointTable, 'path'>;
}

/** The new row of each old row; -1 if it is gone. */
export interface SameRows {
  readonly region: Int32Array;
  readonly node: Int32Array;
  readonly unit: Int32Array;
  readonly file: Int32Array; // of view Source
  readonly point: Int32Array; // blame point
}

/** Finds rows by their keys. If several rows have the same key, each call of take() returns the
 * next of them. */
class Finder<Key> {
  private readonly rows = new Map<Key, number[]>();

  constructor(keys: Iterable<Key>) {
    let row = 0;
    for (const key of keys) {
      const same = this.rows.get(key);
      if (same) same.push(row);
      else this.rows.set(key, [row]);
      row++;
    }
  }

  take(key: Key): number {
    return this.rows.get(key)?.shift() ?? -1;
  }
}

function sameKeys<Key>(before: readonly Key[], after: readonly Key[]): Int32Array {
  const finder = new Finder(after);
  return Int32Array.from(before, key => finder.take(key));
}

function regionKeys(region: RegionKeys): string[] {
  const { name, type, function: inside, file, line_start, line_end } = region;
  return name.map((text, row) =>
    JSON.stringify([text, type[row], inside[row], file[row], line_start[row], line_end[row]]));
}

function unitKeys({ process, thread }: Numbered['unit']): string[] {
  return Array.from(process, (number, row) => `${number}.${thread[row]}`);
}

function filePaths(region: RegionKeys): string[] {
  return filesOf(region).map(({ path }) => path);
}

/** Finds the same nodes: those with the same parent and the same region. Nodes come before their
 * children, so the parent has already been found. */
function sameNodes(before: Numbered['node'], after: Numbered['node'], region: Int32Array,
    regions: number): Int32Array {
  const key = (parent: number, own: number) => (parent + 1) * regions + own;
  const finder = new Finder(Array.from(after.parent, (parent, row) =>
    key(parent, after.region[row])));
  const found = new Int32Array(before.parent.length).fill(-1);
  for (let row = 0; row < found.length; row++) {
    const above = before.parent[row];
    const [parent, own] = [above < 0 ? -1 : found[above], region[before.region[row]]];
    if (own >= 0 && (above < 0 || parent >= 0)) found[row] = finder.take(key(parent, own));
  }
  return found;
}

export function sameRows(before: Numbered, after: Numbered): SameRows {
  const region = sameKeys(regionKeys(before.region), regionKeys(after.region));
  return {
    region,
    node: sameNodes(before.node, after.node, region, after.region.name.length),
    unit: sameKeys(unitKeys(before.unit), unitKeys(after.unit)),
    file: sameKeys(filePaths(before.region), filePaths(after.region)),
    point: sameKeys(before.blame_point.path, after.blame_point.path),
  };
}

/** The SameRows of an experiment whose rows all stay the same, and only their values change. */
export function allRows(tables: { readonly [name: string]: { readonly rows: number } | undefined })
    : SameRows {
  const rows = (name: string) => Int32Array.from({ length: tables[name]?.rows ?? 0 }, (_, i) => i);
  return { region: rows('region'), node: rows('node'), unit: rows('unit'),
    file: rows('source_file'), point: rows('blame_point') };
}

/** Whether all rows have kept their numbers. */
export function areUnchanged(rows: SameRows): boolean {
  return Object.values(rows).every((list: Int32Array) => list.every((row, at) => row === at));
}

/** Renumbers the sort: view Units may be sorted by the column of a region. */
function renumberedSort({ view, tab, sort }: Selection, region: Int32Array): string {
  const item = view === 'units' && tab !== 'leaves' ? sortedItem(sort) : -1;
  if (item < 0) return sort;
  return region[item] >= 0 ? byColumn(region[item]) : '';
}

/** Renumbers a selection from old rows to new ones. Rows that are gone are not selected any
 * more. */
export function renumbered(selection: Selection, rows: SameRows): Selection {
  const { view, region, node, item } = selection;
  const items = view === 'source' ? rows.file : view === 'variables' ? rows.point : null;
  const at = (list: Int32Array, row: number) => row < 0 ? -1 : list[row] ?? -1;
  return changed(selection, {
    sort: renumberedSort(selection, rows.region),
    region: at(rows.region, region), node: at(rows.node, node),
    item: items ? at(items, item) : item,
  });
}

/** Carries the marks of the old rows over to `count` new rows. `fresh` gives the mark of a row that
 * was added. */
export function carriedMarks(marks: Uint8Array, same: Int32Array, count: number,
    fresh: (row: number) => boolean): Uint8Array {
  const carried = new Uint8Array(count).fill(2);
  same.forEach((row, before) => { if (row >= 0) carried[row] = marks[before]; });
  return carried.map((mark, row) => mark === 2 ? Number(fresh(row)) : mark);
}
