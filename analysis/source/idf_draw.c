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
 * A region has the first column that is free on its lines, so overlapping ones stand side by
 * side. */
#include "source/idf_draw.h"

#include <stdlib.h>

#include "base/escape.h"
enum { COLUMNS = 16 }; /* deeper regions share the last column */

struct drawing {
	const struct source *source;
	const struct region *const *region;
	size_t regions, next;                 /* next: the first that has not begun */
	const struct region *in[COLUMNS];     /* begun and not ended, by column; NULL: none */
	unsigned char *column;                /* of each region */
	int columns;
	uint32_t ended;                       /* last line that a region ended on */
	bool color;
	FILE *out;
};

static uint32_t last_line(const struct region *r)
{
	return r->line_end > r->line_start ? r->line_end : r->line_start;
}

/* Regions come in order of their first lines: a column is free behind its last region's end. */
static void assign_columns(struct drawing *d)
{
	uint32_t taken[COLUMNS] = { 0 };
	for (size_t i = 0; i < d->regions; i++) {
		int c = 0;
		while (c < COLUMNS - 1 && taken[c] >= d->region[i]->line_start)
			c++;
		d->column[i] = c;
		taken[c] = last_line(d->region[i]) > taken[c] ? last_line(d->region[i]) : taken[c];
		d->columns = c + 1 > d->columns ? c + 1 : d->columns;
	}
}

/* What a line shows in a column. `own`: the column of a label, on which no region ends; less than
 * 0: a line of the source. */
static char mark(const struct drawing *d, uint32_t line, int own, int column)
{
	const struct region *r = d->in[column];
	if (column == own)
		return '+';
	if (!r)
		return ' ';
	return own < 0 && last_line(r) == line ? '+' : '|';
}

static void draw_margin(const struct drawing *d, uint32_t line, int own)
{
	for (int c = 0; c < d->columns; c++)
		fprintf(d->out, "%c ", mark(d, line, own, c));
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

/* Whether a line is in a region, or next to one. */
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
	uint32_t shown = 0;
	d.column = mem_alloc(regions + 1, sizeof *d.column);
	assign_columns(&d);
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
