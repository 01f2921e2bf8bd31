// SPDX-License-Identifier: BSD-3-Clause
// Sums over the rows of tables: by node, by unit, by leaf, by region. `units` is a mask of
// decide/units.ts; null means all units. Each loop goes over typed arrays once. Pure functions.

import type { OverheadKind } from '../data/index';
import { NodeTable, Numbers, PartTable, USEFUL } from '../data/tables';

/** Adds up `values` by `keys`, which are below `count`. */
export function sumBy(count: number, keys: Numbers, values: Numbers, unit: Numbers,
    units: Uint8Array | null): Float64Array {
  const sums = new Float64Array(count);
  for (let row = 0; row < keys.length; row++)
    if (!units || units[unit[row]]) sums[keys[row]] += values[row];
  return sums;
}

/** The sums of parts by leaf: 256 sums. That of useful work is at USEFUL. */
export function leafSums(part: PartTable, units: Uint8Array | null): Float64Array {
  return sumBy(256, part.leaf, part.ns, part.unit, units);
}

/** Adds leaves to their parents in the overhead tree. The result has a sum for each row of
 * `kinds`. */
export function treeSums(kinds: readonly OverheadKind[], leaves: Float64Array): Float64Array {
  const sums = Float64Array.from(kinds, (_, row) => leaves[row]);
  for (let row = kinds.length - 1; row >= 0; row--)
    if (kinds[row].parent >= 0) sums[kinds[row].parent] += sums[row];
  return sums;
}

/** A mask of the leaves that belong to an overhead of any level, or to 'useful'. For '' and for
 * names that do not exist, it has all overheads, without useful work. */
export function leavesOf(kinds: readonly OverheadKind[], name: string): Uint8Array {
  const mask = new Uint8Array(256);
  if (name === 'useful') {
    mask[USEFUL] = 1;
    return mask;
  }
  const top = kinds.findIndex(kind => kind.name === name);
  if (top < 0) return mask.fill(1, 0, kinds.length);
  mask[top] = 1;
  for (let row = top + 1; row < kinds.length; row++)
    if (kinds[row].parent >= 0 && mask[kinds[row].parent]) mask[row] = 1;
  return mask;
}

/** The sums of parts by node, without the node's children. `leaves` is a mask of leavesOf. */
export function partsByNode(nodes: number, part: PartTable, leaves: Uint8Array,
    units: Uint8Array | null): Float64Array {
  const sums = new Float64Array(nodes);
  for (let row = 0; row < part.ns.length; row++)
    if (leaves[part.leaf[row]] && (!units || units[part.unit[row]]))
      sums[part.node[row]] += part.ns[row];
  return sums;
}

/** The inclusive sums of nodes, from their exclusive ones. */
export function inclusive(node: Pick<NodeTable, 'parent'>, exclusive: Float64Array): Float64Array {
  const sums = exclusive.slice();
  for (let row = sums.length - 1; row > 0; row--)
    if (node.parent[row] >= 0) sums[node.parent[row]] += sums[row];
  return sums;
}

/** Sums of nodes by region. */
export function byRegion(regions: number, node: NodeTable, exclusive: Float64Array): Float64Array {
  const sums = new Float64Array(regions);
  for (let row = 0; row < exclusive.length; row++) sums[node.region[row]] += exclusive[row];
  return sums;
}

/** Inclusive sums of nodes by region. A node inside another node of its region is not added,
 * because the outer node includes its time. */
export function inclusiveByRegion(regions: number, node: NodeTable,
    sums: Float64Array): Float64Array {
  const total = new Float64Array(regions);
  for (let row = 0; row < sums.length; row++)
    if (!node.nested[row]) total[node.region[row]] += sums[row];
  return total;
}

/** Where the rows of each node begin in a table that is ordered by node. A last element is the end
 * of the table. A node and all below it have the rows from first[node] to first[end[node]] - 1. */
export function firstRows(nodes: number, column: Numbers): Uint32Array {
  const first = new Uint32Array(nodes + 1);
  for (let row = 0; row < column.length; row++) first[column[row] + 1]++;
  for (let row = 0; row < nodes; row++) first[row + 1] += first[row];
  return first;
}

/** The sums of parts by node and class: sums[node * classes + classOf[leaf]]. Classes are families
 * of leaves (colour.ts: familyRow). Sums have single precision, which is enough for pictures. */
export function partsByNodeAndClass(nodes: number, classes: number, classOf: Uint8Array,
    part: PartTable, units: Uint8Array | null): Float32Array {
  const sums = new Float32Array(nodes * classes);
  for (let row = 0; row < part.ns.length; row++)
    if (!units || units[part.unit[row]])
      sums[part.node[row] * classes + classOf[part.leaf[row]]] += part.ns[row];
  return sums;
}

/** Makes the sums of partsByNodeAndClass inclusive. Changes `sums`. */
export function addClassesUp(node: Pick<NodeTable, 'parent'>, classes: number,
    sums: Float32Array): Float32Array {
  for (let row = node.parent.length - 1; row > 0; row--) {
    const above = node.parent[row];
    if (above < 0) continue;
    for (let i = 0; i < classes; i++) sums[above * classes + i] += sums[row * classes + i];
  }
  return sums;
}
