// SPDX-License-Identifier: BSD-3-Clause
// Compares the numbers of a page with those that commands print:
// node numbers.mjs PAGE.html [reduced]
// ANALYZE is the program, and its repository is in the working directory. A page that is reduced
// has fewer call paths, and only sums are compared.

import { execFileSync } from 'node:child_process';
import { load, readFile } from './data.mjs';
import { check, equal, none } from './tap.mjs';

const [file, reduced] = process.argv.slice(2);
const USEFUL = 255;

function command(...args) {
  return JSON.parse(execFileSync(process.env.ANALYZE, [...args, '--json'],
      { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

/** A table whose cells may be too many to compare one by one in the report of a failure. */
function sameRows(what, got, wanted) {
  const lines = list => list.map(row => JSON.stringify(row)).sort();
  const [a, b] = [lines(got), lines(wanted)];
  const other = a.findIndex((line, i) => line !== b[i]);
  check(what, a.length === b.length && other < 0,
      `${a.length} rows, not ${b.length}; ${a[other]}, not ${b[other]}`);
}

const ns = seconds => Math.round(seconds * 1e9);

function documents(name, index) {
  for (const [words, document] of Object.entries(index.documents)) {
    if (words === 'calibrate') continue; // of the machine, not of the run
    const [first, ...rest] = words.split(' ');
    equal(`${name}: document '${words}' is what the command prints`, document,
        command(first, name, ...rest));
  }
}

async function columns(name, experiment, COLUMNS) {
  for (const [table, { rows, columns }] of Object.entries(experiment.index.tables)) {
    equal(`${name}: columns of ${table}`,
        Object.entries(columns).map(([column, { type }]) => `${column} ${type}`).sort(),
        Object.entries(COLUMNS[table] ?? {}).map(([column, type]) => `${column} ${type}`).sort());
    const decoded = await experiment.table(table);
    none(`${name}: ${table} has ${rows} rows`,
        Object.entries(decoded).filter(([, values]) => values.length !== rows).map(([c]) => c));
  }
}

/** p * T_p = useful work + overheads, of all units together and of each. */
async function identity(name, experiment, overheads) {
  const { p, t_p_ns } = experiment.index;
  const part = await experiment.table('part');
  const unit = new Float64Array(p), leaf = new Map();
  part.ns.forEach((value, i) => {
    unit[part.unit[i]] += value;
    leaf.set(part.leaf[i], (leaf.get(part.leaf[i]) ?? 0) + value);
  });
  equal(`${name}: the parts of each unit are T_p`, [...new Set(unit)], [t_p_ns]);
  const tree = command('overhead', name);
  const near = (value, seconds) => Math.abs(value / p - seconds * 1e9) <= 1;
  check(`${name}: useful work is that of overhead`, near(leaf.get(USEFUL) ?? 0, tree.useful));
  none(`${name}: leaves are those of overhead`, overheads
    .map((kind, row) => [kind, leaf.get(row) ?? 0])
    .filter(([kind, value]) => kind.is_leaf && value && !near(value, tree.overheads[kind.name]))
    .map(([kind, value]) => `${kind.name} ${value / p}`));
}

async function cells(name, experiment) {
  const [cell, node, region, unit] = await Promise.all(
      ['cell', 'node', 'region', 'unit'].map(table => experiment.table(table)));
  const got = Array.from(cell.node, (at, i) => [
    region.name[node.region[at]], unit.process[cell.unit[i]], unit.thread[cell.unit[i]],
    cell.calls[i], cell.incl_ns[i], cell.excl_ns[i],
  ]);
  sameRows(`${name}: cells are those of regions`, got, command('regions', name).map(row =>
    [row.region, row.process, row.thread, row.calls, ns(row.wtime_incl), ns(row.wtime_excl)]));
}

/** What the order of the tables promises. */
async function order(name, experiment) {
  const node = await experiment.table('node');
  none(`${name}: a node is in the subtree of its parent`, [...node.parent.keys()].filter(i =>
    i && !(node.parent[i] < i && node.end[i] <= node.end[node.parent[i]] && node.end[i] > i &&
      node.depth[i] === node.depth[node.parent[i]] + 1)));
  for (const table of ['cell', 'part', 'value']) {
    const { node: at, unit } = await experiment.table(table);
    none(`${name}: ${table} is ordered by node, then unit`, [...at.keys()].filter(i => i &&
      (at[i] < at[i - 1] || (at[i] === at[i - 1] && unit[i] < unit[i - 1]))));
  }
}

async function sums(name, experiment) {
  const critical = await experiment.table('critical');
  const message = await experiment.table('message');
  const sum = list => list.reduce((a, b) => a + b, 0);
  if (critical.ns.length)
    equal(`${name}: the critical path is T_p`, sum(critical.ns), experiment.index.t_p_ns);
  if (message.bytes.length)
    equal(`${name}: bytes of messages`, sum(message.bytes.filter((_, i) => message.target[i] >= 0)),
        sum(command('messages', name).map(row => row.bytes)));
}

const page = await readFile(file);
const { COLUMNS } = await load('data/tables.ts');
for (const experiment of page.experiments) {
  const name = String(experiment.index.id); // names may be anything
  await columns(name, experiment, COLUMNS);
  await identity(name, experiment, page.index.overheads);
  await order(name, experiment);
  await sums(name, experiment);
  if (!reduced) await cells(name, experiment);
  documents(name, experiment.index);
}
