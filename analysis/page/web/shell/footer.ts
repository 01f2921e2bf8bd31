// SPDX-License-Identifier: BSD-3-Clause
// The footer: which data are not in the page, and which quantities the run did not measure.

import type { Page } from '../data/page';
import { lacks, leftOutText, wholeText } from '../decide/footer';
import { el } from '../draw/element';
import type { Selection } from '../store/selection';
import { nameText } from '../text';

function when(ns: number): string {
  return new Date(ns / 1e6).toISOString().slice(0, 16).replace('T', ' ');
}

export class Footer {
  readonly element = el('footer', { class: 'footer' });

  update({ index }: Page, { experiment: row }: Selection): void {
    const experiment = index.experiments[row];
    if (!experiment) return this.element.replaceChildren();
    const left = experiment.left_out.map(leftOutText);
    const lacking = lacks(index, experiment);
    this.element.replaceChildren(
        el('p', {}, el('b', {}, 'Left out: '),
            left.length ? left.join('; ') : wholeText(experiment)),
        lacking.length ? el('p', {}, el('b', {}, 'Not measured: '),
            ...lacking.flatMap(({ what, why }, i) => [i ? ' · ' : '', nameText(what),
              el('span', { class: 'soft' }, ` (${nameText(why)})`)])) : '',
        el('p', { class: 'soft' }, `sis-analyze ${index.version}, ${when(index.written_ns)}`
          + (index.live ? '. This page asks only the sis-analyze that serves it.'
            : '. This page makes no requests.')));
  }
}
