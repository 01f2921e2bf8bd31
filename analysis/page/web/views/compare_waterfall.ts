// SPDX-License-Identifier: BSD-3-Clause
// The waterfall of view Compare. It leads from T_p of A to T_p of B, with one step for each leaf.
// It is a table whose last column is the picture.

import type { Colours } from '../colour';
import type { PageIndex } from '../data/index';
import { USEFUL } from '../data/tables';
import { waterfallOf, type CompareDocument, type Pair, type Step } from '../decide/compare';
import { el, swatch } from '../draw/element';
import { seconds } from '../text';

export interface WaterfallOptions {
  colours: Colours;
  overhead: string; // the selected one
  select(overhead: string): void;
}

const LEAST = 0.002; // of the longer T_p; smaller steps are merged

const ns = (value: number) => Math.round(value * 1e9);

/** '+1.363 s', '−0.021 s': the sign shows the direction, so that no colour has to. */
export function signed(value_ns: number): string {
  if (!Number.isFinite(value_ns)) return '-';
  return `${value_ns < 0 ? '−' : '+'}${seconds(Math.abs(value_ns))}`;
}

function value(time: number | null): string {
  return time === null ? '-' : seconds(ns(time));
}

function bar(from: number, to: number, most: number, colour: string, whole: boolean): HTMLElement {
  const share = (time: number) => `${100 * Math.max(0, time) / most}%`;
  const left = Math.min(from, to), width = Math.abs(to - from);
  return el('div', { class: 'fall', 'aria-hidden': 'true' },
      el('b', { style: { left: share(left), width: share(width), background: colour } }),
      whole ? null : el('i', { style: { left: share(to) } }));
}

function colourOf(index: PageIndex, colours: Colours, key: string): string {
  if (key === 'USEFUL') return colours.leaf(USEFUL);
  const row = index.overheads.findIndex(kind => kind.name === key);
  return row < 0 ? 'var(--faint)' : colours.leaf(row);
}

function whole(name: string, time: number, most: number): HTMLElement {
  return el('tr', { class: 'whole' }, el('th', { scope: 'row', colspan: 3 }, name),
      el('td', { class: 'number' }, seconds(ns(time))),
      el('td', {}, bar(0, time, most, 'var(--soft)', true)));
}

function stepRow(step: Step, index: PageIndex, most: number, options: WaterfallOptions):
    HTMLElement {
  const { key, text } = step, colour = colourOf(index, options.colours, key);
  const name = key === 'USEFUL' ? 'useful' : key;
  const label = key === 'smaller' ? el('span', { class: 'soft' }, text)
    : el('button', { type: 'button', class: 'link',
      'aria-pressed': String(options.overhead === name),
      on: { click: () => options.select(name) } },
    swatch(colour), el('span', { class: 'name' }, key === 'USEFUL' ? 'useful work' : key),
    key === 'USEFUL' ? null : el('span', { class: 'soft' }, text));
  return el('tr', { class: options.overhead === name ? 'chosen' : '' },
      el('th', { scope: 'row' }, label),
      el('td', { class: 'number' }, key === 'smaller' ? '' : value(step.a)),
      el('td', { class: 'number' }, key === 'smaller' ? '' : value(step.b)),
      el('td', { class: 'number strong', title: `${step.by.toFixed(9)} s` }, signed(ns(step.by))),
      el('td', {}, bar(step.from, step.to, most, colour, false)));
}

export function drawWaterfall(document: CompareDocument, index: PageIndex, pair: Pair,
    options: WaterfallOptions): HTMLElement {
  const fall = waterfallOf(document, index, pair, LEAST);
  const most = Math.max(fall.a, fall.b, ...fall.steps.map(step => Math.max(step.from, step.to)))
    || 1;
  return el('table', { class: 'plain waterfall',
    'aria-label': 'from T_p of A to T_p of B, leaf by leaf' },
      el('thead', {}, el('tr', {}, el('th', {}, 'leaf'), el('th', { class: 'number' }, 'A'),
          el('th', { class: 'number' }, 'B'), el('th', { class: 'number' }, 'difference'),
          el('th', {}, 'from T_p of A to T_p of B'))),
      el('tbody', {}, whole('T_p of A', fall.a, most),
          ...fall.steps.map(step => stepRow(step, index, most, options)),
          whole('T_p of B', fall.b, most)));
}
