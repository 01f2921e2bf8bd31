// SPDX-License-Identifier: BSD-3-Clause
// What the views Messages and Waits show of a selected interval in Chromium: node
// interval_operations.mjs PAGE.html. Numbers are those that the commands print which the views
// name. ANALYZE is the program.

import { execFileSync } from 'node:child_process';
import { Browser } from './browser.mjs';
import { readFile } from './data.mjs';
import { check, equal, none } from './tap.mjs';

const [file] = process.argv.slice(2);
const page = await readFile(file);
const [{ index: { name, t_p_ns } }] = page.experiments;
const seconds = ns => (ns / 1e9).toFixed(9);
const WORDS = ['--from', seconds(Math.round(0.3 * t_p_ns)), '--to',
  seconds(Math.round(0.7 * t_p_ns))];
const TIME = `time=${WORDS[1]}-${WORDS[3]}`;

function command(...args) {
  return JSON.parse(execFileSync(process.env.ANALYZE, [...args, ...WORDS, '--json'],
      { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
}

const STRIP = `document.querySelector('.strip').textContent`;
const NAMED = `document.querySelector('.strip .command')?.dataset.command ?? ''`;
/** Rows of a table: of each cell its title, or its text. */
const rowsOf = label => `[...document.querySelectorAll('[aria-label="${label}"] [role="row"]')]
  .slice(1).map(row => [...row.querySelectorAll('[role="rowheader"], [role="gridcell"]')]
    .map(cell => cell.title || cell.textContent))`;
const near = (text, value) => Math.abs(parseFloat(text) - value) < 2e-9;
const integer = text => Number(text.replace(/[^0-9]/g, ''));
const sorted = words => words.split(' ').sort().join(' ');

async function go(browser, address) {
  await browser.go(address);
  await browser.settled();
  await browser.until(`document.querySelector('.strip').textContent.includes('time')`);
  check(`${address}: nothing is said of the whole run`,
      !(await browser.evaluate(STRIP)).includes('whole run'));
}

async function names(browser, words) {
  const named = (await browser.evaluate(NAMED)).replace(/^sis-analyze /, '').replace(name, 'EXP');
  equal(`the command is ${words}`, sorted(named), sorted(`${words} ${WORDS.join(' ')}`));
}

async function messages(browser) {
  await go(browser, `#/messages?${TIME}`);
  const wanted = command('messages', name);
  const rows = await browser.evaluate(rowsOf('Pairs of processes'));
  check('something was sent', rows.length > 0 && wanted.some(row => row.calls > 0));
  none('pairs are those of messages', rows.filter(row => {
    const pair = wanted.find(({ from, to }) => from === integer(row[0]) && to === integer(row[1]));
    return !pair || pair.calls !== integer(row[2]) || pair.bytes !== integer(row[3])
      || !near(row[4], pair.seconds) || !near(row[5], pair.receive_seconds);
  }));
  await names(browser, 'messages EXP');
  await go(browser, `#/messages?tab=sites&${TIME}`);
  const sites = command('messages', name, '--by-site');
  const calls = await browser.evaluate(rowsOf('Call sites'));
  equal('call sites have as many calls', calls.reduce((sum, row) => sum + integer(row[5]), 0),
      sites.reduce((sum, row) => sum + row.calls, 0));
  await names(browser, 'messages EXP --by-site');
}

async function waits(browser) {
  await go(browser, `#/waits?${TIME}`);
  const wanted = command('waits', name, '--pairs');
  const rows = await browser.evaluate(rowsOf('pairs of victim and culprit'));
  check('units waited', rows.length > 2);
  none('pairs are those of waits', rows.filter(([victim, culprit, time]) =>
    !wanted.some(row => row.victim === victim && row.culprit === culprit
      && near(time, row.seconds))));
  const longest = Math.max(...wanted.map(row => row.seconds));
  check('the longest wait is the first', near(rows[0][2], longest), `${rows[0]} ${longest}`);
  await names(browser, 'waits EXP --pairs');
  await browser.press('Escape');
  await browser.until(`document.querySelector('.interval').hidden`);
  await browser.settled();
  const whole = await browser.evaluate(rowsOf('pairs of victim and culprit'));
  check('Esc shows the waits of the run', parseFloat(whole[0][2]) >= longest);
}

const browser = await Browser.start();
try {
  await browser.open(file);
  await messages(browser);
  await waits(browser);
  none('nothing is wrong in the console', browser.errors);
  none('nothing is requested', browser.requests);
} finally {
  await browser.close();
}
