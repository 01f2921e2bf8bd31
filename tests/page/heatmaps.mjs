// SPDX-License-Identifier: BSD-3-Clause
// Works with the heat maps of a page in Chromium, by keys: node heatmaps.mjs PAGE.html. The page
// has an experiment of MPI and OpenMP.

import { Browser } from './browser.mjs';
import { check, equal, none } from './tap.mjs';

const [file] = process.argv.slice(2);
const browser = await Browser.start();
const value = expression => browser.evaluate(expression);
const words = async () => new URLSearchParams((await value('location.hash')).split('?')[1] ?? '');
const spoken = () => value(`document.querySelector('.heatmap [role="gridcell"]').textContent`);
const focus = () => value(`document.querySelector('.heatmap').focus()`);

async function press(...keys) {
  for (const key of keys) await browser.press(key);
  await browser.settled();
}

async function clickButton(text) {
  const found = await value(`(() => {
    const button = [...document.querySelectorAll('.choices button')]
      .find(each => each.textContent === ${JSON.stringify(text)});
    button?.click();
    return !!button;
  })()`);
  await browser.settled();
  return found;
}

async function units() {
  await browser.go('#/units');
  await focus();
  check('the cell with the cursor is named', /^unit 0\.0: .* time .*/.test(await spoken()),
      await spoken());
  await press('ArrowDown', 'Enter');
  equal('Enter selects the unit', (await words()).get('units'), '0.1');
  check('and its region', /^#\/units\/\d+\?/.test(await value('location.hash')));
  check('the histogram of the region appears',
      await value(`!!document.querySelector('.histogram .bin')`));
  await press('End', 'PageDown', 'Home');
  check('keys move through all cells', /^unit \d+\.\d+: /.test(await spoken()), await spoken());
  check('there is a choice of processes', await clickButton('a process'));
  check('lines are processes now', /^process \d+: .*mean of \d+ units/.test(await spoken()),
      await spoken());
  await clickButton('by time');
  check('the order is in the address', /^-(time|column)/.test((await words()).get('sort') ?? ''));
  await focus();
  await press('Home');
  await browser.press('Enter', 8); // with Shift
  await browser.settled();
  check('Shift+Enter opens a process', /inside:\d/.test((await words()).get('show') ?? ''),
      await value('location.hash'));
  await browser.go('#/units?tab=leaves');
  await focus();
  await press('Enter');
  check('of leaves, the leaf is selected', /^O[A-Z]+_/.test((await words()).get('overhead')));
}

async function waits() {
  await browser.go('#/waits');
  const all = await value(`document.querySelector('.view-waits .table').ariaRowCount`);
  await focus();
  await press('ArrowRight', 'Enter');
  const chosen = await words();
  check('a cell selects victim and culprit', chosen.get('units') === '0.0' &&
      /for:0\.1/.test(chosen.get('show') ?? ''), await value('location.hash'));
  const some = await value(`document.querySelector('.view-waits .table').ariaRowCount`);
  check('and the list has its pairs alone', Number(some) < Number(all), `${some} of ${all}`);
}

async function messages() {
  await browser.go('#/messages');
  await focus();
  await press('ArrowRight');
  check('a cell says what was sent', /^process 0 to process 1, bytes /.test(await spoken()),
      await spoken());
  await clickButton('messages');
  check('another measure', /^process 0 to process 1, messages /.test(await spoken()),
      await spoken());
  equal('is in the address', (await words()).get('show'), 'calls');
}

try {
  await browser.open(file);
  await units();
  await waits();
  await messages();
  none('nothing on the console', browser.errors);
  none('no request', browser.requests);
} finally {
  await browser.close();
}
