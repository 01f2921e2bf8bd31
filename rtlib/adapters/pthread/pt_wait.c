/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_wait.c - the region of a wait for another thread. Called by the thread that waits.
 *
 * A call that does not wait has no region, unless the source has one around it.
 */
#include "measure/core/drg.h"
#include "measure/core/record_log.h"
#include "adapters/pthread/pt_real.h"
#include "blame/stacks/callers.h"

/* Whether time in a region of this type is work of the program, so that the program itself waits in
 * it. In other regions the wait may be part of a wait of OpenMP or of a call of MPI, which also use
 * functions of pthreads. */
static bool is_work(enum sis_region_type type)
{
	static const bool of[SIS_REGION_TYPES] = {
#define SIS_REGION_TYPE(mnem, group, leaf, label, desc) [mnem] = leaf == O_NONE,
#include "regions.def"
#undef SIS_REGION_TYPE
	};
	return type < SIS_REGION_TYPES && of[type];
}

struct sis_thread *sis__pt_wait_begin(enum sis_region_type same)
{
	struct sis_thread *thread = sis__pt_thread();
	if (!thread)
		return NULL;
	enum sis_region_type type =
		sis__region_fact(sis_node_region(thread->pub.current))->type;
	if (type == same) {
		sis__time_wait(thread, 0);
		return thread;
	}
	int saved = errno;
	bool begun = is_work(type) && sis__begin(thread, sis__caller_region(same), 0);
	errno = saved;
	return begun ? thread : NULL;
}

/* Long waits, and joins, are so rare that each can have a record. By these records the analysis
 * knows which processing units worked while another one was idle. */
void sis__pt_wait_end(struct sis_thread *thread, enum sis_region_type same)
{
	uint64_t now = sis__ticks();
	int saved = errno;
	struct sis_node *node = thread->pub.current;
	uint64_t least = same == CR_PTJOIN ? sis__wait_short()
					   : sis__header()->ticks_per_second / 1000;
	if (now > node->start && now - node->start >= least)
		sis__record_put(thread, &(struct sis_record){ .kind = SIS_RECORD_BLOCKED,
							      .enter = node->start,
							      .exit = now,
							      .node = node,
							      .peer = -1,
							      .tag = -1 });
	if (sis__builtin_of(node) == (uint32_t)same)
		sis__end(thread, node, now);
	errno = saved;
}
