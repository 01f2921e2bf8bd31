/* efficiency.c - efficiencies from the leaves of the overhead tree. Owns nothing; one thread.
 *
 *   p T = useful + local + waits of threads + starting and scheduling + serial parts + in MPI
 *
 * The idea: a process is in MPI when its initial thread is, and all its threads with it; so its time outside of MPI times
 * its threads is what the threads could have worked, and what they did not is the remainder that no other leaf explains:
 * serial parts. Each factor is the quotient of two neighbouring sums of the line, so the products are exact. */
#include "efficiency.h"

#include <string.h>

static const struct { const char *key, *title, *meaning; int depth; } rows[] = {
#define SIS_EFFICIENCY(name, depth, key, title, meaning) { key, title, meaning, depth },
#include "efficiencies.def"
#undef SIS_EFFICIENCY
};

struct sums {
	double p, t, useful, local, waits, scheduling; /* over all units */
	double outside, longest;                       /* outside of MPI: threads' time; of the process that was longest */
	int64_t processes, threads;                    /* threads: most of a process */
};

/* Of each unit, by what its leaves are: at work in another way, waits among threads, starting and scheduling. */
static const char units[] =
	"SELECT u.process, u.thread, u.useful_ns,"
	" coalesce(sum(CASE WHEN o.leaf LIKE 'ODATA_%' AND a.name IS NULL OR o.leaf LIKE 'OADD_%' OR o.leaf = 'OPROBE'"
	"  THEN o.ns END), 0),"
	" coalesce(sum(CASE WHEN s.name IS NOT NULL THEN o.ns END), 0),"
	" coalesce(sum(CASE WHEN o.leaf LIKE 'OCTRL_%' AND o.leaf NOT IN ('OCTRL_MPIMGMT', 'OCTRL_SPAWN') THEN o.ns END), 0) "
	"FROM processing_unit u LEFT JOIN overhead_leaf_by_pu o ON o.experiment = ?1 AND o.pu = u.id "
	"LEFT JOIN overhead_ancestor a ON a.leaf = o.leaf AND a.name IN ('ODATA_COMM', 'ODATA_RMA') "
	"LEFT JOIN overhead_ancestor s ON s.leaf = o.leaf AND s.name = 'OSYNC_S' "
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

static int take_unit(void *arg, const struct cell *row, struct err *err)
{
	struct taker *t = arg;
	double useful = (double)row[2].integer, local = (double)row[3].integer, waits = (double)row[4].integer;
	double scheduling = (double)row[5].integer;
	(void)err;
	if (t->threads && t->process != row[0].integer)
		end_process(t);
	if (!t->threads)
		t->outside = useful + local + waits + scheduling; /* of the initial thread, which comes first */
	t->process = row[0].integer;
	t->threads++;
	t->sums.p++;
	t->sums.useful += useful, t->sums.local += local;
	t->sums.waits += waits, t->sums.scheduling += scheduling;
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

/* Against the sequential run: what its useful work was, and what this one's is. */
static int add_scaling(struct efficiencies *e, struct repo *repo, const struct overheads *o, struct err *err)
{
	int64_t useful = 0;
	if (!o->ref.seq || o->useful <= 0)
		return 0;
	if (repo_number(repo, &useful, err, "SELECT sum(useful_ns) FROM processing_unit WHERE experiment = ?", "i", o->ref.seq) < 0)
		return ERR_FAILED;
	e->value[EFFICIENCY_SCALING] = quotient((double)useful, (double)o->useful * (double)o->p);
	e->value[EFFICIENCY_GLOBAL] = e->value[EFFICIENCY_SCALING] * e->value[EFFICIENCY_PARALLEL];
	return 0;
}

int efficiencies_load(struct efficiencies *e, struct repo *repo, int64_t experiment, const struct overheads *o, struct err *err)
{
	struct taker t = { .sums = { .t = (double)o->t_p } };
	int64_t ideal = -1;
	for (int i = 0; i < EFFICIENCIES; i++)
		e->value[i] = -1;
	if (repo_each(repo, take_unit, &t, err, units, "i", experiment) ||
	    repo_number(repo, &ideal, err, "SELECT ideal_ns FROM experiment WHERE id = ?", "i", experiment) < 0)
		return ERR_FAILED;
	end_process(&t);
	compute(e, &t.sums, (double)ideal);
	return add_scaling(e, repo, o, err);
}

/* -- as text and JSON ---------------------------------------------------------------------------------------- */

/* Usual in POP's reports: from 80 % on there is little to win. */
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
		const char *paint = !color ? "" : value >= 0.8 ? "\033[32m" : value >= 0.6 ? "\033[33m" : "\033[31m";
		fprintf(out, "%*s%-*s %s%6.1f %%  %-4s%s  %s\n", 2 * rows[i].depth, "", 34 - 2 * rows[i].depth, rows[i].title, paint,
			100 * value, judgement(value), color ? "\033[0m" : "", rows[i].meaning);
	}
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
	json_close(json, '}');
}
