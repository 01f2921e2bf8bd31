// SPDX-License-Identifier: BSD-3-Clause
// Axes: round numbers for ticks, and their drawing in SVG.

import { svg } from './element';

/** The distance of ticks: 1, 2 or 5 times a power of ten, so that there are at most `most`
 * ticks. */
export function tickStep(from: number, to: number, most: number): number {
  const least = (to - from) / Math.max(1, most);
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find(f => f * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Ticks at multiples of a round step, from `from` to `to`. */
export function ticks(from: number, to: number, most: number): number[] {
  const step = tickStep(from, to, most);
  const list: number[] = [];
  for (let n = Math.ceil(from / step - 1e-9); n * step <= to + step * 1e-9; n++)
    list.push(n * step);
  return list;
}

/** Ticks of a logarithmic axis of processors: 1, 2, 4 ... */
export function powersOfTwo(from: number, to: number): number[] {
  const list: number[] = [];
  for (let value = 1; value <= to * (1 + 1e-9); value *= 2)
    if (value >= from * (1 - 1e-9)) list.push(value);
  return list;
}

/** The number of digits behind the point with which ticks of this distance look different. */
export function tickDigits(step: number): number {
  return Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
}

export interface Axis {
  from: number;
  to: number;
  x0: number; // pixel of `from`
  x1: number; // pixel of `to`
  y: number;
  unit: string; // written after the first tick: 's'
  most: number; // the largest number of ticks
}

/** A horizontal axis: ticks with numbers below. */
export function drawAxis({ from, to, x0, x1, y, unit, most }: Axis): SVGGElement {
  const group = svg('g', { class: 'axis', 'aria-hidden': 'true' });
  const digits = tickDigits(tickStep(from, to, most));
  ticks(from, to, most).forEach((value, i) => {
    const x = x0 + (x1 - x0) * (value - from) / (to - from || 1);
    const text = value.toFixed(digits);
    group.append(
        svg('path', { d: `M${x} ${y}v4`, class: 'tick' }),
        svg('text', { x, y: y + 16, 'text-anchor': i ? 'middle' : 'start' },
            i ? text : `${text} ${unit}`));
  });
  return group;
}
