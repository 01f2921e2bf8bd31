/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_rules.c - which regions a filter should exclude. Owns the list of names; one thread.
 *
 * A rule excludes all regions of a name, since conditions on name and file cannot be combined in
 * one rule. The cost of a name is its number of activations times the cost of one activation. Names
 * with the shortest activations are excluded first. At the end, rules that are not needed are
 * dropped.
 *
 * The cost of an activation has two parts, one inside and one outside of the time that the
 * activation measures. A part is in OPROBE only if it could be subtracted from useful work
 * (experiment/classify/classify.c). So the cost is not just OPROBE divided by the number of
 * activations. In a node without children, OPROBE consists of the inner parts of the node's own
 * activations. In any other node, OPROBE also contains the outer parts of the children's
 * activations. */
#include "answers/query/filter_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/map.h"
#include "base/sort.h"
#include "tables.h"

/* The root has no probes. A filter cannot exclude what the runtime itself did (RT_PROBE). */
#define FROM_NODES \
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id " \
	"JOIN code_region r ON r.id = n.region "
#define WITH_PROBES "n.experiment = ?1 AND n.parent IS NOT NULL AND r.type <> 'RT_PROBE'"

static const char totals[] =
	"SELECT e.name, 1.0 * e.p * e.t_p_ns, "
	"(SELECT coalesce(sum(s.calls), 0) " FROM_NODES "WHERE " WITH_PROBES ") "
	"FROM experiment e WHERE e.id = ?1";
static const struct column total_columns[] = {
	{ "name", "", CELL_TEXT },
	{ "total", "", CELL_REAL },
	{ "calls", "", CELL_INTEGER },
};

/* Nodes without useful work are left out: their OPROBE may be less than the cost. */
static const char pairs[] =
	"SELECT 1.0 * sum(CASE WHEN s.subs = 0 THEN o.ns END), "
	"sum(CASE WHEN s.subs = 0 THEN s.calls END), "
	"1.0 * sum(CASE WHEN s.subs <> 0 THEN o.ns END), "
	"sum(CASE WHEN s.subs <> 0 THEN s.calls END), sum(s.subs) " FROM_NODES
	"JOIN overhead o ON o.drg_node = n.id AND o.pu = s.pu AND o.leaf = 'OPROBE' "
	"WHERE " WITH_PROBES " AND s.useful_ns > 0";
static const struct column pair_columns[] = {
	{ "childless_cost", "", CELL_REAL }, { "childless_calls", "", CELL_INTEGER },
	{ "cost", "", CELL_REAL },	     { "calls", "", CELL_INTEGER },
	{ "subs", "", CELL_INTEGER },
};

/* A call is in one region of the source, so its nodes mostly have the same region above. Summaries
 * are first added up by node, because SQLite would have to sort all of them for sums by region. */
static const char by_region[] =
	"WITH sum_of_node AS MATERIALIZED (SELECT n.id, sum(s.calls) AS calls, "
	"sum(CASE WHEN n.nested = 1 THEN 0 ELSE s.incl_ns END) AS incl_ns "
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"WHERE n.experiment = ?1 GROUP BY n.id) "
	"SELECT r.name, r.type, r.file || ':' || r.line_start, sum(s.calls), sum(s.incl_ns), "
	"max(o.name), max(o.type) "
	"FROM sum_of_node s JOIN drg_node n ON n.id = s.id "
	"JOIN region r ON r.id = n.region "
	"LEFT JOIN drg_node m ON m.id = n.parent LEFT JOIN code_region o ON o.id = m.region "
	"WHERE r.line_start > 0 "
	"GROUP BY r.id, r.name, r.type, r.file, r.line_start ORDER BY r.id";
static const struct column region_columns[] = {
	{ "name", "", CELL_TEXT },     { "type", "", CELL_TEXT },    { "place", "", CELL_TEXT },
	{ "calls", "", CELL_INTEGER }, { "incl", "", CELL_INTEGER }, { "outer", "", CELL_TEXT },
	{ "outer_type", "", CELL_TEXT },
};

/* -- names ------------------------------------------------------------------------------------- */

static enum sis_region_type type_of(const char *name)
{
	return sis_region_by_name(name, strlen(name));
}

/* Whether the exclusive time of a region is overhead. */
static bool has_leaf(const char *name, enum sis_region_type type)
{
	const struct sis_routine_info *routine = sis_routine_by_name(name);
	return sis_region_table[type].leaf != O_NONE ||
	       (routine && routine->type == type && routine->leaf != O_NONE);
}

static enum filter_loss loss_of(const struct cell *c)
{
	enum sis_region_type type = type_of(c[1].text);
	if (sis_region_in(type, CR_A))
		return LOSS_NAMED;
	if (has_leaf(c[0].text, type) || sis_region_in(type, CR_OMP))
		return LOSS_LEAF;
	return type == CR_S && has_leaf(c[5].text, type_of(c[6].text)) ? LOSS_ARGUMENT
								       : LOSS_DETAIL;
}

/* Whether a filter can exclude regions of a type. It turns off neither the program nor the wrappers
 * of MPI. */
static bool can_be_excluded(enum sis_region_type type)
{
	return type != CR_NONE && type != CR_P && !sis_region_in(type, CR_MPI);
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = mem_string(by);
}

static void add_region(struct filter_rules *rules, struct strmap *by_name, const struct cell *c)
{
	bool fresh;
	const char *name = c[0].text;
	if (!can_be_excluded(type_of(c[1].text)))
		return;
	uint32_t i = strmap_put(by_name, name, rules->named.n, &fresh);
	if (fresh)
		*vec_push(&rules->named) = (struct named_regions){ .name = mem_string(name),
								   .most_calls = -1 };
	struct named_regions *named = &rules->named.at[i];
	enum filter_loss loss = loss_of(c);
	bool is_named = loss == LOSS_NAMED || named->loss == LOSS_NAMED;
	named->regions++;
	named->calls = clamp_add(named->calls, c[3].integer);
	named->incl_ns = clamp_add(named->incl_ns, c[4].integer);
	if (c[3].integer > named->most_calls) {
		named->most_calls = c[3].integer;
		named->loss = loss;
		replace(&named->type, c[1].text);
		replace(&named->place, c[2].text);
	}
	if (is_named)
		named->loss = LOSS_NAMED;
}

/* -- rules ------------------------------------------------------------------------------------- */

/* The mean length of an activation in ns: the shortest ones are excluded first. */
static double length_of(const struct named_regions *named)
{
	return named->calls ? (double)named->incl_ns / (double)named->calls : 1e18;
}

static int by_loss_then_length(const void *x, const void *y)
{
	const struct named_regions *a = x, *b = y;
	double m = length_of(a), n = length_of(b);
	if (a->loss != b->loss)
		return a->loss < b->loss ? -1 : 1;
	if (m != n)
		return m < n ? -1 : 1;
	return strcmp(a->name, b->name);
}

double filter_rules_share(const struct filter_rules *rules, double cost)
{
	double left = rules->total_ns - (rules->before - cost);
	return left > cost ? cost / left : 1;
}

static double cost_of(const struct filter_rules *rules, const struct named_regions *named)
{
	double cost = (double)named->calls * rules->pair_ns;
	return cost < rules->after ? cost : rules->after;
}

/* Excludes names in their order until the target is reached. Then it drops the rules that are not
 * needed, those with the greatest loss and the longest activations first. At the end it computes
 * the costs before and after each rule. */
static void exclude_names(struct filter_rules *rules, double target)
{
	for (size_t i = 0; i < rules->named.n; i++) {
		struct named_regions *named = &rules->named.at[i];
		if (filter_rules_share(rules, rules->after) <= target)
			break;
		if (named->calls <= 0)
			continue;
		named->excluded = true;
		rules->after -= cost_of(rules, named);
	}
	for (size_t i = rules->named.n; i-- > 0;) {
		struct named_regions *named = &rules->named.at[i];
		double cost = (double)named->calls * rules->pair_ns;
		if (!named->excluded || filter_rules_share(rules, rules->after + cost) > target)
			continue;
		named->excluded = false;
		rules->after += cost;
	}
	rules->after = rules->before;
	for (size_t i = 0; i < rules->named.n; i++) {
		struct named_regions *named = &rules->named.at[i];
		if (!named->excluded)
			continue;
		named->before = rules->after;
		rules->after -= cost_of(rules, named);
		named->after = rules->after;
	}
}

static int load_totals(struct filter_rules *rules, struct repo *repo, int64_t experiment,
		       struct err *err)
{
	struct table t;
	table_init(&t, total_columns, sizeof total_columns / sizeof *total_columns);
	int rc = repo_fill(repo, &t, err, totals, "i", experiment);
	if (rc == 0 && table_rows(&t)) {
		rules->experiment = mem_string(table_cell(&t, 0, 0)->text);
		rules->total_ns = table_cell(&t, 0, 1)->real;
		rules->calls = table_cell(&t, 0, 2)->integer;
	}
	table_release(&t);
	return rc;
}

static double per(double cost, double number)
{
	return cost > 0 && number > 0 ? cost / number : 0;
}

/* Estimates the cost of a pair of probes. If no node has children, the outer part is assumed to be
 * as large as the inner part. If all nodes have children, the inner part is assumed to be zero. */
static int load_pair(struct filter_rules *rules, struct repo *repo, int64_t experiment,
		     struct err *err)
{
	struct table t;
	table_init(&t, pair_columns, sizeof pair_columns / sizeof *pair_columns);
	int rc = repo_fill(repo, &t, err, pairs, "i", experiment);
	if (rc == 0) {
		const struct cell *sum = table_cell(&t, 0, 0);
		double calls = (double)sum[3].integer, subs = (double)sum[4].integer;
		double inner = per(sum[0].real, (double)sum[1].integer);
		double outer = per(sum[2].real - inner * calls, subs);
		rules->pair_ns = subs > 0 ? inner + outer : 2 * inner;
	}
	table_release(&t);
	rules->before = rules->after = rules->pair_ns * (double)rules->calls;
	return rc;
}

int filter_rules_load(struct filter_rules *rules, struct repo *repo, int64_t experiment,
		      double target, struct err *err)
{
	struct table t;
	struct strmap by_name = { 0 };
	*rules = (struct filter_rules){ 0 };
	table_init(&t, region_columns, sizeof region_columns / sizeof *region_columns);
	int rc = load_totals(rules, repo, experiment, err);
	rc = rc ? rc : load_pair(rules, repo, experiment, err);
	rc = rc ? rc : repo_fill(repo, &t, err, by_region, "i", experiment);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++)
		add_region(rules, &by_name, table_cell(&t, i, 0));
	strmap_free(&by_name);
	table_release(&t);
	vec_sort(&rules->named, by_loss_then_length);
	exclude_names(rules, target);
	rules->reached = filter_rules_share(rules, rules->after) <= target;
	return rc;
}

void filter_rules_release(struct filter_rules *rules)
{
	for (size_t i = 0; i < rules->named.n; i++) {
		struct named_regions *named = &rules->named.at[i];
		free(named->name), free(named->type), free(named->place);
	}
	vec_free(&rules->named);
	free(rules->experiment);
}
