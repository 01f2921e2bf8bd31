// SPDX-License-Identifier: BSD-3-Clause
// Writes a page with a synthetic experiment: write_page TEMPLATE OUT NODES PROCESSES THREADS PER
// TEMPLATE is the page without data (gen/page.html of the build).

import { readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { leafSums, treeSums } from '../../analysis/page/web/decide/sums';
import { USEFUL } from '../../analysis/page/web/data/tables';
import { KINDS, type Made, makeExperiment, write } from './make_page';

/** As much of the report as the overview needs. */
function report({ part, p, t_p_ns }: Made): { [key: string]: unknown } {
  const leaves = leafSums(part, null).map(ns => ns / p / 1e9);
  const tree = treeSums(KINDS, leaves);
  return { experiment: 'made-1', p, t_p: t_p_ns / 1e9, t_s: null, complete: true,
    useful: leaves[USEFUL], processors: p, efficiencies: {},
    overheads: Object.fromEntries(KINDS.map(({ name }, row) => [name, tree[row]])) };
}

const [, , template, out, ...numbers] = process.argv;
const [nodes, processes, threads, per] = numbers.map(Number);
const made = makeExperiment(nodes, processes, threads, per);
const { index, blocks } = write(made, { report: report(made) });
const inserted: { [name: string]: string } = {
  connect: '', title: '<title>made</title>', report: '',
  blocks: [
    ...blocks.map((bytes, i) => `<script type="text/plain" id="block-${i}">`
      + `${Buffer.from(deflateRawSync(bytes, { level: 1 })).toString('base64')}</script>`),
    `<script type="application/json" id="index">${JSON.stringify(index)}</script>`,
  ].join('\n'),
};
writeFileSync(out, readFileSync(template, 'utf8').replace(/<!--sis (\w+)-->/g,
    (_, name: string) => inserted[name] ?? ''));
