/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead.c - loads the overhead tree of an experiment. One thread. */
#include "answers/query/overhead.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/escape.h"
#include "repository/database/pu_leaves.h"
#include "experiment/model/experiment.h"

static const struct column head_columns[] = {
	{ "name", "", CELL_TEXT },	  { "application", "", CELL_TEXT },
	{ "p", "", CELL_INTEGER },	  { "t_p", "", CELL_INTEGER },
	{ "useful", "", CELL_INTEGER },	  { "identity", "", CELL_INTEGER },
	{ "complete", "", CELL_INTEGER },
};

static int64_t per_pu(int64_t ns, int64_t p)
{
	return clamp_add(ns, (ns < 0 ? -p : p) / 2) / p;
}

static int load_head(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, head_columns, sizeof head_columns / sizeof *head_columns);
	int rc = repo_fill(
		repo, &t, err,
		"SELECT s.name, s.application, s.p, s.t_p_ns, s.useful_ns, e.identity_error_ns, "
		"e.complete "
		"FROM experiment_sum s "
		"JOIN experiment e ON e.id = s.id "
		"WHERE s.id = ?",
		"i", id);
	if (rc == 0 &&
	    (table_rows(&t) != 1 || t.cell.at[0].kind != CELL_TEXT ||
	     t.cell.at[1].kind != CELL_TEXT || t.cell.at[2].integer < 1)) {
		rc = err_fail(err, "experiment %lld has no processing units, or no name, in the "
			      "repository: damaged; import it again into a new one with --db",
			      (long long)id);
	} else if (rc == 0) {
		o->name = mem_string(t.cell.at[0].text);
		o->program = mem_string(t.cell.at[1].text);
		o->p = o->units = t.cell.at[2].integer;
		o->t_p = t.cell.at[3].integer;
		o->useful = per_pu(t.cell.at[4].integer, o->p);
		o->identity_error = t.cell.at[5].integer;
		o->complete = t.cell.at[6].integer;
	}
	table_release(&t);
	return rc;
}

static const struct column node_columns[] = { { "overhead", "", CELL_TEXT },
					      { "ns", "", CELL_INTEGER } };

#define NODES(units) \
	"SELECT a.name, sum((l.ns + ?2 / 2) / ?2) " \
	"FROM (SELECT leaf, sum(ns) AS ns FROM temp.pu_leaf WHERE experiment = ?1" units \
	" GROUP BY leaf) l " \
	"JOIN overhead_ancestor a ON a.leaf = l.leaf " \
	"GROUP BY a.name"

#define CHOSEN " AND pu IN (SELECT pu FROM temp.chosen_pu)"

static int load_nodes(struct overheads *o, struct repo *repo, int64_t id, const char *sql,
		      struct err *err)
{
	struct table t;
	table_init(&t, node_columns, 2);
	int rc = pu_leaves_load(repo, id, err);
	rc = rc ? rc : repo_fill(repo, &t, err, sql, "ii", id, o->units);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *name = table_cell(&t, i, 0)->text;
		o->ns[sis_overhead_by_name(name, strlen(name))] = table_cell(&t, i, 1)->integer;
	}
	o->t_i = o->ns[OTOTAL];
	table_release(&t);
	return rc;
}

static const struct column warning_columns[] = { { "text", "", CELL_TEXT },
						 { "uncounted_lack", "", CELL_INTEGER },
						 { "lack", "", CELL_INTEGER } };

static int load_warnings(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, warning_columns, 3);
	int rc = repo_fill(repo, &t, err,
			   "SELECT text, kind = ?1, kind = ?3 FROM warning "
			   "WHERE experiment = ?2 ORDER BY rowid", "tit",
			   warning_kind_names[WARNING_PROCESSOR], id,
			   warning_kind_names[WARNING_LACK]);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *text = table_cell(&t, i, 0)->text;
		o->uncounted_lack |= table_cell(&t, i, 1)->integer != 0;
		if (table_cell(&t, i, 2)->integer) {
			free(o->lack);
			o->lack = mem_string(text);
			continue;
		}
		*vec_push(&o->warning) = mem_string(text);
	}
	table_release(&t);
	return rc;
}

int overheads_load_counted(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, node_columns, 1);
	int rc = repo_fill(
		repo, &t, err,
		"SELECT DISTINCT m.name "
		"FROM drg_node n "
		"JOIN region_summary s ON s.drg_node = n.id "
		"JOIN metric m ON m.region_summary = s.id "
		"WHERE n.experiment = ? AND m.value IS NOT NULL",
		"i", id);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *name = table_cell(&t, i, 0)->text;
		o->counted[sis_metric_by_name(name, strlen(name))] = true;
	}
	table_release(&t);
	return rc;
}

/* Adds time to a leaf and to all nodes above it. */
static void add_to_leaf(struct overheads *o, enum sis_overhead leaf, int64_t ns)
{
	for (enum sis_overhead n = leaf; n != O_NONE; n = sis_overhead_table[n].parent)
		o->ns[n] = clamp_add(o->ns[n], ns);
}

/* Adds the values that need T_s: the useful work that exceeds the useful work of the sequential
 * run, and the part of the total overhead that no leaf explains. */
static void compare_with_sequential(struct overheads *o)
{
	int64_t sum[SIS_OVERHEADS] = { 0 };
	o->has_t_s = true;
	o->t_s = o->ref.t_s_ns;
	for (size_t i = 0; i < o->ref.part.n; i++) {
		const struct reference_part *part = &o->ref.part.at[i];
		sum[part->leaf] = clamp_add(sum[part->leaf], part->ns);
	}
	for (int leaf = 1; leaf < SIS_OVERHEADS; leaf++)
		if (leaf != OUNID)
			add_to_leaf(o, leaf, per_pu(sum[leaf], o->p));
	o->t_i = o->ns[OTOTAL];
	o->t_o = clamp_subtract(overheads_measured(o), per_pu(o->t_s, o->p));
	o->t_u = clamp_subtract(o->t_o, o->t_i);
	add_to_leaf(o, OUNID, o->t_u);
}

/* T_s is the sequential run's T_p less the lack of processors and the time that was not measured.
 * All probes of that run are in T_s. */
static int load_without_probes(struct overheads *o, struct repo *repo, int64_t experiment,
			       struct err *err)
{
	o->t_s_without = COST_UNKNOWN;
	int rc = t_p_without_probes(&o->t_p_without, repo, experiment, o->t_p, err);
	if (rc == 0 && o->ref.seq)
		rc = t_p_without_probes(&o->t_s_without, repo, o->ref.seq, o->ref.t_s_ns, err);
	return rc;
}

int overheads_load(struct overheads *o, struct repo *repo, int64_t experiment, int64_t seq,
		   int64_t par1, struct err *err)
{
	*o = (struct overheads){ 0 };
	if (load_head(o, repo, experiment, err) ||
	    load_nodes(o, repo, experiment, NODES(""), err) ||
	    load_warnings(o, repo, experiment, err) ||
	    references_load(&o->ref, repo, experiment, seq, par1, err) ||
	    load_without_probes(o, repo, experiment, err)) {
		overheads_release(o);
		return ERR_FAILED;
	}
	if (o->ref.seq)
		compare_with_sequential(o);
	return 0;
}

/* Loads the useful work of the chosen processing units, and their number. */
static int load_chosen(struct overheads *o, struct repo *repo, struct err *err)
{
	static const char chosen[] =
		"FROM processing_unit WHERE id IN (SELECT pu FROM temp.chosen_pu)";
	char useful[128], units[128];
	snprintf(useful, sizeof useful, "SELECT sum(useful_ns) %s", chosen);
	snprintf(units, sizeof units, "SELECT count(*) %s", chosen);
	if (repo_number(repo, &o->units, err, units, "") < 0 ||
	    repo_number(repo, &o->useful, err, useful, "") < 0)
		return ERR_FAILED;
	o->useful = per_pu(o->useful, o->units);
	return 0;
}

int overheads_load_chosen(struct overheads *o, struct repo *repo, int64_t experiment,
			  struct err *err)
{
	*o = (struct overheads){ .chosen = true };
	if (load_head(o, repo, experiment, err) || load_chosen(o, repo, err) ||
	    load_without_probes(o, repo, experiment, err) ||
	    load_nodes(o, repo, experiment, NODES(CHOSEN), err) ||
	    load_warnings(o, repo, experiment, err)) {
		overheads_release(o);
		return ERR_FAILED;
	}
	return 0;
}

int overheads_load_interval(struct overheads *o, struct repo *repo, int64_t experiment,
			    const struct interval_overheads *interval, struct err *err)
{
	*o = (struct overheads){ .of_interval = true };
	if (load_head(o, repo, experiment, err) || load_chosen(o, repo, err) ||
	    load_nodes(o, repo, experiment, NODES(CHOSEN), err) ||
	    load_warnings(o, repo, experiment, err)) {
		overheads_release(o);
		return ERR_FAILED;
	}
	o->t_p = interval->to_ns - interval->from_ns;
	o->t_p_without = o->t_s_without = COST_UNKNOWN;
	o->useful = per_pu(interval->useful_ns, o->units);
	o->identity_error = interval->identity_error;
	return 0;
}

void overheads_show_imbalance(struct overheads *o)
{
	for (int leaf = 1; leaf < SIS_OVERHEADS; leaf++) {
		int64_t ns = sis_overhead_is(leaf, IS_UNEVEN) ? o->ns[leaf] : 0;
		add_to_leaf(o, leaf, clamp_subtract(0, ns));
		add_to_leaf(o, OLOSS_IMB, ns);
	}
}

/* -- why a leaf has no value ------------------------------------------------------------------- */

static const struct {
	enum sis_overhead leaf;
	enum sis_metric unless;
	const char *reason;
} unmeasured[] = {
	{ ODATA_L1, M_L1_DCM,
	  "needs the counter L1_DCM: build with --sis-pmetric=ODATA_L1, on a machine that has the "
	  "counter" },
	{ ODATA_L2, M_L2_TCM,
	  "needs the counter L2_TCM: build with --sis-pmetric=ODATA_L2, on a machine that has the "
	  "counter" },
	{ ODATA_L3, M_L3_TCM,
	  "needs the counter L3_TCM: build with --sis-pmetric=ODATA_L3, on a machine that has the "
	  "counter" },
	{ ODATA_TLB, M_TLB_DM,
	  "needs the counter TLB_DM: build with --sis-pmetric=ODATA_TLB, on a machine that has the "
	  "counter" },
	{ ODATA_PGFLT, M_MINFLT,
	  "needs the count of page faults: build with --sis-pmetric=ODATA_PGFLT, or run with "
	  "SIS_PMETRIC=MINFLT" },
};

const char *overheads_reason(const struct overheads *o, enum sis_overhead leaf)
{
	bool compared = sis_overhead_is(leaf, IS_COMPARED);
	if (leaf == OLOSS_IMB)
		return o->ns[OLOSS_IMB] ?
			NULL :
			"waits for uneven work are in OSYNC; --imbalance shows them here";
	if (leaf == OLOSS_NOCPU && o->uncounted_lack)
		return "needs the kernel's count: /proc/thread-self/schedstat";
	if (o->chosen && compared)
		return "is known of all processing units together: leave out --pu";
	if (o->of_interval && compared)
		return "is known of the whole run: leave out --from and --to";
	if (compared && !o->has_t_s)
		return "needs a sequential run: import one with --role seq, or name one with --seq";
	if ((leaf == OADD_ALGO || leaf == OADD_COMP) && !o->ref.par1 && o->ref.seq && o->p > 1)
		return
			"needs the parallel version on one processing unit: import a run of it "
			"with --role par1";
	for (size_t i = 0; i < sizeof unmeasured / sizeof *unmeasured; i++)
		if (unmeasured[i].leaf == leaf)
			return o->counted[unmeasured[i].unless] ? NULL : unmeasured[i].reason;
	return NULL;
}

void overheads_release(struct overheads *o)
{
	references_release(&o->ref);
	for (size_t i = 0; i < o->warning.n; i++)
		free(o->warning.at[i]);
	free(o->lack);
	vec_free(&o->warning);
	free(o->name);
	free(o->program);
	*o = (struct overheads){ 0 };
}

/* -- warnings ---------------------------------------------------------------------------------- */

void overheads_print_warnings(const struct overheads *o, FILE *out)
{
	if (o->warning.n)
		putc('\n', out);
	for (size_t i = 0; i < o->warning.n; i++)
		escape_line(out, "warning: %s", o->warning.at[i]);
}
