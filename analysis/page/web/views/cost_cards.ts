// SPDX-License-Identifier: BSD-3-Clause
// The cards of view Cost that do not depend on the selection: the decisions of the budget, the
// regions that the next run need not measure, and the calibration of the machine.

import type { RegionTable } from '../data/tables';
import { mainPortions, PORTION_TEXT, RUNG_TEXT, RUNGS, type CalibrationDocument, type FilterRow,
  type OffInside, type RegionRungs, type Rung, type RungLane, type SwitchedOff }
  from '../decide/cost';
import { card } from '../draw/card';
import { el, svg, swatch } from '../draw/element';
import { COUNTS, nameText, percent, placeText, plural, seconds } from '../text';

const MOST_REGIONS = 20;
const MOST_LANES = 16; // the most processes that are shown for a region

/* -- decisions of the budget ------------------------------------------------------------------ */

function rungColour(rung: Rung): string {
  return `var(--rung-${RUNGS.indexOf(rung)})`;
}

function stretchText(lane: RungLane): string {
  return lane.stretches.map(({ rung, from, to }) =>
    `${RUNG_TEXT[rung]} from ${seconds(from)} to ${seconds(to)}`).join(', ');
}

/** A picture with a line for each process, over the time of the run. */
function history({ lanes }: RegionRungs, end: number): SVGElement {
  const shown = lanes.slice(0, MOST_LANES), height = shown.length > 4 ? 5 : 10;
  const x = (ns: number) => end > 0 ? 300 * ns / end : 0;
  return svg('svg', { viewBox: `0 0 300 ${shown.length * height}`, class: 'history', role: 'img',
    preserveAspectRatio: 'none', style: { height: `${shown.length * height}px` },
    'aria-label': shown.map(lane => `process ${lane.process}: ${stretchText(lane)}`).join('; ') },
  ...shown.flatMap((lane, row) => lane.stretches.map(({ rung, from, to }) => svg('rect', {
    x: x(from), width: Math.max(0.5, x(to) - x(from)), y: row * height, height: height - 1,
    style: { fill: rungColour(rung) } }, svg('title', {},
      `process ${lane.process}: ${stretchText(lane)}`)))));
}

function rungRow(rungs: RegionRungs, region: RegionTable, end: number): HTMLElement {
  const row = rungs.region;
  return el('tr', {}, el('th', { scope: 'row' }, el('span', { class: 'name' },
      nameText(region.name[row], 60)), ' ',
  el('code', { class: 'soft' }, placeText(region.file[row], region.line_start[row]))),
  el('td', {}, RUNG_TEXT[rungs.lowest]),
  el('td', { class: 'number' }, rungs.lanes.length), el('td', { class: 'picture' },
      history(rungs, end)));
}

function offInside(list: OffInside[]): HTMLElement | null {
  if (!list.length) return null;
  return el('ul', { class: 'plain-list' }, ...list.slice(0, MOST_REGIONS).map(
      ({ region, place, includes_off }) => el('li', {}, el('b', {}, nameText(region, 60)), ' ',
          el('code', { class: 'soft' }, nameText(place, 60)),
          ` has in its time ${nameText(includes_off.join(', '), 300)}`)));
}

/** The card of everything that rules, commands and the program had switched off; null if there is
 * nothing. `includes` is as in rungsCard. */
export function switchedCard(list: readonly SwitchedOff[], includes: OffInside[],
    command: string): HTMLElement | null {
  if (!list.length) return null;
  return card({ title: 'What was off for a part of the run', remark: 'rules, commands, pauses',
    class: 'below', command },
  el('ul', { class: 'plain-list' }, ...list.slice(0, MOST_REGIONS).map(
      ({ text }) => el('li', {}, nameText(text, 300)))),
  list.length > MOST_REGIONS ? el('p', { class: 'note' },
      `${list.length - MOST_REGIONS} more; sis-analyze show lists all.`) : null,
  offInside(includes));
}

/** `includes` has the regions whose time includes that of regions that were off. */
export function rungsCard(rungs: readonly RegionRungs[], region: RegionTable, end: number,
    includes: OffInside[], command: string): HTMLElement {
  if (!rungs.length)
    return card({ title: 'What the budget decided', command }, el('p', { class: 'note' },
        'No region cost so much that SIS_OVERHEAD turned it down.'));
  const shown = rungs.slice(0, MOST_REGIONS);
  return card({ title: 'What the budget decided', remark: plural(rungs.length, 'region'), command },
      el('div', { class: 'legend' }, ...RUNGS.map(rung => el('span', {}, swatch(rungColour(rung)),
          RUNG_TEXT[rung]))),
      el('table', { class: 'plain rungs', 'aria-label': 'what the budget decided' },
          el('thead', {}, el('tr', {}, el('th', {}, 'region'), el('th', {}, 'at least'),
              el('th', { class: 'number' }, 'processes'),
              el('th', {}, `from 0 to ${seconds(end)}, a line for each process`))),
          el('tbody', {}, ...shown.map(each => rungRow(each, region, end)))),
      rungs.length > shown.length ? el('p', { class: 'note' },
          `${rungs.length - shown.length} more regions; sis-analyze show lists all.`) : null,
      includes.length ? el('p', { class: 'note' }, 'Calls of regions that were off are missing, '
        + 'and their time is in the regions around them:') : null, offInside(includes));
}

/* -- the next run ----------------------------------------------------------------------------- */

export function filterCard(rows: readonly FilterRow[] | undefined, command: string): HTMLElement {
  if (!rows?.length)
    return card({ title: 'What the next run can do without', command }, el('p', { class: 'note' },
        'No region is worth excluding.'));
  return card({ title: 'What the next run can do without', command,
    remark: 'the dearest regions first' },
  el('table', { class: 'plain', 'aria-label': 'regions to exclude' },
      el('thead', {}, el('tr', {}, el('th', {}, 'pattern'), el('th', {}, 'place'),
          el('th', { class: 'number' }, 'calls'), el('th', { class: 'number' }, 'cost'),
          el('th', { class: 'number' }, 'left'), el('th', {}, 'what is lost'))),
      el('tbody', {}, ...rows.slice(0, MOST_REGIONS).map(row => el('tr', {},
          el('th', { scope: 'row' }, nameText(row.pattern, 50)),
          el('td', {}, nameText(row.place, 50)),
          el('td', { class: 'number' }, COUNTS.text(row.calls)),
          el('td', { class: 'number' }, seconds(Math.round(row.cost * 1e9))),
          el('td', { class: 'number', title: 'share of the run that probes then still take' },
              percent(row.after)), el('td', {}, nameText(row.loss, 60)))))),
  rows.length > MOST_REGIONS ? el('p', { class: 'note' },
      `${rows.length - MOST_REGIONS} more; the command lists all.`) : null);
}

/* -- the machine ------------------------------------------------------------------------------ */

export function calibrationCard(document: CalibrationDocument | undefined): HTMLElement {
  if (!document)
    return card({ title: 'What measuring costs on this machine', class: 'below',
      command: 'sis-analyze calibrate --quick' }, el('p', { class: 'note' },
        'The repository has no calibration of the machine. The command measures what a region, a '
          + 'call of MPI or a counter costs there.'));
  const rows = mainPortions(document), most = Math.max(1, ...rows.map(row => row.median_ns));
  const ns = (value: number) => seconds(Math.round(value * 10) / 10);
  return card({ title: 'What measuring costs on this machine', class: 'below',
    command: `sis-analyze calibrate ${document.id}`,
    remark: nameText(`${document.processor}, ${document.host}, ${document.started.slice(0, 10)}; `
      + `a call, median of ${plural(document.processes, 'process', 'processes')}`, 200) },
  el('table', { class: 'plain calibration', 'aria-label': 'portions of the cost' },
      el('thead', {}, el('tr', {}, el('th', {}, 'of'), el('th', {}, 'portion'),
          el('th', { class: 'number' }, 'median'), el('th', { class: 'number' }, 'quartiles'),
          el('th', {}))),
      el('tbody', {}, ...rows.map(row => el('tr', {}, el('th', { scope: 'row' },
          nameText(row.kernel, 60)), el('td', {}, nameText(row.portion, 60), ' ',
          el('span', { class: 'soft' }, PORTION_TEXT[row.portion] ?? '')),
      el('td', { class: 'number' }, ns(row.median_ns)),
      el('td', { class: 'number' }, `${ns(row.lower_quartile_ns)} to ${ns(row.upper_quartile_ns)}`),
      el('td', { class: 'wide' }, el('div', { class: 'meter' }, el('b', { style: {
        width: `${100 * Math.max(0, row.median_ns) / most}%` } }))))))));
}
