// SPDX-License-Identifier: BSD-3-Clause
// The curves of view Compare: speedup and efficiency with their ideal lines, the time of each leaf,
// and POP's efficiencies. Each set of runs has a row of pictures.

import { coloursOf } from '../colour';
import type { Page } from '../data/page';
import { USEFUL } from '../data/tables';
import type { CompareDocument } from '../decide/compare';
import { isLogarithmic, regionCurve, scalingsOf, speedupOf, type Curve, type Scaling,
  type SpeedupRow } from '../decide/scaling';
import { card } from '../draw/card';
import { drawChart, type DrawnCurve } from '../draw/curves';
import { el } from '../draw/element';
import { isDark } from '../draw/theme';
import type { Selection } from '../store/selection';
import { nameText, percent, seconds, shortLeaf } from '../text';

const LEAST = 0.005; // of the longest T_p; leaves that never reach it have no curve
const LINES = 8;

interface Options {
  page: Page;
  colour(key: string): string;
  words: string; // the experiments as arguments of a command
}

function drawn(curve: Curve, name: string, colour: string, text: (value: number) => string,
    dashed = false): DrawnCurve {
  return { name, colour, dashed,
    points: curve.points.map(({ p, value, least, most, experiments }) =>
      ({ x: p, y: value, least, most, note: nameText(
          `${name}: ${text(value)} on ${p} units (${experiments.join(', ')})`, 300) })) };
}

const factor = (value: number) => value.toFixed(3);
const time = (value: number) => seconds(Math.round(value * 1e9));

/** The numbers of curves as a table, for users who do not see the picture. */
function asTable(label: string, curves: readonly { name: string; curve: Curve }[],
    text: (value: number) => string): HTMLElement {
  const ps = [...new Set(curves.flatMap(({ curve }) => curve.points.map(point => point.p)))]
      .sort((a, b) => a - b);
  return el('details', { class: 'numbers' }, el('summary', {}, 'as a table'),
      el('table', { class: 'plain', 'aria-label': label },
          el('thead', {}, el('tr', {}, el('th', {}, 'p'), ...ps.map(p =>
            el('th', { class: 'number' }, p)))),
          el('tbody', {}, ...curves.map(({ name, curve }) => el('tr', {},
              el('th', { scope: 'row' }, name), ...ps.map(p => {
                const point = curve.points.find(each => each.p === p);
                return el('td', { class: 'number' }, point ? text(point.value) : '-');
              }))))));
}

function speedupCards(scaling: Scaling, region: { name: string; rows: SpeedupRow[] } | null,
    { words }: Options): HTMLElement[] {
  const logarithmic = isLogarithmic(scaling.seconds.points.map(point => point.p));
  const make = (title: string, name: 'speedup' | 'efficiency', ideal: (p: number) => number) => {
    const own = region && regionCurve(region.rows, scaling.set, name);
    const curves = [{ name: 'program', curve: scaling[name] },
      ...(own?.points.length ? [{ name: nameText(region!.name, 16), curve: own }] : [])];
    return card({ title, remark: `against p = ${scaling.base}; grey: ideal`,
      command: `sis-analyze speedup ${words}` },
    drawChart({ label: `${title} over processing units`, unit: '', ideal, logarithmic,
      logarithmicY: logarithmic && name === 'speedup',
      curves: curves.map((each, i) => drawn(each.curve, each.name,
          i ? 'var(--slower)' : 'var(--focus)', name === 'speedup' ? factor : percent)) }),
    asTable(title, curves, name === 'speedup' ? factor : percent));
  };
  return [make('Speedup', 'speedup', p => p / scaling.base),
    make('Efficiency', 'efficiency', () => 1)];
}

function leafCard(scaling: Scaling, { page, colour, words }: Options): HTMLElement {
  const logarithmic = isLogarithmic(scaling.seconds.points.map(point => point.p));
  const leaves = scaling.leaves.slice(0, LINES);
  const curves = [{ name: 'T_p', key: '', curve: scaling.seconds },
    { name: 'useful', key: 'USEFUL', curve: scaling.useful },
    ...leaves.map(curve => ({ name: shortLeaf(curve.key), key: curve.key, curve }))];
  const more = scaling.leaves.length - leaves.length;
  return card({ title: 'Time by leaf', remark: 'seconds, mean of the units',
    command: `sis-analyze compare ${words}` },
  drawChart({ label: 'time of each leaf over processing units', unit: 's', ideal: null, logarithmic,
    curves: curves.map(({ name, key, curve }) =>
      drawn(curve, name, key ? colour(key) : 'var(--soft)', time, !key)) }),
  more > 0 ? el('p', { class: 'note' }, `${more} smaller leaves have no curve.`) : null,
  asTable('time by leaf', curves.map(({ name, key, curve }) => ({ curve,
    name: page.index.overheads.find(kind => kind.name === key)?.text ?? name })), time));
}

function factorCard(scaling: Scaling, { page, words }: Options): HTMLElement | null {
  const title = (key: string) =>
    page.index.efficiencies.find(kind => kind.key === key)?.title ?? key.replace(/_/g, ' ');
  const logarithmic = isLogarithmic(scaling.seconds.points.map(point => point.p));
  const curves = scaling.factors.map(curve => ({ name: title(curve.key), curve }));
  if (!curves.length) return null;
  const hues = ['var(--focus)', 'var(--good)', 'var(--slower)', 'var(--faster)', 'var(--fair)',
    'var(--soft)'];
  return card({ title: 'Efficiencies', remark: 'factors of POP',
    command: `sis-analyze speedup ${words} --efficiencies` },
  drawChart({ label: 'efficiencies over processing units', unit: '', ideal: () => 1, logarithmic,
    curves: curves.slice(0, 6).map(({ name, curve }, i) =>
      drawn(curve, name.length > 19 ? `${name.slice(0, 18)}…` : name, hues[i], percent)) }),
  asTable('efficiencies', curves, percent));
}

class ScalingPicture {
  constructor(private readonly host: HTMLElement, private readonly document: CompareDocument,
      private readonly options: Options) {}

  unmount(): void {
    this.host.replaceChildren();
  }

  update(selection: Selection): void {
    void this.draw(selection);
  }

  private async draw(selection: Selection): Promise<void> {
    const { page } = this.options, speedup = speedupOf(page.index);
    if (!speedup) {
      this.host.replaceChildren(el('p', { class: 'note' },
          'The page has no speedup of these runs.'));
      return;
    }
    const region = await this.region(selection);
    const sets = scalingsOf(speedup, this.document.overheads, page.index, LEAST);
    this.host.replaceChildren(...sets.flatMap(scaling => this.set(scaling, region,
        sets.length > 1)));
  }

  private set(scaling: Scaling, region: { name: string; rows: SpeedupRow[] } | null,
      named: boolean): HTMLElement[] {
    const heading = named ? [el('h3', { class: 'set' }, nameText(scaling.set, 200))] : [];
    const same = scaling.seconds.points.length < 2
      ? [el('p', { class: 'note' }, 'All runs have the same number of processing units. Runs with '
        + 'other numbers make curves of these points.')] : [];
    return [...heading, ...same, el('div', { class: named ? 'charts small' : 'charts' },
        ...speedupCards(scaling, region, this.options), leafCard(scaling, this.options),
        factorCard(scaling, this.options) ?? '')];
  }

  /** The rows of the selected region in `speedup --regions`. */
  private async region({ experiment, region }: Selection):
      Promise<{ name: string; rows: SpeedupRow[] } | null> {
    const { page } = this.options;
    const rows = page.index.documents['speedup --regions'] as SpeedupRow[] | undefined;
    if (region < 0 || !rows || !page.experiments[experiment]) return null;
    const table = await page.experiments[experiment].table('region');
    const name = table.name[region], file = table.file[region];
    const found = rows.filter(row => row.region === name && row.key?.startsWith(`${file}:`));
    return found.length ? { name, rows: found } : null;
  }
}

export function drawScaling(host: HTMLElement, page: Page, document: CompareDocument,
    words: string): { unmount(): void; update(selection: Selection): void } {
  const { overheads } = page.index, colours = coloursOf(overheads, isDark());
  return new ScalingPicture(host, document, { page, words, colour: key => key === 'USEFUL'
    ? colours.leaf(USEFUL) : colours.leaf(overheads.findIndex(kind => kind.name === key)) });
}
