// SPDX-License-Identifier: BSD-3-Clause
// Decodes the tiles of a trace. view/trace_tiles.h describes their bytes. Pure functions.

import { Damaged } from './decode';

export const EXACT = 0, MERGED = 1, LINKS = 2, PIECES = 3, CALLS = 4, WAITS = 5; // TileTable.kind

/** The length of a level's buckets in nanoseconds. Level 0 has no buckets: 0. */
export function bucketOf(level: number): number {
  return level ? 256 * 4 ** (level - 1) : 0;
}

/** The items of one depth, ordered by time: their range in the columns of the tile. */
export interface Lane {
  readonly depth: number;
  readonly from: number;
  readonly to: number;
}

export interface ItemTile {
  readonly lanes: readonly Lane[];
  readonly start_ns: Float64Array;
  readonly ns: Float64Array; // duration; of a merged item, the time of its bucket that is filled
  readonly context: Uint32Array;
  readonly activations: Uint32Array; // how many began; empty if each item is one activation
  readonly bucket_ns: number; // 0 if items are exact
}

export const MESSAGE = 0, COLLECTIVE = 1, FORK = 2; // LinkTile.kind

export interface LinkTile {
  readonly kind: Uint8Array;
  readonly from: Uint32Array; // rows of `trace_unit`
  readonly to: Uint32Array;
  readonly from_ns: Float64Array; // ascending
  readonly to_ns: Float64Array;
  readonly bytes: Float64Array;
  readonly tag: Int32Array; // -1: none
}

/** Levels of tiles of pieces. OF_UNIT: times in which a unit was idle or unknown, or in a node in
 * which it waited. OF_INITIAL: where the initial thread of a process was while others were idle. */
export const OF_UNIT = 0, OF_INITIAL = 1;
const LEAVES = 256;

export interface PieceTile {
  readonly from_ns: Float64Array; // ascending
  readonly to_ns: Float64Array;
  readonly state: Uint8Array; // TracedTimeTable.state
  readonly node: Int32Array; // row of `traced_node`; -1: not known
  readonly all_ns: Float64Array; // see wait_ns
  readonly first: Uint32Array; // index of its first wait; the last element is the end of all
  readonly wait: Uint32Array; // row of `traced_wait`; with OF_INITIAL, a waitCode
  readonly wait_ns: Float64Array; // nanoseconds of the wait in each all_ns nanoseconds of the piece
}

/** A number that identifies a wait of the initial thread by its node and leaf. With this number,
 * the waits of idle units are looked up. */
export function waitCode(node: number, leaf: number): number {
  return node * LEAVES + leaf;
}

/** Calls that sent or received, or single waits. */
export interface EventTile {
  readonly row: Uint32Array; // row of `traced_message` or `traced_pair`
  readonly kind: Uint8Array; // of calls: SENDS, RECEIVES or STANDS_FOR
  readonly from_ns: Float64Array; // ascending
  readonly to_ns: Float64Array;
  /** The first value of a call is its bytes. The values of a wait are the victim's part, the part
   * of the idle units of the victim's process, and the time of which both are parts. */
  readonly value: readonly [Float64Array, Float64Array, Float64Array];
}

/** EventTile.kind of calls. A call with STANDS_FOR stands for all rows of its node and unit that
 * are by_trace. */
export const SENDS = 0, RECEIVES = 1, STANDS_FOR = 2;

export function adler32(bytes: Uint8Array): number {
  let a = 1, b = 0;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 3800);
    for (; at < end; at++) b += a += bytes[at];
    a %= 65521;
    b %= 65521;
  }
  return (b * 65536 + a) >>> 0;
}

/** Reads numbers with 7 bits in a byte, the lowest first. */
class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  one(): number {
    const { bytes } = this;
    let byte = bytes[this.at++], value = byte & 127;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = bytes[this.at++];
      value += (byte & 127) * scale;
    }
    if (this.at > bytes.length) throw new Damaged('a tile of the trace is too short');
    return value;
  }

  many<List extends Float64Array | Uint32Array | Int32Array | Uint8Array>(list: List): List {
    for (let i = 0; i < list.length; i++) list[i] = this.one();
    return list;
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new Damaged('a tile of the trace is too long');
  }
}

function lanesOf(reader: Reader, items: number): Lane[] {
  const lanes: Lane[] = [];
  let at = 0;
  for (let left = reader.one(); left > 0; left--) {
    const depth = reader.one(), count = reader.one();
    lanes.push({ depth, from: at, to: at + count });
    at += count;
    if (at > items) break;
  }
  if (at !== items) throw new Damaged('a tile of the trace has other items');
  return lanes;
}

/** `bytes` are not compressed. level, kind, from_ns and items are as in the table of tiles. */
export function decodeItems(bytes: Uint8Array, kind: number, level: number, from_ns: number,
    items: number): ItemTile {
  const bucket_ns = kind === MERGED ? bucketOf(level) : 0, unit = bucket_ns || 1;
  const reader = new Reader(bytes);
  const lanes = lanesOf(reader, items);
  const start_ns = reader.many(new Float64Array(items));
  const ns = reader.many(new Float64Array(items));
  const context = reader.many(new Uint32Array(items));
  const activations = reader.many(new Uint32Array(kind === MERGED ? items : 0));
  reader.end();
  for (const { from, to } of lanes) {
    let end = Math.floor(from_ns / unit);
    for (let i = from; i < to; i++) {
      const start = start_ns[i] + end;
      end = start + (bucket_ns ? 1 : ns[i]);
      start_ns[i] = start * unit;
    }
  }
  return { lanes, start_ns, ns, context, activations, bucket_ns };
}

/** 0, -1, 1, -2, 2 ... are written as 0, 1, 2, 3, 4 ... */
function signed(number: number): number {
  return number % 2 ? -(number + 1) / 2 : number / 2;
}

export function decodeLinks(bytes: Uint8Array, from_ns: number, items: number): LinkTile {
  const reader = new Reader(bytes);
  if (reader.one() !== items) throw new Damaged('a tile of the trace has other items');
  const kind = reader.many(new Uint8Array(items));
  const from = reader.many(new Uint32Array(items)), to = reader.many(new Uint32Array(items));
  const starts = reader.many(new Float64Array(items));
  const durations = reader.many(new Float64Array(items));
  const sizes = reader.many(new Float64Array(items));
  const tag = reader.many(new Float64Array(items));
  reader.end();
  const to_ns = durations;
  for (let i = 0, last = from_ns; i < items; i++) {
    starts[i] = last += starts[i];
    to_ns[i] = last + signed(durations[i]);
  }
  return { kind, from, to, from_ns: starts, to_ns, bytes: sizes,
    tag: Int32Array.from(tag, value => value - 1) };
}

export function decodePieces(bytes: Uint8Array, from_ns: number, items: number): PieceTile {
  const reader = new Reader(bytes);
  if (reader.one() !== items) throw new Damaged('a tile of the trace has other items');
  const waits_all = reader.one();
  if (waits_all > bytes.length) throw new Damaged('a tile of the trace is too short');
  const starts = reader.many(new Float64Array(items)), to_ns = reader.many(new Float64Array(items));
  const node = reader.many(new Int32Array(items)).map(place => place - 1);
  const state = reader.many(new Uint8Array(items)), waits = reader.many(new Uint32Array(items));
  const all_ns = new Float64Array(items).fill(1);
  for (let i = 0, end = from_ns; i < items; i++) {
    starts[i] += end;
    const ns = to_ns[i];
    end = to_ns[i] += starts[i];
    if (waits[i]) all_ns[i] = ns + signed(reader.one());
    if (all_ns[i] <= 0) throw new Damaged('a tile of the trace has a wait without a time');
  }
  const first = new Uint32Array(items + 1);
  waits.forEach((count, i) => { first[i + 1] = first[i] + count; });
  if (first[items] !== waits_all) throw new Damaged('a tile of the trace has other waits');
  const wait = reader.many(new Float64Array(waits_all));
  const wait_ns = reader.many(new Float64Array(waits_all));
  reader.end();
  let row = 0;
  const rows = Uint32Array.from(wait, step => row += signed(step));
  for (let i = 0; i < items; i++)
    for (let k = first[i]; k < first[i + 1]; k++) wait_ns[k] = all_ns[i] + signed(wait_ns[k]);
  return { from_ns: starts, to_ns, state, node, all_ns, first, wait: rows, wait_ns };
}

export function decodeEvents(bytes: Uint8Array, from_ns: number, items: number): EventTile {
  const reader = new Reader(bytes);
  if (reader.one() !== items) throw new Damaged('a tile of the trace has other items');
  const steps = reader.many(new Float64Array(items));
  const kind = reader.many(new Uint8Array(items));
  const starts = reader.many(new Float64Array(items)), to_ns = reader.many(new Float64Array(items));
  const value = () => reader.many(new Float64Array(items));
  const values = [value(), value(), value()] as const;
  reader.end();
  let row = 0;
  for (let i = 0, last = from_ns; i < items; i++) {
    starts[i] = last += starts[i];
    to_ns[i] += last;
  }
  return { row: Uint32Array.from(steps, step => row += signed(step)), kind, from_ns: starts, to_ns,
    value: values };
}
