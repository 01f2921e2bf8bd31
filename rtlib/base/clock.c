/* clock.c - the clock of the probes: the time-stamp counter where it is steady, else CLOCK_MONOTONIC.
 * Called at the start and the end of the process; sis__clock_slow by every probe where there is no counter.
 *
 * Ticks become nanoseconds only in the analyzer, by the marks taken here: one moment read on all clocks.
 */
#include "base/core.h"

#include <string.h>
#include <time.h>

SIS_EXPORT int sis__clock_is_tsc;
SIS_EXPORT unsigned sis__sampling, sis__sampling_excess, sis__timing;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

SIS_EXPORT unsigned long long sis__clock_slow(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static bool has_all(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strstr(text, *words))
			return false;
	return true;
}

static unsigned *program_copy = &sis__timing; /* the program's own, if it has one */

static void sample_one_in(unsigned n)
{
	sis__sampling = n;
	sis__timing = *program_copy = n == 0 && !sis__clock_is_tsc ? 1 : n;
}

void sis__clock_tell(unsigned *timing)
{
	program_copy = timing;
	*program_copy = sis__timing;
}

/* The counter must run at one rate in all power states, and the kernel must trust it to agree over the processors. */
void sis__clock_init(void)
{
#if defined __x86_64__ || defined __i386__
	char sources[256];
	sis__read_file("/sys/devices/system/clocksource/clocksource0/available_clocksource", sources, sizeof sources);
	sis__clock_is_tsc = has_all(sis__processor_text(), (const char *const[]){ " constant_tsc", " nonstop_tsc", NULL }) &&
			    has_all(sources, (const char *const[]){ "tsc", NULL });
#endif
	sample_one_in(0);
}

/* The narrowest of some tries: a mark between two ticks far apart was interrupted. */
void sis__clock_mark(struct sis_time_mark *mark)
{
	uint64_t narrowest = UINT64_MAX;
	for (int try = 0; try < 5; try++) {
		uint64_t before = sis__ticks();
		uint64_t monotonic = clock_ns(CLOCK_MONOTONIC);
		uint64_t after = sis__ticks();
		if (after - before >= narrowest)
			continue;
		narrowest = after - before;
		mark->ticks = before + narrowest / 2;
		mark->monotonic_ns = monotonic;
		mark->realtime_ns = clock_ns(CLOCK_REALTIME);
	}
	if (!sis__clock_is_tsc)
		mark->ticks = mark->monotonic_ns;
}

uint64_t sis__clock_rate(const struct sis_time_mark *from, const struct sis_time_mark *to)
{
	uint64_t ns = to->monotonic_ns - from->monotonic_ns;
	if (!sis__clock_is_tsc || ns == 0)
		return 1000000000u;
	return (uint64_t)((double)(to->ticks - from->ticks) * 1e9 / (double)ns);
}

/* -- what a probe costs ------------------------------------------------------------------------------ */

enum { PAIRS = 64, ROUNDS = 16 };

/* Ticks of PAIRS empty activations. */
static uint64_t time_pairs(struct sis_region *region)
{
	uint64_t begin = sis__ticks();
	for (int i = 0; i < PAIRS; i++) {
		sis__enter(NULL, region);
		sis__leave(region);
		__asm__ volatile("" ::: "memory");
	}
	return sis__ticks() - begin;
}

/* The quickest of some rounds; of it, *inner is inside what was measured. */
static uint64_t quickest_pairs(struct sis_region *region, struct sis_node *node, uint64_t *inner)
{
	uint64_t pairs = UINT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		node->total = 0;
		uint64_t ticks = time_pairs(region);
		if (ticks < pairs) {
			pairs = ticks;
			*inner = node->total;
		}
	}
	return pairs;
}

/* Where few activations are timed, one that is seems longer than the rest are: the processor did not expect it, and its
 * clock is read within. That is taken off before it counts for all, so that what is left over of a probe, for inside and
 * outside alike, is half of what it costs on the average. Of 64 pairs four are timed with 1/16; more is a matter of scale. */
static uint64_t calibrate_sampling(struct sis_region *region, struct sis_node *node, uint64_t *inner)
{
	uint64_t timed;
	sample_one_in(16);
	uint64_t pairs = quickest_pairs(region, node, &timed);
	sample_one_in(sis__config.sampling);
	sis__sampling_excess = timed > pairs / 2 ? (unsigned)((timed - pairs / 2) / PAIRS) : 0;
	*inner = pairs / 2;
	return pairs;
}

/* The probes run on a scratch thread with one region. Called inside the runtime, before the thread is measured. */
void sis__clock_calibrate(struct sis_profile_header *header)
{
	struct sis_region region = { 1, 0, "" };
	struct sis_node root = { .region = RT_RUN }, node = { .region = 1, .min = UINT64_MAX };
	struct sis_thread scratch = { .pub = { .current = &root } };
	struct sis__thread *self = sis__self;
	uint64_t inner = 0;

	root.last_child = &node;
	node.parent = &root;
	node.next = &node;
	node.last_child = &sis__no_node;
	sample_one_in(0); /* in a forked child it is its parent's */
	sis__sampling_excess = 0;
	sis__self = (struct sis__thread *)&scratch;
	uint64_t pairs = quickest_pairs(&region, &node, &inner);
	if (sis__config.sampling)
		pairs = calibrate_sampling(&region, &node, &inner);
	sis__self = self;
	struct sis_time_mark now;
	do
		sis__clock_mark(&now);
	while (now.monotonic_ns - header->start.monotonic_ns < 200000); /* error of the rate: some 20 ns in these */
	header->ticks_per_second = sis__clock_rate(&header->start, &now);
	double ns = 1e9 / (double)header->ticks_per_second / PAIRS;
	header->probe_inner_ns = (double)inner * ns;
	header->probe_outer_ns = (double)(pairs - inner) * ns;
}
