// SPDX-License-Identifier: BSD-3-Clause
// A live page in Chromium: node live.mjs FIRST.html SECOND.html. Both are pages of runs of one
// program, and the second has more regions, so that all rows have other numbers. A new look changes
// the numbers, and nothing else that the user sees; the page survives whatever its server does.

import { Browser } from './browser.mjs';
import { LiveServer, lookOf } from './live_server.mjs';
import { check, equal, none } from './tap.mjs';
import { readFile } from './data.mjs';

const [first, second] = process.argv.slice(2);
const INTERVAL_NS = 2e8;

/** The row of the first node of a region. */
async function nodeOf(file, name) {
  const [experiment] = (await readFile(file)).experiments;
  const [node, region] = [await experiment.table('node'), await experiment.table('region')];
  return node.region.indexOf(region.name.indexOf(name));
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

const [work, outer, workAfter, outerAfter] = await Promise.all([nodeOf(first, 'work'),
  nodeOf(first, 'outer'), nodeOf(second, 'work'), nodeOf(second, 'outer')]);
const server = new LiveServer([
  lookOf(first, [[0, work, 3.5e9], [1, work, 1.25e9]]),
  lookOf(second, [[0, outerAfter, 4.5e9], [1, workAfter, 0]]),
], INTERVAL_NS);
await server.start();
const browser = await Browser.start({ height: 500 });
const evaluate = expression => browser.evaluate(expression);
const bar = () => evaluate(`[...document.querySelector('.live').children]
  .filter(part => !part.hidden && part.textContent).map(part => part.textContent).join(' | ')`);
const content = () => evaluate(`document.getElementById('content').innerText`);
const says = words => browser.until(
    `document.querySelector('.live').textContent.includes(${JSON.stringify(words)})`);

/** The next look is shown. */
async function next() {
  server.look++;
  await says(`look ${server.look},`);
}

/** In the page: what a tree table shows, and where the user is in it. */
const TREE = `(() => {
  const table = document.querySelector('#content .table[role="treegrid"]');
  const rows = [...table.querySelectorAll('.rows .row')].filter(row => !row.hidden)
    .sort((a, b) => a.dataset.index - b.dataset.index);
  const name = row => row?.querySelector('.text').textContent ?? null;
  const active = document.getElementById(table.getAttribute('aria-activedescendant'));
  return { rows: rows.map(row => name(row) + ({ true: ' v', false: ' >' }[row.ariaExpanded] ?? '')),
    selected: name(rows.find(row => row.ariaSelected === 'true')), active: name(active),
    focused: document.activeElement === table, scroll: table.scrollTop,
    window: scrollY, texts: rows.map(row => row.textContent) };
})()`;

/** Notes in each frame what must not be seen while a look replaces another one. */
const WATCH = `void (() => {
  window.seen = new Set();
  const watch = () => {
    const shown = document.querySelectorAll('#content:not(.coming)');
    if (shown.length !== 1) seen.add(shown.length + ' views');
    if (document.querySelector('[aria-busy="true"]')) seen.add('busy');
    if (!shown[0]?.querySelector('.rows .row:not([hidden]), canvas')) seen.add('nothing is drawn');
    requestAnimationFrame(watch);
  };
  watch();
})()`;

async function tree() {
  await browser.open(server.url, '#/regions');
  equal('the bar says what runs', await bar(),
      'running: 2 of 2 processes, look 1, every 0.2 s | pause');
  await evaluate(WATCH);
  await browser.go(`#/regions?node=${outer}`);
  await browser.go(`#/regions?node=${work}&sort=name`);
  await evaluate(`[...document.querySelectorAll('#content button.tool')]
    .find(button => button.textContent === 'open all').click()`);
  await evaluate(`document.querySelector('#content .table').focus()`);
  await browser.press('ArrowLeft'); // closes work
  await evaluate(`document.querySelector('#content .table').scrollTop = 40, scrollTo(0, 30)`);
  await browser.settled();
  const before = await evaluate(TREE);
  check('the tree is scrolled, and a row is closed, selected and focused', before.scroll === 40
    && before.window === 30 && before.rows.includes('work >') && before.selected === 'work'
    && before.active === 'work' && before.focused, JSON.stringify(before));
  const entries = await evaluate('history.length');

  await next();
  const after = await evaluate(TREE);
  const old = rows => rows.filter(row => !/early|for@6|^probe/.test(row)); // probes cost anew
  equal('the same rows are open after a look', old(after.rows), old(before.rows));
  check('a new region is there', after.rows.some(row => row.startsWith('early')),
      after.rows.join());
  equal('the user is where they were', [after.selected, after.active, after.focused, after.scroll,
    after.window], ['work', 'work', true, 40, 30]);
  check('the numbers are other ones', !after.texts.some(text => text.startsWith('work')
    && before.texts.includes(text)));
  equal('the address has the new row', await evaluate('location.hash'),
      `#/regions?node=${workAfter}&sort=name`);
  equal('a look is no step of the history', await evaluate('history.length'), entries);
  await evaluate('void history.back()');
  await browser.until(`location.hash.includes('node=${outerAfter}')`);
  equal('Back returns to the region that was selected in an earlier look',
      (await evaluate(TREE)).selected, 'outer');
  await evaluate('void history.forward()');
  await browser.until(`location.hash.includes('node=${workAfter}')`);
}

async function pictures() {
  const [look, tabs] = [server.look, ['flame', 'list', 'callers', 'files']];
  for (const tab of tabs) {
    await browser.go(`#/regions?tab=${tab}`);
    await next();
  }
  equal('looks replace each other in all pictures of regions', server.look, look + tabs.length);
  await browser.go('#/regions?tab=callers&sort=name');
  await evaluate(`document.querySelector('#content .table').focus()`);
  await browser.press('Home');
  await browser.press('ArrowRight');
  const before = await evaluate(TREE);
  await next();
  await next(); // the same data again
  equal('callers stay open', (await evaluate(TREE)).rows, before.rows);

  await browser.go('#/units');
  const at = await evaluate(`(() => {
    const { left, top, width } = document.querySelector('.heatmap').getBoundingClientRect();
    return { x: left + width / 3, y: top + 100 };
  })()`);
  await browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at });
  await browser.until(`document.querySelector('.hover:not([hidden])')`);
  await next();
  equal('the note beside the pointer stays, once',
      await evaluate(`document.querySelectorAll('.hover:not([hidden])').length`), 1);
  await browser.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 1, y: 1 });
  await evaluate(`document.querySelector('.heatmap').focus()`);
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await browser.press(key);
  const cell = () => evaluate(`[document.activeElement.className,
    document.querySelector('.heatmap [role="gridcell"]').textContent.split(',')[0]]`);
  const chosen = await cell();
  await next();
  equal('the cursor of a heat map stays at its unit and region', await cell(), chosen);
  for (const view of ['waits', 'messages', 'time', 'source', 'compare', 'variables', 'cost']) {
    await browser.go(`#/${view}`);
    await next();
  }
  none('no look is seen half drawn', await evaluate(`[...seen].filter(what =>
    what !== 'busy' && what !== 'nothing is drawn')`));
}

/** No frame shows a view that is empty or busy while looks follow each other. */
async function still() {
  for (const view of ['overview', 'regions', 'regions?tab=flame', 'units', 'cost']) {
    await browser.go(`#/${view}`);
    await evaluate('void seen.clear()');
    await next();
    await next();
    none(`${view}: a look replaces another one in one step`, await evaluate('[...seen]'));
  }
}

async function overheads() {
  await browser.go('#/overview');
  const toggle = `(() => {
    const row = document.querySelector('#content .table[role="treegrid"] .row[aria-expanded]');
    row.querySelector('.twisty').click();
    return row.ariaExpanded;
  })()`;
  await evaluate(toggle);
  const before = await evaluate(TREE);
  await next();
  await next();
  equal('overheads stay open and closed', (await evaluate(TREE)).rows, before.rows);
}

async function openNow() {
  if (server.look % 2 === 0) await next();
  await browser.go('#/overview');
  const rows = () => evaluate(`[...document.querySelectorAll('.open-now tbody tr')].map(row =>
    [...row.children].map(cell => cell.innerText.replace(/\\u202f/g, ' ')
      .replace(/\\s*work\\.c:.*/, '').trim()).filter(Boolean).join(' | '))`);
  equal('the card Open now counts threads by region', await rows(),
      ['work | 2 threads | 3.500 s | 0.0']);
  await next();
  equal('it says what is not known', await rows(), ['outer | 0.0 | 4.500 s',
    'work | 1.0 | -']);
  await evaluate(`document.querySelectorAll('.open-now tbody button')[1].click()`);
  equal('it leads to the unit', await evaluate('location.hash'), '#/overview?units=0');
  await browser.go('#/overview');
}

const asksWithin = async ms => {
  const { length } = server.asked;
  await pause(ms);
  return server.asked.length - length;
};

async function pauses() {
  await browser.press('p');
  await pause(100);
  const { look } = server;
  server.look++;
  equal('while it is paused, the page does not ask', await asksWithin(1000), 0);
  check('it says that it is paused', (await bar()).includes(`look ${look} | Paused`), await bar());
  await browser.press('p');
  await says(`look ${server.look},`);
  await evaluate(`Object.defineProperty(document, 'visibilityState',
    { value: 'hidden', configurable: true }),
    document.dispatchEvent(new Event('visibilitychange'))`);
  await pause(100);
  equal('while it is not seen, it does not ask', await asksWithin(1000), 0);
  await evaluate(`delete document.visibilityState,
    document.dispatchEvent(new Event('visibilitychange'))`);
  await next();
}

async function busy() {
  const { look } = server;
  await evaluate(`getSelection().selectAllChildren(document.querySelector('.sentence'))`);
  const text = await evaluate('String(getSelection())');
  server.look++;
  await says('A newer look is shown when you have finished.');
  check('a look does not take away the text that the user selects',
      (await bar()).includes(`look ${look}`) && text.length > 10
      && await evaluate('String(getSelection())') === text);
  await evaluate('getSelection().removeAllRanges()');
  await says(`look ${server.look},`);
  await browser.press('?');
  server.look++;
  await pause(800);
  check('nor does it come while help is open', (await bar()).includes(`look ${server.look - 1}`));
  await browser.press('Escape');
  await says(`look ${server.look},`);
  const mouse = type => browser.send('Input.dispatchMouseEvent',
      { type, x: 700, y: 420, button: 'left', clickCount: 1 });
  await mouse('mousePressed');
  server.look++;
  await pause(800);
  check('nor while the user drags', (await bar()).includes(`look ${server.look - 1}`));
  await mouse('mouseReleased');
  await says(`look ${server.look},`);
}

/** What was found has the numbers of the newest look. */
async function finds() {
  await browser.go('#/regions');
  await browser.press('/');
  for (const letter of 'outer') await browser.press(letter);
  await browser.until(`document.querySelectorAll('.found .option').length === 1`);
  await browser.press('ArrowDown');
  await next();
  await browser.until(`document.querySelector('.found .option[aria-selected="true"]')`);
  equal('the find field keeps the focus and its text', await evaluate(
      `[document.activeElement.className, document.activeElement.value]`), ['find', 'outer']);
  await browser.press('Enter');
  await browser.settled();
  equal('what is found is the same region in a new look', (await evaluate(TREE)).selected, 'outer');
}

/** One message while answers are wrong; then the page goes on. */
async function fault(what, wrong, words) {
  const before = await content();
  const { look } = server;
  await wrong(true);
  server.look++;
  await says(words);
  check(`${what}: the page says so, and keeps its look`, (await bar()).includes(`look ${look}`)
    && await content() === before, await bar());
  await wrong(false);
  await evaluate(`[...document.querySelectorAll('.live button')]
    .find(button => button.textContent === 'ask now').click()`);
  await says(`look ${server.look},`);
  check(`${what}: then it goes on`, !(await bar()).includes(words));
}

async function faults() {
  const kinds = [['an error of the server', 'status', 'does not answer'],
    ['an answer that is cut', 'cut', 'does not answer'],
    ['an answer that is no JSON', 'json', 'cannot be read: the answer is no JSON'],
    ['a damaged block', 'block', 'cannot be read: block']];
  for (const [what, kind, words] of kinds)
    await fault(what, on => { server.fault = on ? kind : ''; }, words);
  const { port } = server;
  await fault('a server that is gone', on => on ? server.stop() : server.start(port),
      'does not answer');
}

async function ends(state, words) {
  server.state = state;
  server.look++;
  await says(words);
  await pause(100);
  equal(`${state}: the page does not ask any more`, await asksWithin(800), 0);
  check(`${state}: there is nothing to pause`,
      await evaluate(`![...document.querySelectorAll('.live button')].some(b => !b.hidden)`));
}

try {
  for (const part of [tree, pictures, still, overheads, openNow, pauses, busy, finds, faults]) {
    const began = Date.now();
    await part();
    console.log(`# ${part.name}: ${Date.now() - began} ms`);
  }
  const expected = /Failed to load resource/; // of the faults
  none('nothing else on the console', browser.errors.filter(text => !expected.test(text)));
  await ends('ended', 'The program has ended; the numbers are final.');
  server.state = 'runs';
  await browser.send('Page.navigate', { url: 'about:blank' });
  await browser.open(server.url, '#/overview');
  await ends('gone', 'directory was removed');
  none('no request but to its server', browser.requests.filter(url =>
    !url.startsWith(`${server.url}data?after=`)));
  none('nothing on the console at the end', browser.errors.filter(text => !expected.test(text)));
} finally {
  await browser.close();
  await server.stop().catch(() => {});
}
