// SPDX-License-Identifier: BSD-3-Clause
// The lanes of view Time as pixels. A frame is drawn from tiles of the level that fits the length
// of the picture. Until these tiles are loaded, a coarser level is drawn.

import { mix, pixel, textOn } from '../colour';
import type { Trace } from '../data/trace';
import { EXACT, type ItemTile, MERGED } from '../data/tiles';
import { firstAfter, foundItem, type Found, itemAt, type Layout, levelFor, type Row, rowHeight,
  type Span, visibleRows } from '../decide/time';
import { fitted, font, type Raster } from '../draw/raster';

const STEPS = 16; // shades that show how much of a merged item is filled
const LABEL = 30; // least width of an item with a name, in pixels
const MOST_LABELS = 400;
const TEXT_LANE = 11; // least height of a lane with names, in pixels

/** How contexts are drawn: their colours, and whether they are dimmed. */
export interface Look {
  readonly card: string;
  readonly ink: string;
  readonly colour: readonly string[]; // by context
  readonly name: readonly string[];
}

interface Label {
  x: number;
  y: number;
  width: number;
  context: number;
}

export interface Frame {
  readonly span: Span;
  readonly layout: Layout;
  readonly scroll: number; // CSS pixels that are scrolled out at the top
  readonly width: number;
  readonly height: number;
}

export class TimePicture {
  private readonly shades: Uint32Array;
  private readonly inks: string[];
  private readonly gapColour: number;
  private labels: Label[] = [];
  /** The level of the last frame, and the tiles that it lacked. */
  level = 0;
  missing: number[] = [];

  constructor(private readonly trace: Trace, private readonly look: Look) {
    const { colour, card } = look;
    this.shades = new Uint32Array(colour.length * STEPS);
    this.inks = colour.map(textOn);
    this.gapColour = pixel(mix(card, look.ink, 0.14));
    colour.forEach((hex, context) => {
      for (let step = 0; step < STEPS; step++)
        this.shades[context * STEPS + step] =
          pixel(mix(card, hex, 0.12 + 0.88 * step / (STEPS - 1)));
    });
  }

  draw(raster: Raster, frame: Frame): CanvasRenderingContext2D {
    const { span, layout, scroll, width, height } = frame;
    const density = Math.min(3, window.devicePixelRatio || 1);
    raster.begin(width, height, this.look.card);
    this.level = levelFor((span.to_ns - span.from_ns) / (width * density), this.trace.level,
        this.trace.index.top);
    this.missing = [];
    this.labels = [];
    const [first, end] = visibleRows(layout, scroll, scroll + height);
    for (let i = first; i < end; i++) this.drawRow(raster, frame, layout.rows[i]);
    const context = raster.show();
    this.drawLabels(context, layout);
    return context;
  }

  // -- tiles --------------------------------------------------------------------------------------

  private tilesOf(unit: number, level: number, { from_ns, to_ns }: Span): number[] {
    const { trace } = this;
    const list = level ? trace.between(unit, MERGED, level, from_ns, to_ns) : [];
    for (let k = trace.index.top; k >= level; k--)
      list.push(...trace.between(unit, EXACT, k, from_ns, to_ns));
    return list;
  }

  /** The tiles of the level, or of the next one above that is loaded completely. */
  private loadedTiles(unit: number, span: Span): number[] {
    const { trace } = this;
    const wanted = this.tilesOf(unit, this.level, span);
    const missing = wanted.filter(tile => !trace.has(tile));
    if (!missing.length) return wanted;
    this.missing.push(...missing);
    for (let level = this.level + 1; level <= trace.index.top; level++) {
      const tiles = this.tilesOf(unit, level, span);
      if (tiles.every(tile => trace.has(tile))) return tiles;
      if (level === trace.index.top) this.missing.unshift(...tiles.filter(t => !trace.has(t)));
    }
    return wanted.filter(tile => trace.has(tile));
  }

  private items(unit: number, span: Span): ItemTile[] {
    return this.loadedTiles(unit, span).map(tile => this.trace.items(tile)!);
  }

  // -- a row --------------------------------------------------------------------------------------

  private drawRow(raster: Raster, frame: Frame, row: Row): void {
    const { layout: { lane }, scroll, span } = frame;
    const height = lane >= 6 ? lane - 1 : lane;
    this.drawGaps(raster, frame, row);
    for (const tile of this.items(row.unit, span))
      for (let i = 0; i < tile.lanes.length; i++)
        if (tile.lanes[i].depth < row.lanes) {
          const y = row.top - scroll + tile.lanes[i].depth * lane;
          this.drawLane(raster, frame, tile, i, y, height);
        }
    for (let depth = 0; depth < row.lanes; depth++)
      raster.repeat(row.top - scroll + depth * lane, height);
  }

  private drawGaps(raster: Raster, { span, layout, scroll, width }: Frame, row: Row): void {
    const { unit, from_ns, to_ns } = this.trace.tables.gap;
    const scale = width / (span.to_ns - span.from_ns);
    for (let i = 0; i < unit.length; i++)
      if (unit[i] === row.unit && to_ns[i] > span.from_ns && from_ns[i] < span.to_ns)
        raster.fill((from_ns[i] - span.from_ns) * scale, row.top - scroll,
            (to_ns[i] - from_ns[i]) * scale, rowHeight(row, layout), this.gapColour, 1);
  }

  private drawLane(raster: Raster, { span, width }: Frame, tile: ItemTile, lane: number, y: number,
      height: number): void {
    const line = raster.line(y, height);
    if (!line) return;
    const { pixels, first, across } = line;
    const { start_ns, ns, context, bucket_ns } = tile;
    const { shades } = this;
    const scale = across / (span.to_ns - span.from_ns), { to } = tile.lanes[lane];
    const labels = !bucket_ns && height >= TEXT_LANE - 1 ? LABEL * raster.density : Infinity;
    for (let i = firstAfter(tile, tile.lanes[lane], span.from_ns); i < to; i++) {
      if (start_ns[i] > span.to_ns) break;
      const length = bucket_ns || ns[i];
      const left = Math.max(0, Math.round((start_ns[i] - span.from_ns) * scale));
      const right = Math.min(across, Math.max(left + 1,
          Math.round((start_ns[i] + length - span.from_ns) * scale)));
      const step = bucket_ns ? Math.ceil((STEPS - 1) * ns[i] / bucket_ns) : STEPS - 1;
      const colour = shades[context[i] * STEPS + step];
      for (let x = first + left; x < first + right; x++) pixels[x] = colour;
      if (right - left >= labels) {
        this.labels.push({ x: left / raster.density, y, width: (right - left) / raster.density,
          context: context[i] });
        // draws a line between neighbours of the same colour
        if (right < across) pixels[first + right - 1] = shades[context[i] * STEPS + 6];
      }
    }
    void width;
  }

  private drawLabels(context: CanvasRenderingContext2D, { lane }: Layout): void {
    const size = Math.min(11, lane - 3);
    context.font = font(size);
    context.textBaseline = 'middle';
    for (const { x, y, width, context: c } of this.labels.slice(0, MOST_LABELS)) {
      const text = fitted(context, this.look.name[c], width - 6);
      if (!text) continue;
      context.fillStyle = this.inks[c];
      context.fillText(text, x + 3, y + (lane - 1) / 2 + 0.5);
    }
  }

  // -- items at a place ---------------------------------------------------------------------------

  /** The item at a place. Exact items come first. An item that is at most `slack` away counts as
   * being at the place. */
  at(unit: number, depth: number, ns: number, span: Span, slack: number): Found | null {
    let merged: Found | null = null;
    for (const tile of this.items(unit, span)) {
      const lane = tile.lanes.find(each => each.depth === depth);
      const found = lane ? itemAt(tile, lane, unit, ns, slack) : null;
      if (found && !found.merged) return found;
      merged = merged ?? found;
    }
    return merged;
  }

  /** The item of the lane after (1) or before (-1) a time, if a tile of the span has it. */
  beside(unit: number, depth: number, ns: number, span: Span, step: 1 | -1): Found | null {
    let best: Found | null = null;
    for (const tile of this.items(unit, span)) {
      const lane = tile.lanes.find(each => each.depth === depth);
      if (!lane) continue;
      const i = firstAfter(tile, lane, ns) - (step < 0 ? 1 : 0);
      for (let k = i; k >= lane.from && k < lane.to; k += step) {
        const found = foundItem(tile, k, unit, depth);
        if (step > 0 ? found.start_ns < ns : found.end_ns > ns) continue;
        if (!best || step * (found.start_ns - best.start_ns) < 0) best = found;
        break;
      }
    }
    return best;
  }
}
