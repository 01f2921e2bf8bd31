// SPDX-License-Identifier: BSD-3-Clause
// The tree of overheads as a tree table with seconds, share, and a bar in the leaf's colour. Its
// first row is useful work.

import type { Colours } from '../colour';
import type { OverheadKind } from '../data/index';
import { USEFUL } from '../data/tables';
import type { Spent } from '../decide/overview';
import { type Children, childrenOf } from '../decide/tree';
import { aside, type Column } from '../draw/table';
import { TreeTable } from '../draw/tree_table';
import { exactSeconds, percent, type Scale, shortLeaf, timeScale } from '../text';

/** The shape of the tree. Row 0 is useful work, row i + 1 is row i of `kinds`. OTOTAL is not shown:
 * its children are at the top, beside useful work. */
function shapeOf(kinds: readonly OverheadKind[]) {
  const parent = Int32Array.from({ length: kinds.length + 1 }, (_, row) =>
    row && kinds[row - 1].parent >= 0 && kinds[kinds[row - 1].parent].name !== 'OTOTAL'
      ? kinds[row - 1].parent + 1 : -1);
  const depth = new Uint32Array(parent.length);
  const end = Uint32Array.from(parent, (_, row) => row + 1);
  parent.forEach((above, row) => { if (above >= 0) depth[row] = depth[above] + 1; });
  for (let row = parent.length - 1; row >= 0; row--)
    if (parent[row] >= 0) end[parent[row]] = Math.max(end[parent[row]], end[row]);
  return { parent, depth, end };
}

export class OverheadTree {
  private readonly table: TreeTable;
  private readonly shape: ReturnType<typeof shapeOf>;
  private readonly children: Children;
  private spent: Spent | null = null;
  private readonly scale: Scale;
  private opened = false;

  constructor(host: HTMLElement, private readonly kinds: readonly OverheadKind[],
      private readonly colours: Colours, private readonly reasons: { [name: string]: string },
      t_p_ns: number, select: (name: string) => void) {
    this.scale = timeScale(t_p_ns);
    this.shape = shapeOf(kinds);
    this.children = childrenOf(this.shape.parent);
    this.table = new TreeTable(host, this.shape, {
      label: 'overheads', columns: this.columns(), rowHeight: 22, mostRows: 26,
      select: row => select(row ? kinds[row - 1].name : 'useful'),
    });
  }

  destroy(): void {
    this.table.destroy();
  }

  /** Which rows are open. All looks at a program have the same rows. */
  get open(): Uint8Array {
    return this.table.open;
  }

  set open(open: Uint8Array) {
    if (open.length !== this.table.open.length) return;
    this.table.open = open;
    this.opened = true;
  }

  show(spent: Spent, overhead: string): void {
    this.spent = spent;
    const values = Float64Array.from(this.shape.parent, (_, row) => Math.round(this.value(row)));
    const top = this.kinds.map((_, row) => row + 1).filter(row => this.shape.parent[row] < 0
      && this.kinds[row - 1].name !== 'OTOTAL' && values[row] !== 0);
    const sorted = values.slice();
    sorted[0] = Infinity; // useful work comes first
    const only = Uint8Array.from(values, value => value ? 1 : 0);
    only[0] = 1;
    const current = overhead === 'useful' ? 0
      : 1 + this.kinds.findIndex(kind => kind.name === overhead);
    this.table.show({ children: this.children, roots: [0, ...top], only,
      keys: [{ values: sorted, descending: true }],
      current: overhead && (current || overhead === 'useful') ? current : -1 });
    if (!this.opened) this.table.openWhere(row => this.value(row) > 0.05 * spent.total_ns);
    this.opened = true;
  }

  private value(row: number): number {
    if (!this.spent) return 0;
    return row ? this.spent.kinds_ns[row - 1] : this.spent.useful_ns;
  }

  private share(row: number): number {
    return this.value(row) / (this.spent?.total_ns || 1);
  }

  private colour(row: number): string {
    return row ? this.colours.leaf(row - 1) : this.colours.leaf(USEFUL);
  }

  /** Whether the row is a leaf below a family. Such a row begins with the mnemonic, because
   * commands and advice name it. */
  private isLeaf(row: number): boolean {
    return row > 0 && this.shape.depth[row] > 0 && this.kinds[row - 1].is_leaf;
  }

  private name(row: number): string {
    if (!row) return 'useful work';
    const { name, text } = this.kinds[row - 1];
    return this.isLeaf(row) ? shortLeaf(name) : text;
  }

  private hint(row: number): string {
    if (!row) return 'time that belongs to no overhead';
    const { name, text } = this.kinds[row - 1];
    const reason = this.reasons[name];
    return `${name}: ${text}${reason ? `\nnot computed: ${reason}` : ''}`;
  }

  private columns(): Column[] {
    return [
      { name: 'name', title: 'overhead', width: 'minmax(150px, 1fr)', text: row => this.name(row),
        hint: row => this.hint(row),
        paint: (cell, row) => {
          cell.classList.add('with-swatch');
          cell.style.setProperty('--swatch', this.colour(row));
          aside(cell, 'remark').textContent = this.isLeaf(row) ? this.kinds[row - 1].text : '';
        } },
      { name: 'time', title: `time [${this.scale.unit}]`, width: '70px', number: true,
        text: row => this.scale.text(this.value(row)),
        hint: row => `${exactSeconds(this.value(row))} s` },
      { name: 'share', title: 'share', width: '66px', number: true,
        text: row => percent(this.share(row)) },
      { name: 'bar', title: '', width: 'minmax(48px, 104px)', text: () => '',
        bar: row => this.share(row), barColour: row => this.colour(row) },
    ];
  }
}
