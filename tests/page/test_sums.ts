// SPDX-License-Identifier: BSD-3-Clause
// decide/sums.ts: sums over tables, compared with the slow and obvious way.

import assert from 'node:assert/strict';
import test from 'node:test';
import { USEFUL } from '../../analysis/page/web/data/tables';
import { identityError, identityHolds } from '../../analysis/page/web/decide/identity';
import { addClassesUp, byRegion, firstRows, inclusive, inclusiveByRegion, leafSums, leavesOf,
  partsByNode, partsByNodeAndClass, sumBy, treeSums } from '../../analysis/page/web/decide/sums';
import { unitMask } from '../../analysis/page/web/decide/units';
import { KINDS, makeExperiment, write } from './make_page';

const made = makeExperiment(400, 4, 2, 3);
const { node, unit, cell, part, p, t_p_ns } = made;
const nodes = node.parent.length;
const rowOf = (name: string) => KINDS.findIndex(kind => kind.name === name);

function isBelow(row: number, top: number): boolean {
  for (let at = row; at >= 0; at = node.parent[at]) if (at === top) return true;
  return false;
}

test('all parts add up to p * T_p', () => {
  const { index } = write(made, {});
  assert.equal(identityError(index.experiments[0], part), 0);
  assert(identityHolds(index.experiments[0], part));
  const broken = { ...part, ns: part.ns.map((ns, row) => row ? ns : ns + 1e6) };
  assert(!identityHolds(index.experiments[0], broken));
});

test('inclusive sums are those of the subtree', () => {
  const own = sumBy(nodes, cell.node, cell.excl_ns, cell.unit, null);
  const sums = inclusive(node, own);
  for (const top of [0, 1, 7, 100, nodes - 1]) {
    let expected = 0;
    for (let row = 0; row < nodes; row++) if (isBelow(row, top)) expected += own[row];
    assert.equal(sums[top], expected);
  }
});

test('units restrict sums', () => {
  const mask = unitMask('1,3.1', unit)!;
  const sums = sumBy(nodes, cell.node, cell.calls, cell.unit, mask);
  let expected = 0;
  for (let row = 0; row < cell.node.length; row++)
    if (cell.node[row] === 5 && mask[cell.unit[row]]) expected += cell.calls[row];
  assert.equal(sums[5], expected);
  const chosen = leafSums(part, mask).reduce((a, b) => a + b, 0);
  assert.equal(chosen, 3 * t_p_ns);
});

test('leaves add up along the overhead tree', () => {
  const leaves = leafSums(part, null);
  const tree = treeSums(KINDS, leaves);
  assert.equal(tree[rowOf('OSYNC')], leaves[rowOf('OSYNC_IBAR')] + leaves[rowOf('OSYNC_NXN')]);
  assert.equal(tree[rowOf('OTOTAL')] + tree[rowOf('UNMEASURED')] + leaves[USEFUL], p * t_p_ns);
});

test('an overhead names its leaves', () => {
  const of = (name: string) => [...leavesOf(KINDS, name)].flatMap((is, row) => is ? [row] : []);
  assert.deepEqual(of('OSYNC_M'), [rowOf('OSYNC_M'), rowOf('OSYNC_NXN')]);
  assert.deepEqual(of('useful'), [USEFUL]);
  assert.equal(of('').length, KINDS.length);
  assert.equal(of('NOT_THERE').length, KINDS.length);
});

test('a nested region counts once', () => {
  const spent = inclusive(node, partsByNode(nodes, part, leavesOf(KINDS, 'useful'), null));
  const sums = inclusiveByRegion(made.region.name.length, node, spent);
  for (const region of [0, 1, 2, 30]) {
    let expected = 0;
    for (let row = 0; row < nodes; row++) {
      let outer = node.parent[row];
      while (outer >= 0 && node.region[outer] !== region) outer = node.parent[outer];
      if (node.region[row] === region && outer < 0) expected += spent[row];
    }
    assert.equal(sums[region], expected);
  }
  const own = byRegion(made.region.name.length, node, spent);
  assert(own.reduce((a, b) => a + b, 0) > 0);
});

test('rows of a node are found', () => {
  const first = firstRows(nodes, part.node);
  for (const top of [0, 3, 50]) {
    let count = 0;
    for (let row = 0; row < part.node.length; row++) if (isBelow(part.node[row], top)) count++;
    assert.equal(first[node.end[top]] - first[top], count);
  }
});

test('classes of leaves add up like all leaves', () => {
  const classOf = new Uint8Array(256).fill(1);
  classOf[USEFUL] = 0;
  const sums = addClassesUp(node, 2, partsByNodeAndClass(nodes, 2, classOf, part, null));
  const useful = inclusive(node, partsByNode(nodes, part, leavesOf(KINDS, 'useful'), null));
  for (const row of [0, 1, 9]) {
    assert(Math.abs(sums[2 * row] - useful[row]) <= 1e-6 * useful[row] + 1);
  }
  assert(Math.abs(sums[0] + sums[1] - p * t_p_ns) < 1e-5 * p * t_p_ns);
});
