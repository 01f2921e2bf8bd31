// SPDX-License-Identifier: BSD-3-Clause
// Draws heat maps: computes where each part is, and paints it.
//
//            column names
//     names  cells            bars beside
//            picture below    axis

import { inksOf, type Inks } from '../colour';
import type { HeatOptions, HeatPicture } from './heatmap';
import { fitted, font, type Raster } from './raster';
import { isDark } from './theme';

export interface HeatLayout {
  readonly available: number; // width of the element
  readonly left: number; // left edge of the cells
  readonly top: number; // their upper edge
  readonly cell: number; // width of a cell
  readonly line: number; // height of a line
  readonly y: Float64Array; // y of each line, counted from `top`
  readonly height: number; // height of all lines
  readonly flat: boolean; // whether names of columns are horizontal
  readonly width: number; // width of the picture
  readonly all: number; // height of the picture
  lineAt(y: number): number; // -1 if y is in a gap, or below the lines
}

const GAP = 3; // between groups
const NAME = 11; // size of text
const MOST_NAME = 150; // height of vertical names
const AFTER = 104; // room for the note after bars

let measuring: CanvasRenderingContext2D | null = null;

function textWidth(text: string, weight = 400): number {
  if (!measuring) measuring = document.createElement('canvas').getContext('2d')!;
  measuring.font = font(NAME, weight);
  return measuring.measureText(text).width;
}

function widest(count: number, text: (i: number) => string, most: number, weight = 400): number {
  let width = 0;
  const step = Math.max(1, Math.ceil(count / 400));
  for (let i = 0; i < count; i += step) width = Math.max(width, textWidth(text(i), weight));
  return Math.min(most, Math.ceil(width));
}

/** The place of each line: a gap before each group, if lines are high enough for it. */
function places(picture: HeatPicture, line: number): { y: Float64Array; height: number } {
  const y = new Float64Array(picture.lines);
  let at = 0;
  for (let i = 0; i < picture.lines; i++) {
    if (i && line >= 6 && picture.startsGroup?.(i)) at += GAP;
    y[i] = at;
    at += line;
  }
  return { y, height: at };
}

export function layoutOf(picture: HeatPicture, options: HeatOptions,
    available: number): HeatLayout {
  const { lines, columns, beside } = picture;
  const name = widest(lines, i => picture.lineName(i), 150);
  const left = Math.max(name, textWidth(picture.lineTitle, 600)) + 10;
  const right = beside ? beside.width + AFTER + 26 : 8;
  const mostHeight = options.mostHeight ?? 560;
  const room = Math.max(60, available - left - right);
  const widestCell = options.mostCell ?? 92;
  let cell = Math.max(2, Math.min(widestCell, room / Math.max(1, columns)));
  if (cell >= 8) cell = Math.floor(cell);
  const fit = mostHeight / Math.max(1, lines);
  const line = Math.max(2, options.square ? Math.min(22, fit, cell) : Math.min(17, fit));
  if (options.square) cell = Math.min(cell, Math.max(line, 2) * 2.2);
  const across = Math.max(widest(columns, i => picture.columnName(i), 220, 700),
      picture.columnNote ? widest(columns, i => picture.columnNote!(i), 220) : 0);
  const flat = options.square ? across + 8 <= cell * 8 : cell >= 88;
  const note = picture.columnNote ? 14 : 0;
  const top = flat ? 18 + note : Math.min(MOST_NAME, across + 8) + 10;
  const { y, height } = places(picture, line);
  const below = picture.below ? picture.below.height + 8 : beside ? 18 : 4;
  return {
    available, left, top, cell, line, y, height, flat,
    width: Math.max(available - 1, left + cell * columns + right), all: top + height + below,
    lineAt(at) {
      let [low, high] = [0, lines];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (y[middle] <= at) low = middle + 1; else high = middle;
      }
      return low && at < y[low - 1] + line ? low - 1 : -1;
    },
  };
}

function fillCells(raster: Raster, picture: HeatPicture, layout: HeatLayout): void {
  const { left, top, cell, line, y } = layout;
  const gapX = cell >= 8 ? 1 : 0, gapY = line >= 6 ? 1 : 0;
  for (let i = 0; i < picture.lines; i++)
    for (let k = 0; k < picture.columns; k++) {
      const colour = picture.colour(i, k);
      if (colour) raster.fill(left + k * cell, top + y[i], cell - gapX, line - gapY, colour);
    }
}

function fillBars(raster: Raster, picture: HeatPicture, layout: HeatLayout): void {
  const { beside } = picture;
  if (!beside) return;
  const x0 = barsAt(picture, layout);
  const gap = layout.line >= 6 ? 1 : 0;
  for (let i = 0; i < picture.lines; i++) {
    let x = x0;
    for (const { share, colour } of beside.parts(i)) {
      const width = share * beside.width;
      raster.fill(x, layout.top + layout.y[i], width, layout.line - gap, colour);
      x += width;
    }
  }
}

function barsAt({ columns }: HeatPicture, { left, cell }: HeatLayout): number {
  return left + columns * cell + 18;
}

/** Draws every n-th name, so that names do not touch. */
function lineNames(context: CanvasRenderingContext2D, picture: HeatPicture, layout: HeatLayout,
    inks: Inks): void {
  const { left, top, line, y } = layout;
  const size = Math.min(NAME, Math.max(9, line));
  const step = Math.max(1, Math.ceil(11 / line));
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let i = 0; i < picture.lines; i++) {
    const chosen = picture.isChosenLine?.(i) ?? false;
    if (i % step && !chosen) continue;
    context.font = font(size, chosen ? 700 : 400);
    context.fillStyle = chosen ? inks.ink : inks.soft;
    context.fillText(fitted(context, picture.lineName(i), left - 8) || picture.lineName(i),
        left - 6, top + y[i] + line / 2);
  }
  context.textBaseline = 'alphabetic';
  context.font = font(NAME, 600);
  context.fillStyle = inks.ink;
  context.fillText(picture.lineTitle, left - 6, top - 6);
}

function verticalName(context: CanvasRenderingContext2D, name: string, note: string, x: number,
    layout: HeatLayout, inks: Inks, chosen: boolean): void {
  const room = layout.top - 12;
  const beside = note && layout.cell >= 25; // otherwise the note is after the name
  context.save();
  context.translate(x - (beside ? 6 : 0), layout.top - 6);
  context.rotate(-Math.PI / 2);
  context.font = font(NAME, chosen ? 700 : 600);
  context.fillStyle = inks.ink;
  const shown = fitted(context, name, room);
  context.fillText(shown, 0, 0);
  const used = beside ? 0 : context.measureText(shown).width + 6;
  context.font = font(NAME - 1);
  context.fillStyle = inks.soft;
  if (note) context.fillText(fitted(context, note, room - used), used, beside ? 13 : 0);
  context.restore();
}

function columnNames(context: CanvasRenderingContext2D, picture: HeatPicture, layout: HeatLayout,
    inks: Inks): void {
  const { left, top, cell, flat } = layout;
  const note = (column: number) => picture.columnNote?.(column) ?? '';
  context.textAlign = 'left';
  let free = -Infinity;
  for (let k = 0; k < picture.columns; k++) {
    const x = left + k * cell, name = picture.columnName(k);
    const chosen = picture.isChosenColumn?.(k) ?? false;
    if (!flat && cell >= 9) {
      context.textBaseline = 'middle';
      verticalName(context, name, note(k), x + cell / 2, layout, inks, chosen);
    } else if (x >= free) {
      context.textBaseline = 'alphabetic';
      context.font = font(NAME, chosen ? 700 : 600);
      context.fillStyle = inks.ink;
      const room = picture.columnNote ? cell - 8 : Infinity;
      const shown = room === Infinity ? name : fitted(context, name, room);
      context.fillText(shown, x, top - (picture.columnNote ? 20 : 6));
      context.font = font(NAME - 1);
      context.fillStyle = inks.soft;
      if (picture.columnNote) context.fillText(fitted(context, note(k), cell - 8), x, top - 7);
      free = picture.columnNote ? x : x + textWidth(name) + 8;
    }
    const colour = picture.columnColour?.(k);
    if (!colour) continue;
    context.fillStyle = colour;
    context.fillRect(x, top - 4, Math.max(1, cell - 1), 3);
  }
}

function numbers(context: CanvasRenderingContext2D, picture: HeatPicture,
    layout: HeatLayout): void {
  const { left, top, cell, line, y } = layout;
  if (!picture.text || cell < 30 || line < 11) return;
  context.font = font(NAME);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let i = 0; i < picture.lines; i++)
    for (let k = 0; k < picture.columns; k++) {
      const text = picture.text(i, k);
      if (!text || context.measureText(text).width > cell - 6) continue;
      context.fillStyle = picture.ink?.(i, k) ?? '#10161f';
      context.fillText(text, left + (k + 1) * cell - 5, top + y[i] + line / 2);
    }
}

function besideTexts(context: CanvasRenderingContext2D, picture: HeatPicture, layout: HeatLayout,
    inks: Inks): void {
  const { beside } = picture;
  if (!beside) return;
  const x = barsAt(picture, layout);
  const { top, line, y, height } = layout;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.font = font(NAME, 600);
  context.fillStyle = inks.ink;
  context.fillText(beside.title, x, top - 6);
  context.font = font(NAME);
  context.fillStyle = inks.soft;
  context.textBaseline = 'middle';
  const step = Math.max(1, Math.ceil(11 / line));
  for (let i = 0; i < picture.lines; i += step)
    context.fillText(beside.note(i), x + beside.width + 8, top + y[i] + line / 2);
  if (!beside.axis) return;
  context.textBaseline = 'top';
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    context.textAlign = part === 0 ? 'left' : 'center';
    const text = part === 1 ? '100 %' : String(part * 100);
    context.fillText(text, x + part * beside.width, top + height + 4);
  }
}

function outlines(context: CanvasRenderingContext2D, picture: HeatPicture, layout: HeatLayout,
    inks: Inks): void {
  const { left, top, cell, line, y, height } = layout;
  context.strokeStyle = inks.ink;
  context.lineWidth = 1.5;
  for (let k = 0; k < picture.columns; k++)
    if (picture.isChosenColumn?.(k))
      context.strokeRect(left + k * cell - 0.5, top - 1, cell, height + 1);
  for (let i = 0; i < picture.lines; i++) {
    if (!picture.isChosenLine?.(i) || (i && picture.isChosenLine(i - 1))) continue;
    let last = i;
    while (last + 1 < picture.lines && picture.isChosenLine(last + 1)) last++;
    context.strokeRect(left - 1, top + y[i] - 0.5, picture.columns * cell + 1,
        y[last] + line - y[i]);
  }
}

function belowPictures(context: CanvasRenderingContext2D, picture: HeatPicture,
    layout: HeatLayout): void {
  const { below } = picture;
  if (!below) return;
  const y = layout.top + layout.height + 8;
  for (let k = 0; k < picture.columns; k++)
    below.draw(context, k, layout.left + k * layout.cell, y, layout.cell - 1);
}

/** Draws the whole picture. The returned context draws on top of it. */
export function paintHeatmap(raster: Raster, picture: HeatPicture, layout: HeatLayout):
    CanvasRenderingContext2D {
  const inks = inksOf(isDark());
  raster.begin(layout.width, layout.all, inks.card);
  fillCells(raster, picture, layout);
  fillBars(raster, picture, layout);
  const context = raster.show();
  numbers(context, picture, layout);
  columnNames(context, picture, layout, inks);
  lineNames(context, picture, layout, inks);
  besideTexts(context, picture, layout, inks);
  belowPictures(context, picture, layout);
  outlines(context, picture, layout, inks);
  return context;
}
