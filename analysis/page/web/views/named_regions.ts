// SPDX-License-Identifier: BSD-3-Clause
// The option --region of a view's command. A view's command is shown before its tables are read,
// but a region's name is in a table. So the option appears when the view has been mounted.

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

/** Called when the tables of the selected experiment have been read. */
export function nameRegions(page: Page, store: Store, names: Names): void {
  const { experiment } = store.selection;
  const all = known.get(page) ?? new Map<number, Names>();
  const first = !all.has(experiment);
  known.set(page, all.set(experiment, names));
  if (first) store.select({}, false); // so that commands are shown again
}

/** The value of --region for the selected call path or region; '' if none is selected. */
export function selectedRegion(page: Page, { experiment, region, node }: Selection): string {
  const names = known.get(page)?.get(experiment);
  if (!names) return '';
  if (node >= 0 && node < names.node.parent.length)
    return callPath(names.region, names.node, node);
  return regionOption(names.region, region);
}
