// SPDX-License-Identifier: BSD-3-Clause
// Calls and times within an interval, from the tiles of a trace, as `sis-analyze regions --from
// --to` prints them. They are exact if all exact items of the interval are available. The time of a
// merged item is added to the region that has most of it. Pure functions.

import type { CellTable, ContextTable, NodeTable, PartTable, RegionTable } from '../data/tables';
import type { ItemTile } from '../data/tiles';
import type { Span } from './time';

/** Rows are nodes: those of the page, or those of table `traced_node`. The last row is for
 * activations whose node is not known. */
export interface NodeSums {
  readonly calls: Float64Array;
  readonly incl_ns: Float64Array; // without activations inside other activations of the node
  readonly excl_ns: Float64Array;
}

/** For each context, its node, and the node of the activation around it. -1: the node is not
 * known. */
export interface ContextNodes {
  readonly node: Int32Array;
  readonly parent: Int32Array;
}

export function contextNodes(context: ContextTable, node: NodeTable): ContextNodes {
  const rows = new Map<number, number>();
  node.id.forEach((id, row) => rows.set(id, row));
  const find = (ids: Float64Array) => Int32Array.from(ids, id => rows.get(id) ?? -1);
  return { node: find(context.node_id), parent: find(context.parent_id) };
}

export function emptySums(nodes: number): NodeSums {
  const list = () => new Float64Array(nodes + 1);
  return { calls: list(), incl_ns: list(), excl_ns: list() };
}

/** Adds the items of a tile within an interval. If the tile belongs to an initial thread, `root` is
 * the row of the root, because the thread's time outside of all regions belongs to the root.
 * Otherwise `root` is -1. */
export function addTile(sums: NodeSums, tile: ItemTile, { from_ns, to_ns }: Span,
    nodes: ContextNodes, isOpen: Uint8Array, root: number): void {
  const unknown = sums.calls.length - 1;
  const { start_ns, ns, context, activations, bucket_ns } = tile;
  for (let i = 0; i < start_ns.length; i++) {
    const start = start_ns[i], length = bucket_ns || ns[i], end = start + length;
    if (end < from_ns || start >= to_ns) continue;
    const c = context[i];
    const row = nodes.node[c] < 0 ? unknown : nodes.node[c];
    if (start >= from_ns) sums.calls[row] += bucket_ns ? activations[i] : 1;
    let clip = Math.min(end, to_ns) - Math.max(start, from_ns);
    if (bucket_ns) clip *= ns[i] / bucket_ns;
    sums.excl_ns[row] += clip;
    const parent = nodes.parent[c];
    if (parent > 0 || parent === root) sums.excl_ns[parent] -= clip;
    if (!isOpen[c]) sums.incl_ns[row] += clip;
  }
}

/** Adds the time of an initial thread to the root. `known_ns` is its result of knownTime. addTile
 * subtracts the time in regions from the exclusive time of the root. */
export function addRoot(sums: NodeSums, root: number, known_ns: number): void {
  sums.incl_ns[root] += known_ns;
  sums.excl_ns[root] += known_ns;
}

export interface RegionSum {
  readonly region: number;
  readonly calls: number;
  readonly incl_ns: number;
  readonly excl_ns: number;
}

/** The sums by region. Those with the most exclusive time come first. */
export function byRegion(sums: NodeSums, node: NodeTable, region: RegionTable): RegionSum[] {
  const count = region.name.length;
  const calls = new Float64Array(count), incl = new Float64Array(count),
    excl = new Float64Array(count);
  for (let row = 0; row < node.region.length; row++) {
    const r = node.region[row];
    calls[r] += sums.calls[row];
    incl[r] += node.nested[row] ? 0 : sums.incl_ns[row];
    excl[r] += sums.excl_ns[row];
  }
  const list: RegionSum[] = [];
  for (let r = 0; r < count; r++)
    if (calls[r] || incl[r] || excl[r])
      list.push({ region: r, calls: calls[r], incl_ns: incl[r], excl_ns: excl[r] });
  return list.sort((a, b) => b.excl_ns - a.excl_ns || a.region - b.region);
}

/** The leaf of a node that spends most of its time in the nodes that it calls. The main leaf of its
 * little exclusive time would be misleading. */
export const CALLS_OTHERS = 254;

const OWN = 0.15; // a node with a smaller part of exclusive time is CALLS_OTHERS

/** The leaf that gives each node its colour: the leaf that has most of the node's exclusive time,
 * over all units. It is CALLS_OTHERS if the node has little exclusive time, and `useful`, which is
 * the leaf of useful work, if the node has no parts. Parts and cells must be ordered by node. */
export function mainLeaves(nodes: number, part: Pick<PartTable, 'node' | 'leaf' | 'ns'>,
    cell: Pick<CellTable, 'node' | 'incl_ns' | 'excl_ns'>, useful: number): Uint8Array {
  const main = new Uint8Array(nodes).fill(useful), most = new Float64Array(nodes);
  const sums = new Float64Array(256);
  const { node, leaf, ns } = part;
  for (let i = 0; i < node.length;) {
    const row = node[i];
    sums.fill(0);
    for (; i < node.length && node[i] === row; i++) {
      sums[leaf[i]] += ns[i];
      if (sums[leaf[i]] > most[row]) {
        most[row] = sums[leaf[i]];
        main[row] = leaf[i];
      }
    }
  }
  const incl = new Float64Array(nodes), excl = new Float64Array(nodes);
  for (let i = 0; i < cell.node.length; i++) {
    incl[cell.node[i]] += cell.incl_ns[i];
    excl[cell.node[i]] += cell.excl_ns[i];
  }
  for (let row = 0; row < nodes; row++)
    if (excl[row] < OWN * incl[row]) main[row] = CALLS_OTHERS;
  return main;
}
