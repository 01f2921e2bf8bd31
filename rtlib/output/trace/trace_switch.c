/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_switch.c - switches the trace of a process: on at the start, or at SIS_TRACE_START, a
 * signal, the begin of SIS_TRACE_WINDOW or an activation of a region. Called by any thread, and by
 * the handler of the signal.
 *
 * All of these change sis__tracing.on, which every event reads. Each thread notices the change at
 * its next event (trace.c).
 */
#include "base/signal_action.h"
#include "base/config.h"
#include "base/ticks.h"
#include "output/profile/switched.h"
#include "output/profile/text.h"
#include "output/trace/tracing.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { IDS = 64 };

/* -- window ------------------------------------------------------------------------------------ */

static uint64_t window_end; /* ticks: the end of SIS_TRACE_WINDOW; 0: none, or it is over */

/* Switches only if the state is `from`, so that SIS_TRACE_OVER stays. */
static bool switch_trace(enum sis_trace_on from, enum sis_trace_on to)
{
	uint32_t seen = from;
	bool done = __atomic_compare_exchange_n(&sis__tracing.on, &seen, to, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED);
	if (done && to == SIS_TRACE_ON)
		sis__switched_trace_on(sis__ticks());
	return done;
}

/* The first thread after the deadline sets the next deadline, and switches the trace. */
void sis__trace_check_window(uint64_t now)
{
	uint64_t deadline = __atomic_load_n(&sis__tracing.deadline, __ATOMIC_RELAXED);
	while (now >= deadline) {
		uint64_t next = deadline < window_end ? window_end : UINT64_MAX;
		if (!__atomic_compare_exchange_n(&sis__tracing.deadline, &deadline, next, false,
						 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			continue;
		if (next == UINT64_MAX)
			switch_trace(SIS_TRACE_ON, SIS_TRACE_OFF);
		else
			switch_trace(SIS_TRACE_OFF, SIS_TRACE_ON);
		deadline = next;
	}
}

/* -- regions ----------------------------------------------------------------------------------- */

static uint32_t ids[IDS];      /* ids of the regions of SIS_TRACE_REGION: sis__tracing.regions */
static uint64_t activations;   /* number of activations of these regions, in all threads */
/* The thread in which the last activation to trace is open, and the parent of this activation;
 * NULL: it is not open. */
static const struct sis_thread *last_thread;
static struct sis_node *last_parent;
static uint64_t last_folds;    /* `folds` of this parent (struct sis_activation) */

static void add_id(uint32_t id)
{
	uint32_t count = sis__tracing.regions;
	if (count >= IDS)
		return;
	ids[count] = id;
	__atomic_store_n(&sis__tracing.regions, count + 1, __ATOMIC_RELEASE);
}

static bool switches(uint32_t id)
{
	uint32_t count = __atomic_load_n(&sis__tracing.regions, __ATOMIC_ACQUIRE);
	for (uint32_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

void sis__trace_region_enter(const struct sis_thread *thread, uint32_t id)
{
	if (!switches(id))
		return;
	uint64_t number = __atomic_add_fetch(&activations, 1, __ATOMIC_RELAXED);
	if (number == sis__config.trace.region_first)
		switch_trace(SIS_TRACE_OFF, SIS_TRACE_ON);
	if (number == sis__config.trace.region_last) {
		__atomic_store_n(&last_parent, thread->pub.current, __ATOMIC_RELAXED);
		__atomic_store_n(&last_folds, thread->folds, __ATOMIC_RELAXED);
		__atomic_store_n(&last_thread, thread, __ATOMIC_RELAXED);
	}
}

/* The node that is left is still the current node. */
void sis__trace_region_leave(const struct sis_thread *thread)
{
	if (__atomic_load_n(&last_thread, __ATOMIC_RELAXED) != thread)
		return;
	const struct sis_activation last = { last_parent, last_folds };
	if (!sis__is_same(sis__outer(thread, sis__innermost(thread)), last) ||
	    !switches(sis_node_region(thread->pub.current)))
		return;
	__atomic_store_n(&last_thread, NULL, __ATOMIC_RELAXED);
	switch_trace(SIS_TRACE_ON, SIS_TRACE_OFF);
}

/* Finds the regions of SIS_TRACE_REGION in the unit's description, in which sisc and user_region.c
 * write `"id":K,"name":"NAME",`. */
void sis__trace_unit(const struct sis_profile_unit *unit)
{
	static const char key[] = "\"id\":", before[] = ",\"name\":\"";
	const char *name = sis__config.trace.region;
	const char *text = (const char *)(unit + 1), *end = text + unit->length;
	size_t length = strlen(name);
	if (!sis__config.trace.mode)
		return;
	sis__trace_define(SIS_TRACE_UNIT, 0, unit, sizeof *unit + unit->length);
	if (!length)
		return;
	while ((text = memmem(text, (size_t)(end - text), key, sizeof key - 1))) {
		char *at;
		text += sizeof key - 1;
		/* strtoul stops at the end, because zeros follow a description */
		unsigned long k = strtoul(text, &at, 10);
		const char *named = at + sizeof before - 1;
		if ((size_t)(end - at) > sizeof before + length &&
		    memcmp(at, before, sizeof before - 1) == 0 &&
		    memcmp(named, name, length) == 0 && named[length] == '"' && k < unit->count)
			add_id(unit->first_id + (uint32_t)k);
	}
}

/* -- signal ------------------------------------------------------------------------------------ */

static struct sigaction program_action; /* the program's handler, which is called afterwards */

static void toggle(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	if (__atomic_load_n(&sis__tracing.on, __ATOMIC_RELAXED) == SIS_TRACE_OFF)
		switch_trace(SIS_TRACE_OFF, SIS_TRACE_ON);
	else
		switch_trace(SIS_TRACE_ON, SIS_TRACE_OFF);
	if (program_action.sa_flags & SA_SIGINFO)
		program_action.sa_sigaction(number, info, context);
	else if (program_action.sa_handler != SIG_DFL && program_action.sa_handler != SIG_IGN)
		program_action.sa_handler(number);
	errno = saved;
}

/* Checks at the end whether the program has replaced this handler by its own. */
void sis__trace_signal_check(void)
{
	struct sigaction now;
	if (sis__config.trace.signal && __sigaction(sis__config.trace.signal, NULL, &now) == 0 &&
	    (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != toggle))
		sis__warn(
			"the program took the signal of SIS_TRACE_SIGNAL for itself: it did not "
			"switch the trace from then "
			"on; choose another");
}

/* -- by rules, by hand, and the start ---------------------------------------------------------- */

void sis__trace_stop_for(uint32_t cause)
{
	if (switch_trace(SIS_TRACE_ON, SIS_TRACE_OFF))
		sis__switched_trace_off(cause, sis__ticks());
}

SIS_EXPORT void sis_hand_trace_start(void)
{
	switch_trace(SIS_TRACE_OFF, SIS_TRACE_ON);
}

SIS_EXPORT void sis_hand_trace_stop(void)
{
	switch_trace(SIS_TRACE_ON, SIS_TRACE_OFF);
}

void sis__trace_begin(void)
{
	const struct sis_trace_config *config = &sis__config.trace;
	if (!config->mode)
		return;
	struct sigaction action = { .sa_sigaction = toggle, .sa_flags = SA_SIGINFO | SA_RESTART };
	sigemptyset(&action.sa_mask);
	if (config->signal && __sigaction(config->signal, &action, &program_action) != 0)
		sis__warn("bad SIS_TRACE_SIGNAL '%d': %s; no signal switches the trace",
			  config->signal, strerrordesc_np(errno));
	for (uint32_t id = 1; id < SIS_FIRST_UNIT_ID && config->region[0]; id++)
		if (strcmp(sis_builtin_name(id), config->region) == 0)
			add_id(id);
	if (config->window_ns) {
		uint64_t from = sis__header()->start.ticks +
				sis__ns_to_ticks(config->window_from_ns);
		window_end = from + sis__ns_to_ticks(config->window_ns);
		__atomic_store_n(&sis__tracing.deadline, from, __ATOMIC_RELAXED);
	}
	if (config->mode == SIS_TRACE_MODE_ON && !config->signal && !config->region[0] &&
	    !config->window_ns)
		switch_trace(SIS_TRACE_OFF, SIS_TRACE_ON);
}
