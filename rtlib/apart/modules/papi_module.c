/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_module.c - libsis-papi.so: hardware counters through PAPI. Opened by counter_papi.c; called
 * while metric sets are made, and by sis-counters. papi_running.c counts and reads.
 *
 * PAPI's queries do not say whether events can be counted together. So this file tries to count
 * each event: first alone, then together with all other events that were asked for, because a
 * thread may be in several regions at once. In this way a conflict is found, and reported, when a
 * set is made.
 */
#include "measure/counters/papi_module.h"

#include "apart/modules/papi_events.h"

#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* held while the data of papi_events.h changes */
static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;

/* -- the start of PAPI ------------------------------------------------------------------------- */

/* The handlers of fork take the lock, so that no other thread holds it during the fork. */
static void lock_events(void) { pthread_mutex_lock(&events_lock); }
static void unlock_events(void) { pthread_mutex_unlock(&events_lock); }

static int init(bool multiplex, const char **why)
{
	static char text[160];
	papi_may_multiplex = multiplex;
	int failed = papi_initialize();
	if (failed != PAPI_OK) {
		snprintf(text, sizeof text, "PAPI cannot be initialized: %s",
			 PAPI_strerror(failed));
		*why = text;
		return -1;
	}
	pthread_atfork(lock_events, unlock_events, unlock_events);
	papi_running_init();
	return 0;
}

/* -- trying events ----------------------------------------------------------------------------- */

static int try_events(const int *code, int count, int component, bool multiplex)
{
	int set;
	long long value[PAPI_MOST + 1];
	papi_running_pause(component);
	int failed = papi_start_set(&set, code, count, component, multiplex);
	if (failed == PAPI_OK) {
		failed = PAPI_read(set, value);
		PAPI_stop(set, value);
		papi_drop_set(&set);
	}
	papi_running_resume(component);
	return failed;
}

/* Tries the event together with all events that were found so far. */
static int try_with_others(const struct papi_event *event, bool multiplex)
{
	int code[PAPI_MOST + 1], count = 0;
	for (int i = 0; i < papi_events && count < PAPI_MOST; i++)
		if (papi_event[i].component == event->component)
			code[count++] = papi_event[i].code;
	if (count == PAPI_MOST)
		return PAPI_ECOUNT;
	code[count++] = event->code;
	return try_events(code, count, event->component, multiplex);
}

/* -- reasons ----------------------------------------------------------------------------------- */

/* Why no event of the processor can be counted; NULL: not known. (PAPI would only say that the
 * event does not exist.) */
static const char *why_none(void)
{
	static char text[100];
	int paranoid = 0;
	if (!sis_kernel_has_counters())
		return SIS_NO_COUNTERS;
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	bool read = file && fscanf(file, "%d", &paranoid) == 1;
	if (file)
		fclose(file);
	if (!read || paranoid < 3)
		return NULL;
	snprintf(text, sizeof text,
		 "/proc/sys/kernel/perf_event_paranoid is %d; the administrator can set it to 2",
		 paranoid);
	return text;
}

/* If the table of descriptors is full, or a counter is busy, the machine is not the reason. */
static const char *reason(int failed)
{
	bool unknown = failed == PAPI_ENOEVNT || failed == PAPI_ENOCMP || failed == PAPI_EPERM ||
		       failed == PAPI_ECMP_DISABLED;
	const char *none = unknown ? why_none() : NULL;
	return none ? none : papi_reason(failed);
}

static const char *why_alone(const struct papi_event *event, int failed)
{
	static char text[500];
	const char *none = why_none();
	int code;
	/* an unknown name may be misspelt, or the name of an event of another processor */
	if (strncmp(event->metric, "PAPI(", 5) == 0 && papi_running_ready() &&
	    PAPI_event_name_to_code(event->name, &code) != PAPI_OK)
		snprintf(text, sizeof text,
			 "PAPI knows no event '%s' here; `sis-analyze counters --native` lists "
			 "events%s%s",
			 event->name, none ? ". Those of the processor cannot be counted: " : "",
			 none ? none : "");
	else
		snprintf(text, sizeof text, "PAPI cannot count %s here: %s", event->name,
			 reason(failed));
	return text;
}

static const char *why_together(const struct papi_event *event)
{
	static char text[512];
	size_t used = (size_t)snprintf(text, sizeof text, "it does not fit with");
	for (int i = 0; i < papi_events && used < 300; i++)
		if (papi_event[i].component == event->component)
			used += (size_t)snprintf(text + used, sizeof text - used, " %s,",
						 papi_event[i].metric);
	snprintf(text + used, sizeof text - used,
		 " which are asked for, too; ask for it in another run%s",
		 papi_may_multiplex ? "" : ", or set SIS_MULTIPLEX=1 for estimates");
	return text;
}

/* -- finding ----------------------------------------------------------------------------------- */

/* Finds the event, and tries whether it can be counted alone. A metric is a preset without its
 * prefix, or any native event as PAPI(name). */
static int look_up(struct papi_event *event, const char *metric)
{
	size_t size = sizeof event->name;
	if (strncmp(metric, "PAPI(", 5) == 0)
		snprintf(event->name, size, "%.*s", (int)strcspn(metric + 5, ")"), metric + 5);
	else
		snprintf(event->name, size, "PAPI_%s", metric);
	if (papi_is_of_kernel(event->name))
		strncat(event->name, ":u=1:k=1", size - strlen(event->name) - 1);
	snprintf(event->metric, sizeof event->metric, "%s", metric);
	if (!papi_running_ready())
		return PAPI_ENOINIT;
	int failed = PAPI_event_name_to_code(event->name, &event->code);
	if (failed != PAPI_OK)
		return failed;
	event->component = PAPI_get_event_component(event->code);
	if (event->component < 0 || event->component >= PAPI_COMPONENTS)
		return PAPI_ENOCMP;
	return try_events(&event->code, 1, event->component, false);
}

static int add_event(const char *metric, const char **why)
{
	struct papi_event event;
	int failed = look_up(&event, metric);
	if (failed == PAPI_OK && papi_events == PAPI_EVENTS)
		failed = PAPI_ECOUNT;
	if (failed != PAPI_OK) {
		*why = why_alone(&event, failed);
		return -2;
	}
	bool turns = papi_multiplexed[event.component];
	failed = try_with_others(&event, turns);
	/* Only the kernel's multiplexing is used. PAPI's own multiplexing needs a signal, which the
	 * program may use. */
	const PAPI_component_info_t *about = PAPI_get_component_info(event.component);
	if (failed != PAPI_OK && !turns && papi_may_multiplex && about && about->kernel_multiplex)
		turns = (failed = try_with_others(&event, true)) == PAPI_OK;
	if (failed != PAPI_OK) {
		*why = why_together(&event);
		return -2;
	}
	papi_multiplexed[event.component] = turns;
	papi_event[papi_events] = event;
	return papi_events++;
}

static int find_or_add(const char *metric, const char **why)
{
	pthread_mutex_lock(&events_lock);
	int number = 0;
	while (number < papi_events && strcmp(papi_event[number].metric, metric) != 0)
		number++;
	if (number == papi_events)
		number = add_event(metric, why);
	pthread_mutex_unlock(&events_lock);
	return number;
}

static const char *estimate(int number)
{
	return number < papi_events && papi_multiplexed[papi_event[number].component]
		       ? papi_event[number].metric
		       : NULL;
}

/* perf_event counts for each thread; PAPI's other components read sensors and devices. */
static const char *counted_by(int number)
{
	const PAPI_component_info_t *about = PAPI_get_component_info(papi_event[number].component);
	return about && strcmp(about->name, "perf_event") != 0 ? about->name : NULL;
}

static void describe(int number, char *text, uint64_t size)
{
	int version = PAPI_get_opt(PAPI_LIB_VERSION, NULL);
	const PAPI_component_info_t *about = PAPI_get_component_info(papi_event[number].component);
	snprintf(text, size, "counters of %s\tPAPI %d.%d.%d, read by %s", about ? about->name : "?",
		 PAPI_VERSION_MAJOR(version), PAPI_VERSION_MINOR(version),
		 PAPI_VERSION_REVISION(version),
		 about && about->fast_counter_read ? "rdpmc" : "system calls");
}

/* -- for sis-counters, which has one thread ---------------------------------------------------- */

static void each_native(sis_papi_seen *seen)
{
	for (int component = 0; component < PAPI_num_components() && component < PAPI_COMPONENTS;
	     component++) {
		int event = PAPI_NATIVE_MASK;
		PAPI_event_info_t info;
		const PAPI_component_info_t *about = PAPI_get_component_info(component);
		if (!about || about->disabled ||
		    PAPI_enum_cmp_event(&event, PAPI_ENUM_FIRST, component) != PAPI_OK)
			continue;
		do {
			if (PAPI_get_event_info(event, &info) != PAPI_OK)
				continue;
			int failed = try_events(&event, 1, component, false);
			seen(info.symbol, info.long_descr,
			     failed == PAPI_OK ? NULL : reason(failed));
		} while (PAPI_enum_cmp_event(&event, PAPI_ENUM_EVENTS, component) == PAPI_OK);
	}
}

static bool offers(const char *metric, const char **why)
{
	struct papi_event event;
	int failed = look_up(&event, metric);
	if (failed != PAPI_OK)
		*why = why_alone(&event, failed);
	return failed == PAPI_OK;
}

static void reset(void)
{
	papi_running_forget();
	papi_events = 0;
	for (int i = 0; i < PAPI_COMPONENTS; i++)
		papi_multiplexed[i] = false;
}

__attribute__((visibility("default"))) extern const struct sis_papi sis_papi;
const struct sis_papi sis_papi = {
	.init = init,
	.find = find_or_add,
	.estimate = estimate,
	.describe = describe,
	.counted_by = counted_by,
	.read = papi_running_read,
	.each = each_native,
	.offers = offers,
	.reset = reset,
	.encode = papi_encode,
};
