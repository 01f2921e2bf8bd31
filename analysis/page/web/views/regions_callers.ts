// SPDX-License-Identifier: BSD-3-Clause
// The call graph upside down, as a table. A row below a region is a caller of the region. Its
// numbers are those of the region at the top, for the calls that came through this caller.

import { FAMILIES } from '../colour';
import { CallerTree } from '../decide/callers';
import { INCLUSIVE, type SumName } from '../decide/regions';
import { ranksOfTexts, sortKeys, sortPart, type ValueKey } from '../decide/sort';
import { matching } from '../decide/tree';
import { el } from '../draw/element';
import { Table } from '../draw/table';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { columnsOf } from './regions_columns';
import type { RegionsData } from './regions_data';
import { nodeColumn } from './regions_tree';
import type { Kept, Mounted } from './view';

const SORT = '-self';

interface State {
  top: number; // region
  open: readonly number[][]; // open rows, as chains of regions from the top
}

export class RegionsCallers implements Mounted {
  private readonly table: Table;
  private readonly remark = el('p', { class: 'note' });
  private tree!: CallerTree;
  private roots: number[] = [];
  private open = new Set<number>();
  private top = -2; // the region whose callers are shown; -1 for all regions
  private selection: Selection;
  private readonly sums = new Map<string, number>();
  private readonly families = new Map<number, Float64Array>();
  private key = '';

  constructor(host: HTMLElement, private readonly data: RegionsData,
      private readonly store: Store, kept?: Kept) {
    this.selection = store.selection;
    const frame = el('div', { class: 'fill' });
    host.append(this.remark, frame);
    this.table = new Table(frame, {
      label: 'callers', columns: columnsOf({
        kinds: data.kinds, colours: data.colours, scale: data.scale,
        overhead: this.selection.overhead, total_ns: () => data.total_ns(this.selection),
        value: (name, row) => this.value(name, row), families: row => this.familiesOf(row),
      }, nodeColumn(data, row => this.tree.rows[row].region)),
      tree: {
        level: row => this.tree.rows[row].depth + 1,
        state: row => this.tree.isLeaf(row) ? 'leaf' : this.open.has(row) ? 'open' : 'closed',
        parent: row => this.tree.rows[row].parent,
        toggle: (row, open, all) => this.toggle(row, open, all),
      },
      select: row => this.choose(row),
      sort: sort => store.select({ sort }),
    });
    if (kept) this.restore(kept.state as State, kept.rows.region);
  }

  keep(): State {
    const { rows } = this.tree;
    const chain = (row: number): number[] =>
      row < 0 ? [] : [...chain(rows[row].parent), rows[row].region];
    return { top: this.top, open: [...this.open].map(chain) };
  }

  private restore({ top, open }: State, same: Int32Array): void {
    this.setTop(same[top] ?? -1);
    const { rows } = this.tree;
    this.open = new Set();
    // a row is made when its parent is opened, so short chains come first
    for (const chain of [...open].sort((a, b) => a.length - b.length)) {
      let list: readonly number[] = this.roots, found: number | undefined = -1;
      for (const region of chain) {
        found = list.find(row => rows[row].region === same[region]);
        if (found === undefined) break;
        list = this.tree.children(found);
      }
      if (found !== undefined) this.open.add(found);
    }
  }

  unmount(): void {
    this.table.destroy();
  }

  update(selection: Selection): void {
    this.selection = selection;
    const key = `${selection.units} ${selection.overhead}`;
    if (key !== this.key) this.forget();
    this.key = key;
    if (this.top === -2) this.setTop(this.chosen(selection));
    this.show();
  }

  private chosen({ node, region }: Selection): number {
    return node >= 0 ? this.data.tables.node.region[node] ?? -1 : region;
  }

  /** Shows the callers of one region, opened, or those of all regions. */
  private setTop(region: number): void {
    const { tables } = this.data;
    const sums = this.data.regionSums(this.selection);
    const regions = region in tables.region.name ? [region]
      : tables.region.name.map((_, row) => row).filter(row => sums.calls[row] > 0);
    this.top = region in tables.region.name ? region : -1;
    this.tree = new CallerTree(tables.node, this.data.nodesByRegion(), regions);
    this.roots = this.tree.rows.map((_, row) => row);
    this.open = new Set(this.top >= 0 ? this.roots : []);
    this.forget();
    this.remark.replaceChildren('A row below a region is one of its callers. The numbers are those '
      + 'of the region at the top, as far as it was reached through this caller. ',
    this.top >= 0 ? el('button', { type: 'button', class: 'tool', on: { click: () => {
      this.setTop(-1);
      this.show();
    } } }, 'all regions') : '');
  }

  private choose(row: number): void {
    const { depth, region } = this.tree.rows[row];
    if (!depth) this.store.select({ region, node: -1 }, false);
  }

  private forget(): void {
    this.sums.clear();
    this.families.clear();
  }

  private value(name: SumName, row: number): number {
    const { depth, region } = this.tree.rows[row];
    if (!depth) return this.data.regionSums(this.selection)[name][region];
    const key = `${name} ${row}`;
    let sum = this.sums.get(key);
    if (sum === undefined) {
      sum = this.tree.sum(row, this.data.nodeSums(this.selection)[name], INCLUSIVE[name]);
      this.sums.set(key, sum);
    }
    return sum;
  }

  private familiesOf(row: number): Float64Array {
    let sums = this.families.get(row);
    if (!sums) this.families.set(row, sums = this.addFamilies(this.tree.rows[row].origins));
    return sums;
  }

  private addFamilies(origins: Uint32Array): Float64Array {
    const { node } = this.data.tables;
    const total = new Float64Array(FAMILIES.length);
    for (const origin of origins)
      if (!node.nested[origin])
        this.data.familiesOf(this.selection, origin).forEach((ns, i) => { total[i] += ns; });
    return total;
  }

  private toggle(row: number, open: boolean, all: boolean): void {
    // A tree of callers may be deep. So "all" only opens a chain of rows, as long as each row has a
    // single caller.
    for (let at = row, steps = 0; at >= 0 && steps < 64; steps++) {
      if (open) this.open.add(at);
      else this.open.delete(at);
      const below = open ? this.tree.children(at) : [];
      at = all && below.length === 1 && !this.tree.isLeaf(below[0]) ? below[0] : -1;
    }
    this.show();
  }

  /** Sorts rows that have the same parent. */
  private sorted(list: readonly number[]): readonly number[] {
    const { region } = this.data.tables;
    const own = this.tree.rows;
    const keys = sortKeys(this.selection.sort || SORT)
        .filter(({ name }) => name === 'name' || name in INCLUSIVE)
        .map<ValueKey>(({ name, descending }) => ({
          descending, values: name === 'name'
            ? ranksOfTexts(list.map(row => region.name[own[row].region])).ranks
            : Float64Array.from(list, row => this.value(name as SumName, row)),
        }));
    const order = Uint32Array.from(list, (_, i) => i);
    sortPart(order, 0, order.length, keys);
    return Array.from(order, i => list[i]);
  }

  private show(): void {
    const found = matching(this.selection.search, this.data.searchTexts());
    const rows: number[] = [];
    const add = (list: readonly number[]) => {
      for (const row of this.sorted(list)) {
        rows.push(row);
        if (this.open.has(row)) add(this.tree.children(row));
      }
    };
    add(this.selection.filter && found
      ? this.roots.filter(row => found[this.tree.rows[row].region]) : this.roots);
    const marks = found
      && Uint8Array.from(this.tree.rows, row => found[row.region]);
    const chosen = this.chosen(this.selection);
    this.table.show({ rows, sort: this.selection.sort || SORT, marks,
      current: this.roots.find(row => this.tree.rows[row].region === chosen) ?? -1 });
  }
}
