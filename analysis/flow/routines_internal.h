/* SPDX-License-Identifier: BSD-3-Clause */
/* routines_internal.h - between routines.c, which finds rows, and routines_parse.c, which makes
 * them. */
#ifndef SIS_ANALYSIS_ROUTINES_INTERNAL_H
#define SIS_ANALYSIS_ROUTINES_INTERNAL_H

#include "base/map.h"
#include "base/mem.h"
#include "flow/routines.h"

struct routine_pattern { char *text; uint32_t row; }; /* of fnmatch */

struct routine_names {
	struct strmap exact;      /* name -> index of row_of */
	VEC(uint32_t) row_of;
	VEC(struct routine_pattern) pattern;
};

struct routines {
	VEC(struct routine *) row;
	struct routine_names names[2]; /* built in; by the user */
};

#endif
