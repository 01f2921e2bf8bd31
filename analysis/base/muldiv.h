/* SPDX-License-Identifier: BSD-3-Clause */
/* muldiv.h - proportions of 64-bit numbers; their product may need 128 bits. */
#ifndef SIS_ANALYSIS_MULDIV_H
#define SIS_ANALYSIS_MULDIV_H

#include <stdint.h>

/* whole * part / all, rounded towards zero. `all` must not be 0, and the result must fit 64
 * bits. */
static inline int64_t muldiv(int64_t whole, int64_t part, int64_t all)
{
	return (int64_t)((__int128)whole * part / all);
}

#endif
