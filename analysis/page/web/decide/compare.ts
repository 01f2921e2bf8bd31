// SPDX-License-Identifier: BSD-3-Clause
// The contents of view Compare for two series of runs, A and B: the steps of the waterfall, and the
// lists of regions. They are made from the output of `sis-analyze compare` for these series. Pure
// functions.

import type { PageIndex } from '../data/index';

/** Repetitions of a run. Series are compared by their means. */
export interface Series {
  experiments: number[]; // rows of PageIndex.experiments
  p: number;
}

/** A row of `compare A B --regions --json`. */
export interface RegionDifference {
  region: string;
  type: string;
  file: string;
  line_start: number;
  key: string;
  a: number | null; // seconds; null if A does not have the region
  b: number | null;
  difference: number | null;
  change: number | null;
  p_value: number | null;
  verdict: 'same' | 'faster' | 'slower' | 'new' | 'gone';
}

/** A row of `compare A B --parts --json`. */
export interface PartDifference {
  region: string;
  type: string | null;
  file: string | null;
  line_start: number | null;
  overhead: string | null; // null for the remainder
  a: number | null;
  b: number | null;
  difference: number;
  change: number | null;
  culprit: string | null;
  cause: string | null;
}

export interface Pair {
  a: number; // rows of `series`
  b: number;
  experiment: number; // its tables `path` and `difference` have the pair
  regions: RegionDifference[];
  parts: PartDifference[]; // the largest ones, then the remainder
}

/** A row of `compare A B C --json`. */
export interface OverheadSeconds {
  experiment: string;
  overhead: string; // T_P, T_P_WITHOUT_PROBES, USEFUL, or a mnemonic
  seconds: number | null;
}

/** Document 'compare --pairs', which analysis/commands/page_pairs.c writes. */
export interface CompareDocument {
  any_application: boolean; // whether the runs are of several programs
  series: Series[];
  pairs: Pair[];
  overheads: OverheadSeconds[];
}

export function compareOf(index: PageIndex): CompareDocument | null {
  const found = index.documents['compare --pairs'] as CompareDocument | undefined;
  return found && found.pairs.length ? found : null;
}

/** The names of the runs of a series: 'e-h2' or 'e-h2, e-h2b'. */
export function seriesName(index: PageIndex, series: Series, separator = ', '): string {
  return series.experiments.map(row => index.experiments[row].name).join(separator);
}

/** The pair that has the two selected experiments, in either order. If there is none, the first
 * pair. */
export function choosePair(document: CompareDocument, experiment: number, against: number): number {
  const has = (series: number, row: number) => document.series[series].experiments.includes(row);
  const found = document.pairs.findIndex(({ a, b }) =>
    (has(a, against) && has(b, experiment)) || (has(b, against) && has(a, experiment)));
  return Math.max(0, found);
}

/** Mean seconds of a row of the overhead tree in a series. Null if a run lacks the value. */
export function secondsOf(document: CompareDocument, index: PageIndex, series: Series,
    overhead: string): number | null {
  let sum = 0;
  for (const row of series.experiments) {
    const name = index.experiments[row].name;
    const found = document.overheads.find(o => o.experiment === name && o.overhead === overhead);
    if (found?.seconds === null) return null;
    sum += found?.seconds ?? 0;
  }
  return sum / series.experiments.length;
}

/** A step of the waterfall, from `from` to `to` seconds. */
export interface Step {
  key: string; // mnemonic, 'USEFUL', or 'smaller'
  text: string;
  a: number | null; // null if it was not measured in A
  b: number | null;
  by: number;
  from: number;
  to: number;
  count: number; // number of leaves in the step
}

export interface Waterfall {
  a: number; // T_p
  b: number;
  steps: Step[];
}

function stepsOf(document: CompareDocument, index: PageIndex, pair: Pair): Step[] {
  const a = document.series[pair.a], b = document.series[pair.b];
  const leaves = index.overheads.filter(kind => kind.is_leaf);
  return [{ name: 'USEFUL', text: 'useful work' }, ...leaves].map(({ name, text }) => {
    const left = secondsOf(document, index, a, name), right = secondsOf(document, index, b, name);
    return { key: name, text, a: left, b: right, by: (right ?? 0) - (left ?? 0), from: 0, to: 0,
      count: 1 };
  }).filter(step => step.a || step.b);
}

/** The waterfall of a pair. Steps smaller than the part `least` of the longer T_p are merged into
 * one, which is the last. */
export function waterfallOf(document: CompareDocument, index: PageIndex, pair: Pair,
    least: number): Waterfall {
  const t = (series: number) =>
    secondsOf(document, index, document.series[series], 'T_P') ?? 0;
  const a = t(pair.a), b = t(pair.b), limit = least * Math.max(a, b);
  const all = stepsOf(document, index, pair);
  const steps = all.filter(step => Math.abs(step.by) >= limit);
  const small = all.filter(step => Math.abs(step.by) < limit);
  const shown = steps.reduce((sum, step) => sum + step.by, 0);
  if (small.length)
    steps.push({ key: 'smaller', text: `${small.length} smaller`, a: null, b: null,
      by: b - a - shown, from: 0, to: 0, count: small.length });
  let at = a;
  for (const step of steps) {
    step.from = at;
    at += step.by;
    step.to = at;
  }
  return { a, b, steps };
}

/** The regions of a pair by verdict; each list begins with the largest difference. */
export interface RegionLists {
  program: RegionDifference | null;
  slower: RegionDifference[];
  faster: RegionDifference[];
  added: RegionDifference[]; // new in B
  gone: RegionDifference[];
  same: RegionDifference[]; // within noise, or too small
}

export function listsOf(pair: Pair): RegionLists {
  const size = (row: RegionDifference) => Math.abs(row.difference ?? 0);
  const rows = pair.regions.filter(row => row.key).sort((x, y) => size(y) - size(x));
  const of = (verdict: string) => rows.filter(row => row.verdict === verdict);
  return {
    program: pair.regions.find(row => !row.key) ?? null,
    slower: of('slower'), faster: of('faster'), added: of('new'), gone: of('gone'),
    same: of('same'),
  };
}

/** Whether a difference can be tested against noise: both series together have at least three
 * runs. */
export function knowsNoise(document: CompareDocument, pair: Pair): boolean {
  return document.series[pair.a].experiments.length + document.series[pair.b].experiments.length
    > 2;
}

/** A sentence that says which series is slower, and by how much. */
export function sentence(a: string, b: string, t_a: number, t_b: number,
    seconds: (value: number) => string): string {
  if (t_a === t_b) return `${b} takes as long as ${a}.`;
  const share = t_a > 0 ? `, ${(Math.abs(t_b - t_a) / t_a * 100).toFixed(1)} %` : '';
  return `${b} is ${seconds(Math.abs(t_b - t_a))}${share} ${t_b > t_a ? 'slower' : 'faster'} ` +
    `than ${a}.`;
}
