// SPDX-License-Identifier: BSD-3-Clause
// decide/scaling.ts: curves over the number of processing units.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { PageIndex } from '../../analysis/page/web/data/index';
import * as scaling from '../../analysis/page/web/decide/scaling';
import { KINDS } from './make_page';

const index = { overheads: KINDS, documents: {}, experiments: [] } as unknown as PageIndex;

function row(set: string, experiment: string, p: number, seconds: number, speedup: number):
    scaling.SpeedupRow {
  return { set, region: 'program', experiment, p, seconds, speedup, efficiency: speedup / p,
    metric: 'WTIME', value: seconds, key: null };
}

const program = [row('small', 'a', 1, 8, 1), row('small', 'c', 4, 3, 8 / 3),
  row('small', 'b', 2, 4, 2), row('small', 'b2', 2, 6, 8 / 6), row('large', 'd', 1, 80, 1),
  row('large', 'e', 2, 50, 1.6)];
const factors: scaling.FactorRow[] = [
  { set: 'small', experiment: 'a', p: 1, factor: 'parallel_efficiency', value: 1, missing: null },
  { set: 'small', experiment: 'b', p: 2, factor: 'parallel_efficiency', value: 0.9, missing: null },
  { set: 'small', experiment: 'b', p: 2, factor: 'ipc_scaling', value: null, missing: 'counters' }];
const overheads = ['a', 'b', 'b2', 'c', 'd', 'e', 'elsewhere'].flatMap((experiment, i) => [
  { experiment, overhead: 'USEFUL', seconds: 8 - i }, { experiment, overhead: 'OSYNC', seconds: i },
  { experiment, overhead: 'OSYNC_NXN', seconds: i }, { experiment, overhead: 'OPROBE',
    seconds: 0.001 }]);
const sets = scaling.scalingsOf({ program, factors }, overheads, index, 0.01);

test('each set has its own curves, in the order of the command', () => {
  assert.deepEqual(sets.map(set => set.set), ['small', 'large']);
  assert.deepEqual(sets[1].seconds.points.map(point => point.value), [80, 50]);
});

test('repetitions are one point: their mean, from the least to the most', () => {
  const [one, two, four] = sets[0].seconds.points;
  assert.deepEqual([one.p, two.p, four.p], [1, 2, 4], 'by p');
  assert.deepEqual([two.value, two.least, two.most, two.experiments], [5, 4, 6, ['b', 'b2']]);
  assert.equal(sets[0].base, 1);
});

test('leaves have curves, inner nodes and small ones do not', () => {
  assert.deepEqual(sets[0].leaves.map(curve => curve.key), ['OSYNC_NXN']);
  assert.deepEqual(sets[0].leaves[0].points.map(point => point.value), [0, 1.5, 3]);
  assert.deepEqual(sets[0].useful.points.map(point => point.value), [8, 6.5, 5]);
});

test('factors that no run has are left out', () => {
  assert.deepEqual(sets[0].factors.map(curve => curve.key), ['parallel_efficiency']);
  assert.deepEqual(sets[1].factors, []);
});

test('values that are not known are left out', () => {
  const curve = scaling.curveOf('x', [{ p: 1, experiment: 'a', value: null },
    { p: 2, experiment: 'b', value: NaN }, { p: 4, experiment: 'c', value: 3 }]);
  assert.deepEqual(curve.points.map(point => point.p), [4]);
});

test('axes are logarithmic if p grows by factors', () => {
  assert(scaling.isLogarithmic([1, 2, 4, 8]));
  assert(!scaling.isLogarithmic([1, 2, 4]));
  assert(!scaling.isLogarithmic([0, 8]));
});
