// SPDX-License-Identifier: BSD-3-Clause
// The only place that holds the selection. Views read and change it; all listeners are told of the
// change. The selection is also the page's address, so that Back, bookmarks and links work.
//
// A selection has numbers of rows. In a live page, rows may have other numbers in the next look. So
// each look renumbers the selection. Earlier selections are renumbered when Back returns to them.

import { addressOf, changed, Selection, selectionOf } from './selection';

export type Listener = (selection: Selection, before: Selection) => void;
export type Renumbering = (selection: Selection) => Selection;

/** The part of a store that views use. */
export interface Store {
  readonly selection: Selection;
  /** Changes the selection. If `step` is true, Back later returns to the previous selection. If it
   * is false, the change replaces the previous selection in the history, as for the many small
   * steps of zooming. */
  select(change: Partial<Selection>, step?: boolean): void;
}

/** The state of each entry of the browser's history. `numbering` is how often rows had been
 * renumbered when the entry was made. */
interface Entry {
  readonly session: number;
  readonly numbering: number;
}

const MOST_RENUMBERINGS = 1000;

export class AddressStore implements Store {
  private current: Selection;
  private readonly listeners = new Set<Listener>();
  private renumberings: Renumbering[] = [];
  private forgotten = 0; // renumberings that are not kept any more
  private readonly session = performance.timeOrigin;

  constructor(private readonly window: Window) {
    this.current = selectionOf(window.location.hash);
    this.stamp();
    window.addEventListener('hashchange', () => this.arrive());
  }

  get selection(): Selection {
    return this.current;
  }

  select(change: Partial<Selection>, step = true): void {
    const next = changed(this.current, change);
    const address = addressOf(next);
    if (address !== addressOf(this.current)) {
      const { history } = this.window;
      if (step) history.pushState(this.entry(), '', address);
      else history.replaceState(this.entry(), '', address);
    }
    this.take(next);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Rows have other numbers from now on. Listeners are not told, because the page shows the new
   * rows next. */
  renumber(renumbering: Renumbering): void {
    this.renumberings.push(renumbering);
    if (this.renumberings.length > MOST_RENUMBERINGS) {
      this.renumberings.shift();
      this.forgotten++;
    }
    this.current = renumbering(this.current);
    this.stamp(addressOf(this.current));
  }

  private entry(): Entry {
    return { session: this.session, numbering: this.forgotten + this.renumberings.length };
  }

  private stamp(address?: string): void {
    this.window.history.replaceState(this.entry(), '', address);
  }

  /** Called when the address has changed: by a link, by hand, or because Back returned to an
   * earlier entry. */
  private arrive(): void {
    const entry = this.window.history.state as Entry | null;
    const found = selectionOf(this.window.location.hash);
    const next = entry?.session === this.session ? this.upToDate(found, entry.numbering) : found;
    this.stamp(next === found ? undefined : addressOf(next));
    this.take(next);
  }

  private upToDate(selection: Selection, numbering: number): Selection {
    if (numbering < this.forgotten) return changed(selection, { region: -1, node: -1, item: -1 });
    return this.renumberings.slice(numbering - this.forgotten)
        .reduce((renumbered, renumbering) => renumbering(renumbered), selection);
  }

  private take(next: Selection): void {
    const before = this.current;
    this.current = next;
    for (const listener of [...this.listeners]) listener(next, before);
  }
}

/** The store of a view that is drawn, but not shown yet. It already has the new numbers of rows.
 * Until the view is shown, calls of `select` have no effect. */
export class RenumberedStore implements Store {
  private isSettled = false;

  constructor(private readonly store: Store, private readonly renumbering: Renumbering) {}

  get selection(): Selection {
    const { selection } = this.store;
    return this.isSettled ? selection : this.renumbering(selection);
  }

  select(change: Partial<Selection>, step?: boolean): void {
    if (this.isSettled) this.store.select(change, step);
  }

  /** Called when the view is shown: from now on, the other store has the new numbers, too. */
  settle(): void {
    this.isSettled = true;
  }
}
