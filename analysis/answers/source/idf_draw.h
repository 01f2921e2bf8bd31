/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_draw.h - draws regions beside their source. */
#ifndef SIS_ANALYSIS_IDF_DRAW_H
#define SIS_ANALYSIS_IDF_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "experiment/read/idf_read.h"
#include "answers/source/source.h"

/* Draws the lines of one file with the regions in the margin. The caller has sorted the regions by
 * position. */
void idf_draw(const struct source *source, const struct region *const *region, size_t regions,
	      bool color, FILE *out);

#endif
