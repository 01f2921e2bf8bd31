// SPDX-License-Identifier: BSD-3-Clause
// The load of hosts, as `sis-analyze sensors` prints it. It is drawn below the lanes of view Time,
// on the same scale of time: a picture for each kind of number, with a line for each host.

import type { Span } from '../decide/time';
import { el, svg } from '../draw/element';
import { bytes, grouped, nameText, percent } from '../text';

interface Sample {
  readonly node: string;
  readonly from: number; // seconds
  readonly to: number;
  readonly [kind: string]: number | string | null;
}

interface Kind {
  readonly key: string;
  readonly title: string;
  readonly text: (value: number) => string;
}

const KINDS: readonly Kind[] = [
  { key: 'cpu', title: 'busy processors', text: percent },
  { key: 'running', title: 'processes that can run', text: value => grouped(value) },
  { key: 'memory_used', title: 'memory used', text: bytes },
  { key: 'faults', title: 'page faults per second', text: value => grouped(Math.round(value)) },
  { key: 'switches', title: 'context switches per second',
    text: value => grouped(Math.round(value)) },
  { key: 'received', title: 'received per second', text: bytes },
  { key: 'sent', title: 'sent per second', text: bytes },
];
const HEIGHT = 34, DASHES = ['', '5 2', '1.5 2', '7 2 1.5 2'];

export class TimeSensors {
  readonly element = el('div', { class: 'time-sensors' });
  private readonly samples: readonly Sample[];
  private readonly kinds: readonly Kind[];
  private readonly nodes: readonly string[];

  constructor(document: unknown) {
    this.samples = Array.isArray(document) ? document as Sample[] : [];
    this.kinds = KINDS.filter(({ key }) => this.samples.some(s => typeof s[key] === 'number'));
    this.nodes = [...new Set(this.samples.map(({ node }) => node))];
    this.element.hidden = !this.kinds.length;
  }

  show(span: Span, width: number, left: number): void {
    if (!this.kinds.length) return;
    this.element.replaceChildren(...this.kinds.map(kind => this.drawKind(kind, span, width, left)));
  }

  private drawKind({ key, title, text }: Kind, span: Span, width: number, left: number): Element {
    const [from, to] = [span.from_ns / 1e9, span.to_ns / 1e9];
    const seen = this.samples.filter(s =>
      typeof s[key] === 'number' && s.to >= from && s.from <= to);
    const most = seen.reduce((value, s) => Math.max(value, s[key] as number), 0);
    const x = (at: number) => ((at - from) / (to - from)) * width;
    const y = (value: number) => 2 + (HEIGHT - 4) * (1 - (most ? value / most : 0));
    const lines = this.nodes.map((node, i) => svg('path', {
      class: 'line', 'stroke-dasharray': DASHES[i % DASHES.length],
      d: seen.filter(s => s.node === node).map((s, n) => `${n ? 'L' : 'M'}`
        + `${x(s.from).toFixed(1)} ${y(s[key] as number).toFixed(1)}`
        + `H${x(s.to).toFixed(1)}`).join(''),
    }));
    const label = `${title}: at most ${text(most)}`;
    return el('div', { class: 'sensor', style: { '--left': `${left}px` } },
        el('span', { title: this.nodes.map(node => nameText(node, 40)).join(', ') }, title,
            el('small', {}, `≤ ${text(most)}`)),
        svg('svg', { role: 'img', 'aria-label': label, width, height: HEIGHT,
          viewBox: `0 0 ${width} ${HEIGHT}` }, ...lines));
  }
}
