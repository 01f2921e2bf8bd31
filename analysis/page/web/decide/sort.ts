// SPDX-License-Identifier: BSD-3-Clause
// Sorts rows by several columns, even millions of rows. The values of a column are ranked once:
// equal values have equal ranks, and unknown values the last ranks. Then rows are sorted by ranks,
// digit by digit, so that no comparison function is called. Pure functions.

import type { Numbers } from '../data/tables';

export interface SortKey {
  name: string; // of a column
  descending: boolean;
}

/** Reads Selection.sort: 'column,-column'. */
export function sortKeys(text: string): SortKey[] {
  return text.split(',').filter(word => /^-?[\w.]+$/.test(word)).map(word =>
    ({ name: word.replace(/^-/, ''), descending: word.startsWith('-') }));
}

/** The sort after a click on a column: the column becomes the first key, and the previous first key
 * becomes the second. A second click on the column reverses its order. */
export function nextSort(text: string, name: string, descendingFirst: boolean): string {
  const before = sortKeys(text);
  const again = before[0]?.name === name;
  const descending = again ? !before[0].descending : descendingFirst;
  const second = before.find(key => key.name !== name);
  const words = [{ name, descending }, ...(second ? [second] : [])];
  return words.map(key => (key.descending ? '-' : '') + key.name).join(',');
}

const BITS = 11;
const SIZE = 1 << BITS;

/** Sorts `order` stably by the digits of rows, which are below SIZE. */
function pass(order: Uint32Array, scratch: Uint32Array, digits: Uint16Array): void {
  const starts = new Uint32Array(SIZE + 1);
  for (let i = 0; i < order.length; i++) starts[digits[order[i]] + 1]++;
  for (let i = 0; i < SIZE; i++) starts[i + 1] += starts[i];
  for (let i = 0; i < order.length; i++) scratch[starts[digits[order[i]]]++] = order[i];
}

/** Converts doubles to integers in the same order, so that they can be sorted by digits. Each
 * integer is two words, the low word first. */
function orderedBits(values: Numbers): Uint32Array {
  const doubles = Float64Array.from(values);
  const words = new Uint32Array(doubles.buffer);
  for (let i = 0; i < doubles.length; i++) {
    if (doubles[i] === 0) doubles[i] = 0; // -0 equals 0
    if (Number.isNaN(doubles[i])) {
      words[2 * i] = words[2 * i + 1] = 0xffffffff;
    } else if (words[2 * i + 1] >>> 31) {
      words[2 * i] = ~words[2 * i];
      words[2 * i + 1] = ~words[2 * i + 1];
    } else {
      words[2 * i + 1] |= 0x80000000;
    }
  }
  return words;
}

function sortedRows(words: Uint32Array): Uint32Array {
  const rows = words.length / 2;
  let order = Uint32Array.from({ length: rows }, (_, i) => i);
  let scratch: Uint32Array = new Uint32Array(rows);
  const digits = new Uint16Array(rows);
  for (let bit = 0; bit < 64; bit += BITS) {
    let differ = 0;
    for (let row = 0; row < rows; row++) {
      digits[row] = digit(words, row, bit);
      differ |= digits[row] ^ digits[0];
    }
    if (!differ) continue;
    pass(order, scratch, digits);
    [order, scratch] = [scratch, order];
  }
  return order;
}

function digit(words: Uint32Array, row: number, bit: number): number {
  const [low, high] = [words[2 * row], words[2 * row + 1]];
  if (bit >= 32) return high >>> bit - 32 & SIZE - 1;
  const above = bit + BITS > 32 ? high << 32 - bit : 0;
  return (low >>> bit | above) & SIZE - 1;
}

export interface Ranks {
  readonly ranks: Uint32Array; // equal values have equal ranks
  readonly most: number; // the largest rank of a known value
}

/** The ranks of numbers. NaN has a rank above `most`. */
export function ranksOf(values: Numbers): Ranks {
  const words = orderedBits(values);
  const order = sortedRows(words);
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  let most = 0;
  for (let i = 0; i < order.length; i++) {
    const [row, last] = [order[i], order[i ? i - 1 : 0]];
    if (words[2 * row] !== words[2 * last] || words[2 * row + 1] !== words[2 * last + 1]) rank++;
    ranks[row] = rank;
    if (words[2 * row + 1] !== 0xffffffff) most = rank;
  }
  return { ranks, most: order.length && Number.isNaN(values[order[0]]) ? -1 : most };
}

/** The ranks of texts, in alphabetical order. Equal texts are compared only once. */
export function ranksOfTexts(texts: ArrayLike<string>): Ranks {
  const numbers = new Map<string, number>();
  for (let row = 0; row < texts.length; row++) numbers.set(texts[row], 0);
  const { compare } = new Intl.Collator('en', { numeric: true });
  [...numbers.keys()].sort(compare).forEach((text, rank) => numbers.set(text, rank));
  const ranks = new Uint32Array(texts.length);
  for (let row = 0; row < texts.length; row++) ranks[row] = numbers.get(texts[row])!;
  return { ranks, most: Math.max(0, numbers.size - 1) };
}

export interface RankedKey {
  readonly by: Ranks;
  readonly descending: boolean;
}

/** The ranks in the direction of a key. Unknown values stay last in both directions. */
function keyRanks({ by: { ranks, most }, descending }: RankedKey): Uint32Array {
  return descending ? ranks.map(rank => rank > most ? rank : most - rank) : ranks;
}

/** Rows 0 to count - 1, sorted by the keys and then by number. The most important key is the
 * first. */
export function sortRows(count: number, keys: readonly RankedKey[]): Uint32Array {
  let order: Uint32Array = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  let scratch: Uint32Array = new Uint32Array(count);
  const digits = new Uint16Array(count);
  for (const key of [...keys].reverse()) {
    const ranks = keyRanks(key);
    let bits = 0;
    for (let row = 0; row < count; row++) bits |= ranks[row];
    for (let bit = 0; bit < 32 && bits >>> bit > 0; bit += BITS) {
      for (let row = 0; row < count; row++) digits[row] = ranks[row] >>> bit & SIZE - 1;
      pass(order, scratch, digits);
      [order, scratch] = [scratch, order];
    }
  }
  return order;
}

// -- a few rows among many ------------------------------------------------------------------------

/** A key by which rows are sorted without ranks. */
export interface ValueKey {
  readonly values: Numbers;
  readonly descending: boolean;
}

const FEW = 12; // the most rows that are sorted by insertion
const MANY = 3000; // the most rows that are sorted without ranks

/** The result is negative if row a comes before row b. NaN is last in both directions. */
function compareRows(keys: readonly ValueKey[], a: number, b: number): number {
  for (const { values, descending } of keys) {
    const x = values[a], y = values[b];
    if (x === y || x !== x && y !== y) continue;
    if (x !== x) return 1;
    if (y !== y) return -1;
    return x < y === descending ? 1 : -1;
  }
  return a - b;
}

function insert(rows: Uint32Array, from: number, to: number, keys: readonly ValueKey[],
    sign: number): void {
  for (let i = from + 1; i < to; i++) {
    const row = rows[i];
    let at = i;
    while (at > from && sign * compareRows(keys, rows[at - 1], row) > 0) {
      rows[at] = rows[at - 1];
      at--;
    }
    rows[at] = row;
  }
}

function ranked(part: Uint32Array, keys: readonly ValueKey[]): Uint32Array {
  part.sort();
  const order = sortRows(part.length, keys.map(({ values, descending }) =>
    ({ by: ranksOf(Float64Array.from(part, row => values[row])), descending })));
  return order.map(i => part[i]);
}

/** Sorts rows[from] to rows[to - 1] by the keys, then by number. If `reversed`, the whole order is
 * reversed. */
export function sortPart(rows: Uint32Array, from: number, to: number, keys: readonly ValueKey[],
    reversed = false): void {
  const sign = reversed ? -1 : 1;
  if (to - from <= FEW) return insert(rows, from, to, keys, sign);
  const part = rows.subarray(from, to);
  if (to - from <= MANY) {
    part.sort((a, b) => sign * compareRows(keys, a, b));
  } else {
    const order = ranked(part, keys);
    part.set(reversed ? order.reverse() : order);
  }
}
