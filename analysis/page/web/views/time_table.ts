// SPDX-License-Identifier: BSD-3-Clause
// The table beside the lanes of view Time: the times of an interval by region. The numbers are
// those of `sis-analyze regions --from --to`. If only coarse levels are available, or exact numbers
// need very many tiles, they are approximate, and the table says so. For the overheads of the
// interval, it has a command.

import type { RegionTable, NodeTable, UnitTable } from '../data/tables';
import type { Trace } from '../data/trace';
import type { ItemTile } from '../data/tiles';
import type { Span } from '../decide/time';
import { affordableTiles, isInitial, knownTime } from '../decide/time_interval';
import { addRoot, addTile, byRegion, type ContextNodes, emptySums, type RegionSum }
  from '../decide/time_sums';
import { commandButton } from '../draw/command';
import { el, swatch } from '../draw/element';
import { Table } from '../draw/table';
import { exactSeconds, grouped, nameText, percent, placeText, seconds, timeScale } from '../text';

const MOST_TILES = 250; // more are loaded only if the user asks for exact numbers
const MOST_ROWS = 14;

export interface TableData {
  readonly trace: Trace;
  readonly region: RegionTable;
  readonly node: NodeTable;
  readonly unit: UnitTable;
  readonly nodes: ContextNodes;
  readonly regionColour: (region: number) => string;
  readonly select: (region: number) => void;
  /** The command that prints the overheads of an interval. */
  readonly overheads: (span: Span) => string;
}

export class TimeTable {
  readonly element = el('div', { class: 'time-table' });
  private readonly note = el('p', { class: 'note', role: 'status' });
  private readonly exact = el('button', { type: 'button', class: 'command', hidden: true,
    on: { click: () => void this.compute(true) } });
  private readonly overheads = el('p', { class: 'note' });
  private readonly table: Table;
  private list: RegionSum[] = [];
  private scale = timeScale(1e9);
  private total = 0;
  private span: Span = { from_ns: 0, to_ns: 1 };
  private units: readonly number[] = [];
  private runs = 0;
  private timer = 0;
  private shown = '';

  constructor(private readonly data: TableData) {
    const { region } = data;
    const time = (of: (sum: RegionSum) => number) => ({
      number: true, sort: false, text: (row: number) => this.scale.text(of(this.list[row])),
      hint: (row: number) => `${exactSeconds(of(this.list[row]))} s`,
    });
    this.element.append(this.note, this.exact);
    this.table = new Table(this.element, {
      label: 'regions in the interval', mostRows: MOST_ROWS, none: 'Nothing happens in it.',
      columns: [
        { name: 'region', title: 'region', width: 'minmax(150px, 1fr)', sort: false,
          text: row => {
            const { region: r } = this.list[row];
            return `${nameText(region.name[r], 60)} ${placeText(region.file[r],
                region.line_start[r])}`;
          },
          paint: (cell, row) => {
            const colour = data.regionColour(this.list[row].region);
            const mark = cell.querySelector<HTMLElement>('.swatch') ?? swatch(colour);
            mark.style.background = colour;
            cell.prepend(mark);
          } },
        { name: 'calls', title: 'calls', width: '74px', number: true, sort: false,
          explain: 'activations that began in the interval',
          text: row => grouped(this.list[row].calls) },
        { name: 'incl', title: 'incl', width: '76px', explain: 'time within the interval, with '
          + 'what the region calls', ...time(sum => sum.incl_ns) },
        { name: 'excl', title: 'excl', width: '76px', explain: 'without what it calls',
          ...time(sum => sum.excl_ns) },
        { name: 'share', title: 'share', width: '62px', number: true, sort: false,
          explain: 'of the exclusive times', text: row => percent(this.share(row)),
          paint: (cell, row) => {
            cell.classList.add('under');
            const share = Math.max(0, Math.min(1, this.share(row)));
            cell.style.setProperty('--bar-share', String(share));
          } },
      ],
      select: row => data.select(this.list[row].region),
    });
    this.element.append(this.overheads);
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.runs++;
    this.table.destroy();
  }

  private share(row: number): number {
    return this.total ? this.list[row].excl_ns / this.total : 0;
  }

  /** Shows the interval after a short time, because it may change with each frame. */
  show(span: Span, units: readonly number[]): void {
    const key = `${span.from_ns} ${span.to_ns} ${units.join()} ${this.data.trace.level}`;
    if (key === this.shown) return;
    this.shown = key;
    this.span = span;
    this.units = units;
    clearTimeout(this.timer);
    this.runs++;
    this.overheads.replaceChildren('The overheads in it: ', commandButton(this.data.overheads(span),
        'sis-analyze overhead --from --to', 'prints the overheads in the interval'));
    this.timer = window.setTimeout(() => void this.compute(false), 180);
  }

  private async compute(all: boolean): Promise<void> {
    const run = ++this.runs, { trace } = this.data, { span } = this;
    const { level, tiles, exact } = affordableTiles(trace, this.units, span,
        all ? Infinity : MOST_TILES);
    const sums = emptySums(this.data.node.id.length);
    let done = performance.now();
    for (const tile of tiles) {
      let items: ItemTile;
      try {
        items = await trace.load(tile) as ItemTile;
      } catch (error) {
        this.note.textContent = (error as Error).message;
        return;
      }
      if (run !== this.runs) return;
      addTile(sums, items, span, this.data.nodes, trace.tables.context.is_open,
          this.isInitial(trace.tables.tile.unit[tile]) ? 0 : -1);
      if (performance.now() - done > 12) { // pauses, so that the picture moves smoothly
        await new Promise(next => { setTimeout(next, 0); });
        done = performance.now();
      }
    }
    for (const unit of this.units) {
      if (this.isInitial(unit))
        addRoot(sums, 0, knownTime(trace, this.data.unit, unit, span));
    }
    if (run !== this.runs) return;
    this.present(byRegion(sums, this.data.node, this.data.region), level, exact);
  }

  private isInitial(own: number): boolean {
    return isInitial(this.data.trace, this.data.unit, own);
  }

  private present(list: RegionSum[], level: number, tiles: number): void {
    const { from_ns, to_ns } = this.span;
    this.list = list;
    this.total = list.reduce((sum, { excl_ns }) => sum + Math.max(0, excl_ns), 0);
    this.scale = timeScale(list.reduce((most, { incl_ns }) => Math.max(most, incl_ns), 0));
    this.note.textContent = `${seconds(to_ns - from_ns)} from ${exactSeconds(from_ns)} s to `
      + `${exactSeconds(to_ns)} s, ${grouped(this.units.length)} units, times in `
      + `${this.scale.unit}. `
      + (level ? 'Approximate: short activations are merged.' : 'Exact.');
    this.exact.hidden = level <= this.data.trace.level;
    this.exact.textContent = `compute exactly (${grouped(tiles)} tiles)`;
    this.element.dataset.exact = String(level === 0);
    this.table.show({ rows: list.map((_, row) => row) });
  }
}
