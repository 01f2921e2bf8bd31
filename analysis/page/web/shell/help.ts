// SPDX-License-Identifier: BSD-3-Clause
// Help: the keys of the page, and what its terms mean. The texts of most terms are from
// schema/*.def.

import type { Colours } from '../colour';
import type { PageIndex } from '../data/index';
import { USEFUL } from '../data/tables';
import { matcher } from '../decide/tree';
import { el, swatch } from '../draw/element';

type Term = readonly [name: string, text: string, colour?: string];

const KEYS: readonly Term[] = [
  ['1 … 9, 0', 'the views, in the order of the header'],
  ['/', 'find: marks what matches, and lists regions, units and leaves'],
  ['Esc', 'takes back one step of the selection'],
  ['c', 'copies the command that prints the numbers of the view'],
  ['t', 'light or dark'],
  ['p', 'in a live page: pauses, and goes on'],
  ['?', 'this help'],
  ['↑ ↓ Page Home End', 'in tables: moves the selection'],
  ['→ ←', 'in trees: opens and closes; the first child, the parent'],
  ['*', 'in trees: opens everything below'],
  ['Enter', 'in tables and pictures: looks closer'],
  ['W S, A D', 'in pictures of time: nearer and farther, earlier and later'],
];

const TERMS: readonly Term[] = [
  ['T_p', 'wall time of the parallel run'],
  ['T_s', 'wall time of the sequential run it is compared with'],
  ['p', 'number of processing units'],
  ['unit', 'processing unit: one thread of a process. 5.1 is thread 1 of process 5'],
  ['region', 'a part of the source that is measured: function, loop, call, construct'],
  ['node', 'a path of regions from the start of the program: a call path'],
  ['inclusive', 'with all that is called from there'],
  ['self', 'without the regions that are called inside'],
  ['useful work', 'time that belongs to no overhead'],
  ['leaf', 'an overhead without parts. Useful work and all leaves add up to the wall time'],
  ['wait', 'time in which a unit could not continue, because another one was not ready'],
  ['culprit', 'the unit that a wait was for'],
  ['estimate', 'a time that was not measured at each call; its error holds with 95 %'],
];

function definitions(terms: readonly Term[]): HTMLElement {
  return el('dl', { class: 'terms' }, ...terms.flatMap(([name, text, colour]) => [
    el('dt', {}, colour ? swatch(colour) : null, name), el('dd', {}, text)]));
}

export class Help {
  readonly element: HTMLDialogElement;
  private readonly content = el('div', { class: 'help-content' });
  private readonly search: HTMLInputElement;

  constructor(private readonly index: PageIndex, private readonly colours: () => Colours) {
    this.search = el('input', { type: 'search', placeholder: 'a term', class: 'find',
      'aria-label': 'find a term', on: { input: () => this.fill() } });
    this.element = el('dialog', { class: 'help', 'aria-label': 'keys and terms',
      on: { keydown: (event: KeyboardEvent) => event.stopPropagation() } },
    el('div', { class: 'help-head' }, el('h2', {}, 'Keys and terms'), this.search,
        el('button', { type: 'button', class: 'icon', 'aria-label': 'close',
          on: { click: () => this.element.close() } }, '×')),
    this.content);
  }

  open(): void {
    this.search.value = '';
    this.fill();
    this.element.showModal();
  }

  private groups(): (readonly [string, readonly Term[]])[] {
    const { overheads, efficiencies, metrics, region_types } = this.index;
    const colours = this.colours();
    const leaves: Term[] = [['useful work', 'time that belongs to no overhead',
      colours.leaf(USEFUL)], ...overheads.map((kind, row): Term =>
      [kind.name, kind.text, colours.leaf(row)])];
    return [['Keys', KEYS], ['Terms', TERMS], ['Overheads', leaves],
      ['Efficiencies', efficiencies.map(kind => [kind.title, kind.text] as const)],
      ['Metrics', metrics.map(kind => [kind.name, kind.text] as const)],
      ['Types of regions', region_types.map(kind => [kind.name, kind.text] as const)]];
  }

  private fill(): void {
    const matches = matcher(this.search.value) ?? (() => true);
    this.content.replaceChildren(...this.groups().flatMap(([title, terms]) => {
      const found = terms.filter(([name, text]) => matches(`${name} ${text}`));
      return found.length ? [el('h3', {}, title), definitions(found)] : [];
    }));
  }
}
