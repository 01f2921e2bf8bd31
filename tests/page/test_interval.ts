// SPDX-License-Identifier: BSD-3-Clause
// decide/interval*.ts: how an interval is named, its cells, and how its times are divided.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodePieces, type PieceTile, waitCode } from '../../analysis/page/web/data/tiles';
import { type TracedNodeTable, USEFUL } from '../../analysis/page/web/data/tables';
import { muldiv } from '../../analysis/page/web/decide/exact';
import { intervalNote, spanOf } from '../../analysis/page/web/decide/interval';
import { IntervalCells, orderByNode, tracedContexts }
  from '../../analysis/page/web/decide/interval_cells';
import { Division, IDLE, IN_NODE, IntervalParts, NOT_KNOWN }
  from '../../analysis/page/web/decide/interval_parts';
import { selectionOf } from '../../analysis/page/web/store/selection';
import { makeNodes, random } from './make_page';

const RUN = { t_p_ns: 10e9, trace: {} } as never;

test('an interval is a part of the run', () => {
  const of = (address: string) => spanOf(selectionOf(address), RUN);
  assert.deepEqual(of('#/regions?time=1-2.5'), { from_ns: 1e9, to_ns: 2.5e9 });
  assert.deepEqual(of('#/regions?time=9-20'), { from_ns: 9e9, to_ns: 10e9 });
  assert.equal(of('#/regions?time=10-20'), null);
  assert.equal(of('#/regions'), null);
  const chosen = selectionOf('#/regions?time=1-2');
  assert.equal(spanOf(chosen, { t_p_ns: 10e9 }), null);
  const part = { from_ns: 1, to_ns: 2 };
  assert.equal(spanOf(chosen, { t_p_ns: 1, interval: part }), part);
});

test('the strip says which views show the whole run', () => {
  const note = (extent: 'run' | 'interval' | 'picture', address: string, run = RUN) =>
    intervalNote(extent, selectionOf(address), run);
  assert.equal(note('run', '#/waits'), '');
  assert.match(note('run', '#/waits?time=1-2'), /not of this time/);
  assert.equal(note('picture', '#/time?time=1-2'), '');
  assert.equal(note('interval', '#/regions?time=1-2'), '');
  assert.match(note('interval', '#/regions?time=11-12'), /ended after 10\.00/);
  assert.match(note('interval', '#/regions?time=1-2', { t_p_ns: 1e10 } as never),
      /without a trace/);
});

test('proportions are those of integers', () => {
  assert.equal(muldiv(7, 2, 3), 4);
  assert.equal(muldiv(5, 9, 9), 5);
  const next = random(3);
  for (let i = 0; i < 20000; i++) {
    const [a, b] = [next() * (next() % 4096), next() * (next() % 4096)];
    const c = Math.max(a, b, 1);
    assert.equal(muldiv(a, b, c), Number(BigInt(a) * BigInt(b) / BigInt(c)));
  }
  assert.equal(muldiv(9007199254740991, 3, 9007199254740990), 3);
});

// -- cells ----------------------------------------------------------------------------------------

/** Nodes of the page have ids from 100 on. Node 500 was left out below node 2. */
const node = makeNodes(4, 3, random(1));
const traced: TracedNodeTable = { id: Float64Array.of(100, 102, 500, 999, 101),
  parent: Int32Array.of(-1, 4, 1, -1, 0), node: Int32Array.of(0, 2, 2, -1, 1) };

test('cells are ordered, and have the time of nodes that were left out', () => {
  const cells = new IntervalCells(node, traced);
  const sums = (...rows: number[][]) => ({ calls: Float64Array.from(rows, row => row[0]),
    incl_ns: Float64Array.from(rows, row => row[1]),
    excl_ns: Float64Array.from(rows, row => row[2]) });
  cells.add(0, sums([0, 90, 40], [2, 50, 20], [7, 30, 30], [1, 1, 1], [0, 0, 0], [3, 3, 3]));
  cells.add(1, sums([0, 5, 0], [0, 0, 0], [7, 5, 5], [0, 0, 0], [1, 4, 4], [0, 0, 0]));
  const { node: at, unit, calls, incl_ns, excl_ns, min_ns } = cells.table();
  assert.deepEqual([...at], [0, 0, 1, 2, 2]);
  assert.deepEqual([...unit], [0, 1, 1, 0, 1]);
  assert.deepEqual([...calls], [0, 0, 1, 2, 0]);
  assert.deepEqual([...incl_ns], [90, 5, 4, 50, 0]);
  assert.deepEqual([...excl_ns], [40, 0, 4, 50, 5]);
  assert(min_ns.every(value => Number.isNaN(value)));
});

test('contexts name traced nodes', () => {
  const { node: own, parent } = tracedContexts({ node_id: Float64Array.of(102, 0, 7),
    parent_id: Float64Array.of(100, 0, 101), is_open: new Uint8Array(3), name: ['', '', ''] },
  traced);
  assert.deepEqual([...own, ...parent], [1, -1, -1, 0, -1, 4]);
  assert.deepEqual([...orderByNode(3, [2, 0, 2, 1])], [1, 3, 0, 2]);
});

// -- parts ----------------------------------------------------------------------------------------

const SPAWN = 20, FINWAIT = 21, UNKNOWN = 0, NOCPU = 5, LATE = 7;
const MAIN = 4, WORK = 1, TEST = 2; // rows of `traced`; the page lacks TEST, which is below WORK

/** The example of causes/leaf_parts.c, with seconds: 2 s of main are late senders in MPI_Test. */
function example(): Division {
  const rows = [[IN_NODE, WORK, 6], [IN_NODE, TEST, 1], [IN_NODE, MAIN, 3], [IDLE, MAIN, 24],
    [NOT_KNOWN, -1, 10]];
  const shares = [[IN_NODE, WORK, USEFUL, 5], [IN_NODE, WORK, NOCPU, 1], [IN_NODE, TEST, LATE, 3],
    [IN_NODE, MAIN, USEFUL, 1], [IDLE, MAIN, NOCPU, 24]];
  const waits = [[IN_NODE, MAIN, LATE, 10, 8], [IDLE, TEST, LATE, 6, 6]];
  const list = (from: number[][], column: number) => from.map(row => row[column]);
  return new Division(traced.parent, 1, { unit: new Uint32Array(rows.length),
    state: Uint8Array.from(list(rows, 0)), node: Int32Array.from(list(rows, 1)),
    ns: Float64Array.from(list(rows, 2)) }, { unit: new Uint32Array(shares.length),
    state: Uint8Array.from(list(shares, 0)), node: Int32Array.from(list(shares, 1)),
    leaf: Uint8Array.from(list(shares, 2)), ns: Float64Array.from(list(shares, 3)) },
  { unit: new Uint32Array(waits.length), state: Uint8Array.from(list(waits, 0)),
    node: Int32Array.from(list(waits, 1)), leaf: Uint8Array.from(list(waits, 2)),
    ns: Float64Array.from(list(waits, 3)), booked_ns: Float64Array.from(list(waits, 4)) },
  { before: SPAWN, after: FINWAIT, unknown: UNKNOWN });
}

function divided(excl: number[], pieces: PieceTile | null, span = { from_ns: 0, to_ns: 100 },
    initial: PieceTile | null = null): { [key: string]: number } {
  const division = example(), found: { [key: string]: number } = {};
  const times = division.begin(0, Float64Array.from(excl));
  if (pieces) division.addPieces(0, times, pieces, span);
  if (initial) division.addIdle(times, initial, division.idleRules(0));
  division.divide(0, times, (at, leaf, ns) => {
    if (ns) found[`${at} ${leaf}`] = (found[`${at} ${leaf}`] ?? 0) + ns;
  });
  return found;
}

test('time of a node is divided as its bookings, and the rest as those without time', () => {
  assert.deepEqual(divided([0, 6, 1, 0, 3], null), { [`${WORK} ${USEFUL}`]: 5,
    [`${WORK} ${NOCPU}`]: 1, [`${TEST} ${LATE}`]: 3, [`${MAIN} ${USEFUL}`]: 1 });
  assert.deepEqual(divided([0, 6, 0, 0, 0], null),
      { [`${WORK} ${USEFUL}`]: 5, [`${WORK} ${NOCPU}`]: 1 });
  assert.deepEqual(divided([0, 0, 0, 0, 3], null),
      { [`${TEST} ${LATE}`]: 2, [`${MAIN} ${USEFUL}`]: 1 });
});

const pieces: PieceTile = {
  from_ns: Float64Array.of(0, 20, 30), to_ns: Float64Array.of(10, 22, 40),
  state: Uint8Array.of(IN_NODE, IDLE, NOT_KNOWN), node: Int32Array.of(MAIN, -1, -1),
  all_ns: Float64Array.of(10, 1, 1), first: Uint32Array.of(0, 1, 1, 1),
  wait: Uint32Array.of(0), wait_ns: Float64Array.of(10),
};

test('waits are cut at the border, and taken off the time of their node', () => {
  // 5 of main are a wait; of a wait, 8 of 10 are booked, and the other one is divided like others
  assert.deepEqual(divided([0, 0, 0, 0, 5], pieces, { from_ns: 5, to_ns: 15 }),
      { [`${MAIN} ${LATE}`]: 4, [`${TEST} ${LATE}`]: 1 });
  assert.deepEqual(divided([0, 0, 0, 0, 0], pieces, { from_ns: 29, to_ns: 33 }),
      { [`0 ${UNKNOWN}`]: 3 });
});

test('idle time belongs to where the initial thread was, or to its wait', () => {
  const idle: PieceTile = { from_ns: Float64Array.of(10, 30), to_ns: Float64Array.of(20, 50),
    state: Uint8Array.of(IDLE, IDLE), node: Int32Array.of(-1, -1), all_ns: Float64Array.of(1, 1),
    first: new Uint32Array(3), wait: new Uint32Array(0), wait_ns: new Float64Array(0) };
  // the initial thread is in work until 14, in main until 36, and waits in MPI_Test until 48; the
  // first of the waits is none of idle units
  const initial: PieceTile = { from_ns: Float64Array.of(5, 14, 36, 48),
    to_ns: Float64Array.of(14, 36, 48, 60), state: new Uint8Array(4).fill(IDLE),
    node: Int32Array.of(WORK, MAIN, TEST, WORK), all_ns: Float64Array.of(1, 1, 24, 1),
    first: Uint32Array.of(0, 0, 0, 2, 2), wait: Uint32Array.of(waitCode(TEST, NOCPU),
        waitCode(TEST, LATE)), wait_ns: Float64Array.of(9, 12) };
  // 30 in all: 6 waited; the other 24 are booked in main, which is above all of these
  assert.deepEqual(divided([0, 0, 0, 0, 0], idle, undefined, initial),
      { [`${TEST} ${LATE}`]: 6, [`${MAIN} ${NOCPU}`]: 24 });
  assert.deepEqual(divided([0, 0, 0, 0, 0], idle, { from_ns: 40, to_ns: 45 }, initial),
      { [`${TEST} ${LATE}`]: 2, [`${MAIN} ${NOCPU}`]: 3 });
});

test('time before and after the process is in the root', () => {
  const found: number[][] = [];
  example().addOutside({ from_ns: 10, to_ns: 90 }, { from_ns: 4, to_ns: 91 },
      (...part) => { found.push(part); });
  assert.deepEqual(found, [[0, SPAWN, 6], [0, FINWAIT, 1]]);
});

test('parts of left-out nodes are those of the node above', () => {
  const parts = new IntervalParts(node, traced);
  const first = parts.of(0), second = parts.of(1);
  second(MAIN, LATE, 3);
  second(TEST, LATE, 0);
  first(WORK, LATE, 0);
  const other = parts.of(0);
  other(WORK, LATE, 2);
  other(TEST, LATE, 5);
  other(3, LATE, 9);
  const { node: at, unit, leaf, ns } = parts.table();
  assert.deepEqual([...at, ...unit, ...leaf, ...ns], [1, 2, 1, 0, LATE, LATE, 3, 7]);
});

// -- tiles ----------------------------------------------------------------------------------------

test('pieces are decoded, and damaged ones are refused', () => {
  // two pieces from 100 on; the second has two waits
  const bytes = Uint8Array.of(2, 2, 0, 5, 10, 20, 0, 3, 2, 0, 0, 2, 4, 6, 3, 0, 1);
  const tile = decodePieces(bytes, 100, 2);
  assert.deepEqual([...tile.from_ns, ...tile.to_ns], [100, 115, 110, 135]);
  assert.deepEqual([...tile.node, ...tile.state, ...tile.first], [-1, 2, 2, 0, 0, 0, 2]);
  assert.deepEqual([...tile.all_ns], [1, 22]);
  assert.deepEqual([...tile.wait, ...tile.wait_ns], [3, 1, 22, 21]);
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => decodePieces(bytes.slice(0, length), 100, 2), /damaged/);
  assert.throws(() => decodePieces(bytes, 100, 3), /damaged/);
});
