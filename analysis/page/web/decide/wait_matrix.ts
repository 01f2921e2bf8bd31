// SPDX-License-Identifier: BSD-3-Clause
// Who waited for whom: a matrix of victims and culprits, and the list of pairs with their regions
// that `waits --pairs` prints. Pure functions.

import type { NodeTable, Numbers, WaitPairTable } from '../data/tables';
import { groupRows, groupSums } from './group_rows';
import { type Ranks, ranksOf, ranksOfTexts, sortKeys, sortRows } from './sort';
import type { Groups } from './unit_groups';

/** Which pairs count. Null means all. */
export interface PairChoice {
  readonly leaves: Uint8Array; // mask of decide/sums.ts
  readonly nodes: Uint8Array | null; // where the victim waited
  readonly victims: Uint8Array | null;
  readonly culprits: Uint8Array | null;
}

/** A mask with 1 for each chosen row of `wait_pair`. Pairs without a victim are chosen if all units
 * are. */
export function chosenPairs(pair: WaitPairTable, choice: PairChoice): Uint8Array {
  const { leaves, nodes, victims, culprits } = choice;
  const mask = new Uint8Array(pair.ns.length);
  for (let row = 0; row < mask.length; row++) {
    const victim = pair.victim[row];
    if (!leaves[pair.leaf[row]]) continue;
    if (nodes && !nodes[pair.node[row]]) continue;
    if (victims && (victim < 0 || !victims[victim])) continue;
    if (culprits && !culprits[pair.culprit[row]]) continue;
    mask[row] = 1;
  }
  return mask;
}

export interface WaitMatrix {
  readonly ns: Float64Array; // [victim group * groups + culprit group]
  readonly main: Uint8Array; // indexed as `ns`: leaf with the most time; 255 if there is none
  readonly byVictim: Float64Array; // by group
  readonly byCulprit: Float64Array;
  readonly total: number;
  readonly others: number; // waits in no cell: the victim or the culprit has no group
}

export function waitMatrix(pair: WaitPairTable, mask: Uint8Array, groups: Groups): WaitMatrix {
  const { count, of } = groups;
  const ns = new Float64Array(count * count), main = new Uint8Array(count * count).fill(255);
  const byVictim = new Float64Array(count), byCulprit = new Float64Array(count);
  const leaves = new Map<number, Float64Array>();
  let [total, others] = [0, 0];
  for (let row = 0; row < mask.length; row++) {
    if (!mask[row]) continue;
    const culprit = of[pair.culprit[row]];
    const victim = pair.victim[row] < 0 ? -1 : of[pair.victim[row]];
    total += pair.ns[row];
    if (culprit >= 0) byCulprit[culprit] += pair.ns[row];
    if (victim >= 0) byVictim[victim] += pair.ns[row];
    if (victim < 0 || culprit < 0) {
      others += pair.ns[row];
      continue;
    }
    const cell = victim * count + culprit;
    ns[cell] += pair.ns[row];
    let own = leaves.get(pair.leaf[row]);
    if (!own) leaves.set(pair.leaf[row], own = new Float64Array(count * count));
    own[cell] += pair.ns[row];
  }
  const most = new Float64Array(count * count);
  for (const [leaf, own] of leaves)
    for (let cell = 0; cell < own.length; cell++)
      if (own[cell] > most[cell]) [most[cell], main[cell]] = [own[cell], leaf];
  return { ns, main, byVictim, byCulprit, total, others };
}

// -- the list -------------------------------------------------------------------------------------

/** The lines of `waits --pairs`. Rows with the same units, leaf and call paths of the source are
 * one line. */
export interface PairList {
  readonly count: number;
  readonly victim: Int32Array;
  readonly culprit: Uint32Array;
  readonly leaf: Uint8Array;
  readonly node: Uint32Array; // source nodes
  readonly culprit_node: Uint32Array;
  readonly ns: Float64Array;
}

export function pairList(pair: WaitPairTable, mask: Uint8Array, node: NodeTable): PairList {
  const source = (nodes: Uint32Array) => nodes.map(each => node.source_node[each]);
  const [at, cause] = [source(pair.node), source(pair.culprit_node)];
  const groups = groupRows([pair.victim, pair.culprit, pair.leaf, at, cause], mask);
  const { count, first } = groups;
  const pick = (column: Numbers) => Array.from(first, row => column[row]);
  return {
    count,
    victim: Int32Array.from(pick(pair.victim)), culprit: Uint32Array.from(pick(pair.culprit)),
    leaf: Uint8Array.from(pick(pair.leaf)), node: Uint32Array.from(pick(at)),
    culprit_node: Uint32Array.from(pick(cause)), ns: groupSums(groups, pair.ns),
  };
}

export interface Names {
  readonly regions: readonly string[];
  readonly leaves: readonly string[];
}

/** The rows of the list in the order of Selection.sort. By default, the longest wait is first. */
export function sortedPairs(list: PairList, sort: string, node: NodeTable,
    names: Names): Uint32Array {
  const regionOf = (nodes: Uint32Array) =>
    ranksOfTexts(Array.from(nodes, each => names.regions[node.region[each]]));
  const columns: { [name: string]: () => Ranks } = {
    victim: () => ranksOf(list.victim), culprit: () => ranksOf(list.culprit),
    time: () => ranksOf(list.ns), wait: () => ranksOfTexts(Array.from(list.leaf,
        leaf => names.leaves[leaf])),
    region: () => regionOf(list.node), cause: () => regionOf(list.culprit_node),
  };
  const keys = sortKeys(sort || '-time').filter(key => columns[key.name]);
  return sortRows(list.count, keys.map(({ name, descending }) =>
    ({ by: columns[name](), descending })));
}
