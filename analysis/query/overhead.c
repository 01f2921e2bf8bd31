/* SPDX-License-Identifier: BSD-3-Clause */
/* overhead.c - loads and draws the overhead tree of an experiment. One thread. */
#include "query/overhead.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/escape.h"
#include "base/terminal.h"
#include "repository/pu_leaves.h"
#include "model/experiment.h"

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
		o->p = t.cell.at[2].integer;
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

static int load_nodes(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, node_columns, 2);
	int rc = pu_leaves_load(repo, id, err);
	if (rc == 0)
		rc = repo_fill(
			repo, &t, err,
			"SELECT a.name, sum((l.ns + ?2 / 2) / ?2) "
			"FROM (SELECT leaf, sum(ns) AS ns FROM temp.pu_leaf WHERE experiment = ?1 "
			"GROUP BY leaf) l "
			"JOIN overhead_ancestor a ON a.leaf = l.leaf "
			"GROUP BY a.name",
			"ii", id, o->p);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *name = table_cell(&t, i, 0)->text;
		o->ns[sis_overhead_by_name(name, strlen(name))] = table_cell(&t, i, 1)->integer;
	}
	table_release(&t);
	return rc;
}

static const struct column warning_columns[] = { { "text", "", CELL_TEXT },
						 { "hint", "", CELL_INTEGER },
						 { "uncounted_lack", "", CELL_INTEGER } };

static int load_warnings(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, warning_columns, 3);
	int rc = repo_fill(repo, &t, err,
			   "SELECT text, kind = ?1, kind = ?2 FROM warning WHERE experiment = ?3 "
			   "ORDER BY rowid", "tti", warning_kind_names[WARNING_UNMEASURED],
			   warning_kind_names[WARNING_PROCESSOR], id);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *text = table_cell(&t, i, 0)->text;
		bool hint = table_cell(&t, i, 1)->integer;
		o->uncounted_lack |= table_cell(&t, i, 2)->integer != 0;
		*(hint ? vec_push(&o->hint) : vec_push(&o->warning)) = mem_string(text);
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

/* Adds to a leaf and all nodes above it. */
static void add(struct overheads *o, enum sis_overhead leaf, int64_t ns)
{
	for (enum sis_overhead n = leaf; n != O_NONE; n = sis_overhead_table[n].parent)
		o->ns[n] = clamp_add(o->ns[n], ns);
}

/* With T_s: adds the useful work that exceeds that of the sequential run, and the part of the total
 * that no leaf explains. */
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
			add(o, leaf, per_pu(sum[leaf], o->p));
	o->t_i = o->ns[OTOTAL];
	o->t_o = clamp_subtract(overheads_measured(o), per_pu(o->t_s, o->p));
	o->t_u = clamp_subtract(o->t_o, o->t_i);
	add(o, OUNID, o->t_u);
}

int overheads_load(struct overheads *o, struct repo *repo, int64_t experiment, int64_t seq,
		   int64_t par1, struct err *err)
{
	*o = (struct overheads){ 0 };
	if (load_head(o, repo, experiment, err) || load_nodes(o, repo, experiment, err) ||
	    load_warnings(o, repo, experiment, err) ||
	    references_load(&o->ref, repo, experiment, seq, par1, err)) {
		overheads_release(o);
		return ERR_FAILED;
	}
	o->t_i = o->ns[OTOTAL];
	if (o->ref.seq)
		compare_with_sequential(o);
	return 0;
}

void overheads_show_imbalance(struct overheads *o)
{
	static const enum sis_overhead waits[] = {
		OSYNC_EBAR,  OSYNC_IBAR,     OSYNC_MBAR,      OSYNC_NXN,
		OSYNC_NEIGH, OSYNC_EARLYRED, OSYNC_LATEBCAST, OSYNC_EARLYSCAN,
		OSYNC_FENCE, OSYNC_FILE,     OSYNC_FINWAIT,
	};
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		int64_t ns = o->ns[waits[i]];
		add(o, waits[i], clamp_subtract(0, ns));
		add(o, OLOSS_IMB, ns);
	}
}

/* -- what is not computed ---------------------------------------------------------------------- */

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
	{ OADD_PRIV, M_NONE,
	  "the compiler makes private copies inside of regions: they count as work there" },
	{ OCTRL_REDIST, M_NONE, "C redistributes data with messages: see ODATA_COMM" },
};

const char *overheads_reason(const struct overheads *o, enum sis_overhead leaf)
{
	if (leaf == OLOSS_IMB)
		return o->ns[OLOSS_IMB] ?
			NULL :
			"waits for uneven work are in OSYNC; --imbalance shows them here";
	if (leaf == OLOSS_NOCPU && o->uncounted_lack)
		return "needs the kernel's count: /proc/thread-self/schedstat";
	if ((leaf == OADD_ALGO || leaf == OADD_COMP || leaf == OLOSS_REPL || leaf == OUNID) &&
	    !o->has_t_s)
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
	for (size_t i = 0; i < o->hint.n; i++)
		free(o->hint.at[i]);
	vec_free(&o->warning);
	vec_free(&o->hint);
	free(o->name);
	free(o->program);
	*o = (struct overheads){ 0 };
}

/* -- drawing ----------------------------------------------------------------------------------- */

static int depth_of(enum sis_overhead o)
{
	int depth = 0;
	while ((o = sis_overhead_table[o].parent) != O_NONE)
		depth++;
	return depth;
}

/* The remark of a line: the longest text, in full if there is room, and a bar if there is more
 * room. */
enum { NAME = 22, NUMBERS = 24, LONGEST_BAR = 20, SHORTEST_BAR = 5 };
struct drawing { FILE *out; bool color; int text, bar; };

static struct drawing plan_drawing(const struct overheads *o, bool color, FILE *out)
{
	struct drawing d = { .out = out, .color = color, .text = 0, .bar = LONGEST_BAR };
	int line = out == stdout ? (int)terminal_width() : 0;
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		int length = (int)strlen(sis_overhead_table[i].description);
		d.text = o->ns[i] != 0 && length > d.text ? length : d.text;
	}
	if (!line)
		return d;
	int room = line - NAME - NUMBERS;
	d.text = d.text < room ? d.text : room < SHORTEST_BAR ? SHORTEST_BAR : room;
	room -= d.text + 1;
	d.bar = room < SHORTEST_BAR ? 0 : room < LONGEST_BAR ? room : LONGEST_BAR;
	return d;
}

static int bar_length(const struct drawing *d, double share)
{
	int length = (int)(share * d->bar + 0.5);
	return length < 0 ? 0 : length > d->bar ? d->bar : length;
}

static void print_bar(const struct drawing *d, int length)
{
	fputs(d->color ? " \033[33m" : " ", d->out);
	for (int i = 0; i < length; i++)
		putc('#', d->out);
	fputs(d->color ? "\033[0m" : "", d->out);
}

static void print_line(const struct drawing *d, const char *name, int depth, int64_t ns,
		       int64_t whole, const char *text)
{
	double share = whole ? (double)ns / (double)whole : 0;
	int length = (int)strlen(text), shown = length > d->text ? d->text - 2 : length;
	int bar = bar_length(d, share);
	fprintf(d->out, "%*s%-*s %11.6f %5.1f %%  %.*s%s%*s", 2 * depth, "", NAME - 2 * depth, name,
		(double)ns / 1e9, 100 * share, shown, text, shown < length ? ".." : "",
		bar && length < d->text ? d->text - length : 0, "");
	if (bar)
		print_bar(d, bar);
	putc('\n', d->out);
}

void overheads_print_tree(const struct overheads *o, bool color, FILE *out)
{
	struct drawing d = plan_drawing(o, color, out);
	fprintf(out, "%-*s %11s %7s\n", NAME, "", "seconds", "of T_p");
	print_line(&d, "useful work", 0, o->useful, o->t_p, "computing");
	for (int i = 1; i < SIS_OVERHEADS; i++)
		if (o->ns[i] != 0)
			print_line(&d, sis_overhead_table[i].name, depth_of(i), o->ns[i], o->t_p,
				   sis_overhead_table[i].description);
}

void overheads_print_warnings(const struct overheads *o, bool hints, FILE *out)
{
	if (o->warning.n || (hints && o->hint.n))
		putc('\n', out);
	for (size_t i = 0; i < o->warning.n; i++)
		escape_line(out, "warning: %s", o->warning.at[i]);
	for (size_t i = 0; hints && i < o->hint.n; i++)
		escape_line(out, "warning: %s", o->hint.at[i]);
}
