// SPDX-License-Identifier: BSD-3-Clause
// The header: the shown run, the views as links, the find field, light or dark, and help.

import type { ExperimentIndex } from '../data/index';
import type { Page } from '../data/page';
import { el } from '../draw/element';
import { toggleTheme } from '../draw/theme';
import { addressOf, changed, type Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText } from '../text';
import type { View } from '../views/view';

/** The address of a view with the same selection, except for the parts that only the current view
 * uses. */
function addressIn(view: View, selection: Selection): string {
  return addressOf(changed(selection, { view: view.name, tab: '', item: -1, sort: '' }));
}

export class Header {
  readonly element: HTMLElement;
  private readonly links = new Map<View, HTMLAnchorElement>();
  private readonly run: HTMLElement;

  constructor(private readonly views: readonly View[], private readonly store: Store,
      find: HTMLElement, help: () => void) {
    this.run = el('div', { class: 'run' });
    const nav = el('nav', { 'aria-label': 'views' });
    views.forEach(view => {
      const link = el('a', {}, view.title);
      this.links.set(view, link);
      nav.append(link);
    });
    this.element = el('header', { class: 'header' },
        el('span', { class: 'mark', 'aria-label': 'SIS' }, 'SIS', el('b', {}, '.')), this.run, nav,
        find,
        el('button', { type: 'button', class: 'icon', title: 'light or dark (t)',
          'aria-label': 'light or dark', on: { click: toggleTheme } }, '◐'),
        el('button', { type: 'button', class: 'icon', title: 'keys and terms (?)',
          'aria-label': 'help: keys and terms', on: { click: help } }, '?'));
  }

  update(page: Page, selection: Selection): void {
    this.showRun(page, selection);
    this.views.forEach((view, i) => {
      const link = this.links.get(view)!;
      const missing = view.missing(page, selection);
      link.href = addressIn(view, selection);
      link.title = missing ? missing.why : `key ${(i + 1) % 10}`;
      link.classList.toggle('missing', missing !== null);
      if (view.name === selection.view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    });
  }

  private showRun({ index: { experiments } }: Page, selection: Selection): void {
    const experiment = experiments[selection.experiment];
    const name = nameText(experiment?.name ?? '', 80);
    const command = nameText(experiment?.command ?? '');
    const title = `${name}\n${command}`;
    if (experiments.length === 1 && this.run.title === title) return;
    this.run.title = title;
    this.run.replaceChildren(
        experiments.length > 1 ? this.choice(experiments, selection) : el('b', {}, name),
        el('code', {}, command));
  }

  private choice(experiments: readonly ExperimentIndex[], selection: Selection): HTMLElement {
    const choose = (event: Event) => {
      const experiment = Number((event.target as HTMLSelectElement).value);
      this.store.select({ experiment, region: -1, node: -1, units: '', from_ns: -1, to_ns: -1 });
    };
    return el('select', { 'aria-label': 'experiment', on: { change: choose } },
        ...experiments.map((each, row) => el('option',
            { value: row, selected: row === selection.experiment }, nameText(each.name, 60))));
  }
}
