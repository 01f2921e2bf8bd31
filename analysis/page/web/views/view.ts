// SPDX-License-Identifier: BSD-3-Clause
// The interface of all views. Each views/NAME.ts exports one View; main.ts lists them.
//
// decide/NAME.ts decides what a view shows (pure functions of tables and selection, tested without
// a browser). The view draws with draw/*. Its only state is what is on the screen.

import type { ExperimentIndex } from '../data/index';
import type { Page } from '../data/page';
import type { Extent } from '../decide/interval';
import type { SameRows } from '../decide/same_rows';
import type { Selection, ViewName } from '../store/selection';
import type { Store } from '../store/store';
import { nameText } from '../text';

/** Why a view has nothing to show, and what to run to get it. */
export interface Missing {
  why: string; // 'This run has no trace.'
  command: string; // 'SIS_TRACE=1 mpiexec ...'
}

/** The reason why a view of useful work and overheads cannot show an interval. */
export const NO_LEAVES = 'Useful work and overheads of this interval are not in the page.';

/** The reason why a view of messages or waits cannot show an interval. */
export function noOperations({ trace }: ExperimentIndex): string {
  return `The messages and waits of this interval are ${trace?.operations === 'file'
    ? `in ${nameText(trace.file, 60)}: choose this file above.` : 'not in the page.'}`;
}

export interface Mounted {
  /** Draws what a new selection changes, in at most 100 ms with a million summaries. If a part is
   * drawn later, the result is a promise that resolves when this part is drawn. */
  update(selection: Selection): void | Promise<void>;
  unmount(): void;
  /** Returns the state that is on the screen, but not in the selection, such as which rows are
   * open. When the view is mounted again, for example for newer data of a live page, it gets this
   * state back. */
  keep?(): unknown;
}

/** The state that a view kept before it was mounted again. */
export interface Kept {
  readonly state: unknown; // the result of keep()
  readonly rows: SameRows; // the numbers that its rows have now
}

export interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly tabs: readonly { name: string; title: string }[]; // empty if the view has one picture
  /** The numbers that the view shows if an interval is selected. If `extent` is missing, they are
   * the numbers of the whole run. With 'interval', the view is mounted with a page that has the
   * tables of the interval (data/interval.ts). */
  readonly extent?: Extent;
  missing(page: Page, selection: Selection): Missing | null;
  /** The command that prints the same numbers, for "Copy as command". */
  command(page: Page, selection: Selection): string;
  /** Draws into `host`, which is empty. Tables are loaded on demand, so drawing may take a
   * while. */
  mount(host: HTMLElement, page: Page, store: Store, kept?: Kept): Promise<Mounted>;
}
