// SPDX-License-Identifier: BSD-3-Clause
// How the values of units are distributed: boxes below the columns of a heat map, and the histogram
// of one column.

import type { Colours } from '../colour';
import { histogram, quartiles, type Quartiles } from '../decide/distribution';
import { drawAxis } from '../draw/axis';
import { card } from '../draw/card';
import { el, svg } from '../draw/element';
import { grouped, plural, seconds, timeScale } from '../text';

interface Box { x: number; y: number; width: number; height: number }

/** Draws a line from the least to the largest value, a box around the middle half of the units, and
 * a mark at the median. The largest value is at the top, 0 at the bottom. */
export function drawBox(context: CanvasRenderingContext2D, box: Quartiles | null,
    { x, y, width, height }: Box, ink: string): void {
  if (!box || box.most <= 0) return;
  const at = (value: number) => y + height - 2 - (height - 4) * Math.max(0, value) / box.most;
  const middle = x + width / 2, half = Math.max(1, Math.min(9, width / 3));
  context.fillStyle = ink;
  context.globalAlpha = 0.45;
  context.fillRect(middle - 0.5, at(box.most), 1, Math.max(1, at(box.least) - at(box.most)));
  context.globalAlpha = 0.3;
  context.fillRect(middle - half, at(box.high), 2 * half, Math.max(1, at(box.low) - at(box.high)));
  context.globalAlpha = 1;
  context.fillRect(middle - half, at(box.middle) - 0.75, 2 * half, 1.5);
}

function facts(box: Quartiles): HTMLElement {
  const pairs: [string, number][] = [['least', box.least], ['quarter below', box.low],
    ['median', box.middle], ['quarter above', box.high], ['largest', box.most]];
  return el('dl', { class: 'facts' }, ...pairs.map(([name, ns]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, seconds(ns)))));
}

const WIDTH = 560;
const HEIGHT = 120;

/** `values` has the value of each unit, or NaN if the unit is not shown. A click on a bar selects
 * its units. */
export function histogramCard(name: string, values: Float64Array, colours: Colours,
    chosen: Uint8Array | null, select: (units: Uint8Array) => void): HTMLElement {
  const known = values.filter(value => !Number.isNaN(value));
  const box = quartiles(known);
  const { from, step, counts } = histogram(known, Math.min(40, Math.max(8, known.length)));
  const most = Math.max(1, ...counts);
  const scale = timeScale(box?.most ?? 0);
  const unit_ns = { s: 1e9, ms: 1e6, µs: 1e3 }[scale.unit] ?? 1;
  const binOf = (value: number) =>
    step ? Math.min(counts.length - 1, Math.floor((value - from) / step)) : 0;
  const marked = new Uint8Array(counts.length);
  values.forEach((value, unit) => {
    if (chosen?.[unit] && !Number.isNaN(value)) marked[binOf(value)] = 1;
  });
  const wide = (WIDTH - 20) / counts.length;
  const bars = [...counts].map((count, i) => {
    const high = count ? Math.max(2, HEIGHT * count / most) : 0;
    const words = step
      ? `${plural(count, 'unit')}: ${seconds(from + i * step)} to ${seconds(from + (i + 1) * step)}`
      : `${plural(count, 'unit')}: ${seconds(from)}`;
    const pick = () => select(Uint8Array.from(values, value =>
      !Number.isNaN(value) && binOf(value) === i ? 1 : 0));
    return count ? svg('rect', {
      x: 10 + i * wide, y: HEIGHT - high + 4, width: Math.max(1, wide - 1), height: high,
      fill: marked[i] ? colours.ink : colours.family('useful'), class: 'bin', tabindex: 0,
      role: 'button', 'aria-label': `${words}. Selects them.`,
      on: { click: pick, keydown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') pick();
      } },
    }, svg('title', {}, words)) : null;
  });
  return card({ title: 'Distribution', remark: `${name}: ${plural(known.length, 'unit')} by time` },
      svg('svg', { class: 'histogram', viewBox: `0 0 ${WIDTH} ${HEIGHT + 28}`, role: 'group',
        'aria-label': `histogram of ${name}, at most ${grouped(most)} units` }, ...bars,
      step ? drawAxis({ from: from / unit_ns, to: (from + step * counts.length) / unit_ns, x0: 10,
        x1: WIDTH - 10, y: HEIGHT + 5, unit: scale.unit, most: 8 }) : null),
      box ? facts(box) : null);
}
