/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_module.h - the interface between libsis and libsis-papi.so: one table, symbol `sis_papi`. */
#ifndef SIS_PAPI_MODULE_H
#define SIS_PAPI_MODULE_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* `why` it cannot be counted here and now; NULL: it can. */
typedef void sis_papi_seen(const char *name, const char *description, const char *why);

struct sis_papi_code { uint32_t type; uint64_t config, config1, config2; }; /* perf_event_attr */

struct sis_papi {
	/* 0, or -1 and why it cannot count */
	int (*init)(bool multiplex, const char **why);
	/* As sis_source.find. All that were found can be counted together; with `multiplex` by
	 * taking turns. */
	int (*find)(const char *metric, const char **why);
	/* The metric of this number, if what it counts is an estimate; NULL: it is not, or there is
	 * no such number. */
	const char *(*estimate)(int number);
	/* What counts the event and how it is read, `counters of WHAT<TAB>HOW`. */
	void (*describe)(int number, char *text, uint64_t size);
	/* What counts it for the whole machine; NULL: it is counted for each thread. */
	const char *(*counted_by)(int number);
	/* as sis_source.read */
	const char *(*read)(const int *number, int count, uint64_t *value, uint32_t *lost);
	/* What perf_event calls an event: a preset or any native event. 0, or -1 and why not */
	int (*encode)(const char *name, struct sis_papi_code *code, const char **why);
	/* For sis-counters: */
	void (*each)(sis_papi_seen *seen);                       /* every native event */
	bool (*offers)(const char *metric, const char **why);    /* it alone can be counted */
	/* forgets all metrics that were found; one thread */
	void (*reset)(void);
};

/* Whether the kernel shows counters of a processor, which all presets need; true if it cannot be
 * seen. */
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
