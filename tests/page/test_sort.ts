// SPDX-License-Identifier: BSD-3-Clause
// decide/sort.ts: ranks and sorting, compared with the sort of the language.

import assert from 'node:assert/strict';
import test from 'node:test';
import { nextSort, ranksOf, ranksOfTexts, sortKeys, sortRows }
  from '../../analysis/page/web/decide/sort';
import { random } from './make_page';

function slow(values: Float64Array, descending: boolean): number[] {
  return [...values.keys()].sort((a, b) => {
    const [x, y] = [values[a], values[b]];
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return descending ? y - x : x - y;
  });
}

const next = random(7);
const values = Float64Array.from({ length: 5000 }, (_, i) => {
  if (i % 97 === 0) return NaN;
  if (i % 31 === 0) return 0;
  if (i % 13 === 0) return -(next() % 1000) / 7;
  return i % 3 ? next() * next() : next() % 50;
});

test('rows are sorted by numbers; unknown ones are last in both directions', () => {
  for (const descending of [false, true])
    assert.deepEqual([...sortRows(values.length, [{ by: ranksOf(values), descending }])],
        slow(values, descending));
});

test('equal numbers have equal ranks', () => {
  const { ranks, most } = ranksOf(Float64Array.of(5, -0, 0, NaN, 5, -3));
  assert.deepEqual([...ranks], [2, 1, 1, 3, 2, 0]);
  assert.equal(most, 2);
  assert.equal(ranksOf(Float64Array.of(NaN, NaN)).most, -1);
  assert.equal(ranksOf(new Float64Array(0)).ranks.length, 0);
});

test('integers of all kinds are sorted', () => {
  for (const list of [Int32Array.of(3, -5, 0, 2 ** 31 - 1, -(2 ** 31)),
    Uint32Array.of(4294967295, 1)])
    assert.deepEqual([...sortRows(list.length, [{ by: ranksOf(list), descending: false }])],
        [...list.keys()].sort((a, b) => list[a] - list[b]));
});

test('a second key decides among equals, then the number of the row', () => {
  const a = ranksOf(Float64Array.of(1, 2, 1, 2, 1));
  const b = ranksOf(Float64Array.of(9, 8, 7, 8, 9));
  assert.deepEqual([...sortRows(5, [{ by: a, descending: true }, { by: b, descending: false }])],
      [1, 3, 2, 0, 4]);
});

test('texts are sorted by the alphabet, numbers in them by value', () => {
  const by = ranksOfTexts(['omp for@110', 'omp for@9', 'Iterate', 'apply', 'apply']);
  assert.deepEqual([...sortRows(5, [{ by, descending: false }])], [3, 4, 2, 1, 0]);
});

test('a click on a column makes it the first key', () => {
  assert.equal(nextSort('', 'self', true), '-self');
  assert.equal(nextSort('-self', 'self', true), 'self');
  assert.equal(nextSort('-self', 'name', false), 'name,-self');
  assert.equal(nextSort('name,-self', 'name', false), '-name,-self');
  assert.equal(nextSort('name,-self', 'calls', true), '-calls,name');
});

test('an address may hold any text', () => {
  assert.deepEqual(sortKeys('-a,b'), [{ name: 'a', descending: true },
    { name: 'b', descending: false }]);
  assert.deepEqual(sortKeys(',,--x,<b>,'), []);
});
