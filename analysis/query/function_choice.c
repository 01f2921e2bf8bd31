/* SPDX-License-Identifier: BSD-3-Clause */
/* function_choice.c - which functions the next build should measure. Owns the list of functions;
 * one thread.
 *
 * Unlike a rule of a filter (filter_rules.c), a verdict is about a function of one file. Lines of
 * the source do not matter, so it stays valid when the source is edited. The shortest activations
 * are left out first. Where much time is in one function alone, it may have called long functions
 * that were not measured. */
#include "query/function_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "query/filter_rules.h"

/* Functions that are not measured are searched for inside a function with at least this part of all
 * useful work, and with at least so many nanoseconds of useful work for each call. Waits, and other
 * programs on the machine, do not change that part. */
#define INSIDE_SHARE 0.05
#define INSIDE_CALL_NS 1000

static const char by_function[] =
	"SELECT r.name, r.file, max(r.type), sum(s.calls), "
	"sum(CASE WHEN n.nested = 1 THEN 0 ELSE s.incl_ns END), sum(s.useful_ns) "
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"JOIN region r ON r.id = n.region "
	"WHERE n.experiment = ?1 AND r.type IN ('CR_F', 'CR_P') AND r.file <> '' "
	"GROUP BY r.name, r.file ORDER BY r.name, r.file";
static const struct column function_columns[] = {
	{ "name", "", CELL_TEXT },     { "file", "", CELL_TEXT },    { "type", "", CELL_TEXT },
	{ "calls", "", CELL_INTEGER }, { "incl", "", CELL_INTEGER }, { "excl", "", CELL_INTEGER },
};

static double length_of(const struct chosen_function *f)
{
	return f->calls ? (double)f->incl_ns / (double)f->calls : 1e18;
}

static int by_length(const void *x, const void *y)
{
	const struct chosen_function *a = x, *b = y;
	double m = length_of(a), n = length_of(b);
	if (m != n)
		return m < n ? -1 : 1;
	int order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->file, b->file);
}

static void find_time_inside(struct function_choice *choice)
{
	double useful = 0;
	for (size_t i = 0; i < choice->function.n; i++)
		useful += (double)choice->function.at[i].excl_ns;
	for (size_t i = 0; i < choice->function.n; i++) {
		struct chosen_function *f = &choice->function.at[i];
		if (f->calls > 0 && (double)f->excl_ns >= INSIDE_SHARE * useful &&
		    (double)f->excl_ns >= INSIDE_CALL_NS * (double)f->calls)
			f->verdict = FUNCTION_INSIDE;
	}
}

static bool is_program(const struct cell *c)
{
	return strcmp(c[2].text, "CR_P") == 0;
}

static void add_function(struct function_choice *choice, const struct cell *c)
{
	struct chosen_function *f = vec_push(&choice->function);
	*f = (struct chosen_function){
		.name = mem_string(c[0].text), .file = mem_string(c[1].text),
		.calls = c[3].integer, .incl_ns = c[4].integer, .excl_ns = c[5].integer,
	};
	if (is_program(c)) /* always measured */
		f->incl_ns = INT64_MAX;
}

static double share(const struct function_choice *choice, double cost)
{
	double left = choice->total_ns - (choice->before - cost);
	return left > cost ? cost / left : 1;
}

/* Leaves out the shortest functions until the target is reached. */
static void leave_short(struct function_choice *choice, double pair_ns, double target)
{
	for (size_t i = 0; i < choice->function.n; i++) {
		struct chosen_function *f = &choice->function.at[i];
		double cost = (double)f->calls * pair_ns;
		if (share(choice, choice->after) <= target || length_of(f) * target >= pair_ns)
			break;
		f->verdict = FUNCTION_LEAVE;
		choice->after -= cost < choice->after ? cost : choice->after;
	}
}

/* Drops the verdicts that are not needed, about the longest activations first. */
static void drop_needless(struct function_choice *choice, double pair_ns, double target)
{
	for (size_t i = choice->function.n; i-- > 0;) {
		struct chosen_function *f = &choice->function.at[i];
		double cost = (double)f->calls * pair_ns;
		if (f->verdict != FUNCTION_LEAVE || share(choice, choice->after + cost) > target)
			continue;
		f->verdict = FUNCTION_KEEP;
		choice->after += cost;
	}
}

int function_choice_load(struct function_choice *choice, struct repo *repo, int64_t experiment,
			 double target, struct err *err)
{
	struct table t;
	struct filter_rules costs = { 0 }; /* for the cost of a pair alone */
	*choice = (struct function_choice){ 0 };
	table_init(&t, function_columns, sizeof function_columns / sizeof *function_columns);
	int rc = filter_rules_load(&costs, repo, experiment, 1, err);
	rc = rc ? rc : repo_fill(repo, &t, err, by_function, "i", experiment);
	choice->experiment = mem_string(costs.experiment ? costs.experiment : "");
	choice->total_ns = costs.total_ns;
	choice->before = choice->after = costs.before;
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++)
		add_function(choice, table_cell(&t, i, 0));
	vec_sort(&choice->function, by_length);
	find_time_inside(choice);
	leave_short(choice, costs.pair_ns, target);
	drop_needless(choice, costs.pair_ns, target);
	choice->reached = share(choice, choice->after) <= target;
	table_release(&t);
	filter_rules_release(&costs);
	return rc;
}

void function_choice_release(struct function_choice *choice)
{
	for (size_t i = 0; i < choice->function.n; i++) {
		free(choice->function.at[i].name);
		free(choice->function.at[i].file);
	}
	vec_free(&choice->function);
	free(choice->experiment);
}
