/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* When threads had no processor, and what this makes of the costs of their delays. */
#include "unit.h"
#include "experiment/causes/delay.h"
#include "experiment/causes/lacks.h"
#include "experiment_make.h"

enum { WORK = 2 };

static struct experiment x;
static struct made_rank r;
static uint64_t work, barrier;

/* main lasts 1000 ms: work 800, a barrier of threads 200. */
static void begin(void)
{
	x = (struct experiment){ 0 };
	r = make_rank(-1, 0);
	work = writer_node(r.w, 0, r.main, WRITER_FUNCTION(WORK), 1, 800u * MS);
	barrier = writer_node(r.w, 0, r.main, RT_EBAR, 1, 200u * MS);
}

static void lack(uint64_t node, int from, int to, int ms)
{
	struct sis_record record = make_record(SIS_RECORD_NOCPU, node, from, to);
	record.bytes = (uint64_t)ms * MS;
	writer_record(r.w, 0, record);
}

static void finish(void)
{
	make_process(&x, r.w, SIS_STATE_ENDED);
	make_classified(&x);
}

static int within(const struct lacks *l, int from, int to)
{
	int64_t start = x.model.process.at[0].start_ns;
	return (int)((lacks_within(l, 0, start + from * (int64_t)MS, start + to * (int64_t)MS) +
		      MS / 2) / MS);
}

/* A count is divided in proportion to time. What was in a wait made nobody else wait. */
START_TEST(counts_are_known_between_two_looks)
{
	struct lacks l;
	begin();
	lack(r.root, 0, 100, 50);
	lack(r.root, 100, 200, 20);
	lack(barrier, 200, 400, 100);
	lack(r.root, 400, 400, 7);
	finish();
	lacks_init(&l, &x);
	ck_assert_int_eq(within(&l, 0, 1000), 70);
	ck_assert_int_eq(within(&l, 0, 50), 25);
	ck_assert_int_eq(within(&l, 50, 150), 25 + 10);
	ck_assert_int_eq(within(&l, 200, 1000), 0);
	ck_assert_int_eq(within(&l, 300, 200), 0);
	lacks_release(&l);
	experiment_release(&x);
}
END_TEST

/* Of 800 ms of work 200 were without a processor: so a quarter of what is not examined. */
START_TEST(costs_are_divided_like_the_time_of_the_node)
{
	struct experiment_causes c = { 0 };
	begin();
	lack(work, 0, 800, 200);
	finish();
	uint32_t node = NONE, other = 0;
	for (uint32_t n = 0; n < x.model.node.n; n++)
		if (strcmp(region_of_node(&x, n)->name, "work") == 0)
			node = n;
	*delay_cost_at(&c, other, OSYNC_EBAR, 0, node) = (struct delay_cost){
		.node = other, .leaf = OSYNC_EBAR, .culprit_node = node,
		.ns = 100 * MS, .examined_ns = 40 * MS, .passed_ns = 20 * MS };
	lacks_divide_costs(&x, &c);
	ck_assert_int_eq(c.delay_cost.at[0].no_processor_ns / MS, 10);
	causes_release(&c);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("lacks", counts_are_known_between_two_looks, costs_are_divided_like_the_time_of_the_node)
