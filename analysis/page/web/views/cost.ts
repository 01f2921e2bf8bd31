// SPDX-License-Identifier: BSD-3-Clause
// View Cost: the time that measuring took by region and unit, the decisions of the budget, how
// exact estimated times are, and which regions the next run need not measure.

import { coloursOf, type Colours } from '../colour';
import { reportOf } from '../data/documents';
import type { Experiment, Page } from '../data/page';
import type { CellTable, NodeTable, PartTable, RegionTable, TurnedDownTable, UnitTable }
  from '../data/tables';
import { commandText, puWords } from '../decide/command';
import * as decide from '../decide/cost';
import { sortKeys } from '../decide/sort';
import { matcher } from '../decide/tree';
import { unitCount, unitMask } from '../decide/units';
import { card } from '../draw/card';
import { el } from '../draw/element';
import { Table, type Column } from '../draw/table';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { COUNTS, exactSeconds, grouped, nameText, percent, placeText, seconds, unitName }
  from '../text';
import { calibrationCard, filterCard, rungsCard, switchedCard } from './cost_cards';
import type { Missing, Mounted, View } from './view';

interface Data {
  region: RegionTable;
  node: NodeTable;
  unit: UnitTable;
  cell: CellTable;
  part: PartTable;
  turned: TurnedDownTable;
}

async function load(experiment: Experiment): Promise<Data> {
  const [region, node, unit, cell, part, turned] = await Promise.all([
    experiment.table('region'), experiment.table('node'), experiment.table('unit'),
    experiment.table('cell'), experiment.table('part'), experiment.table('turned_down')]);
  return { region, node, unit, cell, part, turned };
}

class CostView implements Mounted {
  private readonly head = el('div', {});
  private readonly regionTable: Table;
  private readonly unitTable: Table;
  private readonly colours: Colours;
  private readonly rungs: Map<number, decide.RegionRungs>;
  private costs!: decide.ProbeCosts;
  private count = 1; // number of chosen units
  private most = 1;
  private mostUnit = 1;

  constructor(host: HTMLElement, private readonly page: Page, private readonly store: Store,
      private readonly experiment: Experiment, private readonly data: Data) {
    const { index } = experiment, regions = el('div', {}), units = el('div', {});
    const command = (name: string, words: readonly (readonly [string, string?])[] = []) =>
      commandText(page, store.selection, name, words);
    this.colours = coloursOf(page.index.overheads, isDark());
    const rungs = decide.rungsOf(data.turned, index.t_p_ns);
    const includes = decide.offInsideOf(index);
    const switched = switchedCard(decide.switchedOffOf(index), includes, command('show'));
    this.rungs = new Map(rungs.map(each => [each.region, each]));
    host.append(this.head,
        el('div', { class: 'columns cost' },
            card({ title: 'Cost by region', remark: 'probes; mean of the units',
              command: command('overhead', [['--overhead', 'OPROBE']]) }, regions,
            el('p', { class: 'note' }, 'The cost of a pair of probes is what it was at the start '
              + 'of the process. It may be hidden behind other work, or be up to 3 times as '
              + 'much.')),
            card({ title: 'Cost by unit', remark: 'share of T_p',
              command: command('overhead', [['--overhead', 'OPROBE'], ['--by-pu']]) }, units)),
        el('div', { class: 'columns two' },
            rungsCard(rungs, data.region, index.t_p_ns, switched ? [] : includes,
                command('show')),
            filterCard(index.documents['suggest-filter'] as decide.FilterRow[] | undefined,
                command('suggest-filter'))),
        switched ?? '',
        calibrationCard(index.documents['calibrate'] as decide.CalibrationDocument | undefined));
    this.regionTable = this.makeRegions(regions);
    this.unitTable = this.makeUnits(units);
  }

  update(selection: Selection): void {
    const { unit } = this.data, mask = unitMask(selection.units, unit);
    const probe = this.page.index.overheads.findIndex(kind => kind.name === 'OPROBE');
    this.count = Math.max(1, unitCount(mask, unit.process.length));
    this.costs = decide.probeCosts(this.data, unit.process.length, probe, mask);
    this.most = this.costs.region.reduce((a, b) => Math.max(a, b), 1);
    this.mostUnit = this.costs.unit.reduce((a, b) => Math.max(a, b), 1);
    this.head.replaceChildren(this.sentence());
    this.showRegions(selection);
    this.unitTable.show({
      rows: decide.byValue([...unit.process.keys()], row => this.costs.unit[row], true),
      current: mask && unitCount(mask, 0) === 1 ? mask.indexOf(1) : -1,
    });
  }

  unmount(): void {
    this.regionTable.destroy();
    this.unitTable.destroy();
  }

  // -- head ---------------------------------------------------------------------------------------

  private sentence(): HTMLElement {
    const { index } = this.experiment, report = reportOf(index);
    const all = this.count * index.t_p_ns;
    const fact = (name: string, text: string) => el('div', {}, el('dt', {}, name),
        el('dd', {}, text));
    const without = report?.t_p_without_probes, least = report?.t_p_without_probes_least;
    const time = (value: number) => seconds(Math.round(value * 1e9));
    const estimates = this.costs.square.reduce((n, square) => n + Number(square > 0), 0);
    return card({ title: 'What measuring cost', command:
      commandText(this.page, this.store.selection, 'report') },
    el('div', { class: 'head' },
        el('p', { class: 'sentence' },
            decide.costSentence(all > 0 ? this.costs.all / all : 0, report)),
        el('dl', { class: 'facts' }, fact('T_p', time(index.t_p_ns / 1e9)),
            typeof without === 'number' ? fact('without probes', time(without)) : null,
            typeof least === 'number' ? fact('at least', time(least)) : null,
            fact('regions with estimated times', estimates ? grouped(estimates) : 'none'))));
  }

  // -- regions ------------------------------------------------------------------------------------

  private value(name: string, row: number): number {
    const { region, calls, square } = this.costs;
    if (name === 'calls') return calls[row];
    if (name === 'per') return calls[row] ? region[row] / calls[row] : NaN;
    if (name === 'error') return square[row];
    return region[row];
  }

  private showRegions(selection: Selection): void {
    const { name } = this.data.region;
    const [key] = sortKeys(selection.sort), matches = matcher(selection.search);
    const marks = matches && Uint8Array.from(name, text => Number(matches(text)));
    const all = decide.costlyRegions(this.costs)
        .filter(row => !selection.filter || !marks || marks[row]);
    const rows = key ? decide.byValue(all, row => this.value(key.name, row), key.descending) : all;
    this.regionTable.show({ rows, sort: selection.sort || '-cost', current: selection.region,
      marks });
  }

  private makeRegions(host: HTMLElement): Table {
    const { region } = this.data;
    const mean = (row: number) => this.costs.region[row] / this.count;
    const columns: Column[] = [
      { name: 'region', title: 'region', width: 'minmax(110px, 1fr)', sort: false,
        text: row => nameText(region.name[row]),
        hint: row => nameText(`${region.name[row]} (${region.type[row]})`, 2000) },
      { name: 'place', title: 'place', width: '150px', sort: false,
        text: row => placeText(region.file[row], region.line_start[row]) },
      { name: 'cost', title: 'cost', width: '90px', number: true,
        explain: 'time of its probes, mean of the units',
        text: row => seconds(mean(row)), hint: row => `${exactSeconds(mean(row))} s` },
      { name: 'bar', title: '', width: '90px', sort: false, text: () => '',
        bar: row => this.costs.region[row] / this.most,
        barColour: () => this.colours.family('OPROBE') },
      { name: 'calls', title: 'calls', width: '90px', number: true,
        explain: 'sum of the units', text: row => COUNTS.text(this.costs.calls[row]) },
      { name: 'per', title: 'per call', width: '84px', number: true,
        explain: 'cost of its probes by its calls',
        text: row => seconds(this.value('per', row)) },
      { name: 'error', title: 'error', width: '90px', number: true,
        explain: 'of its exclusive time, summed over the units, with 95 %; empty: exact',
        text: row => this.costs.square[row]
          ? `±${seconds(Math.round(Math.sqrt(this.costs.square[row])))}` : '' },
      { name: 'rung', title: 'measured', width: '130px', sort: false,
        explain: 'the least that a process measured of it',
        text: row => {
          const rungs = this.rungs.get(row);
          if (!rungs && !region.file[row]) return '';
          return decide.RUNG_TEXT[rungs ? rungs.lowest : 'full'];
        } },
    ];
    return new Table(host, { label: 'cost by region', columns, mostRows: 14,
      select: row => this.store.select({ region: row, node: -1 }),
      activate: row => this.store.select({ view: 'regions', tab: '', sort: '', region: row }),
      sort: sort => this.store.select({ sort }), none: 'No region was measured.' });
  }

  private makeUnits(host: HTMLElement): Table {
    const { unit } = this.data;
    const name = (row: number) => unitName(unit.process[row], unit.thread[row]);
    return new Table(host, { label: 'cost by unit', mostRows: 14, columns: [
      { name: 'unit', title: 'unit', width: 'minmax(56px, 1fr)', sort: false, text: name,
        hint: row => nameText(`${name(row)} on ${unit.host[row]}`) },
      { name: 'cost', title: 'cost', width: '86px', number: true, sort: false,
        text: row => seconds(this.costs.unit[row]),
        hint: row => `${exactSeconds(this.costs.unit[row])} s` },
      { name: 'share', title: 'share', width: '66px', number: true, sort: false,
        text: row => percent(this.costs.unit[row] / this.experiment.index.t_p_ns) },
      { name: 'bar', title: '', width: '90px', sort: false, text: () => '',
        bar: row => this.costs.unit[row] / this.mostUnit,
        barColour: () => this.colours.family('OPROBE') },
    ], select: row => this.store.select({ units: name(row) }), none: 'No units.' });
  }
}

export const cost: View = {
  name: 'cost',
  title: 'Cost',
  tabs: [],
  missing(page: Page, { experiment }: Selection): Missing | null {
    if (page.experiments[experiment]?.has('part')) return null;
    return { why: 'The page has no times of this run.', command: 'sis-analyze view' };
  },
  command(page: Page, selection: Selection): string {
    return commandText(page, selection, 'overhead', [['--overhead', 'OPROBE'],
      puWords(selection)]);
  },
  async mount(host: HTMLElement, page: Page, store: Store): Promise<Mounted> {
    const experiment = page.experiments[store.selection.experiment];
    return new CostView(host, page, store, experiment, await load(experiment));
  },
};
