// SPDX-License-Identifier: BSD-3-Clause
// View Regions: the call graph as a tree, as an icicle, as a list of regions, upside down, and by
// file. Beside each of these are the details of the selected node or region.

import type { Page } from '../data/page';
import { commandText, puWords } from '../decide/command';
import { timeWords } from '../decide/interval';
import { el } from '../draw/element';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { RegionsCallers } from './regions_callers';
import { RegionsData } from './regions_data';
import { RegionsDetails } from './regions_details';
import { RegionsFiles, RegionsList } from './regions_flat';
import { RegionsFlame } from './regions_flame';
import { carriedOpen, RegionsTree } from './regions_tree';
import type { Kept, Missing, Mounted, View } from './view';

type Picture = new (host: HTMLElement, data: RegionsData, store: Store, kept?: Kept) => Mounted;

const TABS: readonly { name: string; title: string; picture: Picture }[] = [
  { name: 'tree', title: 'Call graph', picture: RegionsTree },
  { name: 'flame', title: 'Flame graph', picture: RegionsFlame },
  { name: 'list', title: 'Regions', picture: RegionsList },
  { name: 'callers', title: 'Callers', picture: RegionsCallers },
  { name: 'files', title: 'Files', picture: RegionsFiles },
];

function missing(page: Page, { experiment }: Selection): Missing | null {
  const shown = page.experiments[experiment];
  if (!shown) return { why: 'There is no such experiment in this page.', command: '' };
  if (shown.has('node')) return null;
  return { why: 'This run has no regions.', command: 'sisc --sis-cr=CR_F,CR_L -O2 prog.c -o prog' };
}

function command(page: Page, selection: Selection): string {
  const list = selection.tab === 'list' || selection.tab === 'files';
  return commandText(page, selection, 'regions',
      [...list ? [] : [['--tree'] as const], puWords(selection),
        ...timeWords(page, selection)]);
}

interface State {
  key: string;
  open: Uint8Array | null; // RegionsData.open
  picture: unknown;
}

class Regions implements Mounted {
  private readonly main = el('div', { class: 'picture-side' });
  private readonly details: RegionsDetails;
  private picture: Mounted | null = null;
  private key = '';

  constructor(host: HTMLElement, private readonly data: RegionsData,
      private readonly store: Store, private readonly kept?: Kept) {
    const open = (kept?.state as State | undefined)?.open;
    if (kept && open) data.open = carriedOpen(data, store.selection, open, kept.rows);
    this.details = new RegionsDetails(data, store);
    host.append(el('div', { class: 'with-details' },
        el('section', { class: 'card' }, this.main), this.details.element));
  }

  unmount(): void {
    this.picture?.unmount();
  }

  keep(): State {
    const picture = this.picture?.keep?.();
    return { key: this.key, open: this.data.open, picture };
  }

  /** The state that the same picture kept before the view was mounted again, if it is the first
   * picture since then. */
  private keptOf(key: string): Kept | undefined {
    const state = this.kept?.state as State | undefined;
    if (this.key || !state || state.key !== key || state.picture === undefined) return undefined;
    return { state: state.picture, rows: this.kept!.rows };
  }

  update(selection: Selection): void {
    const tab = TABS.find(each => each.name === selection.tab) ?? TABS[0];
    const key = `${tab.name} ${selection.overhead}`;
    if (key !== this.key) {
      this.picture?.unmount();
      this.main.replaceChildren();
      this.picture = new tab.picture(this.main, this.data, this.store, this.keptOf(key));
      this.key = key;
    }
    this.picture!.update(selection);
    this.details.update(selection);
  }
}

async function mount(host: HTMLElement, page: Page, store: Store, kept?: Kept): Promise<Mounted> {
  const experiment = page.experiments[store.selection.experiment];
  const [region, node, cell, part, unit] = await Promise.all([experiment.table('region'),
    experiment.table('node'), experiment.table('cell'), experiment.table('part'),
    experiment.table('unit')]);
  return new Regions(host, new RegionsData(page, experiment, { region, node, cell, part }, unit),
      store, kept);
}

export const regions: View = {
  name: 'regions', title: 'Regions', extent: 'interval',
  tabs: TABS.map(({ name, title }) => ({ name, title })),
  missing, command, mount,
};

