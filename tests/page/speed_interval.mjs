// SPDX-License-Identifier: BSD-3-Clause
// How long views take with a selected interval of a large trace:
// node speed_interval.mjs PAGE.html [MOST]
// The first view loads the tiles. From then on its numbers are there, and another view takes at
// most MOST milliseconds, if it is given.

import { Browser } from './browser.mjs';
import { readFile } from './data.mjs';
import { none } from './tap.mjs';
import { hash, spent, timed } from './timing.mjs';

const [file, most] = process.argv.slice(2);
const { t_p_ns } = (await readFile(file)).experiments[0].index;
const time = (from, to) =>
  `time=${(from * t_p_ns / 1e9).toFixed(9)}-${(to * t_p_ns / 1e9).toFixed(9)}`;
const WHOLE = 'time=0-1000000', MOST = time(0.05, 0.95), PART = time(0.3, 0.6);

const browser = await Browser.start({ width: 1600, height: 1000 });

/** The view has the numbers of the interval. */
async function complete() {
  await browser.until(`document.querySelector('.interval').dataset.exact`);
  await browser.settled();
}

const exactly = async () => {
  await browser.evaluate(`document.querySelector('.interval button:not([hidden])')?.click()`);
  await browser.until(`document.querySelector('.interval').dataset.exact === 'true'`);
};
const views = list => list.map(address => hash(`#/${address}`));
try {
  console.log(`open, overview: ${await browser.open(file)} ms`);
  console.log(`until then: ${spent(browser)} ms`);
  const step = (what, list) => timed(browser, what, list, 1, complete);
  await step('first interval', views([`regions?${MOST}`]));
  await step('computed exactly', [exactly]);
  const changes = await step('change of view', views(['overview', 'units', 'source',
    'regions?tab=flame', 'regions'].map(view =>
    `${view}${view.includes('?') ? '&' : '?'}${MOST}`)));
  await step('another interval', views([`regions?${PART}`, `regions?${WHOLE}`, `regions?${PART}`]));
  changes.push(...await step('change of view',
      views([`overview?${PART}`, `units?${PART}`, `regions?${PART}`])));
  if (most)
    none(`with an interval, another view takes at most ${most} ms`,
        changes.filter(ms => ms > most));
  for (const error of browser.errors) console.log(`error: ${error}`);
} finally {
  await browser.close();
}
