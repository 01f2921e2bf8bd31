// SPDX-License-Identifier: BSD-3-Clause
// decide/group_rows.ts and wait_matrix.ts: who waited for whom.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { WaitPairTable } from '../../analysis/page/web/data/tables';
import { groupRows, groupSums } from '../../analysis/page/web/decide/group_rows';
import { nodesOf } from '../../analysis/page/web/decide/overview';
import { leavesOf } from '../../analysis/page/web/decide/sums';
import { groupUnits } from '../../analysis/page/web/decide/unit_groups';
import { unitMask } from '../../analysis/page/web/decide/units';
import { chosenPairs, pairList, sortedPairs, waitMatrix }
  from '../../analysis/page/web/decide/wait_matrix';
import { KINDS, LEAVES, makeExperiment, random } from './make_page';

const { node, unit, region, p } = makeExperiment(200, 4, 2, 2);
// below each third node the runtime has one of its own
node.source_node = node.source_node.map(row => row % 3 === 2 ? node.parent[row] : row);

function makePairs(rows: number): WaitPairTable {
  const next = random(7);
  const pick = (below: number) => Uint32Array.from({ length: rows }, () => next() % below);
  const victim = Int32Array.from(pick(p));
  victim[3] = victim[9] = -1;
  return { node: pick(40), culprit_node: pick(40), culprit: pick(p), victim,
    leaf: Uint8Array.from(pick(2), row => LEAVES[4 + row]), ns: Float64Array.from(pick(1000)) };
}

const pair = makePairs(500);
const all = chosenPairs(pair,
    { leaves: leavesOf(KINDS, ''), nodes: null, victims: null, culprits: null });
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

test('rows are grouped as a map of texts would', () => {
  const groups = groupRows([pair.victim, pair.leaf], all);
  const slow = new Map<string, number>();
  pair.ns.forEach((ns, row) => {
    const key = `${pair.victim[row]} ${pair.leaf[row]}`;
    slow.set(key, (slow.get(key) ?? 0) + ns);
  });
  assert.equal(groups.count, slow.size);
  assert.deepEqual([...groupSums(groups, pair.ns)], [...slow.values()]);
  const none = groupRows([pair.victim], new Uint8Array(500));
  assert.equal(none.count, 0);
});

test('a cell is what one unit waited for another one', () => {
  const matrix = waitMatrix(pair, all, groupUnits(unit, 'unit', 100));
  let cell = 0;
  for (let row = 0; row < 500; row++)
    if (pair.victim[row] === 5 && pair.culprit[row] === 2) cell += pair.ns[row];
  assert.equal(matrix.ns[5 * p + 2], cell);
  assert.equal(matrix.total, sum(pair.ns));
  assert.equal(matrix.others, pair.ns[3] + pair.ns[9]);
  assert.equal(sum(matrix.ns) + matrix.others, matrix.total);
  assert.equal(sum(matrix.byCulprit), matrix.total);
  assert.equal(sum(matrix.byVictim), matrix.total - matrix.others);
});

test('processes, and the leaf with most time', () => {
  const groups = groupUnits(unit, 'process', 100);
  const matrix = waitMatrix(pair, all, groups);
  const leaves = new Map<number, number>();
  for (let row = 0; row < 500; row++)
    if (groups.of[pair.victim[row]] === 1 && groups.of[pair.culprit[row]] === 3)
      leaves.set(pair.leaf[row], (leaves.get(pair.leaf[row]) ?? 0) + pair.ns[row]);
  assert.equal(matrix.ns[1 * 4 + 3], sum([...leaves.values()]));
  assert.equal(leaves.get(matrix.main[1 * 4 + 3]), Math.max(...leaves.values()));
});

test('pairs are chosen by leaf, region, victim and culprit', () => {
  const choose = (change: object) => chosenPairs(pair, { leaves: leavesOf(KINDS, ''),
    nodes: null, victims: null, culprits: null, ...change });
  const name = KINDS[pair.leaf[0]].name;
  assert.deepEqual([...choose({ leaves: leavesOf(KINDS, name) })],
      Array.from(pair.leaf, leaf => leaf === pair.leaf[0] ? 1 : 0));
  const nodes = nodesOf(node, -1, 20);
  assert.deepEqual([...choose({ nodes })], Array.from(pair.node, at => nodes![at]));
  assert.equal(sum(choose({ victims: unitMask('1', unit) })),
      pair.victim.filter(row => row === 2 || row === 3).length, 'not those without a victim');
  assert.equal(sum(choose({ culprits: unitMask('0.0', unit) })),
      pair.culprit.filter(row => row === 0).length);
});

test('the list has a line for each call path of the source, and loses nothing', () => {
  const list = pairList(pair, all, node);
  assert.equal(sum(list.ns), sum(pair.ns));
  assert(list.count <= 500);
  const keys = new Set(Array.from(list.ns, (_, i) => [list.victim[i], list.culprit[i],
    list.leaf[i], list.node[i], list.culprit_node[i]].join()));
  assert.equal(keys.size, list.count, 'no line comes twice');
  for (const row of list.node) assert(node.source_node.includes(row));
});

test('the list is sorted', () => {
  const list = pairList(pair, all, node);
  const names = { regions: region.name, leaves: KINDS.map(kind => kind.name) };
  const ns = [...sortedPairs(list, '', node, names)].map(row => list.ns[row]);
  for (let i = 1; i < ns.length; i++) assert(ns[i - 1] >= ns[i]);
  const victims = [...sortedPairs(list, 'victim,-time', node, names)];
  for (let i = 1; i < victims.length; i++) {
    const [a, b] = [victims[i - 1], victims[i]];
    assert(list.victim[a] < list.victim[b]
      || (list.victim[a] === list.victim[b] && list.ns[a] >= list.ns[b]));
  }
  assert.equal(sortedPairs(list, 'nonsense', node, names).length, list.count);
});
