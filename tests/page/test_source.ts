// SPDX-License-Identifier: BSD-3-Clause
// decide/source.ts: the numbers of lines, and the regions around them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { USEFUL } from '../../analysis/page/web/data/tables';
import * as source from '../../analysis/page/web/decide/source';
import { KINDS, makeExperiment } from './make_page';

const made = makeExperiment(400, 4, 2, 2);
const { region, node, part, cell } = made;
// below each third node the runtime has one of its own
node.source_node = node.source_node.map(row => row % 3 === 2 ? node.parent[row] : row);
const files = source.filesOf(region);
const UNMEASURED = KINDS.findIndex(kind => kind.name === 'UNMEASURED');
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

/** Time in the regions that begin at a place, added up part by part. */
function slow(path: string, line: number, units: Uint8Array | null): [number, number] {
  let useful = 0, lost = 0;
  for (let i = 0; i < part.ns.length; i++) {
    const row = node.region[node.source_node[part.node[i]]];
    if (region.file[row] !== path || region.line_start[row] !== line) continue;
    if (units && !units[part.unit[i]]) continue;
    if (part.leaf[i] === USEFUL) useful += part.ns[i];
    else if (part.leaf[i] !== UNMEASURED) lost += part.ns[i];
  }
  return [useful, lost];
}

test('files have their regions in the order of lines', () => {
  assert.equal(files.length, new Set(region.file.filter(Boolean)).size);
  assert.equal(sum(files.map(file => file.regions.length)), region.name.length - 1, 'not the run');
  for (const { path, regions } of files) {
    for (const row of regions) assert.equal(region.file[row], path);
    for (let i = 1; i < regions.length; i++)
      assert(region.line_start[regions[i - 1]] <= region.line_start[regions[i]]);
  }
});

for (const [what, units] of [['all units', null],
  ['one unit', Uint8Array.from({ length: made.p }, (_, row) => Number(row === 3))]] as const)
  test(`lines have what is spent in the regions that begin there: ${what}`, () => {
    const file = files[2], lines = source.groupsOfLines(region, file);
    const sums = source.sumGroups(made, lines, KINDS.length, units, UNMEASURED);
    lines.lines.forEach((line, group) => {
      const [useful, lost] = slow(file.path, line, units);
      assert.equal(sums.useful[group], useful);
      assert.equal(sums.lost[group], lost);
      assert.equal(sum(sums.leaf.subarray(group * KINDS.length, (group + 1) * KINDS.length)), lost);
    });
    assert(sum(sums.lost) > 0);
  });

test('calls are those of the region itself, inclusive time that of outer activations', () => {
  const groups = source.groupsOfFiles(region, files);
  const sums = source.sumGroups(made, groups, KINDS.length, null, UNMEASURED);
  let calls = 0, inclusive = 0;
  for (let i = 0; i < cell.node.length; i++) {
    const row = node.region[cell.node[i]];
    if (region.file[row] !== files[1].path) continue;
    calls += cell.calls[i];
    if (!node.nested[cell.node[i]]) inclusive += cell.incl_ns[i];
  }
  assert.equal(sums.calls[1], calls);
  assert.equal(sums.inclusive[1], inclusive);
});

test('the largest leaf, and the time of some leaves', () => {
  const leaf = new Float64Array([0, 0, 5, 9, 0, 0]);
  const sums = { leaf, leaves: 3 } as source.GroupSums;
  assert.equal(source.largestLeaf(sums, 0), 2);
  assert.equal(source.largestLeaf(sums, 1), 0);
  assert.equal(source.largestLeaf({ leaf: new Float64Array(3), leaves: 3 } as source.GroupSums, 0),
      -1);
  assert.equal(source.timeOf(sums, 1, Uint8Array.of(1, 1, 0)), 9);
});

test('heat is between 0 and 1', () => {
  assert.equal(source.heat(0, 10), 0);
  assert.equal(source.heat(5, 0), 0);
  assert.equal(source.heat(10, 10), 1);
  assert(source.heat(1, 100) >= 0.1);
});

const nested = {
  ...region, line_start: Uint32Array.of(1, 2, 3, 6, 9, 9),
  line_end: Uint32Array.of(10, 5, 4, 7, 9, 12),
};

test('inner regions are in lanes further in', () => {
  const rows = [0, 1, 2, 3, 5, 4], brackets = source.bracketsOf(nested, rows, 2);
  assert.deepEqual(brackets, [
    { region: 0, first: 1, last: 10, lane: 0 }, { region: 1, first: 2, last: 5, lane: 1 },
    { region: 3, first: 6, last: 7, lane: 1 }, { region: 5, first: 9, last: 12, lane: 1 },
  ], 'the region in lane 2 is left out, and one of a single line has none');
});

test('the innermost region around a line', () => {
  const rows = [0, 1, 2, 3, 5, 4];
  assert.equal(source.regionAt(nested, rows, 4), 2);
  assert.equal(source.regionAt(nested, rows, 5), 1);
  assert.equal(source.regionAt(nested, rows, 8), 0);
  assert.equal(source.regionAt(nested, rows, 20), -1);
});

test('the file of the selected region, else the one with most lost time', () => {
  const lost = Float64Array.from(files, (_, row) => row === 4 ? 9 : 1);
  assert.equal(source.chooseFile(files, region, -1, lost), 4);
  assert.equal(source.chooseFile(files, region, files[1].regions[0], lost), 1);
  assert.equal(source.chooseFile([], region, -1, lost), -1);
});

test('samples of the lines of a file', () => {
  const table = { unit: Uint32Array.of(0, 1, 0, 0), file: ['a.c', 'a.c', 'a.c', 'b.c'],
    line: Uint32Array.of(3, 3, 5, 3), samples: Float64Array.of(10, 20, 4, 7) };
  assert.deepEqual([...source.samplesOfFile(table, 'a.c', null)], [[3, 30], [5, 4]]);
  assert.deepEqual([...source.samplesOfFile(table, 'a.c', Uint8Array.of(0, 1))], [[3, 20]]);
  assert.deepEqual([...source.samplesOfFile(table, 'c.c', null)], []);
});

test('lines of text', () => {
  assert.equal(source.expandTabs('\ta\tb'), '        a       b');
  assert.deepEqual(source.linesWith(['if (x)', 'X++;', 'y'], 'x'), Uint8Array.of(1, 1, 0));
  assert.equal(source.linesWith(['a'], ''), null);
  const file = Uint32Array.of(0, 0, 1, 1, 1, 3);
  assert.deepEqual(source.textOfFile(file, ['a', 'b', 'c', 'd', 'e', 'f'], 1), ['c', 'd', 'e']);
  assert.deepEqual(source.textOfFile(file, ['a', 'b', 'c', 'd', 'e', 'f'], 2), []);
});
