/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling.c - adds samples to the estimates of nodes (schema/profile.h, "Estimates"). The sampler
 * calls this; the thread that opens the profile starts it.
 *
 * A sample stands for the current node and for those around it, up to the first whose open
 * activation is timed: the time of that one is known without it.
 */
#include "base/config.h"
#include "profile/text.h"
#include "sampling/sampler.h"
#include "sampling/sampling.h"

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

static const struct sis_subscriber estimates = { .sample = add_sample };

void sis__sampling_begin(void)
{
	if (sis__config.rung != SIS_RUNG_SAMPLED)
		return;
	sis__sampler_subscribe(&estimates);
	if (!sis__sampler_start(sis__config.sample_hz))
		sis__warn("SIS_TIMING=sample: no thread can be created that samples; regions are "
			  "counted and have no times");
}
