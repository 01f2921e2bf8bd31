// SPDX-License-Identifier: BSD-3-Clause
// A heat map: lines and columns of coloured cells, with names, and with numbers in the cells if
// they fit. The view may have pictures beside the lines and below the columns. Keys move a cursor
// from cell to cell. Screen readers read for each cell the text that the pointer would show.
// heatmap_paint.ts draws.
//
// The heat map decides nothing: it draws a HeatPicture, and reports which cell the user chose.

import { inksOf } from '../colour';
import { el, listen } from './element';
import { layoutOf, paintHeatmap, type HeatLayout } from './heatmap_paint';
import { Hover } from './hover';
import { Raster } from './raster';
import { isDark } from './theme';

export type HoverLine = string | readonly [string, string];

export interface HeatPicture {
  readonly lines: number;
  readonly columns: number;
  lineName(line: number): string;
  columnName(column: number): string;
  columnNote?(column: number): string; // written below the name, fainter
  columnColour?(column: number): string; // a mark before the name
  /** A pixel of colour.ts; 0 if the cell is empty. */
  colour(line: number, column: number): number;
  text?(line: number, column: number): string; // drawn in large cells
  ink?(line: number, column: number): string;
  /** Whether there is a gap before the line, for example before the first unit of a process. */
  startsGroup?(line: number): boolean;
  isChosenLine?(line: number): boolean;
  isChosenColumn?(column: number): boolean;
  readonly lineTitle: string; // above the names of lines: 'unit'
  readonly beside?: Beside;
  readonly below?: Below;
  describe(line: number, column: number): { heading: string; lines: readonly HoverLine[] };
}

/** Bars beside the lines. */
export interface Beside {
  readonly title: string;
  readonly width: number;
  readonly axis: boolean; // whether an axis from 0 to 100 % is below the bars
  parts(line: number): readonly { share: number; colour: number }[];
  note(line: number): string; // written after the bar
  describe(line: number): { heading: string; lines: readonly HoverLine[] };
}

/** A picture below each column, which shows how its values are distributed. */
export interface Below {
  readonly height: number;
  draw(context: CanvasRenderingContext2D, column: number, x: number, y: number,
    width: number): void;
  describe(column: number): { heading: string; lines: readonly HoverLine[] };
}

export interface HeatOptions {
  readonly label: string; // for screen readers
  readonly mostHeight?: number; // the largest height of all lines together
  readonly mostCell?: number; // the largest width of a cell
  readonly square?: boolean; // whether columns and lines stand for the same things
  select(line: number, column: number): void; // one of them is -1 if a name was clicked
  activate?(line: number, column: number): void; // for a second Enter, or a double click
}

let maps = 0;

export class Heatmap {
  readonly element: HTMLElement;
  private readonly raster: Raster;
  private readonly hover = new Hover();
  private readonly spoken: HTMLElement; // the cell with the cursor, for screen readers
  private readonly spokenLine: HTMLElement;
  private readonly stops: (() => void)[] = [];
  private readonly observer: ResizeObserver;
  private readonly id = `heatmap-${++maps}`;
  private picture: HeatPicture | null = null;
  private layout: HeatLayout | null = null;
  private line = 0;
  private column = 0;
  private frame = 0;

  constructor(host: HTMLElement, private readonly options: HeatOptions) {
    this.raster = new Raster(options.label);
    this.raster.canvas.setAttribute('aria-hidden', 'true');
    this.spoken = el('span', { role: 'gridcell', id: `${this.id}-cell` });
    this.spokenLine = el('span', { role: 'row', class: 'spoken' }, this.spoken);
    this.element = el('div', { class: 'heatmap', role: 'grid', tabindex: 0,
      'aria-label': options.label, 'aria-activedescendant': `${this.id}-cell` },
    this.raster.canvas, this.spokenLine);
    host.append(this.element);
    const { canvas } = this.raster;
    this.stops.push(
        listen(canvas, 'mousemove', event => this.point(event)),
        listen(canvas, 'mouseleave', () => this.hover.hide()),
        listen(canvas, 'click', event => this.click(event)),
        listen(canvas, 'dblclick', event => this.open(event)),
        listen(this.element, 'keydown', event => this.key(event)),
        listen(this.element, 'focus', () => this.draw()),
        listen(this.element, 'blur', () => this.leave()));
    this.observer = new ResizeObserver(() => this.later());
    this.observer.observe(this.element);
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    for (const stop of this.stops) stop();
    this.hover.destroy();
    this.element.remove();
  }

  show(picture: HeatPicture): void {
    this.picture = picture;
    this.line = Math.max(0, Math.min(this.line, picture.lines - 1));
    this.column = Math.max(0, Math.min(this.column, picture.columns - 1));
    this.element.setAttribute('aria-rowcount', String(picture.lines));
    this.element.setAttribute('aria-colcount', String(picture.columns));
    this.draw();
  }

  /** The cell with the cursor. */
  get cursor(): readonly [line: number, column: number] {
    return [this.line, this.column];
  }

  /** Moves the cursor without telling the view. */
  moveTo(line: number, column: number): void {
    if (line >= 0) this.line = line;
    if (column >= 0) this.column = column;
    this.draw();
  }

  private later(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      if (this.layout?.available !== this.element.clientWidth) this.draw();
    });
  }

  private draw(): void {
    const { picture, options } = this;
    const width = this.element.clientWidth;
    if (!picture || width < 40) return;
    this.layout = layoutOf(picture, options, width);
    const focused = document.activeElement === this.element;
    const context = paintHeatmap(this.raster, picture, this.layout);
    if (focused) this.drawCursor(context, this.layout);
    this.speak();
  }

  private drawCursor(context: CanvasRenderingContext2D, layout: HeatLayout): void {
    context.strokeStyle = inksOf(isDark()).focus;
    context.lineWidth = 2;
    context.strokeRect(layout.left + this.column * layout.cell, layout.top + layout.y[this.line],
        layout.cell, Math.max(3, layout.line));
  }

  private speak(): void {
    const { picture, line, column } = this;
    if (!picture || !picture.lines || !picture.columns) return;
    const { heading, lines } = picture.describe(line, column);
    const words = lines.map(each => typeof each === 'string' ? each : each.join(' '));
    this.spokenLine.setAttribute('aria-rowindex', String(line + 1));
    this.spoken.setAttribute('aria-colindex', String(column + 1));
    this.spoken.textContent = [heading, ...words].join(', ');
  }

  // -- the pointer --------------------------------------------------------------------------------

  /** The cell at a place. For a name, the line or the column is -1. Null if nothing is there. */
  private at(event: MouseEvent): { line: number; column: number; beside: boolean } | null {
    const { picture, layout } = this;
    if (!picture || !layout) return null;
    const [x, y] = [event.offsetX - layout.left, event.offsetY - layout.top];
    const column = Math.floor(x / layout.cell);
    const inColumns = x >= 0 && column < picture.columns;
    const line = y < 0 ? -1 : layout.lineAt(y);
    if (inColumns && (y < 0 || y >= layout.height)) return { line: -1, column, beside: false };
    if (line < 0) return null;
    return { line, column: inColumns ? column : -1, beside: x >= 0 && !inColumns };
  }

  private point(event: MouseEvent): void {
    const { picture } = this;
    const at = this.at(event);
    const said = !picture || !at ? null
      : at.line >= 0 && at.column >= 0 ? picture.describe(at.line, at.column)
        : at.line < 0 ? picture.below?.describe(at.column)
          : picture.beside?.describe(at.line);
    if (said) this.hover.show(event, said.heading, said.lines);
    else this.hover.hide();
    this.raster.canvas.style.cursor = at ? 'pointer' : '';
  }

  private click(event: MouseEvent): void {
    const at = this.at(event);
    if (!at) return;
    this.moveTo(at.line, at.column);
    this.options.select(at.line, at.column);
  }

  private open(event: MouseEvent): void {
    const at = this.at(event);
    if (at) this.options.activate?.(at.line, at.column);
  }

  // -- keys ---------------------------------------------------------------------------------------

  private leave(): void {
    this.hover.hide();
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.picture) return;
    if (!this.act(event.key, event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private act(key: string, shift: boolean): boolean {
    const { lines, columns } = this.picture!;
    const { line, column } = this;
    const steps: { [key: string]: [number, number] } = {
      ArrowDown: [line + 1, column], ArrowUp: [line - 1, column],
      ArrowRight: [line, column + 1], ArrowLeft: [line, column - 1],
      PageDown: [line + 16, column], PageUp: [line - 16, column],
      Home: [shift ? 0 : line, 0], End: [shift ? lines - 1 : line, columns - 1],
    };
    if (steps[key]) {
      const [to, across] = steps[key];
      this.moveTo(Math.max(0, Math.min(lines - 1, to)), Math.max(0, Math.min(columns - 1, across)));
      return true;
    }
    if (key === 'Enter' && shift) this.options.activate?.(line, column);
    else if (key === 'Enter' || key === ' ') this.options.select(line, column);
    else return false;
    return true;
  }
}
