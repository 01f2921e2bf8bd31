// SPDX-License-Identifier: BSD-3-Clause
// text.ts: numbers with units, and names of programs as text.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, byteScale, exactSeconds, grouped, metricText, nameText, percent, placeText, plural,
  seconds, shortLeaf, timeScale } from '../../analysis/page/web/text';

const plain = (text: string) => text.replace(/\u202f/g, ' ');

test('times have four digits and a unit', () => {
  const cases: [number, string][] = [[0, '0 s'], [1, '1 ns'], [850, '850 ns'], [1500, '1.500 µs'],
    [12_310_000, '12.31 ms'], [999_000_000, '999.0 ms'], [999_600_000, '1.000 s'],
    [4_828_743_449, '4.829 s'], [1_234_567e9, '1 234 567 s'], [-2e9, '-2.000 s'], [NaN, '-'],
    [0.5, '0.5 ns']];
  for (const [ns, text] of cases) assert.equal(plain(seconds(ns)), text);
});

test('exact seconds have all nanoseconds', () => {
  assert.equal(exactSeconds(4_828_743_449), '4.828743449');
  assert.equal(exactSeconds(7), '0.000000007');
});

test('a share that is not zero never looks like zero', () => {
  assert.equal(plain(percent(0)), '0.0 %');
  assert.equal(plain(percent(0.0002)), '<0.1 %');
  assert.equal(plain(percent(-0.0002)), '>-0.1 %');
  assert.equal(plain(percent(0.2138)), '21.4 %');
  assert.equal(percent(NaN), '-');
});

test('a column has one unit and equally many digits', () => {
  const scale = timeScale(21_341_383_870);
  assert.deepEqual([scale.unit, scale.text(36_293_532_000), scale.text(1000), scale.text(0)],
      ['s', '36.294', '<0.001', '0.000']);
  assert.equal(timeScale(20_000_000).unit, 'ms');
  assert.equal(timeScale(20_000).unit, 'µs');
  assert.equal(timeScale(20).unit, 'ns');
  assert.equal(timeScale(5e9).text(NaN), '-');
});

test('bytes have decimal units', () => {
  assert.deepEqual([17, 960_000, 1_536_000, 2.5e12].map(n => plain(bytes(n))),
      ['17 B', '960 kB', '1.54 MB', '2.50 TB']);
  assert.equal(byteScale(5e6).unit, 'MB');
});

test('counts are grouped by three digits', () => {
  assert.equal(plain(grouped(1234567)), '1 234 567');
  assert.equal(plain(grouped(-1234.5, 1)), '-1 234.5');
  assert.equal(plural(1, 'unit'), '1 unit');
  assert.equal(plural(2, 'process', 'processes'), '2 processes');
});

test('values of metrics have the unit of metrics.def', () => {
  assert.equal(plain(metricText(1500, 'ns')), '1.500 µs');
  assert.equal(plain(metricText(4096, 'bytes')), '4.10 kB');
  assert.equal(plain(metricText(1600, 'count')), '1 600');
  assert.equal(metricText(NaN, 'ns'), '-');
});

test('names stay text: nothing is hidden, turned around or endless', () => {
  assert.equal(nameText('</script>"\'&'), '</script>"\'&');
  assert.equal(nameText('a\u202eb\u200fc'), 'a\\u202eb\\u200fc');
  assert.equal(nameText('\x1b[31mred\x00'), '\\u001b[31mred\\u0000');
  assert.equal(nameText('x'.repeat(10_000)).length, 240);
  assert.equal(nameText('x'.repeat(10_000), 50).length, 50);
  assert.equal(nameText('Größe'), 'Größe');
});

test('places and leaves are short', () => {
  assert.equal(placeText('src/a/model.c', 110), 'model.c:110');
  assert.equal(placeText('', 3), '');
  assert.equal(shortLeaf('OSYNC_NXN'), 'NXN');
  assert.equal(shortLeaf('OPROBE'), 'OPROBE');
});
