// SPDX-License-Identifier: BSD-3-Clause
// Groups of processing units, for pictures with fewer lines than units. A group is a process, a
// range of processes, or a host. Pure functions.

import type { UnitTable } from '../data/tables';
import { plural, unitName } from '../text';
import { unitCount } from './units';

export const GROUPINGS = ['fit', 'unit', 'process', 'range', 'host'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export type GroupKind = Exclude<Grouping, 'fit'>;

export interface Groups {
  readonly kind: GroupKind;
  readonly count: number;
  readonly of: Int32Array; // by unit: its group, or -1
  readonly size: Uint32Array; // by group: number of units
  readonly first: Uint32Array; // by group: its first unit, and its last
  readonly last: Uint32Array;
  readonly range: number; // number of processes in a range
}

interface Numbered {
  of: Int32Array;
  count: number;
}

/** Numbers the keys of the units in the order of their first units. */
function numbered(mask: Uint8Array | null, units: number,
    key: (unit: number) => number | string): Numbered {
  const numbers = new Map<number | string, number>();
  const of = new Int32Array(units).fill(-1);
  for (let unit = 0; unit < units; unit++) {
    if (mask && !mask[unit]) continue;
    const own = key(unit);
    let group = numbers.get(own);
    if (group === undefined) numbers.set(own, group = numbers.size);
    of[unit] = group;
  }
  return { of, count: numbers.size };
}

function distinct(mask: Uint8Array | null, units: number,
    key: (unit: number) => number | string): number {
  return numbered(mask, units, key).count;
}

/** The number of processes in a range, so that there are at most `most` ranges: 1, 2, 4, 8 ... */
function rangeSize(units: UnitTable, most: number): number {
  const processes = units.process.length ? units.process[units.process.length - 1] + 1 : 1;
  let size = 1;
  while (Math.ceil(processes / size) > most) size *= 2;
  return size;
}

/** The finest grouping with at most `most` groups. Hosts are preferred to ranges, because users
 * know them, unless the hosts are fewer than a quarter of `most`. */
function fitting(units: UnitTable, most: number, mask: Uint8Array | null): GroupKind {
  const count = units.process.length;
  if (unitCount(mask, count) <= most) return 'unit';
  if (distinct(mask, count, unit => units.process[unit]) <= most) return 'process';
  const hosts = distinct(mask, count, unit => units.host[unit]);
  return hosts > 1 && hosts <= most && hosts * 4 >= most ? 'host' : 'range';
}

/** The grouping in which each unit is a group. */
function single(count: number, range: number): Groups {
  const first = Uint32Array.from({ length: count }, (_, unit) => unit);
  return { kind: 'unit', count, of: Int32Array.from(first), size: new Uint32Array(count).fill(1),
    first, last: first, range };
}

/** Groups the units of a mask, or all if it is null. If a grouping would have more than `most`
 * groups, the groups are ranges instead. */
export function groupUnits(units: UnitTable, grouping: Grouping, most: number,
    mask: Uint8Array | null = null): Groups {
  const { process, host } = units;
  const kind = grouping === 'fit' ? fitting(units, most, mask) : grouping;
  const range = rangeSize(units, most);
  if (kind === 'unit' && !mask && process.length <= most) return single(process.length, range);
  const keys: { [kind in GroupKind]: (unit: number) => number | string } = {
    unit: unit => unit, process: unit => process[unit], host: unit => host[unit],
    range: unit => Math.floor(process[unit] / range),
  };
  const { of, count } = numbered(mask, process.length, keys[kind]);
  if (count > most && kind !== 'range') return groupUnits(units, 'range', most, mask);
  const [size, first, last] = [1, 2, 3].map(() => new Uint32Array(count));
  for (let unit = 0; unit < of.length; unit++) {
    const group = of[unit];
    if (group < 0) continue;
    if (!size[group]++) first[group] = unit;
    last[group] = unit;
  }
  return { kind, count, of, size, first, last, range };
}

/** The short name of a group: '5.1', '5', '0-31', or the host. */
export function groupLabel(units: UnitTable, { kind, first, last }: Groups, group: number): string {
  const [from, to] = [units.process[first[group]], units.process[last[group]]];
  if (kind === 'unit') return unitName(from, units.thread[first[group]]);
  if (kind === 'host') return units.host[first[group]];
  return from === to ? String(from) : `${from}-${to}`;
}

/** The name of a group in sentences: 'unit 5.1', 'process 5', 'processes 0-31', 'host n1'. */
export function groupName(units: UnitTable, groups: Groups, group: number): string {
  const label = groupLabel(units, groups, group);
  if (groups.kind === 'range') return `${label.includes('-') ? 'processes' : 'process'} ${label}`;
  return `${groups.kind} ${label}`;
}

/** The units of some groups as a mask. */
export function groupMask({ of }: Groups, chosen: (group: number) => boolean): Uint8Array {
  return Uint8Array.from(of, group => group >= 0 && chosen(group) ? 1 : 0);
}

/** The meaning of a line, as text: 'one unit', 'the units of one process'. */
export function groupingText({ kind, range }: Groups): string {
  switch (kind) {
    case 'unit': return 'one unit';
    case 'process': return 'the units of one process';
    case 'host': return 'the units of one host';
    default: return `the units of ${plural(range, 'process', 'processes')}`;
  }
}

/** The group of each process: that of its first unit, or -1 if it has none. */
export function groupsOfProcesses(units: UnitTable, groups: Groups): Int32Array {
  const { process } = units;
  const most = process.length ? process[process.length - 1] + 1 : 0;
  const of = new Int32Array(most).fill(-1);
  for (let unit = process.length - 1; unit >= 0; unit--) of[process[unit]] = groups.of[unit];
  return of;
}
