// SPDX-License-Identifier: BSD-3-Clause
// The columns that all tables of view Regions have: calls, inclusive and self time with their
// shares, useful work, overhead, and a strip that shows how the time was spent.

import { Colours, FAMILIES, familyText } from '../colour';
import type { OverheadKind } from '../data/index';
import type { SumName } from '../decide/regions';
import { aside, type Column } from '../draw/table';
import { COUNTS, exactSeconds, percent, type Scale, seconds } from '../text';

export interface ColumnContext {
  kinds: readonly OverheadKind[];
  colours: Colours;
  scale: Scale; // the scale of times
  overhead: string; // the selected one
  total_ns(): number; // the sum of T_p of all chosen units, which is 100 %
  value(name: SumName, row: number): number;
  /** Inclusive time by row of FAMILIES; null if it is not known. */
  families(row: number): ArrayLike<number> | null;
}

function timeColumn(context: ColumnContext, name: SumName, title: string, explain: string)
    : Column {
  const { scale, value } = context;
  return { name, title: `${title} [${scale.unit}]`, explain, number: true,
    width: `${Math.max(80, 42 + 6.6 * title.length)}px`, text: row => scale.text(value(name, row)),
    hint: row => `${exactSeconds(value(name, row))} s` };
}

function shareColumn(context: ColumnContext, name: SumName, explain: string): Column {
  const share = (row: number) => context.value(name, row) / (context.total_ns() || 1);
  return { name: `${name}_share`, title: 'share', explain, width: '66px', number: true, sort: false,
    text: row => percent(share(row)),
    paint: (cell, row) => {
      cell.classList.add('under');
      cell.style.setProperty('--bar-share', String(Math.min(1, Math.max(0, share(row)))));
    } };
}

/** The gradient of the strip. Each family is as wide as its share of the time. */
export function stripGradient(colours: Colours, families: ArrayLike<number>,
    total: number): string {
  const stops: string[] = [];
  let at = 0;
  for (let i = 0; i < FAMILIES.length; i++) {
    const share = families[i] / total * 100;
    if (!(share > 0)) continue;
    const colour = colours.family(FAMILIES[i]);
    stops.push(`${colour} ${at.toFixed(2)}% ${(at + share).toFixed(2)}%`);
    at += share;
  }
  stops.push(`transparent ${at.toFixed(2)}% 100%`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** The contents of the strip in words. */
export function stripText(kinds: readonly OverheadKind[], families: ArrayLike<number>): string {
  return FAMILIES.map((family, i) => [familyText(kinds, family), families[i]] as const)
      .filter(([, ns]) => ns > 0).sort((a, b) => b[1] - a[1])
      .map(([name, ns]) => `${name} ${seconds(ns)}`).join('\n');
}

function stripColumn(context: ColumnContext): Column {
  const { kinds, colours, families, total_ns } = context;
  return { name: 'spent', title: 'spent on', width: 'minmax(90px, 210px)', number: true,
    explain: 'What the time of all units was spent on while they were here, with all that is '
      + 'called and with units that waited meanwhile. The full width is p · T_p.',
    text: () => '',
    hint: row => {
      const sums = families(row);
      return sums ? stripText(kinds, sums) : '';
    },
    paint: (cell, row) => {
      const strip = aside(cell, 'strip-bar');
      const sums = families(row);
      strip.style.backgroundImage = sums ? stripGradient(colours, sums, total_ns() || 1) : 'none';
    } };
}

/** `name` is the first column. Columns of shares cannot be sorted, because they have the order of
 * their times. */
export function columnsOf(context: ColumnContext, name: Column): Column[] {
  const { overhead } = context;
  const lost = overhead && overhead !== 'useful' ? overhead : 'overhead';
  return [
    name,
    { name: 'calls', title: 'calls', width: '78px', number: true,
      explain: 'activations, of all units; of an interval, those that began in it',
      text: row => COUNTS.text(context.value('calls', row)) },
    timeColumn(context, 'incl', 'inclusive', 'time in it and in all that it calls, of all units'),
    shareColumn(context, 'incl', 'inclusive time / (p · T_p)'),
    timeColumn(context, 'self', 'self', 'time in it, without the regions that it calls'),
    shareColumn(context, 'self', 'self time / (p · T_p)'),
    ...overhead === 'useful' ? [] : [timeColumn(context, 'lost', lost,
        'overhead in it and in all that it calls. Other units that waited or were idle meanwhile '
        + 'are included, so it may be more than the inclusive time.'),
      timeColumn(context, 'lost_self', `${lost} self`, 'overhead without what it calls')],
    timeColumn(context, 'useful', 'useful', 'useful work in it and in all that it calls'),
    stripColumn(context),
  ];
}

