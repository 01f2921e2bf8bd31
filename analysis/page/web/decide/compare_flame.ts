// SPDX-License-Identifier: BSD-3-Clause
// The call paths of two series of runs as one icicle. A path's own width is the longer one of its
// times in A and B, so that paths that only one series has are visible, too. The width of a path is
// the sum of its own width and the widths below it. Pure, and without objects for each path.

import type { DifferenceTable, PathTable } from '../data/tables';

export interface Flame {
  paths: Uint32Array; // rows of table path, parents first
  parent: Int32Array; // index in `paths`; -1 for the run
  depth: Uint16Array;
  a: Float64Array; // nanoseconds, of the path itself
  b: Float64Array;
  all_a: Float64Array; // nanoseconds, including the paths below it
  all_b: Float64Array;
  width: Float64Array; // including the paths below it
  left: Float64Array; // nanoseconds from the left edge
  whole: number; // width of the whole icicle
  deepest: number;
}

function emptyFlame(paths: Uint32Array): Flame {
  const n = paths.length, column = () => new Float64Array(n);
  return {
    paths, parent: new Int32Array(n), depth: new Uint16Array(n), a: column(), b: column(),
    all_a: column(), all_b: column(), width: column(), left: column(), whole: 0, deepest: 0,
  };
}

/** The index in `paths` of each row of the table; -1 if it belongs to another pair. */
function indexOf(path: PathTable, pair: number): { paths: Uint32Array; index: Int32Array } {
  const index = new Int32Array(path.pair.length).fill(-1);
  const paths: number[] = [];
  for (let row = 0; row < path.pair.length; row++) {
    if (path.pair[row] !== pair) continue;
    index[row] = paths.length;
    paths.push(row);
  }
  return { paths: Uint32Array.from(paths), index };
}

function addTimes(flame: Flame, difference: DifferenceTable, index: Int32Array,
    leaves: Uint8Array | null): void {
  for (let i = 0; i < difference.path.length; i++) {
    const at = index[difference.path[i]];
    if (at < 0 || (leaves && !leaves[difference.leaf[i]])) continue;
    flame.a[at] += difference.a_ns[i];
    flame.b[at] += difference.b_ns[i];
  }
}

/** Adds the values of paths to their parents, in reverse order: children come before parents. */
function addUp(flame: Flame): void {
  const n = flame.paths.length;
  for (let i = 0; i < n; i++) {
    flame.all_a[i] = flame.a[i];
    flame.all_b[i] = flame.b[i];
    flame.width[i] = Math.max(flame.a[i], flame.b[i], 0);
  }
  for (let i = n - 1; i >= 0; i--) {
    const above = flame.parent[i];
    if (above < 0) continue;
    flame.all_a[above] += flame.all_a[i];
    flame.all_b[above] += flame.all_b[i];
    flame.width[above] += flame.width[i];
  }
}

/** Places each path below its parent, the widest first. */
function place(flame: Flame): void {
  const order = Uint32Array.from(flame.paths.keys()).sort((x, y) =>
    flame.width[y] - flame.width[x] || x - y);
  const used = new Float64Array(flame.paths.length), offset = new Float64Array(flame.paths.length);
  for (const i of order) {
    const above = flame.parent[i];
    offset[i] = above < 0 ? flame.whole : used[above];
    if (above < 0) flame.whole += flame.width[i];
    else used[above] += flame.width[i];
  }
  for (let i = 0; i < flame.paths.length; i++) {
    const above = flame.parent[i];
    flame.left[i] = offset[i] + (above < 0 ? 0 : flame.left[above]);
    flame.depth[i] = above < 0 ? 0 : flame.depth[above] + 1;
    flame.deepest = Math.max(flame.deepest, flame.depth[i]);
  }
}

/** `leaves` has 1 for each leaf that counts, at its row of PageIndex.overheads or at USEFUL. If it
 * is null, all leaves count. */
export function flameOf(path: PathTable, difference: DifferenceTable, pair: number,
    leaves: Uint8Array | null): Flame {
  const { paths, index } = indexOf(path, pair);
  const flame = emptyFlame(paths);
  for (let i = 0; i < paths.length; i++) {
    const above = path.parent[paths[i]];
    flame.parent[i] = above < 0 ? -1 : index[above];
  }
  addTimes(flame, difference, index, leaves);
  addUp(flame);
  place(flame);
  return flame;
}

/** The paths that are wide enough to be seen if `root` is as wide as the picture, and all paths
 * around `root`. If `root` is -1, the run is as wide as the picture. */
export function visible(flame: Flame, root: number, least: number): number[] {
  const left = root < 0 ? 0 : flame.left[root], width = root < 0 ? flame.whole : flame.width[root];
  const limit = width * least, right = left + width, found: number[] = [];
  for (let i = 0; i < flame.paths.length; i++)
    if (flame.width[i] > 0 && flame.width[i] >= limit && flame.left[i] < right &&
        flame.left[i] + flame.width[i] > left) found.push(i);
  return found;
}

export type Change = 'slower' | 'faster' | 'new' | 'gone' | 'same';

/** How the path's own time changed. If both series have the path, its time is the same if it
 * differs by less than `least` nanoseconds, or if `isNoise` is true for the path's row of table
 * path. */
export function changeOf(flame: Flame, path: PathTable, i: number, least: number,
    isNoise: (path: number) => boolean): Change {
  const row = flame.paths[i], by = flame.b[i] - flame.a[i];
  if (!path.in_a[row] && !flame.all_a[i]) return 'new';
  if (!path.in_b[row] && !flame.all_b[i]) return 'gone';
  if (Math.abs(by) < least || isNoise(row)) return 'same';
  return by > 0 ? 'slower' : 'faster';
}

/** The names from the outermost function to the path: 'main > solve'. */
export function pathText(flame: Flame, path: PathTable, i: number): string {
  const names: string[] = [];
  for (let at = i; at >= 0; at = flame.parent[at]) names.push(path.name[flame.paths[at]]);
  return names.reverse().join(' > ');
}
