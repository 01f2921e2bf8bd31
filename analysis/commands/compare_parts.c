/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_parts.c - see compare_parts.h. Owns nothing; one thread. */
#include "commands/compare_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clamp.h"
#include "base/escape.h"
#include "base/path.h"
#include "base/ratio.h"
#include "base/statistics.h"
#include "commands/table_view.h"
#include "answers/query/main_cause.h"

/* -- which series is slower -------------------------------------------------------------------- */

static void print_series(char letter, const run_list *runs)
{
	enum { NAMES = 3 };
	struct buf text = { 0 };
	if (runs->n > 1)
		buf_print(&text, "the mean of ");
	for (size_t i = 0; i < runs->n && i < NAMES; i++)
		buf_print(&text, "%s%s", i ? ", " : "", runs->at[i].name);
	if (runs->n > NAMES)
		buf_print(&text, " and %zu more", runs->n - NAMES);
	char *name = buf_take(&text);
	escape_line(stdout, "%c: %s, on %lld processing unit%s", letter, name,
		    (long long)runs->at[0].p, runs->at[0].p == 1 ? "" : "s");
	free(name);
}

static double share_of(int64_t part, int64_t whole)
{
	return whole > 0 ? (double)part / (double)whole : 0;
}

static void print_difference(const struct comparison *c)
{
	char share[RATIO_ROOM];
	int64_t by = clamp_subtract(c->parts.b, c->parts.a);
	const char *time = c->time == TIME_SUM ? "p * T_p" : "T_p";
	ratio_share(share, share_of(by < 0 ? clamp_subtract(0, by) : by, c->parts.a));
	if (by == 0)
		printf("B takes as long as A: %s is %.6f s.\n", time, (double)c->parts.a / 1e9);
	else if (c->time == TIME_SUM)
		printf("B takes %.6f s (%s) %s of its processing units than A: %s is %.6f s, and "
		       "%.6f s in A.\n", (by < 0 ? -(double)by : (double)by) / 1e9, share,
		       by > 0 ? "more" : "less", time, (double)c->parts.b / 1e9,
		       (double)c->parts.a / 1e9);
	else
		printf("B is %.6f s (%s) %s than A: %s is %.6f s, and %.6f s in A.\n",
		       (by < 0 ? -(double)by : (double)by) / 1e9, share,
		       by > 0 ? "slower" : "faster", time, (double)c->parts.b / 1e9,
		       (double)c->parts.a / 1e9);
}

/* Prints the times without probes if probes cost more than a thousandth of the time of one
 * series. */
static void print_without_probes(const struct comparison *c)
{
	double a = c->without[0], b = c->without[1];
	bool worth = (double)c->parts.a / 1e9 - a > a / 1000 ||
		(double)c->parts.b / 1e9 - b > b / 1000;
	char share[RATIO_ROOM];
	if (worth && a > 0 && a == b)
		puts("Without probes they take as long, too.");
	else if (worth && a > 0)
		printf("Without probes %s is %.6f s, and %.6f s in A: %s %s.\n",
		       c->time == TIME_SUM ? "p * T_p" : "T_p", b, a,
		       ratio_share(share, (b < a ? a - b : b - a) / a), b < a ? "less" : "more");
}

static void print_noise(const struct comparison *c)
{
	char chance[RATIO_ROOM];
	size_t n_a = c->a.n, n_b = c->b.n;
	double *x = mem_alloc(n_a + n_b, sizeof *x);
	for (size_t i = 0; i < n_a + n_b; i++) {
		const struct run *run = i < n_a ? &c->a.at[i] : &c->b.at[i - n_a];
		x[i] = (double)run->t_p_ns * (c->time == TIME_SUM ? (double)run->p : 1);
	}
	if (n_a + n_b < 3)
		puts("One run each: how much is noise is not known. Give several (A1,A2,... "
		     "B1,B2,...), or --repeats.");
	else
		printf("Noise alone makes such a difference with a probability of %s.\n",
		       ratio_share(chance, statistics_same(x, n_a, x + n_a, n_b)));
	if (c->a.at[0].p != c->b.at[0].p && c->time == TIME_MEAN)
		puts("Times are means of the processing units, of which A and B do not have the "
		     "same number; --total gives sums.");
	free(x);
}

/* -- parts ------------------------------------------------------------------------------------- */

enum { REGION, NAME, PATH, TYPE, PLACE, FILE_NAME, LINE, OVERHEAD, KIND, A, B, BY, CHANGE,
       CULPRIT, CAUSE, CAUSE_PATH, MOSTLY_FOR, COLUMNS };
static const struct column columns[COLUMNS] = {
	[REGION] = { "region", NULL, CELL_TEXT },
	[NAME] = { NULL, "region", CELL_TEXT },
	[PATH] = { "path", NULL, CELL_TEXT },
	[TYPE] = { "type", NULL, CELL_TEXT },
	[PLACE] = { NULL, "place", CELL_TEXT },
	[FILE_NAME] = { "file", NULL, CELL_TEXT },
	[LINE] = { "line_start", NULL, CELL_INTEGER },
	[OVERHEAD] = { "overhead", NULL, CELL_TEXT },
	[KIND] = { NULL, "spent on", CELL_TEXT },
	[A] = { "a", "A: T, mean [s]", CELL_SECONDS },
	[B] = { "b", "B: T, mean [s]", CELL_SECONDS },
	[BY] = { "difference", "difference [s]", CELL_SECONDS },
	[CHANGE] = { "change", "of T_p of A", CELL_SHARE },
	[CULPRIT] = { "culprit", NULL, CELL_TEXT },
	[CAUSE] = { "cause", NULL, CELL_TEXT },
	[CAUSE_PATH] = { "cause_path", NULL, CELL_TEXT },
	[MOSTLY_FOR] = { NULL, "waits mostly for", CELL_TEXT },
};

static void init_table(struct table *table, struct column *shown, enum time_of time)
{
	memcpy(shown, columns, sizeof columns);
	if (time == TIME_SUM) {
		shown[A].title = "A: T, sum [s]";
		shown[B].title = "B: T, sum [s]";
		shown[CHANGE].title = "of p * T_p of A";
	}
	table_init(table, shown, COLUMNS);
}

static void add_times(struct table *table, const struct comparison *c,
		      const struct difference_part *part)
{
	const int64_t ns[2] = { part->a, part->b };
	for (int side = 0; side < 2; side++)
		if (part->leaf == O_NONE || ns[side] || c->known[side][part->leaf])
			table_seconds(table, ns[side]);
		else
			table_null(table);
	int64_t by = clamp_subtract(part->b, part->a);
	table_seconds(table, by);
	if (c->parts.a > 0)
		table_real(table, share_of(by, c->parts.a));
	else
		table_null(table);
}

static void add_cause(struct table *table, const struct cause *cause)
{
	bool known = cause && cause->region;
	char *pu = known ? mem_print("%lld.%lld", (long long)cause->process,
				     (long long)cause->thread) :
			   NULL;
	char *text = known ? mem_print("%s in %s", cause->pu, cause->name) : NULL;
	table_text(table, pu);
	table_text(table, known ? cause->region : NULL);
	table_text(table, known ? cause->path : NULL);
	table_text(table, text);
	free(text);
	free(pu);
}

static int add_part(struct table *table, struct repo *repo, const struct comparison *c,
		    const struct difference_part *part, struct err *err)
{
	struct cause cause = { 0 };
	/* The main cause of waits comes from the first run of the series that waited longer. */
	bool in_b = part->b > part->a;
	const struct part_ids *id = &part->id[in_b];
	const struct wait_place waits = { id->region, id->call_path, part->leaf,
					  in_b ? part->b : part->a };
	if (sis_overhead_is(part->leaf, IS_WAIT) && id->region &&
	    cause_load(&cause, repo, in_b ? c->b.at[0].id : c->a.at[0].id, &waits, err))
		return ERR_FAILED;
	char *position = path_place(part->file, part->line);
	const char *leaf = sis_overhead_table[part->leaf].name;
	bool work = part->leaf == O_NONE;
	table_text(table, part->region), table_text(table, part->name);
	table_text(table, part->path), table_text(table, part->type);
	table_text(table, position);
	table_text(table, part->file), table_integer(table, part->line);
	table_text(table, work ? "USEFUL" : leaf);
	table_text(table, work ? "useful work" : leaf);
	add_times(table, c, part);
	add_cause(table, &cause);
	free(position);
	cause_release(&cause);
	return 0;
}

/* Adds a row for a sum, which belongs to no region. */
static void add_sum(struct table *table, const struct comparison *c, const char *name, int64_t a,
		    int64_t b)
{
	const struct difference_part sum = { .a = a, .b = b };
	table_text(table, name), table_text(table, name);
	for (int i = PATH; i < A; i++)
		table_null(table);
	add_times(table, c, &sum);
	add_cause(table, NULL);
}

/* Adds the first `lines` parts, and subtracts them from *a and *b. */
static int add_largest(struct table *table, struct repo *repo, const struct comparison *of,
		       size_t lines, int64_t *a, int64_t *b, struct err *err)
{
	for (size_t i = 0; i < lines; i++) {
		const struct difference_part *part = &of->parts.part.at[i];
		*a = clamp_subtract(*a, part->a), *b = clamp_subtract(*b, part->b);
		if (add_part(table, repo, of, part, err))
			return ERR_FAILED;
	}
	return 0;
}

/* Hides the column of causes in text if there are none. */
static void hide_causes(struct column *shown, const struct table *table)
{
	bool any = false;
	for (size_t r = 0; r < table_rows(table); r++)
		any |= table_cell(table, r, MOSTLY_FOR)->kind != CELL_NULL;
	if (!any)
		shown[MOSTLY_FOR].title = NULL;
}

/* How many of the first `lines` parts are worth a line: the first SOME, and all parts of at least
 * 0.1 % of the time of series A. */
static size_t worth_showing(const struct difference_parts *parts, size_t lines)
{
	enum { SOME = 3, WORTH = 1000 };
	size_t n = 0, all = parts->part.n - 1;
	while (n < lines && n < all) {
		const struct difference_part *part = &parts->part.at[n];
		double by = (double)part->b - (double)part->a;
		if (n >= SOME && (by < 0 ? -by : by) * WORTH < (double)parts->a)
			break;
		n++;
	}
	return n;
}

static int print_largest(struct repo *repo, const struct comparison *of, size_t lines,
			 struct err *err)
{
	struct column shown[COLUMNS];
	struct table table;
	size_t parts = of->parts.part.n - 1;
	int64_t a = of->parts.a, b = of->parts.b;
	lines = worth_showing(&of->parts, lines);
	char *more = mem_print("%zu smaller ones (--parts)", parts - lines);
	init_table(&table, shown, of->time);
	int rc = add_largest(&table, repo, of, lines, &a, &b, err);
	if (rc == 0) {
		if (parts > lines)
			add_sum(&table, of, more, a, b);
		add_sum(&table, of, of->time == TIME_SUM ? "all: p * T_p" : "all: T_p",
			of->parts.a, of->parts.b);
		hide_causes(shown, &table);
		puts("\nWhat made the difference:");
		table_print(&table, FORMAT_TEXT, stdout);
	}
	table_release(&table);
	free(more);
	return rc;
}

int compare_print_statement(struct context *c, const struct comparison *of, size_t lines,
			    struct err *err)
{
	print_series('A', &of->a), print_series('B', &of->b);
	print_difference(of);
	print_without_probes(of);
	print_noise(of);
	return lines ? print_largest(c->repo, of, lines, err) : 0;
}

int compare_print_parts(struct context *c, const struct comparison *of, struct err *err)
{
	struct column shown[COLUMNS];
	struct table table;
	int64_t a = of->parts.a, b = of->parts.b;
	init_table(&table, shown, of->time);
	int rc = add_largest(&table, c->repo, of, of->parts.part.n - 1, &a, &b, err);
	if (rc == 0) {
		add_sum(&table, of, "remainder", a, b);
		hide_causes(shown, &table);
		rc = shape_print(c, &table, "compare", err);
	}
	table_release(&table);
	return rc;
}
