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
#include "base/state.h"
#include "patch/objects.h"
#include "profile/text.h"
#include "sampling/sampler.h"
#include "base/clock.h"
#include "sampling/rungs.h"
#include "sampling/sampling.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

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

enum { VISITS = 8192, /* some 150 us of probes */ RATE = 100 };
#define LATE UINT64_C(1000000000) /* ns after the start */

static const struct sis_subscriber estimates = { .sample = add_sample };

static void note_pairs(void)
{
	double ns = 1e9 / (double)sis__header()->ticks_per_second;
	sis__text("pair", "%.2f\t%.2f", sis__pair_ticks[SIS_RUNG_FRACTION] * ns,
		  sis__pair_ticks[SIS_RUNG_SAMPLED] * ns);
}

/* A thread that is not bare is made with memory of malloc, which a signal handler may have
 * interrupted. While a handler runs, its signal is blocked, unless it was set with SA_NODEFER. So
 * the thread is not made while a signal with a handler is blocked, or if a handler has that flag.
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

/* If the program's own malloc has regions inside, one of these may be the last that is counted, and
 * a thread that is not bare cannot be made there. A statically linked program has its own malloc,
 * too. LIMIT: with a budget such a thread is made all the same, and the process may hang. */
static bool has_own_malloc(void)
{
	if (!sis__lock(&sis__objects_lock))
		return true;
	bool has = sis__object_of((const void *)(uintptr_t)malloc);
	sis__unlock(&sis__objects_lock);
	return has;
}

static bool has_budget(void)
{
	return !sis__config.trace.mode && !sis__config.rung && sis__config.overhead > 0;
}

static void start_sampler(void)
{
	if (has_budget()) {
		note_pairs();
		sis__sampler_subscribe(&estimates);
		sis__sampler_subscribe(&sis__rungs_subscriber);
		if (!sis__sampler_start(0))
			sis__warn("no thread can be created that keeps the overhead below "
				  "SIS_OVERHEAD: regions that are called often cost more");
		return;
	}
	if (sis__sampler_needs_malloc() && has_own_malloc())
		return;
	sis__sampler_start(RATE);
}

static unsigned visits, asked; /* so far; until the next look */

/* At first measuring costs next to nothing, and there are programs that may not have a second
 * thread, as in a sandbox. So the sampler starts after VISITS activations, or with the first one
 * after LATE, so that commands of `sis-analyze control` are obeyed. The looks until then are a
 * tenth of LATE apart, at the rate of activations so far. */
static void count_visits(void)
{
	int saved = errno;
	uint64_t ns = sis__ticks() - sis__header()->start.ticks;
	ns = (uint64_t)((double)ns * 1e9 / (double)sis__header()->ticks_per_second);
	visits += asked;
	bool due = (visits >= VISITS || ns >= LATE) && !sis__is_confined();
	if (due && !(sis__sampler_needs_malloc() && may_be_handler())) {
		start_sampler();
	} else {
		uint64_t next = due ? VISITS : (visits + 1) * (LATE / 10) / (ns + 1) + 1;
		asked = next < VISITS ? (unsigned)next : VISITS;
		sis__clock_count_visits(asked, count_visits);
	}
	errno = saved;
}

/* There is no budget if SIS_TIMING gives nodes a lower rung, because the user has chosen, nor with
 * a trace, which has all events. A process that traces starts the sampler at once: traced
 * activations are not counted, and the process has a thread for writing from the start. */
static void begin_count(void)
{
	if (sis__config.rung == SIS_RUNG_SAMPLED)
		return;
	visits = asked = 0;
	if (sis__config.trace.mode ||
	    (sis__sampling && has_budget())) /* of a forked child: something was turned down */
		start_sampler();
	else
		count_visits();
}

void sis__sampling_new_process(void)
{
	sis__sampler_new_process();
	sis__rungs_new_process();
}

void sis__sampling_begin(void)
{
	begin_count();
	if (sis__config.rung != SIS_RUNG_SAMPLED)
		return;
	sis__sampler_subscribe(&estimates);
	if (!sis__sampler_start(sis__config.sample_hz))
		sis__warn("SIS_TIMING=sample: no thread can be created that samples; regions are "
			  "counted and have no times");
}
