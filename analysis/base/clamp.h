/* SPDX-License-Identifier: BSD-3-Clause */
/* clamp.h - sums of numbers from files, which may have any value. A sum that does not fit its type
 * becomes the nearest number that fits. So a damaged file gives an absurd result, but never
 * undefined behaviour. */
#ifndef SIS_ANALYSIS_CLAMP_H
#define SIS_ANALYSIS_CLAMP_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t clamp_add(int64_t a, int64_t b)
{
	int64_t sum;
	bool fits = !__builtin_add_overflow(a, b, &sum);
	return fits ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t clamp_subtract(int64_t a, int64_t b)
{
	int64_t difference;
	bool fits = !__builtin_sub_overflow(a, b, &difference);
	return fits ? difference : b > 0 ? INT64_MIN : INT64_MAX;
}

/* The whole number nearest to `value`; 0 for NaN. */
static inline int64_t clamp_round(double value)
{
	double whole = value < 0 ? value - 0.5 : value + 0.5;
	if (whole >= 0x1p63 || whole <= -0x1p63)
		return whole > 0 ? INT64_MAX : INT64_MIN;
	return whole == whole ? (int64_t)whole : 0;
}

#endif
