// SPDX-License-Identifier: BSD-3-Clause
// The regions of view Compare: two lists of slower and faster regions, then the regions that are
// new, gone, or within noise.

import type { Page } from '../data/page';
import { listsOf, type Pair, type RegionDifference } from '../decide/compare';
import { matcher } from '../decide/tree';
import { card } from '../draw/card';
import { el } from '../draw/element';
import { Table, type Column } from '../draw/table';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, percent, placeText, seconds } from '../text';
import { signed } from './compare_waterfall';

const ns = (value: number | null) => value === null ? NaN : Math.round(value * 1e9);

interface List {
  table: Table;
  rows: RegionDifference[];
}

export class RegionTables {
  private readonly lists: List[] = [];
  private readonly most: number;

  constructor(host: HTMLElement, private readonly page: Page, private readonly store: Store,
      private readonly pair: Pair, private readonly knowsNoise: boolean, command: string) {
    const lists = listsOf(pair);
    this.most = Math.max(...pair.regions.filter(row => row.key)
        .map(row => Math.abs(row.difference ?? 0)), 1e-9);
    const remark = 'exclusive time without probes, mean of the units';
    host.append(
        el('div', { class: 'columns two' },
            this.list('Slower in B', remark, lists.slower, 12, 'Nothing is slower.', command),
            this.list('Faster in B', remark, lists.faster, 12, 'Nothing is faster.', command)),
        el('div', { class: 'columns two' },
            this.list('New in B', 'A does not have them', lists.added, 6, 'None.'),
            this.list('Gone in B', 'only A has them', lists.gone, 6, 'None.')),
        this.same(lists.same));
  }

  unmount(): void {
    this.lists.forEach(({ table }) => table.destroy());
  }

  update({ search, filter }: Selection): void {
    const matches = matcher(search);
    for (const { table, rows } of this.lists) {
      const marks = matches && Uint8Array.from(rows, row =>
        Number(matches(`${row.region} ${row.file}:${row.line_start}`)));
      const shown = [...rows.keys()].filter(row => !filter || !marks || marks[row]);
      table.show({ rows: shown, marks });
    }
  }

  private list(title: string, remark: string, rows: RegionDifference[], mostRows: number,
      none: string, command?: string): HTMLElement {
    const host = el('div', {});
    this.add(host, title, rows, mostRows, none);
    return card({ title: `${title}: ${rows.length}`, remark, command }, host);
  }

  private same(rows: RegionDifference[]): HTMLElement {
    const host = el('div', { class: 'within-noise' });
    this.add(host, 'within noise', rows, 10, 'None.');
    return card({ title: `Same: ${rows.length}`, class: 'below',
      remark: this.knowsNoise ? 'within noise, or less than 0.1 % of T_p'
        : 'less than 0.1 % of T_p' }, host);
  }

  private add(host: HTMLElement, label: string, rows: RegionDifference[], mostRows: number,
      none: string): void {
    this.lists.push({ rows, table: new Table(host, {
      label, columns: this.columns(rows), mostRows, none,
      activate: row => this.goTo(rows[row]),
    }) });
  }

  private columns(rows: RegionDifference[]): Column[] {
    const time = (name: 'a' | 'b', title: string): Column => ({
      name, title, width: '80px', number: true, sort: false,
      text: row => seconds(ns(rows[row][name])),
      hint: row => `${rows[row][name] ?? '-'} s`,
    });
    return [
      { name: 'region', title: 'region', width: 'minmax(86px, 1fr)', sort: false,
        text: row => nameText(rows[row].region),
        hint: row => nameText(`${rows[row].region} (${rows[row].type})`, 1000) },
      { name: 'place', title: 'place', width: '150px', sort: false,
        text: row => placeText(rows[row].file, rows[row].line_start) },
      time('a', 'A'), time('b', 'B'),
      { name: 'difference', title: 'difference', width: '90px', number: true, sort: false,
        text: row => signed(ns(rows[row].difference)),
        hint: row => `${rows[row].difference} s` },
      { name: 'bar', title: '', width: '40px', sort: false, text: () => '',
        bar: row => Math.abs(rows[row].difference ?? 0) / this.most,
        barColour: row => rows[row].verdict === 'same' ? 'var(--faint)'
          : (rows[row].difference ?? 0) > 0 ? 'var(--slower)' : 'var(--faster)' },
      { name: 'chance', title: 'by chance', width: '76px', number: true, sort: false,
        explain: 'probability that noise alone makes such a difference; -: not tested',
        text: row => percent(rows[row].p_value ?? NaN) },
    ];
  }

  /** Shows the region in view Regions, if the shown run has it. */
  private async goTo(difference: RegionDifference): Promise<void> {
    const run = difference.verdict === 'gone' ? this.firstOfA() : this.pair.experiment;
    const region = await this.page.experiments[run].table('region');
    const row = region.name.findIndex((name, i) => name === difference.region
      && region.file[i] === difference.file && region.line_start[i] === difference.line_start);
    if (row >= 0)
      this.store.select({ view: 'regions', tab: '', item: -1, experiment: run, region: row,
        node: -1 });
  }

  private firstOfA(): number {
    const document = this.page.index.documents['compare --pairs'] as
      { series: { experiments: number[] }[] };
    return document.series[this.pair.a].experiments[0];
  }
}
