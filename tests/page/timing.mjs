// SPDX-License-Identifier: BSD-3-Clause
// How long a page takes for what a user does: processor time of the browser's process for the page,
// until the next frame is drawn. Other programs do not change it much. The process has helper
// threads, so a user waits for less.

import { readdirSync, readFileSync } from 'node:fs';

/** In the page: runs an action, and waits until its frame is drawn. */
const TIMED = `async act => {
  await act();
  await new Promise(done => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  }));
}`;

/** Processes of the browser that draw pages. */
function renderers(browser) {
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
export function spent(browser) {
  return renderers(browser).reduce((sum, pid) => {
    const [user, system] = stat(pid).slice(11, 13).map(Number);
    return sum + 10 * (user + system);
  }, 0);
}

/** Runs an action several times, or each action of a list once. Prints and returns the processor
 * time of each run. `settled` waits until the action is over. */
export async function timed(browser, what, act, times = 3, settled = () => browser.settled()) {
  const all = [];
  for (const each of Array.isArray(act) ? act : Array(times).fill(act)) {
    const before = spent(browser);
    if (typeof each === 'function') await each();
    else await browser.evaluate(`(${TIMED})(async () => { await (${each}); })`);
    await settled();
    all.push(spent(browser) - before);
  }
  console.log(`${what}: ${all.map(ms => ms.toFixed(0)).join(', ')} ms`);
  return all;
}

/** In the page: goes to an address. */
export const hash = text => `new Promise(done => {
  addEventListener('hashchange', () => done(), { once: true });
  location.hash = ${JSON.stringify(text)};
})`;
