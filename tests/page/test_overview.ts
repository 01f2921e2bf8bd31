// SPDX-License-Identifier: BSD-3-Clause
// What the overview and the frame of the page decide.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { coloursOf, contrast, inksOf, textOn, type Inks } from '../../analysis/page/web/colour';
import type { ReportDocument } from '../../analysis/page/web/data/documents';
import type { TraceIndex } from '../../analysis/page/web/data/index';
import { USEFUL } from '../../analysis/page/web/data/tables';
import { find } from '../../analysis/page/web/decide/find';
import { lacks, leftOutText } from '../../analysis/page/web/decide/footer';
import { efficiencyRows, familyTotals, grade, mainRegion, nodesOf, notesOf, pieces, regionAt,
  spentIn, spentInRun, worstFamily } from '../../analysis/page/web/decide/overview';
import { intervalText, isSet, oneStepBack, orderAfter } from '../../analysis/page/web/decide/strip';
import { unitMask } from '../../analysis/page/web/decide/units';
import { addressOf, changed, selectionOf, START } from '../../analysis/page/web/store/selection';
import { KINDS, LEAVES, makeExperiment, write } from './make_page';

const made = makeExperiment(300, 4, 2, 2, 9);
const { part, node, unit, region, p, t_p_ns } = made;
const whole = spentIn(KINDS, part, p, null, null);

test('the pieces of the bar add up to T_p', () => {
  const list = pieces(KINDS, whole);
  assert.equal(list[0].row, USEFUL);
  assert(Math.abs(list.reduce((sum, { ns }) => sum + ns, 0) - t_p_ns) < 1);
  const totals = familyTotals(list);
  assert.deepEqual(totals.map(({ family }) => family), ['useful', 'ODATA', 'OSYNC', 'OLOSS',
    'OPROBE']);
  for (let i = 1; i < totals.length; i++)
    assert(Math.abs(totals[i].from - totals[i - 1].from - totals[i - 1].ns) < 1);
});

test('the largest family of overheads is named', () => {
  const totals = familyTotals(pieces(KINDS, whole));
  const worst = worstFamily(totals)!;
  for (const { family, ns } of totals) assert(family === 'useful' || ns <= worst.ns);
  assert.equal(worstFamily(totals.filter(({ family }) => family === 'useful')), null);
});

test('replicated work is a piece of its own, and a negative leaf is none', () => {
  const row = (name: string) => KINDS.findIndex(kind => kind.name === name);
  const kinds_ns = new Float64Array(KINDS.length);
  kinds_ns[row('OLOSS_UNPAR')] = 30; // explains a part of the useful work
  kinds_ns[row('OUNID')] = -5;
  const list = pieces(KINDS, { units: 1, total_ns: 100, useful_ns: 80, kinds_ns });
  assert.deepEqual(list.map(({ family, ns }) => [family, ns]), [['useful', 70], ['OLOSS', 30]]);
});

test('a selection is the mean of its units', () => {
  const mask = unitMask('0-1', unit);
  const spent = spentIn(KINDS, part, p, mask, null);
  assert.deepEqual([spent.units, Math.round(spent.total_ns)], [4, t_p_ns]);
  const nodes = nodesOf(node, -1, 5)!;
  assert.equal(nodes.reduce((a, b) => a + b, 0), node.end[5] - 5);
  const some = spentIn(KINDS, part, p, null, nodes);
  let expected = 0;
  for (let row = 0; row < part.ns.length; row++)
    if (part.node[row] >= 5 && part.node[row] < node.end[5]) expected += part.ns[row];
  assert(Math.abs(some.total_ns * p - expected) < 1e-3);
  assert.equal(nodesOf(node, -1, -1), null);
});

test('the whole run has the numbers of the report', () => {
  const report = { p: 8, t_p: 2, useful: 0.5, overheads: { OTOTAL: 1.5, OSYNC: 1 } };
  const spent = spentInRun(write(made, { report }).index.experiments[0], KINDS)!;
  assert.deepEqual([spent.units, spent.total_ns, spent.useful_ns], [8, 2e9, 5e8]);
  assert.equal(spent.kinds_ns[KINDS.findIndex(kind => kind.name === 'OSYNC')], 1e9);
  assert.equal(spentInRun(write(made, {}).index.experiments[0], KINDS), null);
});

test('the region with most of an overhead is found', () => {
  const main = mainRegion(KINDS, 'OSYNC', part, node, region)!;
  assert(main.share > 0 && main.share <= 1 && region.type[main.region] !== 'RT_RUN');
  assert.equal(mainRegion(KINDS, 'OUNID', part, node, region), null);
  assert.equal(regionAt(region, 'work_3', 'file_3.c:13'), 3);
  assert.equal(regionAt(region, 'run', '-'), 0);
  assert.equal(regionAt(region, 'work_3', 'other.c:13'), -1);
});

const REPORT: ReportDocument = {
  p: 8, t_p: 2, t_p_without_probes: null, t_p_without_probes_least: null, t_s: null,
  complete: false, useful: 1, processors: 2, efficiencies: { a: 0.9, b: null }, regions: [],
  critical_path: [], overheads: {}, worst: [], actions: [],
  warnings: ['L2_TCM is not measured: no counters', 'the critical path is estimated', 'other'],
};

test('warnings are beside what they affect', () => {
  const notes = notesOf(REPORT);
  assert.deepEqual(notes.run.map(({ about }) => about),
      ['The run is not complete:', 'Read waits with care:', 'Warning:']);
  assert.deepEqual(notes.overheads, ['L2_TCM is not measured: no counters']);
  assert.deepEqual(notes.critical, ['the critical path is estimated']);
});

test('efficiencies that are not known have no row', () => {
  const kinds = [{ key: 'a', depth: 0, title: 'A', text: '' },
    { key: 'b', depth: 1, title: 'B', text: '' }];
  assert.deepEqual(efficiencyRows(kinds, REPORT).map(({ kind }) => kind.key), ['a']);
  assert.deepEqual([0.8, 0.79, 0.6, 0.59].map(grade), ['good', 'fair', 'fair', 'low']);
});

test('the footer says what is missing, and how to get it', () => {
  const { index } = write(made, { report: REPORT });
  const what = lacks(index, index.experiments[0]).map(lack => lack.what);
  assert.deepEqual(what, ['times of single events', 'T_s', 'variables', 'L2_TCM']);
  const traced = { ...index.experiments[0], trace: {} as TraceIndex };
  assert.equal(lacks(index, traced)[0].what, 'T_s');
  assert.match(leftOutText({ what: 'summaries', kept: 10, all: 1010, rule: 'below 1 ms' }),
      /^1\D?000 of 1\D?010 summaries: below 1 ms$/);
});

test('pictures and page.css have the same colours', () => {
  const style = readFileSync('analysis/page/web/page.css', 'utf8');
  const [light, dark] = [inksOf(false), inksOf(true)];
  for (const name of Object.keys(light) as (keyof Inks)[])
    assert(style.includes(`--${name}: light-dark(${light[name]}, ${dark[name]});`), name);
});

test('Esc takes back what was selected last', () => {
  let selection = changed(START, { units: '0' });
  let order = orderAfter([], selection);
  selection = changed(selection, { region: 3 });
  order = orderAfter(order, selection);
  assert.deepEqual(order, ['units', 'place']);
  assert.deepEqual(oneStepBack(order), { region: -1, node: -1 });
  selection = changed(selection, oneStepBack(order)!);
  order = orderAfter(order, selection);
  assert.deepEqual(order, ['units']);
  assert.equal(oneStepBack(orderAfter(order, START)), null);
  assert(isSet(changed(START, { from_ns: 0, to_ns: 5 }), 'time'));
  assert.match(intervalText(changed(START, { from_ns: 1e9, to_ns: 2e9 })), /^1.000.s to 2.000.s$/);
});

test('a selection is its address', () => {
  const selection = changed(START, { view: 'regions', tab: 'flame', node: 12, units: '0-3,5.1',
    overhead: 'OSYNC', from_ns: 1, to_ns: 2_500_000_000, sort: '-self,name', search: 'a b&c',
    filter: true });
  assert.deepEqual(selectionOf(addressOf(selection)), selection);
  assert.deepEqual(selectionOf('#/nothing/x?units=<b>&node=-3&time=9-1'), START);
});

test('the find field finds units, regions and overheads', () => {
  const kinds = (text: string) => find(text, KINDS, region, unit, 3).map(({ kind }) => kind);
  assert.deepEqual(kinds('2.1'), ['units']);
  assert.deepEqual(kinds('work_1 file'), ['region', 'region', 'region']);
  assert.deepEqual(kinds('osync'), ['overhead', 'overhead', 'overhead']);
  assert.deepEqual(kinds(''), []);
});

test('text can be read on each leaf, and families differ', () => {
  for (const dark of [false, true]) {
    const colours = coloursOf(KINDS, dark);
    KINDS.forEach((kind, row) => {
      const colour = colours.leaf(row);
      assert(contrast(colour, textOn(colour)) >= 4.5, `${kind.name} ${colour}`);
    });
    assert.equal(new Set(LEAVES.map(row => colours.leaf(row))).size, LEAVES.length);
    assert.equal(colours.familyOf(USEFUL), 'useful');
    assert.equal(colours.familyOf(KINDS.findIndex(kind => kind.name === 'OSYNC_NXN')), 'OSYNC');
  }
});
