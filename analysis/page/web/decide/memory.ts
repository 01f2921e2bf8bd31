// SPDX-License-Identifier: BSD-3-Clause
// The memory that samples access, as `sis-analyze blame --memory` prints it. Pure functions.

import type { MemoryTable, MemoryUseTable } from '../data/tables';

/** A line of the table, with sums over the units. */
export interface MemoryLine {
  memory: number; // row of table memory
  allocations: number;
  freed: number;
  bytes: number;
  most_bytes: number;
  largest_bytes: number;
  life_ns: number;
  samples: number;
}

export function isAllocated({ kind }: Pick<MemoryTable, 'kind'>, row: number): boolean {
  return kind[row] === 'heap' || kind[row] === 'mapping';
}

/** The name of a line's memory. */
export function memoryName(memory: MemoryTable, row: number): string {
  const name = memory.name[row], owner = memory.function[row];
  switch (memory.kind[row]) {
  case 'other': return 'small allocations and memory of libraries';
  case 'none': return 'no memory';
  case 'unknown': return 'not known';
  case 'heap': case 'mapping': return name || '-';
  case 'stack': return name || `stack of ${owner || memory.module[row] || 'unknown code'}`;
  }
  if (name) return owner ? `${owner}.${name}` : name;
  if (memory.kind[row] !== 'static') return 'thread-local data';
  const what = memory.type[row] === 'constant' ? 'constants' : 'static data';
  return memory.module[row] ? `${what} of ${memory.module[row]}` : what;
}

/** The outermost variable that contains the allocated memory. The result is '' if there is none, or
 * if it is the line's own variable. */
export function containerName(memory: MemoryTable, row: number): string {
  const container = memory.container[row], owner = memory.container_function[row];
  if (!container || !isAllocated(memory, row)
    || (container === memory.name[row] && owner === memory.function[row])) return '';
  return owner ? `${container} of ${owner}` : container;
}

const LAST = ['other', 'none', 'unknown'];

/** The lines in the order of the command: those with the most samples first, then those with the
 * most bytes. Lines that are no memory of the program are at the end. */
export function memoryLines(memory: MemoryTable, use: MemoryUseTable, units: Uint8Array | null):
    MemoryLine[] {
  const lines = new Map<number, MemoryLine>();
  for (let i = 0; i < use.memory.length; i++) {
    if (units && !units[use.unit[i]]) continue;
    const row = use.memory[i];
    let line = lines.get(row);
    if (!line) {
      line = { memory: row, allocations: 0, freed: 0, bytes: 0, most_bytes: 0, largest_bytes: 0,
        life_ns: 0, samples: 0 };
      lines.set(row, line);
    }
    line.allocations += use.allocations[i];
    line.freed += use.freed[i];
    line.bytes += use.bytes[i];
    line.most_bytes += use.most_bytes[i];
    line.largest_bytes = Math.max(line.largest_bytes, use.largest_bytes[i]);
    line.life_ns += use.life_ns[i];
    line.samples += use.samples[i];
  }
  const rank = (line: MemoryLine) => LAST.indexOf(memory.kind[line.memory]);
  return [...lines.values()].sort((a, b) => rank(a) - rank(b) || b.samples - a.samples
    || b.most_bytes - a.most_bytes || a.memory - b.memory);
}

/** The number of samples to which shares are relative: all samples of running threads. */
export function memorySamples(use: MemoryUseTable): number {
  return use.samples.reduce((sum, samples) => sum + samples, 0);
}
