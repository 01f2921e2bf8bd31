// SPDX-License-Identifier: BSD-3-Clause
// View Waits: who waited for whom, as a matrix of victims and culprits, and as a list of pairs with
// the regions of both. A click on a cell selects its victims, and restricts the list to its
// culprits.

import { coloursOf, type Colours } from '../colour';
import type { Page } from '../data/page';
import type { DelayTable, NodeTable, RegionTable, UnitTable, WaitPairTable } from '../data/tables';
import { choice, chosen, valueOf, withValue } from '../decide/choices';
import { commandText } from '../decide/command';
import { timeWords } from '../decide/interval';
import { nodesOf } from '../decide/overview';
import { leavesOf } from '../decide/sums';
import { groupingText, groupLabel, groupMask, groupName, GROUPINGS, groupUnits, type Groups }
  from '../decide/unit_groups';
import { unitMask, unitText } from '../decide/units';
import { chosenPairs, pairList, type PairList, sortedPairs, type WaitMatrix, waitMatrix }
  from '../decide/wait_matrix';
import { card } from '../draw/card';
import { Choices } from '../draw/choices';
import { el, swatch } from '../draw/element';
import { Heatmap, type HeatPicture, type HoverLine } from '../draw/heatmap';
import { ramp, Shades } from '../draw/shades';
import { Table } from '../draw/table';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { exactSeconds, nameText, percent, placeText, seconds, shortLeaf, timeScale, unitName }
  from '../text';
import { nameRegions, selectedRegion } from './named_regions';
import { type Kept, type Missing, type Mounted, noOperations, type View } from './view';

const MOST_GROUPS = 128;

interface Tables {
  region: RegionTable;
  node: NodeTable;
  unit: UnitTable;
  pair: WaitPairTable;
  delay: DelayTable;
}

function missing(page: Page, selection: Selection): Missing | null {
  const own = page.experiments[selection.experiment];
  const name = own?.index.name ?? '';
  if (own?.has('wait_pair')) return null;
  if (own?.index.interval && own.index.tables.wait_pair?.rows)
    return { why: noOperations(own.index), command: command(page, selection) };
  return { why: 'No unit of this run waited for another one.',
    command: `sis-analyze waits ${name} --pairs` };
}

function command(page: Page, selection: Selection): string {
  const single = /^\d+\.\d+$/;
  const culprit = valueOf(selection.show, 'for');
  const filter = single.test(selection.units) ? `victim=${selection.units}`
    : single.test(culprit) ? `culprit=${culprit}` : '';
  const { overhead } = selection;
  return commandText(page, selection, 'waits', [['--pairs'],
    ['--region', selectedRegion(page, selection)],
    ['--overhead', overhead === 'useful' ? '' : overhead], ['--filter', filter],
    ...timeWords(page, selection)]);
}

interface State {
  cell: readonly [line: number, column: number]; // in the matrix
  row: number; // in the list
}

class Waits implements Mounted {
  private readonly kinds;
  private readonly colours: Colours;
  private readonly shades = new Map<number, Shades>();
  private readonly heat: Heatmap;
  private readonly table: Table;
  private readonly grouping: Choices<(typeof GROUPINGS)[number]>;
  private readonly legend = el('div', { class: 'legends' });
  private readonly note = el('p', { class: 'note' });
  private readonly listNote = el('p', { class: 'note' });
  private readonly only = el('button', { type: 'button', class: 'command', hidden: true,
    on: { click: () => this.restrict('', this.store.selection.units) } });
  private groups: Groups;
  private list: PairList;
  private total = 0;

  constructor(host: HTMLElement, page: Page, private readonly store: Store,
      private readonly tables: Tables, private kept?: Kept) {
    this.kinds = page.index.overheads;
    this.colours = coloursOf(this.kinds, isDark());
    this.groups = groupUnits(tables.unit, 'fit', MOST_GROUPS);
    this.list = pairList(tables.pair, new Uint8Array(tables.pair.ns.length), tables.node);
    this.grouping = new Choices('lines and columns are', [
      { name: 'fit', title: 'what fits' }, { name: 'unit', title: 'units' },
      { name: 'process', title: 'processes' },
      { name: 'range', title: 'ranges of processes' }, { name: 'host', title: 'hosts' },
    ], name => this.store.select({ show: chosen(this.store.selection.show, GROUPINGS, name) }));
    const heat = el('div', {}), list = el('div', {});
    host.append(
        card({ title: 'Who waited for whom', class: 'waits', remark: 'lines wait for columns' },
            el('div', { class: 'controls' }, this.grouping.element), this.legend, heat, this.note),
        card({ title: 'Pairs', class: 'list', remark: 'victim, culprit, and what the culprit did '
          + 'meanwhile' }, el('div', { class: 'controls' }, this.only), list, this.listNote));
    this.heat = new Heatmap(heat, {
      label: 'time that units waited, by victim (lines) and culprit (columns)', square: true,
      mostHeight: 480, mostCell: 60, select: (line, column) => this.select(line, column),
    });
    this.table = this.makeTable(list);
  }

  /** The places of the cursors. */
  keep(): State {
    return { cell: this.heat.cursor, row: this.table.place };
  }

  private restore(): void {
    const state = this.kept?.state as State | undefined;
    this.kept = undefined;
    if (!state) return;
    this.heat.moveTo(...state.cell);
    this.table.place = state.row;
  }

  unmount(): void {
    this.heat.destroy();
    this.table.destroy();
  }

  update(selection: Selection): void {
    const { unit, node, pair } = this.tables;
    this.groups = groupUnits(unit, choice(selection.show, GROUPINGS), MOST_GROUPS);
    const leaves = leavesOf(this.kinds, selection.overhead);
    const where = { leaves, nodes: nodesOf(node, selection.region, selection.node) };
    const culprit = valueOf(selection.show, 'for');
    const all = chosenPairs(pair, { ...where, victims: null, culprits: null });
    const matrix = waitMatrix(pair, all, this.groups);
    this.list = pairList(pair, chosenPairs(pair, { ...where,
      victims: unitMask(selection.units, unit), culprits: unitMask(culprit, unit) }), node);
    this.total = matrix.total;
    this.showControls(selection, matrix, culprit);
    this.heat.show(this.picture(selection, matrix, culprit));
    this.table.show({ sort: selection.sort || '-time', rows: sortedPairs(this.list, selection.sort,
        node, { regions: this.tables.region.name, leaves: this.kinds.map(kind => kind.name) }) });
    this.restore();
  }

  // -- the matrix ---------------------------------------------------------------------------------

  private shadesOf(leaf: number): Shades {
    let shades = this.shades.get(leaf);
    if (!shades) {
      shades = new Shades(this.colours.leaf(leaf), this.colours.card);
      this.shades.set(leaf, shades);
    }
    return shades;
  }

  private picture({ units }: Selection, matrix: WaitMatrix, culprit: string): HeatPicture {
    const { groups } = this;
    const { unit } = this.tables;
    const { count } = groups;
    const { ns, main } = matrix;
    const most = ns.reduce((a, b) => Math.max(a, b), 0);
    const scale = timeScale(most);
    const name = (group: number) => nameText(groupLabel(unit, groups, group), 40);
    const masks = [unitMask(units, unit), unitMask(culprit, unit)];
    const isChosen = (mask: Uint8Array | null, group: number) =>
      !!mask && mask[groups.first[group]] === 1 && mask[groups.last[group]] === 1;
    return {
      lines: count, columns: count, lineName: name, columnName: name, lineTitle: 'waited',
      colour: (line, column) => {
        const cell = line * count + column;
        return ns[cell] > 0 ? this.shadesOf(main[cell]).pixel(ns[cell], most) : 0;
      },
      text: (line, column) => {
        const value = ns[line * count + column];
        return value > 0 ? scale.text(value) : '';
      },
      ink: (line, column) => this.shadesOf(main[line * count + column])
        .ink(ns[line * count + column], most),
      isChosenLine: line => isChosen(masks[0], line),
      isChosenColumn: column => isChosen(masks[1], column),
      beside: {
        title: 'all waits of each line', width: 130, axis: false,
        parts: line => [{ share: matrix.byVictim[line] / (Math.max(...matrix.byVictim) || 1),
          colour: this.shadesOf(this.mainOf(matrix, line)).pixel(1, 1) }],
        note: line => seconds(matrix.byVictim[line]),
        describe: line => ({ heading: groupName(unit, groups, line), lines: [
          ['waited', seconds(matrix.byVictim[line])],
          ['others waited for it', seconds(matrix.byCulprit[line])]] }),
      },
      describe: (line, column) => this.describe(matrix, line, column),
    };
  }

  /** The leaf of the largest cell of a line. */
  private mainOf({ ns, main }: WaitMatrix, line: number): number {
    const { count } = this.groups;
    let at = line * count;
    for (let cell = at; cell < (line + 1) * count; cell++) if (ns[cell] > ns[at]) at = cell;
    return main[at];
  }

  private describe({ ns, main, total }: WaitMatrix, line: number, column: number):
      { heading: string; lines: readonly HoverLine[] } {
    const { groups } = this;
    const { unit } = this.tables;
    const cell = line * groups.count + column;
    const heading = `${groupName(unit, groups, line)} waited for `
      + groupName(unit, groups, column);
    if (!ns[cell]) return { heading, lines: ['never'] };
    const mostly = this.kinds[main[cell]]?.name ?? '';
    return { heading, lines: [['time', seconds(ns[cell])],
      ['of all waits', percent(ns[cell] / total)], ['mostly', mostly]] };
  }

  private showControls({ units, overhead }: Selection, matrix: WaitMatrix, culprit: string): void {
    const { unit, delay } = this.tables;
    const processes = unit.process.length ? unit.process[unit.process.length - 1] + 1 : 0;
    const hidden: (typeof GROUPINGS)[number][] = ['unit'];
    if (processes === unit.process.length || processes > MOST_GROUPS) hidden.push('process');
    if (processes <= MOST_GROUPS) hidden.push('range');
    if (new Set(unit.host).size < 2) hidden.push('host');
    this.grouping.show(choice(this.store.selection.show, GROUPINGS), hidden);
    this.grouping.element.hidden = hidden.length >= GROUPINGS.length - 1;
    this.only.hidden = !units && !culprit;
    this.only.textContent = `only ${units ? `units ${units}` : ''}${culprit
      ? ` that waited for ${culprit}` : ''} ×`;
    this.showLegend(matrix);
    const estimated = delay.estimated_ns.reduce((a, b) => a + b, 0);
    const all = delay.ns.reduce((a, b) => a + b, 0);
    this.note.textContent = `A line and a column are ${groupingText(this.groups)}. `
      + `All waits together: ${seconds(matrix.total)}, added up over the units`
      + `${overhead ? `, as ${overhead}` : ''}. `
      + (matrix.others ? `${seconds(matrix.others)} of victims with smaller waits than any other `
        + 'are in no cell. ' : '')
      + (estimated ? `The causes of ${percent(estimated / (all || 1))} of the waits are estimates; `
        + 'with SIS_TRACE=1 they are exact.' : '');
  }

  private showLegend({ main, ns }: WaitMatrix): void {
    const leaves = [...new Set(main)].filter(leaf => leaf !== 255).sort((a, b) => a - b);
    const most = ns.reduce((a, b) => Math.max(a, b), 0);
    this.legend.replaceChildren(
        el('div', { class: 'legend', role: 'list', 'aria-label': 'colours' },
            ...leaves.map(leaf => el('span', { role: 'listitem', title: this.kinds[leaf]?.text },
                swatch(this.colours.leaf(leaf)), this.kinds[leaf]?.name ?? ''))),
        el('span', {}, `numbers in cells: ${timeScale(most).unit} `,
            ramp(this.shadesOf(leaves[0] ?? 0), this.colours.card, seconds(most))));
  }

  // -- the list -----------------------------------------------------------------------------------

  private makeTable(host: HTMLElement): Table {
    const { region, node, unit } = this.tables;
    const name = (row: number) =>
      row < 0 ? 'others' : unitName(unit.process[row], unit.thread[row]);
    const regionName = (at: number) => nameText(region.name[node.region[at]], 80);
    // the same name as CAUSE_NAME in query/call_paths.h
    const causeName = (row: number) => {
      const at = this.list.culprit_node[row];
      const known = region.type[node.region[at]] !== 'RT_RUN'
        || /^OSYNC_(INIT|FINWAIT)$/.test(this.kinds[this.list.leaf[row]]?.name ?? '');
      return known ? where(at) : 'not recorded';
    };
    const place = (at: number) =>
      placeText(region.file[node.region[at]], region.line_start[node.region[at]]);
    const where = (at: number) => [regionName(at), place(at)].filter(Boolean).join('  ');
    return new Table(host, {
      label: 'pairs of victim and culprit', mostRows: 16,
      sort: sort => this.store.select({ sort }),
      activate: row => this.store.select({ region: node.region[this.list.culprit_node[row]] }),
      none: 'No unit waited for another one here.',
      columns: [
        { name: 'victim', title: 'victim', explain: 'the unit that waited', width: '78px',
          text: row => name(this.list.victim[row]) },
        { name: 'culprit', title: 'culprit', explain: 'the unit that it waited for', width: '78px',
          text: row => name(this.list.culprit[row]) },
        { name: 'time', title: 'waited', width: '150px', number: true,
          text: row => seconds(this.list.ns[row]),
          hint: row => `${exactSeconds(this.list.ns[row])} s, `
            + `${percent(this.list.ns[row] / (this.total || 1))} of all waits` },
        { name: 'wait', title: 'as', width: '130px',
          text: row => shortLeaf(this.kinds[this.list.leaf[row]]?.name ?? ''),
          hint: row => this.kinds[this.list.leaf[row]]?.text ?? '',
          paint: (cell, row) => {
            cell.classList.add('with-swatch');
            cell.style.setProperty('--swatch', this.colours.leaf(this.list.leaf[row]));
          } },
        { name: 'region', title: 'the victim waited in', width: 'minmax(200px, 1fr)',
          text: row => where(this.list.node[row]) },
        { name: 'cause', title: 'the culprit was in', width: 'minmax(200px, 1fr)',
          explain: 'where it spent more time than the victim',
          text: causeName },
      ],
    });
  }

  // -- actions of the user ------------------------------------------------------------------------

  private restrict(culprit: string, units: string): void {
    this.store.select({ units: culprit ? units : '',
      show: withValue(this.store.selection.show, 'for', culprit) });
  }

  private select(line: number, column: number): void {
    const { unit } = this.tables;
    const text = (group: number) => group < 0 ? ''
      : unitText(groupMask(this.groups, each => each === group), unit);
    this.store.select({ units: text(line),
      show: withValue(this.store.selection.show, 'for', text(column)) });
  }
}

export const waits: View = {
  name: 'waits',
  title: 'Waits',
  extent: 'interval',
  tabs: [],
  missing,
  command,
  async mount(host, page, store, kept) {
    const experiment = page.experiments[store.selection.experiment];
    const [region, node, unit, pair, delay] = await Promise.all([experiment.table('region'),
      experiment.table('node'), experiment.table('unit'), experiment.table('wait_pair'),
      experiment.table('delay')]);
    nameRegions(page, store, { region, node });
    return new Waits(host, page, store, { region, node, unit, pair, delay }, kept);
  },
};
