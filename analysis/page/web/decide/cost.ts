// SPDX-License-Identifier: BSD-3-Clause
// The contents of view Cost: the time that probes took, by region and by unit; which regions were
// measured less, and when; and how exact estimated times are. Pure functions.

import type { ExperimentIndex } from '../data/index';
import type {
  CellTable, NodeTable, PartTable, RegionTable, TurnedDownTable,
} from '../data/tables';

export interface ProbeCosts {
  region: Float64Array; // ns, sum over the chosen units, with the nodes that the runtime adds
  calls: Float64Array;
  square: Float64Array; // sum of the squares of the errors of exclusive times
  unit: Float64Array; // ns of each unit
  all: number; // ns, over the chosen units
}

export interface Measured {
  region: RegionTable;
  node: NodeTable;
  cell: CellTable;
  part: PartTable;
}

/** `probe` is the row of OPROBE in PageIndex.overheads. `units` has 1 for each chosen unit; null
 * means all. */
export function probeCosts({ region, node, cell, part }: Measured, unitCount: number, probe: number,
    units: Uint8Array | null): ProbeCosts {
  const column = () => new Float64Array(region.name.length);
  const costs: ProbeCosts = { region: column(), calls: column(), square: column(),
    unit: new Float64Array(unitCount), all: 0 };
  for (let i = 0; i < part.node.length; i++) {
    if (part.leaf[i] !== probe) continue;
    costs.unit[part.unit[i]] += part.ns[i];
    if (units && !units[part.unit[i]]) continue;
    costs.region[node.region[node.source_node[part.node[i]]]] += part.ns[i];
    costs.all += part.ns[i];
  }
  for (let i = 0; i < cell.node.length; i++) {
    if (units && !units[cell.unit[i]]) continue;
    const at = node.region[cell.node[i]];
    costs.calls[at] += cell.calls[i];
    costs.square[at] += cell.error_ns[i] * cell.error_ns[i];
  }
  return costs;
}

/** The regions with costs or errors. Those with the highest costs come first. */
export function costlyRegions(costs: ProbeCosts): number[] {
  const rows: number[] = [];
  for (let i = 0; i < costs.region.length; i++)
    if (costs.region[i] > 0 || costs.square[i] > 0) rows.push(i);
  return rows.sort((a, b) => costs.region[b] - costs.region[a] || costs.square[b] -
    costs.square[a] || a - b);
}

export const RUNGS = ['full', 'fraction', 'sampled', 'off'] as const;
export type Rung = (typeof RUNGS)[number];

export const RUNG_TEXT: { readonly [rung in Rung]: string } = {
  full: 'each call timed', fraction: 'one call in 16 timed', sampled: 'times by samples',
  off: 'off',
};

export function rungOf(name: string): Rung {
  return RUNGS.find(rung => rung === name) ?? 'full';
}

/** A time in which a process measured a region on one rung. Only changes of rungs are recorded.
 * Before the first change, each call was timed. */
export interface Stretch {
  rung: Rung;
  from: number; // nanoseconds after the start of the run
  to: number;
}

export interface RungLane {
  process: number;
  stretches: Stretch[];
}

export interface RegionRungs {
  region: number;
  lowest: Rung;
  lanes: RungLane[];
}

function laneOf(process: number, decisions: { rung: Rung; time: number }[], end: number): RungLane {
  const stretches: Stretch[] = [];
  let rung: Rung = 'full', from = 0;
  for (const decision of decisions.sort((a, b) => a.time - b.time)) {
    if (decision.time > from) stretches.push({ rung, from, to: decision.time });
    [rung, from] = [decision.rung, decision.time];
  }
  if (end > from) stretches.push({ rung, from, to: end });
  return { process, stretches };
}

/** The history of each region whose rung a process changed, ordered by the lowest rung that the
 * region had: regions that were off come first. */
export function rungsOf(turned: TurnedDownTable, end: number): RegionRungs[] {
  const regions = new Map<number, Map<number, { rung: Rung; time: number }[]>>();
  for (let i = 0; i < turned.region.length; i++) {
    const decision = { rung: rungOf(turned.rung[i]), time: turned.time_ns[i] };
    let processes = regions.get(turned.region[i]);
    if (!processes) regions.set(turned.region[i], processes = new Map());
    const there = processes.get(turned.process[i]);
    if (there) there.push(decision);
    else processes.set(turned.process[i], [decision]);
  }
  return [...regions].map(([region, processes]) => {
    const all = [...processes.values()].flat();
    const lowest = RUNGS[Math.max(...all.map(decision => RUNGS.indexOf(decision.rung)))];
    return { region, lowest, lanes: [...processes].sort((a, b) => a[0] - b[0])
      .map(([process, decisions]) => laneOf(process, decisions, end)) };
  }).sort((a, b) => RUNGS.indexOf(b.lowest) - RUNGS.indexOf(a.lowest) || a.region - b.region);
}

/** The part of `report --json` about the cost of measuring. */
export interface ReportCosts {
  t_p: number;
  t_p_without_probes: number | null;
}

/** A row of list includes_off of `report --json`: a region whose time includes that of regions that
 * were off. */
export interface OffInside {
  region: string;
  place: string;
  includes_off: string[];
}

/** A row of list switched_off of `report --json`: a sentence about something that rules, commands
 * or the program had switched off. */
export interface SwitchedOff {
  text: string;
}

export function switchedOffOf({ documents }: ExperimentIndex): SwitchedOff[] {
  const report = documents['report'] as { switched_off?: SwitchedOff[] } | undefined;
  return report?.switched_off ?? [];
}

export function offInsideOf({ documents }: ExperimentIndex): OffInside[] {
  const report = documents['report'] as { includes_off?: OffInside[] } | undefined;
  return report?.includes_off ?? [];
}

/** A sentence about the total cost: how much time measuring took, and what it changed. */
export function costSentence(share: number, report: ReportCosts | null): string {
  const took = `Probes took ${(100 * share).toFixed(2)} % of the time of the units.`;
  const without = report?.t_p_without_probes;
  if (without === null || without === undefined || !report) return took;
  const by = report.t_p > 0 ? 100 * (report.t_p - without) / report.t_p : 0;
  return `${took} Without those on the critical path, T_p would be ${by.toFixed(2)} % less.`;
}

/** A row of `suggest-filter --json`: a region that a further run need not measure. */
export interface FilterRow {
  region: string;
  pattern: string;
  place: string;
  calls: number;
  cost: number;
  before: number; // the share of the run that probes take
  after: number;
  loss: string;
}

/** A row of list `portions` of `calibrate NUMBER --json`: the cost of a part of measuring, for one
 * call of the kernel. */
export interface Portion {
  kernel: string;
  setting: string;
  depth: number;
  portion: string;
  median_ns: number;
  lower_quartile_ns: number;
  upper_quartile_ns: number;
}

/** What the portions mean. The portions of metrics have other names, which are not in this list. */
export const PORTION_TEXT: { readonly [portion: string]: string } = {
  T: 'a call that is not measured', floor: 'what remains when everything is off: SIS_ENABLE=0',
  I: 'a region that is off while others are on', C: 'the profile: what is collected, not written',
  'C inside': 'of this, what is in the time of the region itself',
  'C outside': 'the rest, which the region around it pays',
  'C trace': 'events of a trace that is never written', W: 'writing the trace',
  reading: 'reading the metric',
};

export interface CalibrationDocument {
  id: number;
  host: string;
  processor: string;
  started: string;
  processes: number;
  portions: Portion[];
}

/** The portions of the first setting that was measured, up to a recursion depth of one. */
export function mainPortions({ portions }: CalibrationDocument): Portion[] {
  const setting = portions[0]?.setting;
  return portions.filter(row => row.setting === setting && row.depth <= 1);
}

/** Sorts rows by a value. NaN is last. */
export function byValue(rows: readonly number[], value: (row: number) => number,
    descending: boolean): number[] {
  const of = (row: number) => {
    const number = value(row);
    return Number.isNaN(number) ? -Infinity : descending ? number : -number;
  };
  return [...rows].sort((a, b) => of(b) - of(a) || a - b);
}
