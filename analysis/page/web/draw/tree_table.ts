// SPDX-License-Identifier: BSD-3-Clause
// A table of a tree. It remembers which nodes are open, and gets its rows from decide/tree.ts.

import type { ValueKey } from '../decide/sort';
import { Children, opened, toggled, visibleRows } from '../decide/tree';
import { Table, TableOptions } from './table';

export interface TreeShape {
  readonly parent: Int32Array; // -1 for a root
  readonly end: Uint32Array; // the first node after each subtree
  readonly depth: Uint32Array;
}

export interface ShownTree {
  readonly children: Children;
  readonly roots: ArrayLike<number>;
  readonly sort?: string;
  readonly keys: readonly ValueKey[]; // values of the columns in `sort`
  readonly current?: number;
  readonly marks?: Uint8Array | null;
  readonly only?: Uint8Array | null; // by node: nodes that are 0 are left out
}

export class TreeTable {
  readonly table: Table;
  open: Uint8Array; // by row: 1 if the rows below it are shown
  private shown: ShownTree | null = null;
  private rows: Uint32Array = new Uint32Array(0);
  private made: unknown[] = []; // the values on which the rows depend

  constructor(host: HTMLElement, private readonly shape: TreeShape,
      options: Omit<TableOptions, 'tree'>) {
    this.open = new Uint8Array(shape.parent.length);
    this.table = new Table(host, {
      ...options,
      tree: {
        level: row => shape.depth[row] + 1,
        state: row => this.stateOf(row),
        parent: row => shape.parent[row],
        toggle: (row, open, all) => this.toggle(row, open, all),
      },
    });
  }

  destroy(): void {
    this.table.destroy();
  }

  show(shown: ShownTree): void {
    this.shown = shown;
    this.refresh();
  }

  toggle(row: number, open: boolean, all: boolean): void {
    this.open = toggled(this.open, this.shape.end, row, open, all);
    this.refresh();
  }

  /** Opens the nodes for which a rule is true, and closes the others. */
  openWhere(rule: (row: number) => boolean): void {
    this.open = this.open.map((_, row) => rule(row) ? 1 : 0);
    this.refresh();
  }

  /** Opens the nodes above a node, and scrolls to it. */
  reveal(row: number): void {
    const { parent } = this.shape;
    for (let above = parent[row]; above >= 0; above = parent[above])
      if (!this.open[above]) {
        this.open = opened(this.open, parent, row);
        this.refresh();
        break;
      }
    this.table.reveal(row);
  }

  private stateOf(row: number): 'leaf' | 'open' | 'closed' {
    if (this.shape.end[row] === row + 1) return 'leaf';
    return this.open[row] ? 'open' : 'closed';
  }

  private refresh(): void {
    if (!this.shown) return;
    const { children, roots, only = null, keys } = this.shown;
    const made = [children, this.open, only, ...keys.flatMap(key => [key.values, key.descending])];
    if (made.length !== this.made.length || made.some((each, i) => each !== this.made[i])) {
      this.rows = visibleRows(children, roots, this.open, only, keys);
      this.made = made;
    }
    this.table.show({ ...this.shown, rows: this.rows });
  }
}
