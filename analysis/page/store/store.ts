// SPDX-License-Identifier: BSD-3-Clause
// The one place that holds the selection. Views read it and ask for another one; all hear of the
// change. The selection is also the page's address, so that Back, bookmarks and links work.

import { addressOf, changed, Selection, selectionOf } from './selection';

export type Listener = (selection: Selection, before: Selection) => void;

export class Store {
  private current: Selection;
  private readonly listeners = new Set<Listener>();

  constructor(private readonly window: Window) {
    this.current = selectionOf(window.location.hash);
    window.addEventListener('hashchange', () => this.take(selectionOf(window.location.hash)));
  }

  get selection(): Selection {
    return this.current;
  }

  /** Changes the selection. `step`: Back returns to the selection before (the default); moves that
   * follow each other fast, as in zooming, replace each other. */
  select(change: Partial<Selection>, step = true): void {
    const next = changed(this.current, change);
    const address = addressOf(next);
    if (address !== addressOf(this.current)) {
      const { history } = this.window;
      if (step) history.pushState(null, '', address);
      else history.replaceState(null, '', address);
    }
    this.take(next);
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private take(next: Selection): void {
    const before = this.current;
    this.current = next;
    for (const listener of [...this.listeners]) listener(next, before);
  }
}
