// SPDX-License-Identifier: BSD-3-Clause
// The contents of view Variables: the variables of a blame point as `sis-analyze blame` prints
// them, and overheads by variable as `sis-analyze blame --overhead` prints them. Pure functions.

import type {
  BlamePointTable, BlameTable, FunctionSamplesTable, UnitTable, VariableOverheadTable,
  VariableTable,
} from '../data/tables';

/* -- blame points ----------------------------------------------------------------------------- */

/** The points that the command shows without options. Two kinds are always shown: an outermost
 * function whose callers are all known, and a point of #pragma sis blame. Two kinds are shown if
 * they have at least the share `least` of the samples: an outermost function that may have unknown
 * callers, and a point above which the blame of some samples cannot rise. */
export function usualPoints(point: BlamePointTable, samples: number, least: number): number[] {
  const rows: number[] = [];
  for (let i = 0; i < point.path.length; i++) {
    const root = point.is_root[i], main = root && !point.is_cut[i];
    const share = samples > 0 ? point.samples[i] / samples : 0;
    if (main || point.is_chosen[i] || ((root || point.is_top[i]) && share >= least)) rows.push(i);
  }
  return sortPoints(point, rows);
}

/** Sorts points: those in the program's main come first, then all are ordered by path. */
export function sortPoints(point: BlamePointTable, rows: number[]): number[] {
  const rank = (row: number) =>
    (point.path[row] === 'main' || point.path[row].startsWith('main/') ? 0 : 1);
  return rows.sort((a, b) => rank(a) - rank(b) ||
    (point.path[a] < point.path[b] ? -1 : point.path[a] > point.path[b] ? 1 : a - b));
}

export interface PointPlace {
  above: number; // number of points of the table that are further up in its path
  rest: string; // the rest of the path, below the nearest point above
}

/** The place of each point: how many points are above it, and the rest of its path. */
export function pointPlaces(point: BlamePointTable): PointPlace[] {
  const known = new Set(point.path);
  return point.path.map(path => {
    let above = 0, rest = path;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (!known.has(path.slice(0, at))) continue;
      if (!above) rest = path.slice(at + 1);
      above++;
    }
    return { above, rest };
  });
}

export function pointText(path: string): string {
  return path.split('/').join(' > ');
}

/* -- units ------------------------------------------------------------------------------------ */

/** The lanes over which a spread is computed: processes if there are several, else threads. */
export interface Lanes {
  kind: 'process' | 'thread';
  of: Uint32Array; // by row of table unit
  names: string[];
}

export function lanesOf(unit: UnitTable): Lanes {
  const several = unit.process.some(process => process !== unit.process[0]);
  const of = new Uint32Array(unit.process.length), names: string[] = [];
  const lane = new Map<number, number>();
  for (let i = 0; i < of.length; i++) {
    const key = several ? unit.process[i] : i;
    let number = lane.get(key);
    if (number === undefined) {
      number = names.length;
      lane.set(key, number);
      names.push(several ? String(key) : `${unit.process[i]}.${unit.thread[i]}`);
    }
    of[i] = number;
  }
  return { kind: several ? 'process' : 'thread', of, names };
}

export interface Spread {
  mean: number;
  deviation: number;
  factor: number; // largest / mean; NaN if there are no samples
}

export function spreadOf(values: Float64Array): Spread {
  const n = values.length;
  let sum = 0, squares = 0, most = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
    most = Math.max(most, value);
  }
  const mean = sum / n;
  return {
    mean, deviation: Math.sqrt(Math.max(0, squares / n - mean * mean)),
    factor: sum > 0 ? most / mean : NaN,
  };
}

/* -- variables -------------------------------------------------------------------------------- */

/** A line of a blame point. Numbers are samples. */
export interface Line {
  variable: number; // row of table variable; -1 for all variables of the point
  kind: string; // as in the table, or 'all'
  name: string;
  field: string; // '' for the whole variable
  samples: number;
  explicit: number; // NaN if it is not defined
  implicit: number;
  blocked: number;
  base: number;
  lanes: Float64Array; // samples of each lane
  fields: Line[];
}

function emptyLine(variable: number, kind: string, name: string, field: string, lanes: number):
    Line {
  return { variable, kind, name, field, samples: 0, explicit: 0, implicit: 0, blocked: 0, base: 0,
    lanes: new Float64Array(lanes), fields: [] };
}

export interface Measured {
  variable: VariableTable;
  blame: BlameTable;
  unit: number; // number of parts of a sample
}

function addRow(line: Line, { blame, unit }: Measured, row: number, inclusive: boolean,
    lane: number): void {
  const counted = inclusive ? blame.explicit[row] + blame.implicit[row] : blame.parts[row];
  line.samples += counted / unit;
  line.explicit += blame.explicit[row] / unit;
  line.implicit += blame.implicit[row] / unit;
  line.base += blame.base[row] / unit;
  line.blocked += blame.blocked[row] / unit;
  line.lanes[lane] += counted / unit;
}

/** One line for each variable of a blame point. Table blame is ordered by variable. */
export function linesByVariable(measured: Measured, point: number, lanes: Lanes,
    units: Uint8Array | null, inclusive: boolean): Line[] {
  const { variable, blame } = measured, lines = new Map<number, Line>();
  for (let row = 0; row < blame.variable.length; row++) {
    const v = blame.variable[row];
    if (variable.point[v] !== point || (units && !units[blame.unit[row]])) continue;
    let line = lines.get(v);
    if (!line) {
      line = emptyLine(v, variable.kind[v], variable.name[v], variable.field[v],
        lanes.names.length);
      lines.set(v, line);
    }
    addRow(line, measured, row, inclusive, lanes.of[blame.unit[row]]);
  }
  return [...lines.values()];
}

const same = (v: VariableTable, a: number, b: number) => v.kind[a] === v.kind[b] &&
  v.name[a] === v.name[b] && v.file[a] === v.file[b] && v.line[a] === v.line[b];

const rank = (line: Line) => (line.kind === 'other' ? 2 : line.kind === 'output' ? 1 : 0);
const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Puts the fields below their variables, the largest first. */
function nest(variable: VariableTable, lines: Line[]): Line[] {
  const whole = lines.filter(line => !line.field);
  const byName = new Map<string, Line[]>();
  for (const line of whole) {
    const there = byName.get(line.name);
    if (there) there.push(line);
    else byName.set(line.name, [line]);
  }
  for (const line of lines) {
    if (!line.field) continue;
    const around = byName.get(line.name)?.find(of => same(variable, of.variable, line.variable));
    if (around) around.fields.push(line);
  }
  const bySamples = (a: Line, b: Line) => b.samples - a.samples || text(a.name, b.name) ||
    text(a.field, b.field);
  whole.forEach(line => line.fields.sort(bySamples));
  return whole.sort((a, b) => rank(a) - rank(b) || bySamples(a, b));
}

/** "All instances": the partitioned samples of all variables of a point. */
function allOf(measured: Measured, point: number, lanes: Lanes, units: Uint8Array | null): Line {
  const all = emptyLine(-1, 'all', 'All instances', '', lanes.names.length);
  for (const line of linesByVariable(measured, point, lanes, units, false)) {
    if (line.field) continue;
    all.samples += line.samples;
    all.blocked += line.blocked;
    line.lanes.forEach((value, lane) => { all.lanes[lane] += value; });
  }
  all.explicit = all.implicit = all.base = NaN;
  return all;
}

/** The lines of a point as the command prints them. The last line is that of all variables
 * together. */
export function linesOf(measured: Measured, point: number, lanes: Lanes, units: Uint8Array | null,
    inclusive: boolean): Line[] {
  const lines = linesByVariable(measured, point, lanes, units, inclusive);
  if (!lines.length) return [];
  return [...nest(measured.variable, lines), allOf(measured, point, lanes, units)];
}

/* -- overheads -------------------------------------------------------------------------------- */

/** A line of `blame --overhead`, with sums over the units. */
export interface OverheadLine {
  variable: number;
  ns: number;
  bytes: number;
  calls: number;
  leaf: Float64Array; // ns by row of PageIndex.overheads
  routines: string[];
}

export function overheadLines(variable: VariableTable, overhead: VariableOverheadTable,
    point: number, leaves: Uint8Array, units: Uint8Array | null): OverheadLine[] {
  const lines = new Map<number, OverheadLine>();
  for (let row = 0; row < overhead.variable.length; row++) {
    const v = overhead.variable[row];
    if (variable.point[v] !== point || variable.field[v] || !leaves[overhead.leaf[row]] ||
        (units && !units[overhead.unit[row]])) continue;
    let line = lines.get(v);
    if (!line) {
      line = { variable: v, ns: 0, bytes: 0, calls: 0, leaf: new Float64Array(leaves.length),
        routines: [] };
      lines.set(v, line);
    }
    line.ns += overhead.ns[row];
    line.bytes += overhead.bytes[row];
    line.calls += overhead.calls[row];
    line.leaf[overhead.leaf[row]] += overhead.ns[row];
    if (!line.routines.includes(overhead.routine[row])) line.routines.push(overhead.routine[row]);
  }
  lines.forEach(line => line.routines.sort());
  return [...lines.values()].sort((a, b) => b.ns - a.ns ||
    text(variable.name[a.variable], variable.name[b.variable]));
}

/** The points that have overheads by variable. */
export function pointsWithOverhead(variable: VariableTable, overhead: VariableOverheadTable):
    Set<number> {
  const points = new Set<number>();
  for (const v of overhead.variable) points.add(variable.point[v]);
  return points;
}

/* -- functions -------------------------------------------------------------------------------- */

export interface FunctionLine {
  name: string;
  file: string;
  line: number;
  own: number;
  inclusive: number;
}

/** The lines of `blame --functions`. In table function_samples, the rows of a function are
 * successive. */
export function functionLines(samples: FunctionSamplesTable, units: Uint8Array | null):
    FunctionLine[] {
  const lines: FunctionLine[] = [];
  let last: FunctionLine | undefined;
  for (let row = 0; row < samples.unit.length; row++) {
    if (units && !units[samples.unit[row]]) continue;
    const name = samples.function[row], file = samples.file[row], line = samples.line[row];
    if (!last || last.name !== name || last.file !== file || last.line !== line)
      lines.push(last = { name, file, line, own: 0, inclusive: 0 });
    last.own += samples.own[row];
    last.inclusive += samples.inclusive[row];
  }
  return lines.sort((a, b) => b.own - a.own || b.inclusive - a.inclusive || text(a.name, b.name));
}
