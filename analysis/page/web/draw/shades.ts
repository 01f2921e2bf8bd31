// SPDX-License-Identifier: BSD-3-Clause
// Shades of a colour for the cells of heat maps, and the ramp that explains them.

import { mix, pixel, textOn } from '../colour';
import { el } from './element';

const STEPS = 48;

/** Shades from nearly the background to the full colour. A shade is chosen by the square root of
 * the share, so that small values are visible. */
export class Shades {
  private readonly hex: string[] = [];
  private readonly pixels: Uint32Array;

  constructor(readonly colour: string, card: string) {
    for (let i = 0; i <= STEPS; i++) this.hex.push(mix(card, colour, 0.1 + 0.9 * i / STEPS));
    this.pixels = Uint32Array.from(this.hex, pixel);
  }

  private step(value: number, most: number): number {
    return Math.round(STEPS * Math.sqrt(Math.max(0, Math.min(1, value / most))));
  }

  pixel(value: number, most: number): number {
    return value > 0 && most > 0 ? this.pixels[this.step(value, most)] : 0;
  }

  ink(value: number, most: number): string {
    return textOn(this.hex[most > 0 ? this.step(value, most) : 0]);
  }
}

/** The legend of shades, from 0 to the largest value. Half of the largest value is at the place
 * that has its shade. */
export function ramp(shades: Shades, card: string, most: string): HTMLElement {
  const stops = [0, 0.25, 0.5, 0.75, 1].map(share => mix(card, shades.colour, 0.1 + 0.9 * share));
  return el('span', { class: 'ramp', title: 'the depth of a colour follows the square root' },
      '0', el('i', { style: { background: `linear-gradient(90deg, ${stops.join()})` } }), most);
}
