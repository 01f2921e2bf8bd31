// SPDX-License-Identifier: BSD-3-Clause
// Regions by file and function, as a tree in typed arrays: files, functions, regions. Pure
// functions.

import type { RegionTable } from '../data/tables';

export interface FileTree {
  readonly name: string[];
  readonly parent: Int32Array;
  readonly depth: Uint32Array;
  readonly end: Uint32Array;
  readonly region: Int32Array; // by row: its region; -1 for files and functions
  readonly file: string[];
  /** The rows to which a region's numbers are added: its file, its function and itself. -1 if the
   * region is in no file. */
  readonly fileOf: Int32Array;
  readonly functionOf: Int32Array;
  readonly rowOf: Int32Array;
}

/** Regions of the source in the order of their files, functions and lines. */
function ordered(region: RegionTable): number[] {
  const rows = region.name.map((_, row) => row).filter(row => region.file[row] !== '');
  return rows.sort((a, b) => compare(region.file[a], region.file[b])
    || compare(region.function[a], region.function[b])
    || region.line_start[a] - region.line_start[b] || a - b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function fileTree(region: RegionTable): FileTree {
  const name: string[] = [], file: string[] = [], parent: number[] = [], regions: number[] = [];
  const count = region.name.length;
  const fileOf = new Int32Array(count).fill(-1);
  const functionOf = new Int32Array(count).fill(-1);
  const rowOf = new Int32Array(count).fill(-1);
  const add = (text: string, path: string, above: number, own: number) => {
    regions.push(own);
    file.push(path);
    parent.push(above);
    return name.push(text) - 1;
  };
  let [inFile, inFunction] = [-1, -1];
  let last = -1;
  for (const row of ordered(region)) {
    const path = region.file[row];
    const isNew = last < 0 || region.file[last] !== path;
    if (isNew) inFile = add(path, path, -1, -1);
    if (isNew || region.function[last] !== region.function[row])
      inFunction = add(region.function[row] || '(outside of functions)', path, inFile, -1);
    last = row;
    fileOf[row] = inFile;
    functionOf[row] = inFunction;
    rowOf[row] = add(region.name[row], path, inFunction, row);
  }
  return { name, file, parent: Int32Array.from(parent), ...shape(parent),
    region: Int32Array.from(regions), fileOf, functionOf, rowOf };
}

/** The depth of each row, and the end of its subtree. Rows are in pre-order. */
export function shape(parent: ArrayLike<number>): { depth: Uint32Array; end: Uint32Array } {
  const depth = new Uint32Array(parent.length);
  const end = new Uint32Array(parent.length);
  for (let row = 0; row < parent.length; row++) {
    end[row] = row + 1;
    if (parent[row] >= 0) depth[row] = depth[parent[row]] + 1;
  }
  for (let row = parent.length - 1; row >= 0; row--)
    if (parent[row] >= 0) end[parent[row]] = Math.max(end[parent[row]], end[row]);
  return { depth, end };
}
