/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_module.c - libsis-papi.so: hardware counters through PAPI. Opened by counter_papi.c; called
 * while metric sets are made, and by sis-counters. papi_running.c counts and reads.
 *
 * Whether events can be counted is tried, because PAPI's queries do not say: first an event alone,
 * then with all others that were asked for, since a thread may be in several regions at once. So a
 * conflict is found, and reported, when a set is made.
 */
#include "counters/papi_module.h"

#include "modules/papi_events.h"

#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* held while the data of papi_events.h changes */
static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;

/* -- the start of PAPI ------------------------------------------------------------------------- */

/* These handlers hold the lock during a fork, so that no thread that the child lacks holds it. */
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

/* Tries the event together with all that were found so far. */
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

/* Whether the kernel can multiplex. PAPI's own multiplexing needs signals, which are the
 * program's. */
static bool can_multiplex(int component)
{
	const PAPI_component_info_t *about = PAPI_get_component_info(component);
	return papi_may_multiplex && about && about->kernel_multiplex;
}

/* -- reasons ----------------------------------------------------------------------------------- */

/* Why the processor's events cannot be counted at all; NULL: not known. PAPI's reason would be that
 * the event does not exist. */
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

/* Whether PAPI does not know the name of a native event: it may be misspelt, or the event of
 * another processor. */
static bool is_unknown_native(const struct papi_event *event)
{
	int code;
	return strncmp(event->metric, "PAPI(", 5) == 0 && papi_running_ready() &&
	       PAPI_event_name_to_code(event->name, &code) != PAPI_OK;
}

static const char *why_alone(const struct papi_event *event, int failed)
{
	static char text[500];
	const char *none = why_none();
	if (is_unknown_native(event))
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

/* A preset without its prefix, or any native event as PAPI(name). */
static void event_name(char *name, size_t size, const char *metric)
{
	if (strncmp(metric, "PAPI(", 5) == 0)
		snprintf(name, size, "%.*s", (int)strcspn(metric + 5, ")"), metric + 5);
	else
		snprintf(name, size, "PAPI_%s", metric);
	if (papi_is_of_kernel(name))
		strncat(name, ":u=1:k=1", size - strlen(name) - 1);
}

/* Finds the event, and tries whether it can be counted alone. */
static int look_up(struct papi_event *event, const char *metric)
{
	event_name(event->name, sizeof event->name, metric);
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

static int known(const char *metric)
{
	for (int i = 0; i < papi_events; i++)
		if (strcmp(papi_event[i].metric, metric) == 0)
			return i;
	return -1;
}

static int take(const char *metric, const char **why)
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
	if (failed != PAPI_OK && !turns && can_multiplex(event.component))
		turns = (failed = try_with_others(&event, true)) == PAPI_OK;
	if (failed != PAPI_OK) {
		*why = why_together(&event);
		return -2;
	}
	papi_multiplexed[event.component] = turns;
	papi_event[papi_events] = event;
	return papi_events++;
}

static int find(const char *metric, const char **why)
{
	pthread_mutex_lock(&events_lock);
	int number = known(metric);
	number = number >= 0 ? number : take(metric, why);
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

static void note_native(sis_papi_seen *seen, int event, int component,
			const PAPI_event_info_t *info)
{
	int failed = try_events(&event, 1, component, false);
	seen(info->symbol, info->long_descr, failed == PAPI_OK ? NULL : reason(failed));
}

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
		do
			if (PAPI_get_event_info(event, &info) == PAPI_OK)
				note_native(seen, event, component, &info);
		while (PAPI_enum_cmp_event(&event, PAPI_ENUM_EVENTS, component) == PAPI_OK);
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
	.find = find,
	.estimate = estimate,
	.describe = describe,
	.counted_by = counted_by,
	.read = papi_running_read,
	.each = each_native,
	.offers = offers,
	.reset = reset,
	.encode = papi_encode,
};
