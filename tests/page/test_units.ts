// SPDX-License-Identifier: BSD-3-Clause
// decide/units.ts: units as text, and as a mask.

import assert from 'node:assert/strict';
import test from 'node:test';
import { puOption, unitCount, unitMask, unitText } from '../../analysis/page/web/decide/units';
import { makeUnits } from './make_page';

const units = makeUnits(6, 2, 1e9); // 0.0 0.1 1.0 ... 5.1

function rows(text: string): number[] {
  const mask = unitMask(text, units);
  return mask ? [...mask].flatMap((chosen, row) => chosen ? [row] : []) : [-1];
}

test('processes, ranges and threads are chosen', () => {
  assert.deepEqual(rows('1'), [2, 3]);
  assert.deepEqual(rows('0-2'), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(rows('5.1'), [11]);
  assert.deepEqual(rows('0-1,5.1'), [0, 1, 2, 3, 11]);
});

test('all units are chosen by a text that names none', () => {
  for (const text of ['', '9', '7-9', '0.5', 'x', '-', '1.2.3', '3-1'])
    assert.deepEqual(rows(text), [-1], text);
});

test('text and mask agree', () => {
  for (const text of ['0', '0-3', '0-1,3', '0.1,1-2,4.0', '5', '0.0'])
    assert.equal(unitText(unitMask(text, units), units), text);
  assert.equal(unitText(unitMask('1,0,2', units), units), '0-2');
  assert.equal(unitText(unitMask('0-5', units), units), '');
  assert.equal(unitText(null, units), '');
});

test('a mask of one thread of each process is as exact as it is long', () => {
  const mask = Uint8Array.from(units.thread, thread => thread === 1 ? 1 : 0);
  const text = unitText(mask, units);
  assert.deepEqual([...unitMask(text, units)!], [...mask]);
});

test('units are counted', () => {
  assert.equal(unitCount(null, 12), 12);
  assert.equal(unitCount(unitMask('0-1,5.1', units), 12), 5);
});

test('the option --pu has no ranges', () => {
  assert.equal(puOption('0-2,5.1'), '0,1,2,5.1');
  assert.equal(puOption(''), '');
});
