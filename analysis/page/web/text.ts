// SPDX-License-Identifier: BSD-3-Clause
// Numbers and names as text. These functions write every number that the page shows, so that
// numbers look alike everywhere. Pure functions.

const THIN = '\u202f'; // narrow no-break space: between groups of digits, and before a unit

/** 1234567 as '1 234 567', with narrow spaces. */
export function grouped(value: number, digits = 0): string {
  if (!Number.isFinite(value)) return '-';
  const [whole, rest] = value.toFixed(digits).split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return rest ? `${text}.${rest}` : text;
}

/** '1 unit', '16 units'. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** 0.2138 as '21.4 %'. A small share that is not zero is '<0.1 %', so that it does not look like
 * zero. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return '-';
  const value = 100 * share;
  if (value !== 0 && Math.abs(value) < 0.05) return `${value < 0 ? '>-' : '<'}0.1${THIN}%`;
  return `${value.toFixed(1)}${THIN}%`;
}

const TIMES: readonly (readonly [number, string])[] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']];

/** The number of digits behind the point that gives `figures` significant digits. */
function pointDigits(value: number, figures: number): number {
  if (value === 0) return 0;
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return Math.min(9, Math.max(0, figures - Math.max(before, 1)));
}

/** A time with its unit, four digits: '4.829 s', '12.31 ms', '850 ns'. */
export function seconds(ns: number): string {
  if (!Number.isFinite(ns)) return '-';
  if (ns === 0) return `0${THIN}s`;
  for (const [unit_ns, unit] of TIMES) {
    const value = ns / unit_ns;
    if (Math.abs(value) >= 0.9995)
      return `${grouped(value, pointDigits(value, 4))}${THIN}${unit}`;
  }
  return `${grouped(ns, Number.isInteger(ns) ? 0 : 1)}${THIN}ns`;
}

/** Seconds with all nine digits, as commands print them in JSON: '4.828743449'. */
export function exactSeconds(ns: number): string {
  return Number.isFinite(ns) ? (ns / 1e9).toFixed(9) : '-';
}

/** A format for all numbers of a column or axis: with the same unit, and equally many digits behind
 * the point. */
export interface Scale {
  readonly unit: string; // for the heading: 's', 'ms', 'kB', or ''
  text(value: number): string; // without the unit; '-' if it is not known
}

function fixedScale(unit: string, size: number, digits: number): Scale {
  const least = 0.5 * 10 ** -digits;
  return {
    unit,
    text(value: number): string {
      if (!Number.isFinite(value)) return '-';
      const scaled = value / size;
      if (scaled !== 0 && Math.abs(scaled) < least) return `<${(2 * least).toFixed(digits)}`;
      return grouped(scaled, digits);
    },
  };
}

/** The scale for times up to `most_ns`. */
export function timeScale(most_ns: number): Scale {
  const [size, unit] = TIMES.find(([ns]) => most_ns >= 0.1 * ns) ?? [1, 'ns'];
  const most = most_ns / size;
  const digits = size === 1 ? 0 : most >= 1000 ? 1 : most >= 100 ? 2 : 3;
  return fixedScale(unit, size, digits);
}

const SIZES: readonly (readonly [number, string])[] =
  [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']];

/** Bytes with a decimal unit, three digits: '1.54 MB', '960 kB', '17 B'. */
export function bytes(count: number): string {
  if (!Number.isFinite(count)) return '-';
  const [size, unit] = SIZES.find(([least]) => Math.abs(count) >= least) ?? [1, 'B'];
  const value = count / size;
  return `${grouped(value, size === 1 ? 0 : pointDigits(value, 3))}${THIN}${unit}`;
}

export function byteScale(most: number): Scale {
  const [size, unit] = SIZES.find(([least]) => most >= least) ?? [1, 'B'];
  return fixedScale(unit, size, size === 1 ? 0 : most / size >= 100 ? 1 : 2);
}

/** Counts are shown in full: '1 600'. */
export const COUNTS: Scale = { unit: '', text: value => grouped(value) };

/** A value of a metric with its unit of metrics.def. */
export function metricText(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return '-';
  if (unit === 'ns') return seconds(value);
  if (unit === 'bytes' || unit === 'B') return bytes(value);
  const text = grouped(value, Number.isInteger(value) ? 0 : 3);
  return unit && unit !== 'count' ? `${text}${THIN}${unit}` : text;
}

/** OSYNC_NXN as 'NXN'; a name without parts stays. */
export function shortLeaf(mnemonic: string): string {
  return mnemonic.replace(/^O[A-Z]+_/, '');
}

// Control characters, and marks that change the direction of the text around them.
const HIDDEN =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A name from a program, as the page shows it. Invisible characters, and those that would change
 * the direction of text, are written as \uXXXX. A name longer than `most` ends with an ellipsis. */
export function nameText(name: string, most = 240): string {
  const cut = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  return cut.replace(HIDDEN, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** 'stommel_mpi.c:107', or '' if the region is not in the source. */
export function placeText(file: string, line: number): string {
  if (!file) return '';
  const name = file.slice(file.lastIndexOf('/') + 1);
  return nameText(line > 0 ? `${name}:${line}` : name);
}

/** A processing unit as commands write it: '5.1'. */
export function unitName(process: number, thread: number): string {
  return `${process}.${thread}`;
}
