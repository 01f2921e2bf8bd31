/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling_values.c - see scaling_values.h. Owns the values; one thread. */
#include "answers/query/scaling_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/query/metric_values.h"
#include "answers/query/overhead.h"
#include "answers/query/region_choice.h"
#include "tables.h"

static bool is_wall_time(const char *metric)
{
	return strcmp(metric, "WTIME") == 0;
}

static bool is_without_probes(const char *metric)
{
	return strcmp(metric, "WTIME_WITHOUT_PROBES") == 0;
}

/* Converts a sum over the processing units to their mean. */
static double mean(double sum, const char *metric, const struct run *run)
{
	bool is_extreme = strcmp(metric, "MINT") == 0 || strcmp(metric, "MAXT") == 0;
	return is_extreme ? sum : sum / (double)run->p;
}

/* -- the program ------------------------------------------------------------------------------- */

/* Nested values are left out, because the value of a node further up includes them. */
static int load_requested(double *sum, struct repo *repo, const struct run *run, const char *metric,
			  struct err *err)
{
	static const struct column column = { "value", "", CELL_REAL };
	struct table t;
	table_init(&t, &column, 1);
	int rc = repo_fill(repo, &t, err,
			   "SELECT sum(iif(m.unit = 'ns', m.value / 1e9, 1.0 * m.value)) "
			   "FROM drg_node n "
			   "JOIN region_summary s ON s.drg_node = n.id "
			   "JOIN metric_value m ON m.region_summary = s.id "
			   "WHERE n.experiment = ? AND NOT m.nested AND upper(m.name) = upper(?)",
			   "it", run->id, metric);
	if (rc == 0)
		*sum = table_cell(&t, 0, 0)->kind == CELL_NULL ? NAN : table_cell(&t, 0, 0)->real;
	table_release(&t);
	return rc;
}

static int load_program(double *value, struct repo *repo, const struct run *run, const char *metric,
			const struct measures *m, struct err *err)
{
	enum sis_overhead overhead = sis_overhead_by_name(metric, strlen(metric));
	double sum = NAN;
	if (is_wall_time(metric))
		return *value = (double)run->t_p_ns / 1e9, 0;
	if (is_without_probes(metric)) {
		int64_t ns;
		int rc = t_p_without_probes(&ns, repo, run->id, run->t_p_ns, err);
		*value = rc || ns == COST_UNKNOWN ? NAN : (double)ns / 1e9;
		return rc;
	}
	if (overhead) {
		struct overheads o;
		if (overheads_load(&o, repo, run->id, 0, 0, err))
			return ERR_FAILED;
		*value = (double)o.ns[overhead] / 1e9;
		overheads_release(&o);
		return 0;
	}
	if (measure_is_requested(m, 0)) {
		if (load_requested(&sum, repo, run, metric, err))
			return ERR_FAILED;
	} else {
		for (size_t i = 0; i < m->row.n; i++)
			measures_add(m, &sum, m->row.at[i].value);
	}
	*value = mean(sum, metric, run);
	return 0;
}

/* -- regions ----------------------------------------------------------------------------------- */

/* For each region, the largest value of a processing unit. */
static double *load_longest(const struct measures *m, const struct region_times *times)
{
	struct map by_id = { 0 };
	double *value = mem_alloc(times->region.n + 1, sizeof *value);
	for (size_t i = 0; i < times->region.n; i++) {
		map_put(&by_id, (uint64_t)times->region.at[i].id, 0, (uint32_t)i, NULL);
		value[i] = NAN;
	}
	for (size_t i = 0; i < m->row.n; i++) {
		uint32_t at = map_get(&by_id, (uint64_t)m->row.at[i].item, 0);
		if (at != MAP_NONE)
			value[at] = fmax(value[at], m->row.at[i].value[0]);
	}
	map_free(&by_id);
	return value;
}

static double *load_regions(struct measures *m, const struct run *run, const char *metric,
			    const struct region_times *times)
{
	if (is_without_probes(metric))
		return load_longest(m, times);
	double *value = mem_alloc(times->region.n + 1, sizeof *value);
	measures_fold(m, NULL);
	for (size_t i = 0; i < times->region.n; i++) {
		const struct measure_row *row = measures_row(m, times->region.at[i].id, 0);
		value[i] = is_wall_time(metric) ? (double)times->region.at[i].wall_ns / 1e9 :
			row ? mean(row->value[0], metric, run) : NAN;
	}
	return value;
}

int scaling_values_load(struct scaling_values *values, struct repo *repo, const struct run *run,
			const char *metric, const struct region_times *times, struct err *err)
{
	struct measures m = { 0 };
	int rc = measure_variable(&m, metric, err) < 0 ? ERR_USAGE : 0;
	*values = (struct scaling_values){ .program = NAN };
	if (rc == 0 && !is_wall_time(metric)) { /* wall times are in `times` and in the run */
		/* The program's value of an overhead or of a requested metric is a sum of stored
		 * rows; the measures are not needed for it. */
		bool summed = measure_is_requested(&m, 0) ||
			sis_overhead_by_name(metric, strlen(metric)) || is_without_probes(metric);
		if (times || !summed)
			rc = measures_load(&m, repo, run->id, err);
	}
	rc = rc ? rc : load_program(&values->program, repo, run, metric, &m, err);
	if (rc == 0 && times)
		values->region = load_regions(&m, run, metric, times);
	measures_release(&m);
	return rc;
}

void scaling_values_release(struct scaling_values *values)
{
	free(values->region);
	values->region = NULL;
}

/* -- call paths -------------------------------------------------------------------------------- */

/* The outermost nodes of the chosen region or call path. A recursion is one call path, so its
 * nested nodes are below another node of the same call path. */
static const char outermost[] =
	"SELECT DISTINCT g.node FROM temp.chosen_node g "
	"JOIN temp.chosen c ON c.id = g.chosen "
	"JOIN drg_node n ON n.id = g.node "
	"WHERE n.region = c.region AND NOT n.nested";

struct adding { const struct measures *m; struct map pu; VEC(double) sum; struct map nodes; };

static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct adding *a = arg;
	(void)err;
	map_put(&a->nodes, (uint64_t)row[0].integer, 0, 0, NULL);
	return 0;
}

/* Adds up the values of the nodes for each processing unit. */
static void add_nodes(struct adding *a)
{
	for (size_t i = 0; i < a->m->row.n; i++) {
		bool fresh;
		const struct measure_row *row = &a->m->row.at[i];
		if (map_get(&a->nodes, (uint64_t)row->item, 0) == MAP_NONE)
			continue;
		uint32_t pu = map_put(&a->pu, (uint64_t)row->pu, 0, (uint32_t)a->sum.n, &fresh);
		if (fresh)
			*vec_push(&a->sum) = NAN;
		measures_add(a->m, &a->sum.at[pu], row->value);
	}
}

int scaling_value_of(double *value, struct repo *repo, const struct run *run, const char *metric,
		     const char *name, struct err *err)
{
	struct region_choice choice;
	struct measures m = { .by_node = true };
	struct adding a = { .m = &m };
	*value = NAN;
	if (region_choice_try(&choice, repo, run->id, name, REGION_EXCLUSIVE, err))
		return ERR_FAILED;
	if (!choice.n)
		return 0;
	int rc = measure_variable(&m, metric, err) < 0 ? ERR_USAGE : 0;
	rc = rc ? rc : measures_load(&m, repo, run->id, err);
	rc = rc ? rc : repo_each(repo, take_node, &a, err, outermost, "");
	if (rc == 0) {
		/* A time is the largest of a processing unit. */
		bool is_time = is_wall_time(metric) || is_without_probes(metric);
		double all = NAN, most = NAN;
		add_nodes(&a);
		for (size_t u = 0; u < a.sum.n; u++) {
			measures_add(&m, &all, &a.sum.at[u]);
			most = isnan(most) || a.sum.at[u] > most ? a.sum.at[u] : most;
		}
		*value = is_time ? most : mean(all, metric, run);
	}
	map_free(&a.pu), map_free(&a.nodes), vec_free(&a.sum);
	measures_release(&m);
	return rc;
}

bool scaling_metric_is_time(const char *metric)
{
	struct measures m = { 0 };
	struct err unused = { .text = "" };
	bool is_time = measure_variable(&m, metric, &unused) >= 0 && measure_is_time(&m, 0);
	measures_release(&m);
	return is_time;
}
