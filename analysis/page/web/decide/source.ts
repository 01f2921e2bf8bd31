// SPDX-License-Identifier: BSD-3-Clause
// The contents of view Source: the numbers of each line, and how the regions of a file are nested.
// Nodes that the runtime adds below a region (waits, scheduling) count as the region, as in
// `sis-analyze overhead --region FILE:LINE --exclusive`. Pure functions.

import type { CellTable, LineSamplesTable, NodeTable, PartTable, RegionTable }
  from '../data/tables';
import { USEFUL } from '../data/tables';

export interface FileRegions {
  path: string;
  regions: number[]; // rows of table region, by line
}

/** The files of the source, by name. */
export function filesOf(region: Pick<RegionTable, 'file' | 'line_start' | 'line_end'>)
    : FileRegions[] {
  const files = new Map<string, number[]>();
  region.file.forEach((path, row) => {
    if (!path || !region.line_start[row]) return;
    const rows = files.get(path);
    if (rows) rows.push(row);
    else files.set(path, [row]);
  });
  const { line_start, line_end } = region;
  return [...files].map(([path, regions]) => ({
    path,
    regions: regions.sort((a, b) => line_start[a] - line_start[b] || line_end[b] - line_end[a] ||
      a - b),
  })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The group of each region: a number from 0 on, or -1 for no group. */
export interface Groups {
  of: Int32Array;
  count: number;
}

export function groupsOfFiles(region: RegionTable, files: readonly FileRegions[]): Groups {
  const of = new Int32Array(region.name.length).fill(-1);
  files.forEach((file, number) => file.regions.forEach(row => { of[row] = number; }));
  return { of, count: files.length };
}

/** The lines of a file at which regions begin, and their groups. */
export interface FileLines extends Groups {
  lines: number[];
}

export function groupsOfLines(region: RegionTable, file: FileRegions): FileLines {
  const of = new Int32Array(region.name.length).fill(-1);
  const lines: number[] = [];
  for (const row of file.regions) {
    const line = region.line_start[row];
    if (lines[lines.length - 1] !== line) lines.push(line);
    of[row] = lines.length - 1;
  }
  return { of, lines, count: lines.length };
}

/** The sums of each group over the chosen units, in nanoseconds. */
export interface GroupSums {
  useful: Float64Array;
  lost: Float64Array; // all leaves
  leaf: Float64Array; // [group * leaves + leaf]
  leaves: number;
  calls: Float64Array;
  inclusive: Float64Array;
  square: Float64Array; // sum of the squared errors of exclusive times, which are independent
}

export interface Measured {
  node: NodeTable;
  cell: CellTable;
  part: PartTable;
}

function sumParts(sums: GroupSums, { node, part }: Measured, groups: Groups,
    units: Uint8Array | null, ignored: number): void {
  const rows = part.node.length;
  for (let i = 0; i < rows; i++) {
    if (units && !units[part.unit[i]]) continue;
    const group = groups.of[node.region[node.source_node[part.node[i]]]];
    const leaf = part.leaf[i];
    if (group < 0 || leaf === ignored) continue;
    if (leaf === USEFUL) {
      sums.useful[group] += part.ns[i];
    } else {
      sums.lost[group] += part.ns[i];
      sums.leaf[group * sums.leaves + leaf] += part.ns[i];
    }
  }
}

function sumCells(sums: GroupSums, { node, cell }: Measured, groups: Groups,
    units: Uint8Array | null): void {
  const rows = cell.node.length;
  for (let i = 0; i < rows; i++) {
    if (units && !units[cell.unit[i]]) continue;
    const at = cell.node[i], group = groups.of[node.region[at]];
    if (group < 0) continue;
    sums.calls[group] += cell.calls[i];
    if (!node.nested[at]) sums.inclusive[group] += cell.incl_ns[i];
    sums.square[group] += cell.error_ns[i] * cell.error_ns[i];
  }
}

/** `units` has 1 for each chosen unit; null means all. `ignored` is the leaf that is no overhead
 * (UNMEASURED). */
export function sumGroups(measured: Measured, groups: Groups, leaves: number,
    units: Uint8Array | null, ignored: number): GroupSums {
  const column = () => new Float64Array(groups.count);
  const sums: GroupSums = {
    useful: column(), lost: column(), leaf: new Float64Array(groups.count * leaves), leaves,
    calls: column(), inclusive: column(), square: column(),
  };
  sumParts(sums, measured, groups, units, ignored);
  sumCells(sums, measured, groups, units);
  return sums;
}

/** The leaf with the most time; -1 if none has any. */
export function largestLeaf(sums: GroupSums, group: number): number {
  let best = -1, most = 0;
  for (let leaf = 0; leaf < sums.leaves; leaf++) {
    const ns = sums.leaf[group * sums.leaves + leaf];
    if (ns > most) [best, most] = [leaf, ns];
  }
  return best;
}

/** The time of some leaves in a group. */
export function timeOf(sums: GroupSums, group: number, chosen: Uint8Array): number {
  let ns = 0;
  for (let leaf = 0; leaf < sums.leaves; leaf++)
    if (chosen[leaf]) ns += sums.leaf[group * sums.leaves + leaf];
  return ns;
}

/** A heat from 0 to 1. It grows with the square root, so that small values differ visibly from
 * 0. */
export function heat(ns: number, most: number): number {
  return ns > 0 && most > 0 ? Math.sqrt(Math.min(1, ns / most)) : 0;
}

/** The bracket of a region beside the text: its lines, and its lane; lane 0 is the outermost. */
export interface Bracket {
  region: number;
  first: number;
  last: number;
  lane: number;
}

/** The brackets of regions with several lines. Outer regions are in outer lanes. Regions deeper
 * than `most` are left out. `regions` must be ordered by line, with the longer one first. */
export function bracketsOf(region: RegionTable, regions: readonly number[], most: number):
    Bracket[] {
  const open: number[] = []; // by lane: the last line of the region in it
  const brackets: Bracket[] = [];
  for (const row of regions) {
    const first = region.line_start[row], last = region.line_end[row];
    while (open.length && open[open.length - 1] < first) open.pop();
    if (last <= first) continue;
    if (open.length < most) brackets.push({ region: row, first, last, lane: open.length });
    open.push(last);
  }
  return brackets;
}

/** The innermost region around a line; -1 if there is none. */
export function regionAt(region: RegionTable, regions: readonly number[], line: number): number {
  let found = -1;
  for (const row of regions) {
    if (region.line_start[row] > line) break;
    if (region.line_end[row] >= line) found = row;
  }
  return found;
}

/** The file to show: that of the selected region, or else the one with the most lost time. */
export function chooseFile(files: readonly FileRegions[], region: RegionTable, selected: number,
    lost: Float64Array): number {
  const path = selected >= 0 ? region.file[selected] : '';
  const found = files.findIndex(file => file.path === path);
  if (found >= 0) return found;
  let best = files.length ? 0 : -1;
  for (let i = 1; i < files.length; i++) if (lost[i] > lost[best]) best = i;
  return best;
}

/** Replaces tabs by blanks, so that columns stay aligned. */
export function expandTabs(line: string, width = 8): string {
  let text = '';
  for (const c of line) text += c === '\t' ? ' '.repeat(width - text.length % width) : c;
  return text;
}

/** For each line, 1 if it has the text, in upper or lower case. Null if no text is searched for. */
export function linesWith(lines: readonly string[], search: string): Uint8Array | null {
  if (!search) return null;
  const text = search.toLowerCase();
  return Uint8Array.from(lines, line => Number(line.toLowerCase().includes(text)));
}

/** The lines of a file, which the page stores file by file. */
export function textOfFile(file: Uint32Array, text: readonly string[], wanted: number): string[] {
  const first = file.indexOf(wanted), last = file.lastIndexOf(wanted);
  return first < 0 ? [] : text.slice(first, last + 1);
}

/** The samples at each line of a file that has any. `mask`: the units that count; null: all. */
export function samplesOfFile({ unit, file, line, samples }: LineSamplesTable, wanted: string,
    mask: Uint8Array | null): Map<number, number> {
  const found = new Map<number, number>();
  for (let i = 0; i < file.length; i++)
    if (file[i] === wanted && (!mask || mask[unit[i]]))
      found.set(line[i], (found.get(line[i]) ?? 0) + samples[i]);
  return found;
}

/** The names of the regions that begin in a line. */
export function namesAt(region: RegionTable, regions: readonly number[], line: number): string[] {
  return regions.filter(row => region.line_start[row] === line).map(row => region.name[row]);
}
