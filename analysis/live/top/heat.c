/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.c - draws the strip of processing units (heat.h). Owns nothing. Any thread may call it. */
#include "live/top/heat.h"

static const char *const blocks[HEAT_LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const letters[HEAT_LEVELS] = { ".", ":", "-", "=", "+", "*", "%", "#" };

int heat_level(double share)
{
	int level = (int)(share * HEAT_LEVELS);
	return level < 0 ? 0 : level >= HEAT_LEVELS ? HEAT_LEVELS - 1 : level;
}

enum top_style heat_style(int level)
{
	return level < HEAT_LEVELS / 3 ? STYLE_LOW :
	       level < 2 * HEAT_LEVELS / 3 ? STYLE_MIDDLE : STYLE_HIGH;
}

size_t heat_units(size_t units, size_t cells, size_t cell, size_t *first)
{
	*first = cell * units / cells;
	return (cell + 1) * units / cells - *first;
}

void heat_put(struct top_page *page, const struct top_rows *rows, size_t cells)
{
	size_t units = rows->row.n;
	int64_t wall = rows->now_ns ? rows->now_ns : rows->wall_ns / (rows->pus ?: 1);
	cells = units < cells ? units : cells;
	for (size_t c = 0, first; c < cells; c++) {
		double sum = 0; /* sum of the shares of time that the units of the cell lost */
		size_t n = heat_units(units, cells, c, &first);
		for (size_t i = first; i < first + n; i++)
			sum += top_share(rows->now_ns ? rows->row.at[i].now.overhead_ns :
							rows->row.at[i].all.overhead_ns, wall);
		int level = heat_level(n ? sum / (double)n : 0);
		top_page_put(page, heat_style(level), "%s",
			 page->utf8 ? blocks[level] : letters[level]);
	}
}
