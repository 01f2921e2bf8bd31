// SPDX-License-Identifier: BSD-3-Clause
// Opens every view of a page in Firefox: node firefox.mjs PAGE.html, or the URL of a live page.
// Firefox is asked through Marionette: LENGTH:JSON over a local connection.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, none } from './tap.mjs';

const PROGRAM = process.env.FIREFOX || 'firefox-esr';
const PATIENCE_MS = 120000;
const [page] = process.argv.slice(2);
const isLive = page.startsWith('http:');

const sleep = ms => new Promise(wake => setTimeout(wake, ms));

/** Asks until there is an answer. */
async function until(what, ask) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(100)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`never: ${what}`);
}

class Firefox {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'sis-firefox.'));
    writeFileSync(join(this.folder, 'user.js'), [
      'user_pref("marionette.port", 0);', // any; it is written to a file
      'user_pref("browser.shell.checkDefaultBrowser", false);',
      'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
      'user_pref("app.update.enabled", false);',
    ].join('\n'));
    this.child = spawn(PROGRAM, ['--headless', '--marionette', '--no-remote', '--profile',
      this.folder], { stdio: 'ignore', env: { ...process.env, HOME: this.folder } });
    this.waiting = new Map();
    this.next = 1;
  }

  async start() {
    const file = join(this.folder, 'MarionetteActivePort');
    const port = await until('Firefox starts', () => existsSync(file) && readFileSync(file, 'utf8'));
    this.socket = connect(Number(port), '127.0.0.1');
    let rest = Buffer.alloc(0);
    await new Promise((ready, fail) => {
      this.socket.on('error', fail);
      this.socket.on('data', bytes => {
        rest = this.take(Buffer.concat([rest, bytes]), ready);
      });
    });
    await this.send('WebDriver:NewSession', {});
  }

  /** Messages of a buffer; returns what is left. The first one is a greeting. */
  take(buffer, ready) {
    for (;;) {
      const colon = buffer.indexOf(':');
      const length = Number(buffer.subarray(0, colon).toString());
      if (colon < 0 || buffer.length < colon + 1 + length) return buffer;
      const message = JSON.parse(buffer.subarray(colon + 1, colon + 1 + length).toString());
      buffer = buffer.subarray(colon + 1 + length);
      if (Array.isArray(message)) this.answer(message);
      else ready();
    }
  }

  answer([, id, error, result]) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  send(name, parameters) {
    const id = this.next++, text = JSON.stringify([0, id, name, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async evaluate(expression) {
    const { value } = await this.send('WebDriver:ExecuteScript',
        { script: `return (${expression});`, args: [], sandbox: null });
    return value;
  }

  settled() {
    return until('the view is drawn', () => this.evaluate(`document.readyState === 'complete' &&
      !document.querySelector('[aria-busy="true"]') && !!document.querySelector('#content *')`));
  }

  async close() {
    this.socket?.destroy();
    const ended = new Promise(done => this.child.once('exit', done));
    this.child.kill();
    await Promise.race([ended, sleep(10000)]);
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const firefox = new Firefox();
try {
  await firefox.start();
  const url = isLive ? page : pathToFileURL(resolve(page)).href;
  await firefox.send('WebDriver:Navigate', { url });
  await firefox.settled();
  check('Firefox: the report without scripts is replaced',
      !await firefox.evaluate(`!!document.getElementById('report')`));
  const views = await firefox.evaluate(
      `[...document.querySelectorAll('header nav a')].map(a => a.getAttribute('href'))`);
  check('Firefox: there are views', views.length > 1);
  for (const address of views) {
    await firefox.evaluate(`location.hash = ${JSON.stringify(address)}`);
    await firefox.settled();
    none(`Firefox: ${address} shows something`, await firefox.evaluate(
        `[...document.querySelectorAll('[role="alert"]')].map(e => e.textContent)`));
  }
  if (isLive) {
    const look = () => firefox.evaluate(`document.querySelector('.live').textContent
      .match(/look (\\d+)/)?.[1] ?? ''`);
    const before = await look();
    check('Firefox: the live page says its look', before !== '');
    check('Firefox: newer looks come', await until('a newer look', async () =>
      Number(await look()) > Number(before) + 1));
  }
} finally {
  await firefox.close();
}
