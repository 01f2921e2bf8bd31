// SPDX-License-Identifier: BSD-3-Clause
// The strip below the header: the restrictions of the selection, each with a button that removes
// it, and the command that prints the view's numbers.

import type { Page } from '../data/page';
import { intervalText, isSet, oneStepBack, orderAfter, type Restriction, without }
  from '../decide/strip';
import { unitCount, unitMask } from '../decide/units';
import { commandButton } from '../draw/command';
import { el } from '../draw/element';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, placeText, plural } from '../text';

type Chip = readonly [name: Restriction, label: string, text: string];

export class Strip {
  readonly element = el('div', { class: 'strip', role: 'region', 'aria-label': 'selection' });
  private order: Restriction[] = [];
  private shows = 0;
  private text = ''; // the shown contents, to compare with new ones

  constructor(private readonly store: Store) {}

  /** Takes back the last step of the selection. Returns false if nothing is selected. */
  back(): boolean {
    const change = oneStepBack(this.order);
    if (change) this.store.select(change);
    return change !== null;
  }

  /** `note` is a remark about the selected interval, or ''. */
  async update(page: Page, selection: Selection, note: string, command: string): Promise<void> {
    this.order = orderAfter(this.order, selection);
    const shows = ++this.shows;
    const chips = await this.chips(page, selection);
    const text = JSON.stringify([chips, note, command]);
    if (shows !== this.shows || text === this.text) return; // the focus stays
    this.text = text;
    this.element.replaceChildren(
        ...chips.map(([name, label, text]) => this.chip(name, label, text)),
        chips.length ? el('span', { class: 'hint' }, el('kbd', {}, 'Esc'), ' takes back one step')
          : el('span', { class: 'hint' }, 'the whole run'),
        note ? el('span', { class: 'hint' }, `· ${note}`) : '',
        command ? commandButton(command) : '');
  }

  private chip(name: Restriction, label: string, text: string): HTMLElement {
    return el('span', { class: 'chip' }, el('small', {}, label), el('b', {}, text),
        el('button', { type: 'button', 'aria-label': `all again: without ${label} ${text}`,
          on: { click: () => this.store.select(without(name)) } }, '×'));
  }

  private async chips(page: Page, selection: Selection): Promise<Chip[]> {
    const texts: { [name in Restriction]: () => Promise<Chip> | Chip } = {
      place: () => this.place(page, selection),
      units: () => this.units(page, selection),
      overhead: () => ['overhead', 'overhead', this.overhead(page, selection)],
      time: () => ['time', 'time', intervalText(selection)],
      search: () => ['search', selection.filter ? 'only' : 'marked',
        nameText(selection.search, 40)],
    };
    return Promise.all(this.order.filter(name => isSet(selection, name))
        .map(name => texts[name]()));
  }

  private overhead({ index }: Page, { overhead }: Selection): string {
    if (overhead === 'useful') return 'useful work';
    const kind = index.overheads.find(each => each.name === overhead);
    return kind ? `${kind.name} ${kind.text}` : `${nameText(overhead, 40)}: there is no such one`;
  }

  private async place(page: Page, selection: Selection): Promise<Chip> {
    const experiment = page.experiments[selection.experiment];
    if (!experiment) return ['place', 'region', '?'];
    const [region, node] = await Promise.all([experiment.table('region'),
      experiment.table('node')]);
    const byNode = selection.node >= 0 && selection.node < node.region.length;
    const row = byNode ? node.region[selection.node] : selection.region;
    if (!(row in region.name)) return ['place', 'region', `${row}: there is no such one`];
    const place = placeText(region.file[row], region.line_start[row]);
    const name = nameText(region.name[row], 60);
    return ['place', byNode ? 'call path' : 'region', place ? `${name} ${place}` : name];
  }

  private async units(page: Page, { experiment, units }: Selection): Promise<Chip> {
    const unit = await page.experiments[experiment]?.table('unit');
    const mask = unit ? unitMask(units, unit) : null;
    if (!unit || !mask) return ['units', 'units', `${units}: there are no such ones`];
    const count = plural(unitCount(mask, 0), 'unit');
    const text = units.length > 40 ? `${units.slice(0, 39)}…` : units;
    return ['units', 'units', `${text} (${count})`];
  }
}
