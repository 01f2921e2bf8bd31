// SPDX-License-Identifier: BSD-3-Clause
// The cards of view Overview with the results of `sis-analyze report`: efficiencies, the critical
// path, advice, and the regions that lost the most time.

import type { Colours } from '../colour';
import type { Advice, Cause, ReportDocument } from '../data/documents';
import type { EfficiencyKind, OverheadKind } from '../data/index';
import { type EfficiencyRow, efficiencyRows, grade } from '../decide/overview';
import { el, swatch } from '../draw/element';
import { nameText, percent, placeText, plural, seconds, unitName } from '../text';

/** Goes to a region that a document names by its name and place, such as 'model.c:110'. */
export type GoTo = (region: string, place: string) => void;

export interface Cards {
  kinds: readonly OverheadKind[];
  colours: Colours;
  report: ReportDocument;
  go: GoTo;
}

function meter(share: number, name: string): HTMLElement {
  return el('span', { class: `meter ${name}`, 'aria-hidden': 'true' },
      el('b', { style: { width: `${Math.max(0, Math.min(1, share)) * 100}%` } }));
}

function regionLink(go: GoTo, region: string, place: string, shown = region): HTMLElement {
  const where = place === '-' ? '' : nameText(place);
  return el('button', { type: 'button', class: 'link', title: `${nameText(shown)} ${where}`,
    on: { click: () => go(region, place) } },
  el('span', { class: 'name' }, nameText(shown, 60)), where ? el('code', {}, where) : null);
}

// -- efficiencies ---------------------------------------------------------------------------------

function efficiencyRow({ kind, value }: EfficiencyRow, least: number): HTMLElement {
  const mark = grade(value);
  return el('tr', { title: kind.text },
      el('th', { scope: 'row', style: { '--level': String(kind.depth - least) } }, kind.title),
      el('td', { class: 'wide' }, meter(value, `graded ${mark}`)),
      el('td', { class: 'number' }, percent(value)),
      el('td', { class: `grade ${mark}` }, mark));
}

export function efficiencies(kinds: readonly EfficiencyKind[], { report }: Cards): HTMLElement {
  const rows = efficiencyRows(kinds, report);
  if (!rows.length)
    return el('p', { class: 'note' }, 'Nothing is known: the run has no useful time.');
  const least = Math.min(...rows.map(row => row.kind.depth));
  return el('div', {},
      el('table', { class: 'plain efficiencies', 'aria-label': 'efficiencies' },
          el('tbody', {}, ...rows.map(row => efficiencyRow(row, least)))),
      el('p', { class: 'note' }, 'Each is the product of those one step further in. From the line '
        + '(80 %) on it is good, below 60 % low.'));
}

// -- critical path --------------------------------------------------------------------------------

export function criticalPath({ report, go }: Cards, most: number): HTMLElement {
  const steps = report.critical_path.slice(0, most);
  if (!steps.length)
    return el('p', { class: 'note' }, 'It is not known: no process recorded its waits.');
  const rest = report.critical_path.slice(most).reduce((sum, step) => sum + step.share, 0);
  return el('div', {},
      el('table', { class: 'plain critical', 'aria-label': 'critical path' },
          el('tbody', {}, ...steps.map(step => el('tr', { title: nameText(step.path ?? '') },
              el('th', { scope: 'row' }, regionLink(go, step.region, step.place)),
              el('td', { class: 'wide' }, meter(step.share, '')),
              el('td', { class: 'number' }, percent(step.share)),
              el('td', { class: 'soft', title: 'processes on it' },
                  `${step.processes} proc.`))))),
      rest > 0 ? el('p', { class: 'note' }, `${report.critical_path.length - most} more regions: `
        + `${percent(rest)}.`) : null);
}

// -- advice ---------------------------------------------------------------------------------------

function sentence(text: string): string {
  const shown = nameText(text, 600);
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`;
}

function leads({ share, waited }: Cause): boolean {
  return share >= 0.5 && !waited;
}

function causeUnits({ process, thread, culprits }: Cause): string {
  const unit = process === null || thread === null ? '' : unitName(process, thread);
  return `unit ${unit}${culprits > 1 ? ` and ${plural(culprits - 1, 'other unit')}` : ''}`;
}

/** The text about a cause, as in `sis-analyze report`. It is '' if the cause explains less than a
 * tenth. */
function causeText(cause: Cause): string {
  const { region, file, line_start, share, waited, estimated_share } = cause;
  if (share < 0.1) return '';
  const place = placeText(file, line_start), estimated = estimated_share > 0.1 ? ', estimated' : '';
  if (leads(cause)) return ` It is the cause of ${percent(share)} of it${estimated}.`;
  return ` Cause of ${percent(share)} of it: ${causeUnits(cause)}`
    + `${waited ? ', itself waiting,' : ''} in ${nameText(region, 60)}`
    + `${place ? ` (${place})` : ''}${estimated}.`;
}

/** The beginning of the advice: the cause of most of the waits. */
function leadParts(cause: Cause, go: Cards['go']): (Node | string)[] {
  return [regionLink(go, cause.region, placeText(cause.file, cause.line_start) || '-'),
    el('span', { class: 'soft' }, `${causeUnits(cause)} makes others wait in`)];
}

export interface Excerpt {
  line: number;
  text: string;
}

function excerptBlock(lines: readonly Excerpt[], at: number, colour: string): HTMLElement {
  const width = String(lines[lines.length - 1].line).length;
  return el('pre', { class: 'excerpt', style: { '--hue': colour } },
      ...lines.map(({ line, text }) => el('span', { class: line === at ? 'at' : '' },
          `${String(line).padStart(width)}  ${nameText(text.replace(/\t/g, '    '), 160)}\n`)));
}

function adviceItem({ kinds, colours, report, go }: Cards, advice: Advice,
    lines: readonly Excerpt[]): HTMLElement {
  const row = kinds.findIndex(kind => kind.name === advice.overhead);
  const place = placeText(advice.file, advice.line_start);
  const gain = kinds[row]?.is_of_run ? 'lost' : 'to gain';
  return el('li', {},
      el('div', { class: 'advice-head' },
          ...(advice.cause && leads(advice.cause) ? leadParts(advice.cause, go) : []),
          regionLink(go, advice.region, place || '-'),
          advice.places > 1 ? el('span', { class: 'soft' }, `and ${advice.places - 1} more`) : null,
          el('span', { class: 'gain' }, el('b', {}, seconds(1e9 * advice.seconds)),
              el('small', {}, `${percent(advice.seconds / report.t_p)} ${gain}`))),
      el('p', {}, swatch(colours.leaf(row)), el('b', { title: kinds[row]?.text }, advice.overhead),
          ` ${sentence(advice.finding)} `, sentence(advice.advice),
          advice.cause ? causeText(advice.cause) : ''),
      lines.length ? excerptBlock(lines, advice.line_start, colours.leaf(row)) : null);
}

export function adviceList(cards: Cards, next: string,
    excerpt: (advice: Advice) => readonly Excerpt[]): HTMLElement {
  const { actions } = cards.report;
  return el('div', {},
      actions.length
        ? el('ol', { class: 'advice' },
            ...actions.map(advice => adviceItem(cards, advice, excerpt(advice))))
        : el('p', {}, nameText(next, 1000)));
}

// -- worst regions --------------------------------------------------------------------------------

export function worstRegions({ kinds, colours, report, go }: Cards): HTMLElement {
  const most = Math.max(...report.worst.map(each => each.useful + each.overhead), 1e-9);
  const width = (part: number) => `${100 * part / most}%`;
  return el('table', { class: 'plain worst', 'aria-label': 'the worst regions' },
      el('thead', {}, el('tr', {}, ...['region', '', 'useful [s]', 'overhead [s]', 'mostly']
          .map((title, i) => el('th', { scope: 'col', class: i === 2 || i === 3 ? 'number' : '' },
              title)))),
      el('tbody', {}, ...report.worst.map(each => {
        const row = kinds.findIndex(kind => kind.name === each.mostly);
        return el('tr', {},
            el('th', { scope: 'row' }, regionLink(go, each.region, each.place, each.name)),
            el('td', { class: 'wide' }, el('span', { class: 'meter two', 'aria-hidden': 'true' },
                el('b', { style: { width: width(each.useful),
                  background: colours.family('useful') } }),
                el('b', { style: { width: width(each.overhead),
                  background: colours.leaf(row) } }))),
            el('td', { class: 'number' }, each.useful.toFixed(6)),
            el('td', { class: 'number' }, each.overhead.toFixed(6)),
            el('td', { title: kinds[row]?.text }, swatch(colours.leaf(row)), each.mostly));
      })));
}

// -- efficiencies of regions ----------------------------------------------------------------------

const FACTORS = [
  ['parallel_efficiency', 'efficiency'], ['mpi_load_balance', 'MPI balance'],
  ['mpi_communication_efficiency', 'communication'], ['omp_parallel_efficiency', 'threads'],
  ['local_efficiency', 'within'],
] as const;

export function regionEfficiencies({ report, go }: Cards): HTMLElement {
  return el('table', { class: 'plain region-efficiencies', 'aria-label': 'efficiencies by region' },
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'region'),
          el('th', { scope: 'col', class: 'number' }, 'share of T_p'),
          el('th', { scope: 'col', class: 'number' }, 'units'),
          ...FACTORS.map(([, title]) => el('th', { scope: 'col', class: 'number' }, title)))),
      el('tbody', {}, ...report.regions.map(each => el('tr', {},
          el('th', { scope: 'row' }, regionLink(go, each.region, each.place)),
          el('td', { class: 'number' }, percent(each.share)),
          el('td', { class: 'number' }, each.processing_units),
          ...FACTORS.map(([key]) => {
            const value = each[key];
            return value === null ? el('td', { class: 'number soft' }, '-')
              : el('td', { class: `number grade ${grade(value)}`, title: grade(value) },
                  percent(value));
          })))));
}
