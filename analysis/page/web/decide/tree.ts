// SPDX-License-Identifier: BSD-3-Clause
// Trees in typed arrays: which rows of a tree table are visible, in which order, and which rows
// match a search. Rows are nodes in pre-order (a parent is before its children). Pure functions.

import { sortPart, type ValueKey } from './sort';

/** The children of each node: child[first[node]] to child[first[node + 1] - 1]. */
export interface Children {
  readonly first: Uint32Array;
  readonly child: Uint32Array;
}

/** Finds the children of all nodes; they keep their order. Roots have the parent -1. */
export function childrenOf(parent: Int32Array): Children {
  const count = parent.length;
  const first = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++) if (parent[node] >= 0) first[parent[node] + 1]++;
  for (let node = 0; node < count; node++) first[node + 1] += first[node];
  const next = first.slice(0, count);
  const child = new Uint32Array(first[count]);
  for (let node = 0; node < count; node++)
    if (parent[node] >= 0) child[next[parent[node]]++] = node;
  return { first, child };
}

/** The visible rows, sorted among their siblings: roots, and the children of open nodes. Other rows
 * are not sorted. Nodes that are 0 in `only` are left out. */
export function visibleRows(children: Children, roots: ArrayLike<number>, open: Uint8Array,
    only: Uint8Array | null, keys: readonly ValueKey[]): Uint32Array {
  const rows = new Uint32Array(open.length);
  const stack = new Uint32Array(open.length); // the next row is on top
  const { first, child } = children;
  stack.set(roots);
  sortPart(stack, 0, roots.length, keys, true);
  let depth = roots.length;
  let count = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (only && !only[node]) continue;
    rows[count++] = node;
    if (!open[node]) continue;
    const from = depth;
    for (let i = first[node]; i < first[node + 1]; i++) stack[depth++] = child[i];
    sortPart(stack, from, depth, keys, true);
  }
  return rows.subarray(0, count);
}

/** Opens or closes a node, and if `all`, also all nodes below it. `end` has the first node after
 * each subtree. */
export function toggled(open: Uint8Array, end: Uint32Array, node: number, to: boolean,
    all: boolean): Uint8Array {
  const changed = open.slice();
  changed.fill(to ? 1 : 0, node, all ? end[node] : node + 1);
  return changed;
}

/** Opens all nodes above a node, so that it is visible. */
export function opened(open: Uint8Array, parent: Int32Array, node: number): Uint8Array {
  const changed = open.slice();
  for (let above = parent[node] ?? -1; above >= 0; above = parent[above]) changed[above] = 1;
  return changed;
}

/** The mark of each node: 1 if it matches, 2 if only a node below it matches, 0 otherwise. */
export function marks(parent: Int32Array, matches: (node: number) => boolean): Uint8Array {
  const found = new Uint8Array(parent.length);
  for (let node = parent.length - 1; node >= 0; node--) {
    if (matches(node)) found[node] = 1;
    if (found[node] && parent[node] >= 0 && !found[parent[node]]) found[parent[node]] = 2;
  }
  return found;
}

/** The test whether a text matches a search: whether it contains all words of the search, in upper
 * or lower case. Null if there is no search. */
export function matcher(search: string): ((text: string) => boolean) | null {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  return text => {
    const lower = text.toLowerCase();
    return words.every(word => lower.includes(word));
  };
}

/** 1 for each text that matches the search, 0 for each other text. Null if there is no search. */
export function matching(search: string, texts: ArrayLike<string>): Uint8Array | null {
  const matches = matcher(search);
  if (!matches) return null;
  const found = new Uint8Array(texts.length);
  for (let i = 0; i < texts.length; i++) if (matches(texts[i])) found[i] = 1;
  return found;
}
