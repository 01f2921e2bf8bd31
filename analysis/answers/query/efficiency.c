/* SPDX-License-Identifier: BSD-3-Clause */
/* efficiency.c - efficiencies from the leaves of the overhead tree. Owns nothing; one thread.
 *
 *   p T = useful + local + waits of threads + starting and scheduling + serial parts + in MPI
 *
 * The time of a PU is the wall time less what was not measured on this PU; p T is the sum of these
 * times. So each process is judged by the time in which it was measured, even if others were
 * measured for longer.
 *
 * While the initial thread of a process is in MPI, all threads of the process count as in MPI. In
 * the rest of their time, the threads could have worked. The serial parts are what no leaf explains
 * of this rest. Each factor is the quotient of two sums of terms of the line above, one with fewer
 * terms than the other, so products of factors are exact. */
#include "answers/query/efficiency.h"

#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/ratio.h"
#include "answers/query/computation.h"
#include "repository/database/pu_leaves.h"

static const struct { const char *key, *title, *meaning; int depth; } rows[] = {
#define SIS_EFFICIENCY(name, depth, key, title, meaning) { key, title, meaning, depth },
#include "efficiencies.def"
#undef SIS_EFFICIENCY
};

struct sums {
	double p, time, useful, local, waits, scheduling; /* sums over all PUs; time: p T */
	/* outside: time of all threads outside of MPI. longest: the largest fraction of its time
	 * that the initial thread of a process was outside of MPI */
	double outside, longest;
	/* threads: the largest number of threads in a process */
	int64_t processes, threads;
};

/* The times of each PU by leaf; leaf NULL is useful work. */
static const char pus[] =
	"SELECT u.process, u.thread, NULL AS leaf, u.useful_ns AS ns FROM processing_unit u "
	"WHERE u.experiment = ?1 UNION ALL SELECT u.process, u.thread, o.leaf, o.ns "
	"FROM processing_unit u JOIN temp.pu_leaf o ON o.experiment = ?1 AND o.pu = u.id "
	"WHERE u.experiment = ?1 ORDER BY 1, 2";

/* OLOSS_NOCPU of each PU in calls of MPI. */
static const char lacks[] =
	"SELECT u.process, u.thread, sum(o.ns) FROM drg_node n "
	"JOIN code_region r ON r.id = n.region AND r.type LIKE 'CR_MPI%' "
	"JOIN overhead o ON o.drg_node = n.id AND o.leaf = 'OLOSS_NOCPU' "
	"JOIN processing_unit u ON u.id = o.pu WHERE n.experiment = ?1 GROUP BY u.id ORDER BY 1, 2";

typedef VEC(struct pu_account) pu_accounts;

static int take_pu(void *arg, const struct cell *row, struct err *err)
{
	pu_accounts *pu = arg;
	const struct pu_account *last = pu->n ? &pu->at[pu->n - 1] : NULL;
	enum sis_overhead leaf = row[2].kind == CELL_NULL ?
		O_NONE :
		sis_overhead_by_name(row[2].text, strlen(row[2].text));
	(void)err;
	if (!last || last->process != row[0].integer || last->thread != row[1].integer)
		*vec_push(pu) = (struct pu_account){ .process = row[0].integer,
						  .thread = row[1].integer };
	pu_account_add(&pu->at[pu->n - 1], leaf, (double)row[3].integer);
	return 0;
}

/* Adds a row of `lacks` to its PU. Rows are in the order of the PUs. */
static int take_lack(void *arg, const struct cell *row, struct err *err)
{
	pu_accounts *pu = arg;
	(void)err;
	for (size_t i = 0; i < pu->n; i++)
		if (pu->at[i].process == row[0].integer && pu->at[i].thread == row[1].integer)
			pu_account_in_mpi(&pu->at[i], (double)row[2].integer);
	return 0;
}

/* -- sums -------------------------------------------------------------------------------------- */

/* Misses and page faults count as useful work here, because they belong to computing. If they are
 * not counted, their time is part of the useful work, too. */
void pu_account_add(struct pu_account *pu, enum sis_overhead leaf, double ns)
{
	if (leaf == UNMEASURED) {
		pu->unmeasured += ns;
		return;
	}
	pu->all += ns;
	if (leaf == O_NONE || sis_overhead_is_counted(leaf))
		pu->useful += ns;
	else if (sis_overhead_is(leaf, IS_LOCAL))
		pu->local += ns;
	else if (sis_overhead_in(leaf, OSYNC_S))
		pu->waits += ns;
	else if (sis_overhead_is(leaf, IS_SCHEDULING))
		pu->scheduling += ns;
}

void pu_account_in_mpi(struct pu_account *pu, double ns)
{
	pu->local -= ns;
}

static double measured(const struct pu_account *pu, double t)
{
	return fmax(t - pu->unmeasured, 0);
}

/* Adds up the accounts of all PUs; t: the wall time. */
static struct sums sum_up(const struct pu_account *pu, size_t n, double t)
{
	struct sums s = { .p = 0 };
	for (size_t i = 0, next; i < n; i = next) {
		const struct pu_account *initial = &pu[i]; /* the initial thread comes first */
		double time = measured(initial, t), outside = initial->useful + initial->local +
			initial->waits + initial->scheduling;
		double in_mpi = fmax(time - outside, 0);
		for (next = i; next < n && pu[next].process == initial->process; next++) {
			const struct pu_account *one = &pu[next];
			s.p++;
			s.time += measured(one, t);
			s.outside += fmax(measured(one, t) - in_mpi, 0);
			s.useful += one->useful, s.local += one->local;
			s.waits += one->waits, s.scheduling += one->scheduling;
		}
		if (time > 0)
			s.longest = fmax(s.longest, fmin(outside / time, 1));
		s.threads = s.threads > (int64_t)(next - i) ? s.threads : (int64_t)(next - i);
		s.processes++;
	}
	return s;
}

static double quotient(double above, double below)
{
	return below > 0 ? above / below : -1;
}

/* Computes the efficiencies from the sums. ideal: wall time on an ideal network; less than 0: not
 * known. */
static void compute(struct efficiencies *e, const struct sums *s, double ideal)
{
	double *v = e->value, work = s->useful + s->local, team = work + s->waits + s->scheduling;
	double outside = s->processes == 1 ? s->time : fmin(fmax(s->outside, team), s->time);
	v[EFFICIENCY_PARALLEL] = quotient(s->useful, s->time);
	v[EFFICIENCY_LOCAL] = quotient(s->useful, work);
	if (s->processes > 1 && s->time > 0) {
		double mpi = outside / s->time, longest = fmax(s->longest, mpi);
		v[EFFICIENCY_MPI] = mpi;
		v[EFFICIENCY_MPI_COMM] = longest;
		v[EFFICIENCY_MPI_BALANCE] = quotient(mpi, longest);
		if (ideal > 0) {
			/* `ideal` has no lack of processors, but the time outside of MPI includes
			 * it. So `ideal` alone could be shorter than that time, and needs the lower
			 * limit */
			v[EFFICIENCY_MPI_TRANSFER] =
				fmin(fmax(ideal * s->p / s->time, longest), 1);
			v[EFFICIENCY_MPI_SERIAL] = quotient(longest, v[EFFICIENCY_MPI_TRANSFER]);
		}
	}
	if (s->threads > 1) {
		v[EFFICIENCY_OMP] = quotient(work, outside);
		v[EFFICIENCY_OMP_SERIAL] = quotient(team, outside);
		v[EFFICIENCY_OMP_BALANCE] = quotient(work + s->scheduling, team);
		v[EFFICIENCY_OMP_SCHEDULING] = quotient(work, work + s->scheduling);
	}
}

/* Compares the useful work with the useful work of the base. Computation scaling is the product of
 * three factors: the numbers of instructions, instructions per cycle, and cycles per second. */
static void compare(struct efficiencies *e, const struct computation *base, double times,
		    const struct computation *c)
{
	double *v = e->value;
	v[EFFICIENCY_SCALING] = quotient(base->ns * times, c->ns);
	if (v[EFFICIENCY_SCALING] >= 0)
		v[EFFICIENCY_GLOBAL] = v[EFFICIENCY_SCALING] * v[EFFICIENCY_PARALLEL];
	if (c->missing || base->missing)
		e->missing = mem_print("%s: %s",
				       c->missing ? "in this run" : "in the run compared with",
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

static void clear(struct efficiencies *e)
{
	*e = (struct efficiencies){ .missing = NULL };
	for (int i = 0; i < EFFICIENCIES; i++)
		e->value[i] = -1;
}

void efficiencies_compute(struct efficiencies *e, const struct pu_account *pu, size_t n, double t)
{
	struct sums s = sum_up(pu, n, t);
	clear(e);
	compute(e, &s, -1);
}

int efficiencies_load(struct efficiencies *e, struct repo *repo, int64_t experiment, int64_t t_p,
		      struct efficiency_base base, struct err *err)
{
	pu_accounts pu = { 0 };
	int64_t ideal = -1;
	clear(e);
	if (pu_leaves_load(repo, experiment, err) ||
	    repo_each(repo, take_pu, &pu, err, pus, "i", experiment) ||
	    repo_each(repo, take_lack, &pu, err, lacks, "i", experiment) ||
	    repo_number(repo, &ideal, err, "SELECT ideal_ns FROM experiment WHERE id = ?", "i",
			experiment) < 0) {
		vec_free(&pu);
		return ERR_FAILED;
	}
	struct sums s = sum_up(pu.at, pu.n, (double)t_p);
	/* `ideal` includes the time that was not measured, so this time is subtracted */
	compute(e, &s, s.p > 0 ? (double)ideal - ((double)t_p - s.time / s.p) : -1);
	vec_free(&pu);
	if (!base.experiment)
		return 0;
	struct computation here = { 0 }, there = { 0 };
	bool repeated = base.n_repeated > 0;
	int rc = computation_load(&here, repo, experiment, true, err);
	rc = rc ? rc :
		  computation_load_mean(&there, repo, repeated ? base.repeated : &base.experiment,
					repeated ? base.n_repeated : 1, here.missing == NULL, err);
	if (rc == 0)
		compare(e, &there, base.times, &here);
	computation_release(&here);
	computation_release(&there);
	return rc;
}

void efficiencies_release(struct efficiencies *e)
{
	mem_free((void **)&e->missing);
}

const char *efficiency_title(int i) { return rows[i].title; }
const char *efficiency_key(int i) { return rows[i].key; }
int efficiency_depth(int i) { return rows[i].depth; }

/* -- as text and JSON -------------------------------------------------------------------------- */

void efficiencies_print(const struct efficiencies *e, bool color, FILE *out)
{
	for (int i = 0; i < EFFICIENCIES; i++) {
		double value = e->value[i];
		if (value < 0)
			continue;
		/* These limits are usual in reports of POP: above 80 % there is little to gain. */
		const char *judgement = value >= 0.8 ? "good" : value >= 0.6 ? "fair" : "low";
		const char *paint = !color ? "" :
			value >= 0.8	   ? "\033[32m" :
			value >= 0.6	   ? "\033[33m" :
					     "\033[31m";
		char share[RATIO_ROOM];
		fprintf(out, "%*s%-*s %s%8s  %-4s%s  %s\n", 2 * rows[i].depth, "",
			34 - 2 * rows[i].depth, rows[i].title, paint, ratio_share(share, value),
			judgement, color ? "\033[0m" : "", rows[i].meaning);
	}
	if (e->ipc > 0)
		fprintf(out, "%.2f instructions a cycle at %.2f GHz, in useful work\n", e->ipc,
			e->ghz);
	if (e->missing)
		escape_line(out, "computation scaling is not divided into its factors: %s",
			    e->missing);
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
