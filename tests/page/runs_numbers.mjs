// SPDX-License-Identifier: BSD-3-Clause
// Compares what the views Source, Compare, Variables and Cost decide with what commands print:
// node runs_numbers.mjs PAGE.html A B, two series of runs as commands name them, A1,A2. ANALYZE is
// the program, and its repository is in the working directory.

import { execFileSync } from 'node:child_process';
import { load, readFile } from './data.mjs';
import { check, equal, none } from './tap.mjs';

const [file, first, second] = process.argv.slice(2);
const USEFUL = 255;

function command(...args) {
  return JSON.parse(execFileSync(process.env.ANALYZE, [...args, '--json'],
      { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

const page = await readFile(file);
const { index } = page;
const row = name => index.overheads.findIndex(kind => kind.name === name);
const ns = seconds => Math.round((seconds ?? 0) * 1e9);
const near = (a, b, by = 1) => Math.abs(a - b) <= by;

/** Sums of rows by a key, as sorted texts. */
function sums(rows, key, value) {
  const all = new Map();
  for (const each of rows) all.set(key(each), (all.get(key(each)) ?? 0) + value(each));
  return all;
}

/** Each key has the same value on both sides, but for rounding. */
function same(what, got, wanted, by = 1) {
  const keys = new Set([...got.keys(), ...wanted.keys()]);
  none(what, [...keys].filter(key => !near(got.get(key) ?? 0, wanted.get(key) ?? 0, by))
      .map(key => `${key}: ${got.get(key)}, not ${wanted.get(key)}`));
  check(`${what}: there are some`, wanted.size > 0);
}

// -- Compare -------------------------------------------------------------------------------------

async function compare() {
  const decide = await load('decide/compare.ts');
  const flames = await load('decide/compare_flame.ts');
  const document = decide.compareOf(index);
  const name = series => decide.seriesName(index, document.series[series], ',');
  const number = document.pairs.findIndex(({ a, b }) => name(a) === first && name(b) === second);
  if (!check(`the page compares ${first} with ${second}`, number >= 0)) return;
  const pair = document.pairs[number];
  equal('regions are those of compare --regions', pair.regions,
      command('compare', first, second, '--regions'));
  equal('overheads are those of compare', document.overheads,
      command('compare', ...index.experiments.map(each => each.name)));
  const paths = command('compare', first, second, '--paths');
  const { path, difference } = await tables(page.experiments[pair.experiment],
      'path', 'difference');
  const flame = flames.flameOf(path, difference, number, null);
  const text = i => flames.pathText(flame, path, i).replace(/ > /g, '/');
  for (const side of ['a', 'b']) {
    const own = [...flame.paths.keys()].map(i => [text(i), flame[side][i]]);
    same(`call paths have in ${side} what compare --paths prints`,
        sums(own, each => each[0], each => each[1]),
        sums(paths.filter(each => each.path), each => each.path, each => ns(each[side])));
  }
  const fall = decide.waterfallOf(document, index, pair, 0);
  const last = fall.steps[fall.steps.length - 1];
  check('the waterfall leads from T_p to T_p', fall.steps[0].from === fall.a &&
      near(last.to, fall.b, 1e-6), `${last.to}, not ${fall.b}`);
  const leaves = sums(paths.filter(each => each.overhead), each => each.overhead,
      each => ns(each.difference));
  same('its steps are the differences of compare --paths', new Map(fall.steps.map(step =>
    [step.key, ns(step.by)])), leaves, paths.length);
}

async function tables(experiment, ...names) {
  const all = await Promise.all(names.map(name => experiment.table(name)));
  return Object.fromEntries(names.map((name, i) => [name, all[i]]));
}

// -- Source and Cost -----------------------------------------------------------------------------

const PLACES = ['region', 'node', 'unit', 'cell', 'part'];

/** Rows of `overhead --overhead NAME` by place. */
function arises(name, overhead) {
  return sums(command('overhead', name, '--overhead', overhead),
      each => `${each.file}:${each.line_start}`, each => ns(each.seconds));
}

async function source(experiment) {
  const { name, p } = experiment.index, decide = await load('decide/source.ts');
  const data = await tables(experiment, ...PLACES);
  const got = new Map(), calls = new Map();
  for (const of of decide.filesOf(data.region)) {
    const lines = decide.groupsOfLines(data.region, of);
    const all = decide.sumGroups(data, lines, index.overheads.length, null, row('UNMEASURED'));
    lines.lines.forEach((line, group) => {
      if (all.lost[group]) got.set(`${of.path}:${line}`, all.lost[group] / p);
      calls.set(`${of.path}:${line}`, all.calls[group]);
    });
  }
  const wanted = arises(name, 'OTOTAL');
  for (const key of wanted.keys()) if (!key.includes('.c:')) wanted.delete(key);
  same(`${name}: lines have the overheads that overhead prints`, got, wanted, 1.5);
  const { line_samples: sampled } = await tables(experiment, 'line_samples');
  if (sampled.line.length) same(`${name}: lines have the samples that regions --lines prints`,
      sums([...sampled.line.keys()], i => `${sampled.file[i]}:${sampled.line[i]}`,
          i => sampled.samples[i]),
      sums(command('regions', name, '--lines').filter(each => each.line), each =>
        `${each.file}:${each.line}`, each => each.samples), 0);
  same(`${name}: lines have the calls that regions prints`, calls, sums(
      command('regions', name).filter(each => each.line_start), each =>
        `${each.file}:${each.line_start}`, each => each.calls), 0);
}

async function cost(experiment) {
  const { name, p } = experiment.index, decide = await load('decide/cost.ts');
  const data = await tables(experiment, ...PLACES);
  const costs = decide.probeCosts(data, p, row('OPROBE'), null);
  const { region, unit } = data;
  const got = sums([...region.id.keys()].filter(i => costs.region[i]), i =>
    `${region.file[i]}:${region.line_start[i]}`, i => costs.region[i] / p);
  same(`${name}: regions cost what overhead prints`, got, arises(name, 'OPROBE'), 2);
  const units = command('overhead', name, '--overhead', 'OPROBE', '--by-pu');
  same(`${name}: units cost what overhead --by-pu prints`,
      sums([...costs.unit.keys()], i => `${unit.process[i]}.${unit.thread[i]}`, i => costs.unit[i]),
      sums(units.filter(each => each.overhead === 'OPROBE'), each =>
        `${each.process}.${each.thread}`, each => ns(each.seconds)));
  const { turned_down: turned } = await tables(experiment, 'turned_down');
  const rungs = decide.rungsOf(turned, experiment.index.t_p_ns);
  const wanted = experiment.index.documents.report.turned_down;
  equal(`${name}: the budget decided what report prints`,
      [...new Set(turned.region)].map(i => region.name[i]).sort(),
      [...new Set(wanted.map(each => each.region))].sort());
  none(`${name}: histories end with the run`, rungs.filter(each =>
    each.lanes.some(({ stretches }) =>
      stretches[stretches.length - 1].to !== experiment.index.t_p_ns)));
}

// -- Variables -----------------------------------------------------------------------------------

async function memory(experiment) {
  const { name } = experiment.index, decide = await load('decide/memory.ts');
  const { memory: rows, memory_use } = await tables(experiment, 'memory', 'memory_use');
  equal(`${name}: memory is that of blame --memory`,
      decide.memoryLines(rows, memory_use, null).map(line => {
        const at = line.memory, allocated = decide.isAllocated(rows, at);
        return [decide.memoryName(rows, at), rows.kind[at], line.samples,
          allocated ? line.allocations : null, allocated ? line.most_bytes : null,
          line.freed ? Math.trunc(line.life_ns / line.freed) : null].join(' ');
      }).sort(),
      command('blame', name, '--memory').map(each => [each.memory, each.kind, each.samples,
        each.allocations, each.allocations === null ? null : each.most_bytes,
        each.life_seconds === null ? null : ns(each.life_seconds)].join(' ')).sort());
}

async function variables(experiment) {
  const { name } = experiment.index, decide = await load('decide/variables.ts');
  const { leavesOf } = await load('decide/sums.ts');
  const { unit, blame_point, variable, blame, variable_overhead, sampling } = await tables(
      experiment, 'unit', 'blame_point', 'variable', 'blame', 'variable_overhead', 'sampling');
  const lanes = decide.lanesOf(unit);
  const measured = { variable, blame, unit: sampling.unit[0] };
  const points = decide.usualPoints(blame_point, sampling.samples[0], 0);
  for (const [how, inclusive] of [['partitioned', false], ['inclusive', true]]) {
    const got = points.flatMap(point => decide.linesOf(measured, point, lanes, null, inclusive)
        .flatMap(line => [line, ...line.fields]).map(line => [blame_point.path[point], line]));
    // samples at no blame point, as those before main, are no lines of the page's table
    const printed = command('blame', name, '--fields', `--${how}`)
        .filter(each => each.blame_point !== '');
    const key = (path, kind, what, of) => [path, kind, what, of].join(' ');
    const ours = (value => sums(got, ([path, line]) => key(path, line.kind,
        line.field || line.name, line.field ? line.name : ''), ([, line]) => value(line)));
    const theirs = value => sums(printed, each => key(each.blame_point, each.kind, each.variable,
        each.field_of ?? ''), value);
    same(`${name}: ${how} samples are those of blame`, ours(line => line.samples),
        theirs(each => each.samples), 1e-6);
    if (!inclusive)
      for (const column of ['explicit', 'implicit', 'base', 'blocked'])
        same(`${name}: ${column} is that of blame`, ours(line => line[column] || 0),
            theirs(each => each[column] ?? 0), 1e-6);
  }
  equal(`${name}: doubts are the warnings about variables`,
      (await experiment.table('doubt')).text, command('sql', `SELECT w.text FROM warning w
        JOIN experiment e ON e.id = w.experiment WHERE e.name = '${name}'
        AND w.kind = 'variables' ORDER BY w.rowid`).map(each => each.text));
  await memory(experiment);
  const leaves = leavesOf(index.overheads, 'OSYNC');
  const waits = points.flatMap(point => decide.overheadLines(variable, variable_overhead, point,
      leaves, null).map(line => [`${blame_point.path[point]} ${variable.name[line.variable] ||
      variable.kind[line.variable]}`, line]));
  same(`${name}: waits are those of blame --overhead`, sums(waits, each => each[0],
      each => each[1].ns), sums(command('blame', name, '--overhead', 'OSYNC'), each =>
    `${each.blame_point} ${each.variable}`, each => ns(each.seconds)));
}

await compare();
for (const experiment of page.experiments) {
  await source(experiment);
  await cost(experiment);
  if (experiment.has('sampling')) await variables(experiment);
}
