/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_regions.c - see compare_regions.h. Owns nothing; one thread. */
#include "commands/compare_regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/path.h"
#include "base/ratio.h"
#include "commands/table_view.h"

static const char *const verdicts[] = { "same", "faster", "slower", "new", "gone" };

static const struct column columns[] = {
	{ "region", NULL, CELL_TEXT },
	{ NULL, "region", CELL_TEXT },
	{ "type", NULL, CELL_TEXT },
	{ NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER },
	{ "key", NULL, CELL_TEXT },
	{ "a", "", CELL_SECONDS },
	{ "b", "", CELL_SECONDS },
	{ "difference", "difference [s]", CELL_SECONDS },
	{ "change", "change", CELL_SHARE },
	{ "p_value", "by chance", CELL_SHARE },
	{ "runs_a", NULL, CELL_INTEGER },
	{ "runs_b", NULL, CELL_INTEGER },
	{ "verdict", "verdict", CELL_TEXT },
	{ "fails", NULL, CELL_BOOL },
	{ "a_without_probes", NULL, CELL_SECONDS },
	{ "b_without_probes", NULL, CELL_SECONDS },
};
enum { COLUMNS = sizeof columns / sizeof *columns, TIME_A = 7, TIME_B };

static void seconds_or_null(struct table *table, double seconds)
{
	if (isfinite(seconds))
		table_seconds(table, clamp_round(1e9 * seconds));
	else
		table_null(table);
}

static void add_row(struct table *table, const struct difference *d, size_t n_a, size_t n_b,
		    const char *program)
{
	char *position = path_place(d->file, d->line);
	table_text(table, d->region);
	table_text(table, d->key[0] ? d->region : program);
	table_text(table, d->type), table_text(table, position);
	table_text(table, d->file), table_integer(table, d->line), table_text(table, d->key);
	seconds_or_null(table, d->a), seconds_or_null(table, d->b), seconds_or_null(table, d->by);
	table_real_or_null(table, d->a > 0 ? d->by / d->a : NAN);
	table_real_or_null(table, d->p_value);
	table_integer(table, n_a), table_integer(table, n_b);
	table_text(table, verdicts[d->verdict]);
	table_integer(table, d->fails);
	seconds_or_null(table, isfinite(d->a) ? d->a_without : NAN);
	seconds_or_null(table, isfinite(d->b) ? d->b_without : NAN);
	free(position);
}

static int fail_on(const differences *found, double limit, struct err *err)
{
	char change[RATIO_ROOM];
	size_t n = 0;
	const struct difference *first = NULL;
	for (size_t i = 0; i < found->n; i++)
		if (found->at[i].fails) {
			n++;
			first = first ? first : &found->at[i];
		}
	if (!n)
		return 0;
	double a = first->a_without, b = first->b_without;
	return err_fail(err, "compare: %zu above %g %%: %s is %s slower (%.6f s without probes, "
			"was %.6f s); see the rows with verdict slower", n, 100 * limit,
			first->region, ratio_share(change, (b - a) / a), b, a);
}

int compare_regions(struct context *c, const run_list *a, const run_list *b, enum time_of time,
		    const struct limits *limits, struct err *err)
{
	differences found = { 0 };
	struct column shown[COLUMNS];
	struct table table;
	memcpy(shown, columns, sizeof columns);
	shown[TIME_A].title = time == TIME_SUM ? "A: T_excl, sum [s]" : "A: T_excl, mean [s]";
	shown[TIME_B].title = time == TIME_SUM ? "B: T_excl, sum [s]" : "B: T_excl, mean [s]";
	table_init(&table, shown, COLUMNS);
	int rc = regression_find(&found, c->repo, a, b, time, limits, err);
	for (size_t i = 0; rc == 0 && i < found.n; i++)
		add_row(&table, &found.at[i], a->n, b->n,
			time == TIME_SUM ? "program: p * T_p" : "program: T_p");
	rc = rc ? rc : shape_print(c, &table, "compare", err);
	rc = rc ? rc : fail_on(&found, limits->change, err);
	table_release(&table);
	regression_release(&found);
	return rc;
}
