/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_writer.c - the thread that writes blocks of the trace to the file while the program goes on
 * (SIS_WRITER). Called under the lock of trace_file.c; only waking the thread needs no lock.
 *
 * The writer is a thread of the runtime (own_thread.c). It is a bare thread (bare_thread.h) unless
 * SIS_WRITER_CPU gives it a processor of its own. It sleeps until a thread has finished a block.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/own_thread.h"
#include "output/profile/text.h"
#include "output/trace/tracing.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SLEEP_NS = 500000000 };

static bool running;     /* in this process */
static bool bare;        /* the thread that runs is a bare one (bare_thread.h) */
static uint32_t tid;     /* the thread's number; UINT32_MAX: not stored yet; 0: no thread */
static uint32_t posted;  /* number of finished blocks, so that the writer misses none */
static uint32_t sleeping;
static bool stopped;     /* the initial thread has ended before the process */

static void *write_on(void *unused)
{
	sis__own_thread_begin("sis-trace");
	__atomic_store_n(&tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	while (__atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED) != SIS_TRACE_OVER &&
	       !__atomic_load_n(&stopped, __ATOMIC_RELAXED)) {
		uint32_t seen = __atomic_load_n(&posted, __ATOMIC_SEQ_CST);
		if (sis__trace_write())
			continue;
		/* pairs with the load in sis__trace_writer_wake */
		__atomic_store_n(&sleeping, 1, __ATOMIC_SEQ_CST);
		sis__futex_wait(&posted, seen, SLEEP_NS);
		__atomic_store_n(&sleeping, 0, __ATOMIC_RELAXED);
	}
	return unused;
}

/* A thread with a processor of its own is not bare: pthread_create makes it, because this function
 * refuses a processor that the process may not use. */
static int start(bool pinned)
{
	cpu_set_t set;
	__atomic_store_n(&tid, UINT32_MAX, __ATOMIC_RELAXED);
	bare = false;
	if (!pinned)
		return sis__own_thread_start_bare(write_on, &bare);
	CPU_ZERO(&set);
	CPU_SET((size_t)sis__config.trace.writer_cpu, &set);
	return sis__own_thread_start(write_on, &set);
}

/* Whether the writer may run on only one processor. There the writer and the program's threads
 * would take turns, which costs more than the synchronous writer. The writer inherits this thread's
 * processors.
 * LIMIT: a quota (cpu.max of a control group) is ignored: a process that may use many processors,
 * but only the time of one, gets the asynchronous writer. */
static bool has_one_processor(void)
{
	cpu_set_t set;
	return sis__config.trace.writer_cpu < 0 && sched_getaffinity(0, sizeof set, &set) == 0 &&
	       CPU_COUNT(&set) == 1;
}

enum sis_trace_writer sis__trace_writer_start(void)
{
	enum sis_trace_by by = sis__config.trace.writer;
	if (sis__config.trace.policy == SIS_POLICY_OVERWRITE)
		return SIS_WRITER_AT_END;
	if (by == SIS_BY_SYNC)
		return SIS_WRITER_SYNC;
	if (by == SIS_BY_AUTO && has_one_processor())
		return SIS_WRITER_SYNC_AUTO;
	int failed = start(sis__config.trace.writer_cpu >= 0);
	if (failed && sis__config.trace.writer_cpu >= 0) {
		sis__warn("bad SIS_WRITER_CPU '%d': this process may not run there; the writer of "
			  "the trace runs anywhere",
			  sis__config.trace.writer_cpu);
		failed = start(false);
	}
	__atomic_store_n(&running, !failed, __ATOMIC_RELAXED);
	if (failed) {
		sis__warn("no thread can be created to write the trace; the program's threads "
			  "write it themselves");
		return SIS_WRITER_SYNC_NO_THREAD;
	}
	return by == SIS_BY_AUTO ? SIS_WRITER_ASYNC_AUTO : SIS_WRITER_ASYNC;
}

bool sis__trace_writer_runs(void)
{
	return __atomic_load_n(&running, __ATOMIC_RELAXED);
}

void sis__trace_writer_wake(void)
{
	__atomic_fetch_add(&posted, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&sleeping, __ATOMIC_SEQ_CST)) /* pairs with write_on */
		sis__futex_wake(&posted);
}

/* From now on each thread writes its own blocks. The writer must end, because otherwise the process
 * would not end with the program's last thread. */
void sis__trace_writer_stop(void)
{
	if (!sis__trace_writer_runs())
		return;
	__atomic_store_n(&running, false, __ATOMIC_RELAXED);
	__atomic_store_n(&stopped, true, __ATOMIC_RELAXED);
	sis__trace_writer_wake();
}

bool sis__trace_writer_pause(void)
{
	if (!sis__trace_writer_runs() || !bare)
		return false;
	sis__trace_writer_stop();
	return sis__own_thread_wait(&tid);
}

void sis__trace_writer_resume(void)
{
	__atomic_store_n(&stopped, false, __ATOMIC_RELAXED);
	__atomic_store_n(&running, start(false) == 0, __ATOMIC_RELAXED);
}

void sis__trace_writer_new_process(void)
{
	running = stopped = false;
	sleeping = tid = 0;
}
