// SPDX-License-Identifier: BSD-3-Clause
// View Messages: the communication matrix in bytes, calls or time, and the lists of pairs, call
// sites and communicators that `sis-analyze messages` prints.

import { coloursOf, type Colours } from '../colour';
import type { Page } from '../data/page';
import { choice, chosen, valueOf, withValue } from '../decide/choices';
import { commandText } from '../decide/command';
import { timeWords } from '../decide/interval';
import { chosenMessages, communicators, type CommunicatorSums, type Measure, MEASURES,
  type MessageMatrix, messageMatrix, type MessageTables, type Moves, movesOf, type Pair, pairs,
  type Site, sites } from '../decide/message_matrix';
import { nodesOf } from '../decide/overview';
import { ranksOf, ranksOfTexts, sortKeys, sortRows } from '../decide/sort';
import { groupingText, groupLabel, groupMask, groupName, type Grouping, groupUnits, type Groups }
  from '../decide/unit_groups';
import { unitMask, unitText } from '../decide/units';
import { card } from '../draw/card';
import { Choices } from '../draw/choices';
import { el } from '../draw/element';
import { Heatmap, type HeatPicture } from '../draw/heatmap';
import { ramp, Shades } from '../draw/shades';
import { type Column, Table } from '../draw/table';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { bytes, exactSeconds, grouped, nameText, percent, placeText, seconds } from '../text';
import { nameRegions, selectedRegion } from './named_regions';
import { type Kept, type Missing, type Mounted, noOperations, type View } from './view';

const MOST_GROUPS = 128;
const GROUPINGS = ['process', 'range', 'host'] as const;
const TABS = ['pairs', 'sites', 'communicators'] as const;

const MEASURE_TEXT: { readonly [measure in Measure]: string } = {
  bytes: 'bytes', calls: 'messages', sending: 'time in the calls that sent',
  receiving: 'time in the calls that received, waits included',
};

function amountText(measure: Measure, amount: number): string {
  return measure === 'bytes' ? bytes(amount) : measure === 'calls' ? grouped(amount)
    : seconds(amount);
}

function missing(page: Page, selection: Selection): Missing | null {
  const own = page.experiments[selection.experiment];
  if (own?.has('message')) return null;
  if (own?.index.interval && own.index.tables.message?.rows)
    return { why: noOperations(own.index), command: command(page, selection) };
  return { why: 'No message of MPI was recorded in this run.',
    command: `sis-analyze messages ${own?.index.name ?? ''}` };
}

function tabOf({ tab }: Selection): (typeof TABS)[number] {
  return TABS.find(name => name === tab) ?? TABS[0];
}

function command(page: Page, selection: Selection): string {
  const tab = tabOf(selection);
  return commandText(page, selection, 'messages', [
    ...(tab === 'sites' ? [['--by-site'] as const]
      : tab === 'communicators' ? [['--communicators'] as const] : []),
    ['--comm', tab === 'communicators' ? '' : valueOf(selection.show, 'comm')],
    ['--region', selectedRegion(page, selection)], ...timeWords(page, selection)]);
}

/** A column of a list, which is sorted by its numbers or texts. */
interface ListColumn<Row> extends Omit<Column, 'text' | 'hint' | 'sort'> {
  value(row: Row): number | string;
  shown?(row: Row): string;
  exact?(row: Row): string;
}

interface State {
  cell: readonly [line: number, column: number]; // in the matrix
  row: number; // in the list
}

class Messages implements Mounted {
  private readonly colours: Colours;
  private readonly shades: Shades;
  private readonly moves: Moves;
  private readonly heat: Heatmap;
  private readonly measure: Choices<Measure>;
  private readonly grouping: Choices<(typeof GROUPINGS)[number]>;
  private readonly legend = el('div', { class: 'legends' });
  private readonly note = el('p', { class: 'note' });
  private readonly communicator = el('select', { 'aria-label': 'communicator',
    on: { change: () => this.selectCommunicator() } });
  private readonly matrixCard: HTMLElement;
  private readonly listHost = el('div', {});
  private table: { tab: string; table: Table } | null = null;
  private groups: Groups;
  private list: readonly (Pair | Site | CommunicatorSums)[] = [];

  constructor(host: HTMLElement, page: Page, private readonly store: Store,
      private readonly tables: MessageTables, private kept?: Kept) {
    this.colours = coloursOf(page.index.overheads, isDark());
    this.shades = new Shades(this.colours.family('ODATA'), this.colours.card);
    this.moves = movesOf(tables);
    this.groups = groupUnits(tables.unit, 'process', MOST_GROUPS);
    this.measure = new Choices('a cell is', [
      { name: 'bytes', title: 'bytes' }, { name: 'calls', title: 'messages' },
      { name: 'sending', title: 'time sending', explain: MEASURE_TEXT.sending },
      { name: 'receiving', title: 'time receiving', explain: MEASURE_TEXT.receiving },
    ], name => this.store.select({ show: chosen(this.store.selection.show, MEASURES, name) }));
    this.grouping = new Choices('lines and columns are', [
      { name: 'process', title: 'processes' }, { name: 'range', title: 'ranges of processes' },
      { name: 'host', title: 'hosts' },
    ], name => this.store.select({ show: chosen(this.store.selection.show, GROUPINGS, name) }));
    const heat = el('div', {});
    this.matrixCard = card({ title: 'Who sent to whom', class: 'messages',
      remark: 'lines send to columns' },
    el('div', { class: 'controls' }, this.measure.element, this.grouping.element,
        el('label', { class: 'choices' }, el('span', { class: 'label' }, 'communicator'),
            this.communicator)), this.legend, heat, this.note);
    host.append(this.matrixCard, this.listHost);
    this.heat = new Heatmap(heat, {
      label: 'messages between processes, by sender (lines) and receiver (columns)', square: true,
      mostHeight: 480, mostCell: 60, select: line => this.select(line),
    });
    this.fillCommunicators();
  }

  /** The places of the cursors. */
  keep(): State {
    return { cell: this.heat.cursor, row: this.table?.table.place ?? -1 };
  }

  private restore(): void {
    const state = this.kept?.state as State | undefined;
    this.kept = undefined;
    if (!state) return;
    this.heat.moveTo(...state.cell);
    if (this.table) this.table.table.place = state.row;
  }

  unmount(): void {
    this.heat.destroy();
    this.table?.table.destroy();
  }

  update(selection: Selection): void {
    const { unit } = this.tables;
    const measure = choice(selection.show, MEASURES);
    const tab = tabOf(selection);
    const mask = chosenMessages(this.tables, {
      nodes: nodesOf(this.tables.node, selection.region, selection.node),
      communicator: tab === 'communicators' ? -1 : this.communicatorRow(selection) });
    const all = pairs(this.tables.message, this.moves, mask);
    const grouping: Grouping = choice(selection.show, GROUPINGS);
    this.groups = groupUnits(unit, grouping, MOST_GROUPS);
    this.matrixCard.hidden = tab !== 'pairs';
    if (tab === 'pairs') {
      const matrix = messageMatrix(all, measure, unit, this.groups);
      this.showControls(selection, matrix, measure);
      this.heat.show(this.picture(selection, matrix, measure));
    }
    this.showList(selection, tab, mask, all);
    this.restore();
  }

  // -- the matrix ---------------------------------------------------------------------------------

  private picture({ units }: Selection, matrix: MessageMatrix, measure: Measure): HeatPicture {
    const { groups } = this;
    const { unit } = this.tables;
    const { value, sent, received, total } = matrix;
    const { count } = groups;
    const most = value.reduce((a, b) => Math.max(a, b), 0);
    const mostSent = sent.reduce((a, b) => Math.max(a, b), 0) || 1;
    const name = (group: number) => nameText(groupLabel(unit, groups, group), 40);
    const mask = unitMask(units, unit);
    const text = (amount: number) => amountText(measure, amount);
    const full = this.shades.pixel(1, 1);
    return {
      lines: count, columns: count, lineName: name, columnName: name, lineTitle: 'from',
      colour: (line, column) => this.shades.pixel(value[line * count + column], most),
      text: (line, column) => {
        const amount = value[line * count + column];
        return amount > 0 ? text(amount) : '';
      },
      ink: (line, column) => this.shades.ink(value[line * count + column], most),
      isChosenLine: line => !!mask && mask[groups.first[line]] === 1,
      beside: {
        title: 'sent', width: 130, axis: false,
        parts: line => [{ share: sent[line] / mostSent, colour: full }],
        note: line => text(sent[line]),
        describe: line => ({ heading: groupName(unit, groups, line), lines: [
          ['sent', text(sent[line])], ['received', text(received[line])]] }),
      },
      describe: (line, column) => {
        const amount = value[line * count + column];
        const heading = `${groupName(unit, groups, line)} to ${groupName(unit, groups, column)}`;
        if (!amount) return { heading, lines: ['nothing'] };
        return { heading, lines: [[MEASURE_TEXT[measure], text(amount)],
          ['of all', percent(amount / total)]] };
      },
    };
  }

  private showControls({ show, region }: Selection, matrix: MessageMatrix, measure: Measure): void {
    const { unit } = this.tables;
    const processes = unit.process.length ? unit.process[unit.process.length - 1] + 1 : 0;
    const hidden: (typeof GROUPINGS)[number][] = [];
    if (processes <= MOST_GROUPS) hidden.push('range');
    else hidden.push('process');
    if (new Set(unit.host).size < 2) hidden.push('host');
    const grouping = choice(show, GROUPINGS);
    this.measure.show(measure);
    this.grouping.show(hidden.includes(grouping) && grouping === 'process' ? 'range' : grouping,
        hidden);
    this.grouping.element.hidden = hidden.length > 1;
    const most = matrix.value.reduce((a, b) => Math.max(a, b), 0);
    this.legend.replaceChildren(el('span', {}, `A cell: ${MEASURE_TEXT[measure]}. `),
        ramp(this.shades, this.colours.card, amountText(measure, most)));
    this.note.textContent = `A line and a column are ${groupingText(this.groups)}. Together: `
      + `${amountText(measure, matrix.total)}${region >= 0 ? ', in the selected region' : ''}. `
      + 'Collective operations have no pairs; they are in the list of call sites.';
  }

  // -- communicators ------------------------------------------------------------------------------

  private communicatorName(row: number): string {
    const { number, name, size } = this.tables.communicator;
    const own = name[row] ? ` ${nameText(name[row], 40)}` : '';
    return `${number[row]}${own} (${grouped(size[row])})`;
  }

  private fillCommunicators(): void {
    const { number } = this.tables.communicator;
    this.communicator.append(el('option', { value: '' }, 'all'),
        ...[...number].map((own, row) =>
          el('option', { value: String(own) }, this.communicatorName(row))));
  }

  private selectCommunicator(): void {
    const { show } = this.store.selection;
    this.store.select({ show: withValue(show, 'comm', this.communicator.value) });
  }

  private communicatorRow({ show }: Selection): number {
    const chosenNumber = valueOf(show, 'comm');
    this.communicator.value = chosenNumber;
    return chosenNumber === '' ? -1
      : this.tables.communicator.number.indexOf(Number(chosenNumber));
  }

  // -- lists --------------------------------------------------------------------------------------

  private showList(selection: Selection, tab: (typeof TABS)[number], mask: Uint8Array,
      all: readonly Pair[]): void {
    if (tab === 'sites') {
      this.show(selection, tab, sites(this.tables, this.moves, mask), this.siteColumns(),
          'Call sites', site => this.store.select({ region: site.region }));
    } else if (tab === 'communicators') {
      this.show(selection, tab, communicators(this.tables, mask), this.communicatorColumns(),
          'Communicators', ({ communicator }) => this.store.select({ tab: '', sort: '',
            show: withValue(selection.show, 'comm',
                String(this.tables.communicator.number[communicator])) }));
    } else {
      const units = unitMask(selection.units, this.tables.unit);
      const processes = units && new Set(
          [...units.keys()].filter(row => units[row]).map(row => this.tables.unit.process[row]));
      const own = processes ? all.filter(pair => processes.has(pair.from)) : all;
      this.show(selection, tab, own, this.pairColumns(), 'Pairs of processes', () => undefined);
    }
  }

  private show<Row extends Pair | Site | CommunicatorSums>(selection: Selection, tab: string,
      list: readonly Row[], columns: readonly ListColumn<Row>[], title: string,
      activate: (row: Row) => void): void {
    this.list = list;
    if (this.table?.tab !== tab) {
      this.table?.table.destroy();
      const host = el('div', {});
      this.listHost.replaceChildren(card({ title, class: 'list', remark: tab === 'pairs'
        ? 'without collective operations' : undefined }, host));
      const of = (row: number) => this.list[row] as Row;
      this.table = { tab, table: new Table(host, {
        label: title, mostRows: tab === 'pairs' ? 14 : 26,
        sort: sort => this.store.select({ sort }), activate: row => activate(of(row)),
        none: 'Nothing was sent here.',
        columns: columns.map(column => ({
          ...column, text: row => (column.shown ?? (each => String(column.value(each))))(of(row)),
          hint: column.exact ? row => column.exact!(of(row)) : undefined,
        })),
      }) };
    }
    const { sort } = selection;
    this.table.table.show({ sort, rows: this.sorted(list, columns, sort) });
  }

  private sorted<Row>(list: readonly Row[], columns: readonly ListColumn<Row>[], sort: string):
      Uint32Array {
    return sortRows(list.length, sortKeys(sort).flatMap(({ name, descending }) => {
      const column = columns.find(each => each.name === name);
      if (!column) return [];
      const values = list.map(column.value);
      const by = values.some(value => typeof value === 'string') ? ranksOfTexts(values.map(String))
        : ranksOf(Float64Array.from(values as number[]));
      return [{ by, descending }];
    }));
  }

  private number<Row>(name: string, title: string, value: (row: Row) => number,
      shown: (value: number) => string = grouped, explain?: string): ListColumn<Row> {
    const exact = shown === seconds ? (row: Row) => `${exactSeconds(value(row))} s`
      : shown === bytes ? (row: Row) => `${grouped(value(row))} bytes` : undefined;
    return { name, title, explain, width: '130px', number: true, value, exact,
      shown: row => shown(value(row)) };
  }

  private sums<Row extends Pair | Site>(): ListColumn<Row>[] {
    return [
      this.number('calls', 'calls', row => row.calls),
      this.number('bytes', 'bytes', row => row.bytes, bytes),
      this.number('sending', 'sending', row => row.ns, seconds, MEASURE_TEXT.sending),
      this.number('receiving', 'receiving', row => row.kind === 'collective' ? NaN : row.receive_ns,
          seconds, MEASURE_TEXT.receiving),
      { name: 'kind', title: 'kind', width: '130px', value: row => row.kind,
        shown: row => row.estimated ? `${row.kind}, estimated` : row.kind,
        explain: 'estimated: not all records were kept; those that were stand for all' },
    ];
  }

  private pairColumns(): ListColumn<Pair>[] {
    return [
      this.number('from', 'from', row => row.from),
      this.number('to', 'to', row => row.to),
      ...this.sums<Pair>(),
    ];
  }

  private siteColumns(): ListColumn<Site>[] {
    const { region, communicator } = this.tables;
    const place = (row: Site) => placeText(region.file[row.region], region.line_start[row.region]);
    return [
      { name: 'region', title: 'call', width: 'minmax(180px, 1fr)',
        value: row => nameText(region.name[row.region], 80) },
      { name: 'place', title: 'place', width: 'minmax(150px, 1fr)', value: place },
      { ...this.number<Site>('communicator', 'comm', row => communicator.number[row.communicator]),
        width: '80px', exact: row => this.communicatorName(row.communicator) },
      { ...this.number<Site>('senders', 'senders', row => row.senders), width: '90px' },
      { ...this.number<Site>('receivers', 'receivers', row => row.receivers || NaN),
        width: '90px' },
      ...this.sums<Site>(),
    ];
  }

  private communicatorColumns(): ListColumn<CommunicatorSums>[] {
    const { number, name, size, kind } = this.tables.communicator;
    return [
      this.number('communicator', 'number', row => number[row.communicator]),
      { name: 'name', title: 'name', width: 'minmax(160px, 1fr)',
        value: row => nameText(name[row.communicator], 80) },
      { name: 'kind', title: 'kind', width: '100px', value: row => kind[row.communicator] },
      this.number('size', 'processes', row => size[row.communicator]),
      this.number('messages', 'messages', row => row.messages),
      this.number('message_bytes', 'message bytes', row => row.message_bytes, bytes),
      this.number('collectives', 'collective calls', row => row.collectives),
      this.number('collective_bytes', 'collective bytes', row => row.collective_bytes, bytes),
      this.number('time', 'in calls', row => row.ns, seconds),
    ];
  }

  // -- actions of the user ------------------------------------------------------------------------

  private select(line: number): void {
    const units = line < 0 ? ''
      : unitText(groupMask(this.groups, group => group === line), this.tables.unit);
    this.store.select({ units });
  }
}

export const messages: View = {
  name: 'messages',
  title: 'Messages',
  extent: 'interval',
  tabs: [{ name: 'pairs', title: 'Matrix' }, { name: 'sites', title: 'Call sites' },
    { name: 'communicators', title: 'Communicators' }],
  missing,
  command,
  async mount(host, page, store, kept) {
    const experiment = page.experiments[store.selection.experiment];
    const [region, node, unit, message, communicator] = await Promise.all([
      experiment.table('region'), experiment.table('node'), experiment.table('unit'),
      experiment.table('message'), experiment.table('communicator')]);
    nameRegions(page, store, { region, node });
    return new Messages(host, page, store, { region, node, unit, message, communicator }, kept);
  },
};
