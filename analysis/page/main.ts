// SPDX-License-Identifier: BSD-3-Clause
// Where the page begins.

import { readPage } from './data/reader';

const page = readPage(document);
document.title = page.index.experiments.map(experiment => experiment.name).join(', ');
