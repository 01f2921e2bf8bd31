// SPDX-License-Identifier: BSD-3-Clause
// Processing units as text, as the selection names them: '0-3,5.1' is processes 0 to 3 and thread 1
// of process 5. A mask has 1 for each chosen row of table `unit`. Pure functions.

import type { UnitTable } from '../data/tables';

type Places = Pick<UnitTable, 'process' | 'thread'>;

interface Range {
  first: number; // process
  last: number;
  thread: number; // -1 for all threads
}

function ranges(text: string): Range[] {
  const list: Range[] = [];
  for (const word of text.split(',')) {
    const found = /^(\d{1,9})(?:-(\d{1,9})|\.(\d{1,9}))?$/.exec(word);
    if (!found) continue;
    const first = Number(found[1]);
    const last = found[2] === undefined ? first : Number(found[2]);
    list.push({ first, last, thread: found[3] === undefined ? -1 : Number(found[3]) });
  }
  return list;
}

function includes({ first, last, thread }: Range, process: number, own: number): boolean {
  return process >= first && process <= last && (thread < 0 || thread === own);
}

/** A mask of the units that a text names. Null, which means all, if the text is empty or names no
 * unit of this run. */
export function unitMask(text: string, units: Places): Uint8Array | null {
  const list = ranges(text);
  if (!list.length) return null;
  const mask = new Uint8Array(units.process.length);
  let any = false;
  for (let row = 0; row < mask.length; row++) {
    if (!list.some(range => includes(range, units.process[row], units.thread[row]))) continue;
    mask[row] = 1;
    any = true;
  }
  return any ? mask : null;
}

/** The number of units in a mask; `all` if there is no mask. */
export function unitCount(mask: Uint8Array | null, all: number): number {
  if (!mask) return all;
  let count = 0;
  for (const chosen of mask) count += chosen;
  return count;
}

interface ProcessRows {
  process: number;
  from: number; // rows of `unit`
  to: number;
}

function* processes(units: Places): Generator<ProcessRows> {
  const { process } = units;
  for (let from = 0; from < process.length;) {
    let to = from + 1;
    while (to < process.length && process[to] === process[from]) to++;
    yield { process: process[from], from, to };
    from = to;
  }
}

/** The shortest text for the chosen units; '' if all are. Units are ordered by process. */
export function unitText(mask: Uint8Array | null, units: Places): string {
  if (!mask || unitCount(mask, 0) === mask.length) return '';
  const words: string[] = [];
  let [first, last] = [-1, -1];
  const close = () => {
    if (first >= 0) words.push(first === last ? String(first) : `${first}-${last}`);
    first = -1;
  };
  for (const { process, from, to } of processes(units)) {
    let chosen = 0;
    for (let row = from; row < to; row++) chosen += mask[row];
    if (chosen === to - from) {
      if (first < 0 || process !== last + 1) {
        close();
        first = process;
      }
      last = process;
      continue;
    }
    close();
    for (let row = from; row < to; row++)
      if (mask[row]) words.push(`${process}.${units.thread[row]}`);
  }
  close();
  return words.join(',');
}

/** The value of the commands' option --pu, which has no ranges: '0,1,2,3,5.1'. */
export function puOption(text: string): string {
  const words: string[] = [];
  for (const { first, last, thread } of ranges(text))
    for (let process = first; process <= last && words.length < 10000; process++)
      words.push(thread < 0 ? String(process) : `${process}.${thread}`);
  return words.join(',');
}
