// SPDX-License-Identifier: BSD-3-Clause
// Cards: a part of a view, with a heading, a remark beside it and its command. And the legend of
// colours, which each picture has.

import { Colours, FAMILIES, familyText, type Family } from '../colour';
import type { OverheadKind } from '../data/index';
import { commandButton } from './command';
import { el, swatch } from './element';

export interface CardOptions {
  title: string;
  remark?: string;
  command?: string;
  class?: string;
}

export function card({ title, remark, command, class: name = '' }: CardOptions,
    ...content: (Node | string | null)[]): HTMLElement {
  const heading = el('h2', {}, el('span', {}, title), remark ? el('small', {}, remark) : null);
  const short = command?.split(' ').slice(0, 2).join(' ');
  return el('section', { class: `card ${name}`, 'aria-label': title },
      el('div', { class: 'card-head' }, heading, command ? commandButton(command, short) : null),
      ...content);
}

/** The families with their colours; `shown`: only these. */
export function familyLegend(kinds: readonly OverheadKind[], colours: Colours,
    shown: readonly Family[] = FAMILIES): HTMLElement {
  return el('div', { class: 'legend', role: 'list', 'aria-label': 'colours' },
      ...shown.map(family => el('span', { role: 'listitem', title: family },
          swatch(colours.family(family)), familyText(kinds, family))));
}
