/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* No charge exceeds what the culprit did; and the waits without a cause add up. */
#include "unit.h"
#include "experiment/causes/law.h"
#include "experiment_make.h"

enum { SERIAL = 1, WORK, VICTIM = 0, OTHER = 1, CULPRIT = 2 };

static struct experiment x;
/* nodes of the experiment; wait: where units waited */
static uint32_t serial, root, wait;

static uint32_t find_node(const char *name)
{
	for (uint32_t i = 0; i < x.model.node.n; i++)
		if (strcmp(region_of_node(&x, i)->name, name) == 0)
			return i;
	ck_abort_msg("no node %s", name);
}

/* Three ranks, which are the processing units 0 to 2. The last one is in serial for 100 ms, of
 * which probes cost some. The first one calls a routine that waits. */
static void begin_with(const char *routine, int probe_ms)
{
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	x = (struct experiment){ 0 };
	uint64_t node = writer_node(r[CULPRIT].w, 0, r[CULPRIT].main, WRITER_FUNCTION(SERIAL), 1,
				    100 * MS);
	if (probe_ms)
		writer_node(r[CULPRIT].w, 0, node, RT_PROBE, 1, (uint64_t)probe_ms * MS);
	make_call(&r[VICTIM], routine, 1);
	make_ranks_classified(&x, r, 3);
	serial = find_node("serial");
	wait = find_node(routine);
	root = x.model.root;
	ck_assert_int_eq(x.causes.error_ns, 0);
	law_begin(&x, &x.causes);
}

static void begin(void) { begin_with("MPI_Barrier", 0); }

/* No process has a trace. */
static void check(void)
{
	struct timelines timelines;
	timelines_init(&timelines, &x, &x.warning);
	law_check(&x, &x.causes, &(struct thread_waits){ .timelines = &timelines });
	timelines_release(&timelines);
}

static void charge(uint32_t victim, int ms)
{
	law_charge(&x, &x.causes, victim, CULPRIT, serial, (int64_t)ms * MS);
}

static int allowed(uint32_t victim, uint32_t node, int ms)
{
	return (int)(law_allowed(&x, victim, CULPRIT, node, (int64_t)ms * MS) / MS);
}

/* -- charges ----------------------------------------------------------------------------------- */

START_TEST(a_victim_is_charged_for_what_the_culprit_did)
{
	begin();
	ck_assert_int_eq(allowed(VICTIM, serial, 60), 60);
	ck_assert_int_eq(allowed(VICTIM, serial, 160), 100);
	charge(VICTIM, 70);
	ck_assert_int_eq(allowed(VICTIM, serial, 60), 30);
	ck_assert_int_eq(allowed(OTHER, serial, 160), 100); /* each victim may be */
	charge(VICTIM, 30);
	ck_assert_int_eq(allowed(VICTIM, serial, 1), 0);
	charge(OTHER, 100);
	check();
	ck_assert_int_eq(x.causes.error_ns, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(a_larger_charge_is_a_violation)
{
	begin();
	charge(VICTIM, 70);
	charge(VICTIM, 50);
	charge(OTHER, 110);
	ck_assert_int_eq(allowed(VICTIM, serial, 10), 0);
	check();
	ck_assert_int_eq(x.causes.error_ns, 20 * MS); /* the largest */
	x.causes.error_ns = 0;
	check(); /* the charges are gone */
	ck_assert_int_eq(x.causes.error_ns, 0);
	experiment_release(&x);
}
END_TEST

/* A trace does not tell a region from the probes in it. */
START_TEST(a_region_includes_the_probes_in_it)
{
	begin_with("MPI_Barrier", 30);
	ck_assert_int_eq(allowed(VICTIM, serial, 110), 100);
	charge(VICTIM, 110);
	check();
	ck_assert_int_eq(x.causes.error_ns, 10 * MS);
	experiment_release(&x);
}
END_TEST

/* Of a culprit that was never in the node, nothing may be charged. */
START_TEST(a_node_must_be_the_culprits)
{
	begin();
	ck_assert_int_eq(law_allowed(&x, CULPRIT, VICTIM, serial, MS), 0);
	law_charge(&x, &x.causes, CULPRIT, VICTIM, serial, MS);
	check();
	ck_assert_int_eq(x.causes.error_ns, MS);
	experiment_release(&x);
}
END_TEST

/* The root stands for what is not recorded. */
START_TEST(what_is_not_recorded_has_no_limit)
{
	begin();
	ck_assert_int_eq(allowed(VICTIM, root, 5000), 5000);
	law_charge(&x, &x.causes, VICTIM, CULPRIT, root, 5000ll * MS);
	law_charge(&x, &x.causes, VICTIM, NONE, serial, 5000ll * MS);
	law_charge(&x, &x.causes, VICTIM, CULPRIT, NONE, 5000ll * MS);
	law_charge(&x, &x.causes, VICTIM, CULPRIT, serial, -1);
	ck_assert_int_eq(allowed(VICTIM, serial, 100), 100);
	check();
	ck_assert_int_eq(x.causes.error_ns, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(the_largest_violation_is_kept)
{
	begin();
	law_violation(&x.causes, 10);
	law_violation(&x.causes, 30);
	law_violation(&x.causes, 20);
	law_violation(&x.causes, -5);
	check();
	ck_assert_int_eq(x.causes.error_ns, 30);
	experiment_release(&x);
}
END_TEST

/* -- waits without a cause --------------------------------------------------------------------- */

static void clear_causes(void)
{
	x.causes.delay_cost.n = 0;
	x.classify.booking.fill.n = 0;
}

static void book(uint32_t pu, enum sis_overhead leaf, int ms)
{
	*vec_push(&x.classify.booking.fill) = (struct booking){ wait, pu, leaf,
								(int64_t)ms * MS };
}

static void cause(enum sis_overhead leaf, uint32_t culprit_node, int ms)
{
	*vec_push(&x.causes.delay_cost) = (struct delay_cost){
		.node = wait,
		.leaf = leaf,
		.culprit = CULPRIT,
		.culprit_node = culprit_node,
		.ns = (int64_t)ms * MS,
	};
}

static int not_recorded(void)
{
	check();
	return (int)(x.causes.not_recorded_ns / MS);
}

/* What was booked and has no cause. */
START_TEST(waits_are_compared_with_bookings)
{
	begin();
	clear_causes();
	book(0, OSYNC_IBAR, 100);
	book(1, OSYNC_IBAR, 50);
	ck_assert_int_eq(not_recorded(), 150);
	cause(OSYNC_IBAR, serial, 80);
	ck_assert_int_eq(not_recorded(), 70);
	cause(OSYNC_IBAR, root, 70); /* is none */
	ck_assert_int_eq(not_recorded(), 70);
	cause(OSYNC_IBAR, serial, 90); /* too much of one does not make up for others */
	book(0, OLOSS_UNPAR, 5);
	book(0, OSYNC_LOCK, 3);
	ck_assert_int_eq(not_recorded(), 8);
	book(0, ODATA_SEND, 1000); /* no wait */
	ck_assert_int_eq(not_recorded(), 8);
	book(0, OSYNC_MBAR, 100); /* of processes */
	cause(OSYNC_MBAR, serial, 60);
	cause(OSYNC_MBAR, root, 20);
	ck_assert_int_eq(not_recorded(), 48);
	book(0, OSYNC_INIT, 500); /* a process began late: this is a cause */
	cause(OSYNC_INIT, root, 500);
	ck_assert_int_eq(not_recorded(), 48);
	experiment_release(&x);
}
END_TEST

/* A call for the lock of a window takes time of its own, which is booked as its waits are. */
START_TEST(waits_among_own_time_are_those_that_were_charged)
{
	begin_with("MPI_Win_lock", 0);
	clear_causes();
	book(0, OSYNC_RMALOCK, 100);
	cause(OSYNC_RMALOCK, serial, 60);
	ck_assert_int_eq(not_recorded(), 0);
	cause(OSYNC_RMALOCK, root, 20);
	cause(OSYNC_RMALOCK, NONE, 10);
	ck_assert_int_eq(not_recorded(), 30);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("law", a_victim_is_charged_for_what_the_culprit_did, a_larger_charge_is_a_violation,
	  a_region_includes_the_probes_in_it, a_node_must_be_the_culprits,
	  what_is_not_recorded_has_no_limit, the_largest_violation_is_kept,
	  waits_are_compared_with_bookings, waits_among_own_time_are_those_that_were_charged)
