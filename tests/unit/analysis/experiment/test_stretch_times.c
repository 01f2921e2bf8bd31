/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* What a thread did during an interval, without its waits. */
#include "unit.h"
#include "experiment/causes/stretch_times.h"
#include "traced_make.h"

static struct experiment x;
static struct timelines timelines;
static struct thread_waits threads;
static struct intervals intervals;
static struct single_waits waits;
static struct lacks lacks; /* none */
static struct stretch_times times;

/* Adds both ranks to the experiment, and prepares its times. */
static void finish(struct traced *const *t)
{
	traced_finish(t[0], &x);
	traced_finish(t[1], &x);
	make_classified(&x);
	timelines_init(&timelines, &x, &x.warning);
	thread_waits_find(&threads, &timelines);
	intervals_init(&intervals, &x, &timelines);
	single_waits_init(&waits, &x, &threads);
	stretch_times_init(&times, &intervals, &waits, &lacks);
}

/* rank 0, slot 0   |= work =|~~ barrier ~~|barrier|= f =|~~ Recv ~~|Recv|  100 200 500 510 600
 *         slot 1   |====== serial ========|barrier|                        to 500, 510
 * rank 1                                              Send                 at 780, to 800 */
static void begin(void)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	uint64_t fork = traced_enter(t[0], 0, 100, RT_PARALLEL);
	traced_visit(t[0], 0, 100, 200, WRITER_FUNCTION(WORK));
	traced_visit(t[0], 0, 200, 510, RT_IBAR);
	traced_leave(t[0], 0, 510);
	traced_visit(t[0], 0, 510, 600, WRITER_FUNCTION(F));
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 600, 800, 1, 0);
	traced_enter_of(t[0], 1, 100, RT_PARALLEL, fork);
	traced_visit(t[0], 1, 100, 500, WRITER_FUNCTION(SERIAL));
	traced_visit(t[0], 1, 500, 510, RT_IBAR);
	traced_leave(t[0], 1, 510);
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 780, 800, 0, 0);
	finish(t);
}

static void end(void)
{
	stretch_times_release(&times);
	single_waits_release(&waits);
	intervals_release(&intervals);
	thread_waits_release(&threads);
	timelines_release(&timelines);
	traced_end(&x);
}

static void collect(uint32_t slot, int from, int to, int waits_from)
{
	int64_t start = x.model.start_ns;
	stretch_times_collect(&times,
			      &(struct thread_stretch){ 0, slot, start + (int64_t)from * MS,
							start + (int64_t)to * MS,
							start + (int64_t)waits_from * MS });
}

/* Milliseconds in a region; all that are not listed are 0. */
static int in(const char *region)
{
	int64_t ns = 0;
	for (size_t i = 0; i < times.used.n; i++) {
		uint32_t entry = times.used.at[i];
		if (entry < x.model.node.n && strcmp(region_of_node(&x, entry)->name, region) == 0)
			ns += times.ns[entry];
	}
	return (int)(ns / MS);
}

static int waiting(void) { return (int)(times.ns[entry_waiting(&times)] / MS); }

START_TEST(waits_are_apart_from_the_regions)
{
	begin();
	collect(0, 100, 1000, 0);
	ck_assert_int_eq(in("work"), 100);
	ck_assert_int_eq(in("f"), 90);
	ck_assert_int_eq(in("implicit barrier"), 10); /* after the other thread had come */
	ck_assert_int_eq(in("MPI_Recv"), 20);
	ck_assert_int_eq(waiting(), 300 + 180);
	ck_assert_int_eq(times.ns[entry_unlocated(&times)], 0);
	collect(1, 100, 1000, 0);
	ck_assert_int_eq(in("serial"), 400);
	ck_assert_int_eq(in("work"), 0);
	ck_assert_int_eq(waiting(), 0);
	end();
}
END_TEST

/* Of a wait that began before, the part in the stretch counts. A wait that ends after the stretch
 * does not count. */
START_TEST(a_stretch_cuts_waits)
{
	begin();
	collect(0, 150, 600, 300);
	ck_assert_int_eq(in("work"), 50);
	ck_assert_int_eq(waiting(), 200);
	collect(0, 700, 900, 700);
	ck_assert_int_eq(in("MPI_Recv"), 20);
	ck_assert_int_eq(waiting(), 80);
	collect(0, 100, 600, 550);
	ck_assert_int_eq(waiting(), 0);
	collect(0, 100, 400, 100);
	ck_assert_int_eq(waiting(), 0);
	end();
}
END_TEST

START_TEST(an_empty_stretch_has_no_times)
{
	begin();
	collect(0, 100, 1000, 0);
	collect(0, 600, 600, 0);
	ck_assert_uint_eq(times.used.n, 0);
	ck_assert_int_eq(in("work"), 0);
	end();
}
END_TEST

/* A stretch that was collected before is not collected again. */
START_TEST(a_stretch_is_held)
{
	begin();
	collect(0, 100, 1000, 0);
	uint32_t entry = times.used.at[0];
	times.ns[entry] = -1;
	collect(0, 100, 1000, 0);
	ck_assert_int_eq(times.ns[entry], -1);
	collect(0, 100, 1000, 1);
	ck_assert_int_ne(times.ns[entry], -1);
	end();
}
END_TEST

/* rank 0   |= g =|Iprobe|= g =|Iprobe|= g =|Recv|   0 100 150 250 300 310, until 400
 * rank 1                                Send          at 290, until 310
 *
 * Between the polls g did nothing else, so this time is a part of the wait. The trace has the time
 * in g. */
START_TEST(time_between_polls_is_no_time_of_the_region_around)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	traced_enter(t[0], 0, 0, WRITER_FUNCTION(G));
	traced_visit(t[0], 0, 100, 150, writer_mpi("MPI_Iprobe"));
	uint64_t probe = traced_visit(t[0], 0, 250, 300, writer_mpi("MPI_Iprobe"));
	struct sis_record polls = make_record(SIS_RECORD_PROBE, probe, 100, 300);
	polls.flags = SIS_RECORD_POLL;
	polls.peer = 1;
	polls.bytes = 100 * MS;
	writer_record(traced_writer(t[0]), 0, polls);
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 300, 310, 1, 0);
	traced_leave(t[0], 0, 400);
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 290, 310, 0, 0);
	finish(t);
	collect(0, 0, 1000, 0);
	ck_assert_int_eq(waiting(), 190);
	ck_assert_int_eq(in("g"), 100 + 10 + 90);
	ck_assert_int_eq(in("MPI_Iprobe"), 0);
	ck_assert_int_eq(in("MPI_Recv"), 10);
	end();
}
END_TEST

UNIT_MAIN("stretch_times", waits_are_apart_from_the_regions, a_stretch_cuts_waits,
	  an_empty_stretch_has_no_times, a_stretch_is_held,
	  time_between_polls_is_no_time_of_the_region_around)
