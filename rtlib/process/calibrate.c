/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c - measures what a pair of probes costs on this machine, and how long an atomic
 * operation takes. The probes use the state of a scratch thread. Called by the thread that opens
 * the profile.
 */
#include "base/clock.h"
#include "base/config.h"
#include "base/state.h"
#include "process/calibrate.h"
#include "process/calibrated_pair.h"
#include "output/profile/text.h"

enum { PAIRS = 64, ROUNDS = 16 };

/* Returns the ticks of the quickest round. Sets *inner to the ticks of this round that were
 * measured inside the region. */
static uint64_t quickest_pairs(struct sis_node *node, uint64_t *inner)
{
	uint64_t pairs = UINT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		node->total = 0;
		uint64_t ticks = sis__time_pairs(PAIRS);
		if (ticks < pairs) {
			pairs = ticks;
			*inner = node->total;
		}
	}
	return pairs;
}

/* If one activation in N is timed, the timed activation takes longer than the others, because the
 * processor mispredicts a branch, and the clock is read. So sis__sampling_excess is subtracted from
 * the activation's time before it counts N times. The excess is chosen so that half of the average
 * cost of a pair is inside the region, and half outside. It is measured with N = 16: four of 64
 * pairs are timed. */
static void calibrate_rungs(struct sis_node *node)
{
	uint64_t timed = 0, pairs;
	sis__clock_sample_one_in(SIS_FRACTION);
	node->rung = SIS_RUNG_SAMPLED;
	sis__pair_ticks[SIS_RUNG_SAMPLED] = (double)quickest_pairs(node, &timed) / PAIRS;
	node->rung = SIS_RUNG_FRACTION;
	node->start = 0;
	pairs = quickest_pairs(node, &timed);
	sis__pair_ticks[SIS_RUNG_FRACTION] = (double)pairs / PAIRS;
	sis__sampling_excess = timed > pairs / 2 ? (unsigned)((timed - pairs / 2) / PAIRS) : 0;
	sis__clock_sample_one_in(sis__config.sampling);
}

/* -- around work -------------------------------------------------------------------------------
 *
 * A pair around work costs less than a pair around nothing, because the processor executes part of
 * the pair at the same time as the work. So the pair is also measured around three lengths of work.
 */
enum { BODIES = 3, BODIES_IN_TURN = 16, BODY_ROUNDS = 8 };
static const unsigned body_steps[BODIES] = { 4, 16, 64 }; /* see calibrated_pair.h */
static struct { double body, inside, outside; } around[BODIES]; /* ticks */

static double positive(double value) { return value > 0 ? value : 0; }

static void calibrate_around(int body, struct sis_node *node)
{
	uint64_t bare = UINT64_MAX, with = UINT64_MAX, inner = 0;
	for (int round = 0; round < BODY_ROUNDS; round++) {
		uint64_t ticks = sis__time_bodies(BODIES_IN_TURN, body_steps[body], false);
		bare = ticks < bare ? ticks : bare;
		node->total = 0;
		ticks = sis__time_bodies(BODIES_IN_TURN, body_steps[body], true);
		if (ticks < with) {
			with = ticks;
			inner = node->total;
		}
	}
	double pair = positive((double)with - (double)bare) / BODIES_IN_TURN;
	double inside = positive((double)inner - (double)bare) / BODIES_IN_TURN;
	around[body].body = (double)bare / BODIES_IN_TURN;
	around[body].inside = inside < pair ? inside : pair;
	around[body].outside = pair - around[body].inside;
}

/* -- an atomic operation without contention --------------------------------------------------- */

static double atomic_ticks;

/* The loop has many atomics, so it does not matter if the last ones are not finished when the clock
 * is read. */
static void calibrate_atomic(void)
{
	enum { ATOMICS = 512, ATOMIC_ROUNDS = 8 };
	static volatile uint64_t word; /* volatile, or the compiler would remove the operation */
	uint64_t least = UINT64_MAX;
	for (int round = 0; round < ATOMIC_ROUNDS; round++) {
		uint64_t begin = sis__ticks();
		for (int i = 0; i < ATOMICS; i++)
			__atomic_fetch_add(&word, 1, __ATOMIC_RELAXED); /* only its time matters */
		uint64_t ticks = sis__ticks() - begin;
		least = ticks < least ? ticks : least;
	}
	atomic_ticks = (double)least / ATOMICS;
}

void sis__calibration_note(void)
{
	double ns = 1e9 / (double)sis__header()->ticks_per_second;
	sis__text("atomic", "%.2f", atomic_ticks * ns);
	for (int body = 0; body < BODIES; body++)
		sis__text("pair_around", "%.2f\t%.2f\t%.2f", around[body].body * ns,
			  around[body].inside * ns, around[body].outside * ns);
}

/* The probes run with the state of a scratch thread that has one region. Called inside the runtime,
 * before the thread is measured. */
void sis__clock_calibrate(struct sis_profile_header *header)
{
	struct sis_node root = { .region = RT_RUN };
	struct sis_node node = { .region = SIS_CALIBRATED_ID, .min = UINT64_MAX };
	struct sis_thread scratch = { .pub = { .current = &root } };
	struct sis__thread *self = sis__self;
	uint64_t inner = 0;

	root.last_child = &node;
	node.parent = &root;
	node.next = &node;
	node.last_child = &sis__no_node;
	sis__clock_sample_one_in(0); /* reset, because a forked child has its parent's value */
	sis__sampling_excess = 0;
	sis__self = (struct sis__thread *)&scratch;
	double pairs = (double)quickest_pairs(&node, &inner), inside = (double)inner;
	sis__pair_ticks[SIS_RUNG_FULL] = pairs / PAIRS;
	for (int body = 0; body < BODIES; body++)
		calibrate_around(body, &node);
	calibrate_atomic();
	if (sis__config.sampling || sis__config.overhead > 0 ||
	    sis__config.overhead_by != SIS_OVERHEAD_SET)
		calibrate_rungs(&node);
	if (sis__config.rung) {
		pairs = sis__pair_ticks[sis__config.rung] * PAIRS;
		inside = pairs / 2;
	}
	sis__self = self;
	struct sis_time_mark now;
	do
		sis__clock_mark(&now);
	/* the length of these 200 us is known to some 20 ns */
	while (now.monotonic_ns - header->start.monotonic_ns < 200000);
	header->ticks_per_second = sis__clock_rate(&header->start, &now);
	double ns = 1e9 / (double)header->ticks_per_second / PAIRS;
	header->probe_inner_ns = inside * ns;
	header->probe_outer_ns = (pairs - inside) * ns;
}
