/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled_thread.c - the data of each sampled thread: its source, the bounds of its stack, its
 * writer. A thread that gets a slot adds itself. The sampler finds all other threads in
 * /proc/self/task, and makes the memory that threads will need. sis__sampled_take runs in the
 * handler of the signal, so it takes no lock and allocates nothing.
 *
 * The bounds: the stack of the initial thread ends at the address in libc's variable
 * __libc_stack_end. The stack of any other thread ends at its thread pointer. If a sample's stack
 * is deeper than all before, the kernel is first asked whether all pages from the end of the stack
 * down to the stack pointer are mapped (MADV_POPULATE_READ). If a page is missing, the thread is on
 * another stack, such as a coroutine's. Then its sample has a PC and no callers.
 * LIMIT: kernels before 5.14 do not answer this question. With them, 8 MiB below the end are
 * treated as the stack.
 */
#include "base/config.h"
#include "base/directory_entries.h"
#include "base/kernel_clock.h"
#include "base/lock.h"
#include "base/own_thread.h"
#include "base/slot_table.h"
#include "base/state.h"
#include "base/ticks.h"
#include "blame/stacks/accesses.h"
#include "blame/stacks/sampled_thread.h"
#include "blame/stacks/stacks_file.h"
#include "blame/stacks/writing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

enum { SCAN_ALWAYS = 64, OWN_FRAMES = 8 /* frames of the runtime inside of its caller */ };
#define MOST_STACK (1ull << 30)
#define OLD_KERNEL_STACK (8ull << 20)

struct sampled {
	uint32_t tid;      /* 0: free */
	int handle;        /* handle of its source; -errno: it has no source */
	uint64_t period;   /* that its next signal ends, ns or events; used by its handler */
	uint64_t cpu_ns;   /* its CPU time at the last signal; 0: there was none yet */
	bool busy;         /* its stacks are being written to (writing.h) */
	uint32_t missed;   /* samples that came while it noted its own stack */
	uint32_t frames;   /* number of frames of its last stack, also those outside of a task */
	/* the end of its stack, and the lowest address known to be readable; 0: unknown */
	uint64_t top, low;
	struct sis_writer *writer;
};

static struct sampled sampled[SIS_SLOTS];
static uint32_t sampled_count;  /* elements that have ever been in use; written under the lock */
static struct sis_lock lock;
static struct sis_sample_source source;
static int signal_number;
static bool active;             /* threads may write samples; also read without the lock */
static bool no_others;          /* only threads that add themselves are sampled */
static uint64_t tasks_seen, scans;
static __thread struct sampled *mine __attribute__((tls_model("initial-exec")));
static __thread uint64_t came_from __attribute__((tls_model("initial-exec")));

/* -- the stack's bounds ------------------------------------------------------------------------ */

extern void *__libc_stack_end __attribute__((weak));

static void set_bounds(struct sampled *me, bool self)
{
	me->top = me->low = 0;
	if (me->tid == (uint32_t)getpid())
		me->top = &__libc_stack_end ? (uint64_t)(uintptr_t)__libc_stack_end : 0;
	else if (self)
		me->top = (uint64_t)(uintptr_t)__builtin_thread_pointer();
	me->low = me->top;
}

static bool is_on_stack(struct sampled *me, uint64_t sp)
{
	const uint64_t page = SIS_PAGE - 1;
	uint64_t from = sp & ~page;
	if (sp >= me->top || me->top - sp > MOST_STACK)
		return false;
	if (sp >= me->low)
		return true;
	if (madvise((void *)(uintptr_t)from, ((me->low + page) & ~page) - from,
		    MADV_POPULATE_READ) != 0)
		return errno == EINVAL && me->top - sp < OLD_KERNEL_STACK;
	me->low = from;
	return true;
}

/* -- a sample ---------------------------------------------------------------------------------- */

/* Relaxed is enough: a thread may notice a change late, and begin_write reads `active` again. */
static bool is_active(void)
{
	return __atomic_load_n(&active, __ATOMIC_RELAXED);
}

static struct sampled *find_self(int handle)
{
	uint32_t count = __atomic_load_n(&sampled_count, __ATOMIC_ACQUIRE);
	uint32_t tid = (uint32_t)syscall(SYS_gettid);
	for (uint32_t i = 0; i < count; i++)
		if (sampled[i].handle == handle && sampled[i].tid == tid)
			return &sampled[i];
	return NULL;
}

/* Sets where this thread is: slot, node and origin. If the signal has interrupted a change of the
 * current node, the node is the one before or the one after the change. Both exist. */
static void fill_head(struct sis_stack *head, enum sis_stack_kind kind)
{
	const struct sis_thread *own = sis__local.own;
	*head = (struct sis_stack){ .kind = (uint8_t)kind, .slot = SIS_NO_SLOT,
				    .origin = came_from };
	if (own) {
		head->slot = own->pub.slot;
		head->node = (uint64_t)(uintptr_t)own->pub.current;
		head->origin = sis__stacks_origin_of(own);
	}
	if (sis__local.inside)
		head->flags = SIS_STACK_INSIDE;
}

/* Unwinds this thread's stack into the key of its writer. Returns the end of the memory that is
 * known to be the stack. inner: in a task, the walk ends at the frame that called the task's
 * function. */
static uint64_t unwind(struct sampled *me, const struct sis_registers *registers, bool inner)
{
	struct sis_writer *writer = me->writer;
	const struct sis_thread *own = sis__local.own;
	uint64_t sp = registers->value[SIS_REG_SP];
	if (!me->top)
		set_bounds(me, true);
	/* if the bounds of the stack are not known, top = sp, so that only the PC is found */
	struct sis_stack_memory stack = { .top = is_on_stack(me, sp) ? me->top : sp,
					  .task = own ? sis__stacks_task_end(own) : 0,
					  .inner = inner };
	struct sis_unwound unwound =
		sis__unwind_stack(&writer->rules, registers, stack, true, writer->key.pc,
				  writer->end, SIS_STACK_FRAMES);
	me->frames = unwound.frames;
	sis__stack_key_set(&writer->key, unwound);
	return stack.top;
}

/* Between begin_write and end_write this thread's handler of the signal writes nothing, and
 * sis__sampled_pause waits. */
static bool begin_write(struct sampled *me)
{
	return !me->busy && sis__writing_begin(&me->busy, &active);
}

static void end_write(struct sampled *me)
{
	sis__writing_end(&me->busy);
}

static void add_access(struct sampled *me, const struct sis_registers *registers, uint64_t top,
		       uint64_t periods, uint64_t weight)
{
	struct sis_writer *writer = me->writer;
	struct sis_access access = { .kind = SIS_ACCESS_UNKNOWN };
	const struct sis_interrupted at = { .registers = registers, .top = top,
					    .pc = writer->key.pc, .end = writer->end,
					    .frames = me->frames,
					    .instructions = &writer->instructions };
	sis__access_find(&at, &access);
	sis__writer_add_access(writer, &access, periods, weight);
}

/* What a signal stands for. Signals of perf_event's clock come late: by some microseconds, or by up
 * to a tenth of a period in a virtual machine. So each one stands for the CPU time since the last
 * one, without the periods that ended in the kernel. The first one stands for a whole period. */
static uint64_t weigh(struct sampled *me, uint64_t periods)
{
	if (source.method != SIS_METHOD_CLOCK)
		return periods * me->period;
	uint64_t now = sis__clock_ns(CLOCK_THREAD_CPUTIME_ID), passed = now - me->cpu_ns;
	bool is_first = me->cpu_ns == 0;
	me->cpu_ns = now;
	if (is_first)
		return me->period;
	return passed < me->period ? passed : me->period + passed % me->period;
}

void sis__sampled_take(int handle, uint64_t periods, const void *context)
{
	uint64_t began = sis__ticks();
	struct sampled *me = mine && mine->handle == handle ? mine : find_self(handle);
	if (!me || !is_active())
		return;
	mine = me;
	uint64_t weight = weigh(me, periods);
	if (begin_write(me)) {
		struct sis_registers registers;
		sis__registers_of(context, &registers);
		fill_head(&me->writer->key.head, SIS_STACK_RUNNING);
		uint64_t top = unwind(me, &registers, false);
		/* Without probes there is no --sis-blame, which alone uses accesses. LIMIT: nor are
		 * there any for a library with --sis-blame that such a program loads. */
		if (sis__writer_add(me->writer, periods, weight) && !sis__measures_all)
			add_access(me, &registers, top, periods, weight);
		struct sis_sampled *pub = me->writer->pub;
		uint64_t ns = sis__ticks_to_ns(sis__ticks() - began);
		pub->handler_ns += ns;
		if (ns > pub->handler_most_ns)
			pub->handler_most_ns = ns;
		end_write(me);
	} else if (me->busy) {
		__atomic_add_fetch(&me->missed, (uint32_t)periods, __ATOMIC_RELAXED);
	}
	me->period = sis__source_arm_again(&source, handle);
}

/* -- threads that begin and end ---------------------------------------------------------------- */

static void arm(struct sampled *entry)
{
	entry->period = source.period;
	entry->cpu_ns = 0;
	sis__source_arm(&source, entry->handle);
}

static struct sampled *entry_of(uint32_t tid)
{
	for (uint32_t i = 0; i < sampled_count; i++)
		if (sampled[i].tid == tid)
			return &sampled[i];
	return NULL;
}

/* An element of a thread that has ended, with the thread's table; if there is none, a new element.
 */
static struct sampled *free_entry(uint32_t tid)
{
	struct sampled *entry = entry_of(0);
	if (!entry && sampled_count < SIS_SLOTS)
		entry = &sampled[sampled_count];
	if (!entry)
		return NULL;
	if (!entry->writer)
		entry->writer = sis__writer_new(tid, true);
	if (!entry->writer)
		return NULL;
	sis__made_free(entry->writer->made); /* they are about the thread that ended */
	entry->writer->made = NULL;
	entry->writer->last = NULL;
	entry->writer->pub->tid = tid;
	entry->writer->pub->to = 0;
	return entry;
}

static void leave(struct sampled *entry)
{
	if (entry->handle >= 0)
		sis__source_close(&source, entry->handle);
	entry->handle = -1;
	entry->writer->pub->lost += __atomic_exchange_n(&entry->missed, 0, __ATOMIC_RELAXED);
	entry->writer->pub->to = sis__ticks();
	entry->tid = 0;
}

static void enter(uint32_t tid, bool self)
{
	struct sampled *entry = entry_of(tid);
	if (entry && (!self || mine == entry))
		return;
	if (entry) /* a thread that ended had the same number, or the sampler found this thread */
		leave(entry);
	entry = free_entry(tid);
	if (!entry)
		return;
	entry->handle = sis__source_open(&source, tid, signal_number);
	if (entry->handle < 0)
		return;
	entry->tid = tid;
	set_bounds(entry, self);
	if (self)
		mine = entry;
	if (entry == &sampled[sampled_count])
		/* pairs with find_self: the handler sees a complete entry */
		__atomic_store_n(&sampled_count, sampled_count + 1, __ATOMIC_RELEASE);
	arm(entry);
}

void sis__sampled_add(uint32_t tid, bool self)
{
	if (!is_active() || source.method == SIS_METHOD_LOOK || !sis__lock(&lock))
		return;
	if (is_active())
		enter(tid, self);
	sis__unlock(&lock);
}

void sis__sampled_remove(uint32_t tid)
{
	if (!is_active() || !sis__lock(&lock))
		return;
	struct sampled *entry = entry_of(tid);
	if (entry)
		leave(entry);
	mine = NULL;
	sis__unlock(&lock);
}

/* Threads that begin from now on may also be confined. A signal in a confined thread would end the
 * process. */
void sis__sampled_confine(uint32_t tid)
{
	if (!sis__lock(&lock))
		return;
	no_others = true;
	sis__unlock(&lock);
	sis__sampled_remove(tid);
}

/* -- the sampler ------------------------------------------------------------------------------- */

static bool add_found(const char *name, void *unused)
{
	uint32_t tid = (uint32_t)strtoul(name, NULL, 10);
	(void)unused;
	if (tid && !no_others && !sis__is_own_thread(tid))
		enter(tid, false);
	return true;
}

/* Opens sources again whose descriptor the program has closed, or whose timer it has deleted. */
static void renew_closed(void)
{
	for (uint32_t i = 0; i < sampled_count; i++) {
		if (!sampled[i].tid || sis__source_is(&source, sampled[i].handle))
			continue;
		int handle = sis__source_open(&source, sampled[i].tid, signal_number);
		sampled[i].handle = handle;
		if (handle >= 0)
			arm(&sampled[i]);
	}
}

void sis__sampled_scan(void)
{
	struct stat status;
	uint64_t tasks = stat("/proc/self/task", &status) == 0 ? status.st_nlink : 0;
	bool regular = scans++ % SCAN_ALWAYS == 0;
	if ((tasks == tasks_seen && !regular) || source.method == SIS_METHOD_LOOK ||
	    !sis__lock(&lock))
		return;
	if (is_active()) {
		for (uint32_t i = 0; i < sampled_count; i++)
			if (sampled[i].tid &&
			    syscall(SYS_tgkill, getpid(), sampled[i].tid, 0) != 0)
				leave(&sampled[i]); /* the thread has ended */
		sis__each_entry("/proc/self/task", add_found, NULL);
		if (regular)
			renew_closed();
	}
	tasks_seen = tasks;
	sis__unlock(&lock);
}

void sis__sampled_grow(void)
{
	uint32_t count = __atomic_load_n(&sampled_count, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < count; i++)
		sis__writer_grow(sampled[i].writer);
}

/* -- the process ------------------------------------------------------------------------------- */

void sis__sampled_begin(const struct sis_sample_source *from, int number)
{
	source = *from;
	signal_number = number;
	__atomic_store_n(&active, true, __ATOMIC_SEQ_CST);
}

void sis__sampled_signal(int number)
{
	if (!sis__lock(&lock))
		return;
	signal_number = number;
	for (uint32_t i = 0; i < sampled_count; i++)
		if (sampled[i].tid) {
			sampled[i].handle = sis__source_signal(&source, sampled[i].handle,
							       sampled[i].tid, number);
			arm(&sampled[i]);
		}
	sis__unlock(&lock);
}

void sis__sampled_pause(bool on)
{
	__atomic_store_n(&active, on, __ATOMIC_SEQ_CST);
	bool locked = sis__lock(&lock); /* false: the holder, such as the sampler, is gone */
	for (uint32_t i = 0; i < sampled_count; i++) {
		if (!sampled[i].tid)
			continue;
		if (on)
			arm(&sampled[i]);
		else
			sis__source_stop(&source, sampled[i].handle);
		if (!on && &sampled[i] != mine)
			sis__writing_wait(&sampled[i].busy);
	}
	if (locked)
		sis__unlock(&lock);
}

void sis__sampled_end(void)
{
	sis__sampled_pause(false);
	bool locked = sis__lock(&lock);
	for (uint32_t i = 0; i < sampled_count; i++)
		if (sampled[i].tid)
			leave(&sampled[i]);
	if (locked)
		sis__unlock(&lock);
}

/* A forked child has copies of the descriptors, but their events count the parent. The child has no
 * timers. */
void sis__sampled_new_process(void)
{
	active = false;
	mine = NULL;
	came_from = 0; /* this is an offset in the parent's file */
	for (uint32_t i = 0; i < sampled_count; i++) {
		if (sampled[i].tid)
			sis__source_close_inherited(&source, sampled[i].handle);
		if (sampled[i].writer)
			sis__writer_free(sampled[i].writer);
	}
	memset(sampled, 0, sizeof sampled);
	sampled_count = 0;
	tasks_seen = 0;
	no_others = false;
	sis__writers_new_process();
}

/* -- the thread's own stack, outside of the handler -------------------------------------------- */

/* This function is inline, because the frame must still exist when it is unwound. */
static inline __attribute__((always_inline)) void registers_here(struct sis_registers *registers)
{
	*registers = (struct sis_registers){ .known = 0 };
#ifdef __x86_64__
	uint64_t *value = registers->value;
	__asm__ volatile("movq %%rbx, 24(%0)\n\tmovq %%rbp, 48(%0)\n\tmovq %%rsp, 56(%0)\n\t"
			 "movq %%r12, 96(%0)\n\tmovq %%r13, 104(%0)\n\tmovq %%r14, 112(%0)\n\t"
			 "movq %%r15, 120(%0)\n\tleaq 0(%%rip), %%rax\n\tmovq %%rax, 128(%0)"
			 : : "r"(value) : "rax", "memory");
	registers->known = 1u << SIS_REG_BX | 1u << SIS_REG_FP | 1u << SIS_REG_SP |
			   0xfu << 12 | 1u << SIS_REG_PC;
#else
	registers->value[SIS_REG_FP] = registers->value[SIS_REG_SP] =
		(uint64_t)(uintptr_t)__builtin_frame_address(0);
	registers->value[SIS_REG_PC] = (uint64_t)(uintptr_t)__builtin_return_address(0);
	registers->known = 1u << SIS_REG_FP | 1u << SIS_REG_SP | 1u << SIS_REG_PC;
#endif
}

/* Samples that came while the thread noted its own stack count for this stack. */
static void add_missed(struct sampled *me)
{
	uint32_t missed = __atomic_exchange_n(&me->missed, 0, __ATOMIC_RELAXED);
	struct sis_access access = { .kind = SIS_ACCESS_UNKNOWN };
	me->writer->key.head.kind = SIS_STACK_RUNNING;
	if (missed && sis__writer_add(me->writer, missed, missed * source.period))
		sis__writer_add_access(me->writer, &access, missed, missed * source.period);
}

/* Removes from the stack the frames inside of the call that returns to `from`. */
static void begin_at(struct sis_stack_key *key, const void *from)
{
	unsigned frames = key->head.frames;
	for (unsigned i = 1; from && i < frames && i < OWN_FRAMES; i++) {
		if (key->pc[i] != (uint64_t)(uintptr_t)from)
			continue;
		memmove(key->pc, key->pc + i, (frames - i) * sizeof key->pc[0]);
		key->head.frames = (uint16_t)(frames - i);
		key->head.size -= (uint32_t)(i * sizeof key->pc[0]);
		return;
	}
}

bool sis__sampled_is_self(void)
{
	return mine != NULL;
}

void sis__sampled_came_from(uint64_t origin)
{
	came_from = origin;
}

uint64_t sis__sampled_origin(void)
{
	return came_from;
}

/* If the sampler makes a spare chunk at the same time, one of the two chunks stays empty. */
void sis__sampled_grow_self(void)
{
	struct sampled *me = mine;
	if (!me || !begin_write(me))
		return;
	sis__writer_grow(me->writer);
	end_write(me);
}

__attribute__((noinline)) const struct sis_stack *sis__sampled_here(enum sis_stack_kind kind,
								     const void *from)
{
	struct sampled *me = mine;
	const struct sis_stack *stack = NULL;
	if (!me || !begin_write(me))
		return NULL;
	int saved = errno;
	struct sis_registers registers;
	registers_here(&registers);
	fill_head(&me->writer->key.head, kind);
	me->writer->key.head.flags = 0;
	unwind(me, &registers, true);
	me->writer->key.pc[0] &= ~SIS_PC_EXACT;
	begin_at(&me->writer->key, from);
	stack = sis__stack_add(&me->writer->table, &me->writer->key.head, 0, 0);
	add_missed(me);
	end_write(me);
	errno = saved;
	return stack;
}

/* The origin of the task that the calling thread is creating, whose stack is the writer's key. */
static const struct sis_task_origin *find_origin(struct sis_writer *writer,
						 const struct sis_task_origin *outer)
{
	uint64_t hash = sis_checksum(writer->key.pc,
				     writer->key.head.frames * sizeof writer->key.pc[0]);
	const struct sis_task_origin *known = sis__task_origin_known(outer, hash);
	if (known)
		return known;
	const struct sis_stack *stack =
		sis__stack_add(&writer->table, &writer->key.head, 0, 0);
	return stack ? sis__task_origin(sis__stacks_offset(stack), hash, outer) : NULL;
}

__attribute__((noinline)) const struct sis_task_origin *sis__sampled_task(const void *from)
{
	struct sampled *me = mine;
	const struct sis_thread *own = sis__local.own;
	const struct sis_creation creation = { from, __builtin_frame_address(0),
					       own ? own->task_stack : NULL,
					       own ? own->stack_origin : 0 };
	const struct sis_task_origin *found = me ? sis__made_find(me->writer->made, &creation)
						 : NULL;
	if (!me || found || !begin_write(me))
		return found;
	struct sis_writer *writer = me->writer;
	struct sis_registers registers;
	registers_here(&registers);
	fill_head(&writer->key.head, SIS_STACK_ORIGIN);
	uint64_t node = writer->key.head.node;
	writer->key.head.node = writer->key.head.flags = 0; /* one stack for all nodes */
	unwind(me, &registers, true);
	struct sis_made *made = sis__made_at(&writer->made, &creation);
	bool is_noted = made && sis__made_note(made, &creation, writer->key.pc, writer->end,
					       writer->key.head.frames);
	writer->key.pc[0] &= ~SIS_PC_EXACT;
	/* a thread of libomp that splits a taskloop has no `from` */
	begin_at(&writer->key, from);
	if (writer->key.head.frames > 1)
		found = find_origin(writer, creation.outer);
	if (is_noted && found)
		sis__made_set(made, &creation, found);
	writer->key.head.node = node;
	add_missed(me);
	end_write(me);
	return found;
}
