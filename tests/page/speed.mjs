// SPDX-License-Identifier: BSD-3-Clause
// How long the page takes for what a user does: node speed.mjs PAGE.html
// Times are processor time of the browser's process for the page, until the next frame is drawn:
// other programs do not change them much. It has helper threads, so a user waits for less.

import { readdirSync, readFileSync } from 'node:fs';
import { Browser } from './browser.mjs';

const [file] = process.argv.slice(2);

/** In the page: runs an action, and waits until its frame is drawn. */
const TIMED = `async act => {
  await act();
  await new Promise(done => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  }));
}`;

const click = selector => `document.querySelector(${JSON.stringify(selector)}).click()`;
const tool = text =>
  `[...document.querySelectorAll('.tool')]`
    + `.find(b => b.textContent === ${JSON.stringify(text)}).click()`;
const type = text => `(() => {
  const find = document.querySelector('input.find');
  find.value = ${JSON.stringify(text)};
  find.dispatchEvent(new Event('input', { bubbles: true }));
})()`;
const hash = text => `new Promise(done => {
  addEventListener('hashchange', () => done(), { once: true });
  location.hash = ${JSON.stringify(text)};
})`;

/** One step of the wheel, and a drag of the scroll bar. */
const SCROLL = `(() => {
  const table = document.querySelector('.table');
  table.dispatchEvent(new WheelEvent('wheel', { deltaY: 137, bubbles: true, cancelable: true }));
})()`;
const DRAG = `void (document.querySelector('.table').scrollTop += 54321)`;

const browser = await Browser.start({ width: 1600, height: 1000 });

/** Processes of the browser that draw pages. */
function renderers() {
  return readdirSync('/proc').filter(pid => {
    try {
      return /--type=renderer/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
        && isBelow(pid, browser.child.pid);
    } catch {
      return false;
    }
  });
}

function stat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function isBelow(pid, top) {
  for (let at = Number(pid); at > 1; at = Number(stat(at)[1])) if (at === top) return true;
  return false;
}

/** Processor time of all their threads in milliseconds, to 10. */
function spent() {
  return renderers().reduce((sum, pid) => {
    const [user, system] = stat(pid).slice(11, 13).map(Number);
    return sum + 10 * (user + system);
  }, 0);
}

const timed = async (what, act, times = 3) => {
  const all = [];
  for (const each of Array.isArray(act) ? act : Array(times).fill(act)) {
    const before = spent();
    await browser.evaluate(`(${TIMED})(async () => { await (${each}); })`);
    await browser.settled();
    all.push(spent() - before);
  }
  console.log(`${what}: ${all.map(ms => ms.toFixed(0)).join(', ')} ms`);
};
try {
  console.log(`open, overview: ${await browser.open(file)} ms`);
  console.log(`until then: ${spent()} ms`);
  await timed('first call graph, with all tables', [hash('#/regions')]);
  await timed('open all, close all', [tool('open all'), tool('close all'), tool('open all')]);
  await timed('sort by calls', click('[data-column="calls"]'));
  await timed('sort by self', click('[data-column="self"]'));
  await timed('sort by name', click('[data-column="name"]'));
  await timed('search', [type('work_1'), type('work_12'), type('work_123'), type('')]);
  await timed('scroll by the wheel', SCROLL, 12);
  await timed('scroll by the bar', DRAG, 12);
  await timed('choose a node', [hash('#/regions?node=5000'), hash('#/regions?node=900000'),
    hash('#/regions?node=3')]);
  await timed('choose units', [hash('#/regions?units=0-3'), hash('#/regions?units=7'),
    hash('#/regions')]);
  await timed('choose an overhead', [hash('#/regions?overhead=OSYNC'),
    hash('#/regions?overhead=useful'), hash('#/regions')]);
  await timed('flame graph', [hash('#/regions?tab=flame'), hash('#/regions?tab=flame&node=2'),
    hash('#/regions?tab=flame')]);
  await timed('list of regions', [hash('#/regions?tab=list'),
    hash('#/regions?tab=list&sort=-calls')]);
  await timed('callers', [hash('#/regions?tab=callers'), hash('#/regions/7?tab=callers')]);
  await timed('files', [hash('#/regions?tab=files'), hash('#/regions?tab=files&sort=-calls')]);
  await timed('overview, restricted', [hash('#/overview?units=0-3'), hash('#/overview')]);
  for (const error of browser.errors) console.log(`error: ${error}`);
} finally {
  await browser.close();
}
