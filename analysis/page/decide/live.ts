// SPDX-License-Identifier: BSD-3-Clause
// A live page: when it asks for the next look at the program, and what it says about the looks.
// Pure.

import type { LiveIndex, PageIndex } from '../data/index';
import { grouped, plural } from '../text';

/** What became of a request. */
export type Outcome =
  | { readonly kind: 'look' } // a newer look is shown
  | { readonly kind: 'none' } // there is no newer one yet
  | { readonly kind: 'failed'; readonly times: number }; // so often in a row

/** What the page does. */
export type Activity =
  | { readonly kind: 'asks' }
  | { readonly kind: 'waits' } // a look is there, but the user selects text, or drags
  | { readonly kind: 'paused' }
  | { readonly kind: 'silent' } // no answer
  | { readonly kind: 'unreadable'; readonly why: string } // an answer that is no look
  | { readonly kind: 'over' }; // no further look follows

const SECOND_NS = 1e9;
const LEAST_MS = 100, MOST_MS = 3600e3, MOST_SOON_MS = 1000;
const FIRST_RETRY_MS = 2000, MOST_RETRY_MS = 10000;

/** Whether the page is a look at a program that runs. */
export function isRunning({ live }: PageIndex): boolean {
  return live?.state === 'runs';
}

/** Damaged answers may have any number. */
function intervalMs(interval_ns: number): number {
  return Math.max(LEAST_MS, Math.min(MOST_MS, interval_ns / 1e6 || 0));
}

/** For how long the page waits before it asks again, in milliseconds. */
export function pauseMs(outcome: Outcome, interval_ns: number): number {
  const interval = intervalMs(interval_ns);
  if (outcome.kind === 'look') return interval;
  if (outcome.kind === 'none') return Math.max(LEAST_MS, Math.min(MOST_SOON_MS, interval / 4));
  return Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, Math.min(8, outcome.times - 1)));
}

/** A request that takes longer has failed. */
export function patienceMs(interval_ns: number): number {
  return Math.max(10000, 5 * intervalMs(interval_ns));
}

/** 'every 1.0 s', and why it is less often than each second. */
export function intervalText(interval_ns: number): string {
  const text = `every ${(interval_ns / SECOND_NS).toFixed(1)} s`;
  return interval_ns < 1.05 * SECOND_NS ? text
    : `${text}: more often would take more than 5 % of a processor`;
}

/** Counts that change with each look. */
export function lookText({ look, running, processes, interval_ns, state }: LiveIndex,
    activity: Activity): string {
  const at = `look ${grouped(look)}`;
  if (state !== 'runs') return `${plural(processes, 'process', 'processes')}, ${at}`;
  const counts = `running: ${grouped(running)} of ${plural(processes, 'process', 'processes')}`;
  return activity.kind === 'asks' ? `${counts}, ${at}, ${intervalText(interval_ns)}`
    : `${counts}, ${at}`;
}

/** What the reader must know, which changes seldom; '' while all is well. */
export function activityText({ state }: LiveIndex, activity: Activity): string {
  if (state === 'ended') return 'The program has ended; the numbers are final.';
  if (state === 'gone')
    return 'The run’s directory was removed; the numbers are those of the last look at it.';
  switch (activity.kind) {
    case 'waits': return 'A newer look is shown when you have finished.';
    case 'paused': return 'Paused: the program goes on, the page shows the look at which it was '
      + 'paused.';
    case 'silent': return 'sis-analyze does not answer: it ended, or the connection was lost. The '
      + 'page shows its last look, and asks again.';
    case 'unreadable': return `The newest look cannot be read: ${activity.why}. The page shows the `
      + 'one before, and asks again.';
    default: return '';
  }
}
