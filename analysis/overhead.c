/* overhead.c - loads an experiment's overhead tree from the views and draws it. One thread. */
#include "overhead.h"

#include <stdlib.h>
#include <string.h>

static const struct column head_columns[] = {
	{ "name", "", CELL_TEXT }, { "application", "", CELL_TEXT }, { "p", "", CELL_INTEGER }, { "t_p", "", CELL_INTEGER },
	{ "useful", "", CELL_INTEGER }, { "t_s", "", CELL_INTEGER }, { "identity", "", CELL_INTEGER },
	{ "complete", "", CELL_INTEGER },
};

static int load_head(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, head_columns, sizeof head_columns / sizeof *head_columns);
	int rc = repo_fill(repo, &t, err, "SELECT s.name, s.application, s.p, s.t_p_ns, s.useful_ns, s.t_s_ns, "
			   "e.identity_error_ns, e.complete FROM experiment_sum s JOIN experiment e ON e.id = s.id "
			   "WHERE s.id = ?", "i", id);
	if (rc == 0 && table_rows(&t) == 1) {
		o->name = mem_string(t.cell.at[0].text);
		o->program = mem_string(t.cell.at[1].text);
		o->p = t.cell.at[2].integer;
		o->t_p = t.cell.at[3].integer;
		o->useful = (t.cell.at[4].integer + o->p / 2) / o->p;
		o->has_t_s = t.cell.at[5].kind != CELL_NULL;
		o->t_s = t.cell.at[5].integer;
		o->identity_error = t.cell.at[6].integer;
		o->complete = t.cell.at[7].integer;
	}
	table_release(&t);
	return rc;
}

static const struct column node_columns[] = { { "overhead", "", CELL_TEXT }, { "ns", "", CELL_INTEGER } };

static int load_nodes(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, node_columns, 2);
	int rc = repo_fill(repo, &t, err, "SELECT a.name, sum((l.ns + ?2 / 2) / ?2) FROM (SELECT leaf, sum(ns) AS ns "
			   "FROM overhead_leaf_by_pu WHERE experiment = ?1 GROUP BY leaf) l "
			   "JOIN overhead_ancestor a ON a.leaf = l.leaf GROUP BY a.name", "ii", id, o->p);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const char *name = table_cell(&t, i, 0)->text;
		o->ns[sis_overhead_by_name(name, strlen(name))] = table_cell(&t, i, 1)->integer;
	}
	table_release(&t);
	return rc;
}

static int load_warnings(struct overheads *o, struct repo *repo, int64_t id, struct err *err)
{
	struct table t;
	table_init(&t, node_columns, 1);
	int rc = repo_fill(repo, &t, err, "SELECT text FROM warning WHERE experiment = ? ORDER BY rowid", "i", id);
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++)
		*vec_push(&o->warning) = mem_string(table_cell(&t, i, 0)->text);
	table_release(&t);
	return rc;
}

int overheads_load(struct overheads *o, struct repo *repo, int64_t experiment, struct err *err)
{
	*o = (struct overheads){ 0 };
	if (load_head(o, repo, experiment, err) || load_nodes(o, repo, experiment, err) ||
	    load_warnings(o, repo, experiment, err)) {
		overheads_release(o);
		return ERR_FAILED;
	}
	o->t_i = o->ns[OTOTAL];
	if (o->has_t_s) { /* what is left between the total and what was identified */
		o->t_o = o->t_p - (o->t_s + o->p / 2) / o->p;
		o->t_u = o->t_o - o->t_i;
		o->ns[OUNID] = o->t_u;
		o->ns[OTOTAL] = o->t_o;
	}
	return 0;
}

void overheads_release(struct overheads *o)
{
	for (size_t i = 0; i < o->warning.n; i++)
		free(o->warning.at[i]);
	vec_free(&o->warning);
	free(o->name);
	free(o->program);
}

/* -- drawing --------------------------------------------------------------------------------------------- */

static int depth_of(enum sis_overhead o)
{
	int depth = 0;
	while ((o = sis_overhead_table[o].parent) != O_NONE)
		depth++;
	return depth;
}

static void print_bar(double share, bool color, FILE *out)
{
	enum { WIDTH = 20 };
	int length = (int)(share * WIDTH + 0.5);
	length = length < 0 ? 0 : length > WIDTH ? WIDTH : length;
	fputs(color ? " \033[33m" : " ", out);
	for (int i = 0; i < WIDTH; i++)
		if (i < length)
			putc('#', out);
	fputs(color ? "\033[0m\n" : "\n", out);
}

static void print_line(const char *name, int depth, int64_t ns, int64_t whole, const char *text, bool color, FILE *out)
{
	double share = whole ? (double)ns / (double)whole : 0;
	fprintf(out, "%*s%-*s %11.6f %5.1f %%  %-34.34s", 2 * depth, "", 22 - 2 * depth, name, (double)ns / 1e9,
		100 * share, text);
	print_bar(share, color, out);
}

void overheads_print_tree(const struct overheads *o, bool color, FILE *out)
{
	fprintf(out, "%-22s %11s %7s\n", "", "seconds", "of T_p");
	print_line("useful work", 0, o->useful, o->t_p, "computing", color, out);
	for (int i = 1; i < SIS_OVERHEADS; i++)
		if (o->ns[i] != 0)
			print_line(sis_overhead_table[i].name, depth_of(i), o->ns[i], o->t_p, sis_overhead_table[i].description,
				   color, out);
}

void overheads_print_warnings(const struct overheads *o, FILE *out)
{
	if (o->warning.n)
		putc('\n', out);
	for (size_t i = 0; i < o->warning.n; i++)
		fprintf(out, "warning: %s\n", o->warning.at[i]);
}
