/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_values.c - loads values of metrics. Owns the values; one thread. Stored rows are read
 * once, in the order of the table, and are added up here by item and processing unit, for all
 * variables at once. With GROUP BY, the database would sort a million rows for each variable. */
#include "answers/query/metric_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables.h"
#include "base/sort.h"
#include "answers/query/probe_costs.h"
#include "repository/database/pu_leaves.h"

enum kind { KIND_SUM, KIND_MIN, KIND_MAX, KIND_SAME };

/* The columns of `summaries`: item and unit, then values of variables. */
enum { ITEM, UNIT, WTIME, CALLS, SUBS, MINT, MAXT, EXCL, USEFUL, UNITS, T_P };
/* what is subtracted from a variable: nothing, or a cost of probes (probe_costs.h) */
enum less { LESS_NOTHING, LESS_ALL, LESS_OWN, LESS_PATH };
static const struct core {
	const char *name;
	enum kind kind;
	int column;
	double unit;
	enum less less;
} core[] = {
	{ "WTIME", KIND_SUM, WTIME, 1e9, LESS_NOTHING },
	{ "CALLS", KIND_SUM, CALLS, 1, LESS_NOTHING },
	{ "SUBS", KIND_SUM, SUBS, 1, LESS_NOTHING },
	{ "MINT", KIND_MIN, MINT, 1e9, LESS_NOTHING },
	{ "MAXT", KIND_MAX, MAXT, 1e9, LESS_NOTHING },
	{ "EXCL", KIND_SUM, EXCL, 1e9, LESS_NOTHING },
	{ "USEFUL", KIND_SUM, USEFUL, 1e9, LESS_NOTHING },
	{ "P", KIND_SAME, UNITS, 1, LESS_NOTHING },
	{ "T_P", KIND_SAME, T_P, 1e9, LESS_NOTHING },
	{ "WTIME_WITHOUT_PROBES", KIND_SUM, WTIME, 1e9, LESS_ALL },
	{ "EXCL_WITHOUT_PROBES", KIND_SUM, EXCL, 1e9, LESS_OWN },
	{ "T_P_WITHOUT_PROBES", KIND_SAME, T_P, 1e9, LESS_PATH },
};
enum { CORES = sizeof core / sizeof *core };

/* Statements by region, and by node. The time of a nested activation is left out, because the outer
 * activation includes it. */
#define SUMMARIES(item, incl) \
	"SELECT " item ", s.pu, " incl ", s.calls, s.subs, s.min_ns, s.max_ns, " \
	"s.excl_ns, s.useful_ns, e.p, e.t_p_ns " \
	"FROM experiment e " \
	"JOIN drg_node n ON n.experiment = e.id " \
	"JOIN region_summary s ON s.drg_node = n.id " \
	"WHERE e.id = ?1"
static const char *const summaries[] = { SUMMARIES("n.region", "iif(n.nested, 0, s.incl_ns)"),
					 SUMMARIES("n.id", "s.incl_ns") };

#define METRICS(item, which) \
	"SELECT " item ", s.pu, m.name, iif(m.unit = 'ns', m.value / 1e9, 1.0 * m.value) " \
	"FROM drg_node n " \
	"JOIN region_summary s ON s.drg_node = n.id " \
	"JOIN metric_value m ON m.region_summary = s.id " \
	"WHERE n.experiment = ?1" which
static const char *const metrics[] = { METRICS("n.region", " AND NOT n.nested"),
				       METRICS("n.id", "") };

/* The regions or nodes on the path from the root to a node, including the node's own. A region that
 * is on the path twice is returned once (UNION). */
#define AROUND(item) \
	"WITH RECURSIVE below(item, node) AS ( SELECT " item ", id FROM drg_node " \
	"WHERE experiment = ?1 UNION SELECT b.item, n.id FROM below b " \
	"JOIN drg_node n ON n.parent = b.node) " \
	"SELECT node, item " \
	"FROM below " \
	"ORDER BY node"
static const char *const around[] = { AROUND("region"), AROUND("id") };
static const char overheads[] =
	"SELECT o.drg_node, o.pu, o.leaf, o.ns "
	"FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id "
	"WHERE n.experiment = ?1";

static const struct core *find_core(const char *name)
{
	for (int i = 0; i < CORES; i++)
		if (strcasecmp(core[i].name, name) == 0)
			return &core[i];
	return NULL;
}

/* -- names ------------------------------------------------------------------------------------- */

static const char *canonical(const char *name)
{
	const struct core *c = find_core(name);
	enum sis_metric metric = sis_metric_by_name(name, strlen(name));
	enum sis_overhead overhead = sis_overhead_by_name(name, strlen(name));
	if (c)
		return c->name;
	if (metric)
		return sis_metric_table[metric].name;
	if (overhead)
		return sis_overhead_table[overhead].name;
	return strncasecmp(name, "PAPI(", 5) == 0 ? name : NULL;
}

int64_t measure_variable(void *measures, const char *name, struct err *err)
{
	struct measures *m = measures;
	const char *known = canonical(name);
	if (!known) {
		const char *near = sis_metric_suggest(name, strlen(name));
		return err_usage(err, "unknown metric '%s'%s%s; `sis-analyze help ratio` and `sisc "
				 "--sis-list` name them", name, near ? "; did you mean " : "",
				 near ? near : "");
	}
	for (size_t i = 0; i < m->variable.n; i++)
		if (strcmp(m->variable.at[i], known) == 0)
			return i;
	*vec_push(&m->variable) = mem_string(known);
	return m->variable.n - 1;
}

int measures_add_recorded(struct measures *m, struct repo *repo, int64_t experiment,
			  struct err *err)
{
	static const struct column name = { "name", "", CELL_TEXT };
	struct table t;
	table_init(&t, &name, 1);
	int rc = repo_fill(repo, &t, err,
			   "SELECT DISTINCT m.name "
			   "FROM drg_node n "
			   "JOIN region_summary s ON s.drg_node = n.id "
			   "JOIN metric m ON m.region_summary = s.id "
			   "WHERE n.experiment = ? "
			   "ORDER BY m.name",
			   "i", experiment);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *text = table_cell(&t, i, 0)->text;
		if (canonical(text) &&
		    !sis_metric_table[sis_metric_by_name(text, strlen(text))].is_default)
			measure_variable(m, text, err);
	}
	table_release(&t);
	return rc;
}

bool measure_is_requested(const struct measures *m, size_t variable)
{
	const char *name = m->variable.at[variable];
	return !find_core(name) && !sis_overhead_by_name(name, strlen(name));
}

bool measure_is_time(const struct measures *m, size_t variable)
{
	const char *name = m->variable.at[variable];
	const struct core *c = find_core(name);
	enum sis_metric metric = sis_metric_by_name(name, strlen(name));
	if (c)
		return c->unit > 1;
	return metric ? sis_metric_table[metric].unit == SIS_UNIT_NS :
			sis_overhead_by_name(name, strlen(name)) != O_NONE;
}

/* -- values ------------------------------------------------------------------------------------ */

static struct measure_row *row_at(struct measures *m, int64_t item, int64_t pu)
{
	bool fresh;
	uint32_t i = map_put(&m->by_item_and_pu, (uint64_t)item, (uint64_t)pu, (uint32_t)m->row.n,
			     &fresh);
	if (fresh) {
		double *value = mem_alloc(m->variable.n + 1, sizeof *value);
		for (size_t v = 0; v < m->variable.n; v++)
			value[v] = NAN;
		*vec_push(&m->row) = (struct measure_row){ item, pu, value, false };
	}
	return &m->row.at[i];
}

static double combine(enum kind kind, double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	switch (kind) {
	case KIND_SUM: return a + b;
	case KIND_MIN: return a < b ? a : b;
	case KIND_MAX: return a > b ? a : b;
	default: return a;
	}
}

struct around { int64_t node, item; }; /* a row of AROUND */
struct loading { /* the state while rows are added */
	struct measures *m;
	const struct core **core;     /* for each variable; NULL: not a column of a summary */
	enum sis_overhead *overhead;  /* for each variable; O_NONE: not an overhead */
	/* for each overhead and variable: whether the overhead is part of the variable */
	bool *counts;
	struct strmap names;          /* names of overheads */
	VEC(struct around) around;    /* ordered by node */
};

static int take_summary(void *arg, const struct cell *row, struct err *err)
{
	struct loading *l = arg;
	double *value = row_at(l->m, row[ITEM].integer, row[UNIT].integer)->value;
	(void)err;
	for (size_t v = 0; v < l->m->variable.n; v++)
		if (l->core[v] && row[l->core[v]->column].kind != CELL_NULL)
			value[v] = combine(l->core[v]->kind, value[v],
					   (double)row[l->core[v]->column].integer);
	return 0;
}

static int take_metric(void *arg, const struct cell *row, struct err *err)
{
	struct loading *l = arg;
	struct measure_row *at = row_at(l->m, row[ITEM].integer, row[UNIT].integer);
	(void)err;
	for (size_t v = 0; v < l->m->variable.n; v++) {
		if (l->core[v] || l->overhead[v] || !row[2].text ||
		    strcasecmp(l->m->variable.at[v], row[2].text) != 0)
			continue;
		at->measured = true;
		if (row[3].kind != CELL_NULL)
			at->value[v] = combine(KIND_SUM, at->value[v], row[3].real);
	}
	return 0;
}

static int take_around(void *arg, const struct cell *row, struct err *err)
{
	struct loading *l = arg;
	(void)err;
	*vec_push(&l->around) = (struct around){ row[0].integer, row[1].integer };
	return 0;
}

static int take_overhead(void *arg, const struct cell *row, struct err *err)
{
	struct loading *l = arg;
	size_t n = l->m->variable.n;
	const bool *counts = l->counts + overhead_named(&l->names, row[2].text) * n;
	size_t first = search_first(i, 0, l->around.n, l->around.at[i].node < row[0].integer);
	(void)err;
	for (size_t i = first; i < l->around.n && l->around.at[i].node == row[0].integer; i++) {
		double *value = row_at(l->m, l->around.at[i].item, row[1].integer)->value;
		for (size_t v = 0; v < n; v++)
			if (counts[v])
				value[v] = combine(KIND_SUM, value[v], (double)row[3].integer);
	}
	return 0;
}

static void take_less(struct measure_row *row, size_t v, double ns)
{
	double *value = &row->value[v]; /* NaN is not changed */
	*value = *value < ns ? 0 : *value - ns;
}

/* Subtracts the cost of probes from the variables without probes, if there are any. */
static int take_probes(struct loading *l, struct repo *repo, int64_t experiment, struct err *err)
{
	struct probe_costs costs = { .by_region = !l->m->by_node };
	int64_t path_ns;
	bool some = false;
	for (size_t v = 0; v < l->m->variable.n; v++)
		some |= l->core[v] && l->core[v]->less != LESS_NOTHING;
	if (!some)
		return 0;
	int rc = probe_costs_load(&costs, repo, experiment, err);
	rc = rc ? rc : probe_costs_of_t_p(&path_ns, repo, experiment, err);
	for (size_t i = 0; rc == 0 && i < costs.cost.n; i++) {
		const struct probe_cost *cost = &costs.cost.at[i];
		struct measure_row *row = row_at(l->m, cost->item, cost->pu);
		for (size_t v = 0; v < l->m->variable.n; v++) {
			enum less less = l->core[v] ? l->core[v]->less : LESS_NOTHING;
			if (less == LESS_ALL || less == LESS_OWN)
				take_less(row, v, (double)(less == LESS_ALL ? cost->all_ns :
									      cost->own_ns));
		}
	}
	for (size_t i = 0; rc == 0 && i < l->m->row.n; i++)
		for (size_t v = 0; v < l->m->variable.n; v++)
			if (l->core[v] && l->core[v]->less == LESS_PATH)
				take_less(&l->m->row.at[i], v,
					  path_ns == COST_UNKNOWN ? NAN : (double)path_ns);
	probe_costs_release(&costs);
	return rc;
}

/* Finds what each variable is: a column of a summary, an overhead or a metric. Also finds whether
 * there are any metrics, and any overheads. */
static void sort_out(struct loading *l, bool *some_metric, bool *some_overhead)
{
	size_t n = l->m->variable.n;
	for (size_t v = 0; v < n; v++) {
		const char *name = l->m->variable.at[v];
		l->core[v] = find_core(name);
		l->overhead[v] = l->core[v] ? O_NONE : sis_overhead_by_name(name, strlen(name));
		*some_overhead |= l->overhead[v] != O_NONE;
		*some_metric |= !l->core[v] && !l->overhead[v];
		for (enum sis_overhead leaf = O_NONE + 1; l->overhead[v] && leaf < SIS_OVERHEADS;
		     leaf++)
			for (enum sis_overhead o = leaf; o != O_NONE;
			     o = sis_overhead_table[o].parent)
				l->counts[leaf * n + v] |= o == l->overhead[v];
	}
}

int measures_load(struct measures *m, struct repo *repo, int64_t experiment, struct err *err)
{
	size_t n = m->variable.n;
	struct loading l = { .m = m,
			     .core = mem_alloc(n, sizeof *l.core),
			     .overhead = mem_alloc(n, sizeof *l.overhead),
			     .counts = mem_alloc(SIS_OVERHEADS * n, 1),
			     .names = overhead_names() };
	bool some_metric = false, some_overhead = false;
	sort_out(&l, &some_metric, &some_overhead);
	const struct { bool needed; repo_take *take; const char *sql; } step[] = {
		{ true, take_summary, summaries[m->by_node] },
		{ some_metric, take_metric, metrics[m->by_node] },
		{ some_overhead, take_around, around[m->by_node] },
		{ some_overhead, take_overhead, overheads },
	};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof step / sizeof *step; i++)
		if (step[i].needed)
			rc = repo_each(repo, step[i].take, &l, err, step[i].sql, "i", experiment);
	rc = rc ? rc : take_probes(&l, repo, experiment, err);
	/* Converts nanoseconds to seconds. An overhead without time is 0. */
	for (size_t i = 0; i < m->row.n; i++)
		for (size_t v = 0; v < n; v++) {
			double *value = &m->row.at[i].value[v];
			if (l.core[v])
				*value /= l.core[v]->unit;
			else if (l.overhead[v])
				*value = isnan(*value) ? 0 : *value / 1e9;
		}
	strmap_free(&l.names);
	vec_free(&l.around);
	free(l.core), free(l.overhead), free(l.counts);
	return rc;
}

void measures_add(const struct measures *m, double *sum, const double *row)
{
	for (size_t v = 0; v < m->variable.n; v++) {
		const struct core *c = find_core(m->variable.at[v]);
		sum[v] = combine(c ? c->kind : KIND_SUM, sum[v], row[v]);
	}
}

const struct measure_row *measures_row(const struct measures *m, int64_t item, int64_t pu)
{
	uint32_t i = map_get(&m->by_item_and_pu, (uint64_t)item, (uint64_t)pu);
	return i == MAP_NONE ? NULL : &m->row.at[i];
}

void measures_fold(struct measures *m, const struct map *pus)
{
	struct measures folded = { .variable = m->variable };
	for (size_t i = 0; i < m->row.n; i++) {
		const struct measure_row *from = &m->row.at[i];
		if (!pus || map_get(pus, (uint64_t)from->pu, 0) != MAP_NONE) {
			struct measure_row *to = row_at(&folded, from->item, 0);
			measures_add(m, to->value, from->value);
			to->measured |= from->measured;
		}
		free(from->value);
	}
	vec_free(&m->row), map_free(&m->by_item_and_pu);
	m->row = folded.row;
	m->by_item_and_pu = folded.by_item_and_pu;
}

bool measures_has(const struct measures *m, size_t variable)
{
	for (size_t i = 0; i < m->row.n; i++)
		if (!isnan(m->row.at[i].value[variable]))
			return true;
	return false;
}

void measures_release(struct measures *m)
{
	for (size_t i = 0; i < m->row.n; i++)
		free(m->row.at[i].value);
	for (size_t i = 0; i < m->variable.n; i++)
		free(m->variable.at[i]);
	vec_free(&m->row);
	vec_free(&m->variable);
	map_free(&m->by_item_and_pu);
}
