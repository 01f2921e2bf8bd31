// SPDX-License-Identifier: BSD-3-Clause
// The find field: the regions, overheads and units whose names match the typed text. Pure
// functions.

import type { OverheadKind } from '../data/index';
import type { RegionTable, UnitTable } from '../data/tables';
import type { Selection } from '../store/selection';
import { nameText, placeText } from '../text';
import { matcher } from './tree';
import { unitMask } from './units';

export interface Found {
  kind: 'region' | 'overhead' | 'units';
  name: string;
  detail: string;
  change: Partial<Selection>;
}

function* regions(search: string, region: RegionTable): Generator<Found> {
  const matches = matcher(search);
  for (let row = 0; matches && row < region.name.length; row++) {
    const place = placeText(region.file[row], region.line_start[row]);
    if (matches(`${region.name[row]} ${place}`))
      yield { kind: 'region', name: nameText(region.name[row], 80), detail: place,
        change: { region: row, node: -1, search: '' } };
  }
}

function* overheads(search: string, kinds: readonly OverheadKind[]): Generator<Found> {
  const matches = matcher(search);
  if (matches?.('useful work'))
    yield { kind: 'overhead', name: 'useful work', detail: '',
      change: { overhead: 'useful', search: '' } };
  for (const { name, text } of kinds)
    if (matches?.(`${name} ${text}`))
      yield { kind: 'overhead', name, detail: text, change: { overhead: name, search: '' } };
}

function* units(search: string, unit: UnitTable): Generator<Found> {
  const text = search.trim();
  if (/^\d[\d.,-]*$/.test(text) && unitMask(text, unit))
    yield { kind: 'units', name: text, detail: 'processing units',
      change: { units: text, search: '' } };
}

function first<T>(list: Generator<T>, most: number): T[] {
  const taken: T[] = [];
  for (const each of list) {
    if (taken.length === most) break;
    taken.push(each);
  }
  return taken;
}

/** Finds at most `most` of each kind: first units, then regions, then overheads. */
export function find(search: string, kinds: readonly OverheadKind[], region: RegionTable,
    unit: UnitTable, most: number): Found[] {
  return [...first(units(search, unit), 1), ...first(regions(search, region), most),
    ...first(overheads(search, kinds), most)];
}
