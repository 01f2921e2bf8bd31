/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead_tree.c - draws the overhead tree of an experiment. One thread.
 *
 * Without a sequential run, T_p is divided into useful work and overheads. With a sequential run,
 * T_p is divided into T_s/p and overheads, because some overheads (OADD, OLOSS_REPL) are then parts
 * of the useful work. */
#include "answers/query/overhead_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/terminal.h"

enum { TENTHS = 1000 /* tenths in 100 % */, FOLD = 200 /* less than T_p/FOLD is folded */ };

struct line { char *name, *text; int depth; int64_t ns, tenths; };
struct tree {
	const struct overheads *o;
	bool fold;
	VEC(struct line) line;
};

/* -- percentages ------------------------------------------------------------------------------- */

struct part { enum sis_overhead node; int64_t ns, tenths; };

/* Rounds the parts to tenths of a percent whose sum is `sum`. First, all parts are rounded down.
 * Then the parts that lost most are rounded up. */
static void round_parts(struct part *part, size_t n, int64_t t_p, int64_t sum)
{
	double tenth = t_p > 0 ? (double)t_p / TENTHS : 1;
	for (size_t i = 0; i < n; i++) {
		double exact = (double)part[i].ns / tenth;
		part[i].tenths = clamp_round(exact);
		part[i].tenths -= (double)part[i].tenths > exact;
		sum -= part[i].tenths;
	}
	for (; n > 0 && sum > 0 && sum <= (int64_t)n; sum--) {
		size_t most = 0;
		double lost = -1;
		for (size_t i = 0; i < n; i++) {
			double rest = (double)part[i].ns / tenth - (double)part[i].tenths;
			if (rest > lost)
				lost = rest, most = i;
		}
		part[most].tenths++;
	}
}

/* -- lines ------------------------------------------------------------------------------------- */

static void add_line(struct tree *t, const char *name, const char *text, int depth,
		     const struct part *part)
{
	*vec_push(&t->line) = (struct line){ mem_string(name), mem_string(text), depth, part->ns,
					     part->tenths };
}

static bool is_small(const struct tree *t, int64_t ns)
{
	int64_t limit = t->o->t_p / FOLD;
	return t->fold && ns < limit && ns > -limit;
}

/* Adds one line for all small parts together. */
static void add_folded(struct tree *t, const struct part *part, size_t n, size_t small, int depth)
{
	struct part sum = { .ns = 0 };
	struct buf names = { 0 };
	char *title = mem_print("%zu smaller", small);
	for (size_t i = 0, k = 0; i < n; i++) {
		if (!is_small(t, part[i].ns))
			continue;
		sum.ns = clamp_add(sum.ns, part[i].ns);
		sum.tenths += part[i].tenths;
		buf_print(&names, "%s%s", k++ ? ", " : "", sis_overhead_table[part[i].node].name);
	}
	char *text = buf_take(&names);
	add_line(t, title, text, depth, &sum);
	free(text), free(title);
}

static void add_children(struct tree *t, const struct part *parent, int depth);

static void add_node(struct tree *t, const struct part *part, int depth)
{
	const struct sis_overhead_info *info = &sis_overhead_table[part->node];
	bool known = part->node != OTOTAL || t->o->has_t_s;
	add_line(t, info->name, known ? info->description : "all overheads that were identified",
		 depth, part);
	add_children(t, part, depth + 1);
}

static void add_children(struct tree *t, const struct part *parent, int depth)
{
	struct part part[SIS_OVERHEADS];
	size_t n = 0, small = 0;
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		if (sis_overhead_table[i].parent != parent->node || t->o->ns[i] == 0)
			continue;
		part[n++] = (struct part){ .node = i, .ns = t->o->ns[i] };
		small += is_small(t, t->o->ns[i]);
	}
	round_parts(part, n, t->o->t_p, parent->tenths);
	for (size_t i = 0; i < n; i++)
		if (small < 2 || !is_small(t, part[i].ns))
			add_node(t, &part[i], depth);
	if (small >= 2)
		add_folded(t, part, n, small, depth);
}

static void add_top(struct tree *t)
{
	const struct overheads *o = t->o;
	int64_t rest = clamp_subtract(overheads_measured(o), o->ns[OTOTAL]);
	struct part part[] = { { .node = O_NONE, .ns = rest },
			       { .node = OTOTAL, .ns = o->ns[OTOTAL] },
			       { .node = UNMEASURED, .ns = o->ns[UNMEASURED] } };
	round_parts(part, sizeof part / sizeof *part, o->t_p, o->t_p > 0 ? TENTHS : 0);
	if (o->has_t_s)
		add_line(t, "T_s/p", "the sequential run, divided by p", 0, &part[0]);
	else
		add_line(t, "useful work", "computing", 0, &part[0]);
	add_node(t, &part[1], 0);
	if (o->ns[UNMEASURED])
		add_node(t, &part[2], 0);
	if (o->has_t_s) {
		double tenths = o->t_p > 0 ? (double)o->t_i * TENTHS / (double)o->t_p : 0;
		const struct part all = { .ns = o->t_i, .tenths = clamp_round(tenths) };
		add_line(t, "total identified", "all but OUNID", 0, &all);
	}
}

/* -- drawing ----------------------------------------------------------------------------------- */

/* Widths of the text and the bar at the end of a line. If the terminal is wide enough, no text is
 * cut off. The bar gets the room that is left. */
enum { NAME = 22, NUMBERS = 24, LONGEST_BAR = 20, SHORTEST_BAR = 5, LONGEST_TEXT = 60 };
struct widths { int text, bar; };

static struct widths choose_widths(const struct tree *t, FILE *out)
{
	struct widths w = { .text = 0, .bar = LONGEST_BAR };
	int line = out == stdout ? (int)terminal_width() : 0;
	for (size_t i = 0; i < t->line.n; i++) {
		int length = (int)strlen(t->line.at[i].text);
		length = length < LONGEST_TEXT ? length : LONGEST_TEXT;
		w.text = length > w.text ? length : w.text;
	}
	if (!line)
		return w;
	int room = line - NAME - NUMBERS;
	w.text = w.text < room ? w.text : room < SHORTEST_BAR ? SHORTEST_BAR : room;
	room -= w.text + 1;
	w.bar = room < SHORTEST_BAR ? 0 : room < LONGEST_BAR ? room : LONGEST_BAR;
	return w;
}

void overheads_print_tree(const struct overheads *o, bool fold, const char *whole, bool color,
			  FILE *out)
{
	struct tree t = { .o = o, .fold = fold };
	add_top(&t);
	struct widths w = choose_widths(&t, out);
	fprintf(out, "%-*s %11s %7s\n", NAME, "", "seconds", whole);
	for (size_t i = 0; i < t.line.n; i++) {
		const struct line *line = &t.line.at[i];
		int length = (int)strlen(line->text), indent = 2 * line->depth;
		int shown = length > w.text ? w.text - 2 : length;
		int bar = (int)((double)line->tenths / TENTHS * w.bar + 0.5);
		bar = bar < 0 ? 0 : bar > w.bar ? w.bar : bar;
		fprintf(out, "%*s%-*s %11.6f %5.1f %%  %.*s%s%*s", indent, "", NAME - indent,
			line->name, (double)line->ns / 1e9, (double)line->tenths / 10, shown,
			line->text, shown < length ? ".." : "",
			bar && length < w.text ? w.text - length : 0, "");
		if (bar)
			fputs(color ? " \033[33m" : " ", out);
		for (int k = 0; k < bar; k++)
			putc('#', out);
		fputs(bar && color ? "\033[0m\n" : "\n", out);
		free(line->name), free(line->text);
	}
	vec_free(&t.line);
	if (o->has_t_s)
		fprintf(out, "The useful work is %.6f s: T_s/p, and beyond it OLOSS_REPL, "
			"OADD_ALGO, OADD_COMP and OUNID.\n", (double)o->useful / 1e9);
}
