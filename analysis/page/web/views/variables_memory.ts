// SPDX-License-Identifier: BSD-3-Clause
// The table of memory in view Variables: where memory was allocated, and which memory samples
// access.

import type { MemoryTable, MemoryUseTable } from '../data/tables';
import { containerName, isAllocated, memoryLines, memoryName, memorySamples }
  from '../decide/memory';
import { pointText } from '../decide/variables';
import { matcher } from '../decide/tree';
import { Table, type Column } from '../draw/table';
import type { Selection } from '../store/selection';
import { bytes, exactSeconds, grouped, nameText, percent, placeText, seconds } from '../text';
import type { Closable } from './variables_tables';

export interface MemoryOptions {
  memory: MemoryTable;
  use: MemoryUseTable;
  units: Uint8Array | null;
  colour: string; // of bars
}

export function memoryTable(host: HTMLElement, { memory, use, units, colour }: MemoryOptions,
    selection: Selection): Closable {
  const lines = memoryLines(memory, use, units), samples = memorySamples(use) || 1;
  const at = (row: number) => lines[row].memory;
  const matches = matcher(selection.search);
  const marks = matches && Uint8Array.from(lines, ({ memory: row }) =>
    Number(matches(memoryName(memory, row)) || matches(containerName(memory, row))));
  const allocated = (name: string, title: string, explain: string,
      text: (row: number) => string, hint?: (row: number) => string): Column => ({
    name, title, explain, width: '76px', number: true, sort: false,
    text: row => (isAllocated(memory, at(row)) ? text(row) : ''),
    ...(hint && { hint: (row: number) => (isAllocated(memory, at(row)) ? hint(row) : '') }),
  });
  const amount = (name: string, title: string, explain: string, value: (row: number) => number) =>
    allocated(name, title, explain, row => bytes(value(row)),
        row => `${grouped(value(row))} bytes`);
  const table = new Table(host, {
    label: 'memory', mostRows: 30, none: 'No memory was recorded.',
    columns: [
      { name: 'memory', title: 'memory', width: 'minmax(130px, 1fr)', sort: false,
        text: row => nameText(memoryName(memory, at(row))),
        hint: row => nameText([memory.path[at(row)] && pointText(memory.path[at(row)]),
          memory.module[at(row)]].filter(Boolean).join('\n'), 2000) },
      { name: 'container', title: 'part of', width: 'minmax(80px, .6fr)', sort: false,
        explain: 'the outermost variable that allocated memory is a part of',
        text: row => nameText(containerName(memory, at(row))) },
      { name: 'kind', title: 'kind', width: '84px', sort: false,
        text: row => memory.kind[at(row)].replace('_', '-') },
      { name: 'type', title: 'type', width: 'minmax(58px, .4fr)', sort: false,
        text: row => nameText(memory.type[at(row)]) },
      { name: 'place', title: 'place', width: 'minmax(110px, .6fr)', sort: false,
        explain: 'where it is allocated or declared',
        text: row => placeText(memory.file[at(row)], memory.line[at(row)]) },
      allocated('allocations', 'allocated', 'how often', row => grouped(lines[row].allocations),
          row => `${grouped(lines[row].freed)} of them freed`),
      amount('most', 'at most', 'at one time, of each process', row => lines[row].most_bytes),
      amount('bytes', 'in total', 'all allocations together', row => lines[row].bytes),
      allocated('life', 'mean life', 'from allocation to free',
          row => (lines[row].freed ? seconds(lines[row].life_ns / lines[row].freed) : '-'),
          row => (lines[row].freed
            ? `${exactSeconds(Math.round(lines[row].life_ns / lines[row].freed))} s` : '')),
      { name: 'samples', title: 'samples', width: '72px', number: true, sort: false,
        explain: 'in instructions that access it', text: row => grouped(lines[row].samples) },
      { name: 'share', title: 'share', width: '62px', number: true, sort: false,
        explain: 'of the samples of threads that run',
        text: row => percent(lines[row].samples / samples) },
      { name: 'bar', title: '', width: '64px', sort: false, text: () => '',
        bar: row => lines[row].samples / samples, barColour: () => colour },
    ],
  });
  const rows = [...lines.keys()].filter(row => !selection.filter || !marks || marks[row]);
  table.show({ rows, marks });
  return table;
}
