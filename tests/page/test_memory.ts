// SPDX-License-Identifier: BSD-3-Clause
// decide/memory.ts: lines of memory and their names.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { MemoryTable, MemoryUseTable } from '../../analysis/page/web/data/tables';
import * as decide from '../../analysis/page/web/decide/memory';

const memory: MemoryTable = {
  kind: ['none', 'static', 'heap', 'heap', 'stack', 'thread_local', 'other', 'static'],
  name: ['', 'table', 'p->L2', '', '', '', '', ''],
  function: ['', 'f', 'make', 'make', 'g', '', '', ''],
  container: ['', 'table', 'PANEL', '', '', '', '', ''],
  container_function: ['', 'f', 'main', '', '', '', '', ''],
  type: ['', 'int', 'double', '', '', '', '', ''],
  file: Array(8).fill(''), line: new Uint32Array(8),
  path: ['', '', 'main/make', 'main/make', '', '', '', ''],
  module: Array(8).fill('/bin/prog'), bytes: new Float64Array(8),
};

const use: MemoryUseTable = {
  memory: Uint32Array.of(0, 1, 2, 2, 3, 4), unit: Uint32Array.of(0, 0, 0, 1, 1, 0),
  allocations: Float64Array.of(0, 0, 1, 2, 5, 0), freed: Float64Array.of(0, 0, 0, 1, 5, 0),
  bytes: Float64Array.of(0, 0, 100, 300, 50, 0), most_bytes: Float64Array.of(0, 0, 100, 200, 10, 0),
  largest_bytes: Float64Array.of(0, 0, 100, 150, 10, 0),
  life_ns: Float64Array.of(0, 0, 0, 70, 20, 0), samples: Float64Array.of(90, 7, 10, 20, 7, 8),
};

test('lines are ordered by samples, then bytes, and what is no memory is last', () => {
  const lines = decide.memoryLines(memory, use, null);
  assert.deepEqual(lines.map(line => line.memory), [2, 4, 3, 1, 0]);
  assert.deepEqual(lines[0], { memory: 2, allocations: 3, freed: 1, bytes: 400, most_bytes: 300,
    largest_bytes: 150, life_ns: 70, samples: 30 });
  assert.deepEqual(decide.memoryLines(memory, use, Uint8Array.of(0, 1)).map(line =>
    [line.memory, line.samples]), [[2, 20], [3, 7]]);
  assert.equal(decide.memorySamples(use), 142);
});

test('memory without a variable is named by where it is', () => {
  assert.deepEqual([...memory.kind.keys()].map(row => decide.memoryName(memory, row)),
      ['no memory', 'f.table', 'p->L2', '-', 'stack of g', 'thread-local data',
        'small allocations and memory of libraries', 'static data of /bin/prog']);
});

test('the outermost variable is named if it is another one', () => {
  assert.deepEqual([...memory.kind.keys()].map(row => decide.containerName(memory, row)),
      ['', '', 'PANEL of main', '', '', '', '', '']);
});
