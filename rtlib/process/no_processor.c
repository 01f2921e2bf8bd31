/* SPDX-License-Identifier: BSD-3-Clause */
/* no_processor.c - see no_processor.h. Each thread calls this for itself: at its end, at the end of
 * its part of a team, at the ends of phases between calls of MPI, and at the ends of long calls of
 * MPI. So a long wait and the work before the wait have separate records of the time without a
 * processor.
 *
 * /proc/thread-self/schedstat has three numbers: the nanoseconds on a processor, the nanoseconds in
 * which the thread was ready to run without a processor, and the number of turns. A sleeping thread
 * is not ready to run. Reading the file takes some microseconds. So the file is not read if the
 * thread has kept its processor since the last look. getrusage says this in a tenth of the time.
 *
 * LIMIT: if a thread neither ends, nor calls MPI, nor ends the process, nothing is recorded for it
 * after its last team. */
#include "base/clock.h"
#include "base/read_text.h"
#include "base/state.h"
#include "base/ticks.h"
#include "output/profile/text.h"
#include "measure/core/record_log.h"
#include "process/clock_watch.h"
#include "process/no_processor.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LOOKS_PER_SECOND = 1000,
	SHORTEST_NS = 20000, /* shorter times without a processor are not recorded */
};

/* The kernel's counts at a look. If `ticks` of the last look is 0, there was no look. */
struct look { uint64_t ticks, delay_ns; long switches; };
static __thread struct look last __attribute__((tls_model("initial-exec")));
/* Between two times in ticks, the thread had no processor for `ns`. */
struct lack { uint64_t from, to, ns; };
static __thread struct lack noted __attribute__((tls_model("initial-exec"))); /* ns 0: none */
static bool unreadable; /* any thread sets it, and only to true */

static bool read_delay(uint64_t *ns)
{
	char text[128], *end;
	if (sis__read_file("/proc/thread-self/schedstat", text, sizeof text) == 0)
		return false;
	strtoull(text, &end, 10);
	char *number = end;
	*ns = strtoull(number, &end, 10);
	return number != text && end != number;
}

static long count_switches(int of)
{
	struct rusage usage;
	return syscall(SYS_getrusage, of, &usage) == 0 ? usage.ru_nivcsw + usage.ru_nvcsw : 0;
}

uint64_t sis__no_processor_begin(void)
{
	int saved = errno;
	noted.ns = 0;
	if (sis__is_confined())
		return 0;
	last = (struct look){ .ticks = sis__ticks(), .switches = count_switches(RUSAGE_THREAD) };
	if (!read_delay(&last.delay_ns))
		__atomic_store_n(&unreadable, true, __ATOMIC_RELAXED);
	errno = saved;
	return last.delay_ns;
}

static void record(struct sis_thread *thread, struct sis_node *node, const struct lack *lack,
		   uint64_t since)
{
	if (lack->ns >= SHORTEST_NS)
		sis__record_put(thread, &(struct sis_record){
			.kind = SIS_RECORD_NOCPU,
			.enter = lack->from > since ? lack->from : since,
			.exit = lack->to,
			.node = node,
			.bytes = lack->ns,
			.peer = -1,
			.tag = -1 });
}

/* Asks the kernel for the time without a processor since the last look. */
static struct lack ask(void)
{
	int saved = errno;
	if (sis__is_confined())
		return (struct lack){ 0 };
	struct look now = { sis__ticks(), last.delay_ns, count_switches(RUSAGE_THREAD) };
	sis__clock_watch(now.ticks);
	bool kept = last.ticks && now.switches == last.switches;
	if (kept || __atomic_load_n(&unreadable, __ATOMIC_RELAXED) || !read_delay(&now.delay_ns) ||
	    now.delay_ns < last.delay_ns)
		now.delay_ns = last.delay_ns;
	struct lack lack = { last.ticks, now.ticks, now.delay_ns - last.delay_ns };
	last = now;
	errno = saved;
	return lack;
}

/* Two notes without a look between them make one record. */
SIS_EXPORT void sis__no_processor_note(void)
{
	struct lack lack = ask();
	if (noted.ns) {
		lack.from = noted.from;
		lack.ns += noted.ns;
	}
	noted = lack;
}

static void record_noted(struct sis_thread *thread, uint64_t since)
{
	record(thread, thread->pub.root, &noted, since);
	noted.ns = 0;
}

SIS_EXPORT void sis__no_processor_last(struct sis_thread *thread, uint64_t since)
{
	record_noted(thread, since);
	struct lack lack = ask();
	record(thread, thread->pub.root, &lack, since);
}

static uint64_t ticks_per_second(void) { return sis__header()->ticks_per_second; }
static uint64_t ticks_between_looks(void) { return ticks_per_second() / LOOKS_PER_SECOND; }

SIS_EXPORT void sis__no_processor_look(struct sis_thread *thread, uint64_t since, uint64_t now)
{
	if (now - last.ticks >= ticks_between_looks())
		sis__no_processor_last(thread, since);
	else
		record_noted(thread, since);
}

uint64_t sis__no_processor_counted(void) { return last.delay_ns; }

uint64_t sis__no_processor_began(struct sis_thread *thread, struct sis_node *node, uint64_t from,
				 uint64_t now)
{
	if (now - last.ticks < ticks_between_looks())
		return 0;
	struct lack lack = ask();
	uint64_t most = now > from ? sis__ticks_to_ns(now - from) : 0;
	lack.from = from;
	lack.ns = lack.ns < most ? lack.ns : most;
	record(thread, node, &lack, from);
	return lack.ns;
}

void sis__no_processor_put(struct sis_thread *thread, struct sis_node *node, uint64_t from,
			   uint64_t to, uint64_t ns)
{
	record(thread, node, &(struct lack){ from, to, ns }, from);
}

/* If the wait took more than nine tenths of the time since the last look, the time without a
 * processor is attributed to the wait. */
SIS_EXPORT void sis__no_processor_waited(struct sis_thread *thread, struct sis_node *node,
					 uint64_t from, uint64_t since, uint64_t now)
{
	if (now - last.ticks < ticks_between_looks())
		return record_noted(thread, since);
	if (now < from || (now - from) / 9 < (now - last.ticks) / 10)
		return sis__no_processor_last(thread, since);
	record_noted(thread, since);
	struct lack lack = ask();
	record(thread, node, &lack, since);
}

void sis__no_processor_end(struct sis_thread *thread)
{
	struct rusage usage;
	if (thread)
		sis__no_processor_last(thread, 0);
	if (__atomic_load_n(&unreadable, __ATOMIC_RELAXED) &&
	    syscall(SYS_getrusage, RUSAGE_SELF, &usage) == 0)
		sis__text("involuntary", "%ld", usage.ru_nivcsw);
}
