/* SPDX-License-Identifier: BSD-3-Clause */
/* ticks.h - shares of a quantity, and ticks as nanoseconds. Called by any thread. The results are
 * exact, but for their fractions, and are computed from integers alone: arithmetic with doubles
 * would show in the program's thread (sis/fp_environment.h). */
#ifndef SIS_TICKS_H
#define SIS_TICKS_H

#include "base/runtime.h"

#define SIS_NS UINT64_C(1000000000) /* of a second */

/* Returns whole * part / all, without its fraction. 0: there is nothing to share, `all` is 0. */
static inline uint64_t sis__share(uint64_t whole, uint64_t part, uint64_t all)
{
	__extension__ typedef unsigned __int128 product;
	return all ? (uint64_t)((product)whole * part / all) : 0;
}

static inline uint64_t sis__ticks_to_ns(uint64_t ticks)
{
	return sis__share(ticks, SIS_NS, sis__header()->ticks_per_second);
}

static inline uint64_t sis__ns_to_ticks(uint64_t ns)
{
	return sis__share(ns, sis__header()->ticks_per_second, SIS_NS);
}

#endif
