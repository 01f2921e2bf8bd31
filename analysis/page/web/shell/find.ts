// SPDX-License-Identifier: BSD-3-Clause
// The find field. Typing marks the matching rows of the view, and lists regions, overheads and
// units. Choosing one of these selects it. The key `/` goes to the field.

import type { Page } from '../data/page';
import { find, type Found } from '../decide/find';
import { el } from '../draw/element';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';

const MOST = 8;

export class Find {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLElement;
  private found: Found[] = [];
  private chosen = -1;
  private asked = 0;
  private page: Page | null = null;

  constructor(private readonly store: Store) {
    this.list = el('div', { class: 'found', role: 'listbox', id: 'found', hidden: true,
      'aria-label': 'found' });
    this.input = el('input', {
      type: 'search', class: 'find', placeholder: 'Find region, unit, leaf', role: 'combobox',
      'aria-label': 'find region, unit or leaf', 'aria-expanded': 'false',
      'aria-controls': 'found', 'aria-autocomplete': 'list', autocomplete: 'off',
      spellcheck: 'false',
      on: {
        input: () => this.typed(),
        keydown: (event: KeyboardEvent) => this.key(event),
        blur: () => setTimeout(() => this.close(), 150),
      },
    });
    this.element = el('div', { class: 'finder', role: 'search' }, this.input,
        el('kbd', { 'aria-hidden': 'true' }, '/'), this.list);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Finds again if the page has changed, because the found rows have other numbers in another
   * page. */
  update(page: Page, selection: Selection): void {
    const isOther = page !== this.page;
    this.page = page;
    if (document.activeElement !== this.input) this.input.value = selection.search;
    if (isOther && !this.list.hidden) void this.search();
  }

  private async typed(): Promise<void> {
    const search = this.input.value;
    this.store.select({ search, filter: search ? this.store.selection.filter : false }, false);
    await this.search();
    this.choose(-1);
  }

  private async search(): Promise<void> {
    const { page } = this, search = this.input.value;
    const asked = ++this.asked;
    const experiment = page?.experiments[this.store.selection.experiment];
    if (!search.trim() || !page || !experiment) return this.close();
    const [region, unit] = await Promise.all([experiment.table('region'),
      experiment.table('unit')]);
    if (asked === this.asked) this.show(find(search, page.index.overheads, region, unit, MOST));
  }

  private show(found: Found[]): void {
    this.found = found;
    this.list.replaceChildren(...found.map((each, i) => el('div', {
      role: 'option', id: `found-${i}`, class: 'option', 'aria-selected': 'false',
      on: { mousedown: () => this.take(i) },
    }, el('span', { class: 'kind' }, each.kind), el('span', { class: 'name' }, each.name),
    el('span', { class: 'detail' }, each.detail))));
    if (!found.length)
      this.list.append(el('div', { class: 'option nothing' },
          'nothing with this name; the view may have other matches'));
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.choose(this.chosen);
  }

  private close(): void {
    this.list.hidden = true;
    this.chosen = -1;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
  }

  private choose(row: number): void {
    this.chosen = Math.max(-1, Math.min(this.found.length - 1, row));
    [...this.list.children].forEach((option, i) =>
      option.setAttribute('aria-selected', String(i === this.chosen)));
    if (this.chosen >= 0) this.input.setAttribute('aria-activedescendant', `found-${this.chosen}`);
    else this.input.removeAttribute('aria-activedescendant');
  }

  private take(row: number): void {
    const found = this.found[row];
    if (!found) return;
    this.input.value = '';
    this.close();
    this.input.blur();
    this.store.select(found.change);
  }

  private key(event: KeyboardEvent): void {
    const actions: { [key: string]: () => void } = {
      ArrowDown: () => this.choose(this.chosen + 1),
      ArrowUp: () => this.choose(this.chosen - 1),
      Enter: () => this.chosen >= 0 ? this.take(this.chosen) : this.leave(),
      Escape: () => this.escape(),
    };
    const action = actions[event.key];
    event.stopPropagation();
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Keeps the marks, and gives the keys back to the view. */
  private leave(): void {
    this.close();
    this.input.blur();
    document.querySelector<HTMLElement>('#content [tabindex="0"]')?.focus();
  }

  private escape(): void {
    if (!this.list.hidden) return this.close();
    this.input.value = '';
    this.store.select({ search: '', filter: false }, false);
    this.input.blur();
  }
}
