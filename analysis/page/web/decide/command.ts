// SPDX-License-Identifier: BSD-3-Clause
// The commands that print the same numbers as a view. Pure functions.

import type { Page } from '../data/page';
import type { NodeTable, RegionTable } from '../data/tables';
import type { Selection } from '../store/selection';
import { nameText } from '../text';
import { puOption } from './units';

/** A word of a shell command, quoted if necessary. Control characters could harm the terminal, so
 * they are escaped: in $'...', bash replaces \u001b by the character. */
export function quoted(word: string): string {
  const shown = nameText(word.replace(/[\\']/g, '\\$&'), Infinity);
  if (nameText(word, Infinity) !== word) return `$'${shown}'`;
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** How a command names an experiment: by its name. If the name has bytes that are not UTF-8, the
 * page does not know them, and the command uses the id. */
export function experimentWord({ name, id }: { name: string; id: number }): string {
  return name.includes('\ufffd') ? String(id) : quoted(name);
}

function selectedExperiment(page: Page, selection: Selection): string {
  const { experiments } = page.index;
  return experimentWord(experiments[selection.experiment] ?? experiments[0]);
}

/** sis-analyze NAME EXPERIMENT WORDS: options without a value are left out. */
export function commandText(page: Page, selection: Selection, name: string,
    options: readonly (readonly [option: string, value?: string])[] = []): string {
  const words = ['sis-analyze', name, selectedExperiment(page, selection)];
  for (const [option, value] of options) {
    if (value === '') continue;
    words.push(option);
    if (value !== undefined) words.push(quoted(value));
  }
  return words.join(' ');
}

/** Option --pu for the selected units; its value is '' if all are selected. */
export function puWords(selection: Selection): [string, string] {
  return ['--pu', puOption(selection.units)];
}

/** A value of --region that names only this region: FILE:LINE, or its name if it is not in the
 * source. */
export function regionOption(region: RegionTable, row: number): string {
  if (row < 0 || row >= region.name.length) return '';
  if (!region.file[row] || !region.line_start[row]) return region.name[row];
  return `${region.name[row]}@${region.line_start[row]}`;
}

/** The name of a node as a call path in commands, 'main > solve': without regions of the runtime,
 * and the same at all depths of a recursion. */
export function callPath(region: RegionTable, node: NodeTable, row: number): string {
  const regions: number[] = [];
  for (let at = row; at >= 0; at = node.parent[at])
    if (!region.type[node.region[at]].startsWith('RT_')) regions.unshift(node.region[at]);
  const path: number[] = [];
  for (const each of regions) {
    const before = path.indexOf(each);
    if (before >= 0) path.length = before + 1;
    else path.push(each);
  }
  return path.map(each => regionOption(region, each)).join(' > ');
}
