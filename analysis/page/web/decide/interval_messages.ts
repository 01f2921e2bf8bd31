// SPDX-License-Identifier: BSD-3-Clause
// Makes table `message` of an interval, with the numbers of `sis-analyze messages --from --to`. The
// interval gets a part of each value of a row, in proportion to the calls whose times are known
// (timeline/traffic_times.c says why). Pure functions.

import type { CommunicatorTable, MessageTable, TracedMessageTable, TracedNodeTable,
  TraceUnitTable } from '../data/tables';
import { type EventTile, RECEIVES, STANDS_FOR } from '../data/tiles';
import { muldiv } from './exact';
import type { Span } from './time';

/** Sums over calls in the interval, by row of `traced_message`. */
interface Sums {
  readonly calls: Float64Array;
  readonly bytes: Float64Array;
  readonly ns: Float64Array;
  readonly receive_ns: Float64Array;
}

function emptySums(rows: number): Sums {
  const list = () => new Float64Array(rows);
  return { calls: list(), bytes: list(), ns: list(), receive_ns: list() };
}

function divide(whole: number, part: number, all: number): number {
  return all > 0 ? muldiv(whole, part, all) : 0;
}

export interface MessageSources {
  readonly message: TracedMessageTable;
  readonly traced: TracedNodeTable;
  readonly units: TraceUnitTable;
  readonly communicator: CommunicatorTable;
}

export class IntervalMessages {
  private readonly own: Sums;
  private readonly trace: Sums; // only at the first by_trace row of each node and unit

  constructor(private readonly sources: MessageSources, private readonly span: Span) {
    const rows = sources.message.calls.length;
    this.own = emptySums(rows);
    this.trace = emptySums(rows);
  }

  add({ row, kind, from_ns, to_ns, value: [bytes] }: EventTile): void {
    const { from_ns: begin, to_ns: end } = this.span;
    for (let i = 0; i < row.length; i++) {
      const sums = kind[i] === STANDS_FOR ? this.trace : this.own, at = row[i];
      const ns = Math.max(0, Math.min(to_ns[i], end) - Math.max(from_ns[i], begin));
      if (kind[i] === RECEIVES) {
        sums.receive_ns[at] += ns;
        continue;
      }
      sums.ns[at] += ns;
      if (from_ns[i] < begin || from_ns[i] >= end) continue;
      sums.calls[at]++;
      sums.bytes[at] += bytes[i];
    }
  }

  /** The table. It has only rows with calls in the interval. */
  table(): MessageTable {
    const { message, traced, units, communicator } = this.sources;
    const rows = [...message.calls.keys()].map(row => this.part(row))
        .filter(({ row, calls, ns, receive_ns }) => (calls || ns || receive_ns)
          && traced.node[message.node[row]] >= 0 && units.unit[message.unit[row]] >= 0);
    const numbers = new Map([...communicator.number].map((number, row) => [number, row]));
    const of = (value: (part: Part) => number) => rows.map(value);
    return {
      node: Uint32Array.from(of(({ row }) => traced.node[message.node[row]])),
      unit: Uint32Array.from(of(({ row }) => units.unit[message.unit[row]])),
      communicator: Uint32Array.from(of(({ row }) => numbers.get(message.communicator[row]) ?? 0)),
      target: Int32Array.from(of(({ row }) => message.target[row])),
      calls: Float64Array.from(of(part => part.calls)),
      bytes: Float64Array.from(of(part => part.bytes)),
      ns: Float64Array.from(of(part => part.ns)),
      receive_ns: Float64Array.from(of(part => part.receive_ns)),
      estimated: Uint8Array.from(of(part => part.estimated ? 1 : 0)),
    };
  }

  private readonly first = new Map<string, number>(); // by node and unit: the first by_trace row

  private part(row: number): Part {
    const { message } = this.sources;
    const [byTrace, isCollective] = [message.by_trace[row] === 1, message.target[row] < 0];
    const key = `${message.node[row]} ${message.unit[row]}`;
    if (byTrace && !this.first.has(key)) this.first.set(key, row);
    const sums = byTrace ? this.trace : this.own, at = byTrace ? this.first.get(key)! : row;
    const { basis_calls, basis_bytes, basis_ns, basis_receive_ns } = message;
    const byCalls = (value: number) => divide(value, sums.calls[at], basis_calls[row]);
    const bytes = byTrace || isCollective ? byCalls(message.bytes[row])
      : divide(message.bytes[row], sums.bytes[at], basis_bytes[row]);
    return {
      row, bytes, calls: byCalls(message.calls[row]),
      ns: divide(message.ns[row], sums.ns[at], basis_ns[row]),
      receive_ns: byTrace ? byCalls(message.receive_ns[row])
        : divide(message.receive_ns[row], sums.receive_ns[at], basis_receive_ns[row]),
      estimated: message.estimated[row] === 1
        || (isCollective && bytes > 0 && sums.calls[at] < basis_calls[row]),
    };
  }
}

interface Part {
  readonly row: number;
  readonly calls: number;
  readonly bytes: number;
  readonly ns: number;
  readonly receive_ns: number;
  readonly estimated: boolean;
}
