/* SPDX-License-Identifier: BSD-3-Clause */
/* efficiency.c - efficiencies from the leaves of the overhead tree. Owns nothing; one thread.
 *
 *   p T = useful + local + waits of threads + starting and scheduling + serial parts + in MPI
 *
 * T is the wall time without what was not measured, mean of the PUs.
 *
 * A process, with all its threads, counts as in MPI while its initial thread is. So its time
 * outside of MPI times its threads is the time in which the threads could have worked. The part of
 * it that no other leaf explains is the serial parts. Each factor is the quotient of two
 * neighbouring sums of the line, so the products are exact. */
#include "query/efficiency.h"

#include <string.h>

#include "base/escape.h"
#include "query/computation.h"
#include "repository/pu_leaves.h"

static const struct { const char *key, *title, *meaning; int depth; } rows[] = {
#define SIS_EFFICIENCY(name, depth, key, title, meaning) { key, title, meaning, depth },
#include "efficiencies.def"
#undef SIS_EFFICIENCY
};

struct sums {
	double p, t, useful, local, waits, scheduling, unmeasured; /* sums over all PUs; t: T */
	/* outside of MPI: time of all threads; time of the process that was longest outside */
	double outside, longest;
	/* threads: the largest number of a process */
	int64_t processes, threads;
};

/* For each PU, sums by kind of leaf: working in another way, waits among threads, starting and
 * scheduling. */
static const char pus[] =
	"SELECT u.process, u.thread, u.useful_ns, "
	"coalesce(sum(CASE WHEN o.leaf LIKE 'ODATA_%' AND a.name IS NULL OR o.leaf LIKE 'OADD_%' "
	"OR o.leaf IN ('OPROBE', 'OSYNC_UNCONT', 'OLOSS_NOCPU') THEN o.ns END), 0), "
	"coalesce(sum(CASE WHEN s.name IS NOT NULL THEN o.ns END), 0), "
	"coalesce(sum(CASE WHEN o.leaf LIKE 'OCTRL_%' "
	"AND o.leaf NOT IN ('OCTRL_MPIMGMT', 'OCTRL_SPAWN') THEN o.ns END), 0), "
	"coalesce(sum(CASE WHEN o.leaf IN ("
#define SIS_COST(leaf, metric, ns, what) "'" #leaf "', "
#include "costs.def"
#undef SIS_COST
	"'') THEN o.ns END), 0), "
	"coalesce(sum(CASE WHEN o.leaf = 'UNMEASURED' THEN o.ns END), 0) FROM processing_unit u "
	"LEFT JOIN temp.pu_leaf o ON o.experiment = ?1 AND o.pu = u.id "
	"LEFT JOIN overhead_ancestor a ON a.leaf = o.leaf "
	"AND a.name IN ('ODATA_COMM', 'ODATA_RMA') "
	"LEFT JOIN overhead_ancestor s ON s.leaf = o.leaf AND s.name = 'OSYNC_S' "
	"AND s.leaf <> 'OSYNC_UNCONT' "
	"WHERE u.experiment = ?1 GROUP BY u.id ORDER BY u.process, u.thread";

struct taker { struct sums sums; int64_t process; double outside; int64_t threads; };

static void end_process(struct taker *t)
{
	struct sums *s = &t->sums;
	s->outside += t->outside * (double)t->threads;
	s->longest = t->outside > s->longest ? t->outside : s->longest;
	s->threads = t->threads > s->threads ? t->threads : s->threads;
	s->processes += t->threads > 0;
	t->threads = 0;
}

static int take_pu(void *arg, const struct cell *row, struct err *err)
{
	struct taker *t = arg;
	/* misses and page faults belong to computing, whether they were counted or not */
	double counted = (double)row[6].integer;
	double useful = (double)row[2].integer + counted, local = (double)row[3].integer - counted;
	double waits = (double)row[4].integer, scheduling = (double)row[5].integer;
	(void)err;
	if (t->threads && t->process != row[0].integer)
		end_process(t);
	if (!t->threads)
		t->outside = useful + local + waits +
			scheduling; /* the initial thread comes first */
	t->process = row[0].integer;
	t->threads++;
	t->sums.p++;
	t->sums.useful += useful, t->sums.local += local;
	t->sums.waits += waits, t->sums.scheduling += scheduling;
	t->sums.unmeasured += (double)row[7].integer;
	return 0;
}

static double quotient(double above, double below)
{
	return below > 0 ? above / below : -1;
}

/* ideal: wall time on an ideal network; less than 0: not known. */
static void compute(struct efficiencies *e, const struct sums *s, double ideal)
{
	double *v = e->value, work = s->useful + s->local, team = work + s->waits + s->scheduling;
	double outside = s->processes == 1 ? s->p * s->t : s->outside > team ? s->outside : team;
	v[EFFICIENCY_PARALLEL] = quotient(s->useful, s->p * s->t);
	v[EFFICIENCY_LOCAL] = quotient(s->useful, work);
	if (s->processes > 1) {
		v[EFFICIENCY_MPI] = quotient(outside, s->p * s->t);
		v[EFFICIENCY_MPI_COMM] = quotient(s->longest, s->t);
		v[EFFICIENCY_MPI_BALANCE] = quotient(outside, s->p * s->longest);
		if (ideal > 0) {
			v[EFFICIENCY_MPI_TRANSFER] = quotient(ideal, s->t);
			v[EFFICIENCY_MPI_SERIAL] = quotient(s->longest, ideal);
		}
	}
	if (s->threads > 1) {
		v[EFFICIENCY_OMP] = quotient(work, outside);
		v[EFFICIENCY_OMP_SERIAL] = quotient(team, outside);
		v[EFFICIENCY_OMP_BALANCE] = quotient(work + s->scheduling, team);
		v[EFFICIENCY_OMP_SCHEDULING] = quotient(work, work + s->scheduling);
	}
}

/* Compares with another run: the useful work of both, and how much of the difference is more
 * instructions, fewer instructions per cycle, or fewer cycles per second. The product of the three
 * is the whole. */
static void compare(struct efficiencies *e, const struct computation *base, double times,
		    const struct computation *c)
{
	double *v = e->value;
	v[EFFICIENCY_SCALING] = quotient(base->ns * times, c->ns);
	if (v[EFFICIENCY_SCALING] >= 0)
		v[EFFICIENCY_GLOBAL] = v[EFFICIENCY_SCALING] * v[EFFICIENCY_PARALLEL];
	if (c->missing || base->missing)
		e->missing = mem_print("%s: %s", c->missing ? "here" : "in the run compared with",
				       c->missing ? c->missing : base->missing);
	if (c->missing == NULL) {
		e->ipc = c->instructions / c->cycles;
		e->ghz = c->cycles / c->ns;
	}
	if (e->missing)
		return;
	v[EFFICIENCY_INSTRUCTIONS] = base->instructions * times / c->instructions;
	v[EFFICIENCY_IPC] = e->ipc / (base->instructions / base->cycles);
	v[EFFICIENCY_FREQUENCY] = e->ghz / (base->cycles / base->ns);
}

static int add_scaling(struct efficiencies *e, struct repo *repo, int64_t experiment,
		       struct efficiency_base base, struct err *err)
{
	struct computation here = { 0 }, there = { 0 };
	int rc = computation_load(&here, repo, experiment, true, err);
	rc = rc ? rc : computation_load(&there, repo, base.experiment, here.missing == NULL, err);
	if (rc == 0)
		compare(e, &there, base.times, &here);
	computation_release(&here);
	computation_release(&there);
	return rc;
}

int efficiencies_load(struct efficiencies *e, struct repo *repo, int64_t experiment, int64_t t_p,
		      struct efficiency_base base, struct err *err)
{
	struct taker t = { .sums = { .t = (double)t_p } };
	int64_t ideal = -1;
	*e = (struct efficiencies){ .missing = NULL };
	for (int i = 0; i < EFFICIENCIES; i++)
		e->value[i] = -1;
	if (pu_leaves_load(repo, experiment, err) ||
	    repo_each(repo, take_pu, &t, err, pus, "i", experiment) ||
	    repo_number(repo, &ideal, err, "SELECT ideal_ns FROM experiment WHERE id = ?", "i",
			experiment) < 0)
		return ERR_FAILED;
	end_process(&t);
	double unmeasured = t.sums.p > 0 ? t.sums.unmeasured / t.sums.p : 0;
	t.sums.t -= unmeasured;
	compute(e, &t.sums, (double)ideal - unmeasured);
	return base.experiment ? add_scaling(e, repo, experiment, base, err) : 0;
}

void efficiencies_release(struct efficiencies *e)
{
	mem_free((void **)&e->missing);
}

const char *efficiency_title(int i) { return rows[i].title; }
const char *efficiency_key(int i) { return rows[i].key; }
int efficiency_depth(int i) { return rows[i].depth; }

/* -- as text and JSON -------------------------------------------------------------------------- */

/* Limits that are usual in reports of POP: above 80 % there is little to gain. */
static const char *judgement(double value)
{
	return value >= 0.8 ? "good" : value >= 0.6 ? "fair" : "low";
}

void efficiencies_print(const struct efficiencies *e, bool color, FILE *out)
{
	for (int i = 0; i < EFFICIENCIES; i++) {
		double value = e->value[i];
		if (value < 0)
			continue;
		const char *paint = !color ? "" :
			value >= 0.8	   ? "\033[32m" :
			value >= 0.6	   ? "\033[33m" :
					     "\033[31m";
		fprintf(out, "%*s%-*s %s%6.1f %%  %-4s%s  %s\n", 2 * rows[i].depth, "",
			34 - 2 * rows[i].depth, rows[i].title, paint, 100 * value, judgement(value),
			color ? "\033[0m" : "", rows[i].meaning);
	}
	if (e->ipc > 0)
		fprintf(out, "%.2f instructions a cycle at %.2f GHz, in useful work\n", e->ipc,
			e->ghz);
	if (e->missing)
		escape_line(out, "computation scaling is not taken apart: %s", e->missing);
}

void efficiencies_json(const struct efficiencies *e, struct json *json)
{
	json_open(json, '{');
	for (int i = 0; i < EFFICIENCIES; i++) {
		json_key(json, rows[i].key);
		if (e->value[i] < 0)
			json_null(json);
		else
			json_real(json, e->value[i]);
	}
	json_key(json, "computation_scaling_missing");
	if (e->missing)
		json_string(json, e->missing);
	else
		json_null(json);
	json_close(json, '}');
}
