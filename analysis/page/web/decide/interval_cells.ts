// SPDX-License-Identifier: BSD-3-Clause
// Makes table `cell` of an interval from sums over the tiles of a trace. The numbers are those of
// `sis-analyze regions --from --to`. Pure functions.

import type { CellTable, ContextTable, NodeTable, TracedNodeTable } from '../data/tables';
import type { ContextNodes, NodeSums } from './time_sums';

/** For each context, the rows of its nodes in table `traced_node`; -1 if a node is not known. */
export function tracedContexts(context: ContextTable, { id }: TracedNodeTable): ContextNodes {
  const rows = new Map<number, number>();
  id.forEach((node, row) => rows.set(node, row));
  const find = (ids: Float64Array) =>
    Int32Array.from(ids, node => node ? rows.get(node) ?? -1 : -1);
  return { node: find(context.node_id), parent: find(context.parent_id) };
}

/** The order of rows by node, then unit. The rows were added unit by unit. */
export function orderByNode(nodes: number, node: readonly number[]): Uint32Array {
  const next = new Uint32Array(nodes + 1), order = new Uint32Array(node.length);
  for (const row of node) next[row + 1]++;
  for (let row = 0; row < nodes; row++) next[row + 1] += next[row];
  node.forEach((row, at) => { order[next[row]++] = at; });
  return order;
}

/** Collects the cells of one unit after the other. */
export class IntervalCells {
  private readonly node: number[] = [];
  private readonly unit: number[] = [];
  private readonly calls: number[] = [];
  private readonly incl: number[] = [];
  private readonly excl: number[] = [];
  private readonly isOwn: Uint8Array; // by traced node: 1 if the page has the node itself
  private readonly place: Int32Array; // by row of `node`: its cell of the unit in `last`
  private readonly last: Int32Array;

  constructor(private readonly nodes: NodeTable, private readonly traced: TracedNodeTable) {
    this.isOwn = Uint8Array.from(traced.id, (id, row) =>
      traced.node[row] >= 0 && nodes.id[traced.node[row]] === id ? 1 : 0);
    this.place = new Int32Array(nodes.id.length);
    this.last = new Int32Array(nodes.id.length).fill(-1);
  }

  /** Adds the cells of a unit; `sums` is by traced node. If the page lacks a node, its exclusive
   * time is added to the nearest node above that the page has. With merged items, the nodes below a
   * node may have more time than the node itself; its exclusive time is then 0. */
  add(unit: number, sums: NodeSums): void {
    for (let row = 0; row < this.traced.id.length; row++) {
      const calls = sums.calls[row], incl = Math.round(sums.incl_ns[row]);
      const excl = Math.max(0, Math.round(sums.excl_ns[row]));
      if (this.traced.node[row] < 0 || !(calls || incl || excl)) continue;
      const at = this.cellOf(this.traced.node[row], unit);
      this.excl[at] += excl;
      if (!this.isOwn[row]) continue;
      this.calls[at] += calls;
      this.incl[at] += incl;
    }
  }

  private cellOf(node: number, unit: number): number {
    if (this.last[node] !== unit) {
      this.last[node] = unit;
      this.place[node] = this.node.push(node) - 1;
      this.unit.push(unit);
      for (const column of [this.calls, this.incl, this.excl]) column.push(0);
    }
    return this.place[node];
  }

  /** The table of all cells. The shortest and longest times of calls in an interval are not
   * known. */
  table(): CellTable {
    const order = orderByNode(this.nodes.id.length, this.node);
    const column = (values: readonly number[]) => Float64Array.from(order, at => values[at]);
    const unknown = () => new Float64Array(order.length).fill(NaN);
    return {
      node: order.map(at => this.node[at]), unit: order.map(at => this.unit[at]),
      calls: column(this.calls), incl_ns: column(this.incl), excl_ns: column(this.excl),
      min_ns: unknown(), max_ns: unknown(), is_open: new Uint8Array(order.length),
      error_ns: new Float64Array(order.length),
    };
  }
}
