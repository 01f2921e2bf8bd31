// SPDX-License-Identifier: BSD-3-Clause
// decide/live.ts and decide/open_now.ts: when a live page asks, what it says about its looks, and
// where the threads of the program are.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { LiveIndex } from '../../analysis/page/web/data/index';
import { activityText, lookText, patienceMs, pauseMs } from '../../analysis/page/web/decide/live';
import { openNow } from '../../analysis/page/web/decide/open_now';

const LOOK: LiveIndex = { look: 17, interval_ns: 1e9, cost_ns: 4e6, state: 'runs', running: 3,
  processes: 4 };

test('the page asks when the next look is due, and soon again if there is none', () => {
  assert.equal(pauseMs({ kind: 'look' }, 1e9), 1000);
  assert.equal(pauseMs({ kind: 'look' }, 2.4e9), 2400);
  assert.equal(pauseMs({ kind: 'none' }, 1e9), 250);
  assert.equal(pauseMs({ kind: 'none' }, 60e9), 1000);
});

test('an interval that makes no sense does not make the page ask without end', () => {
  for (const interval of [0, -1e9, NaN, Infinity, 1e300])
    for (const kind of ['look', 'none'] as const) {
      const pause = pauseMs({ kind }, interval);
      assert(pause >= 100 && pause <= 3600e3, `${kind} ${interval}`);
    }
  assert.equal(patienceMs(NaN), 10000);
});

test('failures make it ask less often, up to each ten seconds', () => {
  const pauses = [1, 2, 3, 4, 5, 1000].map(times => pauseMs({ kind: 'failed', times }, 1e9));
  assert.deepEqual(pauses, [2000, 4000, 8000, 10000, 10000, 10000]);
});

test('a request may take as long as five looks', () => {
  assert.equal(patienceMs(1e9), 10000);
  assert.equal(patienceMs(4e9), 20000);
});

test('the counter says how much runs, and how often there is a look', () => {
  const asks = { kind: 'asks' } as const;
  assert.equal(lookText(LOOK, asks), 'running: 3 of 4 processes, look 17, every 1.0 s');
  assert.equal(lookText({ ...LOOK, interval_ns: 2.4e9 }, asks),
      'running: 3 of 4 processes, look 17, every 2.4 s: more often would take more than 5 % of a '
      + 'processor');
  assert.equal(lookText(LOOK, { kind: 'paused' }), 'running: 3 of 4 processes, look 17');
  assert.equal(lookText({ ...LOOK, state: 'ended', running: 0, processes: 1 }, { kind: 'over' }),
      '1 process, look 17');
});

test('the state is said in words; while all is well, nothing is said', () => {
  assert.equal(activityText(LOOK, { kind: 'asks' }), '');
  assert.match(activityText({ ...LOOK, state: 'ended' }, { kind: 'over' }), /numbers are final/);
  assert.match(activityText({ ...LOOK, state: 'gone' }, { kind: 'over' }), /was removed/);
  assert.match(activityText(LOOK, { kind: 'silent' }), /does not answer/);
  assert.match(activityText(LOOK, { kind: 'unreadable', why: 'block 3 is missing' }),
      /cannot be read: block 3 is missing\./);
});

const OPEN = {
  unit: Uint32Array.of(0, 1, 2, 3, 4), node: Uint32Array.of(7, 5, 7, 7, 9),
  since_ns: Float64Array.of(10, 99, NaN, 30, NaN),
};

test('threads are counted by call path, with the activation that is open for longest', () => {
  const { places, left, units } = openNow(OPEN, 10);
  assert.equal(units, 5);
  assert.deepEqual(left, { places: 0, units: 0 });
  assert.deepEqual(places, [
    { node: 7, units: [0, 2, 3], longest_ns: 30, longestUnit: 3 },
    { node: 5, units: [1], longest_ns: 99, longestUnit: 1 },
    { node: 9, units: [4], longest_ns: NaN, longestUnit: -1 },
  ]);
});

test('what is left out is counted', () => {
  const { places, left } = openNow(OPEN, 1);
  assert.deepEqual(places.map(({ node }) => node), [7]);
  assert.deepEqual(left, { places: 2, units: 2 });
});
