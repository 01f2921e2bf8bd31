/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling.c - adds samples to the estimates of nodes (schema/profile.h, "Estimates"). The sampler
 * calls this; the thread that opens the profile starts it.
 *
 * A sample stands for the current node and for those around it, up to the first whose open
 * activation is timed: the time of that one is known without it.
 */
#include "base/config.h"
#include "base/signal_action.h"
#include "base/signal_mask.h"
#include "profile/text.h"
#include "sampling/sampler.h"
#include "base/clock.h"
#include "sampling/rungs.h"
#include "sampling/sampling.h"

#include <errno.h>
#include <signal.h>

/* The thread of the node enters and leaves regions meanwhile. */
#define FROM_OUTSIDE __attribute__((no_sanitize("thread")))

FROM_OUTSIDE static void add_sample(const struct sis_sample *sample)
{
	if (sample->since == 0)
		return;
	for (const volatile struct sis_node *node = sample->node;
	     node && node->start == SIS_START_SAMPLED; node = node->parent) {
		struct sis_estimate *estimate = node->estimate;
		if (!estimate)
			continue;
		estimate->samples++;
		estimate->sampled += sample->since;
		estimate->sampled_squared += (double)sample->since * (double)sample->since;
	}
}

enum { VISITS = 8192 }; /* some 150 us of probes */

static const struct sis_subscriber estimates = { .sample = add_sample };

static void note_pairs(void)
{
	double ns = 1e9 / (double)sis__header()->ticks_per_second;
	sis__text("pair", "%.2f\t%.2f", sis__pair_ticks[SIS_RUNG_FRACTION] * ns,
		  sis__pair_ticks[SIS_RUNG_SAMPLED] * ns);
}

/* A thread is made with memory of malloc, which a signal handler may have interrupted. While a
 * handler runs, its signal is blocked, unless it was set with SA_NODEFER. So the thread is not made
 * while a signal with a handler is blocked, or if a handler has that flag.
 * LIMIT: if all threads with regions always block such a signal, the budget is never kept. */
static bool may_be_handler(void)
{
	sigset_t blocked;
	if (sis__signal_mask(SIG_BLOCK, NULL, &blocked) != 0)
		return true;
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		bool handled = __sigaction(number, NULL, &action) == 0 &&
			action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
		if (handled &&
		    (sigismember(&blocked, number) == 1 || (action.sa_flags & SA_NODEFER)))
			return true;
	}
	return false;
}

/* Enough calls were counted that measuring may cost something: from now on they are timed by the
 * fast path, and the sampler looks at what they cost. A process with few calls has no sampler.
 * LIMIT: if the program has a malloc of its own, with regions inside, and one of these is the last
 * that is counted, the process may hang. SIS_OVERHEAD=off makes no thread. */
static void start_budget(void)
{
	int saved = errno;
	if (sis__config.overhead <= 0) /* by the source */
		return;
	if (may_be_handler()) {
		sis__clock_count_visits(VISITS, start_budget);
		errno = saved;
		return;
	}
	note_pairs();
	sis__sampler_subscribe(&estimates);
	sis__sampler_subscribe(&sis__rungs_subscriber);
	if (!sis__sampler_start(0))
		sis__warn("no thread can be created that keeps the overhead below SIS_OVERHEAD: "
			  "regions that are called often cost more");
	errno = saved;
}

/* With SIS_TIMING the user has chosen, and a trace has all events. */
static void begin_budget(void)
{
	if (sis__config.trace.mode || sis__config.rung ||
	    (sis__config.overhead <= 0 && sis__config.overhead_by == SIS_OVERHEAD_SET))
		return;
	if (sis__sampling) /* of a forked child, whose parent had turned something down */
		start_budget();
	else
		sis__clock_count_visits(VISITS, start_budget);
}

void sis__sampling_new_process(void)
{
	sis__sampler_new_process();
	sis__rungs_new_process();
}

void sis__sampling_begin(void)
{
	begin_budget();
	if (sis__config.rung != SIS_RUNG_SAMPLED)
		return;
	sis__sampler_subscribe(&estimates);
	if (!sis__sampler_start(sis__config.sample_hz))
		sis__warn("SIS_TIMING=sample: no thread can be created that samples; regions are "
			  "counted and have no times");
}
