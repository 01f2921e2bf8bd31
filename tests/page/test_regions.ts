// SPDX-License-Identifier: BSD-3-Clause
// What view Regions decides: sums of nodes and groups, callers, files, details, compared with the
// slow and obvious way.

import assert from 'node:assert/strict';
import test from 'node:test';
import { FAMILIES, familyOf } from '../../analysis/page/web/colour';
import { USEFUL } from '../../analysis/page/web/data/tables';
import { CallerTree, nodesByRegion } from '../../analysis/page/web/decide/callers';
import { ClassSums, outermost } from '../../analysis/page/web/decide/classes';
import { callPath, quoted, regionOption } from '../../analysis/page/web/decide/command';
import { chosenNodes, detailsOf, distribution, nodeRows }
  from '../../analysis/page/web/decide/details';
import { fileTree } from '../../analysis/page/web/decide/files';
import { hotPath, INCLUSIVE, mainNode, SUM_NAMES, sumsByGroup, sumsByNode, sumsByRegion }
  from '../../analysis/page/web/decide/regions';
import { unitMask } from '../../analysis/page/web/decide/units';
import { KINDS, makeExperiment } from './make_page';

const made = makeExperiment(600, 4, 2, 2, 5);
const { node, cell, part, region, unit } = made;
const nodes = node.parent.length;
const sums = sumsByNode(made, KINDS, '', null);
const rows = nodeRows(nodes, cell, part);

function isBelow(row: number, top: number): boolean {
  for (let at = row; at >= 0; at = node.parent[at]) if (at === top) return true;
  return false;
}

/** Sum of parts below a node, or of its own. */
function slow(top: number, below: boolean, is: (leaf: number, unit: number) => boolean): number {
  let sum = 0;
  for (let row = 0; row < part.ns.length; row++) {
    const { node: at, leaf, ns } = part;
    if (below ? !isBelow(at[row], top) : at[row] !== top) continue;
    if (is(leaf[row], part.unit[row])) sum += ns[row];
  }
  return sum;
}

test('a node has the sums of its units', () => {
  for (const row of [0, 1, 77, nodes - 1]) {
    let calls = 0;
    for (let at = 0; at < cell.node.length; at++)
      if (cell.node[at] === row) calls += cell.calls[at];
    assert.equal(sums.calls[row], calls);
    assert.equal(sums.useful[row], slow(row, true, leaf => leaf === USEFUL));
    assert.equal(sums.spent[row], slow(row, true, () => true));
    assert.equal(sums.spent_self[row], slow(row, false, () => true));
    assert.equal(sums.lost[row], slow(row, true, leaf => leaf !== USEFUL && leaf !== 0));
  }
});

test('units and an overhead restrict sums', () => {
  const mask = unitMask('1-2', unit)!;
  const row = KINDS.findIndex(kind => kind.name === 'OSYNC_NXN');
  const chosen = sumsByNode(made, KINDS, 'OSYNC_M', mask);
  for (const top of [0, 5, 200])
    assert.equal(chosen.lost[top], slow(top, true, (leaf, of) => leaf === row && mask[of] === 1));
});

test('a region that calls itself counts once', () => {
  const regions = sumsByRegion(made, sums);
  for (const chosen of [1, 2, 40]) {
    let [self, spent] = [0, 0];
    for (let row = 0; row < nodes; row++) {
      if (node.region[row] !== chosen) continue;
      self += sums.self[row];
      let above = node.parent[row];
      while (above >= 0 && node.region[above] !== chosen) above = node.parent[above];
      if (above < 0) spent += sums.spent[row];
    }
    assert.deepEqual([regions.self[chosen], regions.spent[chosen]], [self, spent]);
  }
});

test('time by family is that of the parts', () => {
  const classOf = new Uint8Array(256);
  KINDS.forEach((_, row) => { classOf[row] = FAMILIES.indexOf(familyOf(KINDS, row)); });
  classOf[USEFUL] = 0;
  const mask = unitMask('0,3.1', unit);
  for (const units of [null, mask]) {
    const classes = new ClassSums(FAMILIES.length, classOf, part, rows.part, units);
    for (const top of [0, 1, 63, 64, 65, 300, nodes - 1])
      [...classes.ofNode(node, top)].forEach((ns, family) => assert.equal(ns,
          slow(top, true, (leaf, of) => classOf[leaf] === family && (!units || units[of] === 1))));
  }
});

test('a graph upside down has the same sums', () => {
  const tree = new CallerTree(node, nodesByRegion(node, region.name.length), [7]);
  const regions = sumsByRegion(made, sums);
  for (const name of SUM_NAMES)
    assert.equal(tree.sum(0, sums[name], INCLUSIVE[name]), regions[name][7]);
  const callers = tree.children(0);
  const calls = callers.reduce((sum, row) => sum + tree.sum(row, sums.calls, false), 0);
  assert.equal(calls, regions.calls[7]); // no node of the region is a root
  assert(callers.length > 1);
  assert.equal(tree.children(0), callers);
  assert.equal(new Set(callers.map(row => tree.rows[row].region)).size, callers.length);
});

test('the root has no callers', () => {
  const tree = new CallerTree(node, nodesByRegion(node, region.name.length), [0]);
  assert(tree.isLeaf(0));
  assert.deepEqual(tree.children(0), []);
});

test('files have the sums of their outermost nodes', () => {
  const tree = fileTree(region);
  const groups = sumsByGroup(made, sums, tree.name.length, tree.fileOf);
  const file = tree.name.indexOf('src/file_3.c');
  let expected = 0;
  for (let row = 0; row < nodes; row++) {
    const is = (at: number) => region.file[node.region[at]] === 'src/file_3.c';
    let above = node.parent[row];
    while (above >= 0 && !is(above)) above = node.parent[above];
    if (is(row) && above < 0) expected += sums.incl[row];
  }
  assert.equal(groups.incl[file], expected);
  const outer = outermost(node, tree.name.length, tree.fileOf);
  let listed = 0;
  for (let i = outer.first[file]; i < outer.first[file + 1]; i++)
    listed += sums.incl[outer.node[i]];
  assert.equal(listed, expected);
});

test('each region of the source is below its function and its file', () => {
  const tree = fileTree(region);
  region.file.forEach((path, row) => {
    if (!path) return assert.equal(tree.rowOf[row], -1);
    const at = tree.rowOf[row];
    assert.equal(tree.region[at], row);
    assert.equal(tree.parent[at], tree.functionOf[row]);
    assert.equal(tree.parent[tree.functionOf[row]], tree.fileOf[row]);
    assert.equal(tree.name[tree.fileOf[row]], path);
  });
});

test('details are of one node, or of all nodes of a region', () => {
  const of = (list: number[], units: Uint8Array | null = null) =>
    detailsOf(node, cell, part, rows, unit.process.length, list, units);
  const one = of(chosenNodes(node, -1, 9));
  assert.deepEqual([one.calls, one.self_ns, one.incl_ns],
      [sums.calls[9], sums.self[9], sums.incl[9]]);
  assert.equal(one.leaves_below.reduce((a, b) => a + b, 0), sums.spent[9]);
  const regions = sumsByRegion(made, sums);
  const all = of(chosenNodes(node, 7, -1));
  assert.deepEqual([all.calls, all.self_ns, all.incl_ns],
      [regions.calls[7], regions.self[7], regions.incl[7]]);
  assert.equal(all.leaves_below.reduce((a, b) => a + b, 0), regions.spent[7]);
  assert.deepEqual(chosenNodes(node, -1, nodes + 5), []);
  assert.deepEqual(chosenNodes(node, -1, -1), []);
});

test('a distribution has all chosen units', () => {
  const made5 = distribution(Float64Array.of(0, 10, 5, 10), null, 4);
  assert.deepEqual([made5.count, made5.mean, made5.least, made5.leastUnit, made5.most,
    made5.mostUnit], [4, 6.25, 0, 0, 10, 1]);
  assert.deepEqual([...made5.bins], [1, 0, 1, 2]);
  const some = distribution(Float64Array.of(0, 10, 5, 10), Uint8Array.of(0, 0, 1, 1), 2);
  assert.deepEqual([some.count, some.least, some.most], [2, 5, 10]);
});

test('the hottest path follows the child with most of the time', () => {
  const path = hotPath(node, sums.spent);
  assert.equal(path[0], 0);
  for (let i = 1; i < path.length; i++) {
    assert.equal(node.parent[path[i]], path[i - 1]);
    for (let row = 0; row < nodes; row++)
      if (node.parent[row] === path[i - 1]) assert(sums.spent[row] <= sums.spent[path[i]]);
  }
  assert.equal(node.region[mainNode(node, sums.spent, 7)], 7);
  assert.equal(mainNode(node, sums.spent, 100_000), -1);
});

test('commands name regions and call paths', () => {
  assert.equal(regionOption(region, 0), 'run');
  assert.equal(regionOption(region, 3), 'work_3@13');
  assert.equal(regionOption(region, -1), '');
  assert.equal(quoted('main > solve'), "'main > solve'");
  assert.equal(quoted("it's"), "'it'\\''s'");
  assert.equal(quoted('stommel-1'), 'stommel-1');
  assert.equal(quoted("it's\n\\\u001b"), "$'it\\'s\\u000a\\\\\\u001b'");
  const recursive = { ...node, parent: Int32Array.of(-1, 0, 1, 2, 3),
    region: Uint32Array.of(0, 1, 2, 1, 3) };
  assert.equal(callPath(region, recursive, 4), 'work_1@11 > work_3@13');
});
