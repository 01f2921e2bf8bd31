// SPDX-License-Identifier: BSD-3-Clause
// decide/tree.ts and decide/icicle.ts: visible rows, searches, rectangles.

import assert from 'node:assert/strict';
import test from 'node:test';
import { icicle, neighbour, rectangleAt, rectangleOf } from '../../analysis/page/web/decide/icicle';
import { sumsByNode } from '../../analysis/page/web/decide/regions';
import { childrenOf, marks, matching, opened, toggled, visibleRows }
  from '../../analysis/page/web/decide/tree';
import { KINDS, makeExperiment } from './make_page';

//   0
//   |- 1 -- 2
//   `- 3 -- 4 -- 5
const parent = Int32Array.of(-1, 0, 1, 0, 3, 4);
const end = Uint32Array.of(6, 3, 3, 6, 6, 6);
const children = childrenOf(parent);
const open = (...rows: number[]) => Uint8Array.from(parent, (_, row) => rows.includes(row) ? 1 : 0);
const byRow = (...values: number[]) => Float64Array.from(values);

test('only children of open nodes are visible', () => {
  const rows = (is: Uint8Array) => [...visibleRows(children, [0], is, null, [])];
  assert.deepEqual(rows(open()), [0]);
  assert.deepEqual(rows(open(0)), [0, 1, 3]);
  assert.deepEqual(rows(open(0, 3, 4)), [0, 1, 3, 4, 5]);
  assert.deepEqual(rows(open(4)), [0]);
});

test('siblings are sorted, the second key decides among equals', () => {
  const rows = (descending: boolean, ...values: number[]) => [...visibleRows(children, [0],
      open(0, 1, 3), null, [{ values: byRow(...values), descending }])];
  assert.deepEqual(rows(true, 9, 1, 5, 2, 7, 3), [0, 3, 4, 1, 2]);
  assert.deepEqual(rows(false, 9, 1, 5, 2, 7, 3), [0, 1, 2, 3, 4]);
  assert.deepEqual(rows(true, 9, NaN, 5, -2, 7, 3), [0, 3, 4, 1, 2]);
  assert.deepEqual(rows(false, 9, NaN, 5, -2, 7, 3), [0, 3, 4, 1, 2]);
  const two = [{ values: byRow(0, 1, 1, 1, 1, 1), descending: true },
    { values: byRow(0, 1, 1, 2, 1, 1), descending: true }];
  assert.deepEqual([...visibleRows(children, [0], open(0), null, two)], [0, 3, 1]);
});

test('any number of siblings is sorted in the same way', () => {
  for (const count of [2, 12, 13, 500, 5000]) {
    const flat = Int32Array.from({ length: count + 1 }, (_, row) => row ? 0 : -1);
    const values = Float64Array.from(flat, (_, row) => row % 7 ? (row * 7919) % 1009 : NaN);
    const expected = [...values.keys()].slice(1).sort((a, b) => {
      const [x, y] = [values[a], values[b]];
      if (x !== x || y !== y) return Number(x !== x) - Number(y !== y) || a - b;
      return y - x || a - b;
    });
    const all = new Uint8Array(count + 1).fill(1);
    const rows = visibleRows(childrenOf(flat), [0], all, null, [{ values, descending: true }]);
    assert.deepEqual([...rows], [0, ...expected], `${count} siblings`);
  }
});

test('a node opens alone, with all below, or so that it can be seen', () => {
  assert.deepEqual([...toggled(open(), end, 3, true, false)], [...open(3)]);
  assert.deepEqual([...toggled(open(), end, 3, true, true)], [...open(3, 4, 5)]);
  assert.deepEqual([...toggled(open(0, 3, 4), end, 0, false, true)], [...open()]);
  assert.deepEqual([...opened(open(), parent, 5)], [...open(0, 3, 4)]);
});

test('a search marks matches, and what is above them', () => {
  const found = matching('LIB solve', ['lib/solve.c', 'solve', 'Solver in LIB', '']);
  assert.deepEqual([...found!], [1, 0, 1, 0]);
  assert.equal(matching('  ', ['a']), null);
  assert.deepEqual([...marks(parent, row => row === 4 || row === 1)], [2, 1, 0, 2, 1, 0]);
  const only = marks(parent, row => row === 4);
  assert.deepEqual([...visibleRows(children, [0], open(0, 1, 3, 4), only, [])], [0, 3, 4]);
});

const made = makeExperiment(3000, 2, 2, 1, 3);
const { node } = made;
const { spent } = sumsByNode(made, KINDS, '', null);

test('rectangles are inside their callers, as wide as their time', () => {
  const picture = icicle(node, spent, 0, 1 / 1000, 100);
  assert(picture.count > 20 && picture.narrow > 0);
  let drawn = 0;
  for (let i = 0; i < picture.count; i++) {
    const row = picture.node[i];
    if (row <= 0) continue;
    drawn++;
    const above = rectangleOf(picture, node.parent[row]);
    assert.equal(picture.level[above], picture.level[i] - 1);
    assert(picture.x[i] >= picture.x[above] - 1e-6);
    assert(picture.x[i] + picture.width[i] <= picture.x[above] + picture.width[above] + 1e-5);
    assert(Math.abs(picture.width[i] - spent[row] / spent[0]) < 1e-6);
  }
  assert.equal(1 + drawn + picture.narrow + picture.deeper, 3000);
});

test('a node that is looked at has the whole width, its callers above', () => {
  let top = 0;
  while (node.depth[top] < 3 || node.end[top] - top < 5) top++;
  const picture = icicle(node, spent, top, 1 / 1000, 100);
  const i = rectangleOf(picture, top);
  assert.deepEqual([picture.x[i], picture.width[i], picture.level[i]], [0, 1, node.depth[top]]);
  assert.equal(rectangleOf(picture, 0), 0);
  assert.equal(picture.level[0], 0);
});

test('levels end where they should', () => {
  const picture = icicle(node, spent, 0, 0, 4);
  assert(picture.levels <= 4 && picture.deeper > 0);
});

test('arrows and the pointer find rectangles', () => {
  const picture = icicle(node, spent, 0, 1 / 1000, 100);
  const below = neighbour(picture, node.parent, 0, 'down');
  assert.equal(node.parent[picture.node[below]], 0);
  assert.equal(neighbour(picture, node.parent, below, 'up'), 0);
  const right = neighbour(picture, node.parent, below, 'right');
  assert.equal(neighbour(picture, node.parent, right, 'left'), below);
  const middle = picture.x[right] + picture.width[right] / 2;
  assert.equal(rectangleAt(picture, middle, picture.level[right]), right);
  assert.equal(rectangleAt(picture, 0.5, 1000), -1);
});
