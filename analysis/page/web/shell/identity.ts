// SPDX-License-Identifier: BSD-3-Clause
// Warns if numbers of the page disagree: all parts of all units must add up to p * T_p.

import type { Page } from '../data/page';
import { identityError, identityHolds } from '../decide/identity';
import { nameText, seconds } from '../text';
import { warning } from './panels';

export async function identityWarnings(page: Page): Promise<HTMLElement[]> {
  const warnings: HTMLElement[] = [];
  for (const experiment of page.experiments) {
    if (!experiment.has('part')) continue;
    const part = await experiment.table('part');
    if (identityHolds(experiment.index, part)) continue;
    const error = identityError(experiment.index, part);
    warnings.push(warning('The numbers disagree:',
        `in ${nameText(experiment.index.name, 60)}, useful work and overheads are `
        + `${seconds(Math.abs(error))} ${error < 0 ? 'less' : 'more'} than p · T_p. `
        + 'Do not rely on this page. Please report it as a bug of SIS.'));
  }
  return warnings;
}
