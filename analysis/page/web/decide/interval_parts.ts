// SPDX-License-Identifier: BSD-3-Clause
// Makes table `part` of an interval: useful work and leaves, as `sis-analyze overhead --from --to`
// prints them. causes/leaf_parts.c explains the rules. The rules need numbers of the whole run,
// which are in the page: how long a unit was in each node, its bookings in each node, and each
// single wait.
//
// Nodes are rows of table `traced_node`, and units are rows of table `trace_unit`. Pure functions.

import { type NodeTable, type PartTable, type TracedNodeTable, type TracedShareTable,
  type TracedTimeTable, type TracedWaitTable, USEFUL } from '../data/tables';
import { type PieceTile, waitCode } from '../data/tiles';
import { muldiv } from './exact';
import { orderByNode } from './interval_cells';
import type { Span } from './time';

/** TracedTimeTable.state. IN_NODE: the unit's thread was in the node. IDLE: the unit was idle while
 * the initial thread of its process was in the node. NOT_KNOWN: the trace does not say what the
 * unit did. */
export const IN_NODE = 0, IDLE = 1, NOT_KNOWN = 2;
const STATES = 3;

const ROOT = 0;

/** Takes a part of the unit's time. `leaf` may be USEFUL. */
export type AddPart = (node: number, leaf: number, ns: number) => void;

/** Times of a unit within the interval. */
export interface UnitTimes {
  readonly ns: Float64Array; // by key; without single waits
  readonly wait_ns: Float64Array; // by row of `traced_wait`, counted from the unit's first row
  readonly idle: Span[]; // ascending
}

/** The nodes and waits to which idle time of a unit belongs. */
export interface IdleRules {
  readonly node: Int32Array; // by the node in which the initial thread is
  readonly wait: ReadonlyMap<number, number>; // rows of UnitTimes.wait_ns by waitCode
}

function key(state: number, node: number): number {
  return (node + 1) * STATES + state;
}

/** Where the rows of each unit begin in a table. A last element is the end. */
function firstRows(units: number, unit: Uint32Array): Uint32Array {
  const first = new Uint32Array(units + 1);
  for (const own of unit) first[own + 1]++;
  for (let own = 0; own < units; own++) first[own + 1] += first[own];
  return first;
}

/** Bookings of a unit in one state and node: rows of `traced_share`. */
interface Group {
  readonly first: number;
  end: number;
  largest: number; // the row with the most time
  ns: number; // sum of the bookings
  lacks: number; // how much the sum exceeds the time that the trace has in the node
}

/** Rows of PageIndex.overheads: the leaf of time before a process began, that of time after it
 * ended, and that of time in which the activity of a unit is not known. */
export interface OuterLeaves {
  readonly before: number;
  readonly after: number;
  readonly unknown: number;
}

export interface Uncertain {
  unknown_ns: number; // time in which the activity of units is not known
  uncertain_ns: number; // at most this much of the time belongs to other leaves
}

/** The first piece that ends after a time. The search begins with piece `from`. */
function firstEndingAfter({ to_ns }: PieceTile, from: number, ns: number): number {
  let end = to_ns.length;
  while (from < end) {
    const middle = from + end >> 1;
    if (to_ns[middle] > ns) end = middle;
    else from = middle + 1;
  }
  return from;
}

/** Divides the times of units, one after the other. */
export class Division {
  readonly sums: Uncertain = { unknown_ns: 0, uncertain_ns: 0 };
  private readonly firstTime: Uint32Array;
  private readonly firstShare: Uint32Array;
  private readonly firstWait: Uint32Array;

  /** `parent` has the parent of each node. */
  constructor(private readonly parent: Int32Array, units: number,
      private readonly time: TracedTimeTable, private readonly share: TracedShareTable,
      private readonly wait: TracedWaitTable, private readonly outer: OuterLeaves) {
    this.firstTime = firstRows(units, time.unit);
    this.firstShare = firstRows(units, share.unit);
    this.firstWait = firstRows(units, wait.unit);
  }

  /** Begins a unit. `excl_ns` has its exclusive time within the interval by node. */
  begin(own: number, excl_ns: Float64Array): UnitTimes {
    const nodes = this.parent.length, ns = new Float64Array((nodes + 1) * STATES);
    for (let node = 0; node < nodes; node++)
      ns[key(IN_NODE, node)] = Math.round(excl_ns[node]); // may be no integer for merged items
    return { ns, wait_ns: new Float64Array(this.firstWait[own + 1] - this.firstWait[own]),
      idle: [] };
  }

  /** Adds a tile of pieces. It has all pieces of unknown time, but of the pieces in nodes only
   * those with single waits. The time of these waits is subtracted from the node's time. Idle times
   * are kept for addIdle. */
  addPieces(own: number, { ns, wait_ns, idle }: UnitTimes, tile: PieceTile,
      { from_ns, to_ns }: Span): void {
    const first = this.firstWait[own];
    for (let i = 0; i < tile.from_ns.length; i++) {
      const from = Math.max(tile.from_ns[i], from_ns), to = Math.min(tile.to_ns[i], to_ns);
      const clip = to - from;
      if (clip > 0 && tile.state[i] === IDLE) {
        idle.push({ from_ns: from, to_ns: to });
      } else if (clip > 0) {
        let left = clip;
        for (let k = tile.first[i]; k < tile.first[i + 1]; k++) {
          const part = muldiv(clip, tile.wait_ns[k], tile.all_ns[i]);
          wait_ns[tile.wait[k] - first] += part;
          left -= part;
        }
        const at = key(tile.state[i], tile.node[i]);
        ns[at] += tile.state[i] === IN_NODE ? left - clip : left;
      }
    }
  }

  /** Idle time belongs to a node for which idle time of the unit is booked: the node in which the
   * initial thread is, or the nearest such node above. If there is no such node, the idle time
   * belongs to the node in which the initial thread is. */
  idleRules(own: number): IdleRules {
    const { share, wait } = this, nodes = this.parent.length;
    const isBooked = new Uint8Array(nodes), node = new Int32Array(nodes);
    for (let row = this.firstShare[own]; row < this.firstShare[own + 1]; row++)
      if (share.state[row] === IDLE) isBooked[share.node[row]] = 1;
    for (let row = 0; row < nodes; row++) {
      let at = row;
      while (at >= 0 && !isBooked[at]) at = this.parent[at];
      node[row] = at < 0 ? row : at;
    }
    const rows = new Map<number, number>(), first = this.firstWait[own];
    for (let row = first; row < this.firstWait[own + 1]; row++)
      if (wait.state[row] === IDLE) rows.set(waitCode(wait.node[row], wait.leaf[row]), row - first);
    return { node, wait: rows };
  }

  /** Adds a tile that says where the initial thread was. */
  addIdle({ ns, wait_ns, idle }: UnitTimes, tile: PieceTile, rules: IdleRules): void {
    const { first } = tile, count = tile.from_ns.length;
    let i = 0;
    for (const { from_ns, to_ns } of idle) {
      if (to_ns <= tile.from_ns[0]) continue;
      if (i >= count) return;
      i = firstEndingAfter(tile, i, from_ns);
      for (; i < count && tile.from_ns[i] < to_ns; i++) {
        const clip = Math.min(tile.to_ns[i], to_ns) - Math.max(tile.from_ns[i], from_ns);
        let left = clip;
        for (let k = first[i]; k < first[i + 1]; k++) {
          const row = rules.wait.get(tile.wait[k]);
          if (row === undefined) continue;
          const part = muldiv(clip, tile.wait_ns[k], tile.all_ns[i]);
          wait_ns[row] += part;
          left -= part;
        }
        const node = tile.node[i];
        ns[key(IDLE, node < 0 ? -1 : rules.node[node])] += left;
        if (tile.to_ns[i] > to_ns) break; // the piece goes on in the next idle time
      }
    }
  }

  /** Adds the time of the interval before the process began and after it ended, to the root. */
  addOutside(process: Span, { from_ns, to_ns }: Span, add: AddPart): void {
    add(ROOT, this.outer.before, Math.min(process.from_ns, to_ns) - from_ns);
    add(ROOT, this.outer.after, to_ns - Math.max(process.to_ns, from_ns));
  }

  divide(own: number, { ns, wait_ns }: UnitTimes, add: AddPart): void {
    const whole = this.wholeTimes(own);
    const groups = this.groupsOf(own);
    const unknown = key(NOT_KNOWN, -1), unknown_ns = whole.get(unknown) ?? 0;
    let { whole_ns: rest_whole, part_ns: rest } = this.addWaits(own, wait_ns, add);
    for (const group of groups) {
      const at = key(this.share.state[group.first], this.share.node[group.first]);
      const all = whole.get(at) ?? 0, both = Math.min(all, group.ns);
      const part = both > 0 ? muldiv(Math.max(0, ns[at]), both, all) : 0;
      this.divideIn(group, part, add);
      group.lacks = group.ns - both;
      this.addUncertain(both + Math.min(group.lacks, unknown_ns), part,
          group.ns - this.share.ns[group.largest]);
      whole.set(at, all - both);
      ns[at] -= part;
    }
    whole.forEach((left, at) => { if (at !== unknown) rest_whole += left; });
    for (let at = 0; at < ns.length; at++) if (at !== unknown) rest += Math.max(0, ns[at]);
    this.addUncertain(rest_whole + unknown_ns, rest, rest);
    this.divideRest(groups, rest, add);
    add(ROOT, this.outer.unknown, ns[unknown]);
    this.sums.unknown_ns += ns[unknown];
  }

  /** The unit's times in the whole run, by key. */
  private wholeTimes(own: number): Map<number, number> {
    const { state, node, ns } = this.time, whole = new Map<number, number>();
    for (let row = this.firstTime[own]; row < this.firstTime[own + 1]; row++)
      whole.set(key(state[row], node[row]), ns[row]);
    return whole;
  }

  private groupsOf(own: number): Group[] {
    const { state, node, ns } = this.share, groups: Group[] = [];
    for (let row = this.firstShare[own]; row < this.firstShare[own + 1]; row++) {
      let last = groups[groups.length - 1];
      if (!last || state[last.first] !== state[row] || node[last.first] !== node[row])
        groups.push(last = { first: row, end: row, largest: row, ns: 0, lacks: 0 });
      last.end = row + 1;
      last.ns += ns[row];
      if (ns[row] > ns[last.largest]) last.largest = row;
    }
    return groups;
  }

  /** Adds the booked part of each wait. Returns the time of all waits that is not booked, in the
   * run and in the interval. This time is divided like other time. */
  private addWaits(own: number, wait_ns: Float64Array, add: AddPart)
      : { whole_ns: number; part_ns: number } {
    const { node, leaf, ns, booked_ns } = this.wait, rest = { whole_ns: 0, part_ns: 0 };
    wait_ns.forEach((part, i) => {
      const row = this.firstWait[own] + i;
      const booked = ns[row] ? muldiv(part, booked_ns[row], ns[row]) : 0;
      add(node[row], leaf[row], booked);
      rest.whole_ns += ns[row] - booked_ns[row];
      rest.part_ns += part - booked;
    });
    return rest;
  }

  /** Divides a time in proportion to the bookings of a group. The largest one gets the rounding
   * error. */
  private divideIn({ first, end, largest, ns }: Group, part: number, add: AddPart): void {
    const { node, leaf, ns: own } = this.share;
    let left = part;
    for (let row = first; row < end; row++) {
      const each = row === largest ? 0 : muldiv(part, own[row], ns);
      add(node[row], leaf[row], each);
      left -= each;
    }
    add(node[largest], leaf[largest], left);
  }

  private divideRest(groups: readonly Group[], rest: number, add: AddPart): void {
    const lacks = groups.reduce((sum, group) => sum + group.lacks, 0);
    if (lacks <= 0) {
      add(ROOT, USEFUL, rest);
      return;
    }
    const largest = groups.reduce((most, group) => group.lacks > most.lacks ? group : most);
    let left = rest;
    for (const group of groups) {
      const part = group === largest ? 0 : muldiv(rest, group.lacks, lacks);
      this.divideIn(group, part, add);
      left -= part;
    }
    this.divideIn(largest, left, add);
  }

  private addUncertain(whole_ns: number, part_ns: number, minor_ns: number): void {
    this.sums.uncertain_ns += Math.max(0, Math.min(minor_ns, part_ns, whole_ns - part_ns));
  }
}

/** Collects the parts of one unit after the other. */
export class IntervalParts {
  private readonly node: number[] = [];
  private readonly unit: number[] = [];
  private readonly leaf: number[] = [];
  private readonly ns: number[] = [];
  private rows = new Map<number, number>(); // rows of the unit, by node and leaf

  constructor(private readonly nodes: NodeTable, private readonly traced: TracedNodeTable) {}

  /** The function that takes the parts of a unit, which is a row of table `unit`. */
  of(row: number): AddPart {
    this.rows = new Map();
    return (traced, leaf, ns) => {
      const node = this.traced.node[traced];
      if (!(ns > 0 && node >= 0)) return;
      const known = this.rows.get(node * (USEFUL + 1) + leaf);
      if (known !== undefined) {
        this.ns[known] += ns;
        return;
      }
      this.rows.set(node * (USEFUL + 1) + leaf, this.ns.push(ns) - 1);
      this.node.push(node);
      this.unit.push(row);
      this.leaf.push(leaf);
    };
  }

  table(): PartTable {
    const order = orderByNode(this.nodes.id.length, this.node);
    return {
      node: order.map(at => this.node[at]), unit: order.map(at => this.unit[at]),
      leaf: Uint8Array.from(order, at => this.leaf[at]),
      ns: Float64Array.from(order, at => this.ns[at]),
    };
  }
}
