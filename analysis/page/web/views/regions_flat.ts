// SPDX-License-Identifier: BSD-3-Clause
// Regions as a list, as `sis-analyze regions` prints them, and as a tree of files and functions.

import { FAMILIES } from '../colour';
import type { Numbers } from '../data/tables';
import { outermost } from '../decide/classes';
import type { FileTree } from '../decide/files';
import { sumsByGroup, SUM_NAMES, type SumName, type Sums } from '../decide/regions';
import { ranksOfTexts, sortKeys, sortPart, type ValueKey } from '../decide/sort';
import { type Children, childrenOf, marks, matching } from '../decide/tree';
import { el } from '../draw/element';
import { aside, type Column, Table } from '../draw/table';
import { TreeTable } from '../draw/tree_table';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, placeText } from '../text';
import { columnsOf } from './regions_columns';
import type { RegionsData } from './regions_data';
import { nodeColumn, regionHint } from './regions_tree';
import type { Kept, Mounted } from './view';

/** Rows that are groups of regions. The sums of all rows are computed at once. The time of a row by
 * family is computed when the row is drawn. */
class Groups {
  sums!: Sums;
  private readonly outer: ReturnType<typeof outermost>[];
  private readonly families = new Map<number, Float64Array>();
  private key = '';
  private selection!: Selection;

  /** `groupsOf` has for each level of groups the row to which a region belongs, or -1. */
  constructor(private readonly data: RegionsData, private readonly count: number,
      private readonly groupsOf: readonly Int32Array[]) {
    this.outer = groupsOf.map(groupOf => outermost(data.tables.node, count, groupOf));
  }

  update(selection: Selection): void {
    const key = `${selection.units} ${selection.overhead}`;
    this.selection = selection;
    if (key === this.key) return;
    this.key = key;
    this.families.clear();
    const levels = this.groupsOf.map(groupOf => sumsByGroup(this.data.tables,
        this.data.nodeSums(selection), this.count, groupOf));
    this.sums = levels[0];
    for (const level of levels.slice(1))
      for (const name of SUM_NAMES)
        level[name].forEach((value, row) => { this.sums[name][row] += value; });
  }

  familiesOf(row: number): Float64Array {
    let total = this.families.get(row);
    if (!total) {
      total = new Float64Array(FAMILIES.length);
      this.addFamilies(row, total);
      this.families.set(row, total);
    }
    return total;
  }

  private addFamilies(row: number, total: Float64Array): void {
    for (const { first, node } of this.outer)
      for (let i = first[row]; i < first[row + 1]; i++)
        this.data.familiesOf(this.selection, node[i])
            .forEach((ns, family) => { total[family] += ns; });
  }
}

/** The values of the columns by which rows are sorted. */
function keysOf(sort: string, sums: Sums, texts: { [column: string]: Numbers }): ValueKey[] {
  return sortKeys(sort).flatMap<ValueKey>(({ name, descending }) => {
    const values = texts[name] ?? sums[name as SumName];
    return values ? [{ values, descending }] : [];
  });
}

function contextOf(data: RegionsData, groups: Groups, selection: () => Selection) {
  return {
    kinds: data.kinds, colours: data.colours, scale: data.scale, overhead: selection().overhead,
    total_ns: () => data.total_ns(selection()),
    value: (name: SumName, row: number) => groups.sums[name][row],
    families: (row: number) => groups.familiesOf(row),
  };
}

/** One row for each region that was called. */
export class RegionsList implements Mounted {
  private readonly table: Table;
  private readonly groups: Groups;
  private readonly ranks: { name: Uint32Array; type: Uint32Array };
  private selection: Selection;

  constructor(host: HTMLElement, private readonly data: RegionsData, store: Store) {
    const { region } = data.tables;
    this.selection = store.selection;
    this.ranks = { name: ranksOfTexts(region.name).ranks, type: ranksOfTexts(region.type).ranks };
    this.groups = new Groups(data, region.name.length,
        [Int32Array.from(region.name, (_, row) => row)]);
    const frame = el('div', { class: 'fill' });
    host.append(frame);
    const [name, ...others] = columnsOf(contextOf(data, this.groups, () => this.selection),
        nodeColumn(data, row => row));
    const type: Column = { name: 'type', title: 'type', width: '150px',
      explain: 'mnemonic of the type of region', text: row => region.type[row] };
    this.table = new Table(frame, {
      label: 'regions', columns: [name, type, ...others],
      select: row => store.select({ region: row, node: -1 }, false),
      activate: row => store.select({ region: row, node: -1, tab: 'callers' }),
      sort: sort => store.select({ sort }),
    });
  }

  unmount(): void {
    this.table.destroy();
  }

  update(selection: Selection): void {
    const { region } = this.data.tables;
    this.selection = selection;
    this.groups.update(selection);
    const { sums } = this.groups;
    const sort = selection.sort || '-self';
    const found = matching(selection.search, this.data.searchTexts());
    const rows = Uint32Array.from(region.name, (_, row) => row)
        .filter(row => (sums.calls[row] > 0 || sums.spent[row] > 0)
          && (!selection.filter || !found || found[row]));
    sortPart(rows, 0, rows.length, keysOf(sort, sums, this.ranks));
    const { node } = selection;
    const current = node >= 0 ? this.data.tables.node.region[node] : selection.region;
    this.table.show({ rows, sort, current, marks: found });
    if (current >= 0) this.table.reveal(current);
  }
}

/** Files, their functions, their regions. */
export class RegionsFiles implements Mounted {
  private readonly table: TreeTable;
  private readonly tree: FileTree;
  private readonly groups: Groups;
  private readonly texts: string[];
  private readonly children: Children;
  private readonly names: Uint32Array;
  private selection: Selection;

  constructor(host: HTMLElement, private readonly data: RegionsData, store: Store, kept?: Kept) {
    this.selection = store.selection;
    this.tree = data.files();
    this.texts = this.searchTexts();
    this.children = childrenOf(this.tree.parent);
    this.names = ranksOfTexts(this.tree.name).ranks;
    const { fileOf, functionOf, rowOf } = this.tree;
    this.groups = new Groups(data, this.tree.name.length, [fileOf, functionOf, rowOf]);
    const frame = el('div', { class: 'fill' });
    host.append(frame);
    this.table = new TreeTable(frame, this.tree, {
      label: 'regions by file', none: 'No region has a place in the source.',
      columns: columnsOf(contextOf(data, this.groups, () => this.selection), this.nameColumn()),
      select: row => {
        const chosen = this.tree.region[row];
        if (chosen >= 0) store.select({ region: chosen, node: -1 }, false);
      },
      sort: sort => store.select({ sort }),
    });
    const open = kept?.state as Map<string, number> | undefined;
    this.table.openWhere(row =>
      Boolean(open?.get(this.keyOf(row)) ?? Number(this.tree.depth[row] === 0)));
  }

  unmount(): void {
    this.table.destroy();
  }

  /** Which rows are open, by their names, because a new region changes the numbers of all rows
   * below it. */
  keep(): Map<string, number> {
    return new Map(this.tree.name.map((_, row) => [this.keyOf(row), this.table.open[row]]));
  }

  private keyOf(row: number): string {
    const { depth, file, name } = this.tree;
    return JSON.stringify([depth[row], file[row], name[row]]);
  }

  update(selection: Selection): void {
    this.selection = selection;
    this.groups.update(selection);
    const { sums } = this.groups;
    const { parent, rowOf } = this.tree;
    const sort = selection.sort || '-spent';
    const found = matching(selection.search, this.texts);
    const marked = found ? marks(parent, row => found[row] === 1) : null;
    const { node } = selection;
    const region = node >= 0 ? this.data.tables.node.region[node] : selection.region;
    this.table.show({ children: this.children, marks: marked, sort,
      keys: keysOf(sort, sums, { name: this.names }),
      roots: this.tree.name.map((_, row) => row).filter(row => parent[row] < 0),
      current: region >= 0 ? rowOf[region] : -1, only: selection.filter ? marked : null });
    if (region >= 0 && rowOf[region] >= 0) this.table.reveal(rowOf[region]);
  }

  private searchTexts(): string[] {
    const texts = this.data.searchTexts();
    return this.tree.name.map((name, row) =>
      this.tree.region[row] >= 0 ? texts[this.tree.region[row]] : name);
  }

  private nameColumn(): Column {
    const { region } = this.data.tables;
    return { name: 'name', title: 'file, function, region', width: 'minmax(230px, 1fr)',
      text: row => nameText(this.tree.name[row]),
      hint: row => this.tree.region[row] >= 0 ? regionHint(this.data, this.tree.region[row])
        : nameText(this.tree.file[row], 1000),
      paint: (cell, row) => {
        const at = this.tree.region[row];
        aside(cell, 'place').textContent = at < 0 ? '' : placeText(region.file[at],
            region.line_start[at]);
      } };
  }
}
