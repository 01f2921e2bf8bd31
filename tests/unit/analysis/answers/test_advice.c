/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The rows of advice.def: for each one, numbers for which it is right, and similar ones for which
 * it is not. */
#include <string.h>

#include "answers/query/advice.h"
#include "unit.h"

static double remains;

/* Two units on enough processors lose 0.3 s of 1 s in a region of this type. */
static struct advice_facts in(enum sis_region_type type)
{
	return (struct advice_facts){
		.type = type, .seconds = 0.3, .t_p = 1, .p = 2, .processes = 1, .processors = 4,
		.useful = 0.7, .units = 2, .calls = 2, .known = 1, .doers = 1,
	};
}

static const char *rule(enum sis_overhead leaf, struct advice_facts facts)
{
	enum advice advice = advice_choose(leaf, &facts, &remains);
	return advice == ADVICE_NONE ? "none" : advice_table[advice].name;
}

#define RULE(expected, leaf, type, ...) \
	do { \
		struct advice_facts f = in(type); \
		__VA_ARGS__; \
		ck_assert_str_eq(rule(leaf, f), expected); \
	} while (0)

START_TEST(a_lack_of_processors)
{
	RULE("TOO_FEW_PROCESSORS", OLOSS_NOCPU, CR_NONE, f.p = 8);
	RULE("OTHER_PROGRAMS", OLOSS_NOCPU, CR_NONE, f.p = 4);
	RULE("NO_PROCESSOR", OLOSS_NOCPU, CR_NONE, f.processors = 0);
	RULE("PROBES", OPROBE, RT_RUN, f.setup = 0.1);
	RULE("SETUP_OF_PROBES", OPROBE, RT_RUN, f.setup = 0.2);
}
END_TEST

START_TEST(many_short_waits)
{
	RULE("FREQUENT_BARRIERS", OSYNC_IBAR, CR_OMPPAFOR, f.calls = 1e6);
	RULE("FREQUENT_BARRIERS", OSYNC_EBAR, CR_OMPBARRIER, f.calls = 1e6);
	RULE("FREQUENT_BARRIERS", OLOSS_UNPAR, CR_OMPPAFOR, f.calls = 1e6);
	RULE("FREQUENT_CALLS", OSYNC_NXN, CR_MPIALLREDUCE, f.calls = 1e6, f.doers = 2);
	RULE("FREQUENT_CALLS", OSYNC_LATESEND, CR_MPIRECV, f.calls = f.messages = 1e6);
	/* polls for one message, which was late once */
	RULE("SENDER_LATE", OSYNC_LATESEND, CR_MPITEST, f.calls = 1e6, f.messages = 1);
	RULE("LOOP_STATIC", OSYNC_IBAR, CR_OMPPAFOR, f.calls = 2000); /* 300 us each */
	RULE("UNPAR_SERIAL", OLOSS_UNPAR, CR_F, f.calls = 1e6);
}
END_TEST

START_TEST(some_work)
{
	RULE("UNPAR_PROCESS", OLOSS_UNPAR, CR_MPIBCAST, );
	RULE("UNPAR_SINGLE", OLOSS_UNPAR, CR_OMPSINGLE, );
	RULE("UNPAR_SINGLE", OLOSS_UNPAR, CR_OMPMASKED, );
	RULE("UNPAR_SECTIONS", OLOSS_UNPAR, CR_OMPPASEC, );
	RULE("UNPAR_SERIAL", OLOSS_UNPAR, CR_F, );
	RULE("UNPAR_TEAM", OLOSS_UNPAR, CR_OMPPA, );
	RULE("PART_PROCESSES", OLOSS_PART, CR_MPIBARRIER, );
	RULE("PART_SECTIONS", OLOSS_PART, CR_OMPSECTIONS, );
	RULE("PART_THREADS", OLOSS_PART, CR_F, );
}
END_TEST

/* Nobody can divide the runtime's work, or what is before the program. */
START_TEST(the_runtime_has_no_remedy)
{
	RULE("none", OLOSS_UNPAR, RT_PROBE, );
	RULE("none", OLOSS_UNPAR, RT_RUN, );
	RULE("none", OSYNC_LATESEND, CR_NONE, );
	RULE("none", OCTRL_MPIMGMT, CR_MPIINIT, f.calls = 100);
	RULE("none", OUNID, CR_F, );
}
END_TEST

START_TEST(against_the_sequential_run)
{
	RULE("REPLICATED", OLOSS_REPL, CR_F, );
	RULE("MORE_WORK", OADD_ALGO, CR_F, );
	RULE("SLOWER_CODE", OADD_COMP, CR_F, );
	RULE("QUERIES", OADD_QUERY, CR_MPI, f.calls = 1e6);
	ck_assert_double_le(remains, 1e-6);
	RULE("none", OADD_QUERY, CR_MPI, );
}
END_TEST

START_TEST(barriers_of_threads)
{
	RULE("LOOP_STATIC", OSYNC_IBAR, CR_OMPFOR, );
	RULE("LOOP_STATIC", OSYNC_IBAR, CR_OMPPAFOR, );
	RULE("LOOP_DYNAMIC", OSYNC_IBAR, CR_OMPPAFOR, f.chunks = 10);
	RULE("LOOP_ORDERED", OSYNC_IBAR, CR_OMPPAFOR, f.chunks = 10, f.ordered = 10);
	RULE("SECTIONS", OSYNC_IBAR, CR_OMPPASEC, );
	RULE("TEAM_UNEVEN", OSYNC_IBAR, CR_OMPPA, );
	RULE("TEAM_UNEVEN", OSYNC_IBAR, CR_OMPSINGLE, );
	RULE("BARRIER_TASKS", OSYNC_IBAR, CR_OMPPA, f.tasks = 3, f.in_task = true);
	RULE("BARRIER_TASKS", OSYNC_EBAR, CR_OMPBARRIER, f.tasks = 3, f.known = 0.2);
	RULE("TASKS_MISSING", OSYNC_EBAR, CR_OMPBARRIER, f.tasks = 3);
	RULE("BARRIER_UNEVEN", OSYNC_EBAR, CR_OMPBARRIER, );
	RULE("none", OSYNC_IBAR, CR_OMPPAFOR, f.units = 1);
	RULE("none", OSYNC_EBAR, CR_OMPBARRIER, f.units = 1);
}
END_TEST

START_TEST(other_waits_of_threads)
{
	RULE("CRITICAL", OSYNC_CRIT, CR_OMPCRITICAL, );
	RULE("LOCK", OSYNC_LOCK, CR_OMPLOCK, );
	RULE("ATOMIC", OSYNC_ATOMIC, CR_OMPATOMIC, );
	RULE("ORDERED", OSYNC_ORDERED, CR_OMPORDERED, );
	RULE("TASKWAIT", OSYNC_TASKWAIT, CR_OMPTASKWAIT, f.units = 1);
	RULE("TASKGROUP", OSYNC_TASKGROUP, CR_OMPTASKGROUP, f.units = 1);
	RULE("COPYPRIVATE", OSYNC_COPYPRIV, CR_OMPSINGLE, );
	RULE("MUTEX", OSYNC_PTMUTEX, CR_PTMUTEX, );
	RULE("CONDITION", OSYNC_PTCOND, CR_PTCOND, );
	RULE("JOIN", OSYNC_PTJOIN, CR_PTJOIN, );
	RULE("UNCONTENDED", OSYNC_UNCONT, CR_OMPATOMIC, );
	RULE("DEVICE", OSYNC_DEVICE, CR_OMPTARGET, );
	RULE("none", OSYNC_CRIT, CR_OMPCRITICAL, f.units = 1);
	RULE("none", OSYNC_PTMUTEX, CR_PTMUTEX, f.p = 1);
}
END_TEST

START_TEST(waits_of_processes)
{
	RULE("WRONG_ORDER", OSYNC_LATESEND, CR_MPIRECV, f.wrong_order = 0.9);
	RULE("SENDER_LATE", OSYNC_LATESEND, CR_MPIRECV, );
	RULE("SENDER_UNEVEN", OSYNC_LATESEND, CR_MPIRECV, f.doers = 2);
	RULE("SERIALIZED", OSYNC_LATESEND, CR_MPIRECV, f.doers = 2, f.balance = 0.97,
	     f.passed = 0.5);
	RULE("LATE_CHANGES", OSYNC_LATESEND, CR_MPIRECV, f.doers = 2, f.balance = 0.97);
	RULE("LATE_CHANGES", OSYNC_NXN, CR_MPIALLREDUCE, f.doers = 2, f.balance = 0.97);
	RULE("RECEIVER_LATE", OSYNC_LATERECV, CR_MPISEND, );
	RULE("WINDOW_LOCK", OSYNC_RMALOCK, CR_MPIWIN, );
	RULE("WINDOW_FLUSH", OSYNC_RMAFLUSH, CR_MPIWIN, );
	RULE("WINDOW_EPOCH", OSYNC_PSCW, CR_MPIWIN, );
	RULE("PROCESSES_UNEVEN", OSYNC_NXN, CR_MPIALLREDUCE, f.doers = 2);
	RULE("PROCESSES_LATE", OSYNC_NXN, CR_MPIALLREDUCE, );
	RULE("CAUSE_UNKNOWN", OSYNC_NXN, CR_MPIALLREDUCE, f.known = 0.2);
	ck_assert_double_eq_tol(remains, 0.06, 1e-9);
	/* too little to be worth another run */
	RULE("CAUSE_UNKNOWN", OSYNC_NXN, CR_MPIALLREDUCE, f.known = 0.2, f.seconds = 0.03);
	ck_assert_double_eq_tol(remains, 0.03, 1e-9);
}
END_TEST

/* Sizes and times decide between latency, bandwidth and what neither explains. */
START_TEST(data_between_processes)
{
	RULE("SMALL_MESSAGES", ODATA_SEND, CR_MPISEND,
	     f.calls = f.messages = 1e5, f.bytes = 8e5);
	ck_assert_double_le(remains, 0.001);
	RULE("LARGE_MESSAGES", ODATA_SEND, CR_MPISEND, f.calls = f.messages = 100, f.bytes = 1e9);
	ck_assert_double_eq(remains, 0);
	RULE("SLOW_TRANSFER", ODATA_SEND, CR_MPISEND, f.calls = f.messages = 10, f.bytes = 80);
	RULE("SMALL_COLLECTIVES", ODATA_RED, CR_MPIALLREDUCE, f.calls = f.messages = 1e5,
	     f.bytes = 8e5);
	RULE("LARGE_COLLECTIVES", ODATA_BCAST, CR_MPIBCAST, f.calls = f.messages = 100,
	     f.bytes = 1e9);
	/* no more than the useful work can hide a transfer */
	RULE("LARGE_MESSAGES", ODATA_SEND, CR_MPISEND, f.calls = f.messages = 100, f.bytes = 1e9,
	     f.useful = 0.1);
	ck_assert_double_eq_tol(remains, 0.2, 1e-9);
	RULE("PACKING", ODATA_PACK, CR_MPITYPE, f.calls = 1e6);
	RULE("SMALL_ACCESSES", ODATA_PUT, CR_MPIPUT, f.calls = 1e6, f.bytes = 8e6);
	RULE("LARGE_ACCESSES", ODATA_PUT, CR_MPIPUT, f.calls = 100, f.bytes = 1e9);
}
END_TEST

START_TEST(files_and_memory)
{
	RULE("SMALL_IO", ODATA_WRITE, CR_WRITE, f.calls = 1e6);
	RULE("LARGE_IO", ODATA_READ, CR_READ, );
	RULE("SYNC_IO", ODATA_FSYNC, CR_IO, f.calls = 10);
	ck_assert_double_eq_tol(remains, 0.03, 1e-9);
	RULE("META_IO", ODATA_META, CR_OPEN, f.calls = 1e4);
	RULE("none", ODATA_META, CR_OPEN, );
	RULE("INDEPENDENT_IO", ODATA_MPIIO_IND, CR_MPIIO, );
	RULE("COLLECTIVE_IO", ODATA_MPIIO_COL, CR_MPIIO, );
	RULE("ALLOCATION", ODATA_ALLOC, CR_ALLOC, );
	RULE("COPYING", ODATA_MEM, CR_MEM, );
	RULE("PAGE_FAULTS", ODATA_PGFLT, CR_F, );
	RULE("CACHE_MISSES", ODATA_L3, CR_L, );
}
END_TEST

START_TEST(control)
{
	RULE("MANY_FORKS", OCTRL_FORK, CR_OMPPAFOR, f.calls = 2000);
	ck_assert_double_eq_tol(remains, 0.3 / 1000, 1e-9);
	RULE("none", OCTRL_FORK, CR_OMPPAFOR, );
	RULE("MANY_THREADS", OCTRL_FORK, CR_PTCREATE, f.calls = 100);
	RULE("none", OCTRL_FORK, CR_PTCREATE, );
	RULE("MANY_JOINS", OCTRL_JOIN, CR_OMPPA, f.calls = 2000);
	RULE("MANY_CHUNKS", OCTRL_SCHED, CR_OMPFOR, f.chunks = 1e6);
	RULE("none", OCTRL_SCHED, CR_OMPFOR, );
	RULE("MANY_TASKS", OCTRL_TASKCRE, CR_OMPTASK, );
	RULE("MANY_TASKS", OCTRL_TASKSCHED, CR_OMPPA, );
	RULE("MANY_OBJECTS", OCTRL_MPIMGMT, CR_MPICOMM, f.calls = 1000);
	RULE("none", OCTRL_MPIMGMT, CR_MPICOMM, );
}
END_TEST

/* Sentences: the finding is a clause that begins with a small letter, the remedy one that follows
 * it; neither has its full stop. */
START_TEST(texts_fit_into_sentences)
{
	for (int i = 0; i < ADVICES; i++) {
		const struct advice_info *a = &advice_table[i];
		ck_assert_msg(strchr("abcdefghijklmnopqrstuvwxyz", a->finding[0]) != NULL, "%s",
			      a->name);
		ck_assert_msg(a->finding[strlen(a->finding) - 1] != '.', "%s", a->name);
		ck_assert_msg(a->remedy[strlen(a->remedy) - 1] != '.', "%s", a->name);
		ck_assert_msg(strstr(a->finding, "  ") == NULL, "%s", a->name);
	}
}
END_TEST

UNIT_MAIN("advice", a_lack_of_processors, many_short_waits, some_work, the_runtime_has_no_remedy,
	  against_the_sequential_run, barriers_of_threads, other_waits_of_threads,
	  waits_of_processes, data_between_processes, files_and_memory, control,
	  texts_fit_into_sentences)
