// SPDX-License-Identifier: BSD-3-Clause
// A card is a part of a view, with a heading, a remark beside the heading, and its command. This
// file also makes the legend of colours that is beside each picture.

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

/** A legend of the families in `shown`, with their colours. */
export function familyLegend(kinds: readonly OverheadKind[], colours: Colours,
    shown: readonly Family[] = FAMILIES): HTMLElement {
  return el('div', { class: 'legend', role: 'list', 'aria-label': 'colours' },
      ...shown.map(family => el('span', { role: 'listitem', title: family },
          swatch(colours.family(family)), familyText(kinds, family))));
}
