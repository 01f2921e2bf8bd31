// SPDX-License-Identifier: BSD-3-Clause
// The card that shows how much time the selected units spent in useful work and in each leaf, in
// the selected region or in the whole run.

import type { Colours } from '../colour';
import type { ExperimentIndex, OverheadKind } from '../data/index';
import { type NodeTable, type PartTable, USEFUL } from '../data/tables';
import { unitCount } from '../decide/units';
import { card } from '../draw/card';
import { el, swatch } from '../draw/element';
import { exactSeconds, percent, seconds } from '../text';

export interface Spent {
  readonly region: number; // without the regions inside it; -1 for the whole run
  readonly units: Uint8Array | null;
  readonly count: number; // number of units of the run
  readonly title: string;
  readonly run: ExperimentIndex;
}

/** The sums by leaf, with that of useful work at USEFUL. */
function leafTimes(part: PartTable, node: NodeTable, { region, units }: Spent): Float64Array {
  const inRegion = region < 0 ? null
    : Uint8Array.from(node.source_node, source => node.region[source] === region ? 1 : 0);
  const sums = new Float64Array(USEFUL + 1);
  for (let row = 0; row < part.ns.length; row++)
    if ((!inRegion || inRegion[part.node[row]]) && (!units || units[part.unit[row]]))
      sums[part.leaf[row]] += part.ns[row];
  return sums;
}

export function spentCard(kinds: readonly OverheadKind[], colours: Colours, part: PartTable,
    node: NodeTable, spent: Spent): HTMLElement {
  const sums = leafTimes(part, node, spent);
  const count = unitCount(spent.units, spent.count) || 1;
  const leaves = [...sums.keys()].filter(leaf => sums[leaf] !== 0)
    .sort((a, b) => sums[b] - sums[a]);
  const most = Math.max(1, ...leaves.map(leaf => sums[leaf]));
  const rows = leaves.map(leaf => {
    const ns = sums[leaf] / count;
    const name = leaf === USEFUL ? 'useful work' : kinds[leaf]?.name ?? '';
    return el('tr', {},
        el('th', { scope: 'row', title: leaf === USEFUL ? '' : kinds[leaf]?.text },
            swatch(colours.leaf(leaf)), name),
        el('td', { class: 'number', title: `${exactSeconds(ns)} s` }, seconds(ns)),
        el('td', { class: 'number' }, percent(ns / (spent.run.t_p_ns || 1))),
        el('td', { class: 'wide' }, el('div', { class: 'meter', 'aria-hidden': 'true' },
            el('b', { style: { width: `${100 * Math.max(0, sums[leaf]) / most}%`,
              background: colours.leaf(leaf) } }))));
  });
  return card({ title: 'What the time was spent on', remark: `${spent.title}, mean of the units` },
      leaves.length ? el('table', { class: 'plain spent', 'aria-label': 'time by leaf' },
          el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'leaf'),
              el('th', { scope: 'col', class: 'number' }, 'time'),
              el('th', { scope: 'col', class: 'number' }, 'of T_p'), el('td', {}))),
          el('tbody', {}, ...rows))
        : el('p', { class: 'note' }, 'The selected units spent no time there.'));
}
