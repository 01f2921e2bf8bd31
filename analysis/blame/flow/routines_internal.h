/* SPDX-License-Identifier: BSD-3-Clause */
/* routines_internal.h - what routines.c, which finds rows, and routines_parse.c, which makes rows,
 * share. */
#ifndef SIS_ANALYSIS_ROUTINES_INTERNAL_H
#define SIS_ANALYSIS_ROUTINES_INTERNAL_H

#include "base/map.h"
#include "base/mem.h"
#include "blame/flow/routines.h"

struct routine_pattern { char *text; uint32_t row; }; /* a pattern of fnmatch, and the row that it
                                                       * names */

struct routine_names {
	struct strmap exact;      /* name -> index of row_of */
	VEC(uint32_t) row_of;
	VEC(struct routine_pattern) pattern;
};

struct routines {
	VEC(struct routine *) row;
	struct routine_names names[2]; /* [0]: names of the built-in rows; [1]: names of the user's
	                                * rows */
};

#endif
