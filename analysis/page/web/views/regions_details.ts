// SPDX-License-Identifier: BSD-3-Clause
// The details of the selected node or region: its place in the source, its calls, how its time is
// distributed among units, and its leaves.

import { USEFUL } from '../data/tables';
import { chosenNodes, type Details, detailsOf, distribution } from '../decide/details';
import { callPath } from '../decide/command';
import { el, svg, swatch } from '../draw/element';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { exactSeconds, grouped, nameText, percent, plural, seconds, unitName } from '../text';
import type { RegionsData } from './regions_data';

const BINS = 40;

export class RegionsDetails {
  readonly element = el('aside', {
    class: 'card details', 'aria-label': 'details of the selection',
  });

  constructor(private readonly data: RegionsData, private readonly store: Store) {}

  update(selection: Selection): void {
    const { node, cell, part, region } = this.data.tables;
    const rows = chosenNodes(node, selection.region, selection.node);
    this.element.hidden = !rows.length; // the picture gets the room
    if (!rows.length) return;
    const units = this.data.units(selection);
    const details = detailsOf(node, cell, part, this.data.nodeRows(),
        this.data.unit.process.length, rows, units);
    const at = node.region[rows[0]];
    this.element.replaceChildren(
        el('h2', { class: 'name' }, nameText(region.name[at], 160)),
        this.placeOf(at, rows, selection),
        this.links(selection, at),
        this.numbers(details, selection),
        el('h3', {}, 'Units ',
            el('small', {}, details.self_ns > 0 ? 'self time' : 'inclusive time')),
        this.distributionOf(details, units),
        el('h3', {}, 'Spent on ', el('small', {}, 'itself, all units')),
        this.leaves(details.leaves),
        ...this.withCallees(details));
  }

  private placeOf(at: number, rows: readonly number[], { node: chosen }: Selection): HTMLElement {
    const { region, node } = this.data.tables;
    const place = region.file[at] ? `${region.file[at]}:${region.line_start[at]}` : '';
    const type = `${region.type[at]}${region.function[at] && region.function[at] !== region.name[at]
      ? ` in ${region.function[at]}` : ''}`;
    const path = chosen >= 0 ? callPath(region, node, rows[0]) : plural(rows.length, 'call path');
    return el('div', { class: 'where' }, el('code', {}, nameText(place, 300)),
        el('span', { class: 'soft' }, nameText(type, 200)),
        el('span', { class: 'soft path', title: nameText(path, 2000) }, nameText(path, 600)));
  }

  private links(selection: Selection, region: number): HTMLElement {
    const button = (text: string, change: Partial<Selection>) => el('button', {
      type: 'button', class: 'tool', on: { click: () => this.store.select(change) } }, text);
    return el('div', { class: 'tools' },
        button('call graph', { view: 'regions', tab: '', sort: '' }),
        button('flame graph', { view: 'regions', tab: 'flame', sort: '' }),
        button('callers', { view: 'regions', tab: 'callers', sort: '' }),
        selection.node >= 0 ? button('all its call paths', { region, node: -1 }) : null,
        button('units', { view: 'units', tab: '', sort: '' }),
        this.data.tables.region.file[region]
          ? button('source', { view: 'source', tab: '', sort: '' }) : null);
  }

  private numbers(details: Details, selection: Selection): HTMLElement {
    const total = this.data.total_ns(selection);
    const time = (ns: number) => el('span', { title: `${exactSeconds(ns)} s` }, seconds(ns));
    const rows: [string, Node | string, string][] = [
      ['calls', grouped(details.calls), 'activations, of all units'],
      ['inclusive', el('span', {}, time(details.incl_ns), el('small', {},
          ` ${percent(details.incl_ns / total)}`)), 'with all that it calls'],
      ['self', el('span', {}, time(details.self_ns), el('small', {},
          ` ${percent(details.self_ns / total)}`)), 'without the regions that it calls'],
    ];
    const { interval } = this.data.experiment.index; // cuts calls, so they have no mean
    if (details.calls > 0 && !interval)
      rows.push(['mean of a call', time(details.incl_ns / details.calls), 'inclusive / calls']);
    if (Number.isFinite(details.min_ns))
      rows.push(['shortest, longest', el('span', {}, time(details.min_ns), ' to ',
          time(details.max_ns)), 'calls that ended']);
    if (details.error_ns > 0)
      rows.push(['error of self', el('span', {}, '± ', time(details.error_ns)),
        'the time is an estimate; it is right within this error with 95 %']);
    if (details.open)
      rows.push(['open', plural(details.open, 'unit'), 'units in which a call had not ended']);
    return el('dl', { class: 'numbers' }, ...rows.flatMap(([name, value, explain]) =>
      [el('dt', { title: explain }, name), el('dd', {}, value)]));
  }

  private distributionOf(details: Details, units: Uint8Array | null): HTMLElement {
    const values = details.self_ns > 0 ? details.self_by_unit : details.incl_by_unit;
    const { process, thread } = this.data.unit;
    const made = distribution(values, units, BINS);
    const name = (row: number) => row < 0 ? '-' : unitName(process[row], thread[row]);
    const most = Math.max(...made.bins, 1);
    const bars = svg('svg', { viewBox: `0 0 ${BINS * 7} 44`, class: 'bins', role: 'img',
      preserveAspectRatio: 'none',
      'aria-label': `distribution among ${made.count} units, from 0 to ${seconds(made.most)}` },
    ...[...made.bins].map((count, i) => svg('rect', { x: i * 7, width: 6,
      y: 44 - (count ? 3 + 41 * count / most : 0), height: count ? 3 + 41 * count / most : 0 },
    svg('title', {}, `${plural(count, 'unit')}: ${seconds(made.most * i / BINS)} to `
        + seconds(made.most * (i + 1) / BINS)))));
    const choose = (row: number) => el('button', { type: 'button', class: 'link strong',
      title: 'selects this unit', on: { click: () => this.store.select({ units: name(row) }) } },
    name(row));
    return el('div', {}, bars,
        el('div', { class: 'bins-axis' }, el('span', {}, '0'), el('span', {}, seconds(made.most))),
        el('dl', { class: 'numbers' },
            el('dt', {}, 'least'),
            el('dd', {}, seconds(made.least), ' on ', choose(made.leastUnit)),
            el('dt', {}, 'mean'), el('dd', {}, seconds(made.mean)),
            el('dt', {}, 'most'), el('dd', {}, seconds(made.most), ' on ', choose(made.mostUnit)),
            el('dt', { title: 'largest / mean' }, 'imbalance'),
            el('dd', {}, made.mean > 0 ? (made.most / made.mean).toFixed(2) : '-')));
  }

  private leaves(sums: Float64Array): HTMLElement {
    const { kinds, colours } = this.data;
    const list = [...sums].map((ns, row) => ({ ns, row })).filter(({ ns }) => ns > 0)
        .sort((a, b) => b.ns - a.ns);
    const total = list.reduce((sum, { ns }) => sum + ns, 0);
    if (!list.length) return el('p', { class: 'soft' }, 'no time of its own');
    return el('table', { class: 'plain leaves', 'aria-label': 'time by leaf' }, el('tbody', {},
        ...list.map(({ ns, row }) => {
      const name = row === USEFUL ? 'useful' : kinds[row].name;
      return el('tr', {}, el('th', { scope: 'row', title: row === USEFUL ? '' : kinds[row].text },
          el('button', { type: 'button', class: 'link',
            on: { click: () => this.store.select({ overhead: name }) } },
          swatch(colours.leaf(row)), row === USEFUL ? 'useful work' : name)),
      el('td', { class: 'number', title: `${exactSeconds(ns)} s` }, seconds(ns)),
      el('td', { class: 'number' }, percent(ns / total)));
    })));
  }

  private withCallees(details: Details): HTMLElement[] {
    const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
    if (sum(details.leaves_below) <= sum(details.leaves)) return [];
    return [el('h3', {}, 'Spent on ', el('small', {}, 'with all that it calls')),
      this.leaves(details.leaves_below)];
  }
}
