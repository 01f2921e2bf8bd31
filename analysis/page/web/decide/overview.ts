// SPDX-License-Identifier: BSD-3-Clause
// The contents of view Overview: where the time went, in one sentence, one bar and a tree. For the
// whole run, numbers are from the documents of commands. For selected units or a region, they are
// sums of parts, which equal the numbers of `overhead --pu --region`. Pure functions.

import { FAMILIES, type Family, familyOf } from '../colour';
import { overheadOf, type ReportDocument, reportOf } from '../data/documents';
import type { EfficiencyKind, ExperimentIndex, OverheadKind } from '../data/index';
import { NodeTable, PartTable, RegionTable, USEFUL } from '../data/tables';
import { placeText } from '../text';
import { leafSums, leavesOf, partsByNode, treeSums } from './sums';
import { unitCount } from './units';

/** Means of the units, in nanoseconds. */
export interface Spent {
  units: number;
  total_ns: number; // T_p; for a region, its part of T_p
  useful_ns: number;
  kinds_ns: Float64Array; // by row of PageIndex.overheads
}

/** The whole run. */
export function spentInRun(experiment: ExperimentIndex, kinds: readonly OverheadKind[])
    : Spent | null {
  const document = overheadOf(experiment) ?? reportOf(experiment);
  if (!document) return null;
  const kinds_ns = Float64Array.from(kinds, kind => 1e9 * (document.overheads[kind.name] ?? 0));
  return { units: document.p, total_ns: 1e9 * document.t_p, useful_ns: 1e9 * document.useful,
    kinds_ns };
}

/** The nodes of a region or a call path, and all nodes below them. Null means all nodes. */
export function nodesOf(node: NodeTable, region: number, row: number): Uint8Array | null {
  if (row < 0 && region < 0) return null;
  const mask = new Uint8Array(node.parent.length);
  if (row >= 0) return mask.fill(1, row, node.end[row]);
  for (let at = 0; at < mask.length; at++)
    if (node.region[at] === region && !mask[at]) mask.fill(1, at, node.end[at]);
  return mask;
}

/** A part of the run: some units, some nodes. */
export function spentIn(kinds: readonly OverheadKind[], part: PartTable, all: number,
    units: Uint8Array | null, nodes: Uint8Array | null): Spent {
  const leaves = new Float64Array(256);
  if (!nodes) leaves.set(leafSums(part, units));
  else for (let row = 0; row < part.ns.length; row++)
    if (nodes[part.node[row]] && (!units || units[part.unit[row]]))
      leaves[part.leaf[row]] += part.ns[row];
  const count = unitCount(units, all);
  const means = leaves.map(ns => ns / count);
  const total_ns = means.reduce((sum, ns) => sum + ns, 0);
  return { units: count, total_ns, useful_ns: means[USEFUL], kinds_ns: treeSums(kinds, means) };
}

export interface Piece {
  row: number; // of PageIndex.overheads, or USEFUL
  family: Family;
  ns: number;
}

/** The pieces of the bar, which add up to the total: useful work, then leaves by family, the
 * largest first. If T_s is known, the part of the useful work that a leaf explains (such as
 * OLOSS_REPL) is a piece of its own. Leaves below zero (OUNID in a superlinear run) cannot be
 * drawn. */
export function pieces(kinds: readonly OverheadKind[], spent: Spent): Piece[] {
  const leaves: Piece[] = [];
  kinds.forEach((kind, row) => {
    const ns = spent.kinds_ns[row];
    if (kind.is_leaf && ns > 0) leaves.push({ row, family: familyOf(kinds, row), ns });
  });
  const rest = spent.total_ns - leaves.reduce((sum, piece) => sum + piece.ns, 0);
  const useful: Piece = { row: USEFUL, family: 'useful',
    ns: Math.max(0, Math.min(spent.useful_ns, rest)) };
  const ordered = FAMILIES.flatMap(family => leaves.filter(piece => piece.family === family)
      .sort((a, b) => b.ns - a.ns));
  return useful.ns > 0 ? [useful, ...ordered] : ordered;
}

export interface FamilyTotal {
  family: Family;
  ns: number;
  from: number; // sum of the families before
}

export function familyTotals(list: readonly Piece[]): FamilyTotal[] {
  const totals: FamilyTotal[] = [];
  let at = 0;
  for (const { family, ns } of list) {
    const last = totals[totals.length - 1];
    if (last?.family === family) last.ns += ns;
    else totals.push({ family, ns, from: at });
    at += ns;
  }
  return totals;
}

/** The family of overheads with the most time; null if there is no overhead. */
export function worstFamily(totals: readonly FamilyTotal[]): FamilyTotal | null {
  const overheads = totals.filter(({ family }) => family !== 'useful' && family !== 'UNMEASURED');
  return overheads.reduce<FamilyTotal | null>(
      (worst, each) => !worst || each.ns > worst.ns ? each : worst, null);
}

export interface MainRegion {
  region: number;
  share: number; // of the overhead
}

/** The region of the source in which the largest part of an overhead was spent. */
export function mainRegion(kinds: readonly OverheadKind[], overhead: string, part: PartTable,
    node: NodeTable, region: RegionTable): MainRegion | null {
  const sums = partsByNode(node.parent.length, part, leavesOf(kinds, overhead), null);
  const regions = new Float64Array(region.name.length);
  let all = 0;
  sums.forEach((ns, row) => {
    regions[node.region[node.source_node[row]]] += ns;
    all += ns;
  });
  let most = -1;
  regions.forEach((ns, row) => {
    if (!region.type[row].startsWith('RT_') && (most < 0 || ns > regions[most])) most = row;
  });
  return most >= 0 && regions[most] > 0 ? { region: most, share: regions[most] / all } : null;
}

/** The row of a region from the name and place in a document; -1 if there is none. */
export function regionAt(region: RegionTable, name: string, place: string): number {
  for (let row = 0; row < region.name.length; row++)
    if (region.name[row] === name
        && (place === '-' || place === '' ? !region.file[row]
          : placeText(region.file[row], region.line_start[row]) === placeOnly(place)))
      return row;
  return -1;
}

function placeOnly(place: string): string {
  return place.slice(place.lastIndexOf('/') + 1);
}

export type Grade = 'good' | 'fair' | 'low';

/** The grade of an efficiency, as in `sis-analyze report`. */
export function grade(value: number): Grade {
  return value >= 0.8 ? 'good' : value >= 0.6 ? 'fair' : 'low';
}

export interface EfficiencyRow {
  kind: EfficiencyKind;
  value: number;
}

/** The efficiencies that are known. */
export function efficiencyRows(kinds: readonly EfficiencyKind[], report: ReportDocument)
    : EfficiencyRow[] {
  return kinds.flatMap(kind => {
    const value = report.efficiencies[kind.key];
    return typeof value === 'number' ? [{ kind, value }] : [];
  });
}

export interface Note {
  about: string;
  text: string;
}

/** Notes that a user must read before the numbers, by the part of the view in which they are
 * shown. */
export interface Notes {
  run: Note[];
  overheads: string[];
  critical: string[];
}

/** If `runs`, the program has not ended yet. Then no note says this, because another part of the
 * page does. */
export function notesOf(report: ReportDocument, runs = false): Notes {
  const notes: Notes = { run: [], overheads: [], critical: [] };
  if (!report.complete && !runs)
    notes.run.push({ about: 'The run is not complete:',
      text: 'it was stopped, and all numbers are of the time until then, or not all that was '
        + 'measured could be written to the disk. The warnings say which.' });
  const { processors, p } = report;
  if (processors && p > processors)
    notes.run.push({ about: 'Read waits with care:', text: `${p} processing units shared `
      + `${processors} processors. A unit that waits may have waited for a processor.` });
  for (const text of report.warnings) {
    if (/ is not measured: /.test(text)) notes.overheads.push(text);
    else if (/critical path/.test(text)) notes.critical.push(text);
    else notes.run.push({ about: 'Warning:', text });
  }
  return notes;
}
