/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_module.h - the interface between libsis and libsis-papi.so: one table, symbol `sis_papi`. */
#ifndef SIS_PAPI_MODULE_H
#define SIS_PAPI_MODULE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* `why` says why the event cannot be counted here and now; NULL: it can be counted. */
typedef void sis_papi_seen(const char *name, const char *description, const char *why);

struct sis_papi_code { uint32_t type; uint64_t config, config1, config2; }; /* perf_event_attr */

struct sis_papi {
	/* Returns 0. On failure returns -1, and *why says why nothing can be counted. */
	int (*init)(bool multiplex, const char **why);
	/* As sis_source.find. All metrics that were found can be counted together, with `multiplex`
	 * in turns. */
	int (*find)(const char *metric, const char **why);
	/* Returns the name of the metric with this number, if its values are estimates. NULL: the
	 * values are no estimates, or there is no such number. */
	const char *(*estimate)(int number);
	/* Writes what counts the event and how it is read: `counters of WHAT<TAB>HOW`. */
	void (*describe)(int number, char *text, uint64_t size);
	/* Returns what counts the event for the whole machine. NULL: each thread has a count of its
	 * own. */
	const char *(*counted_by)(int number);
	/* as sis_source.read */
	const char *(*read)(const int *number, int count, uint64_t *value, uint32_t *lost);
	/* Fills in the code by which perf_event knows a preset or native event. Returns 0. On
	 * failure returns -1, and *why says why. */
	int (*encode)(const char *name, struct sis_papi_code *code, const char **why);
	/* For sis-counters: */
	void (*each)(sis_papi_seen *seen);                       /* every native event */
	/* Whether the metric can be counted if no other metric is counted. */
	bool (*offers)(const char *metric, const char **why);
	/* Forgets all metrics that were found. Called by one thread. */
	void (*reset)(void);
};

/* Whether the kernel offers the processor's counters, which all presets need. If this is not known,
 * the result is true. */
static inline bool sis_kernel_has_counters(void)
{
	bool some = false;
	DIR *devices = opendir("/sys/bus/event_source/devices");
	for (struct dirent *entry; devices && (entry = readdir(devices));)
		some |= strncmp(entry->d_name, "cpu", 3) == 0 ||
			strncmp(entry->d_name, "armv", 4) == 0;
	if (devices)
		closedir(devices);
	return some || !devices;
}
#define SIS_NO_COUNTERS \
	"the kernel shows no counters of a processor (most virtual machines have none)"

#endif
