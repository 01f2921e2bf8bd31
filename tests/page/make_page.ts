// SPDX-License-Identifier: BSD-3-Clause
// Synthetic experiments for tests: a call graph of any size, with cells and parts that agree with
// each other. The same seed makes the same numbers.

import type { ColumnIndex, OverheadKind, PageIndex, TableIndex }
  from '../../analysis/page/web/data/index';
import { type CellTable, COLUMNS, type NodeTable, type PartTable, type RegionTable, type UnitTable,
  USEFUL }
  from '../../analysis/page/web/data/tables';

/** The part of overheads.def that tests need. */
export const KINDS: OverheadKind[] = ([
  ['UNMEASURED', -1, true, 'not measured'], ['OTOTAL', -1, false, 'total overhead'],
  ['ODATA', 1, false, 'data movement'], ['ODATA_SEND', 2, true, 'sending'],
  ['ODATA_RECV', 2, true, 'receiving'], ['OSYNC', 1, false, 'synchronization'],
  ['OSYNC_S', 5, false, 'within one address space'], ['OSYNC_IBAR', 6, true, 'implicit barriers'],
  ['OSYNC_M', 5, false, 'between address spaces'], ['OSYNC_NXN', 8, true, 'waiting for all'],
  ['OLOSS', 1, false, 'loss of parallelism'], ['OLOSS_UNPAR', 10, true, 'one works'],
  ['OPROBE', 1, true, 'probes'], ['OUNID', 1, true, 'unidentified'],
] as [string, number, boolean, string][]).map(([name, parent, is_leaf, text]) =>
  ({ name, parent, is_leaf, is_of_run: false, text }));

export const LEAVES = KINDS.flatMap((kind, row) => kind.is_leaf ? [row] : []);

/** Numbers below 2^32 that look random. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return (t ^ t >>> 14) >>> 0;
  };
}

/** Nodes in pre-order. A node's parent is the node before it, or an ancestor of the node before it,
 * chosen at random. */
export function makeNodes(count: number, regions: number, next: () => number): NodeTable {
  const parent = new Int32Array(count).fill(-1);
  const depth = new Uint32Array(count);
  const region = new Uint32Array(count);
  const open = [0];
  for (let row = 1; row < count; row++) {
    // close some nodes, so that subtrees are in one piece
    while (open.length > 1 && (next() % 3 === 0 || open.length > 40)) open.pop();
    parent[row] = open[open.length - 1];
    depth[row] = depth[parent[row]] + 1;
    region[row] = 1 + next() % (regions - 1);
    open.push(row);
  }
  const end = Uint32Array.from(parent, (_, row) => row + 1);
  for (let row = count - 1; row > 0; row--)
    end[parent[row]] = Math.max(end[parent[row]], end[row]);
  return { id: Float64Array.from(parent, (_, row) => 100 + row), parent, depth, region, end,
    nested: nestedOf(parent, region, end), source_node: Uint32Array.from(parent, (_, row) => row) };
}

function nestedOf(parent: Int32Array, region: Uint32Array, end: Uint32Array): Uint8Array {
  const until = new Map<number, number>();
  return Uint8Array.from(parent, (_, row) => {
    if (row < (until.get(region[row]) ?? 0)) return 1;
    until.set(region[row], end[row]);
    return 0;
  });
}

export function makeRegions(count: number): RegionTable {
  const names = Array.from({ length: count }, (_, row) => row ? `work_${row}` : 'run');
  return {
    id: Float64Array.from(names, (_, row) => 1 + row), name: names,
    type: names.map((_, row) => row ? 'CR_F' : 'RT_RUN'), function: names.slice(),
    file: names.map((_, row) => row ? `src/file_${row % 17}.c` : ''),
    line_start: Uint32Array.from(names, (_, row) => row ? 10 + row % 900 : 0),
    line_end: Uint32Array.from(names, (_, row) => row ? 20 + row % 900 : 0),
  };
}

export function makeUnits(processes: number, threads: number, t_p_ns: number): UnitTable {
  const rows = Array.from({ length: processes * threads }, (_, row) => row);
  return {
    id: Float64Array.from(rows, row => 1 + row),
    process: Uint32Array.from(rows, row => Math.floor(row / threads)),
    thread: Uint32Array.from(rows, row => row % threads),
    host: rows.map(row => `host${Math.floor(row / threads / 4)}`),
    start_ns: new Float64Array(rows.length), end_ns: new Float64Array(rows.length).fill(t_p_ns),
    useful_ns: new Float64Array(rows.length), state: rows.map(() => 'ended'),
  };
}

export interface Made {
  region: RegionTable;
  node: NodeTable;
  unit: UnitTable;
  cell: CellTable;
  part: PartTable;
  p: number;
  t_p_ns: number;
}

/** Each node has a cell for `per` of the units, and its self time is divided between useful work
 * and a leaf. What is left of T_p is useful work of the root. */
export function makeExperiment(nodes: number, processes: number, threads: number, per: number,
    seed = 1): Made {
  const next = random(seed);
  const regions = Math.max(2, Math.min(20_000, nodes >> 2));
  const node = makeNodes(nodes, regions, next);
  const p = processes * threads;
  const rows = nodes * per;
  const cell: CellTable = {
    node: new Uint32Array(rows), unit: new Uint32Array(rows), calls: new Float64Array(rows),
    incl_ns: new Float64Array(rows), excl_ns: new Float64Array(rows),
    min_ns: new Float64Array(rows), max_ns: new Float64Array(rows),
    is_open: new Uint8Array(rows), error_ns: new Float64Array(rows),
  };
  for (let row = 0; row < rows; row++) {
    cell.node[row] = Math.floor(row / per);
    cell.unit[row] = (cell.node[row] * 7 % p + row % per * Math.ceil(p / per)) % p;
    cell.calls[row] = 1 + next() % 1000;
    cell.excl_ns[row] = next() % 100_000;
    cell.min_ns[row] = 10;
    cell.max_ns[row] = 10 + cell.excl_ns[row];
  }
  addInclusive(node, cell, p);
  const busiest = Math.max(...unitSums(cell, p));
  const t_p_ns = busiest + 1_000_000;
  return { region: makeRegions(regions), node, unit: makeUnits(processes, threads, t_p_ns), cell,
    part: makeParts(cell, p, t_p_ns), p, t_p_ns };
}

function unitSums(cell: CellTable, p: number): Float64Array {
  const sums = new Float64Array(p);
  for (let row = 0; row < cell.node.length; row++) sums[cell.unit[row]] += cell.excl_ns[row];
  return sums;
}

/** Inclusive times of cells: their own, and those of the same unit below. */
function addInclusive(node: NodeTable, cell: CellTable, p: number): void {
  const at = new Map<number, number>();
  for (let row = 0; row < cell.node.length; row++) at.set(cell.node[row] * p + cell.unit[row], row);
  for (let row = cell.node.length - 1; row >= 0; row--) {
    cell.incl_ns[row] += cell.excl_ns[row];
    let above = node.parent[cell.node[row]];
    while (above >= 0 && !at.has(above * p + cell.unit[row])) above = node.parent[above];
    if (above >= 0) cell.incl_ns[at.get(above * p + cell.unit[row])!] += cell.incl_ns[row];
  }
}

function makeParts(cell: CellTable, p: number, t_p_ns: number): PartTable {
  const sums = unitSums(cell, p);
  const node: number[] = [], unit: number[] = [], leaf: number[] = [], ns: number[] = [];
  const add = (...[at, of, kind, time]: [number, number, number, number]) => {
    node.push(at);
    unit.push(of);
    leaf.push(kind);
    ns.push(time);
  };
  for (let row = 0; row < p; row++) add(0, row, USEFUL, t_p_ns - sums[row]);
  for (let row = 0; row < cell.node.length; row++) {
    const lost = Math.floor(cell.excl_ns[row] * (row % 5) / 5);
    const kind = LEAVES[1 + cell.node[row] % (LEAVES.length - 2)];
    if (lost) add(cell.node[row], cell.unit[row], kind, lost);
    if (cell.excl_ns[row] > lost) add(cell.node[row], cell.unit[row], USEFUL,
        cell.excl_ns[row] - lost);
  }
  return { node: Uint32Array.from(node), unit: Uint32Array.from(unit), leaf: Uint8Array.from(leaf),
    ns: Float64Array.from(ns) };
}

// -- as analysis/page/view writes it
// -------------------------------------------------------------------

export interface Written {
  index: PageIndex;
  blocks: Uint8Array[]; // not yet deflated
}

function variable(values: ArrayLike<number>): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    let value = values[i];
    for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

function planes(values: ArrayLike<number>, width: number, base: number): Uint8Array {
  const bytes = new Uint8Array(values.length * width);
  for (let i = 0; i < values.length; i++) {
    let value = values[i] - base;
    for (let k = 0; k < width; k++, value = Math.floor(value / 256))
      bytes[k * values.length + i] = value % 256;
  }
  return bytes;
}

class Writer {
  readonly blocks: Uint8Array[] = [];

  add(bytes: Uint8Array): number {
    return this.blocks.push(bytes) - 1;
  }

  column(values: ArrayLike<number> | string[], type: ColumnIndex['type']): ColumnIndex {
    if (type === 'text') return this.texts(values as string[]);
    const numbers = values as ArrayLike<number>;
    let [least, most] = [0, 0];
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] < least) least = numbers[i];
      if (numbers[i] > most) most = numbers[i];
    }
    let width = 0;
    for (let room = 1; room <= most - least; room *= 256) width++;
    return { block: this.add(planes(numbers, width, least)), form: 'plane', type, base: least,
      width };
  }

  private texts(values: string[]): ColumnIndex {
    const numbers = new Map<string, number>();
    for (const text of values) if (!numbers.has(text)) numbers.set(text, numbers.size);
    const pool = new TextEncoder().encode(JSON.stringify([...numbers.keys()]));
    return { form: 'text', type: 'text', texts: this.add(pool),
      block: this.add(variable(values.map(text => numbers.get(text)!))) };
  }
}

/** The index and the blocks of a page with one experiment. */
export function write(made: Made, documents: { [command: string]: unknown }): Written {
  const writer = new Writer();
  const tables: { [name: string]: TableIndex } = {};
  for (const name of ['region', 'node', 'unit', 'cell', 'part'] as const) {
    const table = made[name] as unknown as { [column: string]: ArrayLike<number> | string[] };
    const columns = COLUMNS[name] as { [column: string]: ColumnIndex['type'] };
    tables[name] = { rows: Object.values(table)[0].length, columns: Object.fromEntries(
        Object.entries(columns).map(([column, type]) =>
          [column, writer.column(table[column], type)])) };
  }
  return { blocks: writer.blocks, index: {
    format: 1, version: 'test', written_ns: 1e18, documents: {},
    overheads: KINDS, metrics: [], region_types: [], efficiencies: [],
    experiments: [{ id: 1, name: 'made-1', program: './made', command: './made 1', role: 'par',
      p: made.p, t_p_ns: made.t_p_ns, started_ns: 1e18, complete: true, tables, documents,
      left_out: [] }],
  } };
}
