/* SPDX-License-Identifier: BSD-3-Clause */
/* counter.c - reads the metrics of a region's set at its enter and its leave. Called by the thread
 * that is measured.
 */
#include "base/kernel_clock.h"
#include "base/state.h"
#include "output/profile/text.h"
#include "measure/counters/counter.h"
#include "measure/counters/metric_set.h"
#include "measure/counters/values.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Atomic bool timed[SIS_SETS]; /* whether the time of a reading is noted */

/* Writes a line for each metric of the mask that is lost in this slot for the first time. The line
 * says that the metric's values in this slot mean nothing. */
static __attribute__((noinline)) void note_lost(uint32_t id, uint32_t mask, const char *why)
{
	const char *list = sis__sets[id].names;
	char name[128];
	uint32_t slot = sis__local.own ? sis__local.own->pub.slot : 0;
	uint32_t fresh = mask;
	if (sis__sets[id].lost)
		fresh &= ~atomic_fetch_or_explicit(&sis__sets[id].lost[slot], mask,
						   memory_order_relaxed);
	for (uint32_t i = 0; fresh >> i && sis__metric_next(&list, name, sizeof name); i++)
		if (fresh >> i & 1)
			sis__text("lost", "%u\t%s\t%s", slot, name, why);
}

/* A confined thread reads no metrics, because most readings are system calls. */
static void note_all_lost(const struct sis_node *node)
{
	const struct sis_metric_set *set = &sis__sets[node->values->set];
	uint32_t all = set->count < 32 ? (UINT32_C(1) << set->count) - 1 : UINT32_MAX;
	note_lost(node->values->set, all & ~((UINT32_C(1) << set->wrapped) - 1),
		  "cannot be read in a sandbox");
}

/* Reads the metrics that wrappers do not fill in. Guarded, because a signal handler that interrupts
 * this must not read the same counters. */
static void read_set(uint32_t id, uint64_t *value)
{
	const struct sis_metric_set *set = &sis__sets[id];
	uint32_t at = set->wrapped;
	memset(value + at, 0, (set->count - at) * sizeof *value);
	sis__guard();
	for (int i = 0; i < SIS_SOURCES; i++) {
		const char *why = NULL;
		uint32_t missing = 0, count = set->of_source[i];
		if (count)
			why = sis__sources[i]->read(&set->number[at], (int)count, &value[at],
						    &missing);
		if (SIS_UNLIKELY(why != NULL))
			note_lost(id, (missing & ((UINT32_C(1) << count) - 1)) << at, why);
		at += set->of_source[i];
	}
	sis__unguard();
}

/* Reading the counters takes this time at an enter, and again at a leave. The result is the least
 * time of some rounds, since other work can only make a round longer. */
SIS_EXPORT uint64_t sis__set_price_ns(uint32_t id)
{
	enum { ROUNDS = 4, READS = 4 };
	uint64_t value[SIS_SET_METRICS], best = UINT64_MAX;
	if (sis__sets[id].wrapped == sis__sets[id].count)
		return 0;
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t from = sis__clock_ns(CLOCK_MONOTONIC);
		for (int i = 0; i < READS; i++)
			read_set(id, value);
		uint64_t ns = sis__clock_ns(CLOCK_MONOTONIC) - from;
		best = ns < best ? ns : best;
	}
	return best / READS;
}

/* Stands for the first reading of an activation that began while the region's metrics were off. */
#define NOT_READ UINT64_MAX

void sis__counters_begin(struct sis_thread *thread, struct sis_node *node, uint32_t set)
{
	uint64_t value[SIS_SET_METRICS];
	struct sis_values *values = sis__values(thread, node, set);
	if (!values)
		return;
	if (sis__sets[values->set].wrapped == values->count)
		return; /* wrappers count all its metrics */
	bool confined = sis__is_confined();
	if (confined)
		note_all_lost(node);
	const struct sis_region_fact *fact = sis__region_fact(sis_node_region(node));
	if (SIS_UNLIKELY(confined || __atomic_load_n(&fact->no_counters, __ATOMIC_RELAXED))) {
		values->value[sis__sets[values->set].wrapped].enter = NOT_READ;
		return;
	}
	if (SIS_UNLIKELY(!atomic_load_explicit(&timed[values->set], memory_order_relaxed)) &&
	    !atomic_exchange_explicit(&timed[values->set], true, memory_order_relaxed))
		sis__text("reading", "%u\t%llu", values->set,
			  (unsigned long long)sis__set_price_ns(values->set));
	read_set(values->set, value);
	for (uint32_t i = sis__sets[values->set].wrapped; i < values->count; i++)
		values->value[i].enter = value[i];
}

static __attribute__((noinline)) void add_differences(const struct sis_node *node)
{
	uint64_t value[SIS_SET_METRICS];
	struct sis_values *values = node->values;
	if (sis__is_confined())
		return note_all_lost(node);
	if (SIS_UNLIKELY(values->value[sis__sets[values->set].wrapped].enter == NOT_READ))
		return;
	read_set(values->set, value);
	for (uint32_t i = sis__sets[values->set].wrapped; i < values->count; i++)
		values->value[i].sum += value[i] - values->value[i].enter;
}

void sis__counters_end(struct sis_node *node)
{
	const struct sis_metric_set *set = &sis__sets[node->values->set];
	if (set->wrapped != set->count) /* else wrappers count all its metrics */
		add_differences(node);
}
