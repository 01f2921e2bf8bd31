/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_draw.c - draws regions in the margin of their source. Owns nothing; one thread.
 *
 *             + main CR_P 3:1-8:1
 *         3   | int main(void)
 *         4   | {
 *             | + for@5 CR_FOR 5:3-7:3
 *         5   | |   for (int i = 0; i < n; i++) {
 *         6   | |     work(i);
 *         7   | +   }
 *         8   + }
 *
 * A region is drawn in the first column that is free on its lines, so overlapping regions are side
 * by side. */
#include "answers/source/idf_draw.h"

#include <stdlib.h>

#include "base/escape.h"
enum { COLUMNS = 16 }; /* deeper regions share the last column */

struct drawing {
	const struct source *source;
	const struct region *const *region;
	size_t regions, next;                 /* next: first region not drawn yet */
	const struct region *in[COLUMNS];     /* the open region of each column; NULL: none */
	unsigned char *column;                /* column of each region */
	int columns;
	uint32_t ended;                       /* last line on which a region ended */
	bool color;
	FILE *out;
};

static uint32_t last_line(const struct region *r)
{
	return r->line_end > r->line_start ? r->line_end : r->line_start;
}

/* Draws the margin of a label or of a line of the source. `own`: the column of the label's region;
 * less than 0 for a line of the source. Regions end on lines of the source, never on a label. */
static void draw_margin(const struct drawing *d, uint32_t line, int own)
{
	for (int c = 0; c < d->columns; c++) {
		const struct region *r = d->in[c];
		bool ends = r && own < 0 && last_line(r) == line;
		fputs(c == own || ends ? "+ " : r ? "| " : "  ", d->out);
	}
}

static void draw_label(const struct drawing *d, size_t i)
{
	const struct region *r = d->region[i];
	fprintf(d->out, "%9s", "");
	draw_margin(d, r->line_start, d->column[i]);
	fputs(d->color ? "\033[36m" : "", d->out);
	escape_print(d->out, "%s %s %u:%u-%u:%u", r->name, sis_region_table[r->type].name,
		     r->line_start, r->column_start, r->line_end, r->column_end);
	if (r->metrics[0])
		escape_print(d->out, " pmetric %s", r->metrics);
	if (r->entries > 1)
		fprintf(d->out, " %u entries", r->entries);
	if (r->exits > 1)
		fprintf(d->out, " %u exits", r->exits);
	fputs(d->color ? "\033[0m\n" : "\n", d->out);
}

static void draw_line(struct drawing *d, uint32_t line)
{
	for (; d->next < d->regions && d->region[d->next]->line_start == line; d->next++) {
		draw_label(d, d->next);
		d->in[d->column[d->next]] = d->region[d->next];
	}
	fprintf(d->out, "%8u ", line);
	draw_margin(d, line, -1);
	escape_put(d->source->line.at[line - 1], SIS_ESCAPE_LINE, d->out);
	putc('\n', d->out);
	for (int c = 0; c < d->columns; c++)
		if (d->in[c] && last_line(d->in[c]) <= line) {
			d->in[c] = NULL;
			d->ended = line;
		}
}

/* Whether a line is drawn: it is in a region, or next to one. */
static bool is_shown(const struct drawing *d, uint32_t line)
{
	for (int c = 0; c < d->columns; c++)
		if (d->in[c])
			return true;
	return (d->ended && d->ended + 1 == line) ||
		(d->next < d->regions && d->region[d->next]->line_start <= line + 1);
}

void idf_draw(const struct source *source, const struct region *const *region, size_t regions,
	      bool color, FILE *out)
{
	struct drawing d = {
		.source = source, .region = region, .regions = regions, .color = color, .out = out
	};
	uint32_t shown = 0, taken[COLUMNS] = { 0 };
	d.column = mem_alloc(regions + 1, sizeof *d.column);
	/* Regions are sorted by their first lines, so a column is free after the end of the region
	 * that was put there last. */
	for (size_t i = 0; i < regions; i++) {
		int c = 0;
		while (c < COLUMNS - 1 && taken[c] >= region[i]->line_start)
			c++;
		d.column[i] = c;
		taken[c] = last_line(region[i]) > taken[c] ? last_line(region[i]) : taken[c];
		d.columns = c + 1 > d.columns ? c + 1 : d.columns;
	}
	for (uint32_t line = 1; line <= source->line.n; line++) {
		if (!is_shown(&d, line))
			continue;
		if (shown && shown + 1 != line)
			fprintf(out, "%8s\n", "...");
		draw_line(&d, line);
		shown = line;
	}
	free(d.column);
}
