// SPDX-License-Identifier: BSD-3-Clause
// Proportions as sis-analyze computes them (base/muldiv.h). Pure functions.

/** whole * part / all, rounded towards zero. All are integers from 0 to 2^53 - 1; `all` is not
 * 0. */
export function muldiv(whole: number, part: number, all: number): number {
  if (part === all) return whole;
  const product = whole * part;
  return product <= Number.MAX_SAFE_INTEGER ? Math.floor(product / all)
    : Number(BigInt(whole) * BigInt(part) / BigInt(all));
}
