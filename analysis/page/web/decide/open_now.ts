// SPDX-License-Identifier: BSD-3-Clause
// The regions in which the threads of a running program are now, and since when. Pure functions.

import type { OpenTable } from '../data/tables';

/** A call path, and the threads that are in it. */
export interface OpenPlace {
  readonly node: number;
  readonly units: readonly number[];
  readonly longest_ns: number; // NaN if no thread's time is known
  readonly longestUnit: number; // -1 if it is not known
}

export interface OpenNow {
  readonly places: readonly OpenPlace[]; // most threads first
  readonly left: { readonly places: number; readonly units: number }; // numbers of left-out ones
  readonly units: number;
}

function placeOf(node: number, rows: readonly number[], open: OpenTable): OpenPlace {
  let longest = -1;
  for (const row of rows) {
    const since = open.since_ns[row];
    if (since >= 0 && (longest < 0 || since > open.since_ns[longest])) longest = row;
  }
  return { node, units: rows.map(row => open.unit[row]),
    longest_ns: longest < 0 ? NaN : open.since_ns[longest],
    longestUnit: longest < 0 ? -1 : open.unit[longest] };
}

/** The call paths with most threads. Among paths with equally many threads, the one in which a
 * thread has been for longest comes first. */
export function openNow(open: OpenTable, most: number): OpenNow {
  const rows = new Map<number, number[]>();
  open.node.forEach((node, row) => {
    const list = rows.get(node);
    if (list) list.push(row);
    else rows.set(node, [row]);
  });
  const age = (place: OpenPlace) => place.longest_ns >= 0 ? place.longest_ns : -1;
  const all = [...rows].map(([node, list]) => placeOf(node, list, open))
      .sort((a, b) => b.units.length - a.units.length || age(b) - age(a) || a.node - b.node);
  const left = all.slice(most);
  return { places: all.slice(0, most), units: open.node.length,
    left: { places: left.length, units: left.reduce((sum, { units }) => sum + units.length, 0) } };
}
