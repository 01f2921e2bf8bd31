// SPDX-License-Identifier: BSD-3-Clause
// decide/message_matrix.ts: the communication matrix and its lists, on a run small enough to be
// added up by hand.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { MessageTable, NodeTable, RegionTable } from '../../analysis/page/web/data/tables';
import { chosenMessages, communicators, messageMatrix, type MessageTables, movesOf, pairs, sites }
  from '../../analysis/page/web/decide/message_matrix';
import { nodesOf } from '../../analysis/page/web/decide/overview';
import { groupUnits } from '../../analysis/page/web/decide/unit_groups';
import { makeUnits } from './make_page';

// nodes: run > main > MPI_Send, MPI_Get, MPI_Bcast
const region: RegionTable = {
  id: Float64Array.of(1, 2, 3, 4, 5), name: ['run', 'main', 'MPI_Send', 'MPI_Get', 'MPI_Bcast'],
  type: ['RT_RUN', 'CR_F', 'CR_MPISEND', 'CR_MPIGET', 'CR_MPIBCAST'],
  function: ['', 'main', 'main', 'main', 'main'], file: ['', 'a.c', 'a.c', 'a.c', 'a.c'],
  line_start: Uint32Array.of(0, 1, 5, 6, 7), line_end: Uint32Array.of(0, 9, 5, 6, 7),
};
const node: NodeTable = {
  id: Float64Array.of(1, 2, 3, 4, 5), parent: Int32Array.of(-1, 0, 1, 1, 1),
  region: Uint32Array.of(0, 1, 2, 3, 4), depth: Uint32Array.of(0, 1, 2, 2, 2),
  end: Uint32Array.of(5, 5, 3, 4, 5), nested: new Uint8Array(5),
  source_node: Uint32Array.of(0, 1, 2, 3, 4),
};
const unit = makeUnits(4, 2, 1000);
const message: MessageTable = {
  node: Uint32Array.of(2, 2, 2, 3, 4, 2), unit: Uint32Array.of(0, 1, 2, 0, 0, 6),
  communicator: Uint32Array.of(0, 0, 0, 1, 0, 2), target: Int32Array.of(1, 1, 0, 3, -1, 0),
  calls: Float64Array.of(2, 1, 4, 1, 3, 1), bytes: Float64Array.of(200, 50, 80, 1000, 300, 7),
  ns: Float64Array.of(20, 10, 40, 10, 30, 5), receive_ns: Float64Array.of(90, 5, 6, 0, 0, 2),
  estimated: Uint8Array.of(0, 1, 0, 0, 0, 0),
};
const communicator = { number: Float64Array.of(0, 3, 4), name: ['world', '', 'pair'],
  size: Float64Array.of(4, 4, 1), kind: ['group', 'window', 'inter'] };
const tables: MessageTables = { message, node, region, unit, communicator };
const moves = movesOf(tables);
const all = chosenMessages(tables, { communicator: -1, nodes: null });

test('pairs of processes: threads are added up, MPI_Get moves from its target', () => {
  assert.deepEqual(pairs(message, moves, all), [
    { from: 3, to: 0, kind: 'get', calls: 1, bytes: 1000, ns: 10, receive_ns: 0,
      estimated: false },
    { from: 0, to: 1, kind: 'message', calls: 3, bytes: 250, ns: 30, receive_ns: 95,
      estimated: true },
    { from: 1, to: 0, kind: 'message', calls: 4, bytes: 80, ns: 40, receive_ns: 6,
      estimated: false },
    { from: 3, to: 0, kind: 'inter message', calls: 1, bytes: 7, ns: 5, receive_ns: 2,
      estimated: false },
  ]);
});

test('call sites count senders and receivers, collective operations too', () => {
  const list = sites(tables, moves, all);
  assert.deepEqual(list.map((
      { region: row, communicator: comm, kind, senders, receivers, bytes }) =>
    [row, comm, kind, senders, receivers, bytes]), [
    [3, 1, 'get', 1, 1, 1000], [2, 0, 'message', 2, 2, 330], [4, 0, 'collective', 1, 0, 300],
    [2, 2, 'inter message', 1, 1, 7],
  ]);
});

test('communicators', () => {
  assert.deepEqual(communicators(tables, all)[0], { communicator: 0, messages: 7,
    message_bytes: 330, collectives: 3, collective_bytes: 300, ns: 100 });
  assert.equal(communicators(tables, all).length, 3);
});

test('the matrix by process and by range, in each measure', () => {
  const list = pairs(message, moves, all);
  const single = groupUnits(unit, 'process', 4);
  const bytes = messageMatrix(list, 'bytes', unit, single);
  assert.deepEqual([...bytes.value],
      [0, 250, 0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 1007, 0, 0, 0]);
  assert.deepEqual([...bytes.sent], [250, 80, 0, 1007]);
  assert.equal(bytes.total, 1337);
  assert.equal(messageMatrix(list, 'receiving', unit, single).value[1], 95);
  const ranges = groupUnits(unit, 'range', 2);
  assert.deepEqual([...messageMatrix(list, 'calls', unit, ranges).value], [7, 0, 2, 0]);
});

test('messages are chosen by communicator, region and call path', () => {
  const chosen = (change: object) =>
    [...chosenMessages(tables, { communicator: -1, nodes: null, ...change })];
  assert.deepEqual(chosen({ communicator: 1 }), [0, 0, 0, 1, 0, 0]);
  assert.deepEqual(chosen({ nodes: nodesOf(node, 4, -1) }), [0, 0, 0, 0, 1, 0]);
  assert.deepEqual(chosen({ nodes: nodesOf(node, 1, -1) }), [1, 1, 1, 1, 1, 1], 'what it calls');
  assert.deepEqual(chosen({ nodes: nodesOf(node, -1, 2) }), [1, 1, 1, 0, 0, 1]);
});
