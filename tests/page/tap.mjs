// SPDX-License-Identifier: BSD-3-Clause
// Checks that speak TAP, as those of tests/e2e/lib.sh do.

let number = 0;

export function check(what, good, why = '') {
  number++;
  const line = `${number} - ${what}`;
  console.log(good ? `ok ${line}` : `not ok ${line}${why ? `: ${why}` : ''}`);
  return good;
}

export function equal(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  return check(what, a === b, `${short(a)}, not ${short(b)}`);
}

/** Checks that the list of wrong items is empty; else prints the first five of them. */
export function none(what, wrong) {
  return check(what, wrong.length === 0, wrong.slice(0, 5).map(short).join('; '));
}

function short(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text && text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
