/* SPDX-License-Identifier: BSD-3-Clause */
/* asleep.c - see asleep.h. */
#include "measure/core/drg.h"
#include "measure/core/slept.h"
#include "adapters/libc/asleep.h"
#include "blame/stacks/callers.h"

#include <errno.h>

struct sis_node *sis__sleep_begin(struct sis_thread *thread)
{
	int saved = errno;
	struct sis_node *node = sis__begin(thread, sis__caller_region(RT_ASLEEP), 0);
	errno = saved;
	return node;
}

/* A signal handler may have left the call by a jump; then the node is closed already. */
void sis__sleep_end(struct sis_thread *thread, struct sis_node *node)
{
	int saved = errno;
	uint64_t now = sis__ticks();
	if (node && sis__measured() == thread && sis__is_open(thread, node)) {
		sis__slept_add(thread, node, now - sis_node_start(node->start));
		sis__end(thread, node, now);
	}
	errno = saved;
}

void sis__slept(struct sis_thread *thread, uint64_t from, uint64_t to)
{
	int saved = errno;
	struct sis_node *node = to > from ? sis__book_span(thread, thread->pub.current,
							   sis__caller_region(RT_ASLEEP), from,
							   to) : NULL;
	if (node)
		sis__slept_add(thread, node, to - from);
	errno = saved;
}
