// SPDX-License-Identifier: BSD-3-Clause
// What views show of a selected interval in Chromium: node interval_views.mjs PAGE.html [TILES].
// Numbers are those that the commands print which the views name. With TILES, the file beside the
// page: what the page says before and after it is chosen. ANALYZE is the program.

import { execFileSync } from 'node:child_process';
import { Browser } from './browser.mjs';
import { readFile } from './data.mjs';
import { check, equal, none } from './tap.mjs';

const [file, tiles] = process.argv.slice(2);
const page = await readFile(file);
const [{ index: { name, t_p_ns, trace } }] = page.experiments;
const seconds = ns => (ns / 1e9).toFixed(9);
const span = { from_ns: Math.round(0.3 * t_p_ns), to_ns: Math.round(0.97 * t_p_ns) };
const TIME = `time=${seconds(span.from_ns)}-${seconds(span.to_ns)}`;
const WORDS = ['--from', seconds(span.from_ns), '--to', seconds(span.to_ns)];

function command(...args) {
  return JSON.parse(execFileSync(process.env.ANALYZE, [...args, '--json'],
      { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

const STRIP = `document.querySelector('.strip').textContent`;
const NAMED = `document.querySelector('.strip .command')?.dataset.command ?? ''`;
const LINE = `(document.querySelector('.interval').hidden ? ''
  : document.querySelector('.interval').textContent)`;
/** Rows of a table or tree that are shown: of each cell its title, or its text. */
const rowsOf = label => `[...document.querySelectorAll('[aria-label="${label}"] [role="row"]')]
  .slice(1).filter(row => row.getBoundingClientRect().height > 0)
  .map(row => [...row.querySelectorAll('[role="rowheader"], [role="gridcell"]')]
    .map(cell => cell.title || cell.textContent))`;
// Each part of a sum is rounded to nanoseconds.
const near = (text, value) => Math.abs(parseFloat(text) - value) < 5e-9;

/** Waits until the strip has the command of what is shown. */
async function go(browser, address) {
  await browser.go(address);
  await browser.settled();
  await browser.until(`document.querySelector('.strip').textContent.includes('time')`);
}

const sorted = words => words.split(' ').sort().join(' ');
async function names(browser, what, words) {
  const named = (await browser.evaluate(NAMED)).replace(/^sis-analyze /, '').replace(name, 'EXP');
  equal(`the command of ${what}`, sorted(named), sorted(`${words} ${WORDS.join(' ')}`));
}

async function overview(browser) {
  await go(browser, `#/overview?${TIME}`);
  const tree = command('overhead', name, ...WORDS);
  const rows = await browser.evaluate(rowsOf('overheads'));
  check('the tree of the overview is that of overhead',
      rows.length > 1 && near(rows[0][1], tree.useful), `${rows[0]} ${tree.useful}`);
  const overheads = rows.slice(1).map(([title, time]) =>
    ({ title, time, printed: tree.overheads[title.split(':')[0]] }));
  none('with its overheads', overheads.filter(each => !near(each.time, each.printed)));
  await names(browser, 'the overview', 'overhead EXP');
  check('the line says that it is exact', /exact/.test(await browser.evaluate(LINE)));
  check('the sentence is of the interval', (await browser.evaluate(
      `document.querySelector('.sentence').textContent`)).includes('in this interval'));
  check('other cards say that they are of the whole run', await browser.evaluate(
      `document.querySelector('[aria-label="How well"] small').textContent.includes('whole run')`));
}

async function regions(browser) {
  await go(browser, `#/regions?tab=list&${TIME}`);
  const sums = new Map();
  for (const row of command('regions', name, ...WORDS)) {
    const key = `${row.region} ${row.line_start ?? 0}`, sum = sums.get(key) ?? [0, 0];
    sums.set(key, [sum[0] + row.calls, sum[1] + row.wtime_excl]);
  }
  /** Of the title of a row, which ends with 'FILE:LINE' if it has a place. */
  const keyOf = ([title]) => {
    const lines = title.split('\n'), line = /:(\d+)$/.exec(lines[lines.length - 1]);
    return `${lines[0]} ${line ? line[1] : 0}`;
  };
  const rows = await browser.evaluate(rowsOf('regions'));
  const heads = `'[aria-label="regions"] [role="columnheader"]'`;
  const column = title => `[...document.querySelectorAll(${heads})]
    .findIndex(each => each.textContent.startsWith('${title}'))`;
  const [calls, self] = [await browser.evaluate(column('calls')),
    await browser.evaluate(column('self'))];
  const places = new Map(); // regions of one place, which the command prints apart, are left out
  for (const row of rows) places.set(keyOf(row), (places.get(keyOf(row)) ?? 0) + 1);
  const one = rows.filter(row => sums.has(keyOf(row)) && places.get(keyOf(row)) === 1
    && !keyOf(row).endsWith(' 0'));
  check('regions are listed', one.length > 0);
  none('with the times of regions', one.filter(row => {
    const [, excl] = sums.get(keyOf(row));
    return !near(row[self], excl);
  }));
  check('there are calls', rows.some(row => /[1-9]/.test(row[calls])));
  await names(browser, 'the list of regions', 'regions EXP');
}

async function units(browser) {
  await go(browser, `#/units?${TIME}`);
  const tree = command('overhead', name, ...WORDS);
  const rows = await browser.evaluate(`[...document.querySelectorAll('table.spent tbody tr')]
    .map(row => [row.cells[0].textContent, row.cells[1].title])`);
  check('leaves are listed', rows.length > 1);
  none('what units spent their time on is that of overhead', rows.filter(([kind, time]) =>
    !near(time, kind === 'useful work' ? tree.useful : tree.overheads[kind])));
  await names(browser, 'the units', 'overhead EXP --by-pu');
}

async function source(browser) {
  await go(browser, `#/source?${TIME}`);
  const list = command('overhead', name, '--overhead', 'OTOTAL', ...WORDS);
  const rows = await browser.evaluate(rowsOf('files of the program'));
  check('files are listed', rows.length > 0);
  none('their overheads are those of overhead', rows.filter(row => {
    const path = row[0], sum = list.filter(each => each.file === path)
        .reduce((all, each) => all + each.seconds, 0);
    return Math.abs(parseFloat(row[3]) - sum) > 1e-8 * list.length;
  }).map(row => row.slice(0, 4)));
  await names(browser, 'the source', 'overhead EXP --overhead OTOTAL');
}

async function steps(browser) {
  await go(browser, `#/cost?${TIME}`);
  check('a view of the whole run says so',
      (await browser.evaluate(STRIP)).includes('of the whole run, not of this time'));
  equal('and has no line of an interval', await browser.evaluate(LINE), '');

  await go(browser, `#/regions?${TIME}`);
  const TREE = rowsOf('call graph');
  await browser.evaluate(`[...document.querySelectorAll('.tools button')]
    .find(button => button.textContent === 'close all').click()`);
  await browser.until(`(${TREE}).length === 1`);
  const part = await browser.evaluate(TREE);
  equal('all rows of the tree are closed', part.length, 1);
  await browser.press('Escape');
  await browser.until(`document.querySelector('.interval').hidden`);
  await browser.settled();
  const whole = await browser.evaluate(TREE);
  check('Esc shows the whole run', parseFloat(whole[0][2]) > parseFloat(part[0][2]));
  equal('and the same rows are open', whole.length, 1);
  await browser.evaluate('history.back()');
  await browser.until(`!document.querySelector('.interval').hidden`);
  await browser.settled();
  equal('Back shows the interval again', await browser.evaluate(TREE), part);
  await browser.press('3');
  await browser.settled();
  check('another view has the same interval', (await browser.evaluate(LINE)).includes('exact')
    && (await browser.evaluate('location.hash')).includes('time='));

  await go(browser, `#/regions?time=${seconds(2 * t_p_ns)}-${seconds(3 * t_p_ns)}`);
  check('an interval after the end is none',
      (await browser.evaluate(STRIP)).includes('of the whole run, which ended after'));
  const before = await browser.evaluate(TREE);
  check('and the whole run is shown', before[0][2] === whole[0][2]);
}

const BUTTONS = `[...document.querySelectorAll('.interval button')].filter(each => !each.hidden)
  .map(each => each.textContent)`;

async function choose(browser, path) {
  const { root } = await browser.send('DOM.getDocument');
  const { nodeId } = await browser.send('DOM.querySelector',
      { nodeId: root.nodeId, selector: '.interval input[type="file"]' });
  await browser.send('DOM.setFileInputFiles', { nodeId, files: [path] });
}

async function withFile(browser) {
  await browser.send('DOM.enable');
  await go(browser, `#/overview?${TIME}`);
  await browser.until(`document.querySelector('.interval').dataset.exact`);
  const line = await browser.evaluate(LINE);
  check('without the file, the line says what numbers are',
      trace.level ? /approximate/.test(line) : /exact/.test(line), line);
  check('and the line asks for it', (await browser.evaluate(BUTTONS)).includes(`choose ${tiles}`));
  if (trace.leaves === 'file') {
    check('overheads need it', /overheads need the file/.test(line), line);
    check('so the overview names the command',
        (await browser.evaluate(`document.querySelector('#content [data-command]')
          ?.dataset.command ?? ''`)).includes(WORDS.join(' ')));
  }
  await choose(browser, `${process.cwd()}/${file}`);
  await browser.until(`(${LINE}).includes('no file of a trace')`);
  check('another file is refused', true);
  await choose(browser, `${process.cwd()}/${tiles}`);
  await browser.until(`document.querySelector('.interval').dataset.exact
    && !/no file|need the file/.test(${LINE})`);
  for (const text of await browser.evaluate(BUTTONS)) {
    check(`it has a button: ${text}`, /^compute exactly/.test(text));
    await browser.evaluate(`document.querySelector('.interval button:not([hidden])').click()`);
  }
  await browser.until(`document.querySelector('.interval').dataset.exact === 'true'`);
  await overview(browser);
  await go(browser, `#/regions?${TIME}`);
  check('other views have it, too', (await browser.evaluate(LINE)).includes('exact.'));
  await regions(browser);
}

const browser = await Browser.start();
try {
  await browser.open(file);
  const all = tiles ? [withFile] : [overview, regions, units, source, steps];
  for (const view of all) await view(browser);
  if (process.env.PAGE_SHOTS) {
    await go(browser, `#/overview?${TIME}`);
    await browser.screenshot(`${process.env.PAGE_SHOTS}/${name}-interval.png`);
  }
  none('nothing is wrong in the console', browser.errors);
  none('nothing is requested', browser.requests);
} finally {
  await browser.close();
}
