/* SPDX-License-Identifier: BSD-3-Clause */
/* Units and metrics: registration, metrics that are missing, counters' values, announced calls,
 * records. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "measure/core/record_log.h"
#include "measure/core/site.h"
#include "measure/counters/metric_set.h"
#include "measure/counters/values.h"
#include "rt_support.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

/* -- registration ------------------------------------------------------------------------------ */

static void first_probe_registers(void)
{
	for (int i = 0; i < RT_REGIONS; i++)
		sis__regions[i] = (struct sis_region){ SIS_ID_UNREGISTERED((unsigned)i), 0,
						       "CR_L - -" };
	SIS_ENTER(7) /* as from another unit's constructor */
	SIS_LEAVE(7)
	ck_assert_uint_eq(sis__region_fact(rt_id(7))->type, CR_L);
	unsigned id = sis__regions[7].id;
	sis_unit_register(&sis__unit); /* its own constructor, later */
	ck_assert_uint_eq(sis__regions[7].id, id);
	for (int i = 0; i < RT_REGIONS; i++) /* dlclose, dlopen */
		sis__regions[i].id = SIS_ID_UNREGISTERED((unsigned)i);
	sis_unit_register(&sis__unit);
	ck_assert_uint_eq(sis__regions[7].id, id);
	SIS_ENTER(7)
	SIS_LEAVE(7)
}

START_TEST(a_unit_is_registered_once)
{
	struct rt_run run;
	int units = 0;
	rt_run(&run, first_probe_registers);
	ck_assert_int_eq(run.status, 0);
	struct rt_profile *p = &run.profile[0];
	for (struct sis_chunk *chunk = rt_chunk(p, NULL); chunk; chunk = rt_chunk(p, chunk))
		units += chunk->kind == SIS_CHUNK_UNIT;
	ck_assert_int_eq(units, 1);
	ck_assert_uint_eq(rt_node(p, 0, 7, -1)->calls, 2);
	rt_free(&run);
}
END_TEST

static void other_version(void)
{
	sis__unit.abi = SIS_PROBE_ABI - 1;
	rt_unit();
	ck_assert_uint_eq(sis__regions[0].id, SIS_ID_OFF);
	SIS_ENTER(0)
	SIS_LEAVE(0)
}

static void switched_off(void)
{
	sis__config.enabled = false;
	rt_unit();
	SIS_ENTER(0)
	SIS_LEAVE(0)
	ck_assert_ptr_null(sis__thread());
}

START_TEST(what_cannot_or_should_not_be_measured_is_off)
{
	struct rt_run run;
	rt_run(&run, other_version);
	ck_assert_int_eq(run.status, 0);
	rt_free(&run);
	rt_run(&run, switched_off);
	ck_assert_int_eq(run.status, 0);
	ck_assert_int_eq(run.profiles, 0);
	rt_free(&run);
}
END_TEST

/* -- regions that are turned off and on while they are open ------------------------------------ */

/* As another thread of the runtime does it, at any moment. */
static void turn(int region, bool on)
{
	sis__regions[region].id = on ? rt_id(region) : SIS_ID_OFF;
}

static void recursion(int depth)
{
	SIS_SCOPE(1)
	if (depth == 2)
		turn(1, false);
	if (depth == 5)
		turn(1, true);
	SIS_SCOPE(2)
	if (depth < 7)
		recursion(depth + 1);
}

static void open_when_switched(void)
{
	rt_unit();
	{
		SIS_SCOPE(3)
		turn(3, false); /* ends all the same */
	}
	{
		SIS_SCOPE(3) /* not entered ... */
		turn(3, true);
	} /* ... so not left */
	turn(3, false);
	sis__enter(&sis__unit, &sis__regions[3]); /* it was on when that was tested */
	sis__leave(&sis__regions[3]);
	SIS_VCALL_BEGIN(4) turn(4, false) SIS_VCALL_END(4);
	recursion(0);
	SIS_FLAG(6)
	turn(6, false);
	SIS_FLAG_ENTER(6);
	turn(6, true);
	SIS_FLAG_LEAVE(6);
	SIS_FLAG_ENTER(6);
	turn(6, false);
	SIS_FLAG_LEAVE(6);
	SIS_SCOPE(5)
}

START_TEST(each_activation_ends_at_its_own_leave)
{
	struct rt_run run;
	struct rt_profile *p = rt_run_whole(&run, open_when_switched);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched, 0);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 0);
	ck_assert_uint_eq(rt_node(p, 0, 3, -1)->calls, 2);
	ck_assert_uint_eq(rt_node(p, 0, 4, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(p, 0, 5, -1)->calls, 1); /* below the root */
	ck_assert_uint_eq(rt_node(p, 0, 6, -1)->calls, 1);
	/* 0, 1 and 2 were entered; 3, 4 and 5 were not; 6 and 7 were */
	ck_assert_uint_eq(rt_node(p, 0, 1, 2, 1, 2, 1, 2, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(p, 0, 1, 2, 1, 2, 1, 2, 2, 2, 2, -1)->calls, 1);
	ck_assert_uint_eq(rt_node(p, 0, 1, 2, 1, 2, 1, 2, 2, 2, 2, 1, 2, 1, 2, -1)->calls, 1);
	rt_free(&run);
}
END_TEST

/* -- metrics ----------------------------------------------------------------------------------- */

static uint64_t thread_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void burn(uint64_t ns)
{
	for (uint64_t begin = thread_ns(); thread_ns() - begin < ns;)
		;
}

static void read_bytes(size_t bytes)
{
	char buffer[5000];
	int fd = open("/dev/zero", O_RDONLY);
	ck_assert_int_eq(read(fd, buffer, bytes), (ssize_t)bytes);
	close(fd);
}

static void metrics(void)
{
	rt_unit_what(1, "CR_F - WTIME,CTIME,OSYNC");
	rt_unit_what(2, "CR_F - iobytes_r");
	rt_unit_what(3, "CR_F - WTIME,CALLS,ODATA_COMM");
	rt_unit_what(5, "CR_F - odata"); /* for all leaves, and page faults are counted */
	rt_unit_what(4, "CR_F - NONSENSE,PAPI(no_such_event),VCSW");
	rt_unit();
	/* nothing beyond the default: the fast path */
	ck_assert_uint_eq(sis__regions[3].id & SIS_ID_SPECIAL, 0);
	SIS_ENTER(1)
	usleep(3000);
	burn(2000000);
	SIS_ENTER(2)
	read_bytes(1000);
	SIS_LEAVE(2)
	SIS_ENTER(2)
	read_bytes(234);
	SIS_LEAVE(2)
	SIS_LEAVE(1)
	SIS_ENTER(4)
	usleep(1000);
	SIS_LEAVE(4)
	SIS_ENTER(5)
	SIS_LEAVE(5)
	SIS_ENTER(1)
	burn(1000000);
	exit(0); /* open: counted until here */
}

START_TEST(metrics_are_differences_between_enter_and_leave)
{
	struct rt_run run;
	rt_run(&run, metrics);
	ck_assert_int_eq(run.status, 0);
	struct rt_profile *p = &run.profile[0];
	struct sis_values *time = rt_at(p, rt_node(p, 0, 1, -1)->values);
	ck_assert_uint_eq(time->count, 1);
	ck_assert_uint_ge(time->value[0].sum, 3000000);
	double wall = (double)rt_node(p, 0, 1, -1)->total * 1e9 /
		(double)p->header->ticks_per_second;
	ck_assert_double_lt((double)time->value[0].sum, wall - 2.5e6); /* asleep is not CPU time */
	struct sis_values *bytes = rt_at(p, rt_node(p, 0, 1, 2, -1)->values);
	ck_assert_uint_eq(bytes->value[0].sum, 1234);
	struct sis_values *switches = rt_at(p, rt_node(p, 0, 4, -1)->values);
	ck_assert_uint_eq(switches->count, 1);
	ck_assert_uint_ge(switches->value[0].sum, 1);
	struct sis_values *moved = rt_at(p, rt_node(p, 0, 5, -1)->values);
	ck_assert_uint_ge(moved->count, 1);
	ck_assert(rt_has_text(p, "missing\tPAPI(no_such_event)\t"));
	ck_assert(rt_has_text(p, "warning\tunknown metric 'NONSENSE'"));
	rt_free(&run);
}
END_TEST

static void replaced_default(void)
{
	sis__config.metrics = "MINFLT";
	rt_unit_what(2, "CR_MPISEND MPI_Send -");
	rt_unit();
	SIS_ENTER(1)
	volatile char *pages = malloc(1 << 20);
	for (int i = 0; i < 1 << 20; i += 4096)
		pages[i] = 1;
	free((char *)pages);
	SIS_LEAVE(1)
	struct sis_thread *thread = sis__thread();
	struct sis_node *node = sis__begin(thread, rt_id(2), sis__ticks());
	struct sis_values *values = sis__values(thread, node, sis__set_messages);
	values->value[2].sum += 100; /* BYTES_S, whatever other metrics the call has */
	sis__end(thread, node, sis__ticks());
	ck_assert_uint_eq(values->count, 5);
	ck_assert_uint_eq(values->value[2].sum, 100);
}

START_TEST(sis_pmetric_replaces_the_default_metrics)
{
	struct rt_run run;
	rt_run(&run, replaced_default);
	ck_assert_int_eq(run.status, 0);
	struct sis_values *faults = rt_at(&run.profile[0],
					  rt_node(&run.profile[0], 0, 1, -1)->values);
	ck_assert_uint_ge(faults->value[0].sum, 200);
	rt_free(&run);
}
END_TEST

/* -- announced calls and records --------------------------------------------------------------- */

static void sites(void)
{
	rt_unit_what(1, "CR_MPISEND MPI_Send -");
	rt_unit_what(2, "CR_MPIRECV MPI_Recv -");
	rt_unit();
	struct sis_thread *thread = sis__thread();
	SIS_SITE(1)(void)0 SIS_SITE_END;
	SIS_SITE(2)(void)0 SIS_SITE_END; /* among the arguments of the call announced before */
	ck_assert_uint_eq(sis__site_take(thread, SIS_ROUTINE_MPI_Recv), rt_id(2));
	ck_assert_uint_eq(sis__site_take(thread, SIS_ROUTINE_MPI_Recv),
			  SIS_MPI_ID(SIS_ROUTINE_MPI_Recv));
	ck_assert_uint_eq(sis__site_take(thread, SIS_ROUTINE_MPI_Send), rt_id(1));
	for (int i = 0; i < 100; i++) /* never taken */
		SIS_SITE(1)(void)0 SIS_SITE_END;
	SIS_ENTER(3)
	ck_assert_uint_eq(sis__site_take(thread, SIS_ROUTINE_MPI_Send),
			  SIS_MPI_ID(SIS_ROUTINE_MPI_Send));
	SIS_LEAVE(3)
}

START_TEST(an_announced_call_is_taken_once_and_where_it_was_announced)
{
	struct rt_run run;
	rt_run(&run, sites);
	ck_assert_int_eq(run.status, 0);
	rt_free(&run);
}
END_TEST

static void records(void)
{
	rt_unit();
	sis__config.record_bytes = 100000;
	struct sis_thread *thread = sis__thread();
	for (uint64_t i = 0; i < 2000; i++) {
		uint64_t payload = i % 10 == 9 ? 640 : 0;
		struct sis_record *record = sis__record(thread, payload);
		if (!record)
			continue;
		ck_assert_uint_eq(record->kind, 0);
		record->kind = payload ? SIS_RECORD_PHASE : SIS_RECORD_SEND;
		record->bytes = payload;
		record->serial = i;
	}
}

START_TEST(records_are_kept_in_order_up_to_the_limit)
{
	struct rt_run run;
	uint64_t kept = 0, bytes = 0;
	struct rt_profile *p = rt_run_whole(&run, records);
	for (struct sis_chunk *chunk = rt_chunk(p, NULL); chunk; chunk = rt_chunk(p, chunk))
		for (uint64_t at = 0; chunk->kind == SIS_CHUNK_RECORDS && at < chunk->used;) {
			struct sis_record *record = (struct sis_record *)((char *)(chunk + 1) + at);
			if (record->kind == SIS_RECORD_NOCPU) { /* on a busy machine */
				at += sizeof *record;
				continue;
			}
			ck_assert_uint_ge(record->serial, kept);
			at += sizeof *record +
				(record->kind == SIS_RECORD_PHASE ? record->bytes : 0);
			bytes += sizeof *record +
				(record->kind == SIS_RECORD_PHASE ? record->bytes : 0);
			kept++;
		}
	ck_assert_uint_le(bytes, 100000);
	ck_assert_uint_gt(bytes, 99000);
	/* SIS_RECORD_NOCPU may have been dropped, too */
	ck_assert_uint_ge(kept + rt_thread(p, 0)->dropped_records, 2000);
	ck_assert_uint_le(kept + rt_thread(p, 0)->dropped_records, 2010);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("region_registry", a_unit_is_registered_once,
	  what_cannot_or_should_not_be_measured_is_off, each_activation_ends_at_its_own_leave,
	  metrics_are_differences_between_enter_and_leave, sis_pmetric_replaces_the_default_metrics,
	  an_announced_call_is_taken_once_and_where_it_was_announced,
	  records_are_kept_in_order_up_to_the_limit)
