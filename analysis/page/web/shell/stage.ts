// SPDX-License-Identifier: BSD-3-Clause
// The place where a view is drawn. A view with new data is drawn behind the one that is shown. Once
// the new one is complete, it replaces the shown one in one step, with the same open rows,
// scrolling and focus.

import type { Page } from '../data/page';
import type { SameRows } from '../decide/same_rows';
import { el } from '../draw/element';
import { addressOf, type Selection } from '../store/selection';
import type { Store } from '../store/store';
import type { Mounted, View } from '../views/view';
import { errorPanel, missingPanel } from './panels';
import { focusAt, placeIn, scrollTo } from './place';

/** A view that is drawn, but not shown yet. */
export interface Prepared {
  /** Whether a view was mounted after the drawing began, for example because the user selected
   * another experiment. */
  readonly isOutdated: boolean;
  show(selection: Selection): void;
  drop(): void;
}

const NOTHING: Mounted = { update: () => {}, unmount: () => {} };

function emptyContent(view: View): HTMLElement {
  return el('main', { id: 'content', tabindex: -1, class: `view-${view.name}` });
}

export class Stage {
  content = el('main', { id: 'content', tabindex: -1 });
  private mounted: Mounted | null = null;
  private mounting = 0;
  private ready: Promise<void> = Promise.resolve(); // resolves when the view is drawn
  private pointer: readonly [number, number] = [-1, -1];

  constructor() {
    window.addEventListener('pointermove', ({ clientX, clientY }) => {
      this.pointer = [clientX, clientY];
    }, { passive: true });
  }

  update(selection: Selection): void {
    void this.mounted?.update(selection);
  }

  /** Draws a view from the start, because the view, the experiment, the interval or the colours
   * changed. `page` may be a promise. If its result is null, the view stays empty. `rows` is not
   * null if the shown view gets other numbers for the same rows. The view then stays as it is until
   * the page has come. */
  mount(view: View, page: Page | Promise<Page | null>, store: Store, rows: SameRows | null): void {
    this.ready = this.draw(view, page, store, rows);
  }

  private async draw(view: View, coming: Page | Promise<Page | null>, store: Store,
      rows: SameRows | null): Promise<void> {
    const mounting = ++this.mounting;
    if (!rows) this.begin(view);
    this.content.setAttribute('aria-busy', 'true');
    try {
      const page = coming instanceof Promise ? await coming : coming;
      if (mounting !== this.mounting) return;
      if (!page) {
        this.begin(view);
        return;
      }
      const state = rows ? this.mounted?.keep?.() : undefined;
      const place = rows ? placeIn(this.content) : null;
      if (rows) this.begin(view);
      const missing = view.missing(page, store.selection);
      if (missing) {
        this.content.append(missingPanel(missing));
        return;
      }
      const { content } = this;
      content.setAttribute('aria-busy', 'true');
      const mounted = await view.mount(content, page, store,
          state === undefined ? undefined : { state, rows: rows! });
      if (mounting !== this.mounting) {
        mounted.unmount();
        return;
      }
      this.mounted = mounted;
      const updated = mounted.update(store.selection);
      if (!place) return;
      await updated;
      scrollTo(content, place);
      focusAt(content, place);
    } catch (error) {
      console.error(error);
      if (mounting !== this.mounting) return;
      this.begin(view);
      this.content.append(errorPanel(error));
    } finally {
      if (mounting === this.mounting) this.content.removeAttribute('aria-busy');
    }
  }

  /** Makes an empty place for a view. */
  private begin(view: View): void {
    this.mounted?.unmount();
    this.mounted = null;
    const content = emptyContent(view);
    this.content.replaceWith(content);
    this.content = content;
  }

  /** Draws the shown view again, with newer data. Throws if it cannot be drawn. */
  async prepare(view: View, page: Page, store: Store, rows: SameRows): Promise<Prepared> {
    await this.ready;
    const { mounting } = this;
    const content = emptyContent(view);
    content.classList.add('coming');
    content.setAttribute('aria-hidden', 'true');
    this.content.after(content);
    try {
      const drawn = store.selection;
      const mounted = await this.drawn(content, view, page, store, rows);
      const stage = this;
      return {
        get isOutdated() { return mounting !== stage.mounting; },
        show: selection => {
          if (addressOf(selection) !== addressOf(drawn)) void mounted.update(selection);
          this.swap(content, mounted);
        },
        drop: () => {
          mounted.unmount();
          content.remove();
        },
      };
    } catch (error) {
      content.remove();
      throw error;
    }
  }

  private async drawn(content: HTMLElement, view: View, page: Page, store: Store,
      rows: SameRows): Promise<Mounted> {
    const missing = view.missing(page, store.selection);
    if (missing) {
      content.append(missingPanel(missing));
      return NOTHING;
    }
    const state = this.mounted?.keep?.();
    const mounted = await view.mount(content, page, store,
        state === undefined ? undefined : { state, rows });
    try {
      await mounted.update(store.selection);
      return mounted;
    } catch (error) {
      mounted.unmount();
      throw error;
    }
  }

  private swap(content: HTMLElement, mounted: Mounted): void {
    const place = placeIn(this.content);
    scrollTo(content, place);
    content.classList.remove('coming');
    content.removeAttribute('aria-hidden');
    this.content.remove();
    this.mounted?.unmount();
    [this.content, this.mounted] = [content, mounted];
    focusAt(content, place);
    if (place.hovers) this.pointAgain();
  }

  /** Updates the note beside the pointer, which is about the new picture now. */
  private pointAgain(): void {
    const [clientX, clientY] = this.pointer;
    document.elementFromPoint(clientX, clientY)?.dispatchEvent(
        new MouseEvent('mousemove', { clientX, clientY, bubbles: true }));
  }
}
