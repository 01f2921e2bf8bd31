/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.c - see switches.h. Runs in the thread "sis-switches", a bare thread (bare_thread.h). At
 * the end of the process, and whenever this thread is gone, the calling thread does the work.
 *
 * For each thread of the program the kernel writes a record when it takes the thread's processor
 * away or the thread sleeps, and when the thread runs again. The records are in a ring that is
 * mapped into the process. The ring needs a descriptor only until it is mapped. This descriptor is
 * in a table of descriptors that only sis-switches has. So the program never sees or closes it, and
 * no child or new program inherits it.
 *
 * A thread without a processor stays in its node. So the node of a time without a processor is
 * found in this way:
 *
 *     a look was in this time      the node is the current node at the look
 *     no probe since it began      the node is the current node
 *     else                         the node is computed from the starts of nodes: first the
 *                                  innermost node that was open from then until the look, then
 *                                  nodes below it that had begun, and may not have ended
 *
 *         node A            node B                   the thread
 *     |=======....=====|====......======....====|    . without a processor
 *            ^                ^               ^      looks
 *
 * LIMIT: if a node has begun again since then, it is not known that it was open before. So a time
 * that is shorter than the time between two looks (INTERVAL_NS) may be added to a node around the
 * right node.
 *
 * The records do not say when a thread that slept was ready to run again. They also do not say what
 * happened before the first look at the thread. The time without a processor that they lack is the
 * kernel's count since the thread's begin, less the times from the records. At the next look at
 * which the thread runs, this time is subtracted from the time asleep of the node in which the
 * thread slept last, and added to the time without a processor of this node.
 * LIMIT: this is not possible at the end of a thread.
 *
 * If records were lost, because the ring had no room for all switches, the kernel's count still
 * includes their times. These are added to the node of the look.
 */
#include "base/bare_thread.h"
#include "base/blocked_call.h"
#include "base/kernel_clock.h"
#include "base/config.h"
#include "base/futex.h"
#include "base/own_thread.h"
#include "base/slot_table.h"
#include "base/state.h"
#include "base/system_call.h"
#include "base/thread_clock.h"
#include "base/ticks.h"
#include "output/profile/store.h"
#include "measure/sampling/switches.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
	INTERVAL_NS = 8000000,      /* mean time between two looks */
	ALONE = 5,                  /* times as long, if there is only one processor */
	/* times as long, if the program has no probes: then there are few nodes, and most are waits
	 */
	WITHOUT_PROBES = 4,
	RING = 4 * SIS_PAGE,        /* bytes, for a thousand records */
	SUMS = 1024,                /* elements of the table in the profile: 56 KiB */
	PROBES = 16,
	COST_NS = 1300,             /* what recording a switch and the switch back costs */
	CHECK_EVERY = 64,           /* looks from one check of the cost to the next */
	CROWDED = 8,                /* a ring is crowded if more than an eighth is in use */
	CHILDREN_MOST = 64,         /* at most so many children of a node are examined */
	SLICE_NS = 100000,          /* sis-switches needs a processor for so long at a time */
};

static uint32_t stopped; /* the thread waits on this word */
static uint32_t running; /* the thread's number for the operating system; 0: there is no thread */

/* For each slot. The thread that looks holds the lock. */
static struct ring {
	uint32_t tid;            /* the thread whose records these are; 0: none */
	bool preempted;          /* the thread is off, and ready to run */
	bool waits;              /* the thread is off, in a call of input or output for no file */
	bool refused;            /* by the kernel */
	bool stopped;
	char *ring;              /* the kernel's page of numbers, and RING bytes; NULL: none */
	uint64_t off_ns;         /* the time off before this moment was added; 0: the thread runs */
	struct sis_node *off;    /* the node in which the thread is off; NULL: not known yet */
	uint64_t switches, cpu_ns; /* switches since the last check of the cost; CPU time at it */
	struct sis_node *slept;  /* the node in which the thread slept last, or was first */
	bool counted;            /* the kernel's count was read since the thread slept last */
	uint64_t begin_ns;       /* the kernel's count when the records began */
	uint64_t preempted_ns;   /* time without a processor that was added so far */
} rings[SIS_SLOTS];
/* For each slot: the kernel's count when a new thread began to fill the slot. The new thread writes
 * both; count_before sets tid to 0 when it has used them. */
static struct { uint32_t tid; uint64_t delay_ns; } begun[SIS_SLOTS];
static struct sis_unscheduled *table; /* in the profile; NULL: none yet */
static bool table_failed;
static unsigned looks;
static bool ending;  /* the process ends: no file is opened any more */
static bool crowded; /* a ring had many records: the next look comes soon */

/* The moment of this look, in ticks and in nanoseconds of the kernel's records. */
static struct { uint64_t ticks, monotonic_ns; } now;

static void look_at_clocks(void)
{
	now.ticks = sis__ticks();
	now.monotonic_ns = sis__clock_ns(CLOCK_MONOTONIC);
}

/* -- sums -------------------------------------------------------------------------------------- */

/* Finds or makes the sum. NULL: there is no room left. */
static struct sis_unscheduled *sum_of(uint32_t slot, struct sis_node *node)
{
	uint64_t key = ((uintptr_t)node >> 5) * SIS_HASH_MULTIPLIER + slot * SIS_HASH_SECOND;
	uint64_t first = (key ^ key >> 29) % SUMS;
	if (!table && !table_failed) {
		struct sis_chunk *chunk = sis__chunk_new(SIS_CHUNK_UNSCHEDULED, SIS_NO_SLOT,
							 SUMS * sizeof *table);
		table_failed = !chunk;
		if (chunk) {
			table = sis__payload(chunk);
			chunk->used = SUMS * sizeof *table;
		}
	}
	for (uint64_t i = first; table && i < first + PROBES; i++) {
		struct sis_unscheduled *sum = &table[i % SUMS];
		if (sum->count && (sum->slot != slot || sum->node != node))
			continue;
		if (!sum->count) {
			sum->node = node;
			sum->slot = slot;
			if (!node) /* this sum only says that there are records */
				sum->count = 1;
		}
		return sum;
	}
	return NULL;
}

static void add_time(uint32_t slot, struct sis_node *node, struct ring *r, uint64_t ns)
{
	r->preempted_ns += r->preempted ? ns : 0;
	struct sis_unscheduled *sum = sum_of(slot, node), *all = sum ? NULL : sum_of(slot, NULL);
	sum = sum ? sum : all;
	if (!sum)
		return;
	sum->count++;
	if (r->preempted)
		sum->preempted_ns += ns;
	else if (sis__config.asleep && r->waits && !all)
		sum->blocked_ns += ns;
}

static void flag(uint32_t slot, enum sis_unscheduled_flag flag)
{
	struct sis_unscheduled *all = sum_of(slot, NULL);
	if (all)
		all->flags |= flag;
}

/* -- the kernel's records ---------------------------------------------------------------------- */

static struct perf_event_mmap_page *page_of(const struct ring *r)
{
	return (struct perf_event_mmap_page *)r->ring;
}

static void close_ring(struct ring *r)
{
	if (r->ring)
		munmap(r->ring, SIS_PAGE + RING);
	r->ring = NULL;
}

/* Makes the event and maps its ring. The kernel keeps the event as long as the ring is mapped. */
static bool open_ring(struct ring *r, uint32_t tid)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof event,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.context_switch = 1,
		.sample_id_all = 1,
		.sample_type = PERF_SAMPLE_TIME,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	int fd = (int)syscall(SYS_perf_event_open, &event, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return false;
	void *ring = mmap(NULL, SIS_PAGE + RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	r->ring = ring == MAP_FAILED ? NULL : ring;
	return r->ring != NULL;
}

/* A record of a switch, or of lost records. Records of other types begin like this. */
struct record {
	struct perf_event_header head;
	union {
		uint64_t time;
		struct { uint64_t id, lost, time; } lost;
	};
};

/* -- where a thread is off --------------------------------------------------------------------- */

struct look { uint32_t slot; struct sis_node *node; uint64_t stamp; };

/* The observed thread changes the nodes meanwhile. Each word is right for some moment, and nodes do
 * not move. */
#define FROM_OUTSIDE __attribute__((no_sanitize("thread")))

/* Returns when the last activation of the node began. If this is not known, the result is later
 * than all times. */
FROM_OUTSIDE static uint64_t start_of(const volatile struct sis_node *node)
{
	return sis_node_start(node->start);
}

/* Returns the child that began last before `ticks`, if it may have been open at `ticks`; NULL:
 * there is none. Children that began earlier had already ended. */
FROM_OUTSIDE static struct sis_node *child_when(const volatile struct sis_node *node,
						uint64_t ticks)
{
	const volatile struct sis_node *child = node->last_child, *best = NULL;
	for (uint32_t i = 0; i < node->children && i < CHILDREN_MOST; i++, child = child->next) {
		uint64_t start = start_of(child);
		if (start <= ticks && (!best || start > start_of(best)))
			best = child;
	}
	bool open = best && ticks - start_of(best) <= best->max;
	return open ? (struct sis_node *)(uintptr_t)best : NULL;
}

FROM_OUTSIDE static struct sis_node *node_when(const struct look *look, uint64_t ns)
{
	uint64_t at = now.monotonic_ns,
		 ticks = ns < at ? now.ticks - sis__ns_to_ticks(at - ns)
				 : now.ticks + sis__ns_to_ticks(ns - at);
	struct sis_node *node = look->node;
	if (ticks >= look->stamp)
		return node;
	while (node->parent && start_of(node) > ticks)
		node = node->parent;
	for (struct sis_node *child = node; child; child = child_when(node, ticks))
		node = child;
	return node;
}

enum { CALL_TEXT = 32 };
/* Reads the number and the first argument of the system call in which the thread sleeps. */
static bool read_call(uint32_t tid, char text[CALL_TEXT])
{
	return sis__blocked_call(tid, text, CALL_TEXT) && text[0] != '-';
}

/* Whether the thread is in a call of input or output for a pipe, terminal, socket or the like.
 * sis-switches has its own table of descriptors, so it asks for the file by the name in /proc. */
static bool waits_for_no_file(uint32_t tid)
{
	char name[64], text[CALL_TEXT], *end;
	struct stat status;
	long call = read_call(tid, text) ? strtol(text, &end, 10) : -1;
	if (call != SYS_read && call != SYS_write && call != SYS_readv && call != SYS_writev &&
	    call != SYS_recvfrom && call != SYS_sendto && call != SYS_recvmsg)
		return false;
	unsigned long of = strtoul(end, NULL, 16);
	snprintf(name, sizeof name, "/proc/self/task/%u/fd/%lu", tid, of);
	return stat(name, &status) == 0 && sis__may_block(&status);
}

static bool is_io(const struct sis_node *node)
{
	return node && sis_region_in(sis__region_fact(sis_node_region(node))->type, CR_IO);
}

static void take_switch(struct ring *r, const struct look *look, const struct record *record)
{
	if (record->head.misc & PERF_RECORD_MISC_SWITCH_OUT) {
		r->off_ns = record->time;
		r->off = NULL;
		r->preempted = record->head.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		r->switches++;
		return;
	}
	if (r->off_ns && record->time > r->off_ns) {
		struct sis_node *node = r->off ? r->off : node_when(look, r->off_ns);
		r->waits = r->off ? r->waits : !is_io(node);
		add_time(look->slot, node, r, record->time - r->off_ns);
		if (!r->preempted) {
			r->slept = node;
			r->counted = false;
		}
	}
	if (!r->off_ns) /* the thread was off already before its ring was made */
		r->counted = false;
	r->off_ns = 0;
}

static void drain(struct ring *r, const struct look *look, uint64_t head)
{
	struct perf_event_mmap_page *page = page_of(r);
	uint64_t tail = page->data_tail;
	crowded |= head - tail > RING / CROWDED;
	for (struct record record; tail < head; tail += record.head.size) {
		for (size_t i = 0; i < sizeof record; i += 8)
			__builtin_memcpy((char *)&record + i,
					 r->ring + SIS_PAGE + (tail + i) % RING, 8);
		if (record.head.size < sizeof record.head)
			break;
		if (record.head.type == PERF_RECORD_SWITCH) {
			take_switch(r, look, &record);
		} else if (record.head.type == PERF_RECORD_LOST) {
			struct sis_unscheduled *all = sum_of(look->slot, NULL);
			if (all)
				all->lost += record.lost.lost;
			r->off_ns = 0;
			r->slept = look->node; /* take_count adds the times of the lost records */
			r->counted = false;
		}
	}
	/* release: from now on the kernel may overwrite these records */
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

/* acquire: the records before the head are complete */
static uint64_t head_of(const struct ring *r)
{
	return __atomic_load_n(&page_of(r)->data_head, __ATOMIC_ACQUIRE);
}

/* -- looks ------------------------------------------------------------------------------------- */

/* If the thread is off, adds its time off up to now, so that this time is in the file if the
 * process is killed. */
static void add_open(struct ring *r, const struct look *look)
{
	if (!r->off_ns || now.monotonic_ns <= r->off_ns)
		return;
	if (!r->off) {
		r->off = look->node;
		r->waits = !is_io(r->off) || (!r->preempted && waits_for_no_file(r->tid));
	}
	add_time(look->slot, r->off, r, now.monotonic_ns - r->off_ns);
	r->off_ns = now.monotonic_ns;
}

/* The kernel's count of the time that the thread had no processor, since its begin. */
static uint64_t delay_of(uint32_t tid)
{
	char name[64], text[64] = "", *end;
	snprintf(name, sizeof name, "/proc/self/task/%u/schedstat", tid);
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t n = sis__read(fd, text, sizeof text - 1);
	close(fd);
	strtoull(text, &end, 10);
	return n > 0 ? strtoull(end, NULL, 10) : 0;
}

/* Adds the kernel's count. The kernel counts a time at its end, so the thread must run now. */
static void take_count(struct ring *r, uint32_t slot)
{
	if (r->off_ns || r->counted || !r->slept)
		return;
	uint64_t delay = delay_of(r->tid), known = r->begin_ns + r->preempted_ns;
	r->counted = r->preempted = true;
	if (delay <= known)
		return;
	struct sis_node *node = r->slept->parent ? r->slept : NULL; /* else in no region */
	add_time(slot, node, r, delay - known);
	struct sis_unscheduled *sum = sum_of(slot, node);
	if (sum)
		sum->blocked_ns -= sum->blocked_ns < delay - known ? sum->blocked_ns :
								    delay - known;
}

/* This reads the ring's head twice. If the observed thread has not switched in between, it was off
 * all this time, or not at all. Then its current node is the node of its time off. Otherwise it may
 * have run while sis-switches had no processor, and the node is not known yet. */
FROM_OUTSIDE static void look_at_ring(struct ring *r, uint32_t slot,
				      const struct sis_thread *thread)
{
	enum { LOOKS = 4 };
	uint64_t head = 0;
	struct look look = { .slot = slot };
	bool certain = false;
	for (int i = 0; i < LOOKS && !certain; i++) {
		head = head_of(r);
		look.node = *(struct sis_node *const volatile *)&thread->pub.current;
		look.stamp = *(const volatile uint64_t *)&thread->pub.stamp;
		look_at_clocks();
		certain = head_of(r) == head;
	}
	drain(r, &look, head);
	if (certain)
		add_open(r, &look);
	r->slept = r->slept ? r->slept : look.node;
	if (!ending)
		take_count(r, slot);
}

/* Stops the records of a thread if they cost more than the budget allows for its probes. */
static void check_cost(struct ring *r, uint32_t slot)
{
	uint64_t cpu = sis__clock_ns(sis__thread_clock(r->tid));
	uint64_t used = cpu > r->cpu_ns ? cpu - r->cpu_ns : 0;
	double cost = (double)r->switches * COST_NS;
	if (sis__config.overhead > 0 && r->cpu_ns && cost > sis__config.overhead * (double)used) {
		close_ring(r);
		r->stopped = true;
		flag(slot, SIS_UNSCHEDULED_STOPPED);
	}
	r->switches = 0;
	r->cpu_ns = cpu;
}

/* Returns the kernel's count for the thread before its records begin. A thread that has just
 * attached has noted this count in `begun`. A thread of OpenMP leaves its slot after each team and
 * fills a slot again. Its count up to now may already be added, so the whole count is returned. */
static uint64_t count_before(uint32_t slot, uint32_t tid)
{
	/* acquire: pairs with the release in sis__switches_thread_begin */
	if (__atomic_load_n(&begun[slot].tid, __ATOMIC_ACQUIRE) != tid)
		return delay_of(tid);
	__atomic_store_n(&begun[slot].tid, 0, __ATOMIC_RELAXED);
	return begun[slot].delay_ns;
}

static void enter_ring(struct ring *r, uint32_t slot, uint32_t tid)
{
	*r = (struct ring){ .tid = tid, .begin_ns = count_before(slot, tid) };
	r->refused = !open_ring(r, tid);
	if (!r->refused) {
		char text[CALL_TEXT];
		sum_of(slot, NULL);
		/* The kernel has recorded only the end of a sleep that began before the ring. */
		look_at_clocks();
		if (read_call(r->tid, text) && head_of(r) == 0)
			r->off_ns = now.monotonic_ns;
	} else if (slot) {
		flag(slot, SIS_UNSCHEDULED_REFUSED);
	}
}

static void look_at(uint32_t slot)
{
	struct ring *r = &rings[slot];
	const struct sis_thread *thread = sis__slot(slot);
	bool taken = thread && sis__slot_is_taken(slot);
	uint32_t tid = taken ? *(const volatile uint32_t *)&thread->pub.tid : 0;
	if (r->tid && r->tid != tid) {
		/* Another thread fills the slot, or none. The nodes of the earlier thread since the
		 * last look are found by their starts; all of them have ended. */
		if (r->ring && thread) {
			look_at_clocks();
			drain(r, &(struct look){ slot, thread->pub.root, UINT64_MAX }, head_of(r));
		}
		close_ring(r);
		*r = (struct ring){ .tid = 0 };
	}
	if (tid && !r->tid)
		enter_ring(r, slot, tid);
	if (r->ring)
		look_at_ring(r, slot, thread);
	if (r->ring && looks % CHECK_EVERY == 0)
		check_cost(r, slot);
}

/* -- the thread -------------------------------------------------------------------------------- */

static uint64_t interval(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;
	cpu_set_t allowed;
	static bool alone;
	if (looks <= 1)
		alone = sched_getaffinity(0, sizeof allowed, &allowed) == 0 &&
			CPU_COUNT(&allowed) == 1;
	state ^= state << 13; /* xorshift */
	state ^= state >> 7;
	state ^= state << 17;
	if (crowded)
		return INTERVAL_NS / CROWDED;
	return (INTERVAL_NS / 2 + state % INTERVAL_NS) *
	       (alone ? ALONE : sis__measures_all ? WITHOUT_PROBES : 1);
}

/* Slots from this one on have never been used. */
static uint32_t used_slots(void)
{
	uint32_t slots = __atomic_load_n(&sis__header()->max_slots, __ATOMIC_RELAXED);
	return slots < SIS_SLOTS ? slots : SIS_SLOTS;
}

static void *record_on(void *unused)
{
	/* This thread runs only for microseconds. If the scheduler knows this, it lets the thread
	 * run soon. */
	struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority;
		 uint64_t runtime, deadline, period; } attributes = {
		.size = sizeof attributes, .runtime = SLICE_NS
	};
	sis__own_thread_begin("sis-switches");
	syscall(SYS_sched_setattr, 0, &attributes, 0);
	__atomic_store_n(&running, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	/* This gives the thread its own, empty table of descriptors. With a copy of the program's
	 * table, the thread would keep the program's files open. */
	bool may = syscall(SYS_close_range, 0u, ~0u, CLOSE_RANGE_UNSHARE) == 0;
	while (may && !__atomic_load_n(&stopped, __ATOMIC_RELAXED) && sis__store_is_live()) {
		uint32_t slots = used_slots();
		looks++;
		crowded = false;
		for (uint32_t slot = 0; slot < slots; slot++)
			look_at(slot);
		may = !rings[0].refused;
		if (may)
			sis__futex_wait(&stopped, 0, interval());
	}
	return unused;
}

/* `running` is UINT32_MAX until the thread has stored its number. */
void sis__switches_start(void)
{
	uint32_t none = 0;
	if (!sis__bare_thread_is_possible() ||
	    !__atomic_compare_exchange_n(&running, &none, UINT32_MAX, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&stopped, 0, __ATOMIC_RELAXED);
	sis__guard();
	if (sis__bare_thread_start(record_on) != 0)
		__atomic_store_n(&running, 0, __ATOMIC_RELAXED);
	sis__unguard();
}

void sis__switches_thread_begin(uint32_t slot, uint64_t delay_ns)
{
	begun[slot].delay_ns = delay_ns;
	/* release: a thread that loads the number also loads the count (count_before) */
	__atomic_store_n(&begun[slot].tid, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
}

bool sis__switches_stop(void)
{
	if (__atomic_load_n(&running, __ATOMIC_RELAXED) == 0)
		return false;
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
	sis__futex_wake(&stopped);
	return sis__own_thread_wait(&running);
}

void sis__switches_leave(void)
{
	bool gone = sis__switches_stop();
	for (uint32_t slot = 0; gone && slot < used_slots(); slot++)
		if (rings[slot].ring)
			flag(slot, SIS_UNSCHEDULED_REFUSED);
}

/* No new rings are made here, because their descriptors would be in the program's table. */
void sis__switches_end(void)
{
	bool gone = sis__switches_stop();
	ending = true;
	for (uint32_t slot = 0; gone && slot < used_slots(); slot++)
		if (rings[slot].ring && sis__slot(slot))
			look_at_ring(&rings[slot], slot, sis__slot(slot));
}

/* A child has no rings: the kernel does not copy them. */
void sis__switches_new_process(void)
{
	stopped = running = 0;
	ending = false;
	table = NULL;
	table_failed = false;
	__builtin_memset(rings, 0, sizeof rings);
}
