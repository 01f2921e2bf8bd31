/* SPDX-License-Identifier: BSD-3-Clause */
/* test_region_switch.c - regions are turned off and on in the text of this program: alone, while
 * other threads execute the gates, and where the kernel or another tool is in the way. The lock and
 * the settings are the test's own. */
// link: rtlib/measure/patch/*.c rtlib/base/read_text.c -lpthread
#define SIS__WITH_GATES
#define SIS__PLAIN_CALLS
#include "base/config.h"
#include "measure/patch/gates.h"
#include "measure/patch/objects.h"
#include "measure/patch/region_switch.h"
#include "unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { REGIONS = 3, FLIPS = 3000, THREADS = 2 };
struct sis_config sis__config = { .enabled = true, .patch = true };
static struct sis_region sis__regions[REGIONS];
__attribute__((unused)) static struct sis_unit sis__unit; /* the macros name it */

bool sis__lock(struct sis_lock *lock)
{
	while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE))
		;
	return true;
}

void sis__unlock(struct sis_lock *lock)
{
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}

/* -- gates ------------------------------------------------------------------------------------- */

static __thread unsigned entered;
#define sis__enter(unit, region) ((void)entered++)

static __attribute__((noinline)) bool first(void) { return SIS__ENTERED(0) != 0; }
static __attribute__((noinline)) bool second(void) { return SIS__ENTERED(1) != 0; }

extern struct sis_gate first_gate[] __asm__(".startof.sis_gates")
	__attribute__((weak, visibility("hidden")));
extern char gate_bytes[] __asm__(".sizeof.sis_gates") __attribute__((weak, visibility("hidden")));
static struct sis_object object;

static void begin(void)
{
	for (unsigned k = 0; k < REGIONS; k++)
		sis__regions[k] = (struct sis_region){ 0, SIS_FIRST_UNIT_ID + k, "CR_F - -" };
	for (unsigned k = 0; k < REGIONS; k++)
		sis__regions[k].id = sis__regions[k].routine;
	object.gate = first_gate;
	object.bytes = (unsigned long)gate_bytes;
	sis__object_add(&object);
}

static void turn(unsigned k, bool on)
{
	uint32_t id = on ? sis__regions[k].routine : SIS_ID_OFF;
	sis__regions_switch(&(struct sis_region_switch){ &sis__regions[k], id }, 1);
}

static unsigned state_of(unsigned k)
{
	unsigned state = 99;
	for (struct sis_gate *gate = object.gate; gate < object.end; gate++)
		if (sis__gate_region(gate) == &sis__regions[k])
			state = gate->state;
	return state;
}

/* Whether the text enters region 0, whatever its id is. */
static bool text_enters(void)
{
	unsigned id = sis__regions[0].id;
	sis__regions[0].id = sis__regions[0].routine;
	bool enters = first();
	sis__regions[0].id = id;
	return enters;
}

START_TEST(off_is_a_nop_and_on_enters)
{
	begin();
	ck_assert_ptr_nonnull(object.gate);
	ck_assert(first() && second());
	ck_assert_uint_eq(entered, 2);
	turn(0, false);
	ck_assert(!first() && !text_enters() && second());
	turn(0, false); /* once more */
	ck_assert(!text_enters());
	turn(0, true);
	ck_assert(first() && text_enters());
	ck_assert_uint_eq(state_of(1), SIS_GATE_ON);
}
END_TEST

START_TEST(while_nothing_is_measured_all_gates_are_off)
{
	sis__config.enabled = false;
	begin();
	ck_assert(!text_enters() && !second());
}
END_TEST

START_TEST(sis_patch_0_leaves_the_text_alone)
{
	sis__config.patch = false;
	begin();
	turn(0, false);
	ck_assert(!first() && text_enters());
}
END_TEST

START_TEST(an_object_that_is_gone_is_left_alone)
{
	begin();
	sis__object_remove(&object); /* as at dlclose */
	turn(0, false);
	ck_assert(!first() && text_enters());
}
END_TEST

/* -- other threads ----------------------------------------------------------------------------- */

static bool stop;

static void *executes(void *unused)
{
	unsigned long entries = 0, calls = 0;
	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (int i = 0; i < 1000; i++)
			entries += first() + second();
		calls += 2000;
	}
	ck_assert_uint_le(entries, calls);
	ck_assert_uint_eq(entries, entered);
	return NULL;
}

START_TEST(threads_execute_gates_while_they_change)
{
	pthread_t thread[THREADS];
	const char *asked = getenv("FLIPS");
	long flips = asked ? atol(asked) : FLIPS;
	begin();
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, executes, NULL), 0);
	for (long i = 0; i < flips; i++) {
		turn(i & 1, i & 2);
		ck_assert_uint_eq(state_of(i & 1), i & 2 ? SIS_GATE_ON : SIS_GATE_OFF);
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}
END_TEST

/* -- in the way -------------------------------------------------------------------------------- */

/* From here on the system call does `action`; of mprotect only with PROT_EXEC. */
static void forbid(unsigned call, unsigned action)
{
	unsigned third = offsetof(struct seccomp_data, args[2]);
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, call == SYS_mprotect ? 3 : 1),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, third),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	if (call != SYS_mprotect)
		program[2] = program[4];
	struct sock_fprog filter = { sizeof program / sizeof *program, program };
	if (call != SYS_mprotect)
		program[3] = program[5];
	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

START_TEST(a_policy_against_changed_text_leaves_the_test_of_the_id)
{
	forbid(SYS_mprotect, SECCOMP_RET_ERRNO | EACCES);
	begin();
	turn(0, false);
	ck_assert(!first() && text_enters() && second());
	turn(0, true);
	ck_assert(first());
}
END_TEST

START_TEST(in_a_sandbox_of_the_program_text_does_not_change)
{
	begin();
	turn(1, false);
	forbid(SYS_mprotect, SECCOMP_RET_KILL_PROCESS);
	turn(0, false);
	ck_assert(!first() && text_enters() && !second());
}
END_TEST

static void *waits(void *unused)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		sched_yield();
	return unused;
}

START_TEST(text_does_not_change_if_other_threads_cannot_be_serialized)
{
	pthread_t thread;
	forbid(SYS_membarrier, SECCOMP_RET_ERRNO | ENOSYS);
	begin();
	ck_assert_int_eq(pthread_create(&thread, NULL, waits, NULL), 0);
	turn(0, false);
	ck_assert(!first() && text_enters());
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	turn(1, false);
	ck_assert(!text_enters()); /* alone: what was missed is made up for */
}
END_TEST

START_TEST(a_gate_that_another_tool_has_changed_is_left_alone)
{
	begin();
	struct sis_gate *gate = object.gate;
	while (sis__gate_region(gate) != &sis__regions[0])
		gate++;
	char *text = sis__gate_text(gate), before = *text;
	void *page = (void *)((uintptr_t)text & ~(uintptr_t)4095);
	ck_assert_int_eq(mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	*text = (char)0xcc; /* a breakpoint */
	turn(0, false);
	ck_assert_int_eq(*text, (char)0xcc);
	ck_assert_int_eq(mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	*text = before;
	ck_assert_uint_eq(gate->state, SIS_GATE_FOREIGN);
	ck_assert(!first() && text_enters());
}
END_TEST

UNIT_MAIN("region_switch", off_is_a_nop_and_on_enters, while_nothing_is_measured_all_gates_are_off,
	  sis_patch_0_leaves_the_text_alone, an_object_that_is_gone_is_left_alone,
	  threads_execute_gates_while_they_change,
	  a_policy_against_changed_text_leaves_the_test_of_the_id,
	  in_a_sandbox_of_the_program_text_does_not_change,
	  text_does_not_change_if_other_threads_cannot_be_serialized,
	  a_gate_that_another_tool_has_changed_is_left_alone)
