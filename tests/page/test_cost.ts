// SPDX-License-Identifier: BSD-3-Clause
// decide/cost.ts: what measuring took, and what the budget decided.

import assert from 'node:assert/strict';
import test from 'node:test';
import * as cost from '../../analysis/page/web/decide/cost';
import { KINDS, makeExperiment } from './make_page';

const made = makeExperiment(300, 2, 2, 2);
const PROBE = KINDS.findIndex(kind => kind.name === 'OPROBE');
const { node, part, cell, region, p } = made;
node.source_node = node.source_node.map(row => row % 3 === 2 ? node.parent[row] : row);
cell.error_ns[5] = 30;
cell.error_ns[6] = 40;
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

test('probes by region of the source and by unit', () => {
  const costs = cost.probeCosts(made, p, PROBE, null);
  const rows = [...part.ns.keys()].filter(i => part.leaf[i] === PROBE);
  assert(rows.length > 0, 'the experiment has probes');
  assert.equal(costs.all, sum(rows.map(i => part.ns[i])));
  assert.equal(sum(costs.region), costs.all);
  assert.equal(sum(costs.unit), costs.all);
  const at = node.region[node.source_node[part.node[rows[0]]]];
  assert.equal(costs.region[at], sum(rows.filter(i =>
    node.region[node.source_node[part.node[i]]] === at).map(i => part.ns[i])));
  assert.equal(sum(costs.calls), sum(cell.calls));
  assert.equal(sum(costs.square), 30 * 30 + 40 * 40);
});

test('of one unit: its regions, and the strip of all units', () => {
  const costs = cost.probeCosts(made, p, PROBE, Uint8Array.of(0, 1, 0, 0));
  assert.equal(costs.all, costs.unit[1]);
  assert.equal(sum(costs.region), costs.all);
  assert(sum(costs.unit) > costs.all);
});

test('regions with costs, those that cost most first', () => {
  const costs = cost.probeCosts(made, p, PROBE, null), rows = cost.costlyRegions(costs);
  for (let i = 1; i < rows.length; i++)
    assert(costs.region[rows[i - 1]] >= costs.region[rows[i]]);
  assert.equal(rows.length, [...region.id.keys()].filter(row => costs.region[row] > 0
    || costs.square[row] > 0).length);
});

test('what was off is what the report has; without it, nothing', () => {
  const index = (report: object) =>
    ({ documents: { report } }) as unknown as Parameters<typeof cost.switchedOffOf>[0];
  const off = [{ text: 'leaf (a.c:3): off from 0.100 s on, by r:1 (off leaf)' }];
  assert.deepEqual(cost.switchedOffOf(index({ switched_off: off })), off);
  assert.deepEqual(cost.switchedOffOf(index({})), []);
});

test('the history of a region is without gaps', () => {
  const turned = { region: Uint32Array.of(4, 4, 4, 2), process: Uint32Array.of(0, 0, 1, 0),
    rung: ['fraction', 'off', 'fraction', 'sampled'], time_ns: Float64Array.of(10, 30, 20, 5) };
  const [first, second] = cost.rungsOf(turned, 100);
  assert.deepEqual([first.region, first.lowest, second.region, second.lowest],
      [4, 'off', 2, 'sampled'], 'those that were off come first');
  assert.deepEqual(first.lanes[0].stretches, [{ rung: 'full', from: 0, to: 10 },
    { rung: 'fraction', from: 10, to: 30 }, { rung: 'off', from: 30, to: 100 }]);
  assert.deepEqual(first.lanes[1].stretches.map(stretch => stretch.rung), ['full', 'fraction']);
});

test('a decision at the start, and one that takes another one back', () => {
  const turned = { region: Uint32Array.of(1, 1), process: Uint32Array.of(0, 0),
    rung: ['off', 'full'], time_ns: Float64Array.of(0, 50) };
  assert.deepEqual(cost.rungsOf(turned, 60)[0].lanes[0].stretches,
      [{ rung: 'off', from: 0, to: 50 }, { rung: 'full', from: 50, to: 60 }]);
  assert.equal(cost.rungOf('something else'), 'full');
});

test('one sentence', () => {
  assert.equal(cost.costSentence(0.05, null), 'Probes took 5.00 % of the time of the units.');
  assert.match(cost.costSentence(0.05, { t_p: 2, t_p_without_probes: 1.9 }), /T_p would be 5.00 %/);
  assert(!cost.costSentence(0.05, { t_p: 2, t_p_without_probes: null }).includes('T_p'));
});

test('numbers are sorted in both directions, what is not known last', () => {
  const value = (row: number) => [3, NaN, 5, 5][row];
  assert.deepEqual(cost.byValue([0, 1, 2, 3], value, true), [2, 3, 0, 1]);
  assert.deepEqual(cost.byValue([0, 1, 2, 3], value, false), [0, 2, 3, 1]);
});
