// SPDX-License-Identifier: BSD-3-Clause
// The tables of intervals: node interval.mjs PAGE.html [TILES] [reduced]. Table `cell` of an
// interval is what `regions --from --to` prints, and `part` what `overhead --from --to` does. TILES
// is the file beside the page; '': it needs none. A reduced page has fewer call paths, and only sums
// of units are compared. ANALYZE is the program, and its repository is in the working directory.

import { execFileSync } from 'node:child_process';
import { load, readFile } from './data.mjs';
import { slices } from './slices.mjs';
import { check, equal, none } from './tap.mjs';

const [file, tiles, reduced] = process.argv.slice(2);
const { IntervalTables } = await load('data/interval.ts');
const page = await readFile(file);
const [experiment] = page.experiments;
const { name, t_p_ns } = experiment.index;
const USEFUL = 255;
const kinds = page.index.overheads;
const seconds = ns => (ns / 1e9).toFixed(9);
const ns = text => Math.round(text * 1e9);

function command(...args) {
  return JSON.parse(execFileSync(process.env.ANALYZE, [...args, '--json'],
      { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

/** 'KEY NUMBER...' of all rows with the same key, without those that are 0. */
function lines(rows) {
  const sums = new Map();
  for (const { key, numbers } of rows) {
    const sum = sums.get(key) ?? numbers.map(() => 0);
    sums.set(key, sum.map((value, i) => value + numbers[i]));
  }
  return [...sums].filter(([, sum]) => sum.some(value => value))
      .map(([key, sum]) => `${key} ${sum.join(' ')}`).sort();
}

function same(what, got, wanted) {
  const [has, needs] = [new Set(got), new Set(wanted)];
  none(what, [...got.filter(line => !needs.has(line)).map(line => `got ${line}`),
    ...wanted.filter(line => !has.has(line)).map(line => `wanted ${line}`)]);
}

async function tablesOf(made) {
  const list = ['cell', 'part', 'node', 'region', 'unit'];
  const tables = await Promise.all(list.map(each => made.table(each)));
  return Object.fromEntries(list.map((each, i) => [each, tables[i]]));
}

const unitName = ({ process, thread }, row) => `${process[row]}.${thread[row]}`;

function cells({ cell, node, region, unit }, words) {
  const got = Array.from(cell.node, (at, i) => ({
    key: `${unitName(unit, cell.unit[i])} ${region.name[node.region[at]]} `
      + region.line_start[node.region[at]],
    numbers: [cell.calls[i], cell.incl_ns[i], cell.excl_ns[i]] }));
  const wanted = command('regions', name, ...words).map(row => ({
    key: `${row.process}.${row.thread} ${row.region} ${row.line_start}`,
    numbers: [row.calls, ns(row.wtime_incl), ns(row.wtime_excl)] }));
  check('something happens', wanted.length > 0);
  const excl = rows => lines(rows.map(({ key, numbers }) =>
    ({ key: key.split(' ')[0], numbers: [numbers[2]] })));
  if (reduced) same('exclusive times of units are those of regions', excl(got), excl(wanted));
  else same('calls and times of cells are those of regions', lines(got), lines(wanted));
}

function leafLines(rows) {
  return lines(rows.filter(({ overhead }) =>
    kinds.some(kind => kind.name === overhead && kind.is_leaf)).map(row => ({
    key: `${row.process}.${row.thread} ${row.overhead}`, numbers: [ns(row.seconds)] })));
}

/** Useful work is what the leaves leave of the interval. */
function parts({ part, unit }, span, words) {
  const got = [...part.unit.keys()].filter(i => part.leaf[i] !== USEFUL).map(i => ({
    key: `${unitName(unit, part.unit[i])} ${kinds[part.leaf[i]].name}`, numbers: [part.ns[i]] }));
  same('leaves of units are those of overhead', lines(got),
      leafLines(command('overhead', name, '--by-pu', ...words)));
  const sums = new Float64Array(unit.process.length);
  part.ns.forEach((each, i) => { sums[part.unit[i]] += each; });
  none('the parts of each unit are the interval',
      [...sums].filter(sum => sum !== span.to_ns - span.from_ns));
}

/** What is not certain, as the mean of the units. The page and the command may round a share
 * differently: by a nanosecond. */
function quality({ quality: { unknown_ns, uncertain_ns } }, { unit }, words) {
  const { not_known, uncertain } = command('overhead', name, ...words), p = unit.process.length;
  const got = [unknown_ns, uncertain_ns].map(sum => Math.floor(sum / p));
  const wanted = [not_known, uncertain].map(ns);
  none('what is not known is that of overhead',
      got.filter((sum, i) => Math.abs(sum - wanted[i]) > 1).map(sum => `${sum} of ${wanted}`));
}

/** Of regions with most time, with what the runtime does for them, as view Units has them. */
function regionParts({ part, node, region, unit }, words) {
  const rows = Array.from(part.node, at => node.region[node.source_node[at]]);
  const totals = new Map();
  rows.forEach((row, i) => totals.set(row, (totals.get(row) ?? 0) + part.ns[i]));
  const most = [...totals].sort((a, b) => b[1] - a[1]).map(([row]) => row)
      .filter(row => region.line_start[row] && region.file[row]).slice(0, 2);
  for (const row of most) {
    const got = [...rows.keys()].filter(i => rows[i] === row && part.leaf[i] !== USEFUL)
        .map(i => ({ key: `${unitName(unit, part.unit[i])} ${kinds[part.leaf[i]].name}`,
          numbers: [part.ns[i]] }));
    const list = command('overhead', name, '--by-pu', '--exclusive', '--region',
        `${region.file[row]}:${region.line_start[row]}`, ...words);
    same(`overheads of ${region.name[row]} are those of overhead`, lines(got), leafLines(list));
  }
}

function order({ cell, part }) {
  for (const { node, unit } of [cell, part])
    none('rows are ordered by node, then unit', [...node.keys()].filter(i => i
      && (node[i] < node[i - 1] || (node[i] === node[i - 1] && unit[i] < unit[i - 1]))));
}

const at = share => Math.round(share * t_p_ns);
const spans = [[0.3, 0.6], [0.5, 0.501], [0.9, 1], [0, 1]]
    .map(([from, to]) => ({ from_ns: at(from), to_ns: at(to) }));
spans.push({ from_ns: at(0.7), to_ns: at(0.7) + 77 });

if (experiment.index.trace.activations > 1e6) spans.splice(1, 3); // commands take long

const intervals = new IntervalTables(experiment, kinds);
const asked = { exactly: true, isWanted: () => true, onProgress: () => {} };

/** What can be said without the file. */
async function withoutFile() {
  const [span] = spans, made = await intervals.of({ ...asked, span });
  const { part, unit, cell } = await tablesOf(made), sums = new Float64Array(unit.process.length);
  check('without the file, something is approximate or missing',
      made.quality.level > 0 || !made.quality.hasLeaves);
  equal('views know whether there are overheads', made.has('part'), made.quality.hasLeaves);
  none('no time is negative', [...cell.excl_ns, ...part.ns].filter(time => !(time >= 0)));
  part.ns.forEach((time, i) => { sums[part.unit[i]] += time; });
  if (made.quality.hasLeaves)
    none('the parts of each unit are nearly the interval', [...sums].filter(sum =>
      Math.abs(sum / made.index.t_p_ns - 1) > 0.01));
}

if (tiles) {
  await withoutFile();
  await (await intervals.trace()).open(slices(tiles));
}
for (const span of spans) {
  const words = ['--from', seconds(span.from_ns), '--to', seconds(span.to_ns)];
  console.log(`# ${words.join(' ')}`);
  const made = await intervals.of({ ...asked, span });
  equal('numbers are exact', made.quality.level, 0);
  equal('T_p is the length', made.index.t_p_ns, span.to_ns - span.from_ns);
  const tables = await tablesOf(made);
  order(tables);
  cells(tables, words);
  equal('overheads are there, unless the page says that it lacks them', made.has('part'),
      experiment.index.trace.leaves !== 'none');
  if (!made.has('part')) continue;
  parts(tables, span, words);
  quality(made, tables, words);
  if (!reduced) regionParts(tables, words);
}
check('tables of the same interval are kept',
    await intervals.of({ ...asked, span: spans[1] })
      === await intervals.of({ ...asked, exactly: false, span: spans[1] }));
equal('what is not wanted any more is not made',
    await intervals.of({ ...asked, span: spans[0], isWanted: () => false }), null);
