// SPDX-License-Identifier: BSD-3-Clause
// The restrictions that apply to all views: region, units, overhead, time, and the search. Esc
// removes the restriction that was added last. Pure functions.

import { seconds } from '../text';
import { START, type Selection } from '../store/selection';

export type Restriction = 'place' | 'units' | 'overhead' | 'time' | 'search';

export const RESTRICTIONS: readonly Restriction[] =
  ['place', 'units', 'overhead', 'time', 'search'];

const FIELDS: { readonly [name in Restriction]: readonly (keyof Selection)[] } = {
  place: ['region', 'node'], units: ['units'], overhead: ['overhead'],
  time: ['from_ns', 'to_ns'], search: ['search', 'filter'],
};

export function isSet(selection: Selection, name: Restriction): boolean {
  return FIELDS[name].some(field => selection[field] !== START[field]);
}

/** The change that removes a restriction. */
export function without(name: Restriction): Partial<Selection> {
  return Object.fromEntries(FIELDS[name].map(field => [field, START[field]]));
}

/** The restrictions that are set, in the order in which they were added. */
export function orderAfter(order: readonly Restriction[], selection: Selection): Restriction[] {
  const kept = order.filter(name => isSet(selection, name));
  const added = RESTRICTIONS.filter(name => isSet(selection, name) && !kept.includes(name));
  return [...kept, ...added];
}

/** The change that Esc makes; null if no restriction is set. */
export function oneStepBack(order: readonly Restriction[]): Partial<Selection> | null {
  return order.length ? without(order[order.length - 1]) : null;
}

/** An interval: '1.2 s to 3.4 s'. */
export function intervalText({ from_ns, to_ns }: Selection): string {
  return from_ns < 0 ? '' : `${seconds(from_ns)} to ${seconds(to_ns)}`;
}
