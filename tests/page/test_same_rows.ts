// SPDX-License-Identifier: BSD-3-Clause
// decide/same_rows.ts: rows of a look at a running program, found again in the next one.

import assert from 'node:assert/strict';
import test from 'node:test';
import { areUnchanged, carriedMarks, type Numbered, renumbered, sameRows }
  from '../../analysis/page/web/decide/same_rows';
import { changed, START } from '../../analysis/page/web/store/selection';

interface Tree { region: string; below?: Tree[] }

/** Regions as 'name:line'; the same name may be there several times. */
function look(regions: readonly string[], tree: Tree, units: readonly string[],
    points: readonly string[] = []): Numbered {
  const parent: number[] = [], own: number[] = [];
  const add = (at: Tree, above: number): void => {
    const row = parent.push(above) - 1;
    own.push(regions.indexOf(at.region));
    for (const child of at.below ?? []) add(child, row);
  };
  add(tree, -1);
  const lines = Uint32Array.from(regions, text => Number(text.split(':')[1] ?? 0));
  return {
    region: {
      name: regions.map(text => text.split(':')[0]), type: regions.map(() => 'CR_F'),
      function: regions.map(() => 'f'), line_start: lines, line_end: lines,
      file: regions.map(text => `${text[0]}.c`), // by the first letter
    },
    node: { parent: Int32Array.from(parent), region: Uint32Array.from(own) },
    unit: { process: Uint32Array.from(units, text => Number(text.split('.')[0])),
      thread: Uint32Array.from(units, text => Number(text.split('.')[1])) },
    blame_point: { path: [...points] },
  };
}

const before = look(['main:1', 'work:5', 'sum:9'],
    { region: 'main:1', below: [{ region: 'work:5', below: [{ region: 'sum:9' }] },
      { region: 'sum:9' }] }, ['0.0', '1.0'], ['main', 'main/work']);
const after = look(['early:2', 'main:1', 'work:5', 'sum:9'],
    { region: 'main:1', below: [{ region: 'early:2', below: [{ region: 'sum:9' }] },
      { region: 'work:5', below: [{ region: 'sum:9' }] }, { region: 'sum:9' }] },
    ['0.0', '0.1', '1.0'], ['main', 'main/early', 'main/work']);

test('rows are found by what they are, not by their numbers', () => {
  const rows = sameRows(before, after);
  assert.deepEqual([...rows.region], [1, 2, 3]);
  assert.deepEqual([...rows.node], [0, 3, 4, 5]);
  assert.deepEqual([...rows.unit], [0, 2]);
  assert.deepEqual([...rows.point], [0, 2]);
  assert.deepEqual([...rows.file], [1, 2, 3]); // e.c is before them
  assert.equal(areUnchanged(rows), false);
});

test('what is added at the end changes no number', () => {
  const longer = look(['main:1', 'work:5', 'sum:9', 'x:1'],
      { region: 'main:1', below: [{ region: 'work:5', below: [{ region: 'sum:9' }] },
        { region: 'sum:9', below: [{ region: 'x:1' }] }] }, ['0.0', '1.0', '2.0'],
      ['main', 'main/work']);
  assert.equal(areUnchanged(sameRows(before, before)), true);
  assert.equal(areUnchanged(sameRows(before, longer)), true);
});

test('what is gone is found nowhere, with all that is below it', () => {
  const rows = sameRows(after, before);
  assert.deepEqual([...rows.region], [-1, 0, 1, 2]);
  assert.deepEqual([...rows.node], [0, -1, -1, 1, 2, 3]);
  assert.equal(areUnchanged(rows), false);
});

test('another place is another region; equal ones are found in their order', () => {
  const one = look(['main:1', 'loop:5', 'loop:7'], { region: 'main:1' }, []);
  const moved = look(['loop:7', 'main:1', 'loop:6'], { region: 'main:1' }, []);
  assert.deepEqual([...sameRows(one, moved).region], [1, -1, 0]);
  const twice = look(['main:1', 'loop:5', 'loop:5'], { region: 'main:1' }, []);
  const more = look(['loop:5', 'loop:5', 'main:1', 'loop:5'], { region: 'main:1' }, []);
  assert.deepEqual([...sameRows(twice, more).region], [2, 0, 1]);
});

test('a selection stays on its region, call path, file and blame point', () => {
  const rows = sameRows(before, after);
  const of = (change: Partial<typeof START>) => renumbered(changed(START, change), rows);
  assert.equal(of({ view: 'regions', region: 2 }).region, 3);
  assert.equal(of({ view: 'regions', node: 2 }).node, 4);
  assert.equal(of({ view: 'source', item: 1 }).item, 2);
  assert.equal(of({ view: 'variables', item: 1 }).item, 2);
  assert.equal(of({ view: 'compare', item: 1 }).item, 1);
  assert.equal(of({ view: 'units', sort: '-column.2' }).sort, '-column.3');
  assert.equal(of({ view: 'units', sort: '-column.9' }).sort, '');
  assert.equal(of({ view: 'units', tab: 'leaves', sort: '-column.2' }).sort, '-column.2');
  assert.equal(of({ view: 'units', sort: '-time' }).sort, '-time');
  assert.deepEqual(of({ units: '0-1', search: 'x', sort: '-self' }),
      changed(START, { units: '0-1', search: 'x', sort: '-self' }));
  assert.equal(of({ region: 77, node: 99 }).region, -1); // an address typed by hand
  assert.equal(renumbered(changed(START, { region: 0 }), sameRows(after, before)).region, -1);
});

test('marks of rows are carried over; new rows are as a rule says', () => {
  const { node } = sameRows(before, after);
  const marks = carriedMarks(Uint8Array.of(1, 1, 0, 0), node, 6, row => row === 1);
  assert.deepEqual([...marks], [1, 1, 0, 1, 0, 0]);
});
