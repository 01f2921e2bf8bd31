/* SPDX-License-Identifier: BSD-3-Clause */
/* position.h - finds the function and the statements at a position that debug information gives. */
#ifndef SIS_ANALYSIS_POSITION_H
#define SIS_ANALYSIS_POSITION_H

#include "blame/flow/program.h"
#include "blame/place/anchors.h"
#include "blame/place/place.h"
#include "experiment/code/code_places.h"

struct position {
	enum placed_how how;
	enum placed_reason reason; /* PLACED_OK unless `how` is PLACED_NOTHING */
	uint32_t function;         /* NONE with PLACED_NOTHING */
	VEC(uint32_t) statement;   /* none with PLACED_FUNCTION and PLACED_NOTHING */
};

struct positions {
	const struct flow_program *program;
	struct anchors anchors;
	struct map function;       /* (unit, number of the function's name) -> function */
	struct strmap name;
};

void positions_init(struct positions *p, const struct flow_program *program);
void positions_release(struct positions *p);
/* Fills `position` with the function and statements of the site. `callee` is the linkage name of
 * the function that is called there; NULL: not known, or the site is no call. The contents of
 * `position` are replaced; the caller frees its statements. */
void positions_find(const struct positions *p, const struct code_site *site, const char *callee,
		    struct position *position);
/* Whether the statement calls `callee` by name. If `statement` is NONE: whether any statement of
 * the function calls `callee` by name. */
bool positions_calls(const struct positions *p, uint32_t function, uint32_t statement,
		     const char *callee);
/* Whether the function calls itself, or has a call through a pointer. */
bool positions_may_recur(const struct positions *positions, uint32_t function);

#endif
