// SPDX-License-Identifier: BSD-3-Clause
// Which tiles the sums of an interval need, and for how much of the interval the activity of a unit
// is known. Pure functions.

import type { UnitTable } from '../data/tables';
import type { Trace } from '../data/trace';
import { EXACT, MERGED } from '../data/tiles';
import type { Span } from './time';

/** All tiles of the interval at a level of detail. Level 0 has every activation. */
export function intervalTiles(trace: Pick<Trace, 'between' | 'index'>, units: readonly number[],
    { from_ns, to_ns }: Span, level: number): number[] {
  const list: number[] = [];
  for (const unit of units) {
    if (level) list.push(...trace.between(unit, MERGED, level, from_ns, to_ns));
    for (let k = level; k <= trace.index.top; k++)
      list.push(...trace.between(unit, EXACT, k, from_ns, to_ns));
  }
  return list;
}

/** The most exact level at which the interval needs at most `most` tiles; the coarsest level if
 * there is none. `exact` is the number of tiles at the most exact level that is available. */
export function affordableTiles(trace: Pick<Trace, 'between' | 'index' | 'level'>,
    units: readonly number[], span: Span, most: number)
    : { level: number; tiles: number[]; exact: number } {
  let { level } = trace, tiles = intervalTiles(trace, units, span, level);
  const exact = tiles.length;
  while (tiles.length > most && level < trace.index.top)
    tiles = intervalTiles(trace, units, span, ++level);
  return { level, tiles, exact };
}

/** Whether a unit of the trace is the initial thread of its process. Outside of all regions, the
 * initial thread is in the root; other threads are idle, or do not exist. */
export function isInitial({ tables }: Pick<Trace, 'tables'>, unit: UnitTable, own: number)
    : boolean {
  const row = tables.trace_unit.unit[own];
  return row >= 0 && unit.thread[row] === 0;
}

/** The time of the interval in which the unit's process ran and its trace was on. It is 0 for a
 * unit without a trace. */
export function knownTime({ tables }: Pick<Trace, 'tables'>, unit: UnitTable, own: number,
    span: Span): number {
  const { gap, trace_unit } = tables, row = trace_unit.unit[own];
  if (!trace_unit.is_read[own]) return 0;
  const clip = (from: number, to: number) => Math.max(0,
      Math.min(to, span.to_ns) - Math.max(from, span.from_ns));
  let known = clip(unit.start_ns[row], unit.end_ns[row]);
  for (let i = 0; i < gap.unit.length; i++)
    if (gap.unit[i] === own) known -= clip(gap.from_ns[i], gap.to_ns[i]);
  return known;
}
