// SPDX-License-Identifier: BSD-3-Clause
// Curves over the number of processing units, from the output of `sis-analyze speedup`: speedup and
// efficiency with their ideal lines, and each leaf. Each set of runs has its own picture. Pure
// functions.

import type { PageIndex } from '../data/index';
import type { OverheadSeconds } from './compare';

/** A row of `speedup --json`. */
export interface SpeedupRow {
  set: string;
  region: string;
  experiment: string;
  p: number;
  seconds: number | null;
  speedup: number | null;
  efficiency: number | null;
  metric: string;
  value: number | null;
  key: string | null; // of a region
}

/** A row of `speedup --efficiencies --json`. */
export interface FactorRow {
  set: string;
  experiment: string;
  p: number;
  factor: string;
  value: number | null;
  missing: string | null;
}

export interface SpeedupDocument {
  program: SpeedupRow[]; // document 'speedup'
  factors: FactorRow[]; // document 'speedup --efficiencies'
}

export function speedupOf(index: PageIndex): SpeedupDocument | null {
  const program = index.documents['speedup'] as SpeedupRow[] | undefined;
  const factors = index.documents['speedup --efficiencies'] as FactorRow[] | undefined;
  return program?.length ? { program, factors: factors ?? [] } : null;
}

export interface Point {
  p: number;
  value: number; // mean of the repetitions
  least: number; // the smallest value, and the largest one
  most: number;
  experiments: string[];
}

export interface Curve {
  key: string;
  points: Point[]; // by p
}

/** A curve with one point for each p: the mean of all runs with this p. Runs without a value are
 * left out. */
export function curveOf(key: string,
    rows: readonly { p: number; experiment: string; value: number | null }[]): Curve {
  const by = new Map<number, { experiment: string; value: number }[]>();
  for (const { p, experiment, value } of rows) {
    if (value === null || !Number.isFinite(value)) continue;
    const there = by.get(p);
    if (there) there.push({ experiment, value });
    else by.set(p, [{ experiment, value }]);
  }
  const points = [...by].sort((x, y) => x[0] - y[0]).map(([p, runs]) => {
    const values = runs.map(run => run.value);
    return {
      p, value: values.reduce((sum, value) => sum + value, 0) / values.length,
      least: Math.min(...values), most: Math.max(...values),
      experiments: runs.map(run => run.experiment),
    };
  });
  return { key, points };
}

export interface Scaling {
  set: string;
  base: number; // p of the run with which all others are compared
  seconds: Curve;
  speedup: Curve;
  efficiency: Curve;
  leaves: Curve[]; // seconds, mean of the units; leaves that reach `least` of T_p for some p
  useful: Curve;
  factors: Curve[];
}

function ofSet<Row extends { set: string }>(rows: readonly Row[], set: string): Row[] {
  return rows.filter(row => row.set === set);
}

function column(rows: readonly SpeedupRow[], name: 'seconds' | 'speedup' | 'efficiency'): Curve {
  return curveOf(name, rows.map(row => ({
    p: row.p, experiment: row.experiment, value: row[name],
  })));
}

function curvesBy<Row extends { p: number; experiment: string }>(rows: readonly Row[],
    key: (row: Row) => string, value: (row: Row) => number | null): Curve[] {
  const keys = [...new Set(rows.map(key))];
  return keys.map(name => curveOf(name, rows.filter(row => key(row) === name)
    .map(row => ({ p: row.p, experiment: row.experiment, value: value(row) }))));
}

const largest = (curve: Curve) => Math.max(0, ...curve.points.map(point => point.value));

/** The curves of each set, in the order of the command. `overheads` are those of all experiments,
 * as `sis-analyze compare` prints them. */
export function scalingsOf(document: SpeedupDocument, overheads: readonly OverheadSeconds[],
    index: PageIndex, least: number): Scaling[] {
  const isLeaf = new Set(index.overheads.filter(kind => kind.is_leaf).map(kind => kind.name));
  const sets = [...new Set(document.program.map(row => row.set))];
  return sets.map(set => {
    const program = ofSet(document.program, set), seconds = column(program, 'seconds');
    const units = new Map(program.map(row => [row.experiment, row.p]));
    const rows = overheads.flatMap(row => {
      const p = units.get(row.experiment);
      return p === undefined ? [] : [{ ...row, p }];
    });
    const curves = curvesBy(rows, row => row.overhead, row => row.seconds);
    const limit = least * largest(seconds);
    return {
      set, base: program[0].p, seconds, speedup: column(program, 'speedup'),
      efficiency: column(program, 'efficiency'),
      leaves: curves.filter(curve => isLeaf.has(curve.key) && largest(curve) >= limit &&
        largest(curve) > 0).sort((x, y) => largest(y) - largest(x)),
      useful: curves.find(curve => curve.key === 'USEFUL') ?? { key: 'USEFUL', points: [] },
      factors: curvesBy(ofSet(document.factors, set), row => row.factor, row => row.value)
        .filter(curve => curve.points.length > 0),
    };
  });
}

/** Whether p needs a logarithmic axis, because it grows by factors. */
export function isLogarithmic(values: readonly number[]): boolean {
  const least = Math.min(...values), most = Math.max(...values);
  return least > 0 && most >= 8 * least;
}

/** The curve of one region, from its rows of `speedup --regions`. */
export function regionCurve(rows: readonly SpeedupRow[], set: string,
    name: 'speedup' | 'efficiency'): Curve {
  return column(ofSet(rows, set), name);
}
