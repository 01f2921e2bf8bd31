// SPDX-License-Identifier: BSD-3-Clause
// decide/compare.ts and compare_flame.ts: two series of runs.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { PageIndex } from '../../analysis/page/web/data/index';
import { USEFUL, type DifferenceTable, type PathTable } from '../../analysis/page/web/data/tables';
import * as compare from '../../analysis/page/web/decide/compare';
import * as flame from '../../analysis/page/web/decide/compare_flame';
import { leavesOf } from '../../analysis/page/web/decide/sums';
import { KINDS, random } from './make_page';

const index = { overheads: KINDS, documents: {},
  experiments: ['a', 'b1', 'b2'].map(name => ({ name })) } as unknown as PageIndex;

/** T_p of a is 10 s; the mean of b1 and b2 is 12 s. */
function seconds(): compare.OverheadSeconds[] {
  const rows: { [name: string]: [number, number, number] } = {
    T_P: [10, 11, 13], USEFUL: [6, 5, 5], OTOTAL: [4, 6, 8], OSYNC: [3, 5.9, 7.9],
    OSYNC_NXN: [3, 5.9, 7.9], ODATA_SEND: [1, 0.1, 0.1],
  };
  return Object.entries(rows).flatMap(([overhead, values]) => values.map((value, i) =>
    ({ experiment: index.experiments[i].name, overhead, seconds: value })));
}

function row(region: string, verdict: string, a: number | null, b: number | null):
    compare.RegionDifference {
  return { region, key: region && `f.c:${region}`, type: 'CR_F', file: 'f.c', line_start: 1, a, b,
    difference: (b ?? 0) - (a ?? 0), change: null, p_value: null,
    verdict: verdict as compare.RegionDifference['verdict'] };
}

const pair: compare.Pair = { a: 0, b: 1, experiment: 1, parts: [], regions: [
  row('', 'slower', 10, 12), row('x', 'slower', 1, 2), row('y', 'slower', 1, 4),
  row('z', 'faster', 3, 1), row('n', 'new', null, 1), row('g', 'gone', 1, null),
  row('s', 'same', 1, 1.1)] };
const document: compare.CompareDocument = { any_application: false, overheads: seconds(),
  series: [{ experiments: [0], p: 2 }, { experiments: [1, 2], p: 2 }], pairs: [pair] };

test('the seconds of a series are the mean of its runs', () => {
  assert.equal(compare.secondsOf(document, index, document.series[1], 'T_P'), 12);
  assert.equal(compare.secondsOf(document, index, document.series[1], 'ODATA_RECV'), 0);
  const unknown = { ...document, overheads: [{ experiment: 'b2', overhead: 'X', seconds: null }] };
  assert.equal(compare.secondsOf(unknown, index, document.series[1], 'X'), null);
});

test('the waterfall leads from T_p of A to T_p of B', () => {
  const { a, b, steps } = compare.waterfallOf(document, index, pair, 0);
  assert.deepEqual([a, b], [10, 12]);
  assert.deepEqual(steps.map(step => step.key), ['USEFUL', 'ODATA_SEND', 'OSYNC_NXN']);
  assert.equal(steps[0].from, a);
  steps.slice(1).forEach((step, i) => assert.equal(step.from, steps[i].to));
  assert(Math.abs(steps[steps.length - 1].to - b) < 1e-9);
});

test('small steps are one', () => {
  const { b, steps } = compare.waterfallOf(document, index, pair, 0.1);
  assert.deepEqual(steps.map(step => [step.key, step.count]), [['OSYNC_NXN', 1], ['smaller', 2]]);
  assert.equal(steps[1].text, '2 smaller');
  assert(Math.abs(steps[1].to - b) < 1e-9);
});

test('regions by verdict, the largest difference first', () => {
  const lists = compare.listsOf(pair);
  assert.deepEqual(lists.slower.map(each => each.region), ['y', 'x']);
  assert.deepEqual([lists.faster, lists.added, lists.gone, lists.same].map(list =>
    list.map(each => each.region).join()), ['z', 'n', 'g', 's']);
  assert.equal(lists.program?.b, 12);
  assert(compare.knowsNoise(document, pair));
});

test('the pair of the selected runs, in either order', () => {
  const three: compare.CompareDocument = { ...document,
    series: [{ experiments: [0], p: 1 }, { experiments: [1], p: 1 }, { experiments: [2], p: 1 }],
    pairs: [[0, 1], [0, 2], [1, 2]].map(([a, b]) => ({ ...pair, a, b })) };
  assert.equal(compare.choosePair(three, 2, 1), 2);
  assert.equal(compare.choosePair(three, 1, 2), 2);
  assert.equal(compare.choosePair(three, 2, 0), 1);
  assert.equal(compare.choosePair(three, 0, 0), 0);
});

test('one sentence', () => {
  const text = (value: number) => `${value} s`;
  assert.equal(compare.sentence('A', 'B', 2, 3, text), 'B is 1 s, 50.0 % slower than A.');
  assert.equal(compare.sentence('A', 'B', 2, 1, text), 'B is 1 s, 50.0 % faster than A.');
  assert.equal(compare.sentence('A', 'B', 2, 2, text), 'B takes as long as A.');
});

// -- the icicle ----------------------------------------------------------------------------------

function makePaths(count: number): { path: PathTable; difference: DifferenceTable } {
  const next = random(3), rows = [...Array(count).keys()];
  const parent = Int32Array.from(rows, i => i < 2 ? -1 : next() % i);
  const path: PathTable = { pair: new Uint32Array(count).fill(1), parent,
    name: rows.map(i => `f${i}`), file: rows.map(() => 'f.c'), line: Uint32Array.from(rows),
    in_a: Uint8Array.from(rows, i => Number(i % 7 !== 3)),
    in_b: Uint8Array.from(rows, i => Number(i % 7 !== 4)), region: Int32Array.from(rows) };
  const parts = rows.flatMap(i => [i, i]);
  const difference: DifferenceTable = { path: Uint32Array.from(parts),
    leaf: Uint8Array.from(parts, (_, i) => i % 2 ? USEFUL : 9),
    a_ns: Float64Array.from(parts, i => path.in_a[i] ? next() % 1000 : 0),
    b_ns: Float64Array.from(parts, i => path.in_b[i] ? next() % 1000 : 0) };
  path.pair[0] = 0; // of another pair
  parent.forEach((above, i) => { if (above === 0) parent[i] = -1; });
  return { path, difference };
}

const { path, difference } = makePaths(300);
const made = flame.flameOf(path, difference, 1, null);
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

test('no time is lost, and only the pair counts', () => {
  const of = (column: Float64Array) => sum(column.filter((_, i) => difference.path[i] !== 0));
  assert.equal(sum(made.a), of(difference.a_ns));
  assert.equal(sum(made.b), of(difference.b_ns));
  const roots = [...made.parent.keys()].filter(i => made.parent[i] < 0);
  assert.equal(sum(roots.map(i => made.all_b[i])), sum(made.b));
  assert.equal(sum(roots.map(i => made.width[i])), made.whole);
});

test('a path is as wide as its own longer time and all below it', () => {
  made.paths.forEach((_, i) => {
    const below = [...made.parent.keys()].filter(k => made.parent[k] === i);
    assert.equal(made.width[i], Math.max(made.a[i], made.b[i])
      + sum(below.map(k => made.width[k])));
    assert(made.width[i] >= Math.max(made.all_a[i], made.all_b[i]));
  });
});

test('paths lie within their parents and do not overlap', () => {
  for (let i = 0; i < made.paths.length; i++) {
    const above = made.parent[i];
    if (above >= 0) {
      assert(made.left[i] >= made.left[above]);
      assert(made.left[i] + made.width[i] <= made.left[above] + made.width[above] + 1e-6);
    }
    const beside = [...made.parent.keys()].filter(k => k !== i && made.parent[k] === above);
    for (const k of beside)
      assert(made.left[k] >= made.left[i] + made.width[i] || made.left[k] < made.left[i]
        || made.width[k] === 0 || made.width[i] === 0);
  }
});

test('one leaf only', () => {
  const waits = flame.flameOf(path, difference, 1, leavesOf(KINDS, 'OSYNC'));
  assert.equal(sum(waits.a), sum(difference.a_ns.filter((_, i) =>
    difference.leaf[i] === 9 && difference.path[i] !== 0)));
});

test('new, gone, and within noise', () => {
  const at = (row: number) => made.paths.indexOf(row);
  const change = (row: number, noise = false, least = 0) =>
    flame.changeOf(made, path, at(row), least, () => noise);
  const leafless = (row: number) => !path.parent.includes(row);
  const added = [...made.paths].find(row => !path.in_a[row] && leafless(row))!;
  const gone = [...made.paths].find(row => !path.in_b[row] && leafless(row))!;
  const both = [...made.paths].find(row => path.in_a[row] && path.in_b[row])!;
  assert.equal(change(added), 'new');
  assert.equal(change(gone), 'gone');
  assert.equal(change(both), made.b[at(both)] > made.a[at(both)] ? 'slower' : 'faster');
  assert.equal(change(both, true), 'same');
  assert.equal(change(both, false, 1e9), 'same');
});

test('only what can be seen is drawn', () => {
  const all = flame.visible(made, -1, 0), wide = flame.visible(made, -1, 0.05);
  assert.equal(all.length, made.width.filter(width => width > 0).length);
  assert(wide.length < all.length);
  for (const i of wide) assert(made.width[i] >= 0.05 * made.whole);
  const root = made.parent.findIndex(above => above >= 0 && above !== -1);
  for (const i of flame.visible(made, root, 0))
    assert(made.left[i] < made.left[root] + made.width[root]
      && made.left[i] + made.width[i] > made.left[root]);
  assert.equal(flame.pathText(made, path, root).split(' > ').pop(), path.name[made.paths[root]]);
});
