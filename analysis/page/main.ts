// SPDX-License-Identifier: BSD-3-Clause
// The page starts here: it reads the data, and shows the view that the address names.

import { readPage } from './data/reader';
import { errorPanel } from './shell/panels';
import { Shell } from './shell/shell';
import { Store } from './store/store';
import { overview } from './views/overview';
import { source } from './views/source';
import type { View } from './views/view';

/** In the order of the header. */
const VIEWS: readonly View[] = [
  overview,
  source,
];

function start(): void {
  const host = document.getElementById('page')!;
  try {
    new Shell(host, readPage(document), new Store(window), VIEWS).start();
    document.getElementById('report')?.remove();
  } catch (error) {
    console.error(error);
    host.replaceChildren(errorPanel(error)); // the report without scripts stays
  }
}

start();
