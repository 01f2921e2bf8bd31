// SPDX-License-Identifier: BSD-3-Clause
// View Compare. It shows two series of runs as a waterfall of leaves with lists of regions, and as
// one icicle of call paths. It shows all runs as curves over the number of processing units.

import { coloursOf } from '../colour';
import type { Page } from '../data/page';
import { experimentWord, quoted } from '../decide/command';
import { choosePair, compareOf, knowsNoise, listsOf, secondsOf, sentence, seriesName,
  type CompareDocument, type Pair } from '../decide/compare';
import { card } from '../draw/card';
import { el } from '../draw/element';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import type { Store } from '../store/store';
import { nameText, percent, seconds } from '../text';
import { FlamePicture } from './compare_flame';
import { RegionTables } from './compare_regions';
import { drawScaling } from './compare_scaling';
import { drawWaterfall } from './compare_waterfall';
import type { Missing, Mounted, View } from './view';

type Tab = 'leaves' | 'paths' | 'scaling';

function tabOf({ tab }: Selection): Tab {
  return tab === 'paths' || tab === 'scaling' ? tab : 'leaves';
}

/** The two series as arguments of command compare: 'A1,A2 B1,B2'. */
function pairArguments(page: Page, document: CompareDocument, { a, b }: Pair): string {
  const words = [a, b].map(series => quoted(seriesName(page.index, document.series[series], ',')));
  return [...words, ...(document.any_application ? ['--any-application'] : [])].join(' ');
}

function allArguments(page: Page): string {
  return page.index.experiments.map(experimentWord).join(' ');
}

class CompareView implements Mounted {
  private readonly top = el('div', {});
  private readonly picture = el('div', {});
  private shown: { unmount(): void; update(selection: Selection): void } | null = null;
  private key = '';

  constructor(host: HTMLElement, private readonly page: Page, private readonly store: Store,
      private readonly document: CompareDocument) {
    host.append(this.top, this.picture);
  }

  update(selection: Selection): void {
    const tab = tabOf(selection);
    const number = choosePair(this.document, selection.experiment, selection.against);
    const pair = this.document.pairs[number];
    const key = `${tab} ${number}`;
    if (key !== this.key) {
      this.shown?.unmount();
      this.shown = null;
      this.key = key;
      this.picture.replaceChildren();
      this.top.replaceChildren(...(tab === 'scaling' ? [] : [this.head(number, pair)]));
      void this.show(tab, number, pair, key);
    } else if (tab !== 'leaves') {
      this.shown?.update(selection);
    }
    if (tab === 'leaves') this.showLeaves(pair, selection);
  }

  unmount(): void {
    this.shown?.unmount();
  }

  // -- head ---------------------------------------------------------------------------------------

  private head(number: number, pair: Pair): HTMLElement {
    const { index } = this.page, { series } = this.document;
    const name = (side: number) => nameText(
        (series[side].experiments.length > 1 ? 'the mean of ' : '')
          + seriesName(index, series[side]), 160);
    const t = (side: number) => secondsOf(this.document, index, series[side], 'T_P') ?? 0;
    const text = sentence(name(pair.a), name(pair.b), t(pair.a), t(pair.b),
        value => seconds(Math.round(value * 1e9)));
    return card({ title: 'What made the difference', command: this.pairCommand(pair, '') },
        this.document.pairs.length > 1 ? this.choice(number) : null,
        el('p', { class: 'sentence' }, text.replace(/^the /, 'The ')),
        el('p', { class: 'note' }, this.noise(pair)));
  }

  private pairCommand(pair: Pair, option: string): string {
    return `sis-analyze compare ${pairArguments(this.page, this.document, pair)}${option}`;
  }

  private noise(pair: Pair): string {
    const { series } = this.document, { program } = listsOf(pair);
    const a = series[pair.a].p, b = series[pair.b].p;
    const units = a === b ? `Both ran on ${a} processing units.`
      : `A ran on ${a} processing units, B on ${b}; times are means of the units.`;
    if (!knowsNoise(this.document, pair))
      return `${units} One run each: how much is noise is not known. A page of repeated runs `
        + '(sis-analyze view A1 A2 B1 B2) knows it.';
    const chance = program?.p_value ?? NaN;
    const verdict = program?.verdict === 'same' ? 'so it is within the noise' :
      'so it is more than noise';
    return Number.isFinite(chance)
      ? `${units} Noise alone makes such a difference with a probability of ${percent(chance)}, `
        + `${verdict}.`
      : units;
  }

  private choice(number: number): HTMLElement {
    const { index } = this.page, { series, pairs } = this.document;
    const choose = (event: Event) => {
      const { a, b } = pairs[Number((event.target as HTMLSelectElement).value)];
      this.store.select({ experiment: series[b].experiments[0], against: series[a].experiments[0],
        region: -1, node: -1, item: -1 });
    };
    return el('p', {}, el('label', {}, 'compare ', el('select', { class: 'choice',
      on: { change: choose } }, ...pairs.map(({ a, b }, row) => el('option',
        { value: row, selected: row === number },
        nameText(`A: ${seriesName(index, series[a])}   B: ${seriesName(index, series[b])}`,
            120))))));
  }

  // -- pictures -----------------------------------------------------------------------------------

  private async show(tab: Tab, number: number, pair: Pair, key: string): Promise<void> {
    if (tab === 'leaves') {
      this.shown = new RegionTables(this.picture, this.page, this.store, pair,
          knowsNoise(this.document, pair), this.pairCommand(pair, ' --regions'));
    } else if (tab === 'paths') {
      const experiment = this.page.experiments[pair.experiment];
      const [path, difference] = await Promise.all([experiment.table('path'),
        experiment.table('difference')]);
      if (key !== this.key) return;
      this.shown = new FlamePicture(this.picture, { page: this.page, store: this.store, path,
        difference, pair, number, knowsNoise: knowsNoise(this.document, pair),
        t_p_ns: this.longer(pair), command: this.pairCommand(pair, ' --paths') });
    } else {
      this.shown = drawScaling(this.picture, this.page, this.document, allArguments(this.page));
    }
    this.shown.update(this.store.selection);
  }

  private longer(pair: Pair): number {
    const t = (side: number) => secondsOf(this.document, this.page.index,
        this.document.series[side], 'T_P') ?? 0;
    return 1e9 * Math.max(t(pair.a), t(pair.b));
  }

  private showLeaves(pair: Pair, selection: Selection): void {
    const { overheads } = this.page.index;
    const old = this.top.children[1];
    const fresh = card({ title: 'Waterfall of leaves', remark: 'seconds, mean of the units',
      command: this.pairCommand(pair, '') },
    drawWaterfall(this.document, this.page.index, pair, {
      colours: coloursOf(overheads, isDark()), overhead: selection.overhead,
      select: overhead => this.store.select({
        overhead: this.store.selection.overhead === overhead ? '' : overhead }),
    }));
    if (old) old.replaceWith(fresh);
    else this.top.append(fresh);
    this.shown?.update(selection);
  }
}

export const compare: View = {
  name: 'compare',
  title: 'Compare',
  tabs: [
    { name: 'leaves', title: 'Leaves and regions' },
    { name: 'paths', title: 'Call paths' },
    { name: 'scaling', title: 'Scaling' },
  ],
  missing(page: Page): Missing | null {
    if (compareOf(page.index)) return null;
    const first = page.index.experiments.slice(0, 1).map(experimentWord);
    return { why: 'This page has one run.', command: `sis-analyze view ${first} OTHER` };
  },
  command(page: Page, selection: Selection): string {
    const document = compareOf(page.index)!;
    if (tabOf(selection) === 'scaling') return `sis-analyze speedup ${allArguments(page)}`;
    const pair = document.pairs[choosePair(document, selection.experiment, selection.against)];
    const option = tabOf(selection) === 'paths' ? ' --paths' : '';
    return `sis-analyze compare ${pairArguments(page, document, pair)}${option}`;
  },
  async mount(host: HTMLElement, page: Page, store: Store): Promise<Mounted> {
    return new CompareView(host, page, store, compareOf(page.index)!);
  },
};
