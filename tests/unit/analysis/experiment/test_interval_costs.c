/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The culprits of waits within an interval, from traces and records that are known. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "experiment/causes/delay.h"
#include "experiment/causes/interval_costs.h"
#include "traced_make.h"

static struct experiment x;
static struct traces traces;
static struct timelines timelines;
static struct thread_waits threads;
static struct single_waits waits;
static struct experiment_causes whole; /* of the run, as the import finds them */

static void finish(struct traced *const *t, int n)
{
	for (int i = 0; i < n; i++)
		traced_finish(t[i], &x);
	make_classified(&x);
	traces_open(&traces, x.run.directory);
	timelines_init(&timelines, &x, &x.warning);
	thread_waits_find(&threads, &timelines);
	single_waits_init(&waits, &x, &threads);
	whole = x.causes;
}

static void end(void)
{
	single_waits_release(&waits);
	thread_waits_release(&threads);
	timelines_release(&timelines);
	traces_release(&traces);
	traced_end(&x);
}

/* Makes x.causes those of an interval. */
static void cut_ns(int64_t from, int64_t to)
{
	struct interval_leaves leaves;
	struct cost_pieces costs = { .from = clamp_add(x.model.start_ns, from),
					.to = clamp_add(x.model.start_ns, to) };
	x.causes = (struct experiment_causes){ .interval = &costs };
	interval_leaves_find(&leaves, &waits, &timelines, &traces, from, to);
	delay_costs_find(&x, &x.causes, &threads, &x.warning);
	interval_costs_finish(&costs, &x, &x.causes, &leaves);
	interval_leaves_release(&leaves);
	cost_pieces_release(&costs);
}

/* Makes them those of the run again. */
static void uncut(void)
{
	causes_release(&x.causes);
	x.causes = whole;
}

/* Milliseconds that the units of a process caused in a node, in waits within the interval. */
static int cost(int from, int to, enum made_cost field, const char *place, int process,
		const char *cause)
{
	cut_ns((int64_t)from * MS, (int64_t)to * MS);
	int ms = make_cost(&x, field, place, process, 0, cause);
	uncut();
	return ms;
}

/* Milliseconds that a unit waited for another one. */
static int pair(int from, int to, uint32_t victim, uint32_t culprit)
{
	int64_t ns = 0;
	cut_ns((int64_t)from * MS, (int64_t)to * MS);
	for (size_t i = 0; i < x.causes.wait_pair.n; i++) {
		const struct wait_pair *p = &x.causes.wait_pair.at[i];
		if (p->victim == victim && x.causes.delay_cost.at[p->cost].culprit == culprit)
			ns += p->ns;
	}
	uncut();
	return (int)((ns + MS / 2) / MS);
}

/* -- sums -------------------------------------------------------------------------------------- */

enum { ROUNDING_NS = 1000, FIELDS = 5 };

static void add_costs(int64_t (*sum)[FIELDS], const struct experiment_causes *c)
{
	for (size_t i = 0; i < c->delay_cost.n; i++) {
		const struct delay_cost *d = &c->delay_cost.at[i];
		const int64_t value[FIELDS] = { d->ns, d->passed_ns, d->indirect_ns,
						d->wrong_order_ns, d->estimated_ns };
		uint32_t k = map_get(&whole.delay_cost_by_key,
				     (uint64_t)d->node * SIS_OVERHEADS + d->leaf,
				     (uint64_t)d->culprit << 32 | d->culprit_node);
		ck_assert_uint_lt(k, whole.delay_cost.n);
		for (int f = 0; f < FIELDS; f++)
			sum[k][f] += value[f];
	}
}

static void are_the_whole(int64_t (*sum)[FIELDS])
{
	for (size_t i = 0; i < whole.delay_cost.n; i++) {
		const struct delay_cost *d = &whole.delay_cost.at[i];
		const int64_t value[FIELDS] = { d->ns, d->passed_ns, d->indirect_ns,
						d->wrong_order_ns, d->estimated_ns };
		for (int f = 0; f < FIELDS && d->culprit_node != NONE; f++)
			ck_assert_msg(llabs(value[f] - sum[i][f]) <= ROUNDING_NS,
				      "%s for %s, field %d: %lld and not %lld ns",
				      region_of_node(&x, d->node)->name,
				      region_of_node(&x, d->culprit_node)->name, f,
				      (long long)sum[i][f], (long long)value[f]);
	}
}

/* The costs of the whole run are those of the import, and intervals add up to them. */
static void adds_up(int step_ms)
{
	int64_t(*sum)[FIELDS] = calloc(whole.delay_cost.n + 1, sizeof *sum);
	cut_ns(0, experiment_t_p(&x));
	ck_assert_uint_eq(x.causes.wait_pair.n, whole.wait_pair.n);
	for (size_t i = 0; i < whole.wait_pair.n; i++)
		ck_assert_int_le(llabs(x.causes.wait_pair.at[i].ns - whole.wait_pair.at[i].ns),
				 ROUNDING_NS);
	add_costs(sum, &x.causes);
	are_the_whole(sum);
	uncut();
	memset(sum, 0, whole.delay_cost.n * sizeof *sum);
	for (int64_t from = 0, to; from < experiment_t_p(&x); from = to) {
		to = from + step_ms * MS + rand() % MS;
		to = to < experiment_t_p(&x) ? to : experiment_t_p(&x);
		cut_ns(from, to);
		add_costs(sum, &x.causes);
		uncut();
	}
	are_the_whole(sum);
	free(sum);
}

/* -- waits for messages ------------------------------------------------------------------------ */

static struct traced *begin_rank(int rank, int size)
{
	struct traced *t = traced_new(rank, size);
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	return t;
}

/* Rank 2 is in `work` until 480 and then sends to rank 1, which waited since 100 and sends to rank
 * 0, which waited since 200. */
static void chain(void)
{
	traced_begin(&x);
	struct traced *t[] = { begin_rank(0, 3), begin_rank(1, 3), begin_rank(2, 3) };
	traced_visit(t[0], 0, 0, 200, WRITER_FUNCTION(SERIAL));
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 200, 510, 1, 0);
	traced_visit(t[1], 0, 0, 100, WRITER_FUNCTION(SERIAL));
	traced_call(t[1], 0, SIS_RECORD_RECV, "MPI_Recv", 100, 490, 2, 0);
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 500, 510, 0, 0);
	traced_visit(t[2], 0, 0, 480, WRITER_FUNCTION(WORK));
	traced_call(t[2], 0, SIS_RECORD_SEND, "MPI_Send", 480, 490, 1, 0);
	for (int i = 0; i < 3; i++)
		traced_leave(t[i], 0, 1000);
	finish(t, 3);
}

START_TEST(a_wait_is_cut_with_its_culprit)
{
	chain();
	ck_assert_int_eq(cost(0, 1000, DIRECT, "MPI_Recv", 2, "work"), 380);
	ck_assert_int_eq(cost(0, 100, DIRECT, "MPI_Recv", 2, "work"), 0);
	ck_assert_int_eq(cost(100, 195, DIRECT, "MPI_Recv", 2, "work"), 95);
	ck_assert_int_eq(cost(300, 1000, DIRECT, "MPI_Recv", 2, "work"), 180);
	ck_assert_int_eq(cost(500, 1000, DIRECT, "MPI_Recv", 2, "work"), 0);
	ck_assert_int_eq(pair(300, 400, 0, 1), 100);
	ck_assert_int_eq(pair(300, 400, 1, 2), 100);
	ck_assert_int_eq(pair(100, 200, 0, 1), 0);
	end();
}
END_TEST

/* What a wait cost others counts while these waited. */
START_TEST(indirect_costs_are_those_of_waits_in_the_interval)
{
	chain();
	int all = cost(0, 1000, INDIRECT, "MPI_Recv", 2, "work"),
	    half = cost(350, 1000, INDIRECT, "MPI_Recv", 2, "work");
	ck_assert_int_eq(all, make_cost(&x, INDIRECT, "MPI_Recv", 2, 0, "work"));
	ck_assert_int_gt(all, 200);
	ck_assert_int_ge(half, all / 2 - 1);
	ck_assert_int_le(half, all / 2 + 1);
	ck_assert_int_eq(cost(0, 200, INDIRECT, "MPI_Recv", 2, "work"), 0);
	adds_up(43);
	end();
}
END_TEST

/* -- threads ----------------------------------------------------------------------------------- */

/* Both ranks have a second thread that works in `work` from 500 to 700, while the initial one waits
 * for it at the end of the team. Rank 0 waits for rank 1 from 0 to 300, and so does its idle
 * thread. Then rank 0 is alone in `f`. */
static void rank_with_team(struct traced *t, int rank)
{
	if (rank == 1)
		traced_visit(t, 0, 0, 300, WRITER_FUNCTION(SERIAL));
	traced_call(t, 0, rank ? SIS_RECORD_SEND : SIS_RECORD_RECV, rank ? "MPI_Send" : "MPI_Recv",
		    rank ? 300 : 0, 310, !rank, 0);
	uint64_t fork = traced_enter(t, 0, 400, RT_PARALLEL);
	traced_visit(t, 0, 400, 500, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 500, 710, RT_IBAR);
	traced_leave(t, 0, 710);
	traced_visit(t, 0, 710, 1000, WRITER_FUNCTION(F));
	traced_leave(t, 0, 1000);
	traced_enter_of(t, 1, 400, RT_PARALLEL, fork);
	traced_visit(t, 1, 400, 700, WRITER_FUNCTION(WORK));
	traced_visit(t, 1, 700, 710, RT_IBAR);
	traced_leave(t, 1, 710);
}

START_TEST(idle_threads_wait_for_the_same_culprit)
{
	traced_begin(&x);
	struct traced *t[] = { begin_rank(0, 2), begin_rank(1, 2) };
	for (int i = 0; i < 2; i++)
		rank_with_team(t[i], i);
	finish(t, 2);
	ck_assert_int_eq(pair(0, 150, 0, 2), 150);
	ck_assert_int_eq(pair(0, 150, 1, 2), 150);
	ck_assert_int_eq(pair(400, 1000, 0, 2), 0);
	ck_assert_int_eq(pair(400, 1000, 1, 2), 0);
	ck_assert_int_eq(pair(550, 600, 0, 1), 50); /* at the end of the team */
	ck_assert_int_eq(pair(0, 500, 0, 1), 0);
	ck_assert_int_eq(pair(800, 1000, 1, 0), 200); /* idle while the other one is in f */
	ck_assert_int_eq(pair(0, 200, 3, 2), 200);
	adds_up(61);
	end();
}
END_TEST

UNIT_MAIN("interval_costs", a_wait_is_cut_with_its_culprit,
	  indirect_costs_are_those_of_waits_in_the_interval, idle_threads_wait_for_the_same_culprit)
