// SPDX-License-Identifier: BSD-3-Clause
// Compares what the views Units, Waits and Messages show with what commands print:
// node matrices.mjs PAGE.html [TILES]. Of runs with a trace it compares intervals, too. TILES is the
// file beside the page, if it needs one. ANALYZE is the program, its repository is in the working
// directory.

import { execFileSync } from 'node:child_process';
import { load, readFile } from './data.mjs';
import { slices } from './slices.mjs';
import { check, equal } from './tap.mjs';

const [file, tiles] = process.argv.slice(2);
const { IntervalTables } = await load('data/interval.ts');
const page = await readFile(file);
const decide = name => load(`decide/${name}.ts`);
const [sums, groups, units, waits, messages, commands, overview] = await Promise.all(['sums',
  'unit_groups', 'unit_matrix', 'wait_matrix', 'message_matrix', 'command', 'overview']
  .map(decide));
const kinds = page.index.overheads;

let words = []; // --from and --to

function command(...args) {
  return JSON.parse(execFileSync(process.env.ANALYZE, [...args, ...words, '--json'],
      { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

const ns = seconds => seconds === null ? null : Math.round(seconds * 1e9);

/** Sums of `value` by the texts of `key`, in the order of the texts. */
function added(rows, key, value) {
  const all = new Map();
  for (const row of rows) all.set(key(row), (all.get(key(row)) ?? 0) + value(row));
  return [...all].filter(([, sum]) => sum !== 0).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
}

async function tables(experiment) {
  const names = ['region', 'node', 'unit', 'part', 'wait_pair', 'delay', 'message', 'communicator'];
  const list = await Promise.all(names.map(name => experiment.table(name)));
  return Object.fromEntries(names.map((name, i) => [name, list[i]]));
}

// -- Units ----------------------------------------------------------------------------------------

function leavesByUnit(name, { node, part, unit }) {
  const lost = sums.leavesOf(kinds, 'OTOTAL');
  const matrix = units.unitMatrix(units.itemsOf('leaves', node, part), 256, part,
      unit.process.length, lost, 1000);
  const got = [];
  for (let row = 0; row < matrix.units; row++)
    matrix.columns.forEach(({ item }, column) => item >= 0 && got.push({ key:
      `${unit.process[row]}.${unit.thread[row]} ${kinds[item].name}`,
    ns: matrix.ns[row * matrix.columns.length + column] }));
  const leaves = new Set(matrix.columns.map(({ item }) => kinds[item]?.name));
  equal(`${name}: leaves of each unit are those of overhead --by-pu`,
      added(got, row => row.key, row => row.ns),
      added(command('overhead', name, '--by-pu').filter(row => leaves.has(row.overhead)),
          row => `${row.process}.${row.thread} ${row.overhead}`, row => ns(row.seconds)));
}

function regionsByUnit(name, { node, part, unit, region }) {
  const lost = sums.leavesOf(kinds, 'OTOTAL');
  const matrix = units.unitMatrix(units.itemsOf('regions', node, part), region.name.length, part,
      unit.process.length, lost, 1000);
  const inSource = matrix.columns.filter(({ item }) => item >= 0 && region.file[item]).slice(0, 4);
  check(`${name}: there are regions of the source`, inSource.length > 0);
  for (const { item } of inSource) {
    const option = commands.regionOption(region, item);
    const column = matrix.columns.findIndex(each => each.item === item);
    const got = Array.from({ length: matrix.units }, (_, row) =>
      [`${unit.process[row]}.${unit.thread[row]}`,
        matrix.ns[row * matrix.columns.length + column]]).filter(([, value]) => value);
    equal(`${name}: overheads in ${option} by unit`, got.sort(), added(command('overhead', name,
        '--by-pu', '--exclusive', '--region', option, '--overhead', 'OTOTAL'),
    row => `${row.process}.${row.thread}`, row => ns(row.seconds)));
  }
}

// -- Waits ----------------------------------------------------------------------------------------

function pairs(name, { wait_pair, node, region, unit, delay }) {
  const all = waits.chosenPairs(wait_pair,
      { leaves: sums.leavesOf(kinds, ''), nodes: null, victims: null, culprits: null });
  const list = waits.pairList(wait_pair, all, node);
  const unitName = row => row < 0 ? null : `${unit.process[row]}.${unit.thread[row]}`;
  const at = row => [region.name[node.region[row]], region.line_start[node.region[row]]];
  const got = Array.from(list.ns, (value, i) => ({ ns: value, key: [unitName(list.victim[i]),
    unitName(list.culprit[i]), kinds[list.leaf[i]].name, ...at(list.node[i]),
    ...at(list.culprit_node[i])] }));
  const wanted = command('waits', name, '--pairs');
  equal(`${name}: pairs are those of waits --pairs`,
      added(got, row => row.key.join(), row => row.ns),
      added(wanted, row => [row.victim, row.culprit, row.wait, row.region, row.line_start ?? 0,
        row.cause, row.cause_line_start ?? 0].join(), row => ns(row.seconds)));
  const matrix = waits.waitMatrix(wait_pair, all, groups.groupUnits(unit, 'unit', 1000));
  const p = unit.process.length;
  const cells = [];
  matrix.ns.forEach((value, i) => cells.push(
      { ns: value, key: `${unitName(Math.floor(i / p))} ${unitName(i % p)}` }));
  equal(`${name}: the matrix has them, too`, added(cells, row => row.key, row => row.ns),
      added(wanted, row => `${row.victim} ${row.culprit}`, row => ns(row.seconds)));
  equal(`${name}: all waits are those of the delays`, matrix.total,
      delay.ns.reduce((a, b) => a + b, 0));
}

/** A region and what it calls, and an overhead: as the commands restrict their lists. */
function restricted(name, all) {
  const { wait_pair, node, region } = all;
  const row = region.name.findIndex((each, i) => region.file[i] && each !== 'main' &&
    node.region.some((of, at) => of === i && node.end[at] > at + 2));
  if (row < 0) return;
  const nodes = overview.nodesOf(node, row, -1);
  const option = ['--region', commands.regionOption(region, row)];
  const sum = rows => rows.reduce((total, each) => total + ns(each.seconds), 0);
  const add = (mask, values) => values.reduce((total, value, i) => total + mask[i] * value, 0);
  equal(`${name}: waits in ${option[1]}, as OSYNC`, add(waits.chosenPairs(wait_pair,
      { leaves: sums.leavesOf(kinds, 'OSYNC'), nodes, victims: null, culprits: null }),
  wait_pair.ns), sum(command('waits', name, '--pairs', ...option, '--overhead', 'OSYNC')));
  equal(`${name}: messages in ${option[1]}`,
      add(messages.chosenMessages(all, { communicator: -1, nodes }), all.message.ns),
      sum(command('messages', name, '--by-site', ...option)));
}

// -- Messages -------------------------------------------------------------------------------------

function lists(name, all) {
  const { message, region, communicator } = all;
  const mask = messages.chosenMessages(all, { communicator: -1, nodes: null });
  const moves = messages.movesOf(all);
  const sorted = rows => rows.map(row => row.join()).sort();
  equal(`${name}: pairs are those of messages`,
      sorted(messages.pairs(message, moves, mask).map(row =>
        [row.from, row.to, row.calls, row.bytes, row.ns, row.receive_ns, row.estimated, row.kind])),
      sorted(command('messages', name).map(row => [row.from, row.to, row.calls, row.bytes,
        ns(row.seconds), ns(row.receive_seconds), row.estimated, row.kind])));
  equal(`${name}: call sites are those of messages --by-site`,
      sorted(messages.sites(all, moves, mask).map(row => [region.name[row.region],
        region.line_start[row.region], communicator.number[row.communicator], row.senders,
        row.receivers, row.calls, row.bytes, row.ns, row.kind])),
      sorted(command('messages', name, '--by-site').map(row => [row.region, row.line_start ?? 0,
        row.communicator, row.senders, row.receivers ?? 0, row.calls, row.bytes, ns(row.seconds),
        row.kind])));
  equal(`${name}: communicators are those of messages --communicators`,
      sorted(messages.communicators(all, mask).map(row => [communicator.number[row.communicator],
        communicator.size[row.communicator], row.messages, row.message_bytes, row.collectives,
        row.collective_bytes, row.ns])),
      sorted(command('messages', name, '--communicators').map(row => [row.communicator, row.size,
        row.messages, row.message_bytes, row.collectives, row.collective_bytes,
        ns(row.seconds)])));
}

// -- intervals ------------------------------------------------------------------------------------

async function compareIntervals(experiment, name) {
  const { t_p_ns } = experiment.index;
  const intervals = new IntervalTables(experiment, kinds);
  if (tiles) {
    const before = await intervals.of({ span: { from_ns: 0, to_ns: 1 }, exactly: true,
      isWanted: () => true, onProgress: () => {} });
    check('without the file there are no waits', !before.has('wait_pair'));
    await (await intervals.trace()).open(slices(tiles));
  }
  for (const [from, to] of [[0, 1], [0.2, 0.5], [0.5, 0.7], [0.699, 0.7], [0.8, 1]]) {
    const span = { from_ns: Math.round(from * t_p_ns), to_ns: Math.round(to * t_p_ns) };
    words = ['--from', (span.from_ns / 1e9).toFixed(9), '--to', (span.to_ns / 1e9).toFixed(9)];
    const made = await intervals.of({ span, exactly: true, isWanted: () => true,
      onProgress: () => {} });
    const all = await tables(made);
    const what = `${name}, ${from} to ${to}`;
    equal(`${what}: it has waits and messages`, ['wait_pair', 'delay', 'message'].map(table =>
      made.has(table) === experiment.has(table)), [true, true, true]);
    pairs(name, all);
    restricted(name, all);
    lists(name, all);
    if (from === 0 && to === 1) wholeRun(what, all, await tables(experiment));
  }
  words = [];
}

/** The interval from 0 to the end has the tables of the run. */
function wholeRun(what, interval, run) {
  const sum = column => column.reduce((a, b) => a + b, 0);
  for (const [table, column] of [['wait_pair', 'ns'], ['delay', 'ns'], ['delay', 'estimated_ns'],
    ['message', 'calls'], ['message', 'bytes'], ['message', 'ns'], ['message', 'receive_ns']]) {
    const [got, wanted] = [interval, run].map(tables => sum(tables[table][column]));
    check(`${what}: ${table}.${column} is that of the run`,
        Math.abs(got - wanted) <= 1e-6 * wanted + 1000, `${got}, not ${wanted}`);
  }
}

for (const experiment of page.experiments) {
  const name = String(experiment.index.id);
  const all = await tables(experiment);
  leavesByUnit(name, all);
  regionsByUnit(name, all);
  pairs(name, all);
  restricted(name, all);
  lists(name, all);
  if (experiment.index.trace) await compareIntervals(experiment, name);
}
