// SPDX-License-Identifier: BSD-3-Clause
// What a page lacks: data that were left out to keep it small, and quantities that the run did not
// measure, with the way to measure them. Pure functions.

import { reportOf } from '../data/documents';
import type { ExperimentIndex, LeftOut, PageIndex } from '../data/index';
import { grouped } from '../text';

export interface Lack {
  what: string;
  why: string; // the reason, or how to measure it
}

export function leftOutText({ what, kept, all, rule }: LeftOut): string {
  return `${grouped(all - kept)} of ${grouped(all)} ${what}: ${rule}`;
}

function rows(experiment: ExperimentIndex, table: string): number {
  return experiment.tables[table]?.rows ?? 0;
}

/** The text if nothing was left out: 'nothing: 65 nodes, 555 summaries, all in the page'. */
export function wholeText(experiment: ExperimentIndex): string {
  const nodes = grouped(rows(experiment, 'node'));
  return `nothing: ${nodes} nodes, ${grouped(rows(experiment, 'cell'))} summaries, all in the page`;
}

export function lacks(index: PageIndex, experiment: ExperimentIndex): Lack[] {
  const list: Lack[] = [];
  const report = reportOf(experiment);
  if (!experiment.trace)
    list.push({ what: 'times of single events', why: 'SIS_TRACE=1' });
  if (report?.t_s === null)
    list.push({ what: 'T_s', why: 'import a sequential run with --role seq' });
  if (!rows(experiment, 'blame_point'))
    list.push({ what: 'variables', why: 'sisc --sis-blame, SIS_BLAME=1' });
  for (const warning of report?.warnings ?? []) {
    const found = /^(\w+) is not measured: ([^]*)$/.exec(String(warning));
    if (!found) continue;
    const metric = index.metrics.find(kind => kind.name === found[1]);
    list.push({ what: metric ? `${found[1]}, ${metric.text}` : found[1], why: found[2] });
  }
  return list;
}
