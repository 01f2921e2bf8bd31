// SPDX-License-Identifier: BSD-3-Clause
// The page starts here: it reads the data, and shows the view that the address names.

import { Live } from './data/live';
import { readPage } from './data/reader';
import { errorPanel } from './shell/panels';
import { Shell } from './shell/shell';
import { VIEWS } from './store/selection';
import { AddressStore } from './store/store';
import { compare } from './views/compare';
import { cost } from './views/cost';
import { messages } from './views/messages';
import { overview } from './views/overview';
import { regions } from './views/regions';
import { source } from './views/source';
import { time } from './views/time';
import { units } from './views/units';
import { variables } from './views/variables';
import { waits } from './views/waits';
import type { View } from './views/view';

/** All views. The header shows them in the order of VIEWS in store/selection.ts. */
const views: readonly View[] = [
  overview,
  regions,
  units,
  time,
  waits,
  messages,
  source,
  compare,
  variables,
  cost,
];

function start(): void {
  const host = document.getElementById('page')!;
  const ordered = VIEWS.flatMap(name => views.filter(view => view.name === name));
  try {
    const page = readPage(document), { live } = page.index;
    new Shell(host, page, new AddressStore(window), ordered, live ? new Live(live) : null).start();
    document.getElementById('report')?.remove();
  } catch (error) {
    console.error(error);
    host.replaceChildren(errorPanel(error)); // the report without scripts stays
  }
}

start();
