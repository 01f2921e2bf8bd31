// SPDX-License-Identifier: BSD-3-Clause
// When a live page asks for the next look at the program, and what its bar says about the looks.
// Pure functions.

import type { LiveIndex, PageIndex } from '../data/index';
import { grouped, plural } from '../text';

/** The result of a request. */
export type Outcome =
  | { readonly kind: 'look' } // a newer look is shown
  | { readonly kind: 'none' } // there is no newer look yet
  | { readonly kind: 'failed'; readonly times: number }; // number of successive failures

/** What the page is doing. */
export type Activity =
  | { readonly kind: 'asks' }
  | { readonly kind: 'waits' } // a look has arrived, but the user is busy
  | { readonly kind: 'paused' }
  | { readonly kind: 'silent' } // the server does not answer
  | { readonly kind: 'unreadable'; readonly why: string } // the answer cannot be shown
  | { readonly kind: 'over' }; // no further look follows

const SECOND_NS = 1e9;
const LEAST_MS = 100, MOST_MS = 3600e3, MOST_SOON_MS = 1000;
const FIRST_RETRY_MS = 2000, MOST_RETRY_MS = 10000;

/** Whether the page shows a program that still runs. */
export function isRunning({ live }: PageIndex): boolean {
  return live?.state === 'runs';
}

/** The interval in milliseconds, within bounds: a damaged answer may have any number. */
function intervalMs(interval_ns: number): number {
  return Math.max(LEAST_MS, Math.min(MOST_MS, interval_ns / 1e6 || 0));
}

/** How long the page waits before it asks again, in milliseconds. */
export function pauseMs(outcome: Outcome, interval_ns: number): number {
  const interval = intervalMs(interval_ns);
  if (outcome.kind === 'look') return interval;
  if (outcome.kind === 'none') return Math.max(LEAST_MS, Math.min(MOST_SOON_MS, interval / 4));
  return Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, Math.min(8, outcome.times - 1)));
}

/** The time in milliseconds after which a request has failed. */
export function patienceMs(interval_ns: number): number {
  return Math.max(10000, 5 * intervalMs(interval_ns));
}

/** 'every 1.0 s'. If looks are less frequent than one per second, the text says why. */
export function intervalText(interval_ns: number): string {
  const text = `every ${(interval_ns / SECOND_NS).toFixed(1)} s`;
  return interval_ns < 1.05 * SECOND_NS ? text
    : `${text}: more often would take more than 5 % of a processor`;
}

/** The text that changes with each look: its number, and how many processes run. */
export function lookText({ look, running, processes, interval_ns, state }: LiveIndex,
    activity: Activity): string {
  const at = `look ${grouped(look)}`;
  if (state !== 'runs') return `${plural(processes, 'process', 'processes')}, ${at}`;
  const counts = `running: ${grouped(running)} of ${plural(processes, 'process', 'processes')}`;
  return activity.kind === 'asks' ? `${counts}, ${at}, ${intervalText(interval_ns)}`
    : `${counts}, ${at}`;
}

/** A message that the user must know, such as that the program has ended; '' if there is none. */
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
