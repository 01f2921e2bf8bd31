// SPDX-License-Identifier: BSD-3-Clause
// decide/interval_messages.ts and interval_waits.ts: what an interval has of calls and waits.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type EventTile, RECEIVES, SENDS, STANDS_FOR } from '../../analysis/page/web/data/tiles';
import { groupRows, RowIndex } from '../../analysis/page/web/decide/group_rows';
import { IntervalMessages } from '../../analysis/page/web/decide/interval_messages';
import { RunWaits } from '../../analysis/page/web/decide/interval_waits';
import type { Span } from '../../analysis/page/web/decide/time';
import { random } from './make_page';

/** Rows of numbers as columns. */
function columns<Name extends string>(names: readonly Name[], rows: readonly number[][])
    : { [name in Name]: Float64Array } {
  return Object.fromEntries(names.map((name, i) =>
    [name, Float64Array.from(rows, row => row[i])])) as never;
}

/** [row, kind, from_ns, to_ns, values...] */
function tile(...events: number[][]): EventTile {
  const { row, kind, from_ns, to_ns, a, b, c } =
    columns(['row', 'kind', 'from_ns', 'to_ns', 'a', 'b', 'c'],
        events.map(event => [...event, 0, 0, 0]));
  return { row: Uint32Array.from(row), kind: Uint8Array.from(kind), from_ns, to_ns,
    value: [a, b, c] };
}

// -- rows -----------------------------------------------------------------------------------------

test('rows are found by their columns', () => {
  const next = random(5);
  const list = () => Int32Array.from({ length: 5000 }, () => next() % 40 - 1);
  const all = [list(), list(), list()];
  const { first } = groupRows(all, new Uint8Array(5000).fill(1));
  const index = new RowIndex(all.map(column => Float64Array.from(first, row => column[row])));
  const others = [list(), list(), list()];
  const found = index.match(others);
  const rows = new Map(Array.from(first, (row, i) =>
    [all.map(column => column[row]).join(), i]));
  found.forEach((row, i) =>
    assert.equal(row, rows.get(others.map(column => column[i]).join()) ?? -1));
  assert.deepEqual([...new RowIndex([new Uint8Array(0)]).match([Uint8Array.of(3)])], [-1]);
});

// -- messages -------------------------------------------------------------------------------------

const MESSAGE = ['unit', 'node', 'communicator', 'target', 'calls', 'bytes', 'ns', 'receive_ns',
  'estimated', 'by_trace', 'basis_calls', 'basis_bytes', 'basis_ns', 'basis_receive_ns'] as const;

/** A message, a collective operation, and two rows of a full log, of the same calls. */
const sources = {
  message: columns(MESSAGE, [
    [0, 0, 0, 1, 2, 30, 20, 10, 0, 0, 2, 30, 20, 10],
    [1, 0, 7, -1, 4, 64, 40, 0, 0, 0, 4, 0, 40, 0],
    [0, 1, 0, 1, 12, 120, 60, 30, 1, 1, 4, 0, 20, 0],
    [0, 1, 0, 0, 4, 8, 20, 0, 1, 1, 4, 0, 20, 0],
  ]),
  traced: columns(['id', 'parent', 'node'], [[100, -1, 5], [101, 0, 6]]),
  units: columns(['unit', 'lanes', 'is_read'], [[0, 1, 1], [1, 1, 1]]),
  communicator: { number: Float64Array.of(0, 7), name: ['', ''], size: Float64Array.of(2, 2),
    kind: ['group', 'group'] },
} as never;
const calls = tile([0, SENDS, 100, 110, 10], [0, RECEIVES, 105, 115, 0], [1, SENDS, 200, 210],
    [2, STANDS_FOR, 205, 210], [1, SENDS, 220, 230], [2, STANDS_FOR, 225, 230],
    [0, SENDS, 300, 310, 20], [1, SENDS, 320, 330], [1, SENDS, 340, 350],
    [2, STANDS_FOR, 400, 405], [2, STANDS_FOR, 410, 415]);

function messages(from_ns: number, to_ns: number): string[] {
  const sums = new IntervalMessages(sources, { from_ns, to_ns });
  sums.add(calls);
  const { node, unit, communicator, target, calls: count, bytes, ns, receive_ns, estimated } =
    sums.table();
  return Array.from(node, (_, i) => `${node[i]}.${unit[i]} on ${communicator[i]} to ${target[i]}: `
    + `${[count[i], bytes[i], ns[i], receive_ns[i], estimated[i]].join(' ')}`);
}

test('a call counts where it began, and its time where it passed', () => {
  assert.deepEqual(messages(0, 105), ['5.0 on 0 to 1: 1 10 5 0 0']);
  assert.deepEqual(messages(105, 200), ['5.0 on 0 to 1: 0 0 5 10 0']);
  assert.deepEqual(messages(300, 301), ['5.0 on 0 to 1: 1 20 1 0 0']);
  assert.deepEqual(messages(120, 200), []);
});

test('what is not known of single calls is divided by calls', () => {
  assert.deepEqual(messages(310, 345), ['5.1 on 1 to -1: 2 32 15 0 1']);
  assert.deepEqual(messages(402, 500), ['6.0 on 0 to 1: 3 30 24 7 1', '6.0 on 0 to 0: 1 2 8 0 1']);
});

test('the interval from 0 to the end is the run', () => {
  assert.deepEqual(messages(0, 1e9), ['5.0 on 0 to 1: 2 30 20 10 0', '5.1 on 1 to -1: 4 64 40 0 0',
    '6.0 on 0 to 1: 12 120 60 30 1', '6.0 on 0 to 0: 4 8 20 0 1']);
});

// -- waits ----------------------------------------------------------------------------------------

const PAIR = ['node', 'leaf', 'victim', 'culprit', 'culprit_node', 'ns'] as const;
const LEAF = 3;

/** Unit 0 waits for unit 2 from 100 to 200, and so does unit 1, which is idle, with 40 ns. Of the
 * 80 ns that unit 0 waited for unit 1 there is no single wait. */
const waits = new RunWaits({
  pair: columns(PAIR, [[5, LEAF, 0, 2, 6, 100], [5, LEAF, 1, 2, 6, 40], [5, LEAF, 0, 1, 5, 80]]),
  delay: columns(['node', 'leaf', 'culprit', 'culprit_node', 'ns', 'passed_ns', 'indirect_ns',
    'wrong_order_ns', 'estimated_ns', 'no_processor_ns'],
  [[5, LEAF, 2, 6, 140, 0, 0, 0, 70, 0], [5, LEAF, 1, 5, 80, 80, 0, 0, 0, 0]]),
  part: columns(['node', 'unit', 'leaf', 'ns'], [[5, 0, LEAF, 180], [5, 1, LEAF, 40]]),
  unit: { process: Uint32Array.of(0, 0, 1) },
  timed: columns(['unit', 'node', 'leaf', 'culprit', 'culprit_node', 'ns', 'idle_ns'],
      [[0, 0, LEAF, 2, 1, 100, 40]]),
  idle: columns(['unit', 'node', 'leaf', 'ns'], [[1, 0, LEAF, 40]]),
  traced: columns(['id', 'parent', 'node'], [[100, -1, 5], [101, 0, 6]]),
  units: columns(['unit', 'lanes', 'is_read'], [[0, 1, 1], [1, 1, 1], [2, 1, 1]]),
} as never);

function pairs(span: Span, leaf: number): string[] {
  const times = waits.empty();
  waits.add(times, tile([0, 0, 100, 200, 100, 40, 100]), span);
  const { wait_pair, delay } = waits.tables(times,
      columns(['node', 'unit', 'leaf', 'ns'], [[5, 0, LEAF, leaf]]) as never);
  return [...Array.from(wait_pair.ns, (ns, i) =>
    `${wait_pair.victim[i]} for ${wait_pair.culprit[i]}: ${ns}`),
  `${[...delay.ns].join()} estimated ${[...delay.estimated_ns].join()}`];
}

test('a wait is cut with that of idle units, and the rest is that of the leaf', () => {
  assert.deepEqual(pairs({ from_ns: 0, to_ns: 1000 }, 180),
      ['0 for 2: 100', '1 for 2: 40', '0 for 1: 80', '140,80 estimated 70,0']);
  assert.deepEqual(pairs({ from_ns: 0, to_ns: 150 }, 90),
      ['0 for 2: 50', '1 for 2: 20', '0 for 1: 40', '70,40 estimated 35,0']);
  assert.deepEqual(pairs({ from_ns: 200, to_ns: 300 }, 10), ['0 for 1: 10', '0,10 estimated 0,0']);
  assert.deepEqual(pairs({ from_ns: 200, to_ns: 300 }, 0), ['0,0 estimated 0,0']);
});
