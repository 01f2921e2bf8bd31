// SPDX-License-Identifier: BSD-3-Clause
// The selected interval: which views show its numbers, what the strip says about it, and how
// commands name it. Pure functions.

import type { ExperimentIndex, PageIndex } from '../data/index';
import { START, type Selection } from '../store/selection';
import { exactSeconds, seconds } from '../text';
import type { Span } from './time';

/** What a view shows: the numbers of the whole run; those of the selected interval; or a picture in
 * which the interval is marked. */
export type Extent = 'run' | 'interval' | 'picture';

type Run = Pick<ExperimentIndex, 't_p_ns' | 'trace' | 'interval'>;

/** The interval as a part of the run. Null if no interval is selected, if the run has no trace, or
 * if the interval begins after the run's end. */
export function spanOf({ from_ns, to_ns }: Selection, run: Run | undefined): Span | null {
  if (run?.interval) return run.interval;
  if (!run?.trace || from_ns < 0 || from_ns >= run.t_p_ns) return null;
  return { from_ns, to_ns: Math.min(to_ns, run.t_p_ns) };
}

/** Options --from and --to for the selected interval; empty if none is selected. */
export function timeWords({ index }: { readonly index: PageIndex }, selection: Selection)
    : (readonly [string, string])[] {
  const span = spanOf(selection, index.experiments[selection.experiment]);
  return span
    ? [['--from', exactSeconds(span.from_ns)], ['--to', exactSeconds(span.to_ns)]] : [];
}

/** The remark of the strip about the selected interval; '' if none is needed. */
export function intervalNote(extent: Extent, selection: Selection, run: Run | undefined): string {
  if (selection.from_ns === START.from_ns || extent === 'picture') return '';
  const whole = 'numbers below are of the whole run';
  if (extent === 'run') return `${whole}, not of this time`;
  if (!run?.trace) return `${whole}: without a trace, this time is not known`;
  return spanOf(selection, run) ? '' : `${whole}, which ended after ${seconds(run.t_p_ns)}`;
}
