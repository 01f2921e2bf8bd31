// SPDX-License-Identifier: BSD-3-Clause
// How long the view Time takes for what a user does: node speed_time.mjs PAGE.html

import { Browser } from './browser.mjs';
import { hash, spent, timed } from './timing.mjs';

const [file] = process.argv.slice(2);
const browser = await Browser.start({ width: 1600, height: 1000 });

/** The picture and the table of the interval are complete. */
async function complete() {
  await browser.until(`document.querySelector('.timeline').dataset.loading === 'false'`);
  await browser.settled();
}

const keys = text => [...text].map(key => () => browser.press(key));
try {
  console.log(`open, overview: ${await browser.open(file)} ms`);
  console.log(`until then: ${spent(browser)} ms`);
  const time = (what, act, times) => timed(browser, what, act, times, complete);
  await time('first time line', [hash('#/time')]);
  await browser.evaluate(`document.querySelector('.lanes').focus()`);
  await time('zoom in', keys('wwwwwwwwwwww'));
  await time('move', keys('dddddddd'));
  await time('zoom out', keys('ssssssssssss'));
  await time('zoom in, and select what is shown', keys('wwwx'));
  await time('show all', keys('zz'));
  for (const error of browser.errors) console.log(`error: ${error}`);
} finally {
  await browser.close();
}
