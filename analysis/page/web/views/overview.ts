// SPDX-License-Identifier: BSD-3-Clause
// View Overview, which users read first. It has one sentence, T_p as one bar, the tree of
// overheads, efficiencies, the critical path and advice, always in this order.
//
// A selection of units, of a region or call path, or of an interval restricts the bar and the tree.
// Everything else is about the whole run, and says so.

import { coloursOf, familyText } from '../colour';
import { overheadOf, type Advice, type ReportDocument, reportOf } from '../data/documents';
import type { Experiment, Page } from '../data/page';
import { NodeTable, PartTable, RegionTable, SourceFileTable, SourceLineTable, UnitTable }
  from '../data/tables';
import { commandText, puWords } from '../decide/command';
import { timeWords } from '../decide/interval';
import { mainRegion, nodesOf, notesOf, pieces, regionAt, type Spent, spentIn, spentInRun,
  worstFamily, familyTotals } from '../decide/overview';
import { unitMask } from '../decide/units';
import { card } from '../draw/card';
import { el } from '../draw/element';
import { isDark } from '../draw/theme';
import { changed, type Selection } from '../store/selection';
import type { Store } from '../store/store';
import { exactSeconds, nameText, percent, placeText, plural, seconds } from '../text';
import { warning } from '../shell/panels';
import { drawBar } from './overview_bar';
import { adviceList, type Cards, criticalPath, efficiencies, type Excerpt, regionEfficiencies,
  worstRegions } from './overview_cards';
import { OpenCard, type OpenTables } from './overview_open';
import { OverheadTree } from './overview_tree';
import { type Kept, type Missing, type Mounted, NO_LEAVES, type View } from './view';

function missing(page: Page, selection: Selection): Missing | null {
  const { experiment } = selection;
  const index = page.index.experiments[experiment];
  if (!index) return { why: 'There is no such experiment in this page.', command: '' };
  if (index.interval && !page.experiments[experiment].has('part'))
    return { why: NO_LEAVES, command: command(page, selection) };
  if (reportOf(index)) return null;
  return { why: 'The page has no report of this run.', command: `sis-analyze view ${index.name}` };
}

/** The command of the view: `overhead` if the numbers are restricted, `report` for the whole
 * run. */
function command(page: Page, selection: Selection): string {
  const time = timeWords(page, selection);
  if (selection.units || time.length)
    return commandText(page, selection, 'overhead', [puWords(selection), ...time]);
  return commandText(page, selection, 'report');
}

function isRestricted({ units, region, node }: Selection): boolean {
  return units !== '' || region >= 0 || node >= 0;
}

const OF_RUN = ', of the whole run'; // and not of the selected interval

interface Tables {
  region: RegionTable;
  unit: UnitTable;
}

interface State {
  overheads: Uint8Array; // which rows of the tree are open
  openRows: number; // OpenCard.rows
}

class Overview implements Mounted {
  private readonly head = el('div', { class: 'head' });
  private readonly bar = el('div', {});
  private readonly treeHost = el('div', {});
  private readonly treeNote = el('div', {});
  private readonly tree: OverheadTree;
  private readonly cards: Cards;
  private readonly whole: Spent;
  private readonly openCard: OpenCard | null;
  private drawn = 0;

  constructor(host: HTMLElement, private readonly page: Page,
      private readonly experiment: Experiment, private readonly report: ReportDocument,
      private readonly store: Store, private readonly tables: Tables,
      excerpt: (advice: Advice) => Excerpt[], open: OpenTables | null, kept?: Kept) {
    const { overheads } = page.index;
    this.whole = spentInRun(experiment.index, overheads)!;
    this.cards = { kinds: overheads, colours: coloursOf(overheads, isDark()), report,
      go: (region, place) => this.go(region, place) };
    this.tree = new OverheadTree(this.treeHost, overheads, this.cards.colours,
        overheadOf(experiment.index)?.not_computed ?? {}, experiment.index.t_p_ns,
        name => this.select(name));
    const before = kept?.state as State | undefined;
    if (before) this.tree.open = before.overheads;
    this.openCard = open && new OpenCard(open, change => store.select(change),
        before?.openRows ?? 0);
    host.append(this.top(), this.openCard?.element ?? '', this.middle(excerpt), this.bottom());
  }

  keep(): State {
    return { overheads: this.tree.open, openRows: this.openCard?.rows ?? 0 };
  }

  unmount(): void {
    this.tree.destroy();
  }

  update(selection: Selection): Promise<void> {
    return this.draw(selection);
  }

  // -- parts of the page --------------------------------------------------------------------------

  private get runs(): boolean {
    return this.page.index.live?.state === 'runs';
  }

  private command(name: string): string {
    return commandText(this.page, this.store.selection, name);
  }

  /** The command of the bar or the tree. With an interval, both have that of the tree. */
  private timeCommand(name: string): string {
    const time = timeWords(this.page, this.store.selection);
    return time.length ? commandText(this.page, this.store.selection, 'overhead', time)
      : this.command(name);
  }

  private get ofRun(): string {
    return this.experiment.index.interval ? OF_RUN : '';
  }

  private top(): HTMLElement {
    return el('div', {}, card({ title: 'Where the time went', class: 'first',
      command: this.timeCommand('report') }, this.head, this.bar),
    ...notesOf(this.report, this.runs).run.map(({ about, text }) =>
      warning(about, nameText(text, 1000))));
  }

  private middle(excerpt: (advice: Advice) => Excerpt[]): HTMLElement {
    const notes = notesOf(this.report, this.runs);
    const noted = (list: readonly string[]) =>
      list.map(text => el('p', { class: 'note noted' }, nameText(text, 600)));
    return el('div', { class: 'columns' },
        card({ title: 'What it cost', remark: 'mean of the units',
          command: this.timeCommand('overhead') }, this.treeHost, this.treeNote,
        ...noted(notes.overheads)),
        card({ title: 'How well', remark: `POP efficiencies${this.ofRun}`,
          command: this.command('report') },
            efficiencies(this.page.index.efficiencies, this.cards),
            el('h3', {}, 'Critical path ', el('small', {}, 'what the length of the run is due to')),
            criticalPath(this.cards, 8), ...noted(notes.critical)),
        card({ title: 'What to do next', remark: `largest gain first${this.ofRun}`,
          command: this.command('report') },
        adviceList(this.cards, this.nextText(), excerpt)));
  }

  private bottom(): HTMLElement {
    const { worst, regions } = this.report;
    return el('div', { class: 'columns two by-region' },
        worst.length ? card({ title: 'The worst regions', remark: `mean of the units${this.ofRun}`,
          command: this.command('report') }, worstRegions(this.cards)) : null,
        regions.length ? card({ title: 'Efficiencies by region',
          remark: `with all that it calls${this.ofRun}`, command: this.command('report') },
        regionEfficiencies(this.cards)) : null);
  }

  private nextText(): string {
    const { next } = this.experiment.index.documents.report as { next?: unknown };
    return typeof next === 'string' ? next : '';
  }

  // -- parts that depend on the selection ---------------------------------------------------------

  private async restricted(selection: Selection): Promise<Spent> {
    const [part, node] = await this.large();
    const { unit } = this.tables;
    return spentIn(this.page.index.overheads, part, unit.process.length,
        unitMask(selection.units, unit), nodesOf(node, selection.region, selection.node));
  }

  /** The large tables. The view of the whole run is first drawn without them. They are read when a
   * selection or the end of the sentence needs them. */
  private large(): Promise<[PartTable, NodeTable]> {
    return Promise.all([this.experiment.table('part'), this.experiment.table('node')]);
  }

  private async draw(selection: Selection): Promise<void> {
    const drawn = ++this.drawn;
    const { interval } = this.experiment.index;
    const isPart = isRestricted(selection) || interval !== undefined;
    const spent = isPart ? await this.restricted(selection) : this.whole;
    if (drawn !== this.drawn) return;
    const { kinds, colours } = this.cards;
    const where = el('span', {}, '.');
    this.head.replaceChildren(this.sentence(selection, spent, where), this.facts());
    this.bar.replaceChildren(drawBar({ kinds, colours, list: pieces(kinds, spent),
      total_ns: spent.total_ns, totalName: isPart ? 'selected' : 'T_p',
      overhead: selection.overhead, select: name => this.select(name) }));
    this.tree.show(spent, selection.overhead);
    this.treeNote.replaceChildren(isPart
      ? el('p', { class: 'note' }, `Bar and tree show the selection, as the mean of its `
        + `${plural(spent.units, 'unit')}; all else the whole run.`) : '');
    if (!isRestricted(selection)) await this.showWhere(where, spent);
  }

  /** The sentence. If it names an overhead, it ends with the element `where`. */
  private sentence(selection: Selection, spent: Spent, where: HTMLElement): HTMLElement {
    const list = pieces(this.cards.kinds, spent);
    const useful = list[0]?.family === 'useful' ? list[0].ns : 0;
    const worst = worstFamily(familyTotals(list));
    const strong = (text: string) => el('em', {}, text);
    const share = (ns: number) => strong(percent(ns / spent.total_ns));
    const subject = isRestricted(selection) ? ['In the selection, each unit spent ',
      strong(seconds(spent.total_ns)), ': '] : ['Of each unit’s ', strong(seconds(spent.total_ns)),
      this.experiment.index.interval ? ' in this interval, ' : ', '];
    const text = el('p', { class: 'sentence' }, ...subject, share(useful), ' were useful work.');
    if (!worst || worst.ns <= 0.005 * spent.total_ns) return text;
    text.append(' ', share(worst.ns),
        ` went to ${familyText(this.cards.kinds, worst.family)}`, where);
    return text;
  }

  /** Writes ', most of it in MPI_Allreduce.' into `where` when the tables have been read. */
  private async showWhere(where: HTMLElement, spent: Spent): Promise<void> {
    const family = worstFamily(familyTotals(pieces(this.cards.kinds, spent)))?.family;
    if (!family || !where.isConnected) return;
    const { region } = this.tables;
    const [part, node] = await this.large();
    const main = mainRegion(this.cards.kinds, family, part, node, region);
    if (!main || main.share < 0.25) return;
    const name = el('a', { href: '#', class: 'strong', on: { click: (event: Event) => {
      event.preventDefault();
      this.open(main.region);
    } } }, nameText(region.name[main.region], 60));
    const place = placeText(region.file[main.region], region.line_start[main.region]);
    where.replaceChildren(main.share > 0.5 ? ', most of it in ' : ', the largest part of it in ',
        name, place ? ` (${place}).` : '.');
  }

  private facts(): HTMLElement {
    const { process, host } = this.tables.unit;
    const processes = new Set(process).size;
    const hosts = new Set(host);
    const { p, t_p_without_probes, processors } = this.report;
    const fact = (name: string, text: string, title?: string) =>
      el('div', { title }, el('dt', {}, name), el('dd', {}, text));
    const per = processes && p % processes === 0 ? `${plural(processes, 'process', 'processes')} × `
      + plural(p / processes, 'thread') : plural(processes, 'process', 'processes');
    return el('dl', { class: 'facts' },
        fact('units', `${p} = ${per}`),
        fact(hosts.size === 1 ? 'host' : 'hosts', hosts.size === 1
          ? nameText([...hosts][0], 30) : String(hosts.size)),
        processors ? fact('processors', String(processors)) : null,
        t_p_without_probes && !this.ofRun ? fact('without probes',
            seconds(1e9 * t_p_without_probes),
            `T_p would be ${exactSeconds(1e9 * t_p_without_probes)} s without the probes on the `
            + 'critical path') : null);
  }

  // -- actions of the user ------------------------------------------------------------------------

  private select(overhead: string): void {
    this.store.select({ overhead });
  }

  private open(region: number): void {
    this.store.select({ view: 'regions', tab: '', region, node: -1, sort: '' });
  }

  private go(name: string, place: string): void {
    const row = regionAt(this.tables.region, name, place);
    if (row >= 0) this.open(row);
    else this.store.select(changed(this.store.selection, { view: 'regions', search: name }));
  }
}

/** Makes the function that finds the line of an advice and the lines around it, if the page has the
 * source. */
function excerpts(file: SourceFileTable, line: SourceLineTable): (advice: Advice) => Excerpt[] {
  const first = new Map<string, number>();
  for (let row = 0; row < line.file.length; row++)
    if (!row || line.file[row] !== line.file[row - 1]) first.set(file.path[line.file[row]], row);
  return ({ file: path, line_start }) => {
    const from = first.get(path);
    if (from === undefined || !line_start) return [];
    return [line_start - 1, line_start, line_start + 1]
        .filter(number => number >= 1 && line.file[from + number - 1] === line.file[from])
        .map(number => ({ line: number, text: line.text[from + number - 1] }));
  };
}

/** The tables of open regions. Only a page of a program that runs has them. */
async function openTables({ index: { live } }: Page, experiment: Experiment)
    : Promise<OpenTables | null> {
  if (live?.state !== 'runs') return null;
  const [open, node, region, unit] = await Promise.all([experiment.table('open'),
    experiment.table('node'), experiment.table('region'), experiment.table('unit')]);
  return { open, node, region, unit };
}

async function mount(host: HTMLElement, page: Page, store: Store, kept?: Kept): Promise<Mounted> {
  const experiment = page.experiments[store.selection.experiment];
  const open = await openTables(page, experiment);
  const [region, unit, file, line] = await Promise.all([experiment.table('region'),
    experiment.table('unit'), experiment.table('source_file'), experiment.table('source_line')]);
  return new Overview(host, page, experiment, reportOf(experiment.index)!, store,
      { region, unit }, excerpts(file, line), open, kept);
}

export const overview: View = { name: 'overview', title: 'Overview', extent: 'interval', tabs: [],
  missing, command, mount };

