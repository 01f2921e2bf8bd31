// SPDX-License-Identifier: BSD-3-Clause
// A table whose rows are numbers. Columns say how to draw a row. Only visible rows exist as
// elements, so a table can have millions of rows. Clicks on headings sort it, keys move through it,
// and its roles describe it to screen readers. With `tree` it is a tree table (draw/tree_table.ts).
//
// The table decides nothing: it gets the rows in their order, and reports what the user does.

import { nextSort, sortKeys } from '../decide/sort';
import { el, setText } from './element';
import { VirtualRows } from './rows';

export interface Column {
  readonly name: string; // its name in Selection.sort
  readonly title: string;
  readonly explain?: string; // shown when the pointer rests on the heading
  readonly width: string; // of a CSS grid: '80px', 'minmax(220px, 1fr)'
  readonly number?: boolean; // aligned to the right; the first click sorts the largest first
  readonly sort?: boolean; // false if it cannot be sorted
  text(row: number): string;
  /** The number with all digits, which is shown when the pointer rests on the cell. */
  hint?(row: number): string;
  /** The length of a bar behind the text, as a share of the cell, and its colour. */
  bar?(row: number): number;
  barColour?(row: number): string;
  /** Draws more than text into a cell. The cell is used again for other rows. */
  paint?(cell: HTMLElement, row: number): void;
}

export interface TreePart {
  level(row: number): number; // 1 for the children of the root
  state(row: number): 'leaf' | 'open' | 'closed';
  parent(row: number): number; // -1 if none is shown
  /** Opens or closes a row; if `all`, also the rows below it. */
  toggle(row: number, open: boolean, all: boolean): void;
}

export interface TableOptions {
  readonly label: string; // for screen readers
  readonly columns: readonly Column[];
  readonly rowHeight?: number;
  /** The table is as high as its rows, but not higher than this number of rows. If the number is 0,
   * the table is as high as its host. */
  readonly mostRows?: number;
  readonly tree?: TreePart;
  select?(row: number): void; // by click or arrow
  activate?(row: number): void; // by Enter or double click
  sort?(sort: string): void;
  /** The text that is shown if there are no rows. */
  readonly none?: string;
}

export interface Shown {
  readonly rows: ArrayLike<number>; // in the order in which they are shown
  readonly sort?: string;
  readonly current?: number; // the selected row
  readonly marks?: Uint8Array | null; // by row: 1 if it matches the search, 2 if a row below does
}

/** For Column.paint: a span of the cell behind its text. */
export function aside(cell: HTMLElement, name: string): HTMLElement {
  return cell.querySelector<HTMLElement>(`.${name}`)
    ?? cell.appendChild(el('span', { class: name }));
}

const HEADING = 30;
let tables = 0;

export class Table {
  readonly element: HTMLElement;
  private readonly heading: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly rows: VirtualRows;
  private readonly height: number;
  private readonly id = `table-${++tables}`;
  private shown: Shown = { rows: [] };
  private cursor = -1; // index of the row with the keyboard's focus

  constructor(host: HTMLElement, private readonly options: TableOptions) {
    this.height = options.rowHeight ?? 24;
    this.element = el('div', {
      class: 'table', tabindex: 0, role: options.tree ? 'treegrid' : 'grid', id: this.id,
      'aria-label': options.label, 'aria-colcount': options.columns.length,
      'aria-multiselectable': 'false',
      style: { '--columns': options.columns.map(column => column.width).join(' ') },
      on: {
        keydown: (event: KeyboardEvent) => this.key(event),
        click: (event: MouseEvent) => this.click(event),
        dblclick: (event: MouseEvent) => this.open(event),
      },
    });
    this.heading = this.makeHeading();
    this.nothing = el('p', { class: 'none', hidden: true }, options.none ?? 'No rows.');
    this.element.append(this.heading);
    this.rows = new VirtualRows(this.element, () => HEADING, {
      height: this.height,
      make: () => this.makeRow(),
      draw: (element, index) => this.draw(element, index),
    });
    this.element.append(this.nothing);
    host.append(this.element);
  }

  destroy(): void {
    this.rows.destroy();
    this.element.remove();
  }

  show(shown: Shown): void {
    this.shown = shown;
    const { rows, current = -1 } = shown;
    this.element.setAttribute('aria-rowcount', String(rows.length + 1));
    this.nothing.hidden = rows.length > 0;
    if (this.options.mostRows) {
      const visible = Math.min(this.options.mostRows, Math.max(1, rows.length));
      this.element.style.height = `${HEADING + visible * this.height + 2}px`;
    }
    this.cursor = current >= 0 ? this.indexOf(current)
      : Math.min(this.cursor, rows.length - 1);
    this.showSort();
    this.rows.show(rows.length);
    this.showCursor();
  }

  /** Scrolls to a row, if it is shown. */
  reveal(row: number): void {
    const index = this.indexOf(row);
    if (index < 0) return;
    this.cursor = index;
    this.rows.reveal(index);
    this.rows.redraw();
    this.showCursor();
  }

  redraw(): void {
    this.rows.redraw();
  }

  /** The index of the row with the keyboard's focus; -1 if there is none. */
  get place(): number {
    return this.cursor;
  }

  /** Gives the focus to the row at an index, unless a selected row has it. Does not scroll. */
  set place(place: number) {
    if (this.cursor >= 0 || place >= this.shown.rows.length) return;
    this.cursor = place;
    this.rows.redraw();
    this.showCursor();
  }

  private indexOf(row: number): number {
    const { rows } = this.shown;
    if (rows instanceof Uint32Array) return rows.indexOf(row);
    return Array.prototype.indexOf.call(rows, row);
  }

  // -- heading ------------------------------------------------------------------------------------

  private makeHeading(): HTMLElement {
    const cells = this.options.columns.map((column, i) => el('div', {
      role: 'columnheader', class: column.number ? 'cell number' : 'cell',
      'aria-colindex': i + 1, title: column.explain,
    }, this.canSort(column)
      ? el('button', { type: 'button', tabindex: -1, 'data-column': column.name },
        el('span', {}, column.title))
      : el('span', {}, column.title)));
    return el('div', { class: 'row heading', role: 'row', 'aria-rowindex': 1 }, ...cells);
  }

  private canSort(column: Column): boolean {
    return Boolean(this.options.sort) && column.sort !== false;
  }

  private showSort(): void {
    const keys = sortKeys(this.shown.sort ?? '');
    this.options.columns.forEach((column, i) => {
      const cell = this.heading.children[i] as HTMLElement;
      const place = keys.findIndex(key => key.name === column.name);
      cell.classList.toggle('second', place === 1);
      if (place < 0) cell.removeAttribute('aria-sort');
      else cell.setAttribute('aria-sort', keys[place].descending ? 'descending' : 'ascending');
    });
  }

  // -- rows ---------------------------------------------------------------------------------------

  private makeRow(): HTMLElement {
    const { columns, tree } = this.options;
    const row = el('div', { class: 'row', role: 'row' });
    columns.forEach((column, i) => {
      const cell = el('div', {
        role: i ? 'gridcell' : 'rowheader', class: column.number ? 'cell number' : 'cell',
        'aria-colindex': i + 1,
      });
      if (!i && tree) cell.append(el('span', { class: 'twisty', 'aria-hidden': 'true' }));
      cell.append(el('span', { class: 'text' }));
      row.append(cell);
    });
    return row;
  }

  private draw(element: HTMLElement, index: number): void {
    const { columns, tree } = this.options;
    const row = this.shown.rows[index];
    const mark = this.shown.marks?.[row] ?? 0;
    element.id = `${this.id}-${index}`;
    element.dataset.index = String(index);
    element.setAttribute('aria-rowindex', String(index + 2));
    element.setAttribute('aria-selected', String(row === this.shown.current));
    element.classList.toggle('cursor', index === this.cursor);
    element.classList.toggle('marked', mark === 1);
    element.classList.toggle('hides', mark === 2);
    if (tree) this.drawTree(element, row, tree);
    for (let i = 0; i < columns.length; i++)
      this.drawCell(element.children[i] as HTMLElement, columns[i], row);
  }

  private drawTree(element: HTMLElement, row: number, tree: TreePart): void {
    const state = tree.state(row);
    element.setAttribute('aria-level', String(tree.level(row)));
    if (state === 'leaf') element.removeAttribute('aria-expanded');
    else element.setAttribute('aria-expanded', String(state === 'open'));
    const cell = element.children[0] as HTMLElement;
    const steps = tree.level(row) - 1;
    // the indent grows more slowly at deep levels, so that names stay visible
    const indent = steps <= 12 ? steps * 14 : 168 + Math.min(160, (steps - 12) * 4);
    cell.style.paddingLeft = `${4 + indent}px`;
  }

  private drawCell(cell: HTMLElement, column: Column, row: number): void {
    setText(cell.querySelector('.text')!, column.text(row));
    if (column.hint) cell.title = column.hint(row);
    if (column.bar) {
      cell.classList.add('bar');
      cell.style.setProperty('--bar-share', String(Math.max(0, Math.min(1, column.bar(row) || 0))));
      if (column.barColour) cell.style.setProperty('--bar-colour', column.barColour(row));
    }
    column.paint?.(cell, row);
  }

  // -- actions of the user ------------------------------------------------------------------------

  private at(event: MouseEvent): number {
    const element = (event.target as Element).closest<HTMLElement>('.row[data-index]');
    return element ? Number(element.dataset.index) : -1;
  }

  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>('button[data-column]');
    if (button) this.sortBy(button.dataset.column!);
    const index = this.at(event);
    if (index < 0) return;
    const { tree } = this.options;
    const row = this.shown.rows[index];
    const state = tree?.state(row);
    if (tree && state !== 'leaf' && target.closest('.twisty'))
      tree.toggle(row, state === 'closed', event.shiftKey || event.altKey);
    else this.moveTo(index);
  }

  private open(event: MouseEvent): void {
    const index = this.at(event);
    if (index < 0 || (event.target as Element).closest('.twisty')) return;
    this.activate(index);
  }

  private activate(index: number): void {
    const { tree, activate } = this.options;
    const row = this.shown.rows[index];
    if (activate) activate(row);
    else if (tree && tree.state(row) !== 'leaf')
      tree.toggle(row, tree.state(row) === 'closed', false);
  }

  private sortBy(name: string): void {
    const column = this.options.columns.find(each => each.name === name);
    if (column) this.options.sort?.(nextSort(this.shown.sort ?? '', name, !!column.number));
  }

  private moveTo(index: number): void {
    const { rows } = this.shown;
    if (!rows.length) return;
    this.cursor = Math.max(0, Math.min(rows.length - 1, index));
    this.rows.reveal(this.cursor);
    this.rows.redraw();
    this.showCursor();
    this.options.select?.(rows[this.cursor]);
  }

  private showCursor(): void {
    const element = this.cursor >= 0 ? this.rows.elementOf(this.cursor) : null;
    if (element) this.element.setAttribute('aria-activedescendant', element.id);
    else this.element.removeAttribute('aria-activedescendant');
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== this.element || !this.act(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Performs the action of a key. False if the key has no action here. */
  private act(key: string): boolean {
    const { length } = this.shown.rows;
    const step: { [key: string]: number } = {
      ArrowDown: this.cursor + 1, ArrowUp: this.cursor - 1,
      PageDown: this.cursor + this.rows.page, PageUp: this.cursor - this.rows.page,
      Home: 0, End: length - 1,
    };
    if (key in step) {
      this.moveTo(Math.max(0, step[key]));
      return true;
    }
    if (this.cursor < 0) return false;
    if (key === 'Enter') {
      this.activate(this.cursor);
      return true;
    }
    return this.options.tree ? this.actInTree(key, this.options.tree) : false;
  }

  private actInTree(key: string, tree: TreePart): boolean {
    const row = this.shown.rows[this.cursor];
    const state = tree.state(row);
    if (key === 'ArrowRight') {
      if (state === 'closed') tree.toggle(row, true, false);
      else if (state === 'open') this.moveTo(this.cursor + 1);
    } else if (key === 'ArrowLeft') {
      const parent = tree.parent(row);
      if (state === 'open') tree.toggle(row, false, false);
      else if (parent >= 0) this.moveTo(this.indexOf(parent));
    } else if (key === '*') {
      if (state !== 'leaf') tree.toggle(row, true, true);
    } else {
      return false;
    }
    return true;
  }
}
