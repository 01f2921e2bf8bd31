// SPDX-License-Identifier: BSD-3-Clause
// The call graph as a tree table.

import { hotPath, mainNode } from '../decide/regions';
import { carriedMarks, type SameRows } from '../decide/same_rows';
import { marks, matching } from '../decide/tree';
import { el } from '../draw/element';
import { aside, type Column } from '../draw/table';
import { TreeTable } from '../draw/tree_table';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, placeText } from '../text';
import type { Kept, Mounted } from './view';
import { columnsOf } from './regions_columns';
import type { RegionsData } from './regions_data';

const SORT = '-spent';

/** The column with the name of a node's region, and its place. */
export function nodeColumn(data: RegionsData, regionOf: (row: number) => number): Column {
  const { region } = data.tables;
  return { name: 'name', title: 'region', width: 'minmax(230px, 1fr)',
    text: row => nameText(region.name[regionOf(row)]),
    hint: row => regionHint(data, regionOf(row)),
    paint: (cell, row) => {
      const at = regionOf(row);
      aside(cell, 'place').textContent = placeText(region.file[at], region.line_start[at]);
      cell.parentElement!.classList.toggle('runtime', region.type[at].startsWith('RT_'));
    } };
}

export function regionHint({ tables: { region } }: RegionsData, row: number): string {
  const place = region.file[row] ? `${region.file[row]}:${region.line_start[row]}` : '';
  const lines = [region.name[row], region.type[row],
    region.function[row] && `in function ${region.function[row]}`, place];
  return lines.filter(Boolean).map(line => nameText(line, 1000)).join('\n');
}

/** Whether a node is open at first: nodes of the two upper levels, and those on the path with most
 * of the time. */
function openAtFirst(data: RegionsData, selection: Selection): (row: number) => boolean {
  const { node } = data.tables;
  const path = new Set(hotPath(node, data.nodeSums(selection).spent));
  return row => path.has(row) || node.depth[row] < 2;
}

/** The open nodes in a new look: those that were open in the earlier look. New nodes are open by
 * the rule of openAtFirst. */
export function carriedOpen(data: RegionsData, selection: Selection, open: Uint8Array,
    rows: SameRows): Uint8Array {
  return carriedMarks(open, rows.node, data.tables.node.parent.length,
      openAtFirst(data, selection));
}

export class RegionsTree implements Mounted {
  private readonly table: TreeTable;
  private readonly only: HTMLInputElement;
  private readonly found = el('span', { class: 'soft', role: 'status' });
  private selection: Selection;
  private searched = '';
  private marked: Uint8Array | null = null;
  private shown = -1; // the node that was revealed last

  constructor(host: HTMLElement, private readonly data: RegionsData, store: Store, kept?: Kept) {
    this.selection = store.selection;
    if (kept) this.shown = kept.rows.node[kept.state as number] ?? -1;
    this.only = el('input', { type: 'checkbox', on: { change: () =>
      store.select({ filter: this.only.checked }) } });
    const tools = this.tools();
    const frame = el('div', { class: 'fill' });
    host.append(tools, frame);
    const { node } = data.tables;
    this.table = new TreeTable(frame, node, {
      label: 'call graph', columns: this.columns(),
      select: row => store.select({ node: row, region: -1 }, false),
      activate: row => store.select({ node: row, region: -1, tab: 'flame' }),
      sort: sort => store.select({ sort }),
    });
    if (data.open) this.table.open = data.open;
    else this.openHot();
  }

  unmount(): void {
    this.keep();
    this.table.destroy();
  }

  /** The node that was revealed last, so that it is not revealed again. */
  keep(): number {
    this.data.open = this.table.open;
    return this.shown;
  }

  update(selection: Selection): void {
    const { node } = this.data.tables;
    this.selection = selection;
    this.mark(selection);
    const current = selection.node >= 0 ? selection.node : selection.region >= 0
      ? mainNode(node, this.data.nodeSums(selection).spent, selection.region) : -1;
    this.only.checked = selection.filter;
    const sort = selection.sort || SORT;
    this.table.show({
      children: this.data.children(), roots: [0], sort, current,
      keys: this.data.nodeKeys(selection, sort),
      marks: this.marked, only: selection.filter ? this.marked : null,
    });
    if (current >= 0 && current !== this.shown && current < node.parent.length)
      this.table.reveal(current);
    this.shown = current;
  }

  // -- parts --------------------------------------------------------------------------------------

  private columns(): Column[] {
    const { data } = this;
    return columnsOf({
      kinds: data.kinds, colours: data.colours, scale: data.scale,
      overhead: this.selection.overhead,
      total_ns: () => data.total_ns(this.selection),
      value: (name, row) => data.nodeSums(this.selection)[name][row],
      families: row => data.familiesOf(this.selection, row),
    }, nodeColumn(data, row => data.tables.node.region[row]));
  }

  private tools(): HTMLElement {
    const button = (text: string, title: string, act: () => void) =>
      el('button', { type: 'button', class: 'tool', title, on: { click: act } }, text);
    return el('div', { class: 'tools' },
        button('hottest path', 'opens the callees with most of the time', () => this.openHot()),
        button('open all', 'opens all nodes (* opens all below one)',
            () => this.table.openWhere(() => true)),
        button('close all', 'closes all nodes', () => this.table.openWhere(() => false)),
        el('label', { class: 'only' }, this.only, 'only what matches the search'), this.found);
  }

  private openHot(): void {
    this.table.openWhere(openAtFirst(this.data, this.selection));
  }

  // -- parts that depend on the selection ---------------------------------------------------------

  private mark({ search }: Selection): void {
    if (search === this.searched) return;
    this.searched = search;
    const { node } = this.data.tables;
    const matches = matching(search, this.data.searchTexts());
    this.marked = matches ? marks(node.parent, row => matches[node.region[row]] === 1) : null;
    this.found.textContent = this.marked ? this.countText(this.marked) : '';
  }

  private countText(marked: Uint8Array): string {
    let count = 0;
    for (const mark of marked) if (mark === 1) count++;
    return count ? `${count} nodes match` : 'no node matches';
  }
}
