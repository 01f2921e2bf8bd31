/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_encode.c - what perf_event calls an event of PAPI, so that it can end the periods of samples
 * (stacks/sample_source.c). The thread that begins the samples calls it.
 *
 * PAPI makes a preset of native events, and finds the numbers of these with libpfm, which is loaded
 * with it. This file does the same. PAPI_overflow is not used: it takes a signal of its own choice,
 * which may be one of the program's, and it samples only threads that call PAPI themselves.
 * LIMIT: a preset that is computed from several native events ends no period.
 */
#include "counters/papi_module.h"

#include "modules/papi_events.h"

#include <linux/perf_event.h>
#include <papi.h>
#include <stdio.h>
#include <string.h>

enum { USER_CODE = 8 /* PFM_PLM3 */, PFM_SUCCESS = 0, LARGEST = 512 };

/* Of libpfm 4. Debian's PAPI loads it; a PAPI that hides its own copy of it has no such symbols. */
extern int pfm_initialize(void) __attribute__((weak));
extern const char *pfm_strerror(int code) __attribute__((weak));
extern int pfm_get_perf_event_encoding(const char *name, int modes, struct perf_event_attr *,
				       char **full_name, int *index) __attribute__((weak));

static char text[400];

/* The native event that the preset is. NULL: there is none. */
static const char *native_of(const char *preset, const char **why)
{
	static PAPI_event_info_t info;
	int code, failed = papi_running_ready() ? PAPI_event_name_to_code(preset, &code)
						: PAPI_ENOINIT;
	failed = failed == PAPI_OK ? PAPI_get_event_info(code, &info) : failed;
	*why = text;
	if (failed != PAPI_OK)
		snprintf(text, sizeof text, "%s", papi_reason(failed));
	else if (info.count == 0)
		snprintf(text, sizeof text, "this processor has no such event");
	else if (info.count > 1)
		snprintf(text, sizeof text, "PAPI computes it from %u events; ask for one of them, "
			 "such as %s", info.count, info.name[0]);
	return failed == PAPI_OK && info.count == 1 ? info.name[0] : NULL;
}

/* With the name of PAPI's component, which libpfm does not know. */
static const char *without_component(const char *name)
{
	static const char component[] = "perf_event:::";
	return strncmp(name, component, sizeof component - 1) == 0 ? name + sizeof component - 1
								   : name;
}

int papi_encode(const char *name, struct sis_papi_code *code, const char **why)
{
	/* libpfm may have a longer structure */
	union { struct perf_event_attr attributes; char room[LARGEST]; } is = { .room = { 0 } };
	const char *native = strncmp(name, "PAPI_", 5) == 0 ? native_of(name, why) : name;
	if (!native)
		return -1;
	if (papi_is_of_kernel(native)) {
		*why = "it happens in the kernel only, where no sample is taken";
		return -1;
	}
	if (!pfm_initialize || !pfm_get_perf_event_encoding) {
		*why = "this PAPI does not show libpfm, which knows the numbers of events";
		return -1;
	}
	int failed = pfm_initialize();
	if (failed == PFM_SUCCESS)
		failed = pfm_get_perf_event_encoding(without_component(native), USER_CODE,
						     &is.attributes, NULL, NULL);
	if (failed != PFM_SUCCESS) {
		snprintf(text, sizeof text, "libpfm says: %s",
			 pfm_strerror ? pfm_strerror(failed) : "no");
		*why = text;
		return -1;
	}
	*code = (struct sis_papi_code){ is.attributes.type, is.attributes.config,
					is.attributes.config1, is.attributes.config2 };
	return 0;
}
