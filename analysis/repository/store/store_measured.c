/* SPDX-License-Identifier: BSD-3-Clause */
/* store_measured.c - writes the rows of measurements: call graph, times, metrics, overheads. Owns
 * nothing; one thread, within store.c's transaction. */
#include "repository/store/store_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/terminal.h"
#include "experiment/model/estimates.h"

/* The path of a node as text for users. If a recursion is thousands deep, the text has only the end
 * of the path. */
static char *path_of(char *const *path, const struct experiment *x, uint32_t node)
{
	enum { LONGEST = 800 };
	const char *name = region_of_node(x, node)->name;
	uint32_t parent = x->model.node.at[node].parent;
	if (parent == NONE || x->model.node.at[parent].parent == NONE)
		return mem_string(name);
	size_t length = strlen(path[parent]);
	return length < LONGEST ? mem_print("%s/%s", path[parent], name) :
		mem_print("...%s/%s", path[parent] + length - LONGEST / 2, name);
}

static bool is_nested(const struct experiment *x, uint32_t node)
{
	uint32_t up = node;
	while ((up = x->model.node.at[up].parent) != NONE)
		if (x->model.node.at[up].region == x->model.node.at[node].region)
			return true;
	return false;
}

/* Opens the rows. Sets *next to the first free id, which is the result of `query`. */
static int open_numbered(struct store *s, struct rows **rows, const struct rows_form *form,
			 const char *query, int64_t *next)
{
	*rows = NULL;
	if (repo_number(s->repo, next, s->err, query, "") != 1)
		return ERR_FAILED;
	return rows_open(s->repo, rows, form, s->err);
}

static int store_graph(struct store *s)
{
	const struct experiment *x = s->x;
	static const struct rows_form form = {
		"INSERT OR FAIL INTO drg_node "
		"(id, experiment, parent, region, source_node, depth, nested, path)",
		"", "iiniiiit"
	};
	struct rows *rows;
	char **path = mem_alloc(x->model.node.n, sizeof *path);
	int64_t *depth = mem_alloc(x->model.node.n, sizeof *depth), next = 0;
	s->node = mem_alloc(x->model.node.n, sizeof *s->node);
	int rc = open_numbered(s, &rows, &form, "SELECT coalesce(max(id), 0) + 1 FROM drg_node",
			       &next);
	for (uint32_t i = 0; i < x->model.node.n; i++)
		s->node[i] = next + i;
	for (uint32_t i = 0; rc == 0 && i < x->model.node.n; i++) {
		const struct drg_node *n = &x->model.node.at[i];
		path[i] = path_of(path, x, i);
		depth[i] = n->parent == NONE ? 0 : depth[n->parent] + 1;
		rc = rows_add(rows, s->err, s->node[i], s->experiment,
			      n->parent == NONE ? REPO_NULL : s->node[n->parent],
			      s->region[n->region], s->node[n->source], depth[i],
			      (int64_t)is_nested(x, i), path[i]);
	}
	rc = rc ? rc : rows_end(rows, s->err);
	rows_close(rows);
	for (uint32_t i = 0; i < x->model.node.n; i++)
		free(path[i]);
	free(path);
	free(depth);
	return rc;
}

/* -- rows by node and PU ----------------------------------------------------------------------- */

/* Rows are written in the order of their keys. So each row is appended to the table and its index,
 * and the rows of a node are side by side. In another order, a million rows would touch four
 * million pages. */
struct key { uint32_t major, minor, index; };

/* A stable sort into `to`, by the number at `offset` of each key, which is less than `keys`. */
static void sort_by(struct key *to, const struct key *from, size_t n, size_t offset,
		    size_t keys)
{
	size_t *next = mem_alloc(keys + 1, sizeof *next);
#define KEY(i) (*(const uint32_t *)((const char *)&from[i] + offset))
	for (size_t i = 0; i < n; i++)
		next[KEY(i) + 1]++;
	for (size_t k = 0; k < keys; k++)
		next[k + 1] += next[k];
	for (size_t i = 0; i < n; i++)
		to[next[KEY(i)]++] = from[i];
#undef KEY
	free(next);
}

static void sort_keys(struct key *key, size_t n, size_t majors, size_t minors)
{
	struct key *other = mem_alloc(n, sizeof *other);
	sort_by(other, key, n, offsetof(struct key, minor), minors);
	sort_by(key, other, n, offsetof(struct key, major), majors);
	free(other);
}

static int store_summaries(struct store *s)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO region_summary "
		"(id, drg_node, pu, calls, subs, incl_ns, excl_ns, useful_ns, min_ns, max_ns, "
		"is_open)",
		"", "iiiiiiiinni"
	};
	const struct experiment *x = s->x;
	struct key *key = mem_alloc(x->model.summary.n, sizeof *key);
	struct progress progress;
	struct rows *rows;
	for (uint32_t i = 0; i < x->model.summary.n; i++)
		key[i] = (struct key){ x->model.summary.at[i].node, x->model.summary.at[i].pu, i };
	sort_keys(key, x->model.summary.n, x->model.node.n, x->model.pu.n);
	int rc = open_numbered(s, &rows, &form,
			       "SELECT coalesce(max(id), 0) + 1 FROM region_summary",
			       &s->first_summary);
	s->summary = mem_alloc(x->model.summary.n, sizeof *s->summary);
	progress_begin(&progress, "storing times", x->model.summary.n);
	for (size_t i = 0; rc == 0 && i < x->model.summary.n; i++) {
		uint32_t index = key[i].index;
		const struct summary *m = &x->model.summary.at[index];
		bool ended = m->min_ns <= m->max_ns;
		progress_at(&progress, i);
		s->summary[index] = i;
		rc = rows_add(rows, s->err, s->first_summary + (int64_t)i, s->node[m->node],
			      s->pu[m->pu], (int64_t)m->calls, (int64_t)m->subs, m->incl_ns,
			      m->excl_ns, x->classify.useful_ns.at[index],
			      ended ? m->min_ns : REPO_NULL, ended ? m->max_ns : REPO_NULL,
			      (int64_t)m->open);
	}
	rc = rc ? rc : rows_end(rows, s->err);
	progress_end(&progress);
	free(key);
	rows_close(rows);
	return rc;
}

/* A metric that one of the processes could not measure has no value. */
static int store_values(struct store *s)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO metric (region_summary, name, value, nested)",
		"ON CONFLICT DO UPDATE SET value = value + excluded.value", "itni"
	};
	const struct experiment *x = s->x;
	struct rows *rows = NULL;
	int rc = rows_open(s->repo, &rows, &form, s->err);
	struct key *key = mem_alloc(x->model.value.n, sizeof *key);
	for (uint32_t i = 0; i < x->model.value.n; i++)
		key[i] = (struct key){ s->summary[x->model.value.at[i].summary],
					   x->model.value.at[i].metric, i };
	sort_keys(key, x->model.value.n, x->model.summary.n, x->model.metric.n);
	for (size_t i = 0; rc == 0 && i < x->model.value.n; i++) {
		const struct value *v = &x->model.value.at[key[i].index];
		rc = rows_add(rows, s->err, s->first_summary + key[i].major,
			      x->model.metric.at[v->metric], v->missing ? REPO_NULL : v->sum,
			      (int64_t)v->nested);
	}
	rc = rc ? rc : rows_end(rows, s->err);
	free(key);
	rows_close(rows);
	return rc;
}

static int store_user_values(struct store *s)
{
	const struct experiment *x = s->x;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->model.user_value.n; i++) {
		const struct user_value *v = &x->model.user_value.at[i];
		char least[32], most[32], sum[32]; /* as text, which the database reads exactly */
		snprintf(sum, sizeof sum, "%.17g", v->sum);
		snprintf(least, sizeof least, "%.17g", v->min);
		snprintf(most, sizeof most, "%.17g", v->max);
		rc = repo_run(
			s->repo, s->err,
			"INSERT INTO user_value "
			"VALUES (?, ?, ?, CAST(? AS REAL), CAST(? AS REAL), CAST(? AS REAL))",
			"itittt", s->first_summary + s->summary[v->summary],
			x->model.metric.at[v->name], (int64_t)v->count, sum, least, most);
	}
	return rc;
}

/* A value that the host's kernel does not provide is NULL. */
static int store_sensors(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	int rc = query_open(
		s->repo, &query,
		"INSERT OR IGNORE INTO sensor "
		"VALUES (?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), nullif(?, -1), "
		"nullif(?, -1), nullif(?, -1), nullif(?, -1), nullif(?, -1), nullif(?, -1))",
		s->err);
	for (size_t i = 0; rc == 0 && i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		for (size_t k = 0; rc == 0 && k < p->profile.sensor.n; k++) {
			const struct sis_sensor_sample *at = &p->profile.sensor.at[k];
			rc = query_run(query, s->err, "iiiiiiiiiiii", s->experiment, s->host[i],
				       clock_ns(&p->clock, at->ticks) - x->model.start_ns,
				       (int64_t)at->cpu_busy, (int64_t)at->cpu_all,
				       (int64_t)at->running, (int64_t)at->memory_used,
				       (int64_t)at->faults, (int64_t)at->major_faults,
				       (int64_t)at->switches, (int64_t)at->received,
				       (int64_t)at->sent);
		}
	}
	query_close(query);
	return rc;
}

static int store_bookings(struct store *s)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO overhead (drg_node, pu, leaf, ns)", "", "iiti"
	};
	const struct experiment *x = s->x;
	struct rows *rows = NULL;
	int rc = rows_open(s->repo, &rows, &form, s->err);
	struct progress progress;
	struct key *key = mem_alloc(x->classify.booking.n, sizeof *key);
	for (uint32_t i = 0; i < x->classify.booking.n; i++)
		key[i] = (struct key){ x->classify.booking.at[i].node,
					   x->classify.booking.at[i].pu, i };
	sort_keys(key, x->classify.booking.n, x->model.node.n, x->model.pu.n);
	progress_begin(&progress, "storing overheads", x->classify.booking.n);
	for (size_t i = 0; rc == 0 && i < x->classify.booking.n; i++) {
		progress_at(&progress, i);
		const struct booking *b = &x->classify.booking.at[key[i].index];
		rc = rows_add(rows, s->err, s->node[b->node], s->pu[b->pu],
			      sis_overhead_table[b->leaf].name, b->ns);
	}
	rc = rc ? rc : rows_end(rows, s->err);
	progress_end(&progress);
	free(key);
	rows_close(rows);
	return rc;
}

/* Exact times have an error of 0, and no row. */
static int store_estimates(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO estimate (drg_node, pu, incl_error_ns, excl_error_ns) "
			    "VALUES (?, ?, ?, ?)", s->err);
	for (size_t i = 0; rc == 0 && i < x->model.summary.n; i++) {
		const struct summary *m = &x->model.summary.at[i];
		double incl = ESTIMATE_95 * sqrt(m->incl_variance),
		       excl = ESTIMATE_95 * sqrt(m->excl_variance);
		if (excl > 0)
			rc = query_run(query, s->err, "iiii", s->node[m->node], s->pu[m->pu],
				       clamp_round(incl), clamp_round(excl));
	}
	query_close(query);
	return rc;
}

/* A moment of the run, in nanoseconds after its start. */
static int64_t after_start(const struct store *s, int64_t ns)
{
	int64_t start = s->x->model.start_ns;
	return ns > start ? ns - start : 0;
}

static int store_decisions(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	int64_t number = 0;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO turned_down (experiment, process, number, region, rung, "
			    "time_ns) VALUES (?, ?, ?, ?, ?, ?)", s->err);
	for (size_t i = 0; rc == 0 && i < x->model.turned_down.n; i++) {
		const struct turned_down *t = &x->model.turned_down.at[i];
		number = i && t[-1].process == t->process ? number + 1 : 0;
		rc = query_run(query, s->err, "iiiiti", s->experiment, (int64_t)t->process, number,
			       s->region[t->region], t->rung,
			       after_start(s, t->ns));
	}
	query_close(query);
	return rc;
}

static int store_switched(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	int64_t number = 0;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO switched_off (experiment, process, number, what, region, "
			    "thread, cause, place, action, times, first_ns, last_ns, on_ns, "
			    "off_ns) VALUES (?, ?, ?, ?, nullif(?, -1), nullif(?, -1), ?, ?, ?, "
			    "?, ?, ?, nullif(?, -1), ?)", s->err);
	for (size_t i = 0; rc == 0 && i < x->model.switched.n; i++) {
		const struct switched_off *o = &x->model.switched.at[i];
		number = i && o[-1].process == o->process ? number + 1 : 0;
		rc = query_run(query, s->err, "iiitiitttiiiii", s->experiment, (int64_t)o->process,
			       number, o->what,
			       o->region == NONE ? INT64_C(-1) : s->region[o->region],
			       o->slot == NONE ? INT64_C(-1) : (int64_t)o->slot, o->cause,
			       o->place, o->action, (int64_t)o->times, after_start(s, o->first_ns),
			       after_start(s, o->last_ns),
			       o->stays ? INT64_C(-1) : after_start(s, o->on_ns), o->off_ns);
	}
	query_close(query);
	return rc;
}

static int store_critical(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query,
			    "INSERT INTO critical_path (drg_node, pu, ns) VALUES (?, ?, ?)",
			    s->err);
	for (size_t i = 0; rc == 0 && i < x->causes.critical.n; i++)
		rc = query_run(query, s->err, "iii", s->node[x->causes.critical.at[i].node],
			       s->pu[x->causes.critical.at[i].pu], x->causes.critical.at[i].ns);
	query_close(query);
	return rc;
}

/* Delays whose culprit_node is not known are not stored. */
static int store_delays(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	int rc = query_open(s->repo, &query, "INSERT INTO delay VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
			    "?)", s->err);
	for (size_t i = 0; rc == 0 && i < x->causes.delay_cost.n; i++) {
		const struct delay_cost *d = &x->causes.delay_cost.at[i];
		if (d->culprit_node != NONE && (d->ns || d->indirect_ns))
			rc = query_run(query, s->err, "itiiiiiiii", s->node[d->node],
				       sis_overhead_table[d->leaf].name, s->pu[d->culprit],
				       s->node[d->culprit_node], d->ns, d->passed_ns,
				       d->indirect_ns, d->wrong_order_ns, d->estimated_ns,
				       d->no_processor_ns);
	}
	query_close(query);
	return rc;
}

static int store_pairs(struct store *s)
{
	static const struct rows_form form = {
		"INSERT OR FAIL INTO wait_pair "
		"(drg_node, leaf, culprit, culprit_node, victim, ns)",
		"", "itiiii"
	};
	const struct experiment *x = s->x;
	struct rows *rows = NULL;
	int rc = rows_open(s->repo, &rows, &form, s->err);
	for (size_t i = 0; rc == 0 && i < x->causes.wait_pair.n; i++) {
		const struct wait_pair *w = &x->causes.wait_pair.at[i];
		const struct delay_cost *d = &x->causes.delay_cost.at[w->cost];
		rc = rows_add(rows, s->err, s->node[d->node], sis_overhead_table[d->leaf].name,
			      s->pu[d->culprit], s->node[d->culprit_node],
			      w->victim == NONE ? 0 : s->pu[w->victim], w->ns);
	}
	rc = rc ? rc : rows_end(rows, s->err);
	rows_close(rows);
	return rc;
}

static int store_messages(struct store *s)
{
	const struct experiment *x = s->x;
	struct query *query = NULL;
	s->communicator = mem_alloc(x->match.communicator.n, sizeof *s->communicator);
	for (size_t i = 0; i < x->match.communicator.n; i++) {
		const struct communicator *c = &x->match.communicator.at[i];
		if (!c->name)
			continue;
		if (repo_run(s->repo, s->err,
			     "INSERT INTO communicator (experiment, number, name, size, kind) "
			     "VALUES (?, ?, ?, ?, ?)",
			     "iitit", s->experiment, (int64_t)i, c->name, (int64_t)c->size,
			     c->kind))
			return ERR_FAILED;
		s->communicator[i] = repo_last_id(s->repo);
	}
	int rc = query_open(s->repo, &query,
			    "INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", s->err);
	for (size_t i = 0; rc == 0 && i < x->match.traffic.n; i++) {
		const struct traffic *t = &x->match.traffic.at[i];
		int64_t target = t->target == NONE ? -1 :
						     (int64_t)x->model.process.at[t->target].index;
		rc = query_run(query, s->err, "iiiiiiiii", s->node[t->node], s->pu[t->pu],
			       s->communicator[t->communicator], target, (int64_t)t->calls,
			       (int64_t)t->bytes, t->ns, t->receive_ns, (int64_t)t->estimated);
	}
	query_close(query);
	return rc;
}

int store_measured(struct store *s)
{
	bool failed = store_graph(s) || store_summaries(s) || store_values(s) ||
		store_user_values(s) || store_sensors(s) || store_bookings(s) ||
		store_estimates(s) || store_decisions(s) || store_switched(s) ||
		store_critical(s) || store_delays(s) || store_pairs(s) || store_messages(s);
	return failed ? ERR_FAILED : 0;
}
