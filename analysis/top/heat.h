/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.h - processing units as a strip of characters, one for each or for several neighbours. The
 * more of its time a unit lost, the higher and the redder is its character. */
#ifndef SIS_ANALYSIS_TOP_HEAT_H
#define SIS_ANALYSIS_TOP_HEAT_H

#include "top/top_page.h"
#include "top/rows.h"

enum { HEAT_LEVELS = 8 };
/* 0 to HEAT_LEVELS - 1 for a part of the time from 0 to 1. */
int heat_level(double share);
enum top_style heat_style(int level);
/* How many units stand in character `cell` of `cells`: those from *first on. */
size_t heat_units(size_t units, size_t cells, size_t cell, size_t *first);
/* Adds the strip to the last line, in at most `cells` characters. `rows`: all processing units, by
 * number; what they lost since the look before, or, after the first look, so far. */
void heat_put(struct top_page *page, const struct top_rows *rows, size_t cells);

#endif
