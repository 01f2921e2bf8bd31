// SPDX-License-Identifier: BSD-3-Clause
// The call graph as an icicle: each node is a rectangle below its caller, as wide as its time.
// Below each caller, all nodes that would be narrower than a pixel are drawn as one grey rectangle.
// Pure functions.

import type { NodeTable } from '../data/tables';
import { sortPart } from './sort';

export interface Icicle {
  readonly count: number;
  readonly node: Int32Array; // -1 for the rectangle of nodes that are too narrow
  readonly x: Float32Array; // 0 to 1
  readonly width: Float32Array;
  readonly level: Uint32Array; // counted from the top of the picture
  readonly levels: number;
  readonly narrow: number; // number of nodes that are too narrow
  readonly deeper: number; // number of nodes below the last level
}

class Rectangles {
  node: number[] = [];
  x: number[] = [];
  width: number[] = [];
  level: number[] = [];

  add(node: number, x: number, width: number, level: number): void {
    this.node.push(node);
    this.x.push(x);
    this.width.push(width);
    this.level.push(level);
  }
}

function ancestors(node: Pick<NodeTable, 'parent'>, top: number): number[] {
  const list: number[] = [];
  for (let row = node.parent[top]; row >= 0; row = node.parent[row]) list.unshift(row);
  return list;
}

/** The children of a node that are wide enough, the longest first, and the time of the children
 * that are not. */
function wide(node: NodeTable, time: Float64Array, row: number, least_ns: number)
    : { list: Uint32Array; rest: number; narrow: number } {
  const found: number[] = [];
  let [rest, narrow] = [0, 0];
  for (let child = row + 1; child < node.end[row]; child = node.end[child]) {
    if (time[child] >= least_ns && time[child] > 0) {
      found.push(child);
    } else {
      rest += time[child];
      narrow += node.end[child] - child;
    }
  }
  const list = Uint32Array.from(found);
  sortPart(list, 0, list.length, [{ values: time, descending: true }]);
  return { list, rest, narrow };
}

/** Makes the icicle. The node `top` has the whole width. Its callers are above it, and the nodes
 * that it calls are below it, the longest first. `least` is the smallest width, as a share of the
 * picture. */
export function icicle(node: NodeTable, time: Float64Array, top: number, least: number,
    mostLevels: number): Icicle {
  const perNs = time[top] > 0 ? 1 / time[top] : 0;
  const made = new Rectangles();
  const above = ancestors(node, top);
  above.forEach((row, level) => made.add(row, 0, 1, level));
  const stack: [node: number, x: number, width: number, level: number][] =
    [[top, 0, 1, above.length]];
  let [narrow, deeper, levels] = [0, 0, above.length + 1];
  while (stack.length) {
    const [row, x, width, level] = stack.pop()!;
    made.add(row, x, width, level);
    levels = Math.max(levels, level + 1);
    if (node.end[row] === row + 1) continue;
    if (level + 1 >= mostLevels) {
      deeper += node.end[row] - row - 1;
      continue;
    }
    let at = x;
    const below = wide(node, time, row, least / (perNs || 1));
    narrow += below.narrow;
    for (const child of below.list) {
      const part = time[child] * perNs;
      stack.push([child, at, part, level + 1]);
      at += part;
    }
    if (below.rest * perNs >= least) {
      made.add(-1, at, below.rest * perNs, level + 1);
      levels = Math.max(levels, level + 2);
    }
  }
  return { count: made.node.length, node: Int32Array.from(made.node), x: Float32Array.from(made.x),
    width: Float32Array.from(made.width), level: Uint32Array.from(made.level), levels, narrow,
    deeper };
}

/** The rectangle at a place of the picture, or -1. */
export function rectangleAt({ count, x, width, level }: Icicle, at: number, row: number): number {
  for (let i = 0; i < count; i++)
    if (level[i] === row && at >= x[i] && at < x[i] + width[i]) return i;
  return -1;
}

export function rectangleOf({ count, node }: Icicle, row: number): number {
  for (let i = 0; i < count; i++) if (node[i] === row) return i;
  return -1;
}

/** The rectangle to which an arrow key leads; `from` itself if there is none. */
export function neighbour(made: Icicle, parent: Int32Array, from: number,
    key: 'up' | 'down' | 'left' | 'right'): number {
  const { count, node, x, width, level } = made;
  if (from < 0) return rectangleOf(made, 0);
  if (key === 'up') return Math.max(0, rectangleOf(made, parent[node[from]] ?? 0));
  let best = from;
  for (let i = 0; i < count; i++) {
    if (node[i] < 0) continue;
    if (key === 'down') {
      const below = level[i] === level[from] + 1 && parent[node[i]] === node[from];
      if (below && (best === from || width[i] > width[best])) best = i;
    } else if (level[i] === level[from]) {
      const nearer = key === 'right' ? x[i] > x[from] && (best === from || x[i] < x[best])
        : x[i] < x[from] && (best === from || x[i] > x[best]);
      if (nearer) best = i;
    }
  }
  return best;
}
