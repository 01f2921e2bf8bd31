// SPDX-License-Identifier: BSD-3-Clause
// decide/unit_groups.ts, unit_matrix.ts, distribution.ts and choices.ts: what the view Units shows,
// compared with the slow and obvious way.

import assert from 'node:assert/strict';
import test from 'node:test';
import { USEFUL } from '../../analysis/page/web/data/tables';
import { choice, chosen, valueOf, withValue } from '../../analysis/page/web/decide/choices';
import { histogram, quartiles } from '../../analysis/page/web/decide/distribution';
import { leavesOf } from '../../analysis/page/web/decide/sums';
import { groupingText, groupLabel, groupMask, groupName, groupUnits, groupsOfProcesses }
  from '../../analysis/page/web/decide/unit_groups';
import { byColumn, classesByGroup, columnValues, groupMatrix, itemsOf, lineOrder, mainClasses,
  OTHERS, unitMatrix } from '../../analysis/page/web/decide/unit_matrix';
import { unitMask } from '../../analysis/page/web/decide/units';
import { KINDS, makeExperiment, makeUnits } from './make_page';

const made = makeExperiment(400, 4, 2, 3);
const { node, unit, part, region, p } = made;
const lost = leavesOf(KINDS, 'OTOTAL');
const regionOf = itemsOf('regions', node, part), leafOf = itemsOf('leaves', node, part);
const regions = region.name.length;

/** Time of a unit in a region, in the chosen leaves. */
function time(ofUnit: number, ofRegion: number, leaves: Uint8Array): number {
  let sum = 0;
  for (let row = 0; row < part.ns.length; row++)
    if (part.unit[row] === ofUnit && leaves[part.leaf[row]]
        && node.region[node.source_node[part.node[row]]] === ofRegion) sum += part.ns[row];
  return sum;
}

test('units are grouped by what fits', () => {
  const units = makeUnits(8, 2, 1);
  assert.equal(groupUnits(units, 'fit', 16).kind, 'unit');
  assert.equal(groupUnits(units, 'fit', 8).kind, 'process');
  assert.equal(groupUnits(units, 'fit', 7).kind, 'host');
  const ranges = groupUnits(units, 'range', 7);
  assert.equal(ranges.kind, 'range');
  assert.equal(ranges.count, 4);
  assert.deepEqual([...ranges.size], [4, 4, 4, 4]);
  assert.equal(groupLabel(units, ranges, 1), '2-3');
  assert.equal(groupName(units, ranges, 1), 'processes 2-3');
  assert.match(groupingText(ranges), /2 processes/);
  assert.equal(groupUnits(units, 'host', 4).count, 2);
  assert.equal(groupUnits(units, 'unit', 10).kind, 'range', 'too many units are ranges');
});

test('a run of 100 000 units has few lines, and no unit is lost', () => {
  const units = makeUnits(25_000, 4, 1);
  const groups = groupUnits(units, 'fit', 280);
  assert(groups.count <= 280 && groups.count > 70);
  assert.equal(groups.size.reduce((a, b) => a + b, 0), 100_000);
  assert.equal(groupLabel(units, groups, 0), `0-${groups.range - 1}`);
});

test('groups of some units only', () => {
  const units = makeUnits(8, 2, 1);
  const groups = groupUnits(units, 'fit', 16, unitMask('2-3', units));
  assert.equal(groups.count, 4);
  assert.equal(groups.of[0], -1);
  assert.equal(groupLabel(units, groups, 0), '2.0');
  assert.deepEqual([...groupMask(groups, group => group === 1).keys()].filter(row =>
    groupMask(groups, group => group === 1)[row]), [5]);
  assert.deepEqual([...groupsOfProcesses(units, groupUnits(units, 'process', 8))],
      [0, 1, 2, 3, 4, 5, 6, 7]);
});

test('cells have the time of a unit in a region, and nothing is lost', () => {
  const matrix = unitMatrix(regionOf, regions, part, p, lost, 1000);
  const others = matrix.columns.findIndex(({ item }) => item === OTHERS);
  for (const [column, { item, total_ns }] of matrix.columns.entries()) {
    let sum = 0;
    for (let row = 0; row < p; row++) {
      const value = matrix.ns[row * matrix.columns.length + column];
      if (column !== others) assert.equal(value, time(row, item, lost));
      sum += value;
    }
    assert.equal(sum, total_ns);
  }
  const all = part.ns.reduce((a, ns, row) => a + (lost[part.leaf[row]] ? ns : 0), 0);
  assert.equal(matrix.columns.reduce((a, { total_ns }) => a + total_ns, 0), all);
});

test('small regions share the last column, but not the selected one', () => {
  const matrix = unitMatrix(regionOf, regions, part, p, lost, 10);
  assert.equal(matrix.columns.length, 10);
  assert.equal(matrix.columns[9].item, OTHERS);
  assert.equal(matrix.columns[9].items, matrix.all - 9);
  const all = matrix.columns.reduce((a, { total_ns }) => a + total_ns, 0);
  for (let column = 1; column < 9; column++)
    assert(matrix.columns[column - 1].total_ns >= matrix.columns[column].total_ns);
  const small = [...matrix.columnOf.keys()].find(item => matrix.columnOf[item] === 9)!;
  const kept = unitMatrix(regionOf, regions, part, p, lost, 10, small);
  assert(kept.columns.some(({ item }) => item === small));
  assert.equal(kept.columns.reduce((a, { total_ns }) => a + total_ns, 0), all);
});

test('useful work by region, and leaves by unit', () => {
  const useful = leavesOf(KINDS, 'useful');
  const work = unitMatrix(regionOf, regions, part, p, useful, 1000);
  const first = work.columns[0];
  assert.equal(work.ns[0], time(0, first.item, useful));
  const leaves = unitMatrix(leafOf, 256, part, p, lost, 40);
  for (const [column, { item }] of leaves.columns.entries()) {
    assert(item !== USEFUL);
    const sum = part.ns.reduce((a, ns, row) =>
      a + (part.unit[row] === 3 && part.leaf[row] === item ? ns : 0), 0);
    assert.equal(leaves.ns[3 * leaves.columns.length + column], sum);
  }
});

test('lines of several units: mean, largest, families and order', () => {
  const matrix = unitMatrix(leafOf, 256, part, p, lost, 40);
  const groups = groupUnits(unit, 'process', 100);
  const cells = groupMatrix(matrix, groups);
  const width = matrix.columns.length;
  const of = (row: number, column: number) => matrix.ns[row * width + column];
  assert.equal(cells.mean[2 * width + 1], of(4, 1) / 2 + of(5, 1) / 2);
  assert.equal(cells.most[2 * width + 1], Math.max(of(4, 1), of(5, 1)));
  const classOf = new Uint8Array(256);
  classOf[USEFUL] = 1;
  const classes = classesByGroup(part, groups, 2, classOf);
  assert(Math.abs(classes[0] + classes[1] - made.t_p_ns) < 1, 'T_p of a line');
  const { columns } = matrix;
  const ordered = lineOrder(byColumn(columns[1].item), groups, cells, columns);
  for (let i = 1; i < ordered.length; i++)
    assert(cells.mean[ordered[i - 1] * width + 1] >= cells.mean[ordered[i] * width + 1]);
  assert.deepEqual([...lineOrder('', groups, cells, columns)], [0, 1, 2, 3]);
  assert.deepEqual([...lineOrder('-column.999,x', groups, cells, columns)], [0, 1, 2, 3]);
});

test('the hue of a cell is that of the kind with most time', () => {
  const matrix = unitMatrix(regionOf, regions, part, p, lost, 20);
  const groups = groupUnits(unit, 'unit', 100);
  const classOf = Uint8Array.from({ length: 256 }, (_, leaf) => leaf % 16);
  const main = mainClasses(matrix, regionOf, part, groups, lost, 16, classOf);
  const { item } = matrix.columns[0];
  const sums = new Float64Array(16);
  for (let row = 0; row < part.ns.length; row++)
    if (part.unit[row] === 1 && lost[part.leaf[row]]
        && node.region[node.source_node[part.node[row]]] === item)
      sums[classOf[part.leaf[row]]] += part.ns[row];
  const most = Math.max(...sums);
  assert.equal(main[matrix.columns.length], most ? sums.indexOf(most) : 255);
});

test('quartiles and histograms', () => {
  assert.equal(quartiles(new Float64Array(0)), null);
  assert.deepEqual(quartiles(Float64Array.of(5, 1, 3, 2, 4)),
      { least: 1, low: 2, middle: 3, high: 4, most: 5 });
  assert.equal(quartiles(Float64Array.of(1, 2))!.middle, 1.5);
  assert.deepEqual([...histogram(Float64Array.of(0, 1, 1, 4), 4).counts], [1, 2, 0, 1]);
  assert.deepEqual([...histogram(Float64Array.of(7, 7), 4).counts], [2], 'all are equal');
  assert.deepEqual([...histogram(new Float64Array(0), 4).counts], [0]);
  const matrix = unitMatrix(leafOf, 256, part, p, lost, 40);
  const some = groupUnits(unit, 'unit', 100, unitMask('1', unit));
  assert.equal(columnValues(matrix, 0, some).length, 2, 'only units that are shown');
});

test('choices are words of the address, and unknown ones are ignored', () => {
  const names = ['fit', 'process', 'host'] as const;
  assert.equal(choice('', names), 'fit');
  assert.equal(choice('bytes host for:1.0', names), 'host');
  assert.equal(chosen('bytes host for:1.0', names, 'process'), 'bytes for:1.0 process');
  assert.equal(chosen('host', names, 'fit'), '');
  assert.equal(valueOf('host for:1.0,2', 'for'), '1.0,2');
  assert.equal(withValue('host for:1.0', 'for', ''), 'host');
  assert.equal(withValue('host', 'for', '3'), 'host for:3');
});

