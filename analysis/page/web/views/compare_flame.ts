// SPDX-License-Identifier: BSD-3-Clause
// The call paths of A and B as one icicle in view Compare. The width of a box is the longer one of
// its times in A and B. Its colour says how the path's own time changed.

import { mix, pixel, textOn } from '../colour';
import type { Page } from '../data/page';
import type { DifferenceTable, PathTable } from '../data/tables';
import type { Pair } from '../decide/compare';
import * as decide from '../decide/compare_flame';
import { leavesOf } from '../decide/sums';
import { matcher } from '../decide/tree';
import { card } from '../draw/card';
import { el, swatch } from '../draw/element';
import { Hover } from '../draw/hover';
import { fitted, font, Raster } from '../draw/raster';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { exactSeconds, nameText, placeText, seconds } from '../text';
import { signed } from './compare_waterfall';

export interface FlameData {
  page: Page;
  store: Store;
  path: PathTable;
  difference: DifferenceTable;
  pair: Pair;
  number: number; // number of the pair
  knowsNoise: boolean;
  t_p_ns: number; // the longer T_p
  command: string;
}

const ROW = 24;
const LEAST = 0.001; // of T_p; smaller differences do not count, as in `compare --regions`

interface Palette {
  card: string;
  same: string;
  slower: string;
  faster: string;
}

function palette(): Palette {
  return isDark()
    ? { card: '#1a2028', same: '#39424d', slower: '#e8743b', faster: '#4d9be6' }
    : { card: '#ffffff', same: '#dfe3e8', slower: '#c8501e', faster: '#2f7cc4' };
}

const WORD: { readonly [change in decide.Change]: string } = {
  slower: 'slower', faster: 'faster', new: 'new in B', gone: 'gone in B', same: 'same',
};

export class FlamePicture {
  private readonly raster = new Raster('call paths of A and B; use the arrow keys');
  private readonly hover = new Hover();
  private readonly box: HTMLElement;
  private readonly details = el('p', { class: 'details', 'aria-live': 'polite' });
  private readonly observer: ResizeObserver;
  private readonly noise: Set<string>;
  private readonly colours = palette();
  private flame!: decide.Flame;
  private shown: number[] = [];
  private current = -1; // index in flame.paths
  private root = -1;
  private overhead: string | null = null;
  private search = '';
  private most = 1; // the largest difference of a path's own time

  constructor(host: HTMLElement, private readonly data: FlameData) {
    this.noise = new Set(data.knowsNoise ? data.pair.regions
        .filter(row => row.key && row.verdict === 'same')
        .map(row => `${row.region}\0${row.file}\0${row.line_start}`) : []);
    this.box = el('div', { class: 'flame', tabindex: 0, role: 'application',
      'aria-roledescription': 'icicle', 'aria-label': 'call paths of A and B',
      on: {
        mousemove: (event: MouseEvent) => this.point(event),
        mouseleave: () => this.hover.hide(),
        click: (event: MouseEvent) => this.choose(this.at(event)),
        dblclick: (event: MouseEvent) => this.zoom(this.at(event)),
        keydown: (event: KeyboardEvent) => this.key(event),
      } }, this.raster.canvas);
    host.append(card({ title: 'Call paths', command: data.command,
      remark: 'width: the longer one of the times in A and B; colour: the path\'s own time' },
    this.legend(), this.box, this.details, el('p', { class: 'note' },
        'Enter or a double click makes a path as wide as the picture, Backspace goes back.')));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.box);
  }

  unmount(): void {
    this.observer.disconnect();
    this.hover.destroy();
  }

  update(selection: Selection): void {
    if (selection.overhead !== this.overhead) this.load(selection.overhead);
    this.search = selection.search;
    this.root = this.indexOfRow(selection.item);
    if (this.current < 0) this.current = this.root;
    this.draw();
  }

  private load(overhead: string): void {
    const { path, difference, number, page } = this.data;
    const leaves = overhead ? leavesOf(page.index.overheads, overhead) : null;
    this.overhead = overhead;
    this.flame = decide.flameOf(path, difference, number, leaves);
    this.most = 1;
    for (let i = 0; i < this.flame.paths.length; i++)
      this.most = Math.max(this.most, Math.abs(this.flame.b[i] - this.flame.a[i]));
  }

  private indexOfRow(row: number): number {
    return row < 0 ? -1 : this.flame.paths.indexOf(row);
  }

  private legend(): HTMLElement {
    const { slower, faster, same } = this.colours;
    const item = (colour: string, text: string) => el('span', {}, swatch(colour), text);
    return el('div', { class: 'legend' }, item(slower, 'slower in B, or new (+)'),
        item(faster, 'faster in B, or gone (−)'),
        item(same, this.data.knowsNoise ? 'within noise, or less than 0.1 % of T_p'
          : 'less than 0.1 % of T_p'));
  }

  // -- description of a path ----------------------------------------------------------------------

  private change(i: number): decide.Change {
    const { path, t_p_ns } = this.data;
    return decide.changeOf(this.flame, path, i, LEAST * t_p_ns, row =>
      this.noise.has(`${path.name[row]}\0${path.file[row]}\0${path.line[row]}`));
  }

  private colour(i: number): string {
    const by = this.flame.b[i] - this.flame.a[i];
    const change = this.change(i);
    if (change === 'same') return this.colours.same;
    const strength = 0.3 + 0.7 * Math.sqrt(Math.min(1, Math.abs(by) / this.most));
    return mix(this.colours.card, by > 0 ? this.colours.slower : this.colours.faster, strength);
  }

  private label(i: number): string {
    const row = this.flame.paths[i], by = this.flame.all_b[i] - this.flame.all_a[i];
    const change = this.change(i);
    const word = change === 'new' || change === 'gone' ? `${change}: ` : '';
    return `${word}${nameText(this.data.path.name[row], 80)} ${signed(Math.round(by))}`;
  }

  private lines(i: number): (string | readonly [string, string])[] {
    const { a, b, all_a, all_b } = this.flame, row = this.flame.paths[i];
    return [placeText(this.data.path.file[row], this.data.path.line[row]) || 'not in the source',
      ['with all that it calls, A', seconds(all_a[i])], ['B', seconds(all_b[i])],
      ['difference', signed(all_b[i] - all_a[i])],
      ['itself, A', seconds(a[i])], ['B', seconds(b[i])],
      ['difference', `${signed(b[i] - a[i])}: ${WORD[this.change(i)]}`]];
  }

  // -- the picture --------------------------------------------------------------------------------

  private rect(i: number): { x: number; width: number; y: number } {
    const { flame, root } = this, { width } = this.raster;
    const left = root < 0 ? 0 : flame.left[root], all = root < 0 ? flame.whole : flame.width[root];
    const from = Math.max(0, (flame.left[i] - left) / all);
    const to = Math.min(1, (flame.left[i] + flame.width[i] - left) / all);
    return { x: from * width, width: (to - from) * width, y: flame.depth[i] * ROW };
  }

  private draw(): void {
    const width = this.box.clientWidth;
    if (!this.flame || !width) return;
    this.shown = this.flame.whole > 0 ? decide.visible(this.flame, this.root, 0.7 / width) : [];
    const deepest = this.shown.reduce((most, i) => Math.max(most, this.flame.depth[i]), 0);
    this.raster.begin(width, (deepest + 1) * ROW, this.colours.card);
    const colours = this.shown.map(i => this.colour(i));
    this.shown.forEach((i, at) => {
      const { x, width: w, y } = this.rect(i);
      this.raster.fill(x, y + 1, Math.max(0, w - 1), ROW - 2, pixel(colours[at]), 1);
    });
    this.texts(this.raster.show(), colours);
    this.describe();
  }

  private texts(context: CanvasRenderingContext2D, colours: string[]): void {
    const matches = matcher(this.search);
    context.font = font(12);
    context.textBaseline = 'middle';
    this.shown.forEach((i, at) => {
      const { x, width, y } = this.rect(i);
      const found = matches?.(this.data.path.name[this.flame.paths[i]]);
      context.strokeStyle = i === this.current ? '#1b5fd0' : textOn(colours[at]);
      context.lineWidth = 2;
      if (found || i === this.current) context.strokeRect(x + 1, y + 2, width - 3, ROW - 4);
      const text = fitted(context, this.label(i), width - 10);
      context.fillStyle = textOn(colours[at]);
      if (text) context.fillText(text, x + 5, y + ROW / 2 + 1);
    });
  }

  private describe(): void {
    const { current } = this;
    if (current < 0 || !this.flame.paths.length) {
      this.details.textContent = this.flame.whole > 0 ? 'No path is chosen.'
        : 'No path has such time.';
      return;
    }
    const { path } = this.data, { all_a, all_b, a, b } = this.flame;
    this.details.textContent = `${nameText(decide.pathText(this.flame, path, current), 600)}: `
      + `${exactSeconds(all_a[current])} s in A, ${exactSeconds(all_b[current])} s in B, `
      + `${signed(all_b[current] - all_a[current])}; of this itself ${exactSeconds(a[current])} s `
      + `and ${exactSeconds(b[current])} s, ${WORD[this.change(current)]}`;
  }

  // -- actions of the user ------------------------------------------------------------------------

  private at(event: MouseEvent): number {
    const { left, top } = this.raster.canvas.getBoundingClientRect();
    const x = event.clientX - left, depth = Math.floor((event.clientY - top) / ROW);
    return this.shown.find(i => {
      const rect = this.rect(i);
      return this.flame.depth[i] === depth && x >= rect.x && x < rect.x + rect.width;
    }) ?? -1;
  }

  private point(event: MouseEvent): void {
    const i = this.at(event);
    if (i < 0) return this.hover.hide();
    const row = this.flame.paths[i];
    this.hover.show(event, nameText(this.data.path.name[row], 120), this.lines(i));
  }

  private choose(i: number): void {
    if (i < 0) return;
    this.current = i;
    this.draw();
  }

  private zoom(i: number): void {
    const item = i < 0 || i === this.root ? -1 : this.flame.paths[i];
    this.hover.hide();
    this.data.store.select({ item });
  }

  private key(event: KeyboardEvent): void {
    const { current, flame } = this;
    const actions: { [key: string]: () => void } = {
      ArrowDown: () => this.choose(current < 0 ? this.shown[0] ?? -1 : this.child(current)),
      ArrowUp: () => this.choose(current < 0 ? -1 : flame.parent[current]),
      ArrowRight: () => this.choose(this.beside(1)),
      ArrowLeft: () => this.choose(this.beside(-1)),
      Enter: () => this.zoom(current),
      Backspace: () => this.zoom(this.root < 0 ? -1 : flame.parent[this.root]),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions)) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  private child(of: number): number {
    const children = this.shown.filter(i => this.flame.parent[i] === of);
    return children.sort((a, b) => this.flame.left[a] - this.flame.left[b])[0] ?? -1;
  }

  /** The next path of the same depth. */
  private beside(step: number): number {
    if (this.current < 0) return this.shown[0] ?? -1;
    const depth = this.flame.depth[this.current];
    const row = this.shown.filter(i => this.flame.depth[i] === depth)
        .sort((a, b) => this.flame.left[a] - this.flame.left[b]);
    return row[row.indexOf(this.current) + step] ?? -1;
  }
}
