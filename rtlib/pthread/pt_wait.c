/* SPDX-License-Identifier: BSD-3-Clause */
/* pt_wait.c - the region of a wait for another thread. The thread that waits.
 *
 * A call that does not wait has none, unless the source has a region around it.
 */
#include "core/drg.h"
#include "core/record_log.h"
#include "pthread/pt_real.h"

/* Whether time in such a region is work of the program, so that a wait in it is the program's own.
 * Waits of OpenMP and calls of MPI may wait by functions of pthreads. */
static bool is_work(enum sis_region_type type)
{
	static const bool of[SIS_REGION_TYPES] = {
#define SIS_REGION_TYPE(mnem, group, leaf, label, desc) [mnem] = leaf == O_NONE,
#include "regions.def"
#undef SIS_REGION_TYPE
	};
	return type < SIS_REGION_TYPES && of[type];
}

static enum sis_region_type type_of(const struct sis_node *node)
{
	return sis__region_fact(sis_node_region(node))->type;
}

struct sis_thread *sis__pt_wait_begin(enum sis_region_type same)
{
	struct sis_thread *thread = sis__pt_thread();
	if (!thread)
		return NULL;
	enum sis_region_type type = type_of(thread->pub.current);
	if (type == same) {
		sis__time_wait(thread, 0);
		return thread;
	}
	int saved = errno;
	bool begun = is_work(type) && sis__begin(thread, same, 0);
	errno = saved;
	return begun ? thread : NULL;
}

/* Long waits, and joins, are rare enough for a record each. By these the analysis knows which
 * processing units worked while another one was idle. */
static void note_blocked(struct sis_thread *thread, enum sis_region_type same, uint64_t now)
{
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
}

void sis__pt_wait_end(struct sis_thread *thread, enum sis_region_type same)
{
	uint64_t now = sis__ticks();
	int saved = errno;
	note_blocked(thread, same, now);
	if (sis_node_region(thread->pub.current) == (uint32_t)same)
		sis__end(thread, thread->pub.current, now);
	errno = saved;
}
