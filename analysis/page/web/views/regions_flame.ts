// SPDX-License-Identifier: BSD-3-Clause
// The call graph as an icicle. The width of a node is its inclusive time over all units, including
// the time of units that waited for the work in it. The strip at the lower edge of a node shows how
// the time was spent. A node that spends most of its time itself has the full colour of its main
// leaf.

import { FAMILIES, mix, pixel, textOn } from '../colour';
import { USEFUL } from '../data/tables';
import { icicle, type Icicle, neighbour, rectangleAt, rectangleOf } from '../decide/icicle';
import { matching } from '../decide/tree';
import { familyLegend } from '../draw/card';
import { el } from '../draw/element';
import { Hover } from '../draw/hover';
import { fitted, font, Raster } from '../draw/raster';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { grouped, nameText, percent, placeText, seconds } from '../text';
import type { RegionsData } from './regions_data';
import type { Kept, Mounted } from './view';

const ROW = 24;
const STRIP = 4;
const MOST_LEVELS = 160;
const ARROWS: { [key: string]: 'up' | 'down' | 'left' | 'right' } =
  { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

export class RegionsFlame implements Mounted {
  private readonly raster = new Raster('call graph as icicle');
  private readonly hover = new Hover();
  private readonly frame: HTMLElement;
  private readonly spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  private readonly remark = el('p', { class: 'note' });
  private readonly observer: ResizeObserver;
  private made: Icicle | null = null;
  private key = '';
  private cursor = -1; // a node
  private selection: Selection;

  constructor(host: HTMLElement, private readonly data: RegionsData,
      private readonly store: Store, kept?: Kept) {
    this.selection = store.selection;
    if (kept) this.cursor = kept.rows.node[kept.state as number] ?? -1;
    this.frame = el('div', {
      class: 'picture', tabindex: 0, role: 'application',
      'aria-label': 'icicle of the call graph: arrow keys move, Enter looks closer',
      on: {
        mousemove: (event: MouseEvent) => this.point(event),
        mouseleave: () => this.hover.hide(),
        click: (event: MouseEvent) => this.click(event),
        keydown: (event: KeyboardEvent) => this.press(event),
      },
    }, this.raster.canvas);
    host.append(familyLegend(data.kinds, data.colours), this.frame, this.spoken, this.remark);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.frame);
  }

  unmount(): void {
    this.observer.disconnect();
    this.hover.destroy();
  }

  /** The node with the cursor. */
  keep(): number {
    return this.cursor;
  }

  update(selection: Selection): void {
    this.selection = selection;
    this.draw();
  }

  // -- nodes in the picture -----------------------------------------------------------------------

  private top({ node }: Selection): number {
    return node >= 0 && node < this.data.tables.node.parent.length ? node : 0;
  }

  private layout(width: number): Icicle {
    const { node } = this.data.tables;
    const { spent } = this.data.nodeSums(this.selection);
    const top = this.top(this.selection);
    const key = `${this.selection.units} ${top} ${width}`;
    if (this.made && key === this.key) return this.made;
    this.key = key;
    this.made = icicle(node, spent, top, 1 / width, MOST_LEVELS);
    return this.made;
  }

  /** The leaf that has most of a node's exclusive time. */
  private mainLeaf(row: number): number {
    const { part } = this.data.tables;
    const units = this.data.units(this.selection);
    const first = this.data.nodeRows().part;
    const sums = new Float64Array(256);
    let best = USEFUL;
    for (let at = first[row]; at < first[row + 1]; at++) {
      if (units && !units[part.unit[at]]) continue;
      sums[part.leaf[at]] += part.ns[at];
      if (sums[part.leaf[at]] > sums[best]) best = part.leaf[at];
    }
    return best;
  }

  private fillOf(row: number, families: Float64Array, selfShare: number): string {
    const { colours } = this.data;
    if (selfShare > 0.5) return colours.leaf(this.mainLeaf(row));
    let best = 0;
    for (let i = 1; i < families.length; i++) if (families[i] > families[best]) best = i;
    return mix(colours.card, colours.family(FAMILIES[best]), colours.dark ? 0.3 : 0.2);
  }

  private draw(): void {
    const width = Math.max(200, this.frame.clientWidth);
    const made = this.layout(width);
    const { colours } = this.data;
    this.raster.begin(width, made.levels * ROW, colours.card);
    const fills: string[] = [];
    for (let i = 0; i < made.count; i++) fills.push(this.drawNode(made, i, width));
    const context = this.raster.show();
    this.drawTexts(context, made, fills, width);
    this.drawCursor(context, made, width);
    this.remark.textContent = this.remarkText(made);
  }

  private drawNode(made: Icicle, i: number, across: number): string {
    const { colours } = this.data;
    const [x, y] = [made.x[i] * across, made.level[i] * ROW];
    const width = made.width[i] * across - (made.width[i] * across > 3 ? 1 : 0);
    const row = made.node[i];
    if (row < 0) {
      this.raster.fill(x, y, width, ROW - 2, pixel(mix(colours.card, colours.ink, 0.14)));
      return colours.card;
    }
    const { spent, spent_self } = this.data.nodeSums(this.selection);
    const families = this.data.familiesOf(this.selection, row);
    const share = spent[row] > 0 ? spent_self[row] / spent[row] : 0;
    const fill = this.fillOf(row, families, share);
    this.raster.fill(x, y, width, ROW - 2, pixel(fill), 1);
    if (width >= 4 && (share <= 0.5 || width > 30)) this.drawStrip(families, x, y, width);
    return fill;
  }

  private drawStrip(families: Float64Array, x: number, y: number, width: number): void {
    let total = 0;
    for (const ns of families) total += ns;
    let at = x;
    for (let f = 0; f < families.length; f++) {
      const part = total > 0 ? families[f] / total * width : 0;
      const colour = pixel(this.data.colours.family(FAMILIES[f]));
      this.raster.fill(at, y + ROW - 2 - STRIP, part, STRIP, colour);
      at += part;
    }
  }

  private drawTexts(context: CanvasRenderingContext2D, made: Icicle, fills: readonly string[],
      across: number): void {
    const { region, node } = this.data.tables;
    const matches = matching(this.selection.search, this.data.searchTexts());
    const total = this.data.total_ns(this.selection);
    const { spent } = this.data.nodeSums(this.selection);
    context.textBaseline = 'alphabetic';
    for (let i = 0; i < made.count; i++) {
      const width = made.width[i] * across;
      const row = made.node[i];
      if (row < 0) continue;
      const at = node.region[row];
      const [x, y] = [made.x[i] * across, made.level[i] * ROW];
      const marked = matches && matches[at] === 1;
      if (marked) {
        context.strokeStyle = this.data.colours.ink;
        context.lineWidth = 2;
        context.strokeRect(x + 1, y + 1, Math.max(1, width - 3), ROW - 4);
      }
      if (width < 28) continue;
      const share = width > 150 ? percent(spent[row] / total) : '';
      context.font = font(12, 500);
      context.fillStyle = textOn(fills[i]);
      const room = width - 12 - (share ? 52 : 0);
      const name = fitted(context, nameText(region.name[at], 120), room);
      context.fillText(name, x + 6, y + 14);
      const used = context.measureText(name).width;
      context.font = font(11);
      context.globalAlpha = 0.75;
      const place = placeText(region.file[at], region.line_start[at]);
      if (place && context.measureText(place).width + used + 8 < room)
        context.fillText(place, x + 13 + used, y + 14);
      context.globalAlpha = 1;
      if (share) {
        context.textAlign = 'right';
        context.fillText(share, x + width - 7, y + 14);
        context.textAlign = 'left';
      }
    }
  }

  private drawCursor(context: CanvasRenderingContext2D, made: Icicle, across: number): void {
    const i = rectangleOf(made, this.cursor);
    if (i < 0) return;
    context.strokeStyle = this.data.colours.dark ? '#7fb0ff' : '#1b5fd0';
    context.lineWidth = 2;
    context.strokeRect(made.x[i] * across + 1, made.level[i] * ROW + 1,
        Math.max(1, made.width[i] * across - 3), ROW - 4);
  }

  private remarkText({ narrow, deeper }: Icicle): string {
    const left = [
      narrow
        ? `${grouped(narrow)} nodes that would be narrower than a pixel are grey together` : '',
      deeper ? `${grouped(deeper)} nodes below level ${MOST_LEVELS} are not drawn` : '',
    ].filter(Boolean);
    return left.length ? `Left out: ${left.join('; ')}.` : '';
  }

  // -- actions of the user ------------------------------------------------------------------------

  private at(event: MouseEvent): number {
    if (!this.made) return -1;
    const box = this.raster.canvas.getBoundingClientRect();
    const i = rectangleAt(this.made, (event.clientX - box.left) / box.width,
        Math.floor((event.clientY - box.top) / ROW));
    return i < 0 ? -1 : this.made.node[i];
  }

  private point(event: MouseEvent): void {
    const row = this.at(event);
    this.frame.style.cursor = row >= 0 ? 'pointer' : '';
    if (row < 0) return this.hover.hide();
    const { region, node } = this.data.tables;
    const at = node.region[row];
    this.hover.show(event, nameText(region.name[at], 200), this.lines(row));
  }

  private lines(row: number): [string, string][] {
    const { region, node } = this.data.tables;
    const at = node.region[row];
    const sums = this.data.nodeSums(this.selection);
    const total = this.data.total_ns(this.selection);
    const place = placeText(region.file[at], region.line_start[at]);
    const families = this.data.familiesOf(this.selection, row);
    const main = this.mainLeaf(row);
    const leaf = main === USEFUL ? 'useful work' : this.data.kinds[main].text;
    const useful = families[0];
    return [
      ...place ? [['place', place] as [string, string]] : [],
      ['all units spent', `${seconds(sums.spent[row])} (${percent(sums.spent[row] / total)})`],
      ['useful work', seconds(useful)],
      ['itself mostly', leaf],
      ['calls', grouped(sums.calls[row])],
      ['inclusive', seconds(sums.incl[row])], ['self', seconds(sums.self[row])],
    ];
  }

  private click(event: MouseEvent): void {
    const row = this.at(event);
    this.frame.focus({ preventScroll: true });
    if (row >= 0) this.look(row);
  }

  /** Shows a node over the whole width. */
  private look(row: number): void {
    this.cursor = row;
    this.store.select({ node: row, region: -1 });
  }

  private press(event: KeyboardEvent): void {
    const { made } = this;
    if (!made || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const from = rectangleOf(made, this.cursor >= 0 ? this.cursor : this.top(this.selection));
      const to = neighbour(made, this.data.tables.node.parent, from, arrow);
      if (to >= 0) this.speak(made.node[to]);
    } else if (event.key === 'Enter' && this.cursor >= 0) {
      this.look(this.cursor);
    } else if (event.key === 'Home') {
      this.look(0);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  private speak(row: number): void {
    const { region, node } = this.data.tables;
    this.cursor = row;
    this.spoken.textContent = `${nameText(region.name[node.region[row]], 100)}: `
      + this.lines(row).map(([name, text]) => `${name} ${text}`).join(', ');
  }
}
