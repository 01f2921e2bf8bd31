// SPDX-License-Identifier: BSD-3-Clause
// The frame around the views: it mounts the view that the selection names, tells it of changes, and
// handles the keys that work everywhere.

import { coloursOf } from '../colour';
import type { Live } from '../data/live';
import type { Experiment, Page } from '../data/page';
import { intervalNote, spanOf } from '../decide/interval';
import { allRows, areUnchanged, type Numbered, renumbered, sameRows } from '../decide/same_rows';
import type { Span } from '../decide/time';
import { el } from '../draw/element';
import { checkTheme, isDark, onTheme, toggleTheme } from '../draw/theme';
import type { Selection } from '../store/selection';
import { type AddressStore, RenumberedStore } from '../store/store';
import { nameText } from '../text';
import type { View } from '../views/view';
import { Busy } from './busy';
import { Find } from './find';
import { Footer } from './footer';
import { Header } from './header';
import { Help } from './help';
import { identityWarnings } from './identity';
import { IntervalBar } from './interval';
import { LiveBar } from './live';
import { Stage } from './stage';
import { Strip } from './strip';

const SAYS_WAITS_MS = 1000; // shorter waits are not worth a word

/** The tables with which the rows of one look are found in another. */
async function numbered(experiment: Experiment): Promise<Numbered> {
  const [region, node, unit, blame_point] = await Promise.all([experiment.table('region'),
    experiment.table('node'), experiment.table('unit'), experiment.table('blame_point')]);
  return { region, node, unit, blame_point };
}

export class Shell {
  private readonly header: Header;
  private readonly find: Find;
  private readonly strip: Strip;
  private readonly footer: Footer;
  private readonly help: Help;
  private readonly tabs = el('nav', { class: 'tabs', 'aria-label': 'pictures of this view' });
  private readonly warnings = el('div', { class: 'warnings' });
  private readonly stage = new Stage();
  private readonly bar: LiveBar | null;
  private readonly busy = new Busy();
  private readonly interval = new IntervalBar(() => this.update(this.store.selection, true));
  private shown = ''; // view and experiment that are mounted
  private shownInterval = ''; // the interval whose numbers the view shows

  /** `live` is null in a written page. */
  constructor(host: HTMLElement, private page: Page, private readonly store: AddressStore,
      private readonly views: readonly View[], private readonly live: Live | null) {
    const { overheads } = page.index;
    this.help = new Help(page.index, () => coloursOf(overheads, isDark()));
    this.find = new Find(store);
    this.header = new Header(views, store, this.find.element, () => this.help.open());
    this.strip = new Strip(store);
    this.footer = new Footer();
    this.bar = live && new LiveBar(live);
    host.replaceChildren(this.skipLink(), this.header.element, this.bar?.element ?? '',
        this.strip.element, this.interval.element, this.warnings, this.tabs, this.stage.content,
        this.footer.element, this.help.element);
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
    this.live?.start((page, isWanted) => this.take(page, isWanted));
  }

  private async checkIdentity(): Promise<void> {
    const { page } = this;
    const warnings = await identityWarnings(page);
    if (page === this.page) this.warnings.replaceChildren(...warnings);
  }

  private skipLink(): HTMLElement {
    const skip = (event: Event) => {
      event.preventDefault();
      this.stage.content.focus();
    };
    return el('a', { class: 'skip', href: '#content', on: { click: skip } }, 'to the content');
  }

  private view({ view }: Selection): View {
    return this.views.find(each => each.name === view) ?? this.views[0];
  }

  /** `hasOthers`: whether there are new tables of the same interval. */
  private update(selection: Selection, hasOthers = false): void {
    const before = this.shown, time = this.shownInterval;
    this.updateFrame(selection);
    const isShown = this.shown === before;
    if (isShown && this.shownInterval === time && !hasOthers) this.stage.update(selection);
    else this.mount(selection, isShown);
  }

  /** `again`: whether the same view is already shown, with other numbers for the same rows. */
  private mount(selection: Selection, again: boolean): void {
    const { page } = this, view = this.view(selection), span = this.span(selection);
    if (!span) this.interval.hide();
    this.stage.mount(view, span ? this.interval.page(page, selection.experiment, span) : page,
        this.store, again ? allRows(page.index.experiments[selection.experiment].tables) : null);
  }

  /** The interval whose numbers the view shows; null if the view shows those of the run. */
  private span(selection: Selection): Span | null {
    return this.view(selection).extent === 'interval'
      ? spanOf(selection, this.page.index.experiments[selection.experiment]) : null;
  }

  /** Updates everything around the view. */
  private updateFrame(selection: Selection): void {
    const { page } = this;
    const view = this.view(selection);
    const missing = view.missing(page, selection);
    this.header.update(page, selection);
    this.bar?.update();
    this.find.update(page, selection);
    this.footer.update(page, selection);
    this.showTabs(view, selection, missing !== null);
    const note = intervalNote(view.extent ?? 'run', selection,
        page.index.experiments[selection.experiment]);
    void this.strip.update(page, selection, missing ? '' : note,
        missing ? '' : view.command(page, selection));
    document.title = this.title(view, selection);
    this.shown = `${view.name} ${selection.experiment} ${missing ? 'missing' : ''}`;
    const span = this.span(selection);
    this.shownInterval = span ? `${span.from_ns} ${span.to_ns}` : '';
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

  // -- newer looks at a running program -----------------------------------------------------------

  /** Shows a newer look as soon as the user is not busy with the shown one. Returns false if the
   * newer look is not wanted any more. */
  private async take(page: Page, isWanted: () => boolean): Promise<boolean> {
    const rows = await Promise.all(page.experiments.map(async (experiment, row) =>
      sameRows(await numbered(this.page.experiments[row]), await numbered(experiment))));
    const renumbering = (selection: Selection) => rows[selection.experiment]
      ? renumbered(selection, rows[selection.experiment]) : selection;
    const warnings = await identityWarnings(page);
    for (;;) {
      const store = new RenumberedStore(this.store, renumbering);
      const prepared = await this.stage.prepare(this.view(this.store.selection), page, store,
          rows[this.store.selection.experiment]);
      await this.whileBusy(isWanted);
      if (isWanted() && !prepared.isOutdated) {
        if (!rows.every(areUnchanged)) this.store.renumber(renumbering);
        store.settle();
        this.page = page;
        prepared.show(this.store.selection);
        this.warnings.replaceChildren(...warnings);
        this.updateFrame(this.store.selection);
        return true;
      }
      prepared.drop();
      if (!isWanted()) return false;
    }
  }

  private async whileBusy(isWanted: () => boolean): Promise<void> {
    const timer = setTimeout(() => this.live?.waits(true), SAYS_WAITS_MS);
    await this.busy.over(isWanted);
    clearTimeout(timer);
    this.live?.waits(false);
  }

  private again(): void {
    this.shown = '';
    this.update(this.store.selection);
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
      p: () => this.bar?.togglePause(),
      c: () => this.strip.element.querySelector<HTMLButtonElement>('button.command')?.click(),
    };
    if (key === 'p' && !this.bar) return false;
    if (key in actions) {
      actions[key]();
      return true;
    }
    const view = /^\d$/.test(key) ? this.views[(Number(key) + 9) % 10] : undefined;
    if (view) this.store.select({ view: view.name, tab: '', item: -1, sort: '' });
    return view !== undefined;
  }
}
