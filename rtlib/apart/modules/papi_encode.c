/* SPDX-License-Identifier: BSD-3-Clause */
/* papi_encode.c - finds perf_event's numbers for an event of PAPI, so that the event can end the
 * periods of samples (blame/stacks/sample_source.c). Called by the thread that begins the samples.
 *
 * PAPI makes a preset from native events, and finds the numbers of native events with libpfm, which
 * it loads. This file does the same. PAPI_overflow is not used, for two reasons. PAPI_overflow
 * chooses the signal, which the program may use, too; and only threads that call PAPI themselves
 * get samples.
 * LIMIT: a preset that is computed from several native events ends no period.
 */
#include "measure/counters/papi_module.h"

#include "apart/modules/papi_events.h"

#include <linux/perf_event.h>
#include <papi.h>
#include <stdio.h>
#include <string.h>

enum { USER_CODE = 8 /* PFM_PLM3 */, PFM_SUCCESS = 0, LARGEST = 512 };

/* Functions of libpfm 4. Debian's PAPI loads libpfm. A PAPI with a hidden copy of libpfm has no
 * such symbols. */
extern int pfm_initialize(void) __attribute__((weak));
extern const char *pfm_strerror(int code) __attribute__((weak));
extern int pfm_get_perf_event_encoding(const char *name, int modes, struct perf_event_attr *,
				       char **full_name, int *index) __attribute__((weak));

static char text[400];

/* Returns the native event that the preset consists of, or NULL if the preset does not consist of a
 * single event. */
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

int papi_encode(const char *name, struct sis_papi_code *code, const char **why)
{
	/* libpfm may have a longer structure */
	union { struct perf_event_attr attributes; char room[LARGEST]; } is = { .room = { 0 } };
	static const char component[] = "perf_event:::"; /* PAPI's, which libpfm does not know */
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
	if (strncmp(native, component, sizeof component - 1) == 0)
		native += sizeof component - 1;
	int failed = pfm_initialize();
	if (failed == PFM_SUCCESS)
		failed = pfm_get_perf_event_encoding(native, USER_CODE, &is.attributes, NULL, NULL);
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
