// SPDX-License-Identifier: BSD-3-Clause
// The tables of view Variables: the lines of a blame point, overheads, functions, and shares.

import type { Colours } from '../colour';
import type { OverheadKind } from '../data/index';
import type { FunctionSamplesTable, SampleShareTable, VariableTable } from '../data/tables';
import { leafSums, leavesOf } from '../decide/sums';
import { matcher } from '../decide/tree';
import * as decide from '../decide/variables';
import { el } from '../draw/element';
import { Table, type Column } from '../draw/table';
import type { Selection } from '../store/selection';
import { bytes, exactSeconds, grouped, nameText, percent, placeText, seconds } from '../text';
import type { VariableData } from './variables';

export interface Closable { destroy(): void }

/* -- variables -------------------------------------------------------------------------------- */

export interface LineOptions {
  variable: VariableTable;
  lines: readonly decide.Line[];
  lanes: decide.Lanes;
  samples: number; // samples of the run
  search: string;
  filter: boolean;
  colour: string; // of bars
}

interface ShownLine {
  line: decide.Line;
  level: number;
  parent: number; // row of this list, or -1
}

const DIGITS = 1;

function count(value: number): string {
  return Number.isFinite(value) ? grouped(value, Number.isInteger(value) ? 0 : DIGITS) : '-';
}

/** Variables as a tree table. Fields are below their variables. */
export class LineTable implements Closable {
  private readonly rows: ShownLine[] = [];
  private readonly open = new Set<number>();
  private readonly table: Table;

  constructor(host: HTMLElement, private readonly options: LineOptions) {
    for (const line of options.lines) {
      const parent = this.rows.push({ line, level: 1, parent: -1 }) - 1;
      for (const field of line.fields) this.rows.push({ line: field, level: 2, parent });
    }
    this.table = new Table(host, {
      label: 'variables of the blame point', columns: this.columns(), mostRows: 24,
      tree: {
        level: row => this.rows[row].level,
        state: row => !this.rows[row].line.fields.length ? 'leaf'
          : this.open.has(row) ? 'open' : 'closed',
        parent: row => this.rows[row].parent,
        toggle: (row, open) => this.toggle(row, open),
      },
      none: 'Nothing here was sampled.',
    });
    this.show();
  }

  destroy(): void {
    this.table.destroy();
  }

  private toggle(row: number, open: boolean): void {
    if (open) this.open.add(row);
    else this.open.delete(row);
    this.show();
  }

  private show(): void {
    const matches = matcher(this.options.search);
    const marks = matches && Uint8Array.from(this.rows, ({ line }) =>
      Number(matches(line.field || line.name)));
    const rows = [...this.rows.keys()].filter(row => {
      const { parent } = this.rows[row];
      return (parent < 0 || this.open.has(parent))
        && (!this.options.filter || !marks || marks[row]);
    });
    this.table.show({ rows, marks });
  }

  private name({ kind, name, field }: decide.Line): string {
    if (kind === 'other' && !name) return 'Other';
    if (kind === 'output' && !name) return 'Output';
    return nameText(field || name);
  }

  private columns(): Column[] {
    const { variable, lanes, samples } = this.options;
    const line = (row: number) => this.rows[row].line;
    const number = (name: string, title: string, explain: string, value: (row: number) => number,
        width = '68px'): Column => ({ name, title, explain, width, number: true, sort: false,
      text: row => count(value(row)) });
    const spread = lanes.names.length > 1;
    const hasBlocked = this.rows.some(row => row.line.blocked > 0);
    return [
      { name: 'variable', title: 'variable', width: 'minmax(116px, 1fr)', sort: false,
        text: row => this.name(line(row)),
        hint: row => line(row).variable < 0 ? 'the samples of the blame point'
          : nameText(`${line(row).kind}, ${placeText(variable.file[line(row).variable],
              variable.line[line(row).variable]) || 'no place'}`, 400) },
      { name: 'type', title: 'type', width: 'minmax(58px, .5fr)', sort: false,
        text: row => line(row).variable < 0 ? '' : nameText(variable.type[line(row).variable]) },
      number('samples', 'samples', 'samples that belong to it', row => line(row).samples),
      { name: 'share', title: 'share', width: '62px', number: true, sort: false,
        explain: 'of all samples of the run',
        text: row => percent(line(row).samples / samples) },
      { name: 'bar', title: '', width: '64px', sort: false, text: () => '',
        bar: row => line(row).samples / samples, barColour: () => this.options.colour },
      number('explicit', 'explicit', 'inclusive, through data alone', row => line(row).explicit),
      number('implicit', 'implicit', 'inclusive, through conditions and loop counters',
          row => line(row).implicit),
      ...(hasBlocked ? [number('blocked', 'blocked', 'the thread was waiting',
          row => line(row).blocked)] : []),
      number('base', 'data-centric', 'at statements that themselves write it',
          row => line(row).base, '88px'),
      ...(spread ? this.spreadColumns() : []),
    ];
  }

  private spreadColumns(): Column[] {
    const spread = (row: number) => decide.spreadOf(this.rows[row].line.lanes);
    const text = (name: string, title: string, value: (of: decide.Spread) => string): Column =>
      ({ name, title, width: '70px', number: true, sort: false,
        explain: `over the ${this.options.lanes.kind === 'process' ? 'processes' : 'threads'}`,
        text: row => value(spread(row)) });
    return [text('mean', 'mean', of => count(of.mean)),
      text('deviation', 'deviation', of => grouped(of.deviation, DIGITS)),
      text('factor', 'max/mean', of => Number.isFinite(of.factor) ? of.factor.toFixed(2) : '-'),
      { name: 'lanes', title: 'units', width: '84px', sort: false, text: () => '',
        explain: 'samples of each, from 0 to the largest',
        hint: row => this.laneText(this.rows[row].line),
        paint: (cell, row) => this.paintLanes(cell, this.rows[row].line) }];
  }

  private laneText({ lanes }: decide.Line): string {
    const { names, kind } = this.options.lanes;
    const most = 40, list = names.slice(0, most).map((name, i) => `${name}: ${count(lanes[i])}`);
    return `${kind} ${list.join(', ')}${names.length > most ? ' …' : ''}`;
  }

  private paintLanes(cell: HTMLElement, { lanes }: decide.Line): void {
    const most = lanes.reduce((a, b) => Math.max(a, b), 0) || 1, width = 100 / lanes.length;
    const bars = [...lanes.slice(0, 60)].map((value, i) =>
      `linear-gradient(${this.options.colour}, ${this.options.colour}) `
        + `${lanes.length > 1 ? 100 * i / (lanes.length - 1) : 0}% 100% / `
        + `${0.8 * width}% ${Math.round(100 * value / most)}% no-repeat`);
    cell.classList.add('lanes');
    cell.style.background = bars.join(', ');
  }
}

/* -- overheads -------------------------------------------------------------------------------- */

export interface OverheadOptions {
  data: VariableData;
  point: number;
  overhead: string;
  kinds: readonly OverheadKind[];
  colours: Colours;
  units: Uint8Array | null;
}

export function overheadTable(host: HTMLElement, { data, point, overhead, kinds, colours, units }:
    OverheadOptions): Closable {
  const leaves = leavesOf(kinds, overhead === 'useful' ? '' : overhead);
  const lines = decide.overheadLines(data.variable, data.overhead, point, leaves, units);
  const all = leafSums(data.part, null).reduce((sum, ns, leaf) => sum + (leaves[leaf] ? ns : 0), 0)
    || 1;
  const largest = (line: decide.OverheadLine) => line.leaf.indexOf(line.leaf.reduce(
      (a, b) => Math.max(a, b), 0));
  const name = (row: number) => {
    const v = lines[row].variable;
    return nameText(data.variable.name[v] || data.variable.kind[v]);
  };
  const table = new Table(host, {
    label: 'overheads by variable', mostRows: 24, none: 'No variable has such overheads here.',
    columns: [
      { name: 'variable', title: 'variable', width: 'minmax(140px, 1fr)', sort: false, text: name },
      { name: 'type', title: 'type', width: 'minmax(80px, .6fr)', sort: false,
        text: row => nameText(data.variable.type[lines[row].variable]) },
      { name: 'seconds', title: 'time', width: '90px', number: true, sort: false,
        text: row => seconds(lines[row].ns), hint: row => `${exactSeconds(lines[row].ns)} s` },
      { name: 'share', title: 'share', width: '66px', number: true, sort: false,
        explain: 'of this overhead in the whole run', text: row => percent(lines[row].ns / all) },
      { name: 'bar', title: '', width: '90px', sort: false, text: () => '',
        bar: row => lines[row].ns / all, barColour: row => colours.leaf(largest(lines[row])) },
      { name: 'mostly', title: 'mostly', width: '150px', sort: false,
        text: row => kinds[largest(lines[row])]?.name ?? '',
        hint: row => kinds[largest(lines[row])]?.text ?? '' },
      { name: 'bytes', title: 'bytes', width: '84px', number: true, sort: false,
        text: row => bytes(lines[row].bytes), hint: row => `${lines[row].bytes} bytes` },
      { name: 'calls', title: 'calls', width: '76px', number: true, sort: false,
        text: row => grouped(lines[row].calls) },
      { name: 'routines', title: 'routines', width: 'minmax(120px, 1fr)', sort: false,
        text: row => nameText(lines[row].routines.join(', ')),
        hint: row => nameText(lines[row].routines.join(', '), 2000) },
    ],
  });
  table.show({ rows: [...lines.keys()] });
  return table;
}

/* -- functions and shares --------------------------------------------------------------------- */

export function functionTable(host: HTMLElement, functions: FunctionSamplesTable, samples: number,
    units: Uint8Array | null, selection: Selection): Closable {
  const lines = decide.functionLines(functions, units);
  const matches = matcher(selection.search);
  const marks = matches && Uint8Array.from(lines, line => Number(matches(line.name)));
  const share = (name: 'own' | 'inclusive', title: string): Column[] => [
    { name, title, width: '80px', number: true, sort: false,
      text: row => grouped(lines[row][name]) },
    { name: `${name} share`, title: 'share', width: '70px', number: true, sort: false,
      text: row => percent(lines[row][name] / samples) },
    { name: `${name} bar`, title: '', width: '120px', sort: false, text: () => '',
      bar: row => lines[row][name] / samples },
  ];
  const table = new Table(host, {
    label: 'functions', mostRows: 30, none: 'No function was sampled.',
    columns: [
      { name: 'function', title: 'function', width: 'minmax(160px, 1fr)', sort: false,
        text: row => nameText(lines[row].name), hint: row => nameText(lines[row].name, 2000) },
      { name: 'place', title: 'place', width: '180px', sort: false,
        text: row => placeText(lines[row].file, lines[row].line) },
      ...share('own', 'samples'), ...share('inclusive', 'inclusive'),
    ],
  });
  const rows = [...lines.keys()].filter(row => !selection.filter || !marks || marks[row]);
  table.show({ rows, marks });
  return table;
}

export function shareTable(share: SampleShareTable, samples: number): HTMLElement {
  return el('table', { class: 'plain shares', 'aria-label': 'where samples were placed' },
      el('thead', {}, el('tr', {}, el('th', {}, 'placed at'),
          el('th', { class: 'number' }, 'samples'),
          el('th', { class: 'number' }, 'share'), el('th', {}))),
      el('tbody', {}, ...share.text.map((text, row) => el('tr', {},
          el('th', { scope: 'row' }, share.is_reason[row] ? `because: ${text}` : text),
          el('td', { class: 'number' }, grouped(share.samples[row])),
          el('td', { class: 'number' }, percent(share.samples[row] / samples)),
          el('td', { class: 'wide' }, el('div', { class: 'meter' },
              el('b', { style: { width: `${100 * share.samples[row] / (samples || 1)}%` } })))))));
}
