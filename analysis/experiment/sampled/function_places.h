/* SPDX-License-Identifier: BSD-3-Clause */
/* function_places.h - on which paths functions are below the nodes of a group, in all processes. A
 * call without samples is below the function that makes it. If samples of other calls or other
 * threads show this function on one path only, it is there. */
#ifndef SIS_ANALYSIS_FUNCTION_PLACES_H
#define SIS_ANALYSIS_FUNCTION_PLACES_H

#include "base/map.h"
#include "base/mem.h"

/* In place of a group: the root of the initial thread, and those of other threads. */
enum { GROUP_OF_INITIAL = -2, GROUP_OF_THREADS = -3 };

struct function_place {
	bool several;            /* there are several paths; `function` is one of them */
	VEC(uint32_t) function;  /* from the node of the group inwards, to the function itself */
};

struct function_places {
	struct map by_function;  /* (group, function) -> index of `place` */
	VEC(struct function_place) place;
};

/* Notes a path of `n` functions below a node of the group. */
void function_places_add(struct function_places *places, uint32_t group, const uint32_t *function,
			 size_t n);
/* The only path of the function; NULL: it is on none, or on several. */
const struct function_place *function_places_only(const struct function_places *places,
						  uint32_t group, uint32_t function);
void function_places_release(struct function_places *places);

#endif
