/* SPDX-License-Identifier: BSD-3-Clause */
/* rendezvous.c - which thread ended a wait on a condition, barrier, semaphore or join. Called by
 * the waiting thread and by the thread that arrives.
 *
 * The waiting thread notes since when it waits, in a hash table whose key is the object's address.
 * A thread that arrives reads one word of this table. If another thread waits, the arriving thread
 * notes its slot and where it has been since then, because only the arriving thread knows this. The
 * cause of a wait is the last thread that arrived before the end of the wait.
 */
#include "base/seqlock.h"
#include "base/state.h"
#include "measure/wait_causes/culprit.h"

struct sis_rendezvous_waiting sis__rendezvous_waiting[SIS_RENDEZVOUS];
_Static_assert(SIS_RENDEZVOUS == 1 << 9, "sis__rendezvous_place");

/* The seqlock `version` guards all fields except `since`. */
static struct arrival {
	uint64_t since;    /* ticks: when the first waiting thread began to wait */
	uint64_t version;
	uint64_t object;   /* 0: no thread has arrived yet */
	uint64_t slot, at; /* slot of the thread that arrived; ticks of its arrival */
	uint64_t from;     /* ticks: from then on it was in `node` */
	struct sis_node *node;
	uint64_t flags;
} __attribute__((aligned(64))) arrivals[SIS_RENDEZVOUS];

void sis__rendezvous_arrive_slow(const void *object, uint64_t place)
{
	struct sis_thread *thread = (struct sis_thread *)sis__self;
	struct arrival *m = &arrivals[place];
	uint64_t version, now = sis__ticks(), from = SIS_GET(m->since);
	thread = thread == &sis__empty ? sis__local.traced : thread;
	/* If two threads arrive at once, only one of them writes. */
	if (!thread || from > now || !sis__seqlock_try_write(&m->version, &version))
		return;
	struct sis_where where = sis__recent_region(thread, from, now);
	SIS_SET(m->object, (uintptr_t)object);
	SIS_SET(m->slot, thread->pub.slot);
	SIS_SET(m->at, now);
	SIS_SET(m->from, from);
	SIS_SET(m->node, where.node);
	SIS_SET(m->flags, where.flags);
	sis__seqlock_write_end(&m->version, version);
}

static bool read_arrival(struct arrival *from, struct arrival *m)
{
	m->version = sis__seqlock_read_begin(&from->version);
	m->object = SIS_GET(from->object);
	m->slot = SIS_GET(from->slot);
	m->at = SIS_GET(from->at);
	m->from = SIS_GET(from->from);
	m->node = SIS_GET(from->node);
	m->flags = SIS_GET(from->flags);
	return sis__seqlock_read_end(&from->version, m->version);
}

void sis__rendezvous_begin(const struct sis_node *node, const void *object)
{
	uint64_t place = sis__rendezvous_place(object);
	if (__atomic_fetch_add(&sis__rendezvous_waiting[place].waiting, 1, __ATOMIC_RELAXED) == 0)
		SIS_SET(arrivals[place].since, node->start);
}

void sis__rendezvous_end(struct sis_thread *thread, struct sis_node *node, const void *object,
			 bool came)
{
	uint64_t place = sis__rendezvous_place(object), now = sis__ticks();
	uint64_t ticks = now - node->start;
	struct arrival m;
	bool known = read_arrival(&arrivals[place], &m) && m.object == (uintptr_t)object &&
		     m.at > node->start && m.at <= now;
	__atomic_fetch_sub(&sis__rendezvous_waiting[place].waiting, 1, __ATOMIC_RELAXED);
	if (!came || !known || now < node->start || ticks < sis__wait_short() ||
	    m.slot == thread->pub.slot)
		return;
	uint64_t off = m.from > node->start ? m.from - node->start : node->start - m.from;
	bool whole = off + (now - m.at) <= ticks / 10;
	struct sis_where where = { m.node,
				   (unsigned)m.flags | (whole ? 0 : SIS_CULPRIT_ESTIMATED) };
	sis__culprit(thread, node, (uint32_t)m.slot, where, ticks);
}
