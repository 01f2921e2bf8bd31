// SPDX-License-Identifier: BSD-3-Clause
// Whether the page's numbers agree with each other: p * T_p = useful work + overheads + time that
// was not measured. Pure functions.

import type { ExperimentIndex } from '../data/index';
import type { PartTable } from '../data/tables';

/** The sum of all parts, less p * T_p, in nanoseconds. */
export function identityError({ p, t_p_ns }: ExperimentIndex, part: PartTable): number {
  let sum = 0;
  for (const ns of part.ns) sum += ns;
  return sum - p * t_p_ns;
}

/** Whether rounding can explain the error. Each part is rounded to a nanosecond at most once. */
export function identityHolds(experiment: ExperimentIndex, part: PartTable): boolean {
  return Math.abs(identityError(experiment, part)) <= part.ns.length / 2 + experiment.p;
}
