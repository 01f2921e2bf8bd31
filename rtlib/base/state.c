/* SPDX-License-Identifier: BSD-3-Clause */
/* state.c - the data that all parts of the runtime read: the thread's own state, the mapped file,
 * the settings, the facts of regions. The headers that declare these data say what writes them.
 *
 *      sis__self --> sis__empty                          every probe takes the slow path
 *                --> slot's sis_thread --> current node  measured
 *
 * In a process that traces, sis__self always points to the empty thread. sis__local.traced then
 * points to the thread's state (measure/core/probe.c), and so does the program's copy of sis__self
 * (sis/traced_pair.h).
 */
#include "base/config.h"
#include "base/slot_table.h"
#include "base/state.h"

#include <unistd.h>

/* -- this thread ----------------------------------------------------------------------------- */

struct sis_node sis__no_node = { .parent = &sis__no_node,
				 .last_child = &sis__no_node,
				 .next = &sis__no_node };
struct sis_record_place sis__no_place = { .shape.node = (uintptr_t)&sis__no_node,
					  .next = &sis__no_place };
SIS_EXPORT struct sis_thread sis__empty = { .pub = { .current = &sis__no_node,
						     .root = &sis__no_node },
					    .sites = SIS_SITES,
					    .record_pack = SIS_NO_PACK };
/* In a thread that is not measured, the executable's copy of sis__self points to this empty thread.
 * Its `sites` is too large for an index, so the probes of sites announce nothing. */
static struct sis_thread muted = { .pub = { .current = &sis__no_node, .root = &sis__no_node },
				   .sites = SIS_SITES + 1,
				   .record_pack = SIS_NO_PACK };
SIS_EXPORT __thread struct sis__thread *sis__self __attribute__((tls_model("initial-exec"))) =
	(struct sis__thread *)&sis__empty;
__thread struct sis_local sis__local;
SIS_EXPORT __thread bool sis__off __attribute__((tls_model("initial-exec")));
long sis__self_distance;
bool sis__near_is_traced;

#define SAME_PLACE(field)                                       \
	_Static_assert(offsetof(struct sis__node, field) ==     \
		       offsetof(struct sis_node, field), #field)
SAME_PLACE(region);
SAME_PLACE(rung);
SAME_PLACE(parent);
SAME_PLACE(last_child);
SAME_PLACE(next);
SAME_PLACE(start);
SAME_PLACE(calls);
SAME_PLACE(total);
SAME_PLACE(min);
SAME_PLACE(max);
SAME_PLACE(estimate);
_Static_assert(offsetof(struct sis__estimate, rungs) == offsetof(struct sis_estimate, rungs) &&
		       SIS__BRIEF == SIS_ESTIMATE_BRIEF,
	       "estimates of probes");
_Static_assert(offsetof(struct sis__estimate, ticks_squared) ==
		       offsetof(struct sis_estimate, ticks_squared),
	       "ticks_squared");
_Static_assert(SIS__SHORT == SIS_SHORT, "what is short");
_Static_assert(SIS__FOLDS == SIS_NODE_FOLDS, "what folds");
_Static_assert(SIS__FULL == (int)SIS_RUNG_FULL && SIS__SAMPLED == (int)SIS_RUNG_SAMPLED &&
		       SIS__START_UNTIMED == SIS_START_UNTIMED &&
		       SIS__START_CHOSEN == SIS_START_CHOSEN &&
		       SIS__START_SAMPLED == SIS_START_SAMPLED,
	       "rungs");
_Static_assert(offsetof(struct sis__thread, current) == offsetof(struct sis_thread, pub.current),
	       "current");
_Static_assert(offsetof(struct sis__thread, stamp) == offsetof(struct sis_thread, pub.stamp),
	       "stamp");
_Static_assert(offsetof(struct sis__thread, sites) == offsetof(struct sis_thread, sites), "sites");
_Static_assert(sizeof((struct sis__thread *)0)->site == sizeof((struct sis_thread *)0)->site,
	       "site");
_Static_assert(offsetof(struct sis__thread, site[0].id) == offsetof(struct sis_thread, site[0].id),
	       "id");
_Static_assert(offsetof(struct sis__thread, site[0].routine) ==
		       offsetof(struct sis_thread, site[0].routine),
	       "routine");
_Static_assert(offsetof(struct sis__thread, site[0].node) ==
		       offsetof(struct sis_thread, site[0].node),
	       "node");
_Static_assert(offsetof(struct sis__thread, entered_from) ==
		       offsetof(struct sis_thread, entered_from),
	       "entered_from");
_Static_assert(offsetof(struct sis__thread, trace) == offsetof(struct sis_thread, trace), "trace");
_Static_assert(offsetof(struct sis__thread, overlaps) == offsetof(struct sis_thread, overlaps),
	       "overlaps");
_Static_assert(offsetof(struct sis__thread, fold) == offsetof(struct sis_thread, fold) &&
		       offsetof(struct sis__thread, folds) == offsetof(struct sis_thread, folds) &&
		       offsetof(struct sis__thread, fold_room) ==
			       offsetof(struct sis_thread, fold_room),
	       "the stack of folded activations");
_Static_assert(sizeof(struct sis__fold) == sizeof(struct sis_fold) &&
		       offsetof(struct sis__fold, node) == offsetof(struct sis_fold, node) &&
		       offsetof(struct sis__fold, from) == offsetof(struct sis_fold, from) &&
		       offsetof(struct sis__fold, start) == offsetof(struct sis_fold, start) &&
		       offsetof(struct sis__fold, suspended) ==
			       offsetof(struct sis_fold, suspended),
	       "a folded activation");

/* In a forked child, tid is 0 until the child gets a slot. */
static inline bool owns_slot(const struct sis_local *local)
{
	return sis__slot(local->own->pub.slot) == local->own &&
	       (local->tid == 0 || local->own->pub.tid == local->tid);
}

void sis__refresh(void)
{
	struct sis_local *local = &sis__local;
	bool stopped = local->muted | local->skipped | local->inside;
	bool on = local->own && sis__store_is_live() && !stopped;
	sis__assert(!on || owns_slot(local));
	/* the other threads of a team wait for this thread, whether it is measured or not */
	local->off = stopped && !(local->own && local->own->team);
	local->traced = on && local->own->trace ? local->own : NULL;
	sis__set_self(on && !local->traced ? local->own : &sis__empty);
	sis__off = (local->muted | local->skipped) != 0;
	if (sis__off && sis__self_distance)
		*sis__self_near() = (struct sis__thread *)&muted;
}

/* -- sandboxes ------------------------------------------------------------------------------- */

uint32_t sis__confined;
bool sis__confined_clocks;

/* A thread that began after the first sandbox may have been made by a confined one. The kernel
 * cannot be asked, because this takes a system call. So such a thread is treated as confined. */
bool sis__thread_is_confined(void)
{
	const struct sis_local *local = &sis__local;
	return __atomic_load_n(&sis__confined, __ATOMIC_RELAXED) == SIS_CONFINED_ALL ||
	       local->confined || !(local->known || local->runtime);
}

/* -- the process --------------------------------------------------------------------------- */

SIS_EXPORT struct sis_config sis__config;
bool sis__started;
bool sis__is_child;
struct sis_store sis__store;
bool sis__store_live, sis__store_frozen, sis__store_tried;
bool sis__measures_all, sis__watched;
const char *sis__refused;
int sis__store_full;

/* holds the header if no range of addresses could be reserved */
static _Alignas(SIS_PAGE) char spare[SIS_PAGE];

SIS_EXPORT struct sis_profile_header *sis__header(void)
{
	return (struct sis_profile_header *)(sis__store.base ? sis__store.base : spare);
}

bool sis__in_this_process(void)
{
	return sis__started && sis__header()->pid == (uint32_t)getpid();
}

double sis__pair_ticks[SIS_RUNGS];

/* -- regions ------------------------------------------------------------------------------- */

SIS_EXPORT const struct sis_region_fact sis__no_fact = { .type = CR_NONE,
							 .routine = SIS_MPI_ROUTINES };
SIS_EXPORT struct sis_region_fact *sis__fact_pages[SIS_FACT_PAGES];
