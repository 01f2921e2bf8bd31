// SPDX-License-Identifier: BSD-3-Clause
// The contents of view Time: the visible part of the run, its level of detail, where lanes are, and
// what is at a place of the picture. Pure functions.

import { bucketOf, type ItemTile } from '../data/tiles';
import type { Lane } from '../data/tiles';
import { tickDigits, tickStep } from '../draw/axis';

/** A part of the run. Times are nanoseconds after the begin of the run. */
export interface Span {
  readonly from_ns: number;
  readonly to_ns: number;
}

const SHORTEST = 20; // ns that a picture spans at least

/** Limits a span to the run, and makes it long enough to be shown. */
export function within({ from_ns, to_ns }: Span, run_ns: number): Span {
  const length = Math.min(run_ns, Math.max(SHORTEST, to_ns - from_ns));
  const from = Math.min(run_ns - length, Math.max(0, from_ns));
  return { from_ns: from, to_ns: from + length };
}

/** Zooms: a `factor` below 1 shows less of the run. The time `at_ns` keeps its place. */
export function zoomed(span: Span, factor: number, at_ns: number, run_ns: number): Span {
  const least = Math.max(factor, SHORTEST / (span.to_ns - span.from_ns));
  return within({ from_ns: at_ns - (at_ns - span.from_ns) * least,
    to_ns: at_ns + (span.to_ns - at_ns) * least }, run_ns);
}

/** Moves the span by a share of its length: to later times, or to earlier ones if it is
 * negative. */
export function panned(span: Span, share: number, run_ns: number): Span {
  const by = share * (span.to_ns - span.from_ns);
  return within({ from_ns: span.from_ns + by, to_ns: span.to_ns + by }, run_ns);
}

/** The interval with a margin, so that its ends can be seen. */
export function around({ from_ns, to_ns }: Span, run_ns: number): Span {
  const margin = 0.06 * (to_ns - from_ns);
  return within({ from_ns: from_ns - margin, to_ns: to_ns + margin }, run_ns);
}

/** The highest level whose buckets are at most two pixels wide. `least` is the lowest level that is
 * available. */
export function levelFor(ns_per_pixel: number, least: number, top: number): number {
  let level = 0;
  while (level < top && bucketOf(level + 1) <= 2 * ns_per_pixel) level++;
  return Math.max(least, level);
}

// -- typed times ----------------------------------------------------------------------------------

const UNITS: { readonly [unit: string]: number } = {
  '': 1e9, s: 1e9, ms: 1e6, us: 1e3, 'µs': 1e3, ns: 1,
};

/** The time that a text names: '1.5', '20 ms', '300us'. NaN if the text is no time. */
export function parseTime(text: string): number {
  const found = /^\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-zµ]*)\s*$/.exec(text.replace(/\u202f/g, ' '));
  const unit = found ? UNITS[found[2]] : undefined;
  return found && unit ? Math.round(Number(found[1]) * unit) : NaN;
}

/** Seconds with as many digits as the span needs: nine if it is 1 ms. */
export function timeText(ns: number, span: Span): string {
  const step = tickStep(span.from_ns / 1e9, span.to_ns / 1e9, 1000);
  return (ns / 1e9).toFixed(Math.min(9, tickDigits(step)));
}

// -- ruler ----------------------------------------------------------------------------------------

export interface Tick {
  readonly ns: number;
  readonly text: string;
}

const TIMES: readonly (readonly [number, string])[] =
  [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

/** The ticks of the ruler: at most `most` round times. Far into a run, the digits that all ticks
 * have in common are only in `base`, and each tick says how much later it is. */
export function rulerTicks({ from_ns, to_ns }: Span, most: number)
    : { base: string; ticks: Tick[] } {
  const step = Math.max(1, tickStep(from_ns, to_ns, most));
  const first = Math.ceil(from_ns / step) * step;
  const far = from_ns > 1000 * (to_ns - from_ns);
  const origin = far ? first : 0;
  const largest = far ? to_ns - from_ns : to_ns;
  const [size, unit] = TIMES.find(([ns]) => largest >= ns) ?? TIMES[3];
  const digits = tickDigits(step / size);
  const ticks: Tick[] = [];
  for (let n = 0; first + n * step <= to_ns; n++) {
    const ns = first + n * step;
    ticks.push({ ns, text: `${far ? '+' : ''}${((ns - origin) / size).toFixed(digits)} ${unit}` });
  }
  const base = far ? `${(first / 1e9).toFixed(9).replace(/0+$/, '')} s` : '';
  return { base, ticks };
}

// -- lanes ----------------------------------------------------------------------------------------

/** A unit in the picture. */
export interface Row {
  readonly unit: number; // row of `trace_unit`
  readonly top: number; // CSS pixels from the top of all rows
  readonly lanes: number; // number of lanes that are shown
}

export interface Layout {
  readonly rows: readonly Row[];
  readonly lane: number; // height of a lane
  readonly height: number; // height of all rows
}

const GAP = 5, WIDE_GAP = 24; // between rows: arrows need room
const LEAST = 3, MOST = 16, MOST_LANES = 60;

/** The rows of the units. Lanes are as high as fits into the height `room`, from LEAST to MOST
 * pixels. */
export function layout(units: readonly number[], lanes: ArrayLike<number>, room: number): Layout {
  const shown = (unit: number) => Math.min(MOST_LANES, Math.max(1, lanes[unit]));
  const all = units.reduce((sum, unit) => sum + shown(unit), 0);
  const fitting = Math.floor((room - GAP * units.length) / Math.max(1, all));
  const lane = Math.max(LEAST, Math.min(MOST, fitting));
  const left = Math.floor((room - all * lane) / Math.max(1, units.length));
  const gap = Math.max(GAP, Math.min(WIDE_GAP, left));
  let top = 0;
  const rows = units.map(unit => {
    const row = { unit, top, lanes: shown(unit) };
    top += Math.max(row.lanes * lane, 9) + gap;
    return row;
  });
  return { rows, lane, height: top };
}

export function rowHeight(row: Row, { lane }: Layout): number {
  return Math.max(row.lanes * lane, 9);
}

/** The rows that are partly between two heights: from `first` to `end` - 1. */
export function visibleRows({ rows, lane }: Layout, top: number, bottom: number): [number, number] {
  let first = 0, end = rows.length;
  while (first < end) { // the first row that ends below `top`
    const middle = (first + end) >> 1;
    if (rows[middle].top + Math.max(rows[middle].lanes * lane, 9) <= top) first = middle + 1;
    else end = middle;
  }
  end = first;
  while (end < rows.length && rows[end].top < bottom) end++;
  return [first, end];
}

/** The row and the depth at a height; null if it is between rows. */
export function laneAt(list: Layout, y: number): { row: Row; depth: number } | null {
  const [first] = visibleRows(list, y, y + 1);
  const row = list.rows[first];
  if (!row || y < row.top || y >= row.top + rowHeight(row, list)) return null;
  return { row, depth: Math.min(row.lanes - 1, Math.floor((y - row.top) / list.lane)) };
}

// -- items ----------------------------------------------------------------------------------------

/** The first item of a lane that ends after `ns`, as an index of the tile's columns. */
export function firstAfter(tile: ItemTile, { from, to }: Lane, ns: number): number {
  const { start_ns, bucket_ns } = tile;
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    const end = start_ns[middle] + (bucket_ns || tile.ns[middle]);
    if (end <= ns) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The item at a place of the picture. */
export interface Found {
  readonly unit: number;
  readonly depth: number;
  readonly context: number;
  readonly start_ns: number;
  readonly end_ns: number;
  readonly ns: number; // duration; of a merged item, the time that is filled
  readonly activations: number;
  readonly merged: boolean;
}

export function itemAt(tile: ItemTile, lane: Lane, unit: number, ns: number, slack: number)
    : Found | null {
  const i = firstAfter(tile, lane, ns - slack);
  if (i >= lane.to || tile.start_ns[i] > ns + slack) return null;
  return foundItem(tile, i, unit, lane.depth);
}

export function foundItem(tile: ItemTile, i: number, unit: number, depth: number): Found {
  const merged = tile.bucket_ns > 0;
  return { unit, depth, context: tile.context[i], start_ns: tile.start_ns[i],
    end_ns: tile.start_ns[i] + (merged ? tile.bucket_ns : tile.ns[i]), ns: tile.ns[i],
    activations: merged ? tile.activations[i] : 1, merged };
}
