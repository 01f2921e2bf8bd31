// SPDX-License-Identifier: BSD-3-Clause
// The card of a live page that shows where the threads of the program are now.

import type { NodeTable, OpenTable, RegionTable, UnitTable } from '../data/tables';
import { callPath } from '../decide/command';
import { openNow, type OpenNow, type OpenPlace } from '../decide/open_now';
import { unitText } from '../decide/units';
import { card } from '../draw/card';
import { el } from '../draw/element';
import type { Selection } from '../store/selection';
import { exactSeconds, grouped, nameText, placeText, plural, seconds, unitName } from '../text';

const MOST_ROWS = 10;
const ROW_HEIGHT = 22;

export interface OpenTables {
  open: OpenTable;
  node: NodeTable;
  region: RegionTable;
  unit: UnitTable;
}

type Select = (change: Partial<Selection>) => void;

function link(text: string, title: string, select: () => void): HTMLElement {
  return el('button', { type: 'button', class: 'link strong', title, on: { click: select } }, text);
}

/** The text about the threads. It is a link that selects them, unless they are all threads. */
function threads({ unit }: OpenTables, { units }: OpenPlace, select: Select): HTMLElement | string {
  const mask = new Uint8Array(unit.process.length);
  for (const row of units) mask[row] = 1;
  const text = unitText(mask, unit);
  const count = units.length === 1 ? unitName(unit.process[units[0]], unit.thread[units[0]])
    : plural(units.length, 'thread');
  return text ? link(count, `selects ${text.length > 60 ? 'them' : text}`,
      () => select({ units: text })) : count;
}

function row(tables: OpenTables, place: OpenPlace, hasOn: boolean, select: Select): HTMLElement {
  const { region, node, unit } = tables;
  const { longest_ns, longestUnit } = place;
  const at = node.region[place.node];
  const oldest = longestUnit < 0 ? '' : unitName(unit.process[longestUnit],
      unit.thread[longestUnit]);
  return el('tr', {},
      el('th', { scope: 'row' }, link(nameText(region.name[at], 60),
          nameText(callPath(region, node, place.node), 1000),
          () => select({ view: 'regions', tab: '', node: place.node, region: -1, sort: '' })),
      el('span', { class: 'soft' }, ` ${placeText(region.file[at], region.line_start[at])}`)),
      el('td', {}, threads(tables, place, select)),
      el('td', { class: 'number', title: oldest && `${exactSeconds(longest_ns)} s` },
          seconds(longest_ns)),
      hasOn ? el('td', {}, place.units.length > 1 && oldest
        ? link(oldest, 'selects this unit', () => select({ units: oldest })) : '') : null);
}

export class OpenCard {
  readonly element: HTMLElement;
  /** The largest number of rows in this look and all earlier ones. The card keeps room for this
   * number of rows: if the card became smaller, everything below it would move. */
  readonly rows: number;

  constructor(tables: OpenTables, select: Select, rowsBefore: number) {
    const now = openNow(tables.open, MOST_ROWS);
    this.rows = Math.max(rowsBefore, now.places.length);
    this.element = makeCard(tables, now, select, this.rows);
  }
}

function makeCard(tables: OpenTables, { places, left, units }: OpenNow, select: Select,
    rows: number): HTMLElement {
  const heading = (text: string, title = '') => el('th', { scope: 'col', title }, text);
  const hasOn = places.some(place => place.units.length > 1);
  const table = el('table', { class: 'plain open-now', 'aria-label': 'regions that are open now' },
      el('thead', {}, el('tr', {}, heading('region'), heading('threads'),
          el('th', { scope: 'col', class: 'number',
            title: 'age of the activation that is open for longest' }, 'for up to'),
          hasOn ? heading('on', 'the thread with this activation') : null)),
      el('tbody', {}, ...places.map(place => row(tables, place, hasOn, select))));
  const remark = `where ${plural(units, 'thread')} of the program ${units === 1 ? 'is' : 'are'}`;
  return card({ title: 'Open now', class: 'open-card', remark },
  el('div', { style: { 'min-height': `${(rows + 1) * ROW_HEIGHT}px` } }, places.length ? table
    : el('p', { class: 'soft' }, 'No thread that runs is inside a region.')),
  left.places ? el('p', { class: 'note' }, `Left out: ${plural(left.places, 'further call path')} `
    + `with ${grouped(left.units)} threads.`) : null,
  el('p', { class: 'note' }, 'The run is classified up to now. Activations that are open count '
    + 'until now.'));
}
