// SPDX-License-Identifier: BSD-3-Clause
// The columns of a file's lines in view Source: numbers with their heat, then the text with the
// regions around it. Rows are line numbers.

import { mix, textOn, type Colours } from '../colour';
import type { OverheadKind } from '../data/index';
import type { RegionTable } from '../data/tables';
import * as decide from '../decide/source';
import type { Column } from '../draw/table';
import { COUNTS, exactSeconds, nameText, shortLeaf, timeScale } from '../text';

export interface LineData {
  region: RegionTable;
  regions: readonly number[]; // of the file, by line
  text: readonly string[]; // empty if it is not in the page
  lines: readonly number[]; // the lines at which regions begin
  groupAt: Int32Array; // by line: row of `lines`; -1 if no region begins there
  sums: decide.GroupSums; // by row of `lines`
  chosen: Float64Array; // the selected overhead, or all
  overhead: string; // the selected one, or ''
  units: number;
  brackets: readonly decide.Bracket[];
  kinds: readonly OverheadKind[];
  colours: Colours;
  selected: number; // region
  samples: ReadonlyMap<number, number>; // by line
}

const MOST_TEXT = 600; // the most characters of a line that are shown

function largest(column: Float64Array): number {
  return column.reduce((a, b) => Math.max(a, b), 0);
}

/** A column of times: the mean of the units, with the line's heat as background. */
function heatColumn(data: LineData, name: string, title: string, explain: string,
    column: Float64Array, colour: (group: number) => string): Column {
  const most = largest(column), scale = timeScale(most / data.units);
  const group = (line: number) => data.groupAt[line] ?? -1;
  const mean = (line: number) => column[group(line)] / data.units;
  return {
    name, title: `${title} [${scale.unit}]`, explain, width: '116px', number: true, sort: false,
    text: line => group(line) < 0 || !column[group(line)] ? '' : scale.text(mean(line)),
    hint: line => group(line) < 0 ? '' : `${exactSeconds(mean(line))} s`,
    paint: (cell, line) => {
      const heat = group(line) < 0 ? 0 : decide.heat(column[group(line)], most);
      const shade = heat ? mix(data.colours.card, colour(group(line)), heat) : '';
      cell.style.background = shade;
      cell.style.color = shade ? textOn(shade) : '';
      cell.classList.add('heat');
    },
  };
}

function leafText({ sums, kinds, groupAt }: LineData, line: number, full: boolean): string {
  const group = groupAt[line] ?? -1;
  const leaf = group < 0 ? -1 : decide.largestLeaf(sums, group);
  if (leaf < 0) return '';
  return full ? `${kinds[leaf].name}: ${kinds[leaf].text}` : shortLeaf(kinds[leaf].name);
}

function regionText({ name, type, line_start, line_end }: RegionTable, row: number): string {
  return `${nameText(name[row])} (${type[row]}), lines ${line_start[row]} to ${line_end[row]}`;
}

/** Draws the brackets of regions beside the text. Each has a lane, and reaches from the region's
 * first line to its last one. */
function paintBrackets(cell: HTMLElement, { brackets, selected }: LineData, line: number): void {
  const images: string[] = [];
  for (const { first, last, lane, region } of brackets) {
    if (first > line || last < line) continue;
    const colour = region === selected ? 'var(--focus)' : 'var(--bracket)';
    const at = line === first ? '100%' : '0%', height = line === first || line === last ? 60 : 100;
    images.push(`linear-gradient(${colour}, ${colour}) ${4 + lane * 6}px ${at} / 2px ${height}% `
      + 'no-repeat');
  }
  cell.style.background = images.join(', ');
}

function textColumn(data: LineData): Column {
  const lanes = data.brackets.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
  return {
    name: 'text', title: data.text.length ? 'source' : 'regions', width: 'minmax(420px, 1fr)',
    sort: false,
    text: line => data.text.length
      ? nameText(decide.expandTabs(data.text[line - 1] ?? ''), MOST_TEXT)
      : decide.namesAt(data.region, data.regions, line).map(name => nameText(name)).join(', '),
    hint: line => data.regions.filter(row => data.region.line_start[row] === line)
        .map(row => regionText(data.region, row)).join('\n'),
    paint: (cell, line) => {
      cell.classList.add('code');
      cell.classList.toggle('measured', (data.groupAt[line] ?? -1) >= 0);
      cell.style.paddingLeft = `${10 + lanes * 6}px`;
      paintBrackets(cell, data, line);
    },
  };
}

function samplesColumn({ samples, colours }: LineData): Column {
  const most = Math.max(...samples.values());
  return {
    name: 'samples', title: 'samples', width: '92px', number: true, sort: false,
    explain: 'of the whole run: how often samples found a thread in the line',
    text: line => samples.has(line) ? COUNTS.text(samples.get(line)!) : '',
    paint: (cell, line) => {
      const heat = decide.heat(samples.get(line) ?? 0, most);
      const shade = heat ? mix(colours.card, colours.family('useful'), heat) : '';
      cell.style.background = shade;
      cell.style.color = shade ? textOn(shade) : '';
      cell.classList.add('heat');
    },
  };
}

export function lineColumns(data: LineData): Column[] {
  const { sums, colours, kinds, overhead } = data;
  const leafColour = (group: number) => {
    const leaf = decide.largestLeaf(sums, group);
    return colours.leaf(Math.max(0, leaf));
  };
  const columns = [
    heatColumn(data, 'useful', 'useful',
        'useful work in the regions that begin here, without what they call', sums.useful,
        () => colours.family('useful')),
    heatColumn(data, 'lost', 'overheads',
        'all overheads of these regions, with what the runtime does for them', sums.lost,
        leafColour),
  ];
  const row = kinds.findIndex(kind => kind.name === overhead);
  if (row >= 0)
    columns.push(heatColumn(data, 'chosen', shortLeaf(overhead), kinds[row].text, data.chosen,
        () => colours.leaf(row)));
  return [
    { name: 'line', title: 'line', width: '58px', number: true, sort: false,
      text: line => String(line) },
    ...columns,
    { name: 'leaf', title: 'mostly', width: '104px', sort: false,
      explain: 'the largest overhead of the line', text: line => leafText(data, line, false),
      hint: line => leafText(data, line, true) },
    { name: 'calls', title: 'calls', width: '92px', number: true, sort: false,
      explain: 'sum of the units', text: line => {
        const group = data.groupAt[line] ?? -1;
        return group < 0 ? '' : COUNTS.text(sums.calls[group]);
      } },
    ...(data.samples.size ? [samplesColumn(data)] : []),
    textColumn(data),
  ];
}
