// SPDX-License-Identifier: BSD-3-Clause
// What every view is. views/NAME.ts exports one View; main.ts lists them.
//
// A view decides in decide/NAME.ts (pure functions of tables and selection, tested without a
// browser), and draws with draw/*. It keeps no state of its own but what is on the screen.

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

/** Why a view that shows useful work and overheads shows nothing of an interval. */
export const NO_LEAVES = 'Useful work and overheads of this interval are not in the page.';

/** The same of messages and waits. */
export function noOperations({ trace }: ExperimentIndex): string {
  return `The messages and waits of this interval are ${trace?.operations === 'file'
    ? `in ${nameText(trace.file, 60)}: choose this file above.` : 'not in the page.'}`;
}

export interface Mounted {
  /** Draws what a new selection changes, in at most 100 ms with a million summaries. If some of it
   * is drawn later, the promise waits for this. */
  update(selection: Selection): void | Promise<void>;
  unmount(): void;
  /** Returns what is on the screen and not in the selection, such as which rows are open. When the
   * view is mounted again, as for newer data of a live page, it gets this state back. */
  keep?(): unknown;
}

/** What a view kept before it was mounted anew. */
export interface Kept {
  readonly state: unknown; // of keep()
  readonly rows: SameRows; // the numbers that its rows have now
}

export interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly tabs: readonly { name: string; title: string }[]; // empty: the view has one picture
  /** What the view shows of a selected interval. If `extent` is missing, the view shows the numbers
   * of the run. With 'interval', the view is mounted with a page that has the tables of the
   * interval (data/interval.ts). */
  readonly extent?: Extent;
  missing(page: Page, selection: Selection): Missing | null;
  /** The command that prints the same numbers: "Copy as command". */
  command(page: Page, selection: Selection): string;
  /** Draws into `host`, which is empty. Tables are loaded on demand, so drawing may take a
   * while. */
  mount(host: HTMLElement, page: Page, store: Store, kept?: Kept): Promise<Mounted>;
}
