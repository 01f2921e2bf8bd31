// SPDX-License-Identifier: BSD-3-Clause
// The frame around the views: it mounts the view that the selection names, tells it of changes, and
// handles the keys that work everywhere.

import { coloursOf } from '../colour';
import type { Page } from '../data/page';
import { identityError, identityHolds } from '../decide/identity';
import { el } from '../draw/element';
import { checkTheme, isDark, onTheme, toggleTheme } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, seconds } from '../text';
import type { Mounted, View } from '../views/view';
import { Find } from './find';
import { Footer } from './footer';
import { Header } from './header';
import { Help } from './help';
import { errorPanel, missingPanel, warning } from './panels';
import { Strip } from './strip';

export class Shell {
  private readonly header: Header;
  private readonly find: Find;
  private readonly strip: Strip;
  private readonly footer: Footer;
  private readonly help: Help;
  private readonly tabs = el('nav', { class: 'tabs', 'aria-label': 'pictures of this view' });
  private readonly warnings = el('div', { class: 'warnings' });
  private content = el('main', { id: 'content', tabindex: -1 });
  private mounted: Mounted | null = null;
  private shown = ''; // view and experiment that are mounted
  private mounting = 0;

  constructor(host: HTMLElement, private readonly page: Page,
      private readonly store: Store, private readonly views: readonly View[]) {
    const { overheads } = page.index;
    this.help = new Help(page.index, () => coloursOf(overheads, isDark()));
    this.find = new Find(page, store);
    this.header = new Header(page, views, store, this.find.element, () => this.help.open());
    this.strip = new Strip(page, store);
    this.footer = new Footer(page);
    host.replaceChildren(this.skipLink(), this.header.element, this.strip.element, this.warnings,
        this.tabs, this.content, this.footer.element, this.help.element);
    store.listen(selection => {
      checkTheme();
      this.update(selection);
    });
    onTheme(() => this.again());
    window.addEventListener('keydown', event => this.key(event));
  }

  start(): void {
    this.update(this.store.selection);
    void this.checkIdentity();
  }

  private skipLink(): HTMLElement {
    const skip = (event: Event) => {
      event.preventDefault();
      this.content.focus();
    };
    return el('a', { class: 'skip', href: '#content', on: { click: skip } }, 'to the content');
  }

  private view({ view }: Selection): View {
    return this.views.find(each => each.name === view) ?? this.views[0];
  }

  private update(selection: Selection): void {
    const view = this.view(selection);
    const missing = view.missing(this.page, selection);
    this.header.update(selection);
    this.find.update(selection);
    this.footer.update(selection);
    this.showTabs(view, selection, missing !== null);
    void this.strip.update(selection, missing ? '' : view.command(this.page, selection));
    document.title = this.title(view, selection);
    const key = `${view.name} ${selection.experiment} ${missing ? 'missing' : ''}`;
    if (key !== this.shown) void this.mount(view, selection, key);
    else this.mounted?.update(selection);
  }

  private title(view: View, { experiment }: Selection): string {
    const name = this.page.index.experiments[experiment]?.name ?? '';
    return `${nameText(name, 60)}: ${view.title} - SIS`;
  }

  private showTabs(view: View, selection: Selection, hidden: boolean): void {
    this.tabs.hidden = hidden || view.tabs.length < 2;
    this.tabs.replaceChildren(...view.tabs.map(({ name, title }, i) => el('button', {
      type: 'button',
      'aria-pressed': String(selection.tab ? selection.tab === name : i === 0),
      on: { click: () => this.store.select({ tab: i ? name : '', sort: '' }) },
    }, title)));
  }

  /** Draws the view from the start: another one, another experiment, or other colours. */
  private async mount(view: View, selection: Selection, key: string): Promise<void> {
    const mounting = ++this.mounting;
    this.shown = key;
    this.mounted?.unmount();
    this.mounted = null;
    const content = el('main', { id: 'content', tabindex: -1, class: `view-${view.name}` });
    this.content.replaceWith(content);
    this.content = content;
    const missing = view.missing(this.page, selection);
    if (missing) {
      content.append(missingPanel(missing));
      return;
    }
    try {
      content.setAttribute('aria-busy', 'true');
      const mounted = await view.mount(content, this.page, this.store);
      if (mounting !== this.mounting) {
        mounted.unmount();
        return;
      }
      this.mounted = mounted;
      mounted.update(this.store.selection);
    } catch (error) {
      console.error(error);
      if (mounting === this.mounting) content.replaceChildren(errorPanel(error));
    } finally {
      content.removeAttribute('aria-busy');
    }
  }

  private again(): void {
    this.shown = '';
    this.update(this.store.selection);
  }

  /** All parts of all units must add up to p * T_p. */
  private async checkIdentity(): Promise<void> {
    for (const experiment of this.page.experiments) {
      if (!experiment.has('part')) continue;
      const part = await experiment.table('part');
      if (identityHolds(experiment.index, part)) continue;
      const error = identityError(experiment.index, part);
      this.warnings.append(warning('The numbers disagree:',
          `in ${nameText(experiment.index.name, 60)}, useful work and overheads are `
          + `${seconds(Math.abs(error))} ${error < 0 ? 'less' : 'more'} than p · T_p. `
          + 'Do not rely on this page. Please report it as a bug of SIS.'));
    }
  }

  // -- keys ---------------------------------------------------------------------------------------

  private key(event: KeyboardEvent): void {
    const { target } = event;
    const typing = target instanceof Element && target.closest('input, textarea, select, dialog');
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.act(event.key)) return;
    event.preventDefault();
  }

  private act(key: string): boolean {
    const actions: { [key: string]: () => void } = {
      '/': () => this.find.focus(), '?': () => this.help.open(), t: toggleTheme,
      Escape: () => this.strip.back(),
      c: () => this.strip.element.querySelector<HTMLButtonElement>('button.command')?.click(),
    };
    if (key in actions) {
      actions[key]();
      return true;
    }
    const view = /^\d$/.test(key) ? this.views[(Number(key) + 9) % 10] : undefined;
    if (view) this.store.select({ view: view.name, tab: '', item: -1, sort: '' });
    return view !== undefined;
  }
}
