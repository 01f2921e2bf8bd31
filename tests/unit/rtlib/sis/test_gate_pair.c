/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/blame/stacks/unwind.c rtlib/blame/stacks/call_frames.c rtlib/base/copy_memory.c */
/* The probes that gates jump to: they do the same as those of pair.h, they keep the registers that
 * gate_call.h names, and at each of their instructions the stack can be unwound. These are the
 * probes of a library; test_gate_pair_program.c has those of a program. The runtime is the test's
 * own. */
#include "unit.h"

#define SIS__PROBE_LINKAGE __attribute__((visibility("hidden"), noinline))
#define SIS__WITH_GATES
#include "sis/probe.h"
#include "sis/gate_pair.h"

#include "stacks.h"
#include "blame/stacks/unwind.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#ifdef SIS__PLAIN_CALLS
START_TEST(no_gates_here) { ck_assert(true); } END_TEST
UNIT_MAIN("gate_pair", no_gates_here)
#else

/* -- a runtime --------------------------------------------------------------------------------- */

/* A root with a ring of the nodes of regions 0 to 2. The last region has a node that the slow path
 * finds below any node. */
enum { REGIONS = 4, RING = 3, FIRST_ID = 100 };
static struct sis_region sis__regions[REGIONS];
static struct sis_unit sis__unit = { SIS_PROBE_ABI, REGIONS, "", 0, 0, sis__regions };
static struct { struct sis__thread thread; struct sis__node root, node[REGIONS]; } state;
static struct sis__node none = { .parent = &none, .last_child = &none, .next = &none };
static struct sis__stream stream;

/* Calls of the runtime, and the unit and region of the last one. Volatile: the compiler does not
 * know that the jump leads to them. */
static volatile unsigned slow, special, traced, visits_over;
static struct sis_unit *volatile last_unit;
static struct sis_region *volatile last_region;

/* As any function may. */
static void use_registers(void)
{
	__asm__ volatile("pxor %%xmm0, %%xmm0\n\tpxor %%xmm7, %%xmm7" : : : "xmm0", "xmm7");
	__asm__ volatile("fld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\tfld1\n\t"
			 "fstp %%st\n\tfstp %%st\n\tfstp %%st\n\tfstp %%st\n\t"
			 "fstp %%st\n\tfstp %%st\n\tfstp %%st\n\tfstp %%st" : : :
			 "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
}

__thread struct sis__thread *sis__self __attribute__((tls_model("initial-exec")));
int sis__clock_is_tsc;
unsigned sis__sampling, sis__timing, sis__sampling_excess, sis__visits_left;
static unsigned long long time_of_slow_clock;
unsigned long long sis__clock_slow(void) { return time_of_slow_clock += 10; }
void sis__visits_over(void) { use_registers(); visits_over++; }
void sis__site(struct sis_unit *unit, struct sis_region *region)
{
	use_registers();
	slow++;
	last_unit = unit;
	last_region = region;
}
void sis__leave_off(struct sis_region *region) { use_registers(); slow++, last_region = region; }
void sis__leave_special(struct sis_region *region) { special++, last_region = region; }
void sis__leave_slow(unsigned id)
{
	slow += id >= FIRST_ID;
	state.thread.current = &state.root;
}
struct sis__node *sis__enter_slow(unsigned id)
{
	struct sis__node *node = &state.node[id - FIRST_ID];
	use_registers();
	slow++;
	node->parent = state.thread.current;
	return node;
}

/* These handle their calls if `quick_ones` says so. They change all registers that they may. */
#define QUICK __attribute__((target("general-regs-only"), no_sanitize("address", "thread")))
static enum { NONE, FINDS, FOLDS } quick_ones;
static volatile unsigned quick;
#define USE_GENERAL_REGISTERS()                                                    \
	__asm__ volatile("movl $-1, %%eax\n\tmovl %%eax, %%ecx\n\t"               \
			 "movl %%eax, %%edx\n\tmovl %%eax, %%esi\n\t"             \
			 "movl %%eax, %%r8d\n\tmovl %%eax, %%r9d\n\t"             \
			 "movl %%eax, %%r10d\n\tmovl %%eax, %%r11d"                \
			 : : : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11")
static union { unsigned long long word[8]; struct sis__fold fold[2]; } folded;
QUICK struct sis__node *sis__enter_quickly(unsigned id)
{
	struct sis__node *node = &state.node[id - FIRST_ID], *current = state.thread.current;
	USE_GENERAL_REGISTERS();
	quick++;
	if (quick_ones == FINDS)
		node->parent = current;
	if (quick_ones == FOLDS) {
		folded.fold[0] = (struct sis__fold){ .node = current, .from = current, .start = 1 };
		state.thread.folds = 4;
	}
	return quick_ones == FINDS ? node : quick_ones == FOLDS ? SIS__FOLDED : NULL;
}
QUICK int sis__leave_quickly(unsigned id)
{
	USE_GENERAL_REGISTERS();
	quick += id >= FIRST_ID;
	state.thread.folds = 0;
	return quick_ones == FOLDS;
}

void sis__enter_special(struct sis_unit *unit, struct sis_region *region)
{
	special++;
	last_unit = unit;
	last_region = region;
}
#ifdef SIS__OF_PROGRAM
struct sis__tracing sis__tracing;
void sis__start_traced_slow(struct sis__thread *self, struct sis__node *node,
			    unsigned long long now)
{
	traced += now != 0;
	self->current = node;
}
void sis__end_traced_slow(struct sis__thread *self, struct sis__node *node, unsigned long long now)
{
	traced += now != 0;
	self->current = node->parent;
}
#endif

static void begin(unsigned timing, unsigned char rung)
{
	memset(&state, 0, sizeof state);
	for (unsigned k = 0; k < REGIONS; k++) {
		sis__regions[k] = (struct sis_region){ FIRST_ID + k, 0, "CR_F - -" };
		state.node[k] = (struct sis__node){
			.region = FIRST_ID + k, .rung = rung, .min = 1000,
			.parent = &state.root, .last_child = &none,
			.next = &state.node[k < RING ? (k + 1) % RING : k] };
	}
	state.root.region = 1;
	state.root.last_child = &state.node[0];
	state.thread.current = &state.root;
	state.thread.trace = timing == SIS__TRACED ? &stream : NULL;
	sis__sampling = timing & 16;
	sis__self = &state.thread;
	sis__timing = timing;
#ifdef SIS__OF_PROGRAM
	sis__self_local = sis__self;
	sis__timing_local = timing;
#endif
	sis__clock_is_tsc = 1;
	sis__visits_left = 0;
	quick_ones = NONE;
	slow = quick = special = traced = visits_over = 0;
}

/* Region 1 below region 0. */
static void nest(void)
{
	state.node[0].next = &state.node[2];
	state.node[0].last_child = &state.node[1];
	state.node[1].parent = &state.node[0];
	state.node[1].next = &state.node[1];
	state.root.last_child = &state.node[0];
}

/* -- registers --------------------------------------------------------------------------------- */

enum { BELOW = 0x1234567 }; /* in the words below the stack pointer, which are the caller's */
static unsigned jumps;      /* at two of three, x87 registers are in use */

/* Jumps to the probe. Whether the registers that the probe must keep are as they were. */
#define KEEPS(probe, of_rax, rax_is_kept)                                                         \
	__extension__({                                                                           \
		register uint64_t rax __asm__("rax") = (uint64_t)(uintptr_t)(of_rax);             \
		register uint64_t rcx __asm__("rcx") = 11, rdx __asm__("rdx") = 12;               \
		register uint64_t rsi __asm__("rsi") = 13, rdi __asm__("rdi") = 14;               \
		register double xmm0 __asm__("xmm0") = 0.5, xmm7 __asm__("xmm7") = 13.5;          \
		const unsigned x87 = jumps++ % 3;                                                 \
		double one = 1, eight = 8;                                                        \
		uint64_t first, last;                                                             \
		__asm__ volatile("testl %[x87], %[x87]\n\tje 2f\n\tfld1\n\tfldl %[eight]\n"       \
				 "2:\tleaq -512(%%rsp), %%rsp\n\t"                                \
				 "movq %[below], -8(%%rsp)\n\tmovq %[below], -128(%%rsp)\n\t"     \
				 "movq %[region], %%r10\n\tleaq 1f(%%rip), %%r11\n\t"             \
				 "jmp *%[to]\n"                                                   \
				 "1:\tmovq -8(%%rsp), %%r8\n\tmovq -128(%%rsp), %%r9\n\t"         \
				 "leaq 512(%%rsp), %%rsp\n\t"                                     \
				 "movq %%r8, %[first]\n\tmovq %%r9, %[last]\n\t"                  \
				 "testl %[x87], %[x87]\n\tje 3f\n\t"                              \
				 "fadd %%st, %%st\n\tfstpl %[eight]\n\tfstpl %[one]\n"            \
				 "3:"                                                             \
				 : "+r"(rax), "+r"(rcx), "+r"(rdx), "+r"(rsi), "+r"(rdi),         \
				   "+x"(xmm0), "+x"(xmm7), [first] "=m"(first),                   \
				   [last] "=m"(last), [one] "+m"(one), [eight] "+m"(eight)        \
				 : [below] "i"(BELOW), [x87] "r"(x87), [region] "r"(region),      \
				   [to] "r"(probe)                                                \
				 : "st", "st(1)", SIS__CHANGED);                                  \
		first == BELOW && last == BELOW && rcx == 11 && rdx == 12 && rsi == 13 &&         \
			rdi == 14 && (!(rax_is_kept) || rax == 15) && xmm0 == 0.5 &&              \
			xmm7 == 13.5 && one == 1 && eight == (x87 ? 16 : 8);                      \
	})

/* The same of a register that is wider than 16 bytes. */
static unsigned char wide[64];
#define KEEPS_WIDE(probe, vector)                                                                 \
	__extension__({                                                                           \
		unsigned char kept[64];                                                           \
		__asm__ volatile("vmovups %[wide], %%" vector "\n\tleaq -128(%%rsp), %%rsp\n\t"   \
				 "movq %[region], %%r10\n\tleaq 1f(%%rip), %%r11\n\t"             \
				 "movq %[unit], %%rax\n\tjmp *%[to]\n"                            \
				 "1:\tleaq 128(%%rsp), %%rsp\n\t"                                 \
				 "vmovups %%" vector ", %[kept]\n\tvzeroupper"                    \
				 : [kept] "=m"(kept)                                              \
				 : [wide] "m"(wide), [region] "r"(region), [unit] "r"(&sis__unit),\
				   [to] "r"(probe)                                                \
				 : "rax", "xmm7", SIS__CHANGED);                                  \
		memcmp(kept, wide, sizeof kept >> (vector[0] == 'y')) == 0;                       \
	})

enum width { SSE, AVX, AVX512, WIDTHS };
static enum width width;
typedef void probe(void);

static bool has_width(enum width of)
{
	__builtin_cpu_init();
	return of == SSE || (of == AVX ? __builtin_cpu_supports("avx") :
					 __builtin_cpu_supports("avx512f"));
}

static bool keeps_wide(probe *to, struct sis_region *region)
{
	for (size_t i = 0; i < sizeof wide; i++)
		wide[i] = (unsigned char)(i + 1);
	return width == SSE ||
		(width == AVX ? KEEPS_WIDE(to, "ymm7") : KEEPS_WIDE(to, "zmm7"));
}

static probe *enter_of_width(void)
{
	static probe *const probes[] = { sis__gate_enter, sis__gate_enter_avx,
					 sis__gate_enter_avx512 };
	return probes[width];
}

static probe *leave_of_width(void)
{
	static probe *const probes[] = { sis__gate_leave, sis__gate_leave_avx,
					 sis__gate_leave_avx512 };
	return probes[width];
}

static probe *announce_of_width(void)
{
	static probe *const probes[] = { sis__gate_announce, sis__gate_announce_avx,
					 sis__gate_announce_avx512 };
	return probes[width];
}

static bool enter(unsigned k)
{
	struct sis_region *region = &sis__regions[k];
	probe *to = enter_of_width();
	return KEEPS(to, &sis__unit, false);
}

static bool leave(unsigned k)
{
	struct sis_region *region = &sis__regions[k];
	probe *to = leave_of_width();
	return KEEPS(to, 15, true);
}

static bool announce(unsigned k)
{
	struct sis_region *region = &sis__regions[k];
	probe *to = announce_of_width();
	return KEEPS(to, &sis__unit, false);
}

static void check_pair(unsigned k, unsigned calls)
{
	ck_assert(enter(k));
	ck_assert_ptr_eq(state.thread.current, &state.node[k]);
	ck_assert(leave(k));
	ck_assert_ptr_eq(state.thread.current, &state.root);
	ck_assert_uint_eq(state.node[k].calls, calls);
}

START_TEST(timed)
{
	begin(0, SIS__FULL);
	check_pair(0, 1);
	ck_assert_uint_gt(state.node[0].start, 0);
	ck_assert_uint_ge(state.thread.stamp, state.node[0].start);
	ck_assert_uint_eq(state.node[0].total, state.thread.stamp - state.node[0].start);
	unsigned long long first = state.node[0].total;
	ck_assert_uint_eq(state.node[0].max, first);
	ck_assert_uint_eq(state.node[0].min, first < 1000 ? first : 1000);
	check_pair(0, 2);
	ck_assert_uint_le(state.node[0].min, state.node[0].total - first);
	ck_assert_uint_ge(state.node[0].max, state.node[0].total - first);
	ck_assert_uint_eq(slow + special, 0);
}
END_TEST

START_TEST(siblings)
{
	begin(0, SIS__FULL);
	check_pair(1, 1);
	ck_assert_ptr_eq(state.root.last_child, &state.node[1]);
	check_pair(2, 1);
	check_pair(0, 1);
	ck_assert_uint_eq(slow, 0);
	check_pair(2, 2); /* two further */
	ck_assert_uint_eq(slow, 1);
	check_pair(3, 1);
	ck_assert_uint_eq(slow, 2);
}
END_TEST

START_TEST(nested)
{
	begin(0, SIS__FULL);
	nest();
	ck_assert(enter(0) && enter(1));
	ck_assert_ptr_eq(state.thread.current, &state.node[1]);
	ck_assert(leave(1));
	ck_assert_ptr_eq(state.thread.current, &state.node[0]);
	ck_assert(leave(0));
	ck_assert_uint_eq(slow + special, 0);
}
END_TEST

/* Another child than the last one and the next one, which the runtime finds. */
static void check_found(unsigned timing, unsigned char rung)
{
	begin(timing, rung);
	quick_ones = FINDS;
	check_pair(2, 1);
	check_pair(3, 1);
	ck_assert_uint_eq(quick, 2);
	ck_assert_uint_eq(slow + special, 0);
	ck_assert((state.node[3].total > 0) == (rung == SIS__FULL));
}

START_TEST(found)
{
	check_found(0, SIS__FULL);
	check_found(1, SIS__SAMPLED);
}
END_TEST

static void begin_folds(unsigned timing, unsigned char rung)
{
	begin(timing, rung);
	state.node[1].region |= SIS__FOLDS;
	state.thread.current = &state.node[1];
	state.thread.fold = folded.word;
	state.thread.fold_room = 8;
	quick_ones = FOLDS;
}

static void check_folds(unsigned quick_calls, unsigned slow_calls, unsigned long long words)
{
	ck_assert_ptr_eq(state.thread.current, &state.node[1]);
	ck_assert_uint_eq(quick, quick_calls);
	ck_assert_uint_eq(slow, slow_calls);
	ck_assert_uint_eq(state.thread.folds, words);
}

/* Activations that fold into the current node, and are timed. */
START_TEST(folds)
{
	begin_folds(0, SIS__FULL);
	ck_assert(enter(1));
	check_folds(1, 0, 4);
	ck_assert(leave(1));
	check_folds(2, 0, 0);
	ck_assert_uint_eq(state.node[1].calls, 0); /* the runtime's */
	ck_assert(leave(2)); /* it is not the innermost */
	ck_assert_uint_eq(quick, 2);
	ck_assert_uint_eq(slow, 1);
	begin_folds(0, SIS__FULL);
	ck_assert(enter(1));
	quick_ones = NONE;
	ck_assert(leave(1));
	ck_assert_uint_eq(quick, 2);
	ck_assert_uint_eq(slow, 1);
}
END_TEST

START_TEST(folds_sampled)
{
	const unsigned char others[] = { SIS__FULL, 1 };
	begin_folds(1, SIS__SAMPLED);
	for (unsigned i = 1; i <= 2; i++) {
		const struct sis__fold *fold = &folded.fold[i - 1];
		ck_assert(enter(1));
		check_folds(0, 0, 4 * i);
		ck_assert(fold->node == &state.node[1] && fold->from == &state.node[1]);
		ck_assert(fold->start == SIS__START_SAMPLED && fold->suspended == 0);
		ck_assert_uint_eq(state.node[1].calls, i);
	}
	ck_assert(enter(1)); /* no room */
	ck_assert_uint_eq(slow, 1);
	state.thread.current = &state.node[1];
	ck_assert(leave(1));
	check_folds(0, 1, 4);
	ck_assert(leave(1));
	check_folds(0, 1, 0);
	for (unsigned i = 0; i < 2; i++) { /* they are timed */
		begin_folds(16, others[i]);
		ck_assert(enter(1) && leave(1));
		check_folds(2, 0, 0);
	}
	begin_folds(1, SIS__SAMPLED);
	state.node[1].min = SIS__SHORT;
	ck_assert(enter(1) && leave(1));
	check_folds(2, 0, 0);
}
END_TEST

/* Ends that are not those of an activation in its own node. */
START_TEST(ends_of_other_folds)
{
	for (unsigned i = 0; i < 5; i++) {
		begin_folds(1, SIS__SAMPLED);
		ck_assert(enter(1));
		folded.fold[0].suspended = i == 0;
		folded.fold[0].node = i == 1 ? &state.node[2] : &state.node[1];
		state.thread.overlaps = i == 2;
		state.thread.trace = i == 3 ? &stream : NULL;
		state.thread.folds = i == 4 ? 0 : 4;
		ck_assert(leave(1));
		ck_assert_uint_eq(quick, 0);
		ck_assert_uint_eq(slow, 1);
	}
}
END_TEST

START_TEST(sampled)
{
	begin(1, SIS__SAMPLED);
	for (unsigned i = 1; i <= 3; i++) {
		check_pair(0, i);
		check_pair(1, i);
		check_pair(2, i);
	}
	ck_assert_uint_eq(state.node[0].total, 0);
	ck_assert_uint_eq(state.node[0].start, SIS__START_SAMPLED);
	ck_assert_uint_eq(state.thread.stamp, 0);
	state.node[1].min = SIS__SHORT; /* not short: it is timed */
	check_pair(0, 4);
	check_pair(1, 4);
	ck_assert_uint_gt(state.node[1].total, 0);
	ck_assert_uint_eq(slow + special + traced, 0);
	/* what was entered last is not what is left */
	nest();
	state.node[1].min = 1;
	ck_assert(enter(0) && enter(1) && leave(1) && leave(0));
	ck_assert_ptr_eq(state.thread.current, &state.root);
}
END_TEST

START_TEST(one_in_16)
{
	struct sis__node *node = &state.node[0];
	struct sis__estimate estimate = { .node = node };
	begin(16, 1);
	node->estimate = &estimate;
	for (unsigned i = 1; i <= 256; i++) {
		unsigned long long count = estimate.timed;
		unsigned long long stamp = state.thread.stamp;
		bool chosen = sis__is_chosen(node, i - 1);
		check_pair(0, i);
		ck_assert_uint_eq(estimate.timed, count + chosen);
		if (chosen) {
			ck_assert(node->start & SIS__START_CHOSEN);
			ck_assert_uint_gt(state.thread.stamp, stamp);
		} else
			ck_assert_uint_eq(node->start, stamp | SIS__START_UNTIMED);
	}
	ck_assert_uint_eq(estimate.timed, 16);
	ck_assert_uint_eq(node->total, 16 * (unsigned long long)estimate.ticks);
	ck_assert_uint_eq(slow + special, 0);
}
END_TEST

/* Another region has a lower rung. */
START_TEST(timed_beside_others)
{
	begin(16, SIS__FULL);
	check_pair(0, 1);
	ck_assert_uint_eq(state.node[0].total, state.thread.stamp - state.node[0].start);
	nest();
	state.node[0].rung = SIS__SAMPLED;
	ck_assert(enter(0) && enter(1));
	unsigned long long before = state.node[0].total;
	ck_assert(leave(1));
	ck_assert_uint_gt(state.node[1].total, 0);
	ck_assert_uint_eq(state.node[0].total, before + state.node[1].total);
	ck_assert(leave(0));
}
END_TEST

START_TEST(another_clock)
{
	begin(1, SIS__FULL);
	sis__clock_is_tsc = 0;
	check_pair(0, 1);
	check_pair(0, 2);
	ck_assert_uint_eq(state.node[0].total, 20);
}
END_TEST

START_TEST(first_activations_are_counted)
{
	begin(1, SIS__FULL);
	sis__visits_left = 3;
	for (unsigned i = 1; i <= 4; i++) {
		check_pair(0, i);
		ck_assert_uint_eq(visits_over, i >= 3);
	}
	ck_assert_uint_eq(sis__visits_left, 0);
}
END_TEST

START_TEST(with_a_trace)
{
#ifdef SIS__OF_PROGRAM
	unsigned words[5] = { 0 };
	begin(SIS__TRACED, SIS__SAMPLED); /* whatever the rung is */
	check_pair(0, 1);
	ck_assert_uint_eq(traced, 2); /* no block */
	stream = (struct sis__stream){ .next = words, .limit = words + 4, .span = 4 * sizeof *words,
				       .last = sis__now() };
	check_pair(0, 2);
	ck_assert_uint_eq(traced, 4); /* the trace is off */
	sis__tracing = (struct sis__tracing){ .on = 1, .deadline = UINT64_MAX };
	for (unsigned i = 3; i <= 4; i++) {
		unsigned long long last = stream.last;
		check_pair(0, i);
		unsigned *word = words + 2 * (i - 3);
		ck_assert_ptr_eq(stream.next, word + 2);
		ck_assert_uint_eq(word[0], (unsigned)(state.node[0].start - last) << 14 |
					   FIRST_ID << 2 | 1);
		ck_assert_uint_eq(word[1], (unsigned)(stream.last - state.node[0].start) << 2);
		ck_assert_uint_eq(state.thread.stamp, stream.last);
	}
	ck_assert_uint_ge(state.node[0].max, words[1] >> 2);
	ck_assert_uint_eq(state.node[0].total, (words[1] >> 2) + (words[3] >> 2));
	ck_assert_uint_eq(traced, 4);
	check_pair(0, 5);
	ck_assert_uint_eq(traced, 6); /* the block is full */
	ck_assert_uint_eq(words[4], 0);
	stream.next = words;
	sis__tracing.regions = 1;
	check_pair(0, 6);
	sis__tracing.regions = 0;
	sis__tracing.deadline = 1;
	check_pair(0, 7);
	ck_assert_uint_eq(traced, 10);
	sis__tracing.deadline = UINT64_MAX;
	stream.last = sis__now() - (1 << 19); /* too long for a word of `enter` */
	check_pair(0, 8);
	ck_assert_uint_eq(traced, 11);
	ck_assert_ptr_eq(stream.next, words + 1);
	sis__tracing.on = 2;
	check_pair(0, 9);
	ck_assert_uint_eq(traced, 13);
	stream = (struct sis__stream){ .limit = NULL };
	sis__tracing.on = 0;
#endif
}
END_TEST

/* A region that is off or not registered, and one that is not the innermost. */
START_TEST(slow_paths)
{
	begin(0, SIS__FULL);
	sis__regions[1].id = SIS_ID_UNREGISTERED(1);
	ck_assert(enter(1));
	ck_assert_uint_eq(special, 1);
	ck_assert_ptr_eq(last_unit, &sis__unit);
	ck_assert_ptr_eq(last_region, &sis__regions[1]);
	ck_assert(leave(1));
	ck_assert_uint_eq(special, 2);
	ck_assert_uint_eq(quick, 0);
	sis__regions[2].id = SIS_ID_OFF;
	ck_assert(leave(2));
	ck_assert_uint_eq(slow, 1);
	ck_assert_ptr_eq(last_region, &sis__regions[2]);
	ck_assert(enter(0) && leave(3));
	ck_assert_uint_eq(slow, 2);
}
END_TEST

START_TEST(announced)
{
	begin(0, SIS__FULL);
	for (unsigned i = 0; i < SIS__SITES; i++) {
		sis__regions[i % REGIONS].routine = i;
		state.thread.current = &state.node[i % RING];
		ck_assert(announce(i % REGIONS));
		ck_assert_uint_eq(state.thread.sites, i + 1);
		ck_assert_uint_eq(state.thread.site[i].id, FIRST_ID + i % REGIONS);
		ck_assert_uint_eq(state.thread.site[i].routine, i);
		ck_assert_ptr_eq(state.thread.site[i].node, &state.node[i % RING]);
	}
	ck_assert_uint_eq(slow, 0);
	ck_assert(announce(1)); /* no room */
	ck_assert_uint_eq(slow, 1);
	ck_assert_ptr_eq(last_region, &sis__regions[1]);
	state.thread.sites = SIS__SITES + 1; /* the thread is not measured */
	ck_assert(announce(1));
	ck_assert_uint_eq(slow, 1);
	state.thread.sites = 0;
	sis__regions[2].id = SIS_ID_UNREGISTERED(2);
	ck_assert(announce(2));
	ck_assert_uint_eq(slow, 2);
	ck_assert_ptr_eq(last_unit, &sis__unit);
	ck_assert_ptr_eq(last_region, &sis__regions[2]);
	ck_assert_uint_eq(state.thread.sites, 0);
}
END_TEST

/* Each width has the fast path and the slow one. */
START_TEST(wide_registers)
{
	struct sis_region *fast = &sis__regions[0], *slower = &sis__regions[3];
	for (width = SSE; width < WIDTHS; width++) {
		if (!has_width(width))
			continue;
		begin(0, SIS__FULL);
		check_pair(0, 1);
		check_pair(3, 1);
		ck_assert_uint_eq(slow, 1);
		quick_ones = FINDS;
		check_pair(2, 1);
		check_pair(3, 2);
		ck_assert_uint_eq(slow, 1);
		quick_ones = NONE;
		ck_assert(keeps_wide(enter_of_width(), fast));
		ck_assert(keeps_wide(leave_of_width(), fast));
		ck_assert(keeps_wide(enter_of_width(), slower));
		sis__regions[3].id = SIS_ID_OFF;
		ck_assert(keeps_wide(leave_of_width(), slower));
		ck_assert(announce(0));
		ck_assert_uint_eq(state.thread.sites, 1);
		ck_assert(keeps_wide(announce_of_width(), fast));
		sis__regions[3].id = SIS_ID_UNREGISTERED(3);
		ck_assert(keeps_wide(announce_of_width(), slower));
		begin(16, 1);
		for (unsigned i = 1; i <= 32; i++)
			check_pair(0, i);
		begin(1, SIS__SAMPLED);
		check_pair(0, 1);
		check_pair(1, 1);
	}
	width = SSE;
}
END_TEST

/* -- unwinding --------------------------------------------------------------------------------- */

enum { MOST = 64, STEP = 0x100 /* the processor's flag */ };
static struct sis_unwind_rules rules;
static unsigned steps, wrong;
extern void *__libc_stack_end;

/* After each instruction: the walk of the stack, compared with libgcc's. */
__attribute__((no_sanitize("address", "thread"))) static void compare(int number, siginfo_t *info,
								       void *context)
{
	void *wanted[MOST];
	uint64_t walked[MOST];
	struct sis_registers registers;
	struct sis_stack_memory stack = { .top = (uint64_t)(uintptr_t)__libc_stack_end };
	(void)number, (void)info;
	sis__registers_of(context, &registers);
	struct sis_unwound result = sis__unwind_stack(&rules, &registers, stack, true, walked,
						      NULL, MOST);
	int count = backtrace(wanted, MOST), skipped = 0;
	uint64_t pc = registers.value[SIS_REG_PC];
	while (skipped < count && (uint64_t)(uintptr_t)wanted[skipped] != pc)
		skipped++;
	bool same = result.complete && count - skipped == (int)result.frames;
	for (unsigned i = 0; same && i < result.frames; i++)
		same = (walked[i] & ~SIS_PC_EXACT) == (uint64_t)(uintptr_t)wanted[skipped + (int)i];
	steps++;
	wrong += !same;
}

static void set_step(bool on)
{
	__asm__ volatile("leaq -128(%%rsp), %%rsp\n\tpushfq\n\tandq %0, (%%rsp)\n\t"
			 "orq %1, (%%rsp)\n\tpopfq\n\tleaq 128(%%rsp), %%rsp"
			 : : "r"(~(uint64_t)STEP), "r"(on ? (uint64_t)STEP : 0) : "memory", "cc");
}

static __attribute__((noinline)) unsigned scopes(unsigned count)
{
	SIS_SCOPE(0)
	for (unsigned i = 0; i < count; i++) {
		SIS_SCOPE(1)
		{
			SIS_SCOPE(3)
			SIS_SITE(2) (void)(state.thread.sites = 0) SIS_SITE_END;
		}
	}
	return count;
}

static void step_through(unsigned timing, unsigned char rung, bool finds)
{
	struct sigaction action = { .sa_sigaction = compare, .sa_flags = SA_SIGINFO };
	void *ready[2];
	backtrace(ready, 2); /* it loads libgcc */
	sigaction(SIGTRAP, &action, NULL);
	begin(timing, rung);
	nest();
	quick_ones = finds ? FINDS : NONE;
	steps = wrong = 0;
	set_step(true);
	unsigned count = scopes(3);
	set_step(false);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(state.node[1].calls, 3);
	ck_assert_ptr_eq(state.thread.current, &state.root);
	ck_assert_uint_gt(steps, 200);
	ck_assert_uint_eq(wrong, 0);
}

START_TEST(stack_of_timed) { step_through(0, SIS__FULL, false); } END_TEST
START_TEST(stack_of_sampled) { step_through(1, SIS__SAMPLED, false); } END_TEST
START_TEST(stack_of_one_in_16) { step_through(16, 1, false); } END_TEST
START_TEST(stack_of_timed_beside_others) { step_through(16, SIS__FULL, false); } END_TEST
START_TEST(stack_of_found) { step_through(0, SIS__FULL, true); } END_TEST

UNIT_MAIN("gate_pair", timed, siblings, nested, found, folds, folds_sampled,
	  ends_of_other_folds, sampled, one_in_16, timed_beside_others,
	  another_clock, first_activations_are_counted, with_a_trace, slow_paths, announced,
	  wide_registers,
	  stack_of_timed, stack_of_sampled, stack_of_one_in_16, stack_of_timed_beside_others,
	  stack_of_found)
#endif
