// SPDX-License-Identifier: BSD-3-Clause
// decide/variables.ts: blame points, their variables, overheads of variables.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { BlamePointTable, BlameTable, UnitTable, VariableOverheadTable, VariableTable }
  from '../../analysis/page/web/data/tables';
import * as variables from '../../analysis/page/web/decide/variables';
import { leavesOf } from '../../analysis/page/web/decide/sums';
import { KINDS, makeUnits } from './make_page';

const point: BlamePointTable = {
  id: Float64Array.of(1, 2, 3, 4, 5), is_root: Uint8Array.of(0, 1, 1, 0, 0),
  path: ['main/solve', 'start_thread', 'main', 'main/bc', 'main/cut'],
  function: ['solve', 'start_thread', 'main', 'bc', 'cut'], file: ['', '', '', '', ''],
  line: new Uint32Array(5), samples: Float64Array.of(60, 2, 98, 5, 20),
  is_chosen: Uint8Array.of(1, 0, 0, 0, 0), is_top: Uint8Array.of(0, 0, 0, 0, 1),
  is_cut: Uint8Array.of(0, 1, 0, 0, 0),
};

test('the points of the command: main first, then by path', () => {
  const paths = (least: number) => variables.usualPoints(point, 100, least).map(row =>
    point.path[row]);
  assert.deepEqual(paths(0.01), ['main', 'main/cut', 'main/solve', 'start_thread']);
  assert.deepEqual(paths(0.1), ['main', 'main/cut', 'main/solve'], 'a thread with few samples');
  assert.deepEqual(paths(0.5), ['main', 'main/solve'], 'chosen ones and main always');
  assert.equal(variables.pointText('main/solve'), 'main > solve');
});

test('a point is below those further up in its path', () => {
  const places = variables.pointPlaces({
    ...point, path: ['main', 'main/a/b', 'main/a/b/c', 'x/y'],
  });
  assert.deepEqual(places.map(({ above, rest }) => [above, rest]),
      [[0, 'main'], [1, 'a/b'], [2, 'c'], [0, 'x/y']]);
});

test('a spread is over processes, or over threads if there is one process', () => {
  const many = variables.lanesOf(makeUnits(2, 2, 1));
  assert.deepEqual([many.kind, [...many.of], many.names], ['process', [0, 0, 1, 1], ['0', '1']]);
  const one = variables.lanesOf(makeUnits(1, 3, 1));
  assert.deepEqual([one.kind, one.names], ['thread', ['0.0', '0.1', '0.2']]);
  const { mean, deviation, factor } = variables.spreadOf(Float64Array.of(1, 3));
  assert.deepEqual([mean, deviation, factor], [2, 1, 1.5]);
  assert(Number.isNaN(variables.spreadOf(Float64Array.of(0, 0)).factor));
});

const variable: VariableTable = {
  point: Uint32Array.of(2, 2, 2, 2, 2, 0), kind: ['local', 'local', 'local', 'other', 'local',
    'local'], name: ['grid', 'grid', 'grid', '', 'sum', 'x'],
  field: ['', 'grid.psi', 'grid.nx', '', '', ''], type: ['struct grid', 'double', 'int', '',
    'double', 'int'], file: Array(6).fill('a.c'), line: new Uint32Array(6).fill(3),
};
const blame: BlameTable = {
  variable: Uint32Array.of(0, 0, 1, 2, 3, 4, 5), unit: Uint32Array.of(0, 2, 0, 0, 1, 3, 0),
  explicit: Float64Array.of(20, 4, 14, 6, 0, 30, 9), implicit: Float64Array.of(2, 0, 2, 0, 0, 4, 0),
  parts: Float64Array.of(18, 4, 12, 6, 8, 10, 7), base: Float64Array.of(10, 2, 10, 0, 0, 10, 7),
  blocked: Float64Array.of(0, 0, 0, 0, 8, 0, 0), weight: new Float64Array(7),
};
const unit: UnitTable = makeUnits(2, 2, 1);
const lanes = variables.lanesOf(unit);
const measured = { variable, blame, unit: 2 };

test('the lines of a point, fields below their variable, the sum last', () => {
  const lines = variables.linesOf(measured, 2, lanes, null, false);
  assert.deepEqual(lines.map(line => [line.kind, line.name, line.samples]),
      [['local', 'grid', 11], ['local', 'sum', 5], ['other', '', 4], ['all', 'All instances', 20]]);
  assert.deepEqual(lines[0].fields.map(line => [line.field, line.samples]),
      [['grid.psi', 6], ['grid.nx', 3]]);
  assert.deepEqual([...lines[0].lanes], [9, 2]);
  assert.deepEqual([lines[0].explicit, lines[0].implicit, lines[0].base], [12, 1, 6]);
  assert.equal(lines[3].blocked, 4);
  assert(Number.isNaN(lines[3].explicit));
});

test('inclusive, and of one unit', () => {
  const inclusive = variables.linesOf(measured, 2, lanes, null, true);
  assert.deepEqual(inclusive.map(line => [line.name, line.samples]),
      [['sum', 17], ['grid', 13], ['', 0], ['All instances', 20]], 'the sum stays partitioned');
  const one = variables.linesOf(measured, 2, lanes, Uint8Array.of(0, 0, 1, 0), false);
  assert.deepEqual(one.map(line => line.samples), [2, 2]);
  assert.deepEqual(variables.linesOf(measured, 3, lanes, null, false), []);
});

test('overheads by variable', () => {
  const NXN = KINDS.findIndex(kind => kind.name === 'OSYNC_NXN');
  const SEND = KINDS.findIndex(kind => kind.name === 'ODATA_SEND');
  const overhead: VariableOverheadTable = {
    variable: Uint32Array.of(0, 0, 1, 4, 5), unit: Uint32Array.of(0, 1, 0, 0, 0),
    leaf: Uint8Array.of(NXN, SEND, NXN, NXN, NXN), routine: ['MPI_Recv', 'MPI_Send', 'MPI_Recv',
      'MPI_Allreduce', 'MPI_Recv'], ns: Float64Array.of(5, 2, 5, 8, 1),
    bytes: Float64Array.of(10, 20, 10, 8, 0), calls: Float64Array.of(1, 2, 1, 1, 1),
  };
  const all = variables.overheadLines(variable, overhead, 2, leavesOf(KINDS, ''), null);
  assert.deepEqual(all.map(line => [variable.name[line.variable], line.ns, line.bytes, line.calls,
    line.routines.join()]), [['sum', 8, 8, 1, 'MPI_Allreduce'],
    ['grid', 7, 30, 3, 'MPI_Recv,MPI_Send']], 'fields are part of their variable');
  const waits = variables.overheadLines(variable, overhead, 2, leavesOf(KINDS, 'OSYNC'), null);
  assert.deepEqual(waits.map(line => line.ns), [8, 5]);
  assert.deepEqual([...variables.pointsWithOverhead(variable, overhead)].sort(), [0, 2]);
});

test('the profile of functions', () => {
  const samples = { unit: Uint32Array.of(0, 1, 0), function: ['f', 'f', 'g'], file: ['', '', ''],
    line: Uint32Array.of(1, 1, 1), own: Float64Array.of(1, 2, 9),
    inclusive: Float64Array.of(4, 5, 9) };
  assert.deepEqual(variables.functionLines(samples, null).map(line => [line.name, line.own,
    line.inclusive]), [['g', 9, 9], ['f', 3, 9]]);
  assert.deepEqual(variables.functionLines(samples, Uint8Array.of(0, 1))
      .map(line => line.own), [2]);
});
