// SPDX-License-Identifier: BSD-3-Clause
// View Source: the files of the program, and the lines of one file with their times, overheads and
// calls. A line leads to its region.

import { coloursOf, type Colours } from '../colour';
import type { Experiment, Page } from '../data/page';
import type { CellTable, LineSamplesTable, NodeTable, PartTable, RegionTable, SourceFileTable,
  SourceLineTable, UnitTable } from '../data/tables';
import { commandText, puWords } from '../decide/command';
import { timeWords } from '../decide/interval';
import * as decide from '../decide/source';
import { leavesOf } from '../decide/sums';
import { unitCount, unitMask } from '../decide/units';
import { card, familyLegend } from '../draw/card';
import { el } from '../draw/element';
import { Table, type Column } from '../draw/table';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { exactSeconds, nameText, plural, seconds } from '../text';
import { lineColumns, type LineData } from './source_columns';
import type { Missing, Mounted, View } from './view';

interface Data {
  region: RegionTable;
  node: NodeTable;
  unit: UnitTable;
  cell: CellTable;
  part: PartTable;
  file: SourceFileTable;
  line: SourceLineTable;
  samples: LineSamplesTable;
}

async function load(experiment: Experiment): Promise<Data> {
  const [region, node, unit, cell, part, file, line, samples] = await Promise.all([
    experiment.table('region'), experiment.table('node'), experiment.table('unit'),
    experiment.table('cell'), experiment.table('part'), experiment.table('source_file'),
    experiment.table('source_line'), experiment.table('line_samples')]);
  return { region, node, unit, cell, part, file, line, samples };
}

const LANES = 6; // the most nested regions that have a line beside the text

function largest(column: Float64Array): number {
  return column.reduce((a, b) => Math.max(a, b), 0);
}

class SourceView implements Mounted {
  private readonly files: decide.FileRegions[];
  private readonly groups: decide.Groups;
  private readonly colours: Colours;
  private readonly fileTable: Table;
  private readonly textHost = el('div', { class: 'source-text' });
  private lineTable: Table | null = null;
  private shownFile = -1;
  private sums!: decide.GroupSums; // by file
  private chosen!: Float64Array; // by file: time of the selected overhead
  private line!: LineData;
  private units = 1;
  private mask: Uint8Array | null = null;

  constructor(host: HTMLElement, private readonly page: Page, private readonly store: Store,
      private readonly data: Data) {
    this.colours = coloursOf(page.index.overheads, isDark());
    this.files = decide.filesOf(data.region);
    this.groups = decide.groupsOfFiles(data.region, this.files);
    const list = el('div', {});
    host.append(el('div', { class: 'source' },
        card({ title: 'Files', remark: 'mean of the units' }, list), this.textHost));
    this.fileTable = this.makeFiles(list);
  }

  update(selection: Selection): void {
    this.mask = unitMask(selection.units, this.data.unit);
    this.units = Math.max(1, unitCount(this.mask, this.data.unit.process.length));
    this.sums = this.sumOf(this.groups);
    this.chosen = this.chosenTime(this.sums, selection.overhead);
    const file = this.fileOf(selection);
    this.fileTable.show({
      rows: [...this.files.keys()].sort((a, b) => this.chosen[b] - this.chosen[a] || a - b),
      current: file,
    });
    if (file >= 0) this.showFile(file, selection);
  }

  unmount(): void {
    this.fileTable.destroy();
    this.lineTable?.destroy();
  }

  private sumOf(groups: decide.Groups): decide.GroupSums {
    const kinds = this.page.index.overheads;
    const unmeasured = kinds.findIndex(kind => kind.name === 'UNMEASURED');
    return decide.sumGroups(this.data, groups, kinds.length, this.mask, unmeasured);
  }

  /** The time of the selected overhead in each group, or that of all overheads. */
  private chosenTime(sums: decide.GroupSums, overhead: string): Float64Array {
    if (overhead === 'useful') return sums.useful;
    if (!overhead) return sums.lost;
    const leaves = leavesOf(this.page.index.overheads, overhead);
    return sums.lost.map((_, group) => decide.timeOf(sums, group, leaves));
  }

  private regionOf({ region, node }: Selection): number {
    return node >= 0 && node < this.data.node.region.length ? this.data.node.region[node] : region;
  }

  private fileOf(selection: Selection): number {
    const region = this.regionOf(selection);
    const inFile = region >= 0 && this.groups.of[region] >= 0;
    if (!inFile && selection.item >= 0 && selection.item < this.files.length)
      return selection.item;
    return decide.chooseFile(this.files, this.data.region, region, this.chosen);
  }

  // -- files --------------------------------------------------------------------------------------

  private makeFiles(host: HTMLElement): Table {
    const mean = (column: Float64Array, row: number) => column[row] / this.units;
    const time = (name: 'useful' | 'lost', title: string): Column[] => [{
      name, title, width: '100px', number: true, sort: false,
      text: row => seconds(mean(this.sums[name], row)),
      hint: row => `${exactSeconds(mean(this.sums[name], row))} s`,
    }, {
      name: `${name} bar`, title: '', width: '110px', sort: false, text: () => '',
      bar: row => this.sums[name][row] / (largest(this.sums[name]) || 1),
      barColour: row => name === 'useful' ? this.colours.family('useful')
        : this.leafColour(row),
    }];
    return new Table(host, {
      label: 'files of the program', mostRows: 8,
      columns: [
        { name: 'file', title: 'file', width: 'minmax(160px, 1fr)', sort: false,
          text: row => nameText(this.files[row].path),
          hint: row => nameText(this.files[row].path, 4096) },
        ...time('useful', 'useful work'), ...time('lost', 'overheads'),
        { name: 'regions', title: 'regions', width: '80px', number: true, sort: false,
          text: row => String(this.files[row].regions.length) },
        { name: 'state', title: 'text', width: 'minmax(90px, 0.6fr)', sort: false,
          explain: 'whether the text of the file is in the page, and why not',
          text: row => this.state(row), hint: row => this.state(row) },
      ],
      select: file => this.store.select({ item: file, region: -1, node: -1 }),
      none: 'No file of the source has regions.',
    });
  }

  private leafColour(file: number): string {
    const leaf = decide.largestLeaf(this.sums, file);
    return leaf < 0 ? 'transparent' : this.colours.leaf(leaf);
  }

  private state(file: number): string {
    const row = this.data.file.path.indexOf(this.files[file].path);
    return row < 0 ? 'not in the page' : this.data.file.state[row];
  }

  // -- a file -------------------------------------------------------------------------------------

  private textOf(file: number): string[] {
    const row = this.data.file.path.indexOf(this.files[file].path);
    return row < 0 ? [] : decide.textOfFile(this.data.line.file, this.data.line.text, row);
  }

  private showFile(file: number, selection: Selection): void {
    const { region } = this.data, { regions } = this.files[file];
    const changed = file !== this.shownFile;
    const lines = decide.groupsOfLines(region, this.files[file]), text = this.textOf(file);
    const samples = decide.samplesOfFile(this.data.samples, this.files[file].path, this.mask);
    const last = Math.max(text.length, ...lines.lines, ...samples.keys());
    const groupAt = new Int32Array(last + 1).fill(-1);
    lines.lines.forEach((line, group) => { groupAt[line] = group; });
    const sums = this.sumOf(lines);
    this.line = {
      region, regions, text, groupAt, sums, lines: lines.lines, units: this.units,
      chosen: this.chosenTime(sums, selection.overhead), overhead: selection.overhead,
      brackets: decide.bracketsOf(region, regions, LANES), kinds: this.page.index.overheads,
      colours: this.colours, selected: this.regionOf(selection), samples,
    };
    this.shownFile = file;
    this.makeLines(changed);
    this.showLines(selection, changed);
  }

  private makeLines(changed: boolean): void {
    const { path } = this.files[this.shownFile], { text, regions } = this.line;
    const scroll = changed ? 0 : this.lineTable?.element.scrollTop ?? 0;
    const focused = this.lineTable?.element === document.activeElement;
    const host = el('div', {});
    this.lineTable?.destroy();
    this.textHost.replaceChildren(card({
      title: nameText(path, 160),
      remark: `${plural(regions.length, 'region')}; times are the mean of the units`,
      command: this.store.selection.units ? undefined
        : commandText(this.page, this.store.selection, 'overhead', [['--overhead', 'OTOTAL'],
          ['--filter', `file=${path}`],
          ...timeWords(this.page, this.store.selection)]),
    }, host, this.note(text.length > 0), familyLegend(this.page.index.overheads, this.colours)));
    this.lineTable = new Table(host, {
      label: `lines of ${nameText(path)}`, columns: lineColumns(this.line), rowHeight: 21,
      mostRows: 34, select: line => this.selectLine(line), activate: line => this.goTo(line),
      none: 'No line matches.',
    });
    this.lineTable.element.classList.add('lines');
    if (focused) this.lineTable.element.focus();
    requestAnimationFrame(() => { if (scroll) this.lineTable!.element.scrollTop = scroll; });
  }

  private note(hasText: boolean): HTMLElement {
    return el('p', { class: 'note' }, 'Enter or a double click shows the region of a line. ',
        hasText ? '' : `The text of the file is ${this.state(this.shownFile)}. sis-analyze view `
          + '--source embeds the files that are still as they were compiled.');
  }

  private showLines(selection: Selection, changed: boolean): void {
    const { text, lines, groupAt, selected, samples } = this.line;
    const all = text.length ? text.map((_, i) => i + 1)
      : [...new Set([...lines, ...samples.keys()])].sort((a, b) => a - b);
    const found = decide.linesWith(text.length ? text : all.map(line => decide.namesAt(
        this.data.region, this.line.regions, line).join(' ')), selection.search);
    const marks = found && new Uint8Array(groupAt.length);
    if (marks) all.forEach((line, i) => { marks[line] = found![i]; });
    const rows = selection.filter && found ? all.filter((_, i) => found[i]) : all;
    const inFile = selected >= 0 && this.groups.of[selected] === this.shownFile;
    const current = inFile ? this.data.region.line_start[selected] : -1;
    this.lineTable!.show({ rows, current, marks });
    if (changed) this.lineTable!.reveal(current >= 0 ? current : this.hottest());
  }

  /** The line with the most overhead, which the user should look at first. */
  private hottest(): number {
    const { chosen, lines } = this.line;
    let best = 0;
    for (let i = 1; i < chosen.length; i++) if (chosen[i] > chosen[best]) best = i;
    return lines[best] ?? 1;
  }

  private selectLine(line: number): void {
    const { region, regions } = this.line;
    const row = decide.regionAt(region, regions, line);
    if (row >= 0 && region.line_start[row] === line) this.store.select({ region: row, node: -1 });
  }

  private goTo(line: number): void {
    const { region, regions } = this.line;
    const row = decide.regionAt(region, regions, line);
    if (row >= 0) this.store.select({ view: 'regions', tab: '', item: -1, region: row, node: -1 });
  }
}

export const source: View = {
  name: 'source',
  title: 'Source',
  extent: 'interval',
  tabs: [],
  missing(page: Page, { experiment }: Selection): Missing | null {
    if (page.experiments[experiment]?.has('source_file')) return null;
    return { why: 'No region of this run is in a file of the source.',
      command: 'sisc --sis-cr=CR_F,CR_L ...' };
  },
  command(page: Page, selection: Selection): string {
    const time = timeWords(page, selection);
    return selection.units
      ? commandText(page, selection, 'regions', [puWords(selection), ...time])
      : commandText(page, selection, 'overhead', [['--overhead', selection.overhead || 'OTOTAL'],
        ...time]);
  },
  async mount(host: HTMLElement, page: Page, store: Store): Promise<Mounted> {
    const data = await load(page.experiments[store.selection.experiment]);
    return new SourceView(host, page, store, data);
  },
};
