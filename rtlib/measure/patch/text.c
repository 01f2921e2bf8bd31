/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - changes instructions of gates while other threads may execute them. Called by a thread
 * of the runtime, or by a thread that registers a unit. The caller holds sis__objects_lock.
 *
 *     on    e9 dd dd dd dd    jmp cold
 *     off   0f 1f 44 00 00    nop
 *
 * A processor may have fetched a part of the old instruction when the new one is stored. So the
 * five bytes change in three steps. After each step, all processors that run this process are
 * serialized (membarrier SYNC_CORE). The kernel changes its own text in the same way, but with a
 * breakpoint instead of a short jump:
 *
 *     e9 dd dd dd dd  ->  eb 03 dd dd dd  ->  eb 03 44 00 00  ->  0f 1f 44 00 00
 *
 * eb 03 jumps over the other three bytes, so no thread executes these three when they change. The
 * five bytes are within eight aligned bytes, and each step is one store of these eight. Each step
 * is done for all gates of a batch before the next step. If there is only one thread, no processor
 * has to be serialized.
 *
 * A sandbox may end a process that changes its text. So nothing is changed after the program has
 * installed a filter of system calls. Filters from before the start belong to a container.
 */
#include "base/read_text.h"
#include "measure/patch/gates.h"
#include "measure/patch/text.h"

#include <linux/membarrier.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LENGTH = 5, WORD = 8, NEAR_PAGES = 16 };

/* -- the instruction --------------------------------------------------------------------------- */

/* Writes the bytes that a gate has in this state. */
static void put_bytes(const struct sis_gate *gate, unsigned state, unsigned char *bytes)
{
	static const unsigned char nop[LENGTH] = { 0x0f, 0x1f, 0x44, 0, 0 };
	if (state == SIS_GATE_OFF) {
		memcpy(bytes, nop, LENGTH);
		return;
	}
	int32_t distance = (int32_t)((char *)&gate->on + gate->on - sis__gate_text(gate) - LENGTH);
	bytes[0] = 0xe9;
	memcpy(bytes + 1, &distance, sizeof distance);
}

static unsigned other_state(const struct sis_gate *gate)
{
	return gate->state == SIS_GATE_OFF ? SIS_GATE_ON : SIS_GATE_OFF;
}

/* Changes bytes [from, to) of the instruction with one store. */
static void store(const struct sis_gate *gate, const unsigned char *bytes, int from, int to)
{
	char *text = sis__gate_text(gate);
	size_t in_word = (uintptr_t)text % WORD;
	uint64_t *word = (uint64_t *)(void *)(text - in_word), value = *word;
	memcpy((char *)&value + in_word + from, bytes + from, (size_t)(to - from));
	/* the membarrier in change() orders this store with the fetches of other threads */
	__atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Whether the gate's bytes are those of its state. They differ if a debugger has a breakpoint
 * there, or another tool has changed the text. */
static bool is_as_expected(const struct sis_gate *gate)
{
	unsigned char bytes[LENGTH];
	const char *text = sis__gate_text(gate);
	if ((uintptr_t)text % WORD > WORD - LENGTH)
		return false;
	put_bytes(gate, gate->state, bytes);
	return memcmp(text, bytes, LENGTH) == 0;
}

/* -- other threads ----------------------------------------------------------------------------- */

static int membarrier(int command)
{
	return (int)syscall(SYS_membarrier, command, 0, 0);
}

/* Reads a number of /proc/self/status; returns `otherwise` if the text lacks the key. */
static long status_number(const char *status, const char *key, long otherwise)
{
	const char *at = strstr(status, key);
	return at ? strtol(at + strlen(key), NULL, 10) : otherwise;
}

static long filters_at_start; /* of system calls */
static long filters_in(const char *status)
{
	return status_number(status, "\nSeccomp:", 0) +
	       4 * status_number(status, "\nSeccomp_filters:", 0);
}

enum { STATUS = 4096 };
void sis__text_begin(void)
{
	char status[STATUS];
	if (prctl(PR_GET_SECCOMP) != 0 &&
	    sis__read_file("/proc/self/status", status, sizeof status))
		filters_at_start = filters_in(status);
}

enum threads { UNSAFE, ALONE, AMONG_OTHERS };
static enum threads look_at_threads(void)
{
	char status[STATUS];
	if (!sis__read_file("/proc/self/status", status, sizeof status) ||
	    filters_in(status) != filters_at_start)
		return UNSAFE;
	if (status_number(status, "\nThreads:", 2) == 1)
		return ALONE;
	if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE) == 0 ||
	    (errno == EPERM &&
	     membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) == 0))
		return AMONG_OTHERS;
	return UNSAFE;
}

/* -- pages ------------------------------------------------------------------------------------- */

/* Sets the protection of the gates' pages. One call sets neighbouring pages. */
static bool protect(struct sis_gate *const *gates, size_t count, int protection)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), low = 0, high = 0;
	for (size_t i = 0; i <= count; i++) {
		uintptr_t at = i < count ? (uintptr_t)sis__gate_text(gates[i]) & -page : 0;
		if (i < count && high && at >= low && at < high + NEAR_PAGES * page) {
			high = at + page > high ? at + page : high;
			continue;
		}
		if (high && mprotect((void *)low, high - low, protection) != 0)
			return false;
		low = at;
		high = at + page;
	}
	return true;
}

/* -- a batch ----------------------------------------------------------------------------------- */

static void change(struct sis_gate *const *gates, size_t count, enum threads threads)
{
	static const unsigned char over[LENGTH] = { 0xeb, 0x03 };
	for (size_t i = 0; i < count; i++)
		if (!is_as_expected(gates[i]))
			gates[i]->state = SIS_GATE_FOREIGN;
	for (int step = 0; step < 3; step++) {
		for (size_t i = 0; i < count; i++) {
			unsigned char bytes[LENGTH];
			if (gates[i]->state == SIS_GATE_FOREIGN)
				continue;
			put_bytes(gates[i], other_state(gates[i]), bytes);
			if (step == 1)
				store(gates[i], bytes, 2, LENGTH);
			else
				store(gates[i], step == 0 ? over : bytes, 0, 2);
		}
		if (threads == AMONG_OTHERS)
			membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
	}
	for (size_t i = 0; i < count; i++)
		if (gates[i]->state != SIS_GATE_FOREIGN)
			gates[i]->state = other_state(gates[i]);
}

void sis__text_change(struct sis_object *object, struct sis_gate *const *gates, size_t count)
{
	int saved = errno, protection = object->protection;
	enum threads threads = look_at_threads();
	if (threads != UNSAFE) {
		if (protect(gates, count, PROT_READ | PROT_WRITE | PROT_EXEC))
			change(gates, count, threads);
		else
			object->protection = 0; /* forbidden by a policy, now and later */
		protect(gates, count, protection);
	}
	errno = saved;
}
