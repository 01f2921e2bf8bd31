// SPDX-License-Identifier: BSD-3-Clause
// T_p as one bar of useful work and leaves, with families above and seconds below.

import { Colours, familyText, textOn } from '../colour';
import type { OverheadKind } from '../data/index';
import { USEFUL } from '../data/tables';
import { familyTotals, type FamilyTotal, type Piece } from '../decide/overview';
import { tickDigits, ticks, tickStep } from '../draw/axis';
import { el, swatch } from '../draw/element';
import { hideUnfit } from '../draw/fit';
import { rove } from '../draw/roving';
import { exactSeconds, percent, seconds, shortLeaf } from '../text';

export interface BarOptions {
  kinds: readonly OverheadKind[];
  colours: Colours;
  list: readonly Piece[];
  total_ns: number;
  totalName: string; // 'T_p'
  overhead: string; // the selected one
  select(overhead: string): void;
}

function share(ns: number, total_ns: number): string {
  return `${(100 * ns / (total_ns || 1)).toFixed(4)}%`;
}

function bracket({ kinds, colours, total_ns }: BarOptions, total: FamilyTotal): HTMLElement {
  const name = familyText(kinds, total.family);
  return el('span', { class: 'bracket', title: `${name} ${percent(total.ns / total_ns)}`,
    style: { left: share(total.from, total_ns), width: share(total.ns, total_ns),
      '--hue': colours.family(total.family) } },
  el('span', { class: 'label' }, swatch(colours.family(total.family)), name,
      ' ', el('b', {}, percent(total.ns / total_ns))));
}

function names(kinds: readonly OverheadKind[], row: number): [mnemonic: string, text: string] {
  return row === USEFUL ? ['useful', 'useful work'] : [kinds[row].name, kinds[row].text];
}

function piece(options: BarOptions, { row, ns }: Piece): HTMLElement {
  const { kinds, colours, total_ns, overhead, select } = options;
  const [mnemonic, text] = names(kinds, row);
  const colour = colours.leaf(row);
  const [amount, part] = [seconds(ns), percent(ns / total_ns)];
  return el('button', {
    type: 'button', class: 'piece', 'aria-pressed': String(overhead === mnemonic),
    title: `${mnemonic}: ${text}\n${exactSeconds(ns)} s, ${part}`,
    'aria-label': `${text}, ${amount}, ${part}`,
    style: { background: colour, color: textOn(colour), 'flex-grow': String(ns) },
    on: { click: () => select(overhead === mnemonic ? '' : mnemonic) },
  }, el('b', {}, row === USEFUL ? 'useful work' : shortLeaf(mnemonic)),
  el('span', {}, part, el('i', {}, amount)));
}

function axis({ total_ns, totalName }: BarOptions): HTMLElement {
  const most = 10;
  const scale = total_ns >= 1e8 ? 1e9 : total_ns >= 1e5 ? 1e6 : 1e3;
  const unit = scale === 1e9 ? 's' : scale === 1e6 ? 'ms' : 'µs';
  const end = total_ns / scale;
  const digits = tickDigits(tickStep(0, end, most));
  const marks = ticks(0, end * 0.9, most).map((value, i) => el('span',
      { class: 'tick', style: { left: share(value, end) } },
      i ? value.toFixed(digits) : `0 ${unit}`));
  return el('div', { class: 'bar-axis' }, ...marks,
      el('b', { class: 'end', title: `${exactSeconds(total_ns)} s` },
          `${totalName} = ${seconds(total_ns)}`));
}

export function drawBar(options: BarOptions): HTMLElement {
  const { list, total_ns, totalName } = options;
  const pieces = el('div', { class: 'pieces', role: 'group',
    'aria-label': `${totalName} of ${seconds(total_ns)}, divided into useful work and overheads` },
  ...list.map(each => piece(options, each)));
  rove(pieces);
  const brackets = el('div', { class: 'brackets', 'aria-hidden': 'true' },
      ...familyTotals(list).filter(total => total.ns > 0.004 * total_ns)
          .map(total => bracket(options, total)));
  hideUnfit(brackets, '.label', label => label.parentElement!.clientWidth);
  hideUnfit(pieces, 'span, b', text => text.parentElement!.clientWidth);
  return el('div', { class: 'tp-bar' }, brackets, pieces, axis(options));
}
