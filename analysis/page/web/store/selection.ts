// SPDX-License-Identifier: BSD-3-Clause
// The selection that all views share, and its address in the page: #/regions/12?units=0-3. A
// Selection object never changes; `changed` makes a new one. Pure: no browser is needed.

export const VIEWS = ['overview', 'regions', 'units', 'waits', 'messages', 'time', 'source',
  'compare', 'variables', 'cost'] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Selection {
  readonly view: ViewName;
  readonly tab: string; // tab within the view; '': the first one
  readonly experiment: number; // row of PageIndex.experiments
  readonly against: number; // row of PageIndex.experiments that Compare compares with
  readonly item: number; // row of a table of the view, for example a blame point; -1: none
  readonly region: number; // row of table region; -1: none
  readonly node: number; // row of table node; -1: none
  readonly units: string; // '0-3,5.1': processes and units; '': all
  readonly overhead: string; // mnemonic of the overhead tree, or 'useful'; '': none
  readonly from_ns: number; // interval of the run; -1: the whole run
  readonly to_ns: number;
  readonly sort: string; // 'column,-column': the first is the first key, - is descending
  readonly search: string; // marks matching rows
  readonly filter: boolean; // shows matching rows only
  readonly show: string; // choices of a view, 'process value': decide/choices.ts
}

export const START: Selection = {
  view: 'overview', tab: '', experiment: 0, against: 0, item: -1, region: -1, node: -1, units: '',
  overhead: '', from_ns: -1, to_ns: -1, sort: '', search: '', filter: false, show: '',
};

export function changed(selection: Selection, change: Partial<Selection>): Selection {
  return { ...selection, ...change };
}

/** Seconds without zeros at the end: '1.5', '0.000000001'. */
function seconds(ns: number): string {
  const text = (ns / 1e9).toFixed(9);
  return text.replace(/\.?0+$/, '');
}

export function addressOf(s: Selection): string {
  const words = new URLSearchParams();
  if (s.tab) words.set('tab', s.tab);
  if (s.experiment) words.set('experiment', String(s.experiment));
  if (s.against) words.set('against', String(s.against));
  if (s.item >= 0) words.set('item', String(s.item));
  if (s.node >= 0) words.set('node', String(s.node));
  if (s.units) words.set('units', s.units);
  if (s.overhead) words.set('overhead', s.overhead);
  if (s.from_ns >= 0) words.set('time', `${seconds(s.from_ns)}-${seconds(s.to_ns)}`);
  if (s.sort) words.set('sort', s.sort);
  if (s.search) words.set('find', s.search);
  if (s.filter) words.set('only', '1');
  if (s.show) words.set('show', s.show);
  const query = words.toString();
  const path = s.region >= 0 ? `${s.view}/${s.region}` : s.view;
  return `#/${path}${query ? `?${query}` : ''}`;
}

function row(text: string | null | undefined): number {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : -1;
}

/** Reads an address. A user may have typed it, so parts that are not valid are ignored. */
export function selectionOf(address: string): Selection {
  const [path = '', query = ''] = address.replace(/^#\/?/, '').split('?', 2);
  const [view, region] = path.split('/');
  const words = new URLSearchParams(query);
  const time = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(words.get('time') ?? '');
  const units = words.get('units') ?? '';
  const [from, to] = time ? [Number(time[1]) * 1e9, Number(time[2]) * 1e9] : [-1, -1];
  return {
    view: VIEWS.find(known => known === view) ?? 'overview',
    tab: words.get('tab') ?? '',
    experiment: Math.max(0, row(words.get('experiment'))),
    against: Math.max(0, row(words.get('against'))),
    item: row(words.get('item')),
    region: row(region),
    node: row(words.get('node')),
    units: /^[\d.,-]*$/.test(units) ? units : '',
    overhead: words.get('overhead') ?? '',
    from_ns: from < to ? Math.round(from) : -1,
    to_ns: from < to ? Math.round(to) : -1,
    sort: words.get('sort') ?? '',
    search: words.get('find') ?? '',
    filter: words.get('only') === '1',
    show: words.get('show') ?? '',
  };
}
