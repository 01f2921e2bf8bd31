// SPDX-License-Identifier: BSD-3-Clause
// The only reader of the page's data. Blocks are texts of the page. A block is decoded when a view
// asks for its table the first time.

import { Damaged, numbers, texts } from './decode';
import type { ColumnIndex, ExperimentIndex, PageIndex, TableIndex } from './index';
import type { Experiment, Page } from './page';
import { COLUMNS, type Tables } from './tables';

/** Where data come from: the page's elements, an answer of its server, or a test. */
export interface Source {
  index(): unknown; // parsed JSON; throws if it cannot be parsed
  block(number: number): string | null; // base64; null if there is no such block
  inflate(bytes: Uint8Array): Promise<Uint8Array>;
}

export function bytesOf(base64: string): Uint8Array {
  const made = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
  if (made.fromBase64) return made.fromBase64(base64);
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function sourceOf(document: Document): Source {
  return {
    index: () => JSON.parse(document.getElementById('index')?.textContent ?? ''),
    block: number => document.getElementById(`block-${number}`)?.textContent ?? null,
    inflate,
  };
}

class Blocks {
  private readonly pools = new Map<number, Promise<string[]>>();

  constructor(readonly source: Source) {}

  /** A part of a block. In base64, four letters are three bytes. */
  piece(block: number, from: number, bytes: number): Uint8Array {
    const text = this.source.block(block);
    if (text === null) throw new Damaged(`block ${block} is missing`);
    const letters = text.slice(from / 3 * 4, (from + Math.ceil(bytes / 3) * 3) / 3 * 4);
    try {
      return bytesOf(letters).subarray(0, bytes);
    } catch {
      throw new Damaged(`block ${block} cannot be read`);
    }
  }

  async bytes(block: number): Promise<Uint8Array> {
    const text = this.source.block(block);
    if (text === null) throw new Damaged(`block ${block} is missing`);
    try {
      return await this.source.inflate(bytesOf(text.trim()));
    } catch {
      throw new Damaged(`block ${block} cannot be read`);
    }
  }

  /** A JSON list of texts, which several columns share. */
  pool(block: number): Promise<string[]> {
    let pool = this.pools.get(block);
    if (!pool) {
      pool = this.bytes(block).then(bytes => JSON.parse(new TextDecoder().decode(bytes)));
      this.pools.set(block, pool);
    }
    return pool;
  }

  async column(column: ColumnIndex, rows: number): Promise<unknown> {
    const bytes = await this.bytes(column.block);
    if (column.form !== 'text') return numbers(bytes, column, rows);
    if (column.texts === undefined) throw new Damaged('a column of texts has none');
    return texts(bytes, await this.pool(column.texts), rows);
  }
}

type TableName = keyof Tables;

/** A column of `rows` rows that are all 0 or ''. */
function empty(type: string, rows: number): unknown {
  switch (type) {
    case 'text': return new Array<string>(rows).fill('');
    case 'u32': return new Uint32Array(rows);
    case 'i32': return new Int32Array(rows);
    case 'u8': return new Uint8Array(rows);
    default: return new Float64Array(rows);
  }
}

class StoredExperiment implements Experiment {
  private readonly tables = new Map<TableName, Promise<unknown>>();

  constructor(readonly index: ExperimentIndex, private readonly blocks: Blocks) {}

  has(name: TableName): boolean {
    return (this.index.tables[name]?.rows ?? 0) > 0;
  }

  table<Name extends TableName>(name: Name): Promise<Tables[Name]> {
    let table = this.tables.get(name);
    if (!table) {
      table = this.decode(name, this.index.tables[name] ?? { rows: 0, columns: {} });
      this.tables.set(name, table);
    }
    return table as Promise<Tables[Name]>;
  }

  async piece(block: number, from: number, bytes: number): Promise<Uint8Array> {
    return this.blocks.piece(block, from, bytes);
  }

  inflate(bytes: Uint8Array): Promise<Uint8Array> {
    return this.blocks.source.inflate(bytes);
  }

  private async decode(name: TableName, stored: TableIndex): Promise<unknown> {
    const columns = Object.entries<string>(COLUMNS[name]);
    const decoded = await Promise.all(columns.map(([column, type]) => {
      const index = stored.columns[column];
      if (!index) return empty(type, stored.rows);
      if (index.type !== type) throw new Damaged(`${name}.${column} is of type ${index.type}`);
      return this.blocks.column(index, stored.rows);
    }));
    return Object.fromEntries(columns.map(([column], i) => [column, decoded[i]]));
  }
}

export function readSource(source: Source): Page {
  let index: PageIndex;
  try {
    index = source.index() as PageIndex;
  } catch {
    throw new Damaged('its index cannot be read');
  }
  if (index?.format !== 1) throw new Damaged(`its data have the format ${index?.format}`);
  const blocks = new Blocks(source);
  return { index, experiments: index.experiments.map(e => new StoredExperiment(e, blocks)) };
}

export function readPage(document: Document): Page {
  return readSource(sourceOf(document));
}

/** Reads an answer of a live page's server: {"index": {...}, "blocks": ["base64", ...]}. */
export function readAnswer(text: string): Page {
  let answer: { index?: unknown; blocks?: unknown };
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Damaged('the answer is no JSON');
  }
  const blocks: readonly unknown[] = Array.isArray(answer?.blocks) ? answer.blocks : [];
  const block = (number: number) => {
    const text = blocks[number];
    return typeof text === 'string' ? text : null;
  };
  return readSource({ index: () => answer.index, block, inflate });
}
