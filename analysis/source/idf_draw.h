/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_draw.h - regions beside their source. */
#ifndef SIS_ANALYSIS_IDF_DRAW_H
#define SIS_ANALYSIS_IDF_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "read/idf_read.h"
#include "source/source.h"

/* Draws the lines of one file with the regions in the margin. Regions are sorted by position. */
void idf_draw(const struct source *source, const struct region *const *region, size_t regions,
	      bool color, FILE *out);

#endif
