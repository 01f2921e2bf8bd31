// SPDX-License-Identifier: BSD-3-Clause
// The view Time of a page: node time.mjs PAGE.html [TILES]. Calls and times of intervals, from the
// tiles, are those that `regions --from --to` prints; in Chromium the view shows them, and can be
// used by keys. TILES is the file beside the page, if it needs one. ANALYZE is the program.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Browser } from './browser.mjs';
import { load, readFile } from './data.mjs';
import { slices } from './slices.mjs';
import { check, equal, none } from './tap.mjs';

const [file, tiles] = process.argv.slice(2);
const { openTrace, readTrace } = await load('data/trace.ts');
const { addRoot, addTile, contextNodes, emptySums } = await load('decide/time_sums.ts');
const { intervalTiles, isInitial, knownTime } = await load('decide/time_interval.ts');

const page = await readFile(file);
const [experiment] = page.experiments;
const { name, t_p_ns } = experiment.index;
const seconds = ns => (ns / 1e9).toFixed(9);
const ns = text => Math.round(text * 1e9);

/** What goes wrong with a file; '': nothing. */
async function refusal(path, tile = -1) {
  const trace = await readTrace(experiment);
  try {
    await trace.open(slices(path));
    if (tile >= 0) await trace.load(tile);
    return '';
  } catch (error) {
    return error.message;
  }
}

function command(span) {
  return JSON.parse(execFileSync(process.env.ANALYZE, ['regions', name, '--json', '--from',
    seconds(span.from_ns), '--to', seconds(span.to_ns)], { maxBuffer: 1 << 28 }).toString());
}

/** 'UNIT REGION LINE CALLS INCL EXCL' of each unit and region, in order. */
function lines(rows) {
  const sums = new Map();
  for (const { key, numbers } of rows) {
    const sum = sums.get(key) ?? [0, 0, 0];
    sums.set(key, sum.map((value, i) => value + numbers[i]));
  }
  return [...sums].filter(([, sum]) => sum.some(value => value))
      .map(([key, sum]) => `${key} ${sum.join(' ')}`).sort();
}

async function inTiles(trace, span) {
  const [node, region, unit] = await Promise.all([experiment.table('node'),
    experiment.table('region'), experiment.table('unit')]);
  const nodes = contextNodes(trace.tables.context, node), rows = [];
  const own = trace.tables.trace_unit.unit;
  for (let i = 0; i < own.length; i++) {
    const sums = emptySums(node.id.length), initial = isInitial(trace, unit, i);
    for (const tile of intervalTiles(trace, [i], span, 0))
      addTile(sums, await trace.load(tile), span, nodes, trace.tables.context.is_open,
          initial ? 0 : -1);
    if (initial) addRoot(sums, 0, knownTime(trace, unit, i, span));
    node.region.forEach((r, n) => rows.push({
      key: `${unit.process[own[i]]}.${unit.thread[own[i]]} ${region.name[r]} `
        + region.line_start[r],
      numbers: [sums.calls[n], sums.incl_ns[n], sums.excl_ns[n]] }));
  }
  return lines(rows);
}

async function numbers(trace) {
  const at = share => Math.round(share * t_p_ns);
  const spans = [[0.3, 0.6], [0.5, 0.501], [0.9, 1], [0, 1]]
      .map(([from, to]) => ({ from_ns: at(from), to_ns: at(to) }));
  spans.push({ from_ns: at(0.7), to_ns: at(0.7) + 77 });
  for (const span of spans) {
    const wanted = lines(command(span).map(row => ({
      key: `${row.process}.${row.thread} ${row.region} ${row.line_start}`,
      numbers: [row.calls, ns(row.wtime_incl), ns(row.wtime_excl)] })));
    const got = await inTiles(trace, span);
    check(`from ${seconds(span.from_ns)} to ${seconds(span.to_ns)}: something happens`,
        wanted.length > 0);
    none('its calls and times are those of the command',
        [...got.filter(line => !wanted.includes(line)), ...wanted.filter(l => !got.includes(l))]);
  }
}

// -- files beside the page ------------------------------------------------------------------------

async function files(trace) {
  const beside = trace.tables.tile.in_page.indexOf(0);
  equal('the file that was written with the page is taken', await refusal(tiles, beside), '');
  writeFileSync('foreign', 'something else, and long enough to be read as the head of a file');
  check('a foreign file is refused', /is no file of a trace/.test(await refusal('foreign')));
  writeFileSync('empty', '');
  check('an empty one, too', /is no file of a trace/.test(await refusal('empty')));
  const bytes = readFileSync(tiles);
  writeFileSync('short', bytes.subarray(0, bytes.length - 1));
  check('an incomplete one is refused', /is not complete/.test(await refusal('short')));
  const other = Buffer.from(bytes);
  other[14] ^= 1;
  writeFileSync('other', other);
  check('that of another page is refused', /belongs to another page/.test(await refusal('other')));
  copyFileSync(tiles, 'damaged');
  const damaged = Buffer.from(bytes).map((byte, i) => i < 48 ? byte : byte ^ 4);
  writeFileSync('damaged', damaged);
  check('a damaged one is refused', /is damaged/.test(await refusal('damaged', beside)));
}

// -- in the browser -------------------------------------------------------------------------------

const STATUS = `document.querySelector('.time [role="status"]').textContent`;
const ALERT = `document.querySelector('.time-file [role="alert"]')?.textContent ?? ''`;
const SHOWN =
  `[...document.querySelectorAll('.time input.time')].map(input => Number(input.value))`;
const ROWS = `[...document.querySelectorAll('.time-table [role="row"]')].slice(1, 6)
  .map(row => [...row.querySelectorAll('[role="rowheader"], [role="gridcell"]')]
    .map(cell => cell.title || cell.textContent))`;
const SHIFT = 8;

async function choose(browser, path) {
  const { root } = await browser.send('DOM.getDocument');
  const { nodeId } = await browser.send('DOM.querySelector',
      { nodeId: root.nodeId, selector: '.time input[type="file"]' });
  await browser.send('DOM.setFileInputFiles', { nodeId, files: [path] });
}

async function inBrowser() {
  const browser = await Browser.start();
  const exact = `document.querySelector('.time-table').dataset.exact === 'true'`;
  try {
    const span = { from_ns: Math.round(0.4 * t_p_ns), to_ns: Math.round(0.6 * t_p_ns) };
    await browser.open(file, `#/time?time=${seconds(span.from_ns)}-${seconds(span.to_ns)}`);
    await browser.until(`document.querySelector('.timeline').dataset.loading === 'false'`);
    if (tiles) {
      check('the view asks for the file', await browser.evaluate(
          `!document.querySelector('.time-file').hidden`));
      await browser.send('DOM.enable');
      await choose(browser, `${process.cwd()}/foreign`);
      await browser.until(`(${ALERT}).includes('no file of a trace')`);
      check('a foreign file is refused with a message', true);
      await choose(browser, `${process.cwd()}/${tiles}`);
      await browser.until(`document.querySelector('.time-file').hidden`);
    }
    await browser.until(exact);
    const sums = new Map();
    for (const { region, calls, wtime_excl } of command(span)) {
      const sum = sums.get(region) ?? [0, 0];
      sums.set(region, [sum[0] + calls, sum[1] + ns(wtime_excl)]);
    }
    const rows = await browser.evaluate(ROWS);
    none('the first regions of the table are those of the command', rows.filter(
        ([title, calls, , excl]) => ![...sums].some(([region, [count, time]]) =>
          title.includes(region) && Number(calls.replace(/\D/g, '')) === count
            && excl.startsWith(seconds(time)))));
    check('there are some', rows.length > 0);
    const named = await browser.evaluate(
        `document.querySelector('.time-table .command[data-command]').dataset.command`);
    equal('the command of its overheads has the interval', named.replace(/^\S+ \S+ \S+ /, ''),
        `--from ${seconds(span.from_ns)} --to ${seconds(span.to_ns)}`);

    // keys
    await browser.evaluate(`document.querySelector('.lanes').focus()`);
    const [from, to] = await browser.evaluate(SHOWN);
    for (let i = 0; i < 5; i++) await browser.press('w');
    await browser.settled();
    const [closer, end] = await browser.evaluate(SHOWN);
    check('W shows less', closer > from && end < to);
    await browser.press('d');
    await browser.settled();
    check('D moves', (await browser.evaluate(SHOWN))[0] > closer);
    await browser.press('x');
    await browser.settled();
    const address = await browser.evaluate('location.hash');
    check('X selects what is shown', /time=/.test(address)
      && !address.includes(seconds(span.from_ns).replace(/0+$/, '')));
    await browser.press('z');
    await browser.press('z');
    await browser.settled();
    equal('Z shows the whole run in the end', (await browser.evaluate(SHOWN))[0], 0);
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await browser.press(key, SHIFT);
    await browser.settled();
    check('Shift and arrows describe an activation', await browser.evaluate(
        `/[a-z]/.test(document.querySelector('.time-details h3')?.textContent ?? '')`));
    check('it says what is merged', /merged|every/.test(await browser.evaluate(STATUS)));
    if (process.env.PAGE_SHOTS)
      await browser.screenshot(`${process.env.PAGE_SHOTS}/${name}-time-keys.png`);
    none('nothing is wrong in the console', browser.errors);
    none('nothing is requested', browser.requests);
  } finally {
    await browser.close();
  }
}

const trace = await openTrace(experiment);
equal('the page says whether it needs a file', experiment.index.trace.file, tiles ?? '');
if (tiles) {
  await files(trace);
  await trace.open(slices(tiles));
}
await numbers(trace);
if (process.env.CHROMIUM) await inBrowser();
