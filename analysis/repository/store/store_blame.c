/* SPDX-License-Identifier: BSD-3-Clause */
/* store_blame.c - writes how samples were placed, the blame points and their variables, and the
 * parts of samples that belong to each variable. Owns nothing. Called by one thread. */
#include "repository/store/store_blame.h"

#include <math.h>
#include <stdlib.h>

#include "repository/store/pu_rows.h"

struct blame_store {
	struct repo *repo;
	struct err *err;
	int64_t experiment;
	const struct blame_rows *from;
	struct pu_rows pu;
	int64_t *point, *variable; /* row ids */
};

/* -- sampling ---------------------------------------------------------------------------------- */

static int store_share(struct blame_store *s, bool is_reason, int number, const char *key,
		       const char *text, const struct placed_share *share)
{
	if (share->count == 0)
		return 0;
	return repo_run(s->repo, s->err,
			"INSERT INTO sample_share "
			"(experiment, is_reason, place, key, text, samples, weight) "
			"VALUES (?, ?, ?, ?, ?, ?, ?)",
			"iiittii", s->experiment, (int64_t)is_reason, (int64_t)number, key, text,
			(int64_t)share->count, (int64_t)share->weight);
}

static int store_sampling(struct blame_store *s)
{
	const struct placed *p = s->from->placed;
	const struct blame *b = s->from->blame;
	struct placed_shares shares;
	placed_count(p, &shares);
	for (int i = 0; i < PLACED_HOWS; i++)
		if (store_share(s, false, i, placed_how_key(i), placed_how_text(i),
				&shares.how[i]))
			return ERR_FAILED;
	for (int i = PLACED_OK + 1; i < PLACED_REASONS; i++)
		if (store_share(s, true, i, placed_reason_key(i), placed_reason_text(i),
				&shares.reason[i]))
			return ERR_FAILED;
	return repo_run(s->repo, s->err,
			"INSERT INTO sampling (experiment, method, metric, rate, lost, samples, "
			"unknown, coarse, unit) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"ittiiiiii", s->experiment, p->method ? p->method : "",
			p->metric ? p->metric : "", (int64_t)p->rate, (int64_t)p->lost,
			(int64_t)shares.all.count, (int64_t)b->unknown_calls,
			(int64_t)b->coarse_functions, (int64_t)BLAME_UNIT);
}

/* -- the profile of functions ------------------------------------------------------------------ */

static const char *file_name(const struct flow_program *program, uint32_t file)
{
	return file == FLOW_NONE ? "" : program->file.at[file];
}

/* Whether the function of frame i is also further out on the stack. A sample counts only once for a
 * function. */
static bool is_further_out(const struct placed_frame *frame, uint32_t i, uint32_t frames)
{
	for (uint32_t k = i + 1; k < frames; k++)
		if (frame[k].function == frame[i].function)
			return true;
	return false;
}

static int store_functions(struct blame_store *s)
{
	const struct placed *p = s->from->placed;
	const struct flow_program *program = s->from->program;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO function_samples "
			    "(experiment, pu, function, file, line, own, inclusive) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
			    "ON CONFLICT (experiment, pu, function, file, line) DO UPDATE "
			    "SET own = own + ?6, inclusive = inclusive + ?7", s->err);
	for (size_t i = 0; rc == 0 && i < p->stack.n; i++) {
		const struct placed_stack *stack = &p->stack.at[i];
		const struct placed_frame *frame = &p->frame.at[stack->first];
		int64_t pu = pu_rows_of(&s->pu, stack->process, stack->slot);
		for (uint32_t k = 0; rc == 0 && pu && k < stack->frames; k++) {
			const struct flow_function *f = &program->function.at[frame[k].function];
			uint64_t own = k == 0 ? stack->count : 0,
				 inclusive = is_further_out(frame, k, stack->frames) ? 0 :
				stack->count;
			if (k == 0 || inclusive)
				rc = query_run(query, s->err, "iittiii", s->experiment, pu, f->name,
					       file_name(program, f->file), (int64_t)f->line,
					       (int64_t)own, (int64_t)inclusive);
		}
	}
	query_close(query);
	return rc;
}

/* -- points, variables, rows ------------------------------------------------------------------- */

static int store_points(struct blame_store *s)
{
	const struct blame *b = s->from->blame;
	const struct flow_program *program = s->from->program;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO blame_point (experiment, parent, function, file, line, "
			    "path, samples, is_chosen, is_top, is_cut) "
			    "VALUES (?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?)", s->err);
	s->point = mem_alloc(b->point.n, sizeof *s->point);
	for (size_t i = 0; rc == 0 && i < b->point.n; i++) {
		const struct blame_point *p = &b->point.at[i];
		const struct flow_function *f = &program->function.at[p->function];
		int64_t parent = p->parent == FLOW_NONE ? 0 : s->point[p->parent];
		rc = query_run(query, s->err, "iittitiiii", s->experiment, parent, f->name,
			       file_name(program, f->file), (int64_t)f->line, p->path,
			       (int64_t)p->samples, (int64_t)!!(p->flags & BLAME_POINT_CHOSEN),
			       (int64_t)!!(p->flags & BLAME_POINT_TOP),
			       (int64_t)!!(p->flags & BLAME_POINT_CUT));
		s->point[i] = repo_last_id(s->repo);
	}
	query_close(query);
	return rc;
}

const char *store_blame_kind(enum blame_variable_kind kind)
{
	static const char *const name[BLAME_KINDS] = {
		[BLAME_LOCAL] = "local", [BLAME_PARAMETER] = "parameter",
		[BLAME_GLOBAL] = "global", [BLAME_STATIC] = "static", [BLAME_HEAP] = "heap",
		[BLAME_RESULT] = "result", [BLAME_OUTPUT] = "output", [BLAME_OTHER] = "other",
	};
	return name[kind];
}

static int store_variables(struct blame_store *s)
{
	const struct blame *b = s->from->blame;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO variable "
			    "(blame_point, kind, name, field, type, file, line) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?)", s->err);
	s->variable = mem_alloc(b->variable.n, sizeof *s->variable);
	for (size_t i = 0; rc == 0 && i < b->variable.n; i++) {
		const struct blame_variable *v = &b->variable.at[i];
		rc = query_run(query, s->err, "ittttti", s->point[v->point],
			       store_blame_kind(v->kind), v->name ? v->name : "",
			       v->field ? v->field : "", v->type ? v->type : "",
			       v->file ? v->file : "", (int64_t)v->line);
		s->variable[i] = repo_last_id(s->repo);
	}
	query_close(query);
	return rc;
}

/* Threads without a processing unit of their own use that of another thread, so several values may
 * be added to one row. */
static int store_rows(struct blame_store *s)
{
	const struct blame *b = s->from->blame;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO blame (variable, pu, is_blocked, routine, explicit, "
			    "implicit, parts, base, weight, inclusive_weight) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
			    "ON CONFLICT (variable, pu, is_blocked, routine) DO UPDATE "
			    "SET explicit = explicit + ?5, implicit = implicit + ?6, "
			    "parts = parts + ?7, base = base + ?8, weight = weight + ?9, "
			    "inclusive_weight = inclusive_weight + ?10", s->err);
	for (size_t i = 0; rc == 0 && i < b->row.n; i++) {
		const struct blame_row *r = &b->row.at[i];
		int64_t pu = pu_rows_of(&s->pu, r->process, r->slot);
		if (pu)
			rc = query_run(query, s->err, "iiitiiiiii", s->variable[r->variable], pu,
				       (int64_t)(r->kind == PLACED_BLOCKED),
				       r->routine == FLOW_NONE ? "" : b->routine.at[r->routine],
				       (int64_t)r->explicit, (int64_t)r->implicit,
				       (int64_t)r->share, (int64_t)r->base,
				       (int64_t)llrint(r->weight),
				       (int64_t)llrint(r->inclusive_weight));
	}
	query_close(query);
	return rc;
}

int store_blame(struct repo *repo, int64_t experiment, const void *rows, struct err *err)
{
	struct blame_store s = { .repo = repo, .err = err, .experiment = experiment,
				 .from = rows };
	bool failed = pu_rows_load(&s.pu, repo, experiment, s.from->x, err) ||
		      store_sampling(&s) || store_functions(&s) || store_points(&s) ||
		      store_variables(&s) || store_rows(&s);
	pu_rows_release(&s.pu);
	free(s.point);
	free(s.variable);
	return failed ? ERR_FAILED : 0;
}
