// SPDX-License-Identifier: BSD-3-Clause
// Opens every view of a page in Chromium: node views.mjs PAGE.html NAME [OPTION...]
// Screenshots are NAME-VIEW.png in the folder PAGE_SHOTS, beside the log of the test.
//
// slow: the page is large, and its times are printed
// dark, narrow, print: also pictures of these

import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, none } from './tap.mjs';

const [file, name, ...options] = process.argv.slice(2);
const shots = process.env.PAGE_SHOTS;

/** In the page: addresses of all views, in the order of the header. */
const VIEWS = `[...document.querySelectorAll('header nav a')].map(a => a.getAttribute('href'))`;
/** Buttons of the pictures of the view that is shown. */
const TABS =
  `[...document.querySelectorAll('nav.tabs:not([hidden]) button')].map(b => b.textContent)`;

/** In the page: by how many pixels it is wider than the window. */
const TOO_WIDE = 'document.documentElement.scrollWidth - innerWidth';

/** What a view must not look like: empty, with an error, wider than the window. */
const PROBLEMS = `(() => {
  const content = document.getElementById('content'), problems = [];
  if (!content || content.textContent.trim().length < 10) problems.push('it is empty');
  if (document.querySelector('[role="alert"]'))
    problems.push(document.querySelector('[role="alert"]').textContent);
  if (document.documentElement.scrollWidth > innerWidth)
    problems.push('it is ' + (${TOO_WIDE}) + ' pixels too wide');
  const invisible = document.body.innerText.match(
      /.{0,20}[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2066-\\u2069]/);
  if (invisible) problems.push('it shows invisible characters: ' + JSON.stringify(invisible[0]));
  const broken = content?.innerText.match(/.{0,30}\\b(NaN|undefined|Infinity|\\[object).{0,20}/);
  if (broken) problems.push('it shows ' + broken[0]);
  return problems;
})()`;

const viewOf = address => address.replace(/^#\/([a-z]*).*/, '$1');

async function shot(browser, title) {
  if (shots) await browser.screenshot(join(shots, `${name}-${title}.png`));
}

/** Controls and pictures that a screen reader could not name. */
async function unnamed(browser) {
  const roles =
    /^(button|link|(text|search|combo|check)box|img|image|slider|(tree)?grid|table|tab|figure)$/i;
  const { nodes } = await browser.send('Accessibility.getFullAXTree');
  return nodes
    .filter(node => !node.ignored && roles.test(node.role?.value ?? '') && !node.name?.value)
    .map(node => node.role.value);
}

/** The element that has the focus, in words; null: none that can be seen. */
const FOCUS = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const { width, height } = e.getBoundingClientRect();
  const name = e.getAttribute('aria-label') || e.textContent.trim().slice(0, 40) || e.title;
  return { name: e.tagName.toLowerCase() + ' ' + name, seen: width > 0 && height > 0 };
})()`;

/** Tab reaches the view and everything before it, and each stop can be seen. */
async function walk(browser, title) {
  const stops = [], hidden = [];
  let inView = false;
  for (let i = 0; i < 60 && !inView; i++) {
    await browser.press('Tab');
    const focus = await browser.evaluate(FOCUS);
    if (!focus) break;
    if (!focus.seen) hidden.push(focus.name);
    stops.push(focus.name);
    inView = await browser.evaluate(`!!document.activeElement.closest('#content')`);
  }
  none(`${title}: what has the focus can be seen`, hidden);
  check(`${title}: Tab reaches the view's content`, inView, stops.join(', '));
}

async function eachView(browser) {
  for (const address of await browser.evaluate(VIEWS)) {
    const title = viewOf(address);
    const began = Date.now();
    await browser.go(address);
    if (options.includes('slow')) console.log(`# ${title}: ${Date.now() - began} ms`);
    none(`${name}, ${title}: it shows something right`, await browser.evaluate(PROBLEMS));
    none(`${name}, ${title}: everything has a name`, await unnamed(browser));
    await shot(browser, title);
    await eachTab(browser, title);
  }
}

async function eachTab(browser, title) {
  const tabs = await browser.evaluate(TABS);
  for (let i = 1; i < tabs.length; i++) {
    await browser.evaluate(`document.querySelectorAll('nav.tabs button')[${i}].click()`);
    await browser.settled();
    none(`${name}, ${title}, ${tabs[i]}: it shows something right`,
        await browser.evaluate(PROBLEMS));
    none(`${name}, ${title}, ${tabs[i]}: everything has a name`, await unnamed(browser));
    await shot(browser, `${title}-${i}`);
  }
}

/** Esc and Back take back one step; a number key opens a view. */
async function keys(browser) {
  const views = await browser.evaluate(VIEWS);
  await browser.go('#/overview');
  await walk(browser, `${name}, overview`);
  await browser.evaluate('document.activeElement.blur()');
  for (const [i, address] of views.slice(0, 9).entries()) {
    await browser.press(String(i + 1));
    await browser.settled();
    const shown = viewOf(await browser.evaluate('location.hash'));
    check(`${name}: key ${i + 1} opens ${viewOf(address)}`, shown === viewOf(address), shown);
  }
  await browser.evaluate('void history.back()');
  await browser.settled();
  check(`${name}: Back returns to the view before`, views.length < 2 ||
      viewOf(await browser.evaluate('location.hash')) ===
        viewOf(views[Math.min(views.length, 9) - 2]));
}

async function pictures(browser) {
  if (options.includes('dark')) {
    await browser.dark(true);
    for (const address of await browser.evaluate(VIEWS)) {
      await browser.go(address);
      await shot(browser, `${viewOf(address)}-dark`);
    }
    await browser.dark(false);
  }
}

const browser = await Browser.start();
try {
  const ms = await browser.open(file);
  if (options.includes('slow')) console.log(`# open: ${ms} ms`);
  check(`${name}: the report without scripts is replaced`,
      !await browser.evaluate(`!!document.getElementById('report')`));
  none(`${name}: no warning says that numbers disagree`, await browser.evaluate(
      `[...document.querySelectorAll('.warnings .warning')].map(w => w.textContent)
        .filter(text => /identity|disagree|add up/i.test(text))`));
  await eachView(browser);
  await keys(browser);
  await pictures(browser);
  none(`${name}: nothing on the console`, browser.errors);
  none(`${name}: no request`, browser.requests);
} finally {
  await browser.close();
}
