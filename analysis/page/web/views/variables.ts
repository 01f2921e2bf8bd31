// SPDX-License-Identifier: BSD-3-Clause
// View Variables: for which variables the time was spent. Its tabs are the variables of a blame
// point by samples, overheads by variable, memory, functions, and how exactly samples were placed.

import { coloursOf, type Colours } from '../colour';
import type { Experiment, Page } from '../data/page';
import type { BlamePointTable, BlameTable, DoubtTable, FunctionSamplesTable, MemoryTable,
  MemoryUseTable, PartTable, SampleShareTable, SamplingTable, UnitTable, VariableOverheadTable,
  VariableTable } from '../data/tables';
import { commandText } from '../decide/command';
import { choice, chosen } from '../decide/choices';
import { isRunning } from '../decide/live';
import { matcher } from '../decide/tree';
import { unitMask } from '../decide/units';
import * as decide from '../decide/variables';
import { card } from '../draw/card';
import { Choices, type Choice } from '../draw/choices';
import { el } from '../draw/element';
import { Table } from '../draw/table';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { grouped, nameText, percent, placeText, plural } from '../text';
import { memoryTable } from './variables_memory';
import { functionTable, LineTable, overheadTable, shareTable, type Closable }
  from './variables_tables';
import type { Missing, Mounted, View } from './view';

export interface VariableData {
  unit: UnitTable;
  part: PartTable;
  point: BlamePointTable;
  variable: VariableTable;
  blame: BlameTable;
  overhead: VariableOverheadTable;
  sampling: SamplingTable;
  doubt: DoubtTable;
  memory: MemoryTable;
  use: MemoryUseTable;
  share: SampleShareTable;
  functions: FunctionSamplesTable;
}

async function load(experiment: Experiment): Promise<VariableData> {
  const [unit, part, point, variable, blame, overhead, sampling, doubt, memory, use, share,
    functions] = await Promise.all([experiment.table('unit'), experiment.table('part'),
    experiment.table('blame_point'), experiment.table('variable'), experiment.table('blame'),
    experiment.table('variable_overhead'), experiment.table('sampling'),
    experiment.table('doubt'), experiment.table('memory'), experiment.table('memory_use'),
    experiment.table('sample_share'), experiment.table('function_samples')]);
  return { unit, part, point, variable, blame, overhead, sampling, doubt, memory, use, share,
    functions };
}

const LEAST = 0.01; // of the samples; the default of the command
const MODES = ['partitioned', 'inclusive'] as const;
type Mode = (typeof MODES)[number];
const MODE_CHOICES: readonly Choice<Mode>[] = [
  { name: 'partitioned', title: 'for the nearest variables',
    explain: 'partitioned: a sample is divided among the nearest variables' },
  { name: 'inclusive', title: 'for all that they reach',
    explain: 'inclusive: a sample counts for each variable that its work reaches' },
];

class VariablesView implements Mounted {
  private readonly pointTable: Table;
  private readonly host = el('div', { class: 'variables' });
  private readonly lanes: decide.Lanes;
  private readonly samples: number;
  private readonly withOverhead: Set<number>;
  private readonly colours: Colours;
  private readonly usual: number[];
  private readonly places: decide.PointPlace[];
  private shown: Closable[] = [];

  constructor(host: HTMLElement, private readonly page: Page, private readonly store: Store,
      private readonly data: VariableData) {
    const list = el('div', {});
    this.colours = coloursOf(page.index.overheads, isDark());
    this.lanes = decide.lanesOf(data.unit);
    this.samples = data.sampling.samples[0] ?? 0;
    this.withOverhead = decide.pointsWithOverhead(data.variable, data.overhead);
    this.usual = decide.usualPoints(data.point, this.samples, LEAST);
    this.places = decide.pointPlaces(data.point);
    host.append(el('div', { class: 'split' },
        card({ title: 'Blame points', remark: 'call paths of functions' }, list), this.host));
    this.pointTable = this.makePoints(list);
  }

  update(selection: Selection): void {
    const { path } = this.data.point;
    const all = decide.sortPoints(this.data.point, [...path.keys()]
        .filter(row => selection.tab !== 'overheads' || this.withOverhead.has(row)));
    const matches = matcher(selection.search);
    const marks = matches && Uint8Array.from(path, text => Number(matches(text)));
    const rows = selection.filter && marks ? all.filter(row => marks[row]) : all;
    const point = selection.item >= 0 && selection.item < path.length ? selection.item
      : this.usual.find(row => all.includes(row)) ?? all[0] ?? -1;
    this.pointTable.show({ rows, current: point, marks });
    this.close();
    this.host.replaceChildren(...this.content(selection, point));
  }

  unmount(): void {
    this.pointTable.destroy();
    this.close();
  }

  private close(): void {
    this.shown.forEach(each => each.destroy());
    this.shown = [];
  }

  private makePoints(host: HTMLElement): Table {
    const { point } = this.data;
    return new Table(host, {
      label: 'blame points', mostRows: 30,
      columns: [
        { name: 'path', title: 'path', width: 'minmax(96px, 1fr)', sort: false,
          text: row => this.pointName(row),
          hint: row => nameText(`${decide.pointText(point.path[row])}\n`
            + placeText(point.file[row], point.line[row]), 2000) },
        { name: 'samples', title: 'samples', width: '72px', number: true, sort: false,
          text: row => grouped(point.samples[row]) },
        { name: 'share', title: 'share', width: '66px', number: true, sort: false,
          text: row => percent(point.samples[row] / this.samples) },
      ],
      select: item => this.store.select({ item }),
      none: 'No blame point has such overheads.',
    });
  }

  /** The name of a point in the list. A point below another one has only the rest of the path. */
  private pointName(row: number): string {
    const { above, rest } = this.places[row];
    return '\u2003'.repeat(above) + nameText(decide.pointText(rest));
  }

  // -- the right side -----------------------------------------------------------------------------

  private content(selection: Selection, point: number): HTMLElement[] {
    if (selection.tab === 'functions') return [this.functionsCard()];
    if (selection.tab === 'memory') return [this.memoryCard(selection)];
    if (selection.tab === 'placing') return [this.placingCard()];
    if (point < 0) return [el('p', { class: 'note' }, 'There is no blame point.')];
    return selection.tab === 'overheads' ? [this.overheadsCard(selection, point)]
      : [this.variablesCard(selection, point)];
  }

  private pointOption(point: number): [string, string] {
    return ['--at', decide.pointText(this.data.point.path[point])];
  }

  private title(point: number): string {
    return nameText(decide.pointText(this.data.point.path[point]), 200);
  }

  private variablesCard(selection: Selection, point: number): HTMLElement {
    const { variable, blame, sampling } = this.data, inclusive = this.isInclusive(selection);
    const host = el('div', {});
    const lines = decide.linesOf({ variable, blame, unit: sampling.unit[0] || 1 }, point,
        this.lanes, unitMask(selection.units, this.data.unit), inclusive);
    this.shown.push(new LineTable(host, {
      variable, lines, lanes: this.lanes, samples: this.samples, search: selection.search,
      filter: selection.filter, colour: this.colours.family('useful'),
    }));
    const { kind } = this.lanes;
    const spread = plural(this.lanes.names.length, kind,
        kind === 'process' ? 'processes' : 'threads');
    const callers = this.data.point.is_cut[point] ? '; its callers are not known' : '';
    return card({ title: this.title(point), command: commandText(this.page, selection, 'blame', [
      this.pointOption(point), ['--fields'], ...(inclusive ? [['--inclusive'] as const] : [])]),
    remark: `${plural(this.data.point.samples[point], 'sample')}${callers}; spread `
      + `over ${spread}` },
    this.modes(inclusive), host, el('p', { class: 'note' }, inclusive
      ? 'A sample counts for all variables that its work reaches, so lines add up to more than the '
        + 'samples of the blame point.'
      : 'A sample is divided among the nearest variables that its work reaches, so the lines add '
        + 'up to the samples of the blame point. Explicit: through data alone. Implicit: a '
        + 'condition or loop counter decides about the variable. Both are inclusive.'));
  }

  private isInclusive({ show }: Selection): boolean {
    return choice(show, MODES) === 'inclusive';
  }

  private modes(inclusive: boolean): HTMLElement {
    const modes = new Choices<Mode>('samples count', MODE_CHOICES, mode => this.store.select({
      show: chosen(this.store.selection.show, MODES, mode) }));
    modes.show(inclusive ? 'inclusive' : 'partitioned');
    return modes.element;
  }

  private overheadsCard(selection: Selection, point: number): HTMLElement {
    const host = el('div', {});
    this.shown.push(overheadTable(host, {
      data: this.data, point, overhead: selection.overhead, kinds: this.page.index.overheads,
      colours: this.colours, units: unitMask(selection.units, this.data.unit),
    }));
    return card({ title: this.title(point), remark: 'measured exactly; sums of the units',
      command: commandText(this.page, selection, 'blame', [this.pointOption(point),
        ['--overhead', this.overheadName(selection)]]) }, host, el('p', { class: 'note' },
        'Waits and transfers that were measured, divided among the variables that were waited for '
          + 'or moved. Share: of this overhead in the whole run.'));
  }

  private overheadName({ overhead }: Selection): string {
    return overhead && overhead !== 'useful' ? overhead : 'OTOTAL';
  }

  private functionsCard(): HTMLElement {
    const host = el('div', {}), { selection } = this.store;
    this.shown.push(functionTable(host, this.data.functions, this.samples,
        unitMask(selection.units, this.data.unit), selection));
    return card({ title: 'Functions', remark: 'the plain profile of the same samples',
      command: commandText(this.page, selection, 'blame', [['--functions']]) }, host);
  }

  private memoryCard(selection: Selection): HTMLElement {
    const host = el('div', {}), { memory, use, unit } = this.data;
    this.shown.push(memoryTable(host, { memory, use, units: unitMask(selection.units, unit),
      colour: this.colours.family('useful') }, selection));
    return card({ title: 'Memory', remark: 'what sampled instructions access',
      command: commandText(this.page, selection, 'blame', [['--memory']]) }, host,
    el('p', { class: 'note' }, 'Allocated memory has the name of the pointer that keeps it, and a '
      + 'line for each call path that allocates. The samples are those of threads that run.'));
  }

  private placingCard(): HTMLElement {
    const { sampling, share } = this.data;
    const doubts = [
      sampling.unknown[0] > 0 ? `${plural(sampling.unknown[0], 'sample')} went through routines `
        + 'that are in no table: their effects are guessed (--routines of sis-analyze import adds '
        + 'rows).'
        : '',
      sampling.coarse[0] > 0 ? `${plural(sampling.coarse[0], 'function')} have so much memory that `
        + 'parts of it are one.' : '',
      ...this.data.doubt.text.map(text => nameText(text, 1000))].filter(Boolean);
    return card({ title: 'How exactly samples were placed', command:
      commandText(this.page, this.store.selection, 'blame'), remark: this.samplingText() },
    shareTable(share, this.samples), ...doubts.map(text => el('p', { class: 'note noted' }, text)));
  }

  private samplingText(): string {
    const { method, metric, rate, lost, samples } = this.data.sampling;
    if (!samples.length) return 'no samples';
    const often = metric[0] === '' || metric[0] === 'WTIME' ? `${grouped(rate[0])} per second`
      : `every ${grouped(rate[0])} ${metric[0]}`;
    return nameText([plural(samples[0], 'sample'), method[0], often,
      lost[0] > 0 ? `${grouped(lost[0])} lost` : ''].filter(Boolean).join(', '), 300);
  }
}

export const variables: View = {
  name: 'variables',
  title: 'Variables',
  tabs: [
    { name: 'samples', title: 'Samples' },
    { name: 'overheads', title: 'Overheads' },
    { name: 'memory', title: 'Memory' },
    { name: 'functions', title: 'Functions' },
    { name: 'placing', title: 'How exact' },
  ],
  missing(page: Page, { experiment }: Selection): Missing | null {
    if (page.experiments[experiment]?.has('blame_point')) return null;
    if (isRunning(page.index))
      return { why: 'Of a run with SIS_BLAME=1, variables come when the program has ended.',
        command: '' };
    return { why: 'This run did not measure for which variables its time was spent.',
      command: 'sisc --sis-blame -O2 prog.c -o prog && SIS_BLAME=1 ./prog' };
  },
  command(page: Page, selection: Selection): string {
    const { overhead } = selection;
    if (selection.tab === 'functions')
      return commandText(page, selection, 'blame', [['--functions']]);
    if (selection.tab === 'memory')
      return commandText(page, selection, 'blame', [['--memory']]);
    if (selection.tab === 'overheads')
      return commandText(page, selection, 'blame',
          [['--overhead', overhead && overhead !== 'useful' ? overhead : 'OTOTAL']]);
    return commandText(page, selection, 'blame');
  },
  async mount(host: HTMLElement, page: Page, store: Store): Promise<Mounted> {
    const data = await load(page.experiments[store.selection.experiment]);
    return new VariablesView(host, page, store, data);
  },
};
