// SPDX-License-Identifier: BSD-3-Clause
// A picture of many rectangles. They are written into an array of pixels, which is then put on a
// canvas as a whole. Text is drawn on top. To call fillRect for each rectangle would take six times
// as long.
//
// Coordinates are CSS pixels. A rectangle covers the device pixels whose centre is in it, so that
// there is never an overlap or a gap between neighbours.

import { pixel } from '../colour';

export class Raster {
  readonly canvas: HTMLCanvasElement;
  width = 0; // in CSS pixels
  height = 0;
  private scale = 1;
  private pixels = new Uint32Array(0);
  private image: ImageData | null = null;

  constructor(label: string) {
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'raster';
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', label);
  }

  /** Begins a new picture of this size, filled with a colour. */
  begin(width: number, height: number, background: string): void {
    this.scale = Math.min(3, window.devicePixelRatio || 1);
    const across = Math.max(1, Math.round(width * this.scale));
    const down = Math.max(1, Math.round(height * this.scale));
    this.width = width;
    this.height = height;
    if (this.canvas.width !== across || this.canvas.height !== down || !this.image) {
      this.canvas.width = across;
      this.canvas.height = down;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
      this.image = new ImageData(across, down);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(pixel(background));
  }

  /** Fills a rectangle with a colour of pixel() in colour.ts. It is at least `least` device pixels
   * wide, so that a short one does not disappear. */
  fill(x: number, y: number, width: number, height: number, colour: number, least = 0): void {
    const across = this.canvas.width;
    const left = Math.max(0, Math.round(x * this.scale));
    const right = Math.min(across,
        Math.max(left + least, Math.round((x + width) * this.scale)));
    const top = Math.max(0, Math.round(y * this.scale));
    const bottom = Math.min(this.canvas.height, Math.round((y + height) * this.scale));
    if (right <= left) return;
    for (let line = top; line < bottom; line++)
      this.pixels.fill(colour, line * across + left, line * across + right);
  }

  /** The number of device pixels in one CSS pixel. */
  get density(): number {
    return this.scale;
  }

  /** The line of device pixels at the top of a lane, which the caller writes directly, from `first`
   * on. Null if it is not in the picture. `repeat` then makes it as high as the lane. */
  line(y: number, height: number): { pixels: Uint32Array; first: number; across: number } | null {
    const across = this.canvas.width, top = Math.max(0, Math.round(y * this.scale));
    const bottom = Math.min(this.canvas.height, Math.round((y + height) * this.scale));
    return top < bottom ? { pixels: this.pixels, first: top * across, across } : null;
  }

  repeat(y: number, height: number): void {
    const across = this.canvas.width, top = Math.max(0, Math.round(y * this.scale));
    const bottom = Math.min(this.canvas.height, Math.round((y + height) * this.scale));
    for (let line = top + 1; line < bottom; line++)
      this.pixels.copyWithin(line * across, top * across, (top + 1) * across);
  }

  /** Shows the rectangles. The returned context draws on top of them, in CSS pixels. */
  show(): CanvasRenderingContext2D {
    const context = this.canvas.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.image) context.putImageData(this.image, 0, 0);
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    return context;
  }
}

/** The font of text on pictures, at a size in CSS pixels. */
export function font(size: number, weight = 400): string {
  return `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
}

/** The text, or as much of it as fits, with an ellipsis. '' if less than two characters fit. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (width < 12) return '';
  if (text.length * 3 < width && context.measureText(text).width <= width) return text;
  let [low, high] = [0, Math.min(text.length, Math.ceil(width / 2))];
  if (high === text.length && context.measureText(text).width <= width) return text;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : `${text.slice(0, low)}…`;
}
