// SPDX-License-Identifier: BSD-3-Clause
// How values are distributed: quartiles and histograms. Pure functions.

export interface Quartiles {
  least: number;
  low: number; // a quarter of the values is below
  middle: number; // the median
  high: number;
  most: number;
}

/** The quantile `part` of sorted values, interpolated between the two nearest values. */
function at(sorted: Float64Array, part: number): number {
  const place = part * (sorted.length - 1);
  const below = Math.floor(place), above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

/** The quartiles of the values; null if there are none. */
export function quartiles(values: Float64Array): Quartiles | null {
  if (!values.length) return null;
  const sorted = values.slice().sort();
  return {
    least: sorted[0], low: at(sorted, 0.25), middle: at(sorted, 0.5), high: at(sorted, 0.75),
    most: sorted[sorted.length - 1],
  };
}

export interface Histogram {
  from: number;
  step: number; // width of a bin
  counts: Uint32Array;
}

/** A histogram with at most `bins` bins of equal width, from the least to the largest value. It has
 * one bin if all values are equal. */
export function histogram(values: Float64Array, bins: number): Histogram {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(most > least))
    return { from: values.length ? least : 0, step: 0, counts: Uint32Array.of(values.length) };
  const step = (most - least) / bins;
  const counts = new Uint32Array(bins);
  for (const value of values) counts[Math.min(bins - 1, Math.floor((value - least) / step))]++;
  return { from: least, step, counts };
}
