/* SPDX-License-Identifier: BSD-3-Clause */
/* function_choice.c - decides which functions the next build should measure. Owns the list of
 * functions; one thread.
 *
 * Unlike a rule of a filter (filter_rules.c), a verdict is about a function of one file. Lines of
 * the source do not matter, so a verdict stays valid when the source is edited. Functions with the
 * shortest activations are left out first. A function with much time of its own may have called
 * long functions that were not measured. Such a function can get the verdict FUNCTION_INSIDE. */
#include "answers/query/function_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "answers/query/filter_rules.h"

/* The verdict FUNCTION_INSIDE needs at least this part of all useful work, and at least so many
 * nanoseconds of useful work for each call. Useful work is compared, because waits and other
 * programs on the machine do not change it. */
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

static double share(const struct function_choice *choice, double cost)
{
	double left = choice->total_ns - (choice->before - cost);
	return left > cost ? cost / left : 1;
}

/* Leaves out functions, those with the shortest activations first, until the target is reached.
 * Then drops the verdicts that are not needed, those with the longest activations first. */
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
	struct filter_rules costs = { 0 }; /* only its cost of a pair of probes is used */
	*choice = (struct function_choice){ 0 };
	table_init(&t, function_columns, sizeof function_columns / sizeof *function_columns);
	int rc = filter_rules_load(&costs, repo, experiment, 1, err);
	rc = rc ? rc : repo_fill(repo, &t, err, by_function, "i", experiment);
	choice->experiment = mem_string(costs.experiment ? costs.experiment : "");
	choice->total_ns = costs.total_ns;
	choice->before = choice->after = costs.before;
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const struct cell *row = table_cell(&t, i, 0);
		/* the program itself is always measured */
		bool is_program = strcmp(row[2].text, "CR_P") == 0;
		*vec_push(&choice->function) = (struct chosen_function){
			.name = mem_string(row[0].text), .file = mem_string(row[1].text),
			.calls = row[3].integer, .incl_ns = is_program ? INT64_MAX : row[4].integer,
			.excl_ns = row[5].integer,
		};
	}
	vec_sort(&choice->function, by_length);
	find_time_inside(choice);
	leave_short(choice, costs.pair_ns, target);
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
