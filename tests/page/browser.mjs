// SPDX-License-Identifier: BSD-3-Clause
// A client of Chromium's protocol over two pipes: no port, no package. It opens one page, and
// collects everything that a page must not do.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROGRAM = process.env.CHROMIUM || 'chromium-headless-shell';
const PATIENCE_MS = 60000; // for one answer, on a busy machine

/** The browser's end of the protocol: messages of JSON that end with a NUL. */
class Connection {
  constructor(child) {
    this.to = child.stdio[3];
    this.waiting = new Map();
    this.listeners = new Map();
    this.next = 1;
    let rest = '';
    child.stdio[4].setEncoding('utf8');
    child.stdio[4].on('data', text => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      for (const message of messages) this.take(JSON.parse(message));
    });
    child.on('exit', code => this.end(`the browser ended with status ${code}`));
    child.on('error', error => this.end(`the browser cannot be started: ${error.message}`));
    this.to.on('error', () => {});
  }

  take({ id, method, params, result, error }) {
    if (id === undefined) {
      for (const listener of this.listeners.get(method) ?? []) listener(params);
      return;
    }
    const { resolve, reject, timer } = this.waiting.get(id) ?? {};
    this.waiting.delete(id);
    clearTimeout(timer);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  }

  end(why) {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Error(why));
    }
    this.waiting.clear();
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), PATIENCE_MS);
      this.waiting.set(id, { resolve, reject, timer });
    });
  }

  on(method, listener) {
    this.listeners.set(method, [...(this.listeners.get(method) ?? []), listener]);
  }
}

/** Keys that tests press, as the protocol names them. */
const KEYS = {
  Tab: 9, Enter: 13, Escape: 27, ' ': 32, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38,
  ArrowRight: 39, ArrowDown: 40, PageUp: 33, PageDown: 34,
};

export class Browser {
  constructor(child, folder) {
    this.child = child;
    this.folder = folder;
    this.connection = new Connection(child);
    this.errors = []; // of the console: exceptions, violations of the policy
    this.requests = []; // for anything but the page itself
  }

  static async start({ width = 1400, height = 900 } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'sis-browser.'));
    const child = spawn(PROGRAM, [
      '--remote-debugging-pipe', '--headless', '--no-sandbox', '--disable-gpu',
      '--disable-background-networking', '--no-first-run', '--force-color-profile=srgb',
      `--window-size=${width},${height}`, `--user-data-dir=${folder}`,
    ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const browser = new Browser(child, folder);
    try {
      await browser.attach(width, height);
    } catch (error) {
      await browser.close();
      throw error;
    }
    return browser;
  }

  async attach(width, height) {
    const { targetId } = await this.connection.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } =
      await this.connection.send('Target.attachToTarget', { targetId, flatten: true });
    this.session = sessionId;
    this.watch();
    for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Accessibility'])
      await this.send(`${domain}.enable`);
    await this.send('Emulation.setDeviceMetricsOverride',
        { width, height, deviceScaleFactor: 1, mobile: false });
  }

  watch() {
    const { connection } = this;
    connection.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      this.errors.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    });
    connection.on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (type === 'error' || type === 'warning' || type === 'assert')
        this.errors.push(args.map(arg => arg.value ?? arg.description).join(' '));
    });
    connection.on('Log.entryAdded', ({ entry }) => {
      if (entry.level === 'error' || entry.level === 'warning') this.errors.push(entry.text);
    });
    connection.on('Network.requestWillBeSent', ({ request }) => {
      if (request.url.split('#')[0] !== this.url) this.requests.push(request.url);
    });
  }

  send(method, params) {
    return this.connection.send(method, params, this.session);
  }

  /** Opens a file or a URL, and returns how many milliseconds passed until its first picture was
   * there. */
  async open(file, hash = '') {
    const began = Date.now();
    this.url = file.startsWith('http:') ? file : pathToFileURL(file).href;
    await this.send('Page.navigate', { url: this.url + hash });
    await this.until(`document.readyState === 'complete'`);
    await this.settled();
    return Date.now() - began;
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate',
        { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression) {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
      if (await this.evaluate(expression).catch(() => false)) return;
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    throw new Error(`never true: ${expression}`);
  }

  /** Waits until a view has drawn what its address says. */
  async settled() {
    await this.until(`!document.querySelector('[aria-busy="true"]')`);
    await this.evaluate(`new Promise(resolve =>
      requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
    await this.until(`!document.querySelector('[aria-busy="true"]')`);
  }

  async go(hash) {
    await this.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
    await this.settled();
  }

  async press(key, modifiers = 0) {
    const printable = key.length === 1;
    const event = {
      key, modifiers, windowsVirtualKeyCode: KEYS[key] ?? key.toUpperCase().charCodeAt(0),
      text: printable ? key : key === 'Enter' ? '\r' : undefined,
    };
    await this.send('Input.dispatchKeyEvent', { ...event, type: 'keyDown' });
    await this.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp', text: undefined });
  }

  async screenshot(file) {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async dark(on) {
    await this.send('Emulation.setEmulatedMedia',
        { features: [{ name: 'prefers-color-scheme', value: on ? 'dark' : 'light' }] });
  }

  async close() {
    const ended = new Promise(resolve => this.child.once('exit', resolve));
    await this.connection.send('Browser.close').catch(() => this.child.kill('SIGKILL'));
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 5000).unref())]);
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
