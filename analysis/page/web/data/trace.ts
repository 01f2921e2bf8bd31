// SPDX-License-Identifier: BSD-3-Clause
// The trace of an experiment: which tiles there are, and those that are loaded. Tiles come from the
// page, or from the file beside the page that the user chose, which is read in slices. If the
// loaded tiles are too large, those that have not been used for longest are dropped.

import { Damaged } from './decode';
import type { TraceIndex } from './index';
import type { Experiment } from './page';
import type { ContextTable, GapTable, TileTable, TraceUnitTable } from './tables';
import { adler32, CALLS, decodeEvents, decodeItems, decodeLinks, decodePieces, type EventTile,
  type ItemTile, LINKS, type LinkTile, PIECES, type PieceTile, WAITS } from './tiles';

const HEAD = 48, ALIGN = 3;
const MOST_BYTES = 400e6; // size of loaded tiles
const ITEM_BYTES = 24;
const AT_ONCE = 6;

/** The file from which slices are read: a File, or an object of a test. */
export interface Slices {
  readonly name: string;
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export interface TraceTables {
  tile: TileTable;
  context: ContextTable;
  trace_unit: TraceUnitTable;
  gap: GapTable;
}

type Tile = ItemTile | LinkTile | PieceTile | EventTile;

/** Where each tile begins, in the page and in the file. */
function placesOf({ bytes, in_page }: TileTable): { page: Float64Array; file: Float64Array } {
  const page = new Float64Array(bytes.length + 1), file = new Float64Array(bytes.length + 1);
  file[0] = HEAD;
  for (let i = 0; i < bytes.length; i++) {
    const room = Math.ceil(bytes[i] / ALIGN) * ALIGN;
    file[i + 1] = file[i] + room;
    page[i + 1] = page[i] + (in_page[i] ? room : 0);
  }
  return { page, file };
}

export class Trace {
  private readonly places: { page: Float64Array; file: Float64Array };
  private readonly groups = new Map<number, number[]>(); // tiles by unit, kind and level
  private readonly loaded = new Map<number, Tile>(); // in the order of their use
  private readonly waiting = new Set<number>();
  private running = 0;
  private bytes = 0;
  private file: Slices | null = null;
  /** Called when a tile was loaded, or could not be loaded. */
  onload: () => void = () => {};
  failure: Error | null = null;

  constructor(readonly index: TraceIndex, readonly tables: TraceTables,
      private readonly experiment: Pick<Experiment, 'piece' | 'inflate'>) {
    this.places = placesOf(tables.tile);
    const { unit, kind, level } = tables.tile;
    for (let i = 0; i < unit.length; i++) {
      const key = this.key(unit[i], kind[i], level[i]);
      const group = this.groups.get(key);
      if (group) group.push(i);
      else this.groups.set(key, [i]);
    }
  }

  private key(unit: number, kind: number, level: number): number {
    return (unit * 8 + kind) * 64 + level;
  }

  // -- the file beside the page -------------------------------------------------------------------

  /** The lowest level whose tiles are available. */
  get level(): number {
    return this.file ? 0 : this.index.level;
  }

  get hasLinks(): boolean {
    return this.file !== null || this.index.has_links;
  }

  /** Whether the pieces of time are available, with which the time of an interval is divided among
   * leaves. */
  get hasLeaves(): boolean {
    return this.index.leaves === 'page' || (this.index.leaves === 'file' && this.file !== null);
  }

  /** Whether the tiles of calls and single waits are available. */
  get hasOperations(): boolean {
    const { operations } = this.index;
    return operations === 'page' || (operations === 'file' && this.file !== null);
  }

  get needsFile(): boolean {
    return this.index.file !== '' && !this.file;
  }

  /** Opens the file of tiles. Throws an Error whose message is for the user. */
  async open(file: Slices): Promise<void> {
    const { index } = this;
    const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
    const head = String.fromCharCode(...bytes);
    const size = this.places.file[this.tables.tile.bytes.length];
    if (!head.startsWith('SIS tiles 1 '))
      throw new Error(`${file.name} is no file of a trace. Choose ${index.file}, which was written `
        + 'with this page.');
    if (head.slice(12, 12 + index.key.length) !== index.key)
      throw new Error(`${file.name} belongs to another page. Choose the ${index.file} that was `
        + 'written with this page, or write both again with sis-analyze view.');
    if (file.size < size)
      throw new Error(`${file.name} is not complete: it has ${file.size} of ${size} bytes. Copy it `
        + 'again, or write it again with sis-analyze view.');
    this.file = file;
    this.failure = null;
    this.onload();
  }

  // -- tiles --------------------------------------------------------------------------------------

  /** The tiles of a unit, kind and level that have items between two times. */
  between(unit: number, kind: number, level: number, from_ns: number, to_ns: number): number[] {
    const group = this.groups.get(this.key(unit, kind, level));
    if (!group) return [];
    const { tile } = this.tables;
    return group.filter(i => tile.to_ns[i] >= from_ns && tile.from_ns[i] <= to_ns);
  }

  has(tile: number): boolean {
    return this.loaded.has(tile);
  }

  /** The tile, if it is loaded. */
  get(tile: number): Tile | undefined {
    const found = this.loaded.get(tile);
    if (found) { // becomes the one that was used last
      this.loaded.delete(tile);
      this.loaded.set(tile, found);
    }
    return found;
  }

  items(tile: number): ItemTile | undefined {
    return this.get(tile) as ItemTile | undefined;
  }

  links(tile: number): LinkTile | undefined {
    return this.get(tile) as LinkTile | undefined;
  }

  private canLoad(tile: number): boolean {
    return this.tables.tile.in_page[tile] === 1 || this.file !== null;
  }

  /** Loads these tiles next. Earlier calls of `want` are forgotten: their tiles that are still
   * waiting are not loaded. */
  want(tiles: Iterable<number>): void {
    this.waiting.clear();
    for (const tile of tiles)
      if (!this.loaded.has(tile) && this.canLoad(tile)) this.waiting.add(tile);
    this.next();
  }

  get isLoading(): boolean {
    return this.waiting.size > 0 || this.running > 0;
  }

  private next(): void {
    for (const tile of this.waiting) {
      if (this.running >= AT_ONCE || this.failure) return;
      this.waiting.delete(tile);
      this.running++;
      void this.load(tile).catch(error => { this.failure = error as Error; }).then(() => {
        this.running--;
        this.onload();
        this.next();
      });
    }
  }

  /** The tile, which is loaded if it is not loaded yet. */
  async load(tile: number): Promise<Tile> {
    const known = this.get(tile);
    if (known) return known;
    const { tile: table } = this.tables;
    const stored = await this.stored(tile);
    if (adler32(stored) !== table.checksum[tile])
      throw this.file ? new Error(`${this.file.name} is damaged. Copy it again, or write it again `
        + 'with sis-analyze view.') : new Damaged('a tile of the trace has another checksum');
    const bytes = await this.experiment.inflate(stored);
    const made = this.decoded(tile, bytes);
    this.keep(tile, made);
    return made;
  }

  private decoded(tile: number, bytes: Uint8Array): Tile {
    const { tile: table } = this.tables;
    const from_ns = table.from_ns[tile], items = table.items[tile], kind = table.kind[tile];
    return kind === LINKS ? decodeLinks(bytes, from_ns, items)
      : kind === PIECES ? decodePieces(bytes, from_ns, items)
      : kind === CALLS || kind === WAITS ? decodeEvents(bytes, from_ns, items)
        : decodeItems(bytes, kind, table.level[tile], from_ns, items);
  }

  private async stored(tile: number): Promise<Uint8Array> {
    const { in_page, bytes } = this.tables.tile;
    if (in_page[tile])
      return this.experiment.piece(this.index.block, this.places.page[tile], bytes[tile]);
    const from = this.places.file[tile];
    try {
      return new Uint8Array(await this.file!.slice(from, from + bytes[tile]).arrayBuffer());
    } catch {
      const { name } = this.file!;
      this.file = null;
      throw new Error(`${name} cannot be read any more. Choose it again.`);
    }
  }

  private keep(tile: number, made: Tile): void {
    if (this.loaded.has(tile)) return;
    this.loaded.set(tile, made);
    this.bytes += this.tables.tile.items[tile] * ITEM_BYTES;
    for (const [oldest] of this.loaded) {
      if (this.bytes <= MOST_BYTES || oldest === tile) break;
      this.loaded.delete(oldest);
      this.bytes -= this.tables.tile.items[oldest] * ITEM_BYTES;
    }
  }
}

/** Opens a trace that no other user shares. */
export async function readTrace(experiment: Experiment): Promise<Trace> {
  const [tile, context, trace_unit, gap] = await Promise.all([experiment.table('tile'),
    experiment.table('context'), experiment.table('trace_unit'), experiment.table('gap')]);
  return new Trace(experiment.index.trace!, { tile, context, trace_unit, gap }, experiment);
}

const opened = new WeakMap<Experiment, Promise<Trace>>();

/** The trace of an experiment. All views use the same one, and share its tiles and its file. */
export function openTrace(experiment: Experiment): Promise<Trace> {
  let trace = opened.get(experiment);
  if (!trace) opened.set(experiment, trace = readTrace(experiment));
  return trace;
}
