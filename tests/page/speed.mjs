// SPDX-License-Identifier: BSD-3-Clause
// How long the page takes for what a user does: node speed.mjs PAGE.html

import { Browser } from './browser.mjs';
import { hash, spent, timed as timedIn } from './timing.mjs';

const [file] = process.argv.slice(2);

const click = selector => `document.querySelector(${JSON.stringify(selector)}).click()`;
const tool = text =>
  `[...document.querySelectorAll('.tool')]`
    + `.find(b => b.textContent === ${JSON.stringify(text)}).click()`;
const type = text => `(() => {
  const find = document.querySelector('input.find');
  find.value = ${JSON.stringify(text)};
  find.dispatchEvent(new Event('input', { bubbles: true }));
})()`;

/** One step of the wheel, and a drag of the scroll bar. */
const SCROLL = `(() => {
  const table = document.querySelector('.table');
  table.dispatchEvent(new WheelEvent('wheel', { deltaY: 137, bubbles: true, cancelable: true }));
})()`;
const DRAG = `void (document.querySelector('.table').scrollTop += 54321)`;

const browser = await Browser.start({ width: 1600, height: 1000 });
const timed = (what, act, times) => timedIn(browser, what, act, times);

try {
  console.log(`open, overview: ${await browser.open(file)} ms`);
  console.log(`until then: ${spent(browser)} ms`);
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
