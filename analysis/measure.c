/* measure.c - owns the values; one thread. The idea: each variable is one query that gives a value for each
 * region and unit, inclusive of what the region calls; which query, the kind of the name says. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tables.h"

/* Every statement has ?1 experiment, ?2 name if it needs one, and gives region, unit, value. */
#define SUMMARIES(value) \
	"SELECT n.region, s.pu, " value " FROM drg_node n JOIN region_summary s ON s.drg_node = n.id " \
	"WHERE n.experiment = ?1 GROUP BY n.region, s.pu"
/* The same for every region and unit. */
#define CONSTANT(value) \
	"SELECT DISTINCT n.region, s.pu, " value " FROM drg_node n JOIN region_summary s ON s.drg_node = n.id " \
	"JOIN experiment e ON e.id = n.experiment WHERE n.experiment = ?1"

enum kind { KIND_SUM, KIND_MIN, KIND_MAX, KIND_SAME };

static const struct core { const char *name; enum kind kind; const char *sql; } core[] = {
	{ "WTIME", KIND_SUM, SUMMARIES("sum(CASE WHEN n.nested THEN 0 ELSE s.incl_ns END) / 1e9") },
	{ "CALLS", KIND_SUM, SUMMARIES("sum(s.calls)") },
	{ "SUBS", KIND_SUM, SUMMARIES("sum(s.subs)") },
	{ "MINT", KIND_MIN, SUMMARIES("min(s.min_ns) / 1e9") },
	{ "MAXT", KIND_MAX, SUMMARIES("max(s.max_ns) / 1e9") },
	{ "EXCL", KIND_SUM, SUMMARIES("sum(s.excl_ns) / 1e9") },
	{ "USEFUL", KIND_SUM, SUMMARIES("sum(s.useful_ns) / 1e9") },
	{ "P", KIND_SAME, CONSTANT("e.p") },
	{ "T_P", KIND_SAME, CONSTANT("e.t_p_ns / 1e9") },
};
enum { CORES = sizeof core / sizeof *core };

static const char metrics[] =
	"SELECT n.region, s.pu, sum(CASE WHEN n.nested THEN NULL WHEN m.unit = 'ns' THEN m.value / 1e9 ELSE m.value END) "
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"JOIN metric_value m ON m.region_summary = s.id AND m.name = ?2 COLLATE NOCASE "
	"WHERE n.experiment = ?1 GROUP BY n.region, s.pu";

/* Overheads in a region and in what it calls; a node below two of its nodes counts once (UNION). Where there is
 * none of it there is 0, which the second part gives. */
static const char overheads[] =
	"WITH RECURSIVE below(region, node) AS ("
	" SELECT region, id FROM drg_node WHERE experiment = ?1"
	" UNION SELECT b.region, n.id FROM below b JOIN drg_node n ON n.parent = b.node) "
	"SELECT region, pu, sum(ns) / 1e9 FROM ("
	" SELECT b.region, o.pu, o.ns FROM below b JOIN overhead o ON o.drg_node = b.node "
	"  JOIN overhead_ancestor a ON a.leaf = o.leaf AND a.name = ?2"
	" UNION ALL SELECT n.region, s.pu, 0 FROM drg_node n JOIN region_summary s ON s.drg_node = n.id"
	"  WHERE n.experiment = ?1) GROUP BY region, pu";

static const struct core *find_core(const char *name)
{
	for (int i = 0; i < CORES; i++)
		if (strcasecmp(core[i].name, name) == 0)
			return &core[i];
	return NULL;
}

/* -- names ----------------------------------------------------------------------------------------------- */

static const char *canonical(const char *name)
{
	const struct core *c = find_core(name);
	enum sis_metric metric = sis_metric_by_name(name, strlen(name));
	enum sis_overhead overhead = sis_overhead_by_name(name, strlen(name));
	return c ? c->name : metric ? sis_metric_table[metric].name : overhead ? sis_overhead_table[overhead].name :
		strncasecmp(name, "PAPI(", 5) == 0 ? name : NULL;
}

int64_t measure_variable(void *measures, const char *name, struct err *err)
{
	struct measures *m = measures;
	const char *known = canonical(name);
	if (!known) {
		const char *near = sis_metric_suggest(name, strlen(name));
		return err_usage(err, "unknown metric '%s'%s%s; `sis-analyze help ratio` and `sisc --sis-list` name them", name,
				 near ? "; did you mean " : "", near ? near : "");
	}
	for (size_t i = 0; i < m->variable.n; i++)
		if (strcmp(m->variable.at[i], known) == 0)
			return i;
	*vec_push(&m->variable) = mem_string(known);
	return m->variable.n - 1;
}

/* -- values ---------------------------------------------------------------------------------------------- */

static double *values_at(struct measures *m, int64_t region, int64_t pu)
{
	bool fresh;
	uint32_t i = map_put(&m->by_place, region, pu, m->row.n, &fresh);
	if (fresh) {
		double *value = mem_alloc(m->variable.n, sizeof *value);
		for (size_t v = 0; v < m->variable.n; v++)
			value[v] = NAN;
		*vec_push(&m->row) = (struct measure_row){ region, pu, value };
	}
	return m->row.at[i].value;
}

static int load(struct measures *m, size_t variable, struct repo *repo, int64_t experiment, struct err *err)
{
	static const struct column columns[] = { { "region", "", CELL_INTEGER }, { "pu", "", CELL_INTEGER }, { "v", "", CELL_REAL } };
	const char *name = m->variable.at[variable];
	const struct core *c = find_core(name);
	struct table t;
	table_init(&t, columns, 3);
	int rc = repo_fill(repo, &t, err, c ? c->sql : sis_overhead_by_name(name, strlen(name)) ? overheads : metrics,
			   c ? "i" : "it", experiment, name);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const struct cell *cell = table_cell(&t, i, 2);
		double *value = values_at(m, table_cell(&t, i, 0)->integer, table_cell(&t, i, 1)->integer);
		value[variable] = cell->kind == CELL_NULL ? NAN : cell->kind == CELL_REAL ? cell->real : (double)cell->integer;
	}
	table_release(&t);
	return rc;
}

int measures_load(struct measures *m, struct repo *repo, int64_t experiment, struct err *err)
{
	for (size_t v = 0; v < m->variable.n; v++)
		if (load(m, v, repo, experiment, err))
			return ERR_FAILED;
	return 0;
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

void measures_add(const struct measures *m, double *sum, const double *row)
{
	for (size_t v = 0; v < m->variable.n; v++) {
		const struct core *c = find_core(m->variable.at[v]);
		sum[v] = combine(c ? c->kind : KIND_SUM, sum[v], row[v]);
	}
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
	map_free(&m->by_place);
}
