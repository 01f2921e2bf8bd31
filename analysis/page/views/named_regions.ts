// SPDX-License-Identifier: BSD-3-Clause
// The option --region of a view's command. A view says its command before its tables are read, and
// a region's name is in a table. So the option appears when the view has been mounted.

import type { Page } from '../data/page';
import type { NodeTable, RegionTable } from '../data/tables';
import { callPath, regionOption } from '../decide/command';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';

interface Names {
  region: RegionTable;
  node: NodeTable;
}

const known = new WeakMap<Page, Map<number, Names>>();

/** The tables of the experiment that `store` selects are read now. */
export function nameRegions(page: Page, store: Store, names: Names): void {
  const { experiment } = store.selection;
  const all = known.get(page) ?? new Map<number, Names>();
  const first = !all.has(experiment);
  known.set(page, all.set(experiment, names));
  if (first) store.select({}, false); // all say their commands again
}

/** Of the selected call path, or else region; '': none. */
export function selectedRegion(page: Page, { experiment, region, node }: Selection): string {
  const names = known.get(page)?.get(experiment);
  if (!names) return '';
  if (node >= 0 && node < names.node.parent.length)
    return callPath(names.region, names.node, node);
  return regionOption(names.region, region);
}
