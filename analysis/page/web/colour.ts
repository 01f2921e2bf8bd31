// SPDX-License-Identifier: BSD-3-Clause
// The colours of useful work and of overheads. The family (a child of OTOTAL) gives the hue, the
// leaf the lightness. A leaf has the same colour on every page, because its lightness follows from
// its row in overheads.def. Colour-blind people can distinguish the hues, too. Nevertheless, each
// colour has a word or a number beside it. Pure; draw/theme.ts knows which theme is shown.

import type { OverheadKind } from './data/index';
import { USEFUL } from './data/tables';

export type Family = 'useful' | 'ODATA' | 'OSYNC' | 'OCTRL' | 'OADD' | 'OLOSS' | 'OPROBE' |
  'OUNID' | 'UNMEASURED';

/** The families of leaves, in the order in which pictures stack them. */
export const FAMILIES: readonly Family[] = ['useful', 'ODATA', 'OSYNC', 'OCTRL', 'OADD', 'OLOSS',
  'OPROBE', 'OUNID', 'UNMEASURED'];

type Hues = { readonly [family in Family]: string };

const LIGHT: Hues = {
  useful: '#33415c', ODATA: '#4aa3e0', OSYNC: '#f0b429', OCTRL: '#a0509c', OADD: '#117a65',
  OLOSS: '#d1491b', OPROBE: '#b4bbc5', OUNID: '#d6dbe1', UNMEASURED: '#e4e7eb',
};
const DARK: Hues = {
  useful: '#8fa3c4', ODATA: '#4aa3e0', OSYNC: '#f0b429', OCTRL: '#b565b0', OADD: '#1f9c82',
  OLOSS: '#e0592b', OPROBE: '#737d8a', OUNID: '#535d69', UNMEASURED: '#3b444f',
};

/** The other colours of pictures, besides those of time. page.css has the same values. */
export interface Inks {
  readonly card: string; // behind pictures
  readonly ink: string; // text on it
  readonly soft: string; // text that matters less
  readonly focus: string; // around the item that has the focus
}

export function inksOf(dark: boolean): Inks {
  return dark
    ? { card: '#1a2028', ink: '#e7ebf0', soft: '#a6b0bd', focus: '#7fb0ff' }
    : { card: '#ffffff', ink: '#1d2530', soft: '#566170', focus: '#1b5fd0' };
}

export interface Colours extends Inks {
  readonly dark: boolean;
  /** The colour of a row of PageIndex.overheads, or of USEFUL. A row that is no leaf has the colour
   * of its family. */
  leaf(row: number): string;
  family(family: Family): string;
  familyOf(row: number): Family;
  /** For each row of PageIndex.overheads, its family as a row of FAMILIES. For USEFUL, it is 0. */
  readonly familyRow: Uint8Array;
}

function channels(hex: string): [number, number, number] {
  return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)) as [number, number, number];
}

/** A colour between two others: `a` if the share is 0, `b` if it is 1. */
export function mix(a: string, b: string, share: number): string {
  const to = channels(b);
  const mixed = channels(a).map((x, i) => Math.round(x + (to[i] - x) * share));
  return `#${mixed.map(x => x.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(c => {
    const x = c / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** How well two colours can be distinguished, by WCAG: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The colour of text on a colour: black or white, because one of them can be read on any
 * colour. */
export function textOn(hex: string): string {
  return contrast(hex, '#000000') >= contrast(hex, '#ffffff') ? '#000000' : '#ffffff';
}

/** A pixel of a Raster: opaque, with red in the lowest byte. */
export function pixel(hex: string): number {
  const [r, g, b] = channels(hex);
  return (0xff000000 | b << 16 | g << 8 | r) >>> 0;
}

export function familyOf(kinds: readonly OverheadKind[], row: number): Family {
  if (row === USEFUL) return 'useful';
  let at = row;
  while (at >= 0 && at < kinds.length) {
    const family = FAMILIES.find(name => name === kinds[at].name);
    if (family) return family;
    at = kinds[at].parent;
  }
  return 'OUNID';
}

/** How much nearer each leaf is to the background than its family, from 0 to 0.5. Neighbours in
 * overheads.def differ clearly. */
function lightness(kinds: readonly OverheadKind[], families: readonly Family[]): number[] {
  const seen = new Map<Family, number>();
  return kinds.map((kind, row) => {
    if (!kind.is_leaf) return 0;
    const number = seen.get(families[row]) ?? 0;
    seen.set(families[row], number + 1);
    return 0.5 * ((number * 0.618034) % 1);
  });
}

export function coloursOf(kinds: readonly OverheadKind[], dark: boolean): Colours {
  const hues = dark ? DARK : LIGHT;
  const inks = inksOf(dark);
  const families = kinds.map((_, row) => familyOf(kinds, row));
  const light = lightness(kinds, families);
  const leaves = kinds.map((_, row) => mix(hues[families[row]], inks.card, light[row]));
  const familyRow = new Uint8Array(256).fill(FAMILIES.indexOf('OUNID'));
  families.forEach((family, row) => { familyRow[row] = FAMILIES.indexOf(family); });
  familyRow[USEFUL] = 0;
  return {
    ...inks, dark, familyRow,
    leaf: row => row === USEFUL ? hues.useful : leaves[row] ?? hues.OUNID,
    family: family => hues[family],
    familyOf: row => FAMILIES[familyRow[row]],
  };
}

/** The name of a family in legends: a short name, or its text in overheads.def. */
export function familyText(kinds: readonly OverheadKind[], family: Family): string {
  if (family === 'useful') return 'useful work';
  if (family === 'OPROBE') return 'probes';
  if (family === 'UNMEASURED') return 'not measured';
  return kinds.find(kind => kind.name === family)?.text ?? family;
}
