// SPDX-License-Identifier: BSD-3-Clause
// Makes tables `wait_pair` and `delay` of an interval, with the numbers of `sis-analyze waits
// --from --to`. causes/interval_costs.c explains the rules. Data that all intervals of a run share
// are computed once. Pure functions.

import type { DelayTable, Numbers, PartTable, TracedIdleTable, TracedNodeTable, TracedPairTable,
  TraceUnitTable, UnitTable, WaitPairTable } from '../data/tables';
import type { EventTile } from '../data/tiles';
import { muldiv } from './exact';
import { groupRows, RowIndex } from './group_rows';
import type { Span } from './time';

export interface WaitSources {
  readonly pair: WaitPairTable; // of the run
  readonly delay: DelayTable;
  readonly part: PartTable;
  readonly unit: UnitTable;
  readonly timed: TracedPairTable;
  readonly idle: TracedIdleTable;
  readonly traced: TracedNodeTable;
  readonly units: TraceUnitTable;
}

/** Times of single waits in an interval, by row of `traced_pair`. */
interface Times {
  readonly ns: Float64Array;
  readonly idle_ns: Float64Array;
}

/** The columns that identify a place: a victim in a node, with one leaf. */
const placeOf = ({ node, leaf }: WaitPairTable | PartTable, unit: Numbers) => [node, leaf, unit];
const costOf = ({ node, leaf, culprit, culprit_node }: WaitPairTable | DelayTable) =>
  [node, leaf, culprit, culprit_node];

/** The waits of a run. From them, those of any interval are computed. */
export class RunWaits {
  private readonly own: Int32Array; // by row of `traced_pair`: row of `wait_pair`, or -1
  /** Idle units share the idle time of a row of `traced_pair`. The entries of this row in `sharer`
   * and `sharing` begin at `first`. `sharer` has rows of `traced_idle`. `sharing` has the rows of
   * `wait_pair` in which the idle unit is the victim; -1: none. */
  private readonly first: Uint32Array;
  private readonly sharer: Uint32Array;
  private readonly sharing: Int32Array;
  private readonly all: Float64Array; // by row of `traced_pair`: idle time of all its sharers
  private readonly cost: Int32Array; // by row of `wait_pair`: row of `delay`, or -1
  private readonly place: Int32Array; // by row of `wait_pair`; -1 if it has no victim
  private readonly places: RowIndex;
  private readonly count: number; // number of places
  private readonly known: Float64Array; // by row of `wait_pair`: time of single waits
  private readonly leaf: Float64Array; // by place: time of the leaf in the run
  private readonly placeKnown: Float64Array;

  constructor(private readonly s: WaitSources) {
    const { pair, delay, timed } = s;
    const pairs = new RowIndex([...costOf(pair), pair.victim]);
    const { of, first, count } = groupRows(placeOf(pair, pair.victim),
        Uint8Array.from(pair.victim, victim => victim < 0 ? 0 : 1));
    const pick = (column: Numbers) => Float64Array.from(first, row => column[row]);
    this.cost = new RowIndex(costOf(delay)).match(costOf(pair));
    this.place = of;
    this.count = count;
    this.places = new RowIndex(placeOf(pair, pair.victim).map(pick));
    const rows = timed.ns.map((_, row) => row);
    this.own = pairs.match(this.keys(rows, timed.unit));
    [this.first, this.sharer, this.all] = this.findSharers();
    const pairOf = new Float64Array(this.sharer.length);
    for (let row = 0; row < rows.length; row++)
      pairOf.fill(row, this.first[row], this.first[row + 1]);
    this.sharing = pairs.match(this.keys(pairOf, this.sharer.map(row => s.idle.unit[row])));
    this.leaf = this.byPlace(s.part);
    this.known = this.ofPairs(timed);
    this.placeKnown = this.sumByPlace(this.known);
  }

  // -- rows ---------------------------------------------------------------------------------------

  /** The values by which rows of `traced_pair` are found in `wait_pair`: node, leaf, culprit, node
   * of the culprit, and the given victim. */
  private keys(rows: Float64Array, victim: Uint32Array): Numbers[] {
    const { timed, traced, units } = this.s;
    const node = (column: Numbers) => Int32Array.from(rows, row => traced.node[column[row]]);
    return [node(timed.node), Uint8Array.from(rows, row => timed.leaf[row]),
      Int32Array.from(rows, row => units.unit[timed.culprit[row]]), node(timed.culprit_node),
      Int32Array.from(victim, own => units.unit[own])];
  }

  private findSharers(): [Uint32Array, Uint32Array, Float64Array] {
    const { timed, idle } = this.s;
    const groups = new Map<string, number[]>();
    const key = (table: TracedIdleTable | TracedPairTable, row: number) =>
      `${table.node[row]} ${table.leaf[row]} ${this.processOf(table.unit[row])}`;
    for (let row = 0; row < idle.ns.length; row++) {
      const group = groups.get(key(idle, row));
      if (group) group.push(row);
      else groups.set(key(idle, row), [row]);
    }
    const first = new Uint32Array(timed.ns.length + 1), all = new Float64Array(timed.ns.length);
    const sharer: number[] = [];
    for (let row = 0; row < timed.ns.length; row++) {
      const group = timed.idle_ns[row] > 0 ? groups.get(key(timed, row)) ?? [] : [];
      for (const each of group) sharer.push(each);
      first[row + 1] = sharer.length;
      all[row] = group.reduce((sum, each) => sum + idle.ns[each], 0);
    }
    return [first, Uint32Array.from(sharer), all];
  }

  private processOf(own: number): number {
    return this.s.unit.process[this.s.units.unit[own]] ?? -1;
  }

  // -- times --------------------------------------------------------------------------------------

  /** Times of single waits, by row of `wait_pair`. Idle times are divided among the idle units. */
  private ofPairs({ ns, idle_ns }: Times): Float64Array {
    const { own, first, sharer, sharing, all, s: { idle } } = this;
    const sums = new Float64Array(this.s.pair.ns.length);
    const add = (row: number, time: number) => { if (row >= 0) sums[row] += time; };
    for (let row = 0; row < ns.length; row++) {
      let left = idle_ns[row];
      add(own[row], ns[row]);
      if (!left) continue;
      const last = first[row + 1] - 1;
      for (let i = first[row]; i <= last && all[row] > 0; i++) {
        const part = i < last ? muldiv(idle_ns[row], idle.ns[sharer[i]], all[row]) : left;
        left -= part;
        add(sharing[i], part);
      }
      add(own[row], left);
    }
    return sums;
  }

  private sumByPlace(ns: Float64Array): Float64Array {
    const sums = new Float64Array(this.count);
    for (let row = 0; row < ns.length; row++)
      if (this.place[row] >= 0) sums[this.place[row]] += ns[row];
    return sums;
  }

  private byPlace(part: PartTable): Float64Array {
    const sums = new Float64Array(this.count);
    this.places.match(placeOf(part, part.unit)).forEach((place, row) => {
      if (place >= 0) sums[place] += part.ns[row];
    });
    return sums;
  }

  // -- an interval --------------------------------------------------------------------------------

  empty(): Times {
    const rows = this.s.timed.ns.length;
    return { ns: new Float64Array(rows), idle_ns: new Float64Array(rows) };
  }

  /** Adds the parts of waits within the interval. */
  add(times: Times, { row, from_ns, to_ns, value: [ns, idle, all] }: EventTile, span: Span): void {
    for (let i = 0; i < row.length; i++) {
      const clip = Math.min(to_ns[i], span.to_ns) - Math.max(from_ns[i], span.from_ns);
      if (clip <= 0) continue;
      times.ns[row[i]] += muldiv(ns[i], clip, all[i]);
      times.idle_ns[row[i]] += muldiv(idle[i], clip, all[i]);
    }
  }

  /** The tables of the interval; `part` is also that of the interval. */
  tables(times: Times, part: PartTable): { wait_pair: WaitPairTable; delay: DelayTable } {
    const { pair, delay } = this.s;
    // Pairs without a victim, which only the largest runs have, are left out: they have no place.
    const within = this.ofPairs(times), placeWithin = this.sumByPlace(within);
    const leafPart = this.byPlace(part);
    const sums = new Float64Array(delay.ns.length);
    for (let row = 0; row < within.length; row++) {
      const rest = pair.ns[row] - this.known[row], at = this.place[row];
      if (rest > 0 && at >= 0) within[row] += this.ofRest(rest, at, leafPart[at], placeWithin[at]);
      if (this.cost[row] >= 0) sums[this.cost[row]] += within[row];
    }
    return { wait_pair: this.kept(within), delay: this.delays(sums) };
  }

  /** `ns` is the time of a pair that belongs to no single waits. The result is the part of `ns` in
   * the interval. The interval has the same share of `ns` as of all time at this place that belongs
   * to no single waits. */
  private ofRest(ns: number, place: number, leafPart: number, within: number): number {
    const rest = this.leaf[place] - this.placeKnown[place], part = leafPart - within;
    if (rest <= 0) return this.leaf[place] > 0 ? muldiv(ns, leafPart, this.leaf[place]) : 0;
    return part <= 0 ? 0 : muldiv(ns, Math.min(part, rest), rest);
  }

  private kept(ns: Float64Array): WaitPairTable {
    const { pair } = this.s;
    const rows = pair.node.map((_, row) => row).filter(row => ns[row] > 0);
    return {
      node: rows.map(row => pair.node[row]), leaf: Uint8Array.from(rows, row => pair.leaf[row]),
      victim: Int32Array.from(rows, row => pair.victim[row]),
      culprit: rows.map(row => pair.culprit[row]),
      culprit_node: rows.map(row => pair.culprit_node[row]),
      ns: Float64Array.from(rows, row => ns[row]),
    };
  }

  /** `ns` has the direct cost of each row in the interval. The row's other times in the run are
   * multiplied by direct cost in the interval / direct cost in the run. Indirect costs of an
   * interval are not known. */
  private delays(ns: Float64Array): DelayTable {
    const { delay } = this.s;
    const part = (column: Float64Array) => column.map((value, row) =>
      delay.ns[row] > 0 ? muldiv(value, ns[row], delay.ns[row]) : 0);
    return { ...delay, ns, passed_ns: part(delay.passed_ns),
      wrong_order_ns: part(delay.wrong_order_ns), estimated_ns: part(delay.estimated_ns),
      no_processor_ns: part(delay.no_processor_ns),
      indirect_ns: new Float64Array(ns.length).fill(NaN) };
  }
}
