/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.c - see switches.h. The thread "sis-switches", a bare thread (bare_thread.h); at the end
 * of the process, and while that thread is gone, the thread that calls.
 *
 * For each thread of the program the kernel writes a record when it takes the thread's processor
 * away or the thread sleeps, and when it runs again. The records are in a ring that is mapped into
 * the process. Such a ring needs no descriptor once it is mapped; and the descriptor that it is
 * made with is in a table of descriptors that only this thread has. So the program never sees one,
 * whatever it closes, and no child or new program inherits one.
 *
 * A thread that has no processor stays in its node. So the node of a time is known
 *
 *     a look in that time          it is the current node
 *     no probe since it began      it is the current node
 *     else                         it follows from when nodes began: the innermost one that was
 *                                  open all the time until the look, and below it those that had
 *                                  begun, and may not have ended
 *
 *         node A            node B                   the thread
 *     |=======....=====|====......======....====|    . without a processor
 *            ^                ^               ^      looks
 *
 * LIMIT: of a node that has begun again since then, it is not known that it was open. So a time
 * that is shorter than the distance of the looks (INTERVAL_NS) may be that of a node around it.
 *
 * The records do not say when a thread that slept was ready to run again, nor what was before its
 * first look. Both are what the kernel has counted since the thread's begin, less what the records
 * say. At the next look at which the thread runs, it is moved from the time asleep in the node that
 * slept last.
 * LIMIT: at the end of a thread it is not known.
 * If records were lost, because the thread switched more often than there is room for, the kernel's
 * count has their times, which are added to the node of the look.
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
#include "profile/store.h"
#include "sampling/switches.h"

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
	INTERVAL_NS = 8000000,      /* between two looks, on the average */
	ALONE = 5,                  /* times that, if there is only one processor */
	RING = 4 * SIS_PAGE,        /* bytes of records: a thousand */
	PLACES = 1024,              /* of the table in the profile: 56 KiB */
	PROBES = 16,
	COST_NS = 1300,             /* of switching off and on again with records */
	CHECK_EVERY = 64,           /* looks */
	CROWDED = 8,                /* part of a ring */
	CHILDREN_MOST = 64,         /* of a node, that are looked at */
	SLICE_NS = 100000,          /* that this thread needs at once */
};

static uint32_t stopped; /* what the thread waits for */
static uint32_t running; /* its number for the operating system; 0: there is none */

/* Of each slot. The lock is held by the thread that looks. */
static struct ring {
	uint32_t tid;            /* whose records they are; 0: nobody's */
	bool preempted;          /* the thread is off, and ready to run */
	bool waits;              /* the thread is off, in a call of input or output for no file */
	bool refused;            /* of the kernel */
	bool stopped;
	char *ring;              /* the kernel's page of numbers, and RING bytes; NULL: none */
	uint64_t off_ns;         /* up to when its time off is added; 0: it runs */
	struct sis_node *off;    /* where it is off; NULL: not known yet */
	uint64_t switches, cpu_ns; /* since the last check of the cost; CPU time at that check */
	struct sis_node *slept;  /* where it slept last, or was first */
	bool counted;            /* the kernel's count has been looked at since then */
	uint64_t begin_ns;       /* what the kernel had counted before */
	uint64_t preempted_ns;   /* added so far */
} rings[SIS_SLOTS];
/* Of each slot: what the kernel had counted when a new thread filled it. That thread writes it; tid
 * is 0 when it has been used. */
static struct { uint32_t tid; uint64_t delay_ns; } begun[SIS_SLOTS];
static struct sis_unscheduled *table; /* in the profile; NULL: none yet */
static bool table_failed;
static unsigned looks;
static bool ending;  /* of the process: no file is opened any more */
static bool crowded; /* a ring had many records: the next look comes soon */

/* One moment: ticks, and nanoseconds of the kernel's records. */
static struct { uint64_t ticks, monotonic_ns; } now;

static void look_at_clocks(void)
{
	now.ticks = sis__ticks();
	now.monotonic_ns = sis__clock_ns(CLOCK_MONOTONIC);
}

/* -- sums -------------------------------------------------------------------------------------- */

static struct sis_unscheduled *make_table(void)
{
	if (table || table_failed)
		return table;
	struct sis_chunk *chunk = sis__chunk_new(SIS_CHUNK_UNSCHEDULED, SIS_NO_SLOT,
						 PLACES * sizeof *table);
	table_failed = !chunk;
	if (chunk) {
		table = sis__payload(chunk);
		chunk->used = PLACES * sizeof *table;
	}
	return table;
}

/* NULL: there is no place left. */
static struct sis_unscheduled *sum_of(uint32_t slot, struct sis_node *node)
{
	uint64_t key = ((uintptr_t)node >> 5) * SIS_HASH_MULTIPLIER + slot * SIS_HASH_SECOND;
	uint64_t first = (key ^ key >> 29) % PLACES;
	for (uint64_t i = first; make_table() && i < first + PROBES; i++) {
		struct sis_unscheduled *sum = &table[i % PLACES];
		if (sum->count && (sum->slot != slot || sum->node != node))
			continue;
		if (!sum->count) {
			sum->node = node;
			sum->slot = slot;
			if (!node) /* that it is there says that there are records */
				sum->count = 1;
		}
		return sum;
	}
	return NULL;
}

static void add(uint32_t slot, struct sis_node *node, struct ring *r, uint64_t ns)
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

/* The kernel keeps the event as long as its ring is mapped. */
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

/* Of SIZE_MOST bytes at most; longer records are none of these. */
struct record {
	struct perf_event_header head;
	union {
		uint64_t time;
		struct { uint64_t id, lost, time; } lost;
	};
};

static void copy_record(struct record *to, const struct ring *r, uint64_t at)
{
	const char *bytes = r->ring + SIS_PAGE;
	for (size_t i = 0; i < sizeof *to; i += 8)
		__builtin_memcpy((char *)to + i, bytes + (at + i) % RING, 8);
}

/* -- where a thread is off --------------------------------------------------------------------- */

struct look { uint32_t slot; struct sis_node *node; uint64_t stamp; };

static uint64_t to_ticks(uint64_t ns)
{
	double rate = (double)sis__header()->ticks_per_second / 1e9,
	       back = (double)(int64_t)(now.monotonic_ns - ns);
	return now.ticks - (uint64_t)(int64_t)(back * rate);
}

/* The thread goes on meanwhile. Each word is right for some moment, and nodes do not move. */
#define FROM_OUTSIDE __attribute__((no_sanitize("thread")))

/* When its last activation began; later than all times: that is not known. */
FROM_OUTSIDE static uint64_t start_of(const volatile struct sis_node *node)
{
	return sis_node_start(node->start);
}

/* The child that began last before `ticks`, if it may have been open then; NULL: none. Those that
 * began before it had ended. */
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
	uint64_t ticks = to_ticks(ns);
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
/* The number and the first argument of the system call in which the thread sleeps. */
static bool read_call(uint32_t tid, char text[CALL_TEXT])
{
	return sis__blocked_call(tid, text, CALL_TEXT) && text[0] != '-';
}

/* The descriptor of the call that the thread is in, if that is a pipe, terminal, socket or the
 * like. The table of descriptors of this thread is its own, so the file is asked for by name. */
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
		add(look->slot, node, r, record->time - r->off_ns);
		if (!r->preempted) {
			r->slept = node;
			r->counted = false;
		}
	}
	if (!r->off_ns) /* it was off before its ring was made */
		r->counted = false;
	r->off_ns = 0;
}

static void drain(struct ring *r, const struct look *look, uint64_t head)
{
	struct perf_event_mmap_page *page = page_of(r);
	uint64_t tail = page->data_tail;
	crowded |= head - tail > RING / CROWDED;
	for (struct record record; tail < head; tail += record.head.size) {
		copy_record(&record, r, tail);
		if (record.head.size < sizeof record.head)
			break;
		if (record.head.type == PERF_RECORD_SWITCH) {
			take_switch(r, look, &record);
		} else if (record.head.type == PERF_RECORD_LOST) {
			struct sis_unscheduled *all = sum_of(look->slot, NULL);
			if (all)
				all->lost += record.lost.lost;
			r->off_ns = 0;
			r->slept = look->node; /* take_count adds what they would have said */
			r->counted = false;
		}
	}
	/* release: the kernel overwrites them from now on */
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
}

/* acquire: the records up to there are whole */
static uint64_t head_of(const struct ring *r)
{
	return __atomic_load_n(&page_of(r)->data_head, __ATOMIC_ACQUIRE);
}

/* -- looks ------------------------------------------------------------------------------------- */

/* A thread that is off is off up to now, so that a process that is killed has this time. */
static void add_open(struct ring *r, const struct look *look)
{
	if (!r->off_ns || now.monotonic_ns <= r->off_ns)
		return;
	if (!r->off) {
		r->off = look->node;
		r->waits = !is_io(r->off) || (!r->preempted && waits_for_no_file(r->tid));
	}
	add(look->slot, r->off, r, now.monotonic_ns - r->off_ns);
	r->off_ns = now.monotonic_ns;
}

/* How long the thread had no processor in its life, by the kernel's count. */
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

/* The kernel counts a time when it ends, so the thread must run. */
static void take_count(struct ring *r, uint32_t slot)
{
	if (r->off_ns || r->counted || !r->slept)
		return;
	uint64_t delay = delay_of(r->tid), known = r->begin_ns + r->preempted_ns;
	r->counted = r->preempted = true;
	if (delay <= known)
		return;
	struct sis_node *node = r->slept->parent ? r->slept : NULL; /* it was in no region yet */
	add(slot, node, r, delay - known);
	struct sis_unscheduled *sum = sum_of(slot, node);
	if (sum)
		sum->blocked_ns -= sum->blocked_ns < delay - known ? sum->blocked_ns :
								    delay - known;
}

/* If the thread has not switched between two looks at the ring, it was off all the time between
 * them, or not at all, and its node is that of its time off. Else it may have run, while this
 * thread had no processor, and its time off is not known yet. */
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

static uint64_t cpu_of(uint32_t tid)
{
	return sis__clock_ns(sis__thread_clock(tid));
}

/* Stops the records of a thread that they cost more than the probes may. */
static void check_cost(struct ring *r, uint32_t slot)
{
	uint64_t cpu = cpu_of(r->tid), used = cpu > r->cpu_ns ? cpu - r->cpu_ns : 0;
	double cost = (double)r->switches * COST_NS;
	if (sis__config.overhead > 0 && r->cpu_ns && cost > sis__config.overhead * (double)used) {
		close_ring(r);
		r->stopped = true;
		flag(slot, SIS_UNSCHEDULED_STOPPED);
	}
	r->switches = 0;
	r->cpu_ns = cpu;
}

/* Another thread fills the slot, or none. Where the one before was since the last look is in the
 * starts of its nodes, which have all ended. */
static void leave_ring(struct ring *r, uint32_t slot)
{
	const struct sis_thread *thread = sis__slot(slot);
	if (r->ring && thread) {
		look_at_clocks();
		drain(r, &(struct look){ slot, thread->pub.root, UINT64_MAX }, head_of(r));
	}
	close_ring(r);
	*r = (struct ring){ .tid = 0 };
}

/* The kernel has recorded only the end of a sleep that began before the ring was made. */
static void begin_asleep(struct ring *r)
{
	char text[CALL_TEXT];
	look_at_clocks();
	if (read_call(r->tid, text) && head_of(r) == 0)
		r->off_ns = now.monotonic_ns;
}

/* A thread of OpenMP leaves its slot after each team and fills one again, so what the kernel has
 * counted since the thread's begin may be added already. */
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
		sum_of(slot, NULL);
		begin_asleep(r);
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
	if (r->tid && r->tid != tid)
		leave_ring(r, slot);
	if (tid && !r->tid)
		enter_ring(r, slot, tid);
	if (r->ring)
		look_at_ring(r, slot, thread);
	if (r->ring && looks % CHECK_EVERY == 0)
		check_cost(r, slot);
}

static void go_round(void)
{
	uint32_t slots = __atomic_load_n(&sis__header()->max_slots, __ATOMIC_RELAXED);
	looks++;
	crowded = false;
	for (uint32_t slot = 0; slot < slots && slot < SIS_SLOTS; slot++)
		look_at(slot);
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
	return (INTERVAL_NS / 2 + state % INTERVAL_NS) * (alone ? ALONE : 1);
}

/* Its own table of descriptors, and an empty one: it would keep the program's files open. */
static bool leave_descriptors(void)
{
	return syscall(SYS_close_range, 0u, ~0u, CLOSE_RANGE_UNSHARE) == 0;
}

/* This thread runs for microseconds. If the scheduler knows, it lets the thread run soon. */
static void ask_for_short_slices(void)
{
	struct { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority;
		 uint64_t runtime, deadline, period; } attributes = {
		.size = sizeof attributes, .runtime = SLICE_NS
	};
	syscall(SYS_sched_setattr, 0, &attributes, 0);
}

static void *record_on(void *unused)
{
	sis__own_thread_begin("sis-switches");
	ask_for_short_slices();
	__atomic_store_n(&running, (uint32_t)syscall(SYS_gettid), __ATOMIC_RELAXED);
	bool may = leave_descriptors();
	while (may && !__atomic_load_n(&stopped, __ATOMIC_RELAXED) && sis__store_is_live()) {
		go_round();
		may = !rings[0].refused;
		if (may)
			sis__futex_wait(&stopped, 0, interval());
	}
	return unused;
}

/* Until the thread says its number, it is UINT32_MAX. */
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
	for (uint32_t slot = 0; gone && slot < SIS_SLOTS; slot++)
		if (rings[slot].ring)
			flag(slot, SIS_UNSCHEDULED_REFUSED);
}

/* No new rings are made here: their descriptors would be in the program's table. */
void sis__switches_end(void)
{
	bool gone = sis__switches_stop();
	ending = true;
	for (uint32_t slot = 0; gone && slot < SIS_SLOTS; slot++)
		if (rings[slot].ring && sis__slot(slot))
			look_at_ring(&rings[slot], slot, sis__slot(slot));
}

/* The kernel does not copy the rings. */
void sis__switches_new_process(void)
{
	stopped = running = 0;
	ending = false;
	table = NULL;
	table_failed = false;
	__builtin_memset(rings, 0, sizeof rings);
}
