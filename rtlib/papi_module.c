/* papi_module.c - libsis-papi.so: hardware counters through PAPI. Opened by counter_papi.c.
 *
 * Every thread has an event set of its own for each metric set that it meets, started once and left
 * running: regions take differences. An event set that cannot be started reads as zeros, and that was found
 * out and told when the metric was looked up, by starting each event once.
 */
#include "papi_module.h"

#include "counter.h"

#include <dirent.h>
#include <papi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { EVENTS = 256, SETS = 256 };

static int code[EVENTS]; /* PAPI's event codes; a metric's number is its place here */
static int codes;
static __thread int event_set[SETS]; /* 0: not made yet; PAPI's + 2; 1: cannot be */

static int init(const char **why)
{
	static char text[160];
	int version = PAPI_library_init(PAPI_VER_CURRENT);
	if (version != PAPI_VER_CURRENT) {
		snprintf(text, sizeof text, "PAPI cannot be initialized: %s",
			 version < 0 ? PAPI_strerror(version) : "another version");
		*why = text;
		return -1;
	}
	PAPI_thread_init((unsigned long (*)(void))pthread_self);
	return 0;
}

/* A preset without its prefix, or any native event as PAPI(name). */
static void event_name(char *name, size_t size, const char *metric)
{
	if (strncmp(metric, "PAPI(", 5) == 0)
		snprintf(name, size, "%.*s", (int)strcspn(metric + 5, ")"), metric + 5);
	else
		snprintf(name, size, "PAPI_%s", metric);
}

/* Whether the event can be counted here and now, by counting it. */
static int try_event(int event)
{
	int set = PAPI_NULL;
	long long value;
	int failed = PAPI_create_eventset(&set);
	if (failed == PAPI_OK)
		failed = PAPI_add_event(set, event);
	if (failed == PAPI_OK && (failed = PAPI_start(set)) == PAPI_OK)
		PAPI_stop(set, &value);
	if (set != PAPI_NULL) {
		PAPI_cleanup_eventset(set);
		PAPI_destroy_eventset(&set);
	}
	return failed;
}

/* Why the processor's events cannot be counted at all; NULL: that is not known. PAPI says of any that it does not exist. */
static const char *why_none(void)
{
	static char text[100];
	bool pmu = false;
	int paranoid = 0;
	DIR *devices = opendir("/sys/bus/event_source/devices");
	for (struct dirent *entry; devices && (entry = readdir(devices));)
		pmu |= strncmp(entry->d_name, "cpu", 3) == 0 || strncmp(entry->d_name, "armv", 4) == 0;
	if (devices)
		closedir(devices);
	if (devices && !pmu)
		return "the kernel shows no counters of a processor (most virtual machines have none)";
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	bool read = file && fscanf(file, "%d", &paranoid) == 1;
	if (file)
		fclose(file);
	if (!read || paranoid < 3)
		return NULL;
	snprintf(text, sizeof text, "/proc/sys/kernel/perf_event_paranoid is %d; the administrator can set it to 2", paranoid);
	return text;
}

static const char *reason(int failed)
{
	const char *none = why_none();
	return none ? none : PAPI_strerror(failed);
}

static int find(const char *metric, const char **why)
{
	static char text[200];
	char name[128];
	int event = 0;
	event_name(name, sizeof name, metric);
	int failed = PAPI_event_name_to_code(name, &event);
	if (failed == PAPI_OK)
		failed = try_event(event);
	if (failed != PAPI_OK || codes == EVENTS) {
		snprintf(text, sizeof text, "PAPI cannot count %s here: %s", name,
			 failed != PAPI_OK ? reason(failed) : "too many events");
		*why = text;
		return -2;
	}
	code[codes] = event;
	return codes++;
}

static bool start(int *set, const int *number, int count)
{
	if (PAPI_register_thread() != PAPI_OK || PAPI_create_eventset(set) != PAPI_OK)
		return false;
	for (int i = 0; i < count; i++)
		if (PAPI_add_event(*set, code[number[i]]) != PAPI_OK)
			return false;
	return PAPI_start(*set) == PAPI_OK;
}

static void read_events(uint32_t set, const int *number, int count, uint64_t *value)
{
	long long counts[SIS_SET_METRICS];
	if (set >= SETS)
		return;
	if (event_set[set] == 0) {
		int made = PAPI_NULL;
		event_set[set] = start(&made, number, count) ? made + 2 : 1;
	}
	if (event_set[set] == 1 || PAPI_read(event_set[set] - 2, counts) != PAPI_OK)
		return;
	for (int i = 0; i < count; i++)
		value[i] = (uint64_t)counts[i];
}

static void note_native(sis_papi_seen *seen, int event, const PAPI_event_info_t *info)
{
	int failed = try_event(event);
	seen(info->symbol, info->long_descr, failed == PAPI_OK ? NULL : reason(failed));
}

static void each_native(sis_papi_seen *seen)
{
	for (int component = 0; component < PAPI_num_components(); component++) {
		int event = PAPI_NATIVE_MASK;
		PAPI_event_info_t info;
		const PAPI_component_info_t *about = PAPI_get_component_info(component);
		if (!about || about->disabled || PAPI_enum_cmp_event(&event, PAPI_ENUM_FIRST, component) != PAPI_OK)
			continue;
		do
			if (PAPI_get_event_info(event, &info) == PAPI_OK)
				note_native(seen, event, &info);
		while (PAPI_enum_cmp_event(&event, PAPI_ENUM_EVENTS, component) == PAPI_OK);
	}
}

__attribute__((visibility("default"))) extern const struct sis_papi sis_papi;
const struct sis_papi sis_papi = { init, find, each_native, read_events };
