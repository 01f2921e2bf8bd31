// SPDX-License-Identifier: BSD-3-Clause
// decide/time*.ts and data/tiles.ts: spans, levels, lanes, typed times, tiles, sums of intervals.

import assert from 'node:assert/strict';
import test from 'node:test';
import { adler32, bucketOf, decodeItems, decodeLinks, EXACT, type ItemTile, MERGED }
  from '../../analysis/page/web/data/tiles';
import { around, firstAfter, itemAt, laneAt, layout, levelFor, panned, parseTime, rulerTicks,
  visibleRows, within, zoomed } from '../../analysis/page/web/decide/time';
import { addRoot, addTile, CALLS_OTHERS, emptySums, mainLeaves }
  from '../../analysis/page/web/decide/time_sums';
import { random } from './make_page';

const RUN = 1e9;

test('a picture stays within the run', () => {
  assert.deepEqual(within({ from_ns: -5, to_ns: 95 }, RUN), { from_ns: 0, to_ns: 100 });
  assert.deepEqual(within({ from_ns: RUN - 10, to_ns: RUN + 90 }, RUN),
      { from_ns: RUN - 100, to_ns: RUN });
  assert.deepEqual(within({ from_ns: 0, to_ns: 2 * RUN }, RUN), { from_ns: 0, to_ns: RUN });
  const { from_ns, to_ns } = within({ from_ns: 500, to_ns: 501 }, RUN);
  assert.equal(to_ns - from_ns, 20);
});

test('zooming keeps the time below the pointer', () => {
  const span = zoomed({ from_ns: 1e6, to_ns: 2e6 }, 0.5, 1.25e6, RUN);
  assert.deepEqual(span, { from_ns: 1.125e6, to_ns: 1.625e6 });
  const deep = zoomed({ from_ns: 1000, to_ns: 1030 }, 0.01, 1015, RUN);
  assert(Math.abs(deep.to_ns - deep.from_ns - 20) < 1e-9);
  assert.deepEqual(panned({ from_ns: 100, to_ns: 200 }, 0.5, RUN), { from_ns: 150, to_ns: 250 });
  assert.deepEqual(around({ from_ns: 1000, to_ns: 2000 }, RUN), { from_ns: 940, to_ns: 2060 });
});

test('a level has buckets of at most two pixels', () => {
  assert.equal(levelFor(1, 0, 7), 0);
  assert.equal(levelFor(128, 0, 7), 1);
  assert.equal(levelFor(1e9, 0, 7), 7);
  assert.equal(levelFor(1, 3, 7), 3);
  for (let level = 1; level < 7; level++)
    assert.equal(levelFor(bucketOf(level) / 2, 0, 7), level);
});

test('times are typed with units', () => {
  assert.equal(parseTime('1.5'), 1.5e9);
  assert.equal(parseTime(' 20 ms '), 2e7);
  assert.equal(parseTime('3us'), 3000);
  assert.equal(parseTime('7 ns'), 7);
  for (const text of ['', 'soon', '-1', '1 h', '1e3']) assert(Number.isNaN(parseTime(text)));
});

test('the ruler has few round times', () => {
  const { base, ticks } = rulerTicks({ from_ns: 0, to_ns: 3.97e9 }, 10);
  assert.equal(base, '');
  assert.deepEqual(ticks.map(({ text }) => text).slice(0, 3), ['0.0 s', '0.5 s', '1.0 s']);
  const far = rulerTicks({ from_ns: 5e9 + 3, to_ns: 5e9 + 1003 }, 5);
  assert.equal(far.base, '5.0000002 s');
  assert.deepEqual(far.ticks.map(({ text }) => text), ['+0.0 µs', '+0.2 µs', '+0.4 µs',
    '+0.6 µs', '+0.8 µs']);
});

test('rows of many units scroll, and of few are high', () => {
  const few = layout([0, 1], [3, 2], 500);
  assert.equal(few.lane, 16);
  assert.deepEqual(laneAt(few, 17), { row: few.rows[0], depth: 1 });
  assert.equal(laneAt(few, 49), null);
  assert.equal(laneAt(few, 71), null);
  assert.equal(laneAt(few, 73)?.row.unit, 1);
  const units = Array.from({ length: 1000 }, (_, i) => i);
  const many = layout(units, units.map(() => 4), 500);
  assert.equal(many.lane, 3);
  const [first, end] = visibleRows(many, 500, 1000);
  assert(many.rows[first].top + 12 > 500 && many.rows[first].top <= 500);
  assert(many.rows[end].top >= 1000 && many.rows[end - 1].top < 1000);
});

// -- tiles ----------------------------------------------------------------------------------------

function written(...numbers: number[]): Uint8Array {
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push(number % 128 | 128);
    bytes.push(number);
  }
  return Uint8Array.from(bytes);
}

test('tiles are decoded', () => {
  // two lanes: depth 0 with one item, depth 2 with two
  const tile = decodeItems(written(2, 0, 1, 2, 2, 0, 300, 5, 1000, 10, 20, 7, 8, 9), EXACT, 1,
      5000, 3);
  assert.deepEqual([...tile.start_ns], [5000, 5300, 5315]);
  assert.deepEqual([...tile.ns], [1000, 10, 20]);
  assert.deepEqual([...tile.context], [7, 8, 9]);
  assert.deepEqual(tile.lanes, [{ depth: 0, from: 0, to: 1 }, { depth: 2, from: 1, to: 3 }]);
  const merged = decodeItems(written(1, 0, 2, 0, 3, 100, 200, 1, 2, 5, 6), MERGED, 2, 10240, 2);
  assert.deepEqual([...merged.start_ns], [10240, 10240 + 4 * 1024]);
  assert.deepEqual([...merged.activations], [5, 6]);
});

test('links are decoded', () => {
  const tile = decodeLinks(written(2, 0, 2, 1, 3, 4, 5, 0, 7, 19, 20, 100, 0, 8, 0), 50, 2);
  assert.deepEqual([...tile.kind, ...tile.from, ...tile.to], [0, 2, 1, 3, 4, 5]);
  assert.deepEqual([...tile.from_ns], [50, 57]);
  assert.deepEqual([...tile.to_ns], [40, 67]);
  assert.deepEqual([...tile.bytes, ...tile.tag], [100, 0, 7, -1]);
});

test('damaged tiles are refused', () => {
  const good = written(1, 0, 2, 0, 3, 100, 200, 1, 2, 5, 6);
  for (let length = 0; length < good.length; length++)
    assert.throws(() => decodeItems(good.slice(0, length), MERGED, 2, 10240, 2), /damaged/);
  assert.throws(() => decodeItems(written(...good, 0), MERGED, 2, 10240, 2), /damaged/);
  assert.throws(() => decodeItems(good, MERGED, 2, 10240, 3), /damaged/);
  assert.throws(() => decodeItems(written(1e15, 1e15, 1e15), EXACT, 0, 0, 3), /damaged/);
});

test('the checksum is that of zlib', () => {
  assert.equal(adler32(new TextEncoder().encode('Wikipedia')), 0x11e60398);
  assert.equal(adler32(new Uint8Array(0)), 1);
  assert.equal(adler32(new Uint8Array(100000).fill(255)), slowAdler());
});

function slowAdler(): number {
  let a = 1n, b = 0n;
  for (let i = 0; i < 100000; i++) {
    a += 255n;
    b += a;
  }
  return Number(b % 65521n) * 65536 + Number(a % 65521n);
}

// -- items and sums -------------------------------------------------------------------------------

interface Call { depth: number; start: number; end: number; context: number }

/** Nested calls at random: of node 1 + context, in the node of the call around it, or the root. */
function makeCalls(next: () => number): { calls: Call[]; parent: number[] } {
  const calls: Call[] = [], parent: number[] = [], open: number[] = [];
  for (let now = 0; now < 20000; now += next() % 40)
    if (open.length < 5 && next() % 2) {
      parent.push(open.length ? 1 + open[open.length - 1] : 0);
      calls.push({ depth: open.length, start: now, end: now, context: calls.length });
      open.push(calls.length - 1);
    } else if (open.length) {
      calls[open.pop()!].end = now;
    }
  for (const call of open) calls[call].end = 20000;
  return { calls, parent };
}

function tileOf(calls: readonly Call[]): ItemTile {
  const sorted = [...calls].sort((a, b) => a.depth - b.depth || a.start - b.start || a.end - b.end);
  const lanes = [0, 1, 2, 3, 4].map(depth => ({ depth,
    from: sorted.findIndex(call => call.depth === depth),
    to: sorted.filter(call => call.depth <= depth).length }));
  return { lanes, bucket_ns: 0, activations: new Uint32Array(0),
    start_ns: Float64Array.from(sorted, call => call.start),
    ns: Float64Array.from(sorted, call => call.end - call.start),
    context: Uint32Array.from(sorted, call => call.context) };
}

test('what is at a time is found in its lane', () => {
  const { calls } = makeCalls(random(5)), tile = tileOf(calls);
  for (const lane of tile.lanes)
    for (let ns = 0; ns < 20000; ns += 7) {
      const wanted = calls.find(c => c.depth === lane.depth && c.start <= ns && c.end > ns);
      assert.equal(itemAt(tile, lane, 0, ns, 0)?.context, wanted?.context);
      const after = tile.start_ns[firstAfter(tile, lane, ns)];
      assert(after === undefined || firstAfter(tile, lane, ns) === lane.to || after >= 0);
    }
});

test('sums of an interval are those of single nanoseconds', () => {
  const { calls, parent } = makeCalls(random(9)), tile = tileOf(calls), [from, to] = [3000, 5123];
  const nodes = { node: Int32Array.from(calls, call => 1 + call.context),
    parent: Int32Array.from(parent) };
  const sums = emptySums(calls.length + 1);
  addTile(sums, tile, { from_ns: from, to_ns: to }, nodes, new Uint8Array(calls.length), 0);
  addRoot(sums, 0, to - from);
  const incl = new Float64Array(calls.length + 1), excl = new Float64Array(calls.length + 1);
  for (let ns = from; ns < to; ns++) {
    const open = calls.filter(call => call.start <= ns && call.end > ns);
    for (const call of open) incl[1 + call.context]++;
    const inner = open.sort((a, b) => b.depth - a.depth)[0];
    excl[inner ? 1 + inner.context : 0]++;
  }
  incl[0] = to - from;
  assert.deepEqual([...sums.incl_ns.slice(0, -1)], [...incl]);
  assert.deepEqual([...sums.excl_ns.slice(0, -1)], [...excl]);
  for (const { context, start } of calls)
    assert.equal(sums.calls[1 + context], start >= from && start < to ? 1 : 0);
});

test('a node has the colour of its own time, if it has much', () => {
  const part = { node: Uint32Array.of(0, 1, 1, 1, 2), leaf: Uint8Array.of(255, 255, 7, 7, 3),
    ns: Float64Array.of(1, 50, 30, 40, 10) };
  const cell = { node: Uint32Array.of(0, 1, 2), incl_ns: Float64Array.of(100, 120, 10),
    excl_ns: Float64Array.of(1, 120, 10) };
  assert.deepEqual([...mainLeaves(3, part, cell, 255)], [CALLS_OTHERS, 7, 3]);
});
