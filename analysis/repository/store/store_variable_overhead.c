/* SPDX-License-Identifier: BSD-3-Clause */
/* store_variable_overhead.c - writes the overheads of variables, and those of their blame points
 * and variables that are not written yet. Owns nothing. Called by one thread. */
#include "repository/store/store_variable_overhead.h"

#include <stdlib.h>

#include "repository/store/store_blame.h"

struct overhead_store {
	struct repo *repo;
	struct err *err;
	int64_t experiment;
	const struct overhead_rows *from;
	int64_t *point, *variable, *pu; /* row ids */
};

static int store_points(struct overhead_store *s)
{
	const struct blame *b = s->from->blame;
	s->point = mem_alloc(b->point.n, sizeof *s->point);
	for (size_t i = 0; i < b->point.n; i++) {
		const struct blame_point *p = &b->point.at[i];
		const struct flow_function *f = &s->from->program->function.at[p->function];
		int64_t parent = p->parent == FLOW_NONE ? 0 : s->point[p->parent];
		int found = repo_number(s->repo, &s->point[i], s->err,
					"SELECT id FROM blame_point WHERE experiment = ? "
					"AND path = ?", "it", s->experiment, p->path);
		if (found < 0 ||
		    (found == 0 &&
		     repo_run(s->repo, s->err,
			      "INSERT INTO blame_point (experiment, parent, function, file, line, "
			      "path, samples, is_chosen, is_top, is_cut) "
			      "VALUES (?, nullif(?, 0), ?, ?, ?, ?, 0, ?, 0, ?)",
			      "iittitii", s->experiment, parent, f->name,
			      f->file == FLOW_NONE ? "" : s->from->program->file.at[f->file],
			      (int64_t)f->line, p->path,
			      (int64_t)!!(p->flags & BLAME_POINT_CHOSEN),
			      (int64_t)!!(p->flags & BLAME_POINT_CUT))))
			return ERR_FAILED;
		if (found == 0)
			s->point[i] = repo_last_id(s->repo);
	}
	return 0;
}

static int store_variables(struct overhead_store *s)
{
	const struct blame *b = s->from->blame;
	s->variable = mem_alloc(b->variable.n, sizeof *s->variable);
	for (size_t i = 0; i < b->variable.n; i++) {
		const struct blame_variable *v = &b->variable.at[i];
		const char *kind = store_blame_kind(v->kind);
		int found = repo_number(s->repo, &s->variable[i], s->err,
					"SELECT id FROM variable WHERE blame_point = ? AND "
					"kind = ? AND name = ? AND field = ?", "ittt",
					s->point[v->point], kind, v->name, v->field);
		if (found < 0 ||
		    (found == 0 &&
		     repo_run(s->repo, s->err,
			      "INSERT INTO variable (blame_point, kind, name, field, type, file, "
			      "line) VALUES (?, ?, ?, ?, ?, ?, ?)", "ittttti",
			      s->point[v->point], kind, v->name, v->field, v->type ? v->type : "",
			      v->file ? v->file : "", (int64_t)v->line)))
			return ERR_FAILED;
		if (found == 0)
			s->variable[i] = repo_last_id(s->repo);
	}
	return 0;
}

static int load_pus(struct overhead_store *s)
{
	const struct experiment *x = s->from->x;
	s->pu = mem_alloc(x->model.pu.n, sizeof *s->pu);
	for (size_t i = 0; i < x->model.pu.n; i++) {
		const struct pu *pu = &x->model.pu.at[i];
		if (repo_number(s->repo, &s->pu[i], s->err,
				"SELECT id FROM processing_unit WHERE experiment = ? "
				"AND process = ? AND thread = ?", "iii", s->experiment,
				(int64_t)x->model.process.at[pu->process].index,
				(int64_t)pu->slot) != 1)
			return ERR_FAILED;
	}
	return 0;
}

static int store_rows(struct overhead_store *s)
{
	const struct blame *b = s->from->blame;
	const struct measured_stacks *m = s->from->measured;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO variable_overhead (variable, pu, routine, leaf, ns, "
			    "bytes, calls) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
			    "ON CONFLICT (variable, pu, routine, leaf) DO UPDATE SET ns = ns + ?5, "
			    "bytes = bytes + ?6, calls = calls + ?7", s->err);
	for (size_t i = 0; rc == 0 && i < b->row.n; i++) {
		const struct blame_row *r = &b->row.at[i];
		const struct measured_key *key = &m->key.at[r->slot];
		/* converts parts of a sample to the unit of the measure, rounded */
		uint64_t scale = key->measure == MEASURED_CALLS ? 1 : m->scale,
			 rest = r->share % BLAME_UNIT * scale;
		int64_t amount = (int64_t)(r->share / BLAME_UNIT * scale +
					   (rest + BLAME_UNIT / 2) / BLAME_UNIT);
		if (amount > 0)
			rc = query_run(query, s->err, "iittiii", s->variable[r->variable],
				       s->pu[key->pu],
				       r->routine == FLOW_NONE ? "" : b->routine.at[r->routine],
				       sis_overhead_table[key->leaf].name,
				       key->measure == MEASURED_NS ? amount : 0,
				       key->measure == MEASURED_BYTES ? amount : 0,
				       key->measure == MEASURED_CALLS ? amount : 0);
	}
	query_close(query);
	return rc;
}

int store_variable_overhead(struct repo *repo, int64_t experiment, const struct overhead_rows *rows,
			    struct err *err)
{
	struct overhead_store s = { .repo = repo, .err = err, .experiment = experiment,
				    .from = rows };
	bool failed = load_pus(&s) || store_points(&s) || store_variables(&s) || store_rows(&s);
	free(s.point);
	free(s.variable);
	free(s.pu);
	return failed ? ERR_FAILED : 0;
}
