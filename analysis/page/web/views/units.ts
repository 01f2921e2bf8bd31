// SPDX-License-Identifier: BSD-3-Clause
// View Units: heat maps of processing units and regions, or of units and leaves. Beside each line
// is a bar that shows how the unit spent its time. Below each column is a picture of how its values
// are distributed. A click on a cell selects its region or leaf, and its units.

import { coloursOf, FAMILIES, pixel, type Colours } from '../colour';
import type { Experiment, Page } from '../data/page';
import { type NodeTable, type Numbers, type PartTable, type RegionTable, type UnitTable, USEFUL }
  from '../data/tables';
import { choice, chosen, valueOf, withValue } from '../decide/choices';
import { commandText, puWords } from '../decide/command';
import { timeWords } from '../decide/interval';
import { quartiles, type Quartiles } from '../decide/distribution';
import { leavesOf } from '../decide/sums';
import { groupingText, groupLabel, groupMask, groupName, GROUPINGS, groupUnits, type Groups }
  from '../decide/unit_groups';
import { BY_VALUE, byColumn, classesByGroup, columnValues, groupMatrix, type GroupMatrix,
  itemsOf, lineOrder, mainClasses, type MatrixKind, OTHERS, unitMatrix, type UnitMatrix }
  from '../decide/unit_matrix';
import { unitMask, unitText } from '../decide/units';
import { card, familyLegend } from '../draw/card';
import { Choices } from '../draw/choices';
import { el } from '../draw/element';
import { Heatmap, type HeatPicture, type HoverLine } from '../draw/heatmap';
import { ramp, Shades } from '../draw/shades';
import { isDark } from '../draw/theme';
import { changed, type Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, percent, placeText, plural, seconds, shortLeaf, timeScale } from '../text';
import { nameRegions, selectedRegion } from './named_regions';
import { drawBox, histogramCard } from './units_distribution';
import { spentCard } from './units_spent';
import { type Kept, type Missing, type Mounted, NO_LEAVES, type View } from './view';

const MOST_LINES = 280;
const MOST_COLUMNS = 40;
const BOX_HEIGHT = 46;
const AT_ONCE = 2e6; // if there are more values, they are sorted after the picture is shown
const VALUES = ['mean', 'largest'] as const;

interface Tables {
  region: RegionTable;
  node: NodeTable;
  unit: UnitTable;
  part: PartTable;
}

function kindOf({ tab }: Selection): MatrixKind {
  return tab === 'leaves' ? 'leaves' : 'regions';
}

function missing(page: Page, selection: Selection): Missing | null {
  const { experiment } = selection;
  const own = page.experiments[experiment];
  if (own?.has('part') && own.has('unit')) return null;
  if (own?.index.interval) return { why: NO_LEAVES, command: command(page, selection) };
  return { why: 'The page has no times of this run.',
    command: `sis-analyze view ${own?.index.name ?? ''}` };
}

function command(page: Page, selection: Selection): string {
  const { overhead } = selection;
  const name = kindOf(selection) === 'regions'
    ? selectedRegion(page, { ...selection, node: -1 }) : '';
  return commandText(page, selection, 'overhead', [['--by-pu'],
    ...(name ? [['--exclusive'] as const, ['--region', name] as const] : []),
    ['--overhead', overhead === 'useful' ? '' : overhead], puWords(selection),
    ...timeWords(page, selection)]);
}

interface Sums {
  key: string;
  matrix: UnitMatrix;
  groups: Groups;
  cells: GroupMatrix;
  main: Uint8Array; // by cell: family
  families: Float64Array; // by group and family
}

/** The data for the picture of one selection. */
interface Drawn extends Sums {
  selection: Selection;
  kind: MatrixKind;
  order: Uint32Array;
  shown: Float64Array; // by cell: mean or largest
  most: number;
  chosenUnits: Uint8Array | null; // by unit
}

/** The cell with the cursor. */
interface State {
  unit: number; // the first unit of the line
  item: number; // region or leaf of the column
}

class Units implements Mounted {
  private readonly kinds;
  private readonly colours: Colours;
  private readonly shades: Shades[]; // by family
  private readonly heat: Heatmap;
  private readonly grouping: Choices<(typeof GROUPINGS)[number]>;
  private readonly ordering: Choices<'run' | 'time'>;
  private readonly valuing: Choices<(typeof VALUES)[number]>;
  private readonly note = el('p', { class: 'note' });
  private readonly legend = el('div', { class: 'legends' });
  private readonly inside = el('button', { type: 'button', class: 'command', hidden: true,
    on: { click: () => this.enter('') } });
  private readonly details = el('div', { class: 'columns two' });
  private readonly items = new Map<MatrixKind, Numbers>();
  private sums: Sums | null = null;
  private boxes: (Quartiles | null)[] | null = null;
  private drawn: Drawn | null = null;
  private timer = 0;

  constructor(host: HTMLElement, page: Page,
      private readonly experiment: Experiment, private readonly store: Store,
      private readonly tables: Tables, private kept?: Kept) {
    this.kinds = page.index.overheads;
    this.colours = coloursOf(this.kinds, isDark());
    this.shades = FAMILIES.map(family =>
      new Shades(this.colours.family(family), this.colours.card));
    this.grouping = new Choices('a line is', [
      { name: 'fit', title: 'what fits', explain: 'one unit, if so many lines fit' },
      { name: 'unit', title: 'a unit' },
      { name: 'process', title: 'a process' },
      { name: 'range', title: 'a range of processes' }, { name: 'host', title: 'a host' },
    ], name => this.choose(GROUPINGS, name));
    this.ordering = new Choices('lines are', [
      { name: 'run', title: 'as in the run', explain: 'by process and thread' },
      { name: 'time', title: 'by time', explain: 'most time first; of the selected column' },
    ], name => this.sortBy(name));
    this.valuing = new Choices('of units in a line', [
      { name: 'mean', title: 'the mean' }, { name: 'largest', title: 'the largest' },
    ], name => this.choose(VALUES, name));
    const heat = el('div', {});
    host.append(card({ title: 'Units', class: 'units' },
        el('div', { class: 'controls' }, this.grouping.element, this.ordering.element,
            this.valuing.element, this.inside),
        this.legend, heat, this.note), this.details);
    this.heat = new Heatmap(heat, {
      label: 'time of each processing unit by region or overhead', mostHeight: 560,
      select: (line, column) => this.select(line, column),
      activate: line => this.enter(line < 0 ? '' : this.unitsOf(line)),
    });
  }

  unmount(): void {
    clearTimeout(this.timer);
    this.heat.destroy();
  }

  keep(): State | undefined {
    const { drawn } = this;
    if (!drawn) return undefined;
    const [line, column] = this.heat.cursor;
    return { unit: drawn.groups.first[drawn.order[line]] ?? -1,
      item: drawn.matrix.columns[column]?.item ?? OTHERS };
  }

  private restore({ state, rows }: Kept): void {
    const { unit, item } = state as State;
    const { kind, groups, order, matrix } = this.drawn!;
    const region = kind === 'regions' && item !== OTHERS ? rows.region[item] : item;
    this.heat.moveTo(order.indexOf(groups.of[rows.unit[unit] ?? -1] ?? -1),
        matrix.columns.findIndex(column => column.item === region));
  }

  update(selection: Selection): void {
    const { unit } = this.tables;
    const drawn = this.decide(selection);
    this.drawn = drawn;
    this.showControls(drawn);
    if (this.kept) this.restore(this.kept);
    this.kept = undefined;
    this.heat.show(this.picture(drawn));
    this.boxesLater(drawn);
    this.details.replaceChildren(
        spentCard(this.kinds, this.colours, this.tables.part, this.tables.node, {
          region: drawn.kind === 'regions' ? selection.region : -1,
          units: drawn.chosenUnits, count: unit.process.length,
          title: this.selectionTitle(selection), run: this.experiment.index }),
        this.distribution(drawn));
  }

  // -- deciding -----------------------------------------------------------------------------------

  private itemsFor(kind: MatrixKind): Numbers {
    let items = this.items.get(kind);
    if (!items) this.items.set(kind, items = itemsOf(kind, this.tables.node, this.tables.part));
    return items;
  }

  /** Sums over all parts. They are kept until another overhead, region or grouping is selected. */
  private sumsOf(selection: Selection, kind: MatrixKind): Sums {
    const { region, unit, part } = this.tables;
    const overhead = kind === 'leaves' ? 'OTOTAL' : selection.overhead || 'OTOTAL';
    const kept = kind === 'regions' ? selection.region : OTHERS;
    const inside = valueOf(selection.show, 'inside');
    const key = [kind, overhead, choice(selection.show, GROUPINGS), inside].join(' ');
    const { sums } = this;
    if (sums?.key === key && (kept < 0 || (sums.matrix.columnOf[kept] ?? -1) < 0
        || sums.matrix.columns.some(column => column.item === kept))) return sums;
    const leaves = leavesOf(this.kinds, overhead);
    const items = this.itemsFor(kind);
    const { familyRow } = this.colours;
    const matrix = unitMatrix(items, kind === 'leaves' ? USEFUL + 1 : region.name.length, part,
        unit.process.length, leaves, MOST_COLUMNS, kept);
    const groups = groupUnits(unit, choice(selection.show, GROUPINGS), MOST_LINES,
        unitMask(inside, unit));
    this.boxes = null;
    return this.sums = {
      key, matrix, groups, cells: groupMatrix(matrix, groups),
      main: mainClasses(matrix, items, part, groups, leaves, FAMILIES.length, familyRow),
      families: classesByGroup(part, groups, FAMILIES.length, familyRow),
    };
  }

  private decide(selection: Selection): Drawn {
    const kind = kindOf(selection);
    const sums = this.sumsOf(selection, kind);
    const { matrix, groups, cells } = sums;
    const shown = choice(selection.show, VALUES) === 'mean' ? cells.mean : cells.most;
    let most = 0;
    for (const value of shown) if (value > most) most = value;
    return {
      ...sums, selection, kind, shown, most,
      order: lineOrder(selection.sort, groups, cells, matrix.columns),
      chosenUnits: unitMask(selection.units, this.tables.unit),
    };
  }

  private isChosenColumn({ kind, matrix, selection }: Drawn, column: number): boolean {
    const { item } = matrix.columns[column];
    if (item === OTHERS) return false;
    if (kind === 'regions') return item === selection.region;
    return selection.overhead === this.kinds[item]?.name;
  }

  private columnName({ kind, matrix }: Drawn, column: number): string {
    const { item, items } = matrix.columns[column];
    if (item === OTHERS) return `${items} others`;
    if (kind === 'regions') return nameText(this.tables.region.name[item], 60);
    return shortLeaf(this.kinds[item]?.name ?? 'useful work');
  }

  private columnNote({ kind, matrix }: Drawn, column: number): string {
    const { item } = matrix.columns[column];
    if (item === OTHERS || kind !== 'regions') return '';
    const { region } = this.tables;
    return placeText(region.file[item], region.line_start[item]);
  }

  private unitsOf(line: number): string {
    const { groups, order } = this.drawn!;
    return unitText(groupMask(groups, group => group === order[line]), this.tables.unit);
  }

  // -- the picture --------------------------------------------------------------------------------

  private shadesOf(drawn: Drawn): (cell: number) => Shades | null {
    const { kind, matrix, main } = drawn;
    const width = matrix.columns.length;
    if (kind === 'regions') return cell => this.shades[main[cell]] ?? null;
    const own = matrix.columns.map(({ item }) =>
      new Shades(item === OTHERS ? this.colours.family('OUNID') : this.colours.leaf(item),
          this.colours.card));
    return cell => own[cell % width];
  }

  private picture(drawn: Drawn): HeatPicture {
    const { kind, matrix, groups, order, shown, most, chosenUnits } = drawn;
    const { unit } = this.tables;
    const width = matrix.columns.length;
    const scale = timeScale(most);
    const shades = this.shadesOf(drawn);
    const at = (line: number, column: number) => order[line] * width + column;
    const ordered = drawn.selection.sort === '';
    const threads = groups.kind === 'unit'
      && unit.thread.length > unit.process[unit.process.length - 1] + 1;
    return {
      lines: groups.count, columns: width,
      lineTitle: groups.kind === 'unit' ? 'unit' : groups.kind === 'host' ? 'host' : 'process',
      lineName: line => nameText(groupLabel(unit, groups, order[line]), 40),
      columnName: column => this.columnName(drawn, column),
      columnNote: kind === 'regions' ? column => this.columnNote(drawn, column) : undefined,
      columnColour: kind === 'leaves' ? column => this.colours.leaf(matrix.columns[column].item)
        : undefined,
      colour: (line, column) => {
        const cell = at(line, column);
        return shades(cell)?.pixel(shown[cell], most) ?? 0;
      },
      text: (line, column) => {
        const value = shown[at(line, column)];
        return value > 0.002 * most ? scale.text(value) : '';
      },
      ink: (line, column) => {
        const cell = at(line, column);
        return shades(cell)?.ink(shown[cell], most) ?? this.colours.ink;
      },
      startsGroup: line => ordered && threads && unit.thread[groups.first[line]] === 0,
      isChosenLine: line => !!chosenUnits && this.isChosen(drawn, order[line]),
      isChosenColumn: column => this.isChosenColumn(drawn, column),
      beside: this.beside(drawn),
      below: {
        height: BOX_HEIGHT,
        draw: (context, column, x, y, room) => drawBox(context, this.boxes?.[column] ?? null,
            { x, y, width: room, height: BOX_HEIGHT }, this.colours.ink),
        describe: column => this.describeColumn(drawn, column),
      },
      describe: (line, column) => this.describe(drawn, line, column),
    };
  }

  private isChosen({ groups, chosenUnits }: Drawn, group: number): boolean {
    return chosenUnits![groups.first[group]] === 1 && chosenUnits![groups.last[group]] === 1;
  }

  private beside({ families, groups, order }: Drawn): HeatPicture['beside'] {
    const t_p = this.experiment.index.t_p_ns || 1;
    const pixels = FAMILIES.map(family => pixel(this.colours.family(family)));
    const share = (line: number, family: number) =>
      Math.max(0, families[order[line] * FAMILIES.length + family]) / t_p;
    return {
      title: 'T_p of each line', width: 230, axis: true,
      parts: line => FAMILIES.map((_, i) => ({ share: share(line, i), colour: pixels[i] })),
      note: line => `${percent(share(line, 0))} useful`,
      describe: line => ({
        heading: groupName(this.tables.unit, groups, order[line]),
        lines: FAMILIES.map((family, i) => [family === 'useful' ? 'useful work' : family,
          `${seconds(share(line, i) * t_p)}  ${percent(share(line, i))}`] as const)
          .filter((_, i) => share(line, i) > 0),
      }),
    };
  }

  private describe(drawn: Drawn, line: number, column: number):
      { heading: string; lines: readonly HoverLine[] } {
    const { groups, cells, order, matrix, main, kind } = drawn;
    const group = order[line], cell = group * matrix.columns.length + column;
    const name = groupName(this.tables.unit, groups, group);
    const several = groups.size[group] > 1;
    const lines: HoverLine[] = [[several ? `mean of ${plural(groups.size[group], 'unit')}` : 'time',
      seconds(cells.mean[cell])]];
    if (several) lines.push(['largest', seconds(cells.most[cell])]);
    lines.push(['share of T_p', percent(cells.mean[cell] / (this.experiment.index.t_p_ns || 1))]);
    if (kind === 'regions' && FAMILIES[main[cell]]) lines.push(['mostly', FAMILIES[main[cell]]]);
    const where = [this.columnName(drawn, column), this.columnNote(drawn, column)];
    return { heading: `${name}: ${where.filter(Boolean).join(' ')}`, lines };
  }

  private describeColumn(drawn: Drawn, column: number):
      { heading: string; lines: readonly HoverLine[] } {
    const { kind, matrix } = drawn;
    const { item, total_ns } = matrix.columns[column];
    const box = this.boxes?.[column];
    const lines: HoverLine[] = [['mean of the units', seconds(total_ns / matrix.units)]];
    if (box) lines.push(['least', seconds(box.least)], ['a quarter below', seconds(box.low)],
        ['median', seconds(box.middle)], ['a quarter above', seconds(box.high)],
        ['largest', seconds(box.most)]);
    if (kind === 'leaves' && item !== OTHERS) lines.unshift(this.kinds[item]?.text ?? '');
    const place = this.columnNote(drawn, column);
    const name = kind === 'leaves' && item !== OTHERS ? this.kinds[item]?.name ?? ''
      : this.columnName(drawn, column);
    return { heading: place ? `${name} ${place}` : name, lines };
  }

  // -- distributions ------------------------------------------------------------------------------

  private boxesLater(drawn: Drawn): void {
    if (this.boxes) return;
    clearTimeout(this.timer);
    const make = () => {
      this.boxes = drawn.matrix.columns.map((_, column) =>
        quartiles(columnValues(drawn.matrix, column, drawn.groups)));
      if (this.drawn) this.heat.show(this.picture(this.drawn));
    };
    if (drawn.matrix.ns.length <= AT_ONCE) make();
    else this.timer = window.setTimeout(make, 30);
  }

  private distribution(drawn: Drawn): HTMLElement {
    const { matrix, groups } = drawn;
    const column = matrix.columns.findIndex((_, i) => this.isChosenColumn(drawn, i));
    if (column < 0)
      return card({ title: 'Distribution' }, el('p', { class: 'note' },
          'Select a column or a cell: the histogram of its values appears here.'));
    const { unit } = this.tables;
    const values = new Float64Array(matrix.units);
    for (let row = 0; row < values.length; row++)
      values[row] = groups.of[row] < 0 ? NaN : matrix.ns[row * matrix.columns.length + column];
    const name = [this.columnName(drawn, column), this.columnNote(drawn, column)].join(' ');
    return histogramCard(name.trim(), values, this.colours, drawn.chosenUnits,
        mask => this.store.select({ units: unitText(mask, unit) }));
  }

  // -- controls -----------------------------------------------------------------------------------

  private showControls(drawn: Drawn): void {
    const { selection, groups, matrix, kind } = drawn;
    const { unit } = this.tables;
    const units = unit.process.length;
    const hosts = new Set(unit.host).size;
    const processes = units ? unit.process[units - 1] + 1 : 0;
    const hidden: (typeof GROUPINGS)[number][] = ['unit']; // units are shown if they fit
    if (processes === units || processes > MOST_LINES) hidden.push('process');
    if (processes <= MOST_LINES) hidden.push('range');
    if (hosts < 2) hidden.push('host');
    this.grouping.show(choice(selection.show, GROUPINGS), hidden);
    this.grouping.element.hidden = hidden.length >= GROUPINGS.length - 2;
    this.ordering.show(selection.sort ? 'time' : 'run');
    this.valuing.show(choice(selection.show, VALUES));
    this.valuing.element.hidden = groups.kind === 'unit';
    const inside = valueOf(selection.show, 'inside');
    this.inside.hidden = !inside;
    this.inside.textContent = `only units ${inside} ×`;
    this.showLegend(drawn);
    const columns = matrix.columns.filter(column => column.item !== OTHERS).length;
    const what = kind === 'regions' ? 'regions' : 'leaves';
    this.note.textContent = `A line is ${groupingText(groups)}. Below each column: its values from `
      + '0 to the largest; the box has the middle half of the units, the mark is the median. '
      + (columns < matrix.all
        ? `${columns} of ${matrix.all} ${what} have a column, those with most time; the last `
          + 'column has the others. ' : '')
      + (groups.kind === 'unit' ? '' : 'Shift+Enter or a double click opens a line.');
  }

  private showLegend({ kind, main, families, most, selection }: Drawn): void {
    const seen = FAMILIES.filter((_, i) => main.includes(i)
      || families.some((ns, at) => at % FAMILIES.length === i && ns > 0));
    const what = selection.overhead === 'useful' ? 'useful work' : 'time lost';
    this.legend.replaceChildren(familyLegend(this.kinds, this.colours, seen),
        el('span', { class: 'explain' }, kind === 'regions'
          ? `A cell: ${what} in the region, without the regions inside it; its hue: the kind with `
            + 'most time. '
          : 'A cell: time on the leaf. ',
        ramp(this.shades[FAMILIES.indexOf('OSYNC')], this.colours.card, seconds(most))));
  }

  private selectionTitle({ units, region }: Selection): string {
    const place = kindOf(this.store.selection) === 'regions' && region >= 0
      ? nameText(this.tables.region.name[region] ?? '', 60)
      : this.experiment.index.interval ? 'the interval' : 'the whole run';
    const text = units.length > 40 ? `${units.slice(0, 40)}…` : units;
    return `${text ? `units ${text}` : 'all units'} in ${place}`;
  }

  // -- actions of the user ------------------------------------------------------------------------

  private choose<Name extends string>(names: readonly Name[], name: Name): void {
    this.store.select({ show: chosen(this.store.selection.show, names, name) });
  }

  private sortBy(name: 'run' | 'time'): void {
    const drawn = this.drawn!;
    const column = drawn.matrix.columns.find((_, i) => this.isChosenColumn(drawn, i));
    this.store.select({ sort: name === 'run' ? '' : column ? byColumn(column.item) : BY_VALUE });
  }

  /** Shows only the units of a line; '' shows all again. */
  private enter(units: string): void {
    const { selection } = this.store;
    if (units && this.drawn!.groups.kind === 'unit') return;
    this.store.select({ units, show: withValue(selection.show, 'inside', units) });
  }

  private select(line: number, column: number): void {
    const drawn = this.drawn!;
    let change: Partial<Selection> = line >= 0 ? { units: this.unitsOf(line) } : {};
    const item = column >= 0 ? drawn.matrix.columns[column].item : OTHERS;
    if (item !== OTHERS)
      change = { ...change, ...(drawn.kind === 'regions' ? { region: item, node: -1 }
        : { overhead: this.kinds[item]?.name ?? 'useful' }) };
    const next = changed(drawn.selection, change);
    const same = (Object.keys(change) as (keyof Selection)[])
      .every(key => next[key] === drawn.selection[key]);
    if (!same) this.store.select(change);
  }
}

export const units: View = {
  name: 'units',
  title: 'Units',
  extent: 'interval',
  tabs: [{ name: 'regions', title: 'Units × regions' },
    { name: 'leaves', title: 'Units × leaves' }],
  missing,
  command,
  async mount(host, page, store, kept) {
    const experiment = page.experiments[store.selection.experiment];
    const [region, node, unit, part] = await Promise.all([experiment.table('region'),
      experiment.table('node'), experiment.table('unit'), experiment.table('part')]);
    nameRegions(page, store, { region, node });
    return new Units(host, page, experiment, store, { region, node, unit, part }, kept);
  },
};
