/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.h - processing units as a strip of characters. A character stands for one unit, or for
 * several neighbours. The more of their time the units lost, the higher and redder the character
 * is. */
#ifndef SIS_ANALYSIS_TOP_HEAT_H
#define SIS_ANALYSIS_TOP_HEAT_H

#include "live/top/top_page.h"
#include "live/top/rows.h"

enum { HEAT_LEVELS = 8 };
/* The level for a share of the time, which is from 0 to 1. Levels are 0 to HEAT_LEVELS - 1. */
int heat_level(double share);
enum top_style heat_style(int level);
/* The number of units for which character `cell` of `cells` stands. The first of them is *first. */
size_t heat_units(size_t units, size_t cells, size_t cell, size_t *first);
/* Adds the strip to the last line, in at most `cells` characters. `rows` has all processing units,
 * by number. The strip shows the time that they lost since the look before; after the first look,
 * it shows all that they lost so far. */
void heat_put(struct top_page *page, const struct top_rows *rows, size_t cells);

#endif
