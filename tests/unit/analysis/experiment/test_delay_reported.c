/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Delay costs among the threads of a process, from the culprits that the runtime reports. */
#include "unit.h"
#include "experiment_make.h"

enum { SERIAL = 1, WORK };

/* A team of two in main: unit 0 has serial for 400 ms of 500, without `own` in the team itself;
 * unit 1 waits for a lock, and works for the rest. */
static struct team { struct made_rank r; uint64_t par, serial, other, wait; } t;
static struct experiment x;

static void begin_waiting(unsigned ms, unsigned own)
{
	x = (struct experiment){ 0 };
	t = (struct team){ .r = make_rank(-1, 0) };
	t.par = writer_node(t.r.w, 0, t.r.main, RT_PARALLEL, 1, 500u * MS);
	t.serial = writer_node(t.r.w, 0, t.par, WRITER_FUNCTION(SERIAL), 2,
			       (400u - own) * MS);
	writer_node(t.r.w, 0, t.par, RT_IBAR, 1, 100u * MS);
	uint64_t root = writer_thread(t.r.w, 1);
	writer_node_at(t.r.w, root)->total = 500u * MS;
	t.other = writer_node(t.r.w, 1, root, RT_PARALLEL, 1, 500u * MS);
	writer_origin(t.r.w, 1, t.other, t.par);
	t.wait = writer_node(t.r.w, 1, t.other, RT_LOCK, 1, ms * MS);
	writer_node(t.r.w, 1, t.other, WRITER_FUNCTION(WORK), 1, (500u - ms) * MS);
}

static void begin(void) { begin_waiting(300, 0); }

static struct sis_node *pointer(uint64_t address)
{
	return (struct sis_node *)(uintptr_t)address;
}

static void report_at(uint32_t slot, uint64_t wait, uint32_t other, uint64_t culprit,
		      unsigned flags, int ms)
{
	struct sis_culprit c = { .node = pointer(wait),
				 .culprit = pointer(culprit),
				 .slot = other,
				 .flags = flags,
				 .count = 1,
				 .ticks = (uint64_t)ms * MS };
	writer_chunk(t.r.w, SIS_CHUNK_CULPRITS, slot, &c, sizeof c);
}

/* What the runtime reports of the wait of unit 1 for the lock: it waited for `ms` milliseconds for
 * unit `other`, which was in `culprit`. */
static void report(uint32_t other, uint64_t culprit, unsigned flags, int ms)
{
	report_at(1, t.wait, other, culprit, flags, ms);
}

static void finish(void)
{
	make_process(&x, t.r.w, SIS_STATE_ENDED);
	make_classified(&x);
}

START_TEST(what_was_reported_is_the_cause)
{
	begin_waiting(300, 100);
	report(0, t.serial, 0, 200);
	report(0, t.serial, 0, 50); /* again */
	report(0, t.par, SIS_CULPRIT_ESTIMATED, 50);
	report(1, t.other, 0, 50); /* for itself: damage */
	finish();
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 0, "serial"), 250);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "lock wait", 0, 0, "serial"), 0);
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 0, "parallel"), 50);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "lock wait", 0, 0, "parallel"), 50);
	experiment_release(&x);
}
END_TEST

START_TEST(no_more_is_reported_than_was_waited)
{
	begin_waiting(300, 100);
	report(0, t.serial, 0, 450);
	report(0, t.par, 0, 150);
	finish();
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 0, "serial"), 225);
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 0, "parallel"), 75);
	experiment_release(&x);
}
END_TEST

/* Of the inside of the team the barrier is no work. */
START_TEST(inside_of_a_node_is_where_it_worked)
{
	begin();
	report(0, t.par, SIS_CULPRIT_INSIDE | SIS_CULPRIT_ESTIMATED, 300);
	finish();
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 0, "serial"), 300);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "lock wait", 0, 0, "serial"), 0);
	experiment_release(&x);
}
END_TEST

/* Unit 0 waits for 100 ms at the barrier. Unit 1 worked for 200 ms, so it worked meanwhile. */
START_TEST(a_wait_before_the_work_is_no_cause)
{
	begin();
	report(0, t.serial, 0, 300);
	finish();
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "lock wait"), 0);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "work"), 100);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "lock wait", 0, 0, "serial"), 0);
	experiment_release(&x);
}
END_TEST

/* Unit 1 worked for 60 ms only: for the other 40 ms it must have waited itself. */
START_TEST(what_came_of_a_wait_is_passed_on)
{
	begin_waiting(440, 0);
	report(0, t.serial, 0, 400);
	finish();
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "lock wait"), 40);
	ck_assert_int_eq(make_cost(&x, PASSED, "implicit barrier", 0, 1, "lock wait"), 40);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "work"), 60);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "lock wait", 0, 0, "serial"), 36); /* 400 of 440 */
	experiment_release(&x);
}
END_TEST

/* -- barriers ---------------------------------------------------------------------------------- */

/* In a team of two, each works for 300 ms, unit 0 also in serial for 20 ms. Each waits for 200 ms
 * at barriers, unit 0 for 20 ms less. The runtime reports so much of the waits. */
static void begin_in_turn(int ms0, int ms1)
{
	x = (struct experiment){ 0 };
	t = (struct team){ .r = make_rank(-1, 0) };
	t.par = writer_node(t.r.w, 0, t.r.main, RT_PARALLEL, 1, 500u * MS);
	writer_node(t.r.w, 0, t.par, WRITER_FUNCTION(WORK), 2, 300u * MS);
	writer_node(t.r.w, 0, t.par, WRITER_FUNCTION(SERIAL), 2, 20u * MS);
	uint64_t wait = writer_node(t.r.w, 0, t.par, RT_EBAR, 1, 180u * MS);
	uint64_t root = writer_thread(t.r.w, 1);
	writer_node_at(t.r.w, root)->total = 500u * MS;
	t.other = writer_node(t.r.w, 1, root, RT_PARALLEL, 1, 500u * MS);
	writer_origin(t.r.w, 1, t.other, t.par);
	writer_node(t.r.w, 1, t.other, WRITER_FUNCTION(WORK), 2, 300u * MS);
	t.wait = writer_node(t.r.w, 1, t.other, RT_EBAR, 1, 200u * MS);
	if (ms0)
		report_at(0, wait, 1, t.other, SIS_CULPRIT_INSIDE | SIS_CULPRIT_ESTIMATED, ms0);
	if (ms1)
		report(0, t.par, SIS_CULPRIT_INSIDE | SIS_CULPRIT_ESTIMATED, ms1);
	finish();
}

static int barrier_cost(uint32_t culprit, const char *region)
{
	int cost = make_cost(&x, DIRECT, "barrier wait", 0, culprit, region);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "barrier wait", 0, culprit, region), cost);
	return cost;
}

/* Unit 0 was in serial, which unit 1 was not, and that explains a part of the wait. */
START_TEST(threads_that_delay_each_other_in_turn)
{
	begin_in_turn(180, 200);
	ck_assert_int_eq(barrier_cost(0, "serial"), 20);
	ck_assert_int_eq(barrier_cost(0, "work"), 180);
	ck_assert_int_eq(barrier_cost(1, "work"), 180);
	ck_assert_int_eq(x.causes.not_recorded_ns, 0);
	experiment_release(&x);
}
END_TEST

/* The culprit of the other waits is the unit that waited least, as far as it was longer in its
 * regions. */
START_TEST(waits_at_barriers_may_be_reported_in_part)
{
	begin_in_turn(0, 90);
	ck_assert_int_eq(barrier_cost(0, "serial"), 20);
	ck_assert_int_eq(barrier_cost(0, "work"), 70);
	ck_assert_int_eq(barrier_cost(1, "work"), 0);
	ck_assert_int_eq(x.causes.not_recorded_ns, 290 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(no_more_is_charged_than_was_waited_at_barriers)
{
	begin_in_turn(5000, 5000);
	ck_assert_int_eq(barrier_cost(0, "serial") + barrier_cost(0, "work"), 200);
	ck_assert_int_eq(barrier_cost(1, "work"), 180);
	ck_assert_int_eq(x.causes.error_ns, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(waits_without_positions_give_a_warning)
{
	begin();
	struct sis_culprit lost = { .slot = SIS_NO_SLOT, .count = 3, .ticks = 1500u * MS };
	writer_chunk(t.r.w, SIS_CHUNK_CULPRITS, 1, &lost, sizeof lost);
	finish();
	ck_assert(make_warned(&x, "the culprits of 1.500 s are not known"));
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("delay_reported", what_was_reported_is_the_cause, no_more_is_reported_than_was_waited,
	  inside_of_a_node_is_where_it_worked, a_wait_before_the_work_is_no_cause,
	  what_came_of_a_wait_is_passed_on, threads_that_delay_each_other_in_turn,
	  waits_at_barriers_may_be_reported_in_part,
	  no_more_is_charged_than_was_waited_at_barriers,
	  waits_without_positions_give_a_warning)
