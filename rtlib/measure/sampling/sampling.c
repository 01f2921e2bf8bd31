/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling.c - adds samples to the estimates of nodes (schema/profile.h, "Estimates"). Called by
 * the sampler, which the thread that opens the profile starts.
 *
 * A sample counts for the current node and for the nodes around it, up to the first node whose open
 * activation is timed: the time of this node is known without samples.
 */
#include "base/config.h"
#include "base/signal_action.h"
#include "base/signal_mask.h"
#include "base/state.h"
#include "base/ticks.h"
#include "measure/patch/objects.h"
#include "output/profile/text.h"
#include "measure/sampling/sampler.h"
#include "base/clock.h"
#include "measure/sampling/rungs.h"
#include "measure/sampling/sampling.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

/* The sampled thread enters and leaves regions meanwhile. */
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

enum { VISITS = 8192, /* activations, whose probes take some 150 us */ RATE = 100 };
#define LATE UINT64_C(1000000000) /* ns after the start */

static const struct sis_subscriber estimates = { .sample = add_sample };

/* Whether this may be a signal handler. Creating a thread that is not bare calls malloc, which is
 * wrong in a handler that may have interrupted malloc. While a handler runs, its signal is blocked,
 * unless the handler was installed with SA_NODEFER. So the thread is not created while a signal
 * with a handler is blocked, or if a handler has this flag.
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

/* Whether the program has a malloc of its own. If this malloc contains regions, the last counted
 * activation may be inside it, where a thread that is not bare cannot be created. A statically
 * linked program has its own malloc, too. LIMIT: with a budget the thread is created nevertheless,
 * and the process may hang. */
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
		double ns = 1e9 / (double)sis__header()->ticks_per_second;
		sis__text("pair", "%.2f\t%.2f", sis__pair_ticks[SIS_RUNG_FRACTION] * ns,
			  sis__pair_ticks[SIS_RUNG_SAMPLED] * ns);
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

static unsigned visits, asked; /* activations so far, and until the next look */

/* At first measuring costs next to nothing, and some programs must not have a second thread, for
 * example in a sandbox. So the sampler starts only after VISITS activations. It also starts with
 * the first activation after LATE, so that commands of `sis-analyze control` are obeyed. Until then
 * this function is called about every tenth of LATE: the rate of activations so far says after how
 * many activations this is. */
static void count_visits(void)
{
	int saved = errno;
	uint64_t ns = sis__ticks_to_ns(sis__ticks() - sis__header()->start.ticks);
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

void sis__sampling_new_process(void)
{
	sis__sampler_new_process();
	sis__rungs_new_process();
}

/* There is no budget if SIS_TIMING gives nodes a lower rung, because then the user has chosen the
 * rungs. There is no budget with a trace either, because a trace has all events. A process that
 * traces starts the sampler at once: its activations are not counted, and it may have other threads
 * anyway, since the asynchronous writer is one. */
void sis__sampling_begin(void)
{
	if (sis__config.rung != SIS_RUNG_SAMPLED) {
		visits = asked = 0;
		if (sis__config.trace.mode ||
		    (sis__sampling && has_budget())) /* a child with nodes turned down */
			start_sampler();
		else
			count_visits();
		return;
	}
	sis__sampler_subscribe(&estimates);
	if (!sis__sampler_start(sis__config.sample_hz))
		sis__warn("SIS_TIMING=sample: no thread can be created that samples; regions are "
			  "counted and have no times");
}
