// SPDX-License-Identifier: BSD-3-Clause
// The page that `sis-analyze view --live` serves, in Chromium: node live_run.mjs URL. Newer looks
// come by themselves, and each view can be shown. Ends when the page says that the program has
// ended; the file `stop` in the working directory ends it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from './browser.mjs';
import { check, equal, none } from './tap.mjs';

const [url] = process.argv.slice(2);
const shots = process.env.PAGE_SHOTS;
const LOOK = `Number((/look (\\d+)/.exec(document.querySelector('.live').textContent) ?? [])[1])`;
const VIEWS = `[...document.querySelectorAll('header nav a')].map(a => a.getAttribute('href'))`;

const browser = await Browser.start();
await browser.open(url);
check('the bar says what runs', /^running: 2 of 2 processes/.test(
    await browser.evaluate(`document.querySelector('.live').innerText`)));
const first = await browser.evaluate(LOOK);
await browser.until(`${LOOK} > ${first + 1}`);
check('newer looks come by themselves', true);
check('Open now says where the ranks are', /MPI_|nap/.test(
    await browser.evaluate(`document.getElementById('content').innerText.split('Open now')[1]`)));
if (shots) await browser.screenshot(join(shots, 'live-overview.png'));
const problems = [];
for (const address of await browser.evaluate(VIEWS)) {
  await browser.go(address);
  await browser.settled();
  const text = await browser.evaluate(`document.getElementById('content').innerText`);
  if (text.trim().length < 10 || /\b(NaN|undefined|Infinity)\b/.test(text))
    problems.push(`${address}: ${text.slice(0, 80)}`);
  const look = await browser.evaluate(LOOK);
  await browser.until(`${LOOK} > ${look}`);
}
none('each view is shown, and again with the next look', problems);
await browser.go('#/overview');
writeFileSync('stop', '');
await browser.until(`document.querySelector('.live').textContent.includes('has ended')`);
check('the page says that the program has ended', true);
await browser.go('#/time');
await browser.until(`document.querySelector('#content canvas')`);
check('the time line is there then', true);
none('no error in the browser', browser.errors);
equal('it asks its own server, and for data only',
    browser.requests.filter(request => !request.startsWith(`${url}data?after=`)), []);
await browser.close();
