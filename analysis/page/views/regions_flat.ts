// SPDX-License-Identifier: BSD-3-Clause
// Regions as a list, as `sis-analyze regions` prints them, and by file and function.

import { FAMILIES } from '../colour';
import { type FileTree, fileTree } from '../decide/files';
import { searchTexts, sumsByGroup, sumsByRegion, SUM_NAMES, type SumName, type Sums }
  from '../decide/regions';
import { type Ranks, ranksOf, ranksOfTexts, sortKeys, sortRows } from '../decide/sort';
import { childrenOf, marks, matching } from '../decide/tree';
import { el } from '../draw/element';
import { type Column, Table } from '../draw/table';
import { TreeTable } from '../draw/tree_table';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, placeText } from '../text';
import { aside, columnsOf } from './regions_columns';
import type { RegionsData } from './regions_data';
import { nodeColumn, regionHint } from './regions_tree';
import type { Mounted } from './view';

/** Sums of rows that are groups of regions, and time by family: what is outermost counts. */
class Groups {
  sums!: Sums;
  families!: Float64Array;
  private key = '';

  constructor(private readonly data: RegionsData, private readonly count: number,
      private readonly make: (sums: Sums) => Sums,
      private readonly rowsOf: (region: number) => readonly number[]) {}

  update(selection: Selection): void {
    const key = `${selection.units} ${selection.overhead}`;
    if (key === this.key) return;
    this.key = key;
    this.sums = this.make(this.data.nodeSums(selection));
    this.families = this.addFamilies(selection);
  }

  /** Walks through the graph; a node inside another one of the same row does not count again. */
  private addFamilies(selection: Selection): Float64Array {
    const { node } = this.data.tables;
    const classes = this.data.families(selection);
    const size = FAMILIES.length;
    const total = new Float64Array(this.count * size);
    const until = new Uint32Array(this.count);
    for (let at = 0; at < node.parent.length; at++)
      for (const row of this.rowsOf(node.region[at])) {
        if (at < until[row]) continue;
        until[row] = node.end[at];
        for (let i = 0; i < size; i++) total[row * size + i] += classes[at * size + i];
      }
    return total;
  }

  familiesOf(row: number): Float64Array {
    return this.families.subarray(row * FAMILIES.length, (row + 1) * FAMILIES.length);
  }
}

function orderOf(count: number, sort: string, rank: (name: string) => Ranks | null): Uint32Array {
  return sortRows(count, sortKeys(sort).flatMap(({ name, descending }) => {
    const by = rank(name);
    return by ? [{ by, descending }] : [];
  }));
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
  private readonly texts: string[];
  private readonly names: Ranks;
  private readonly types: Ranks;
  private selection: Selection;

  constructor(host: HTMLElement, private readonly data: RegionsData, store: Store) {
    const { region } = data.tables;
    this.selection = store.selection;
    this.texts = searchTexts(region);
    this.names = ranksOfTexts(region.name);
    this.types = ranksOfTexts(region.type);
    this.groups = new Groups(data, region.name.length, sums => sumsByRegion(data.tables, sums),
        row => [row]);
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
    const order = orderOf(region.name.length, sort, name => name === 'name' ? this.names
      : name === 'type' ? this.types : name in sums ? ranksOf(sums[name as SumName]) : null);
    const found = matching(selection.search, this.texts);
    const rows = order.filter(row => (sums.calls[row] > 0 || sums.spent[row] > 0)
      && (!selection.filter || !found || found[row]));
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
  private readonly names: Ranks;
  private selection: Selection;

  constructor(host: HTMLElement, private readonly data: RegionsData, store: Store) {
    const { region } = data.tables;
    this.selection = store.selection;
    this.tree = fileTree(region);
    this.texts = this.searchTexts();
    this.names = ranksOfTexts(this.tree.name);
    const { fileOf, functionOf, rowOf } = this.tree;
    this.groups = new Groups(data, this.tree.name.length, sums => this.sums(sums),
        row => fileOf[row] < 0 ? [] : [fileOf[row], functionOf[row], rowOf[row]]);
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
    this.table.openWhere(row => this.tree.depth[row] === 0);
  }

  unmount(): void {
    this.table.destroy();
  }

  update(selection: Selection): void {
    this.selection = selection;
    this.groups.update(selection);
    const { sums } = this.groups;
    const { parent, rowOf } = this.tree;
    const sort = selection.sort || '-spent';
    const order = orderOf(parent.length, sort, name => name === 'name' ? this.names
      : name in sums ? ranksOf(sums[name as SumName]) : null);
    const found = matching(selection.search, this.texts);
    const marked = found ? marks(parent, row => found[row] === 1) : null;
    const { node } = selection;
    const region = node >= 0 ? this.data.tables.node.region[node] : selection.region;
    this.table.show({ children: childrenOf(parent, order), marks: marked,
      roots: order.filter(row => parent[row] < 0), sort,
      current: region >= 0 ? rowOf[region] : -1, only: selection.filter ? marked : null });
    if (region >= 0 && rowOf[region] >= 0) this.table.reveal(rowOf[region]);
  }

  private searchTexts(): string[] {
    const { region } = this.data.tables;
    const texts = searchTexts(region);
    return this.tree.name.map((name, row) =>
      this.tree.region[row] >= 0 ? texts[this.tree.region[row]] : name);
  }

  private sums(sums: Sums): Sums {
    const { tables } = this.data;
    const { fileOf, functionOf, rowOf, name } = this.tree;
    const made = Object.fromEntries(SUM_NAMES.map(each =>
      [each, new Float64Array(name.length)])) as { [each in SumName]: Float64Array };
    for (const groupOf of [fileOf, functionOf, rowOf]) {
      const group = sumsByGroup(tables, sums, name.length, region => groupOf[region]);
      for (const each of SUM_NAMES)
        group[each].forEach((value, row) => { made[each][row] += value; });
    }
    return made;
  }

  private nameColumn(): Column {
    const { region } = this.data.tables;
    return { name: 'name', title: 'file, function, region', width: 'minmax(260px, 1fr)',
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
