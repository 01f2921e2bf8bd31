/* SPDX-License-Identifier: BSD-3-Clause */
/* counter_papi.c - hardware counters, through a module that is linked with PAPI. The thread that is
 * measured reads its own counters.
 *
 * The module is opened when a metric first asks for it, so that other programs do not depend on
 * PAPI.
 */
#include "base/config.h"
#include "base/modules.h"
#include "output/profile/text.h"
#include "measure/counters/counter.h"
#include "measure/counters/counter_papi.h"
#include "measure/counters/papi_module.h"

#include <stdio.h>
#include <string.h>

static const struct sis_papi *papi;
static const char *no_papi;

SIS_EXPORT const struct sis_papi *sis__papi(const char **why)
{
	static bool tried;
	if (!tried) {
		tried = true;
		no_papi = sis__no_papi;
		papi = sis__module("libsis-papi.so", "sis_papi");
		if (papi && papi->init(sis__config.multiplex, &no_papi) != 0)
			papi = NULL;
	}
	if (why)
		*why = no_papi;
	return papi;
}

/* Whether the metric is a preset that cannot be counted on this machine. PAPI is not asked, because
 * loading it takes 4 ms, unless the program has loaded it anyway. */
static bool is_hopeless(const char *metric, const char **why)
{
	static int hopeless = -1;
	static char text[200];
	if (strncmp(metric, "PAPI(", 5) == 0)
		return false;
	if (hopeless < 0)
		hopeless = !sis__has_symbol("PAPI_library_init") && !sis_kernel_has_counters();
	if (hopeless) {
		snprintf(text, sizeof text, "PAPI cannot count PAPI_%.60s here: " SIS_NO_COUNTERS,
			 metric);
		*why = text;
	}
	return hopeless;
}

/* Notes how the event is counted. Also notes which of all events are estimates now, because a new
 * event may turn earlier ones into estimates. */
static int find_event(const char *metric, const char **why)
{
	char text[160];
	enum sis_metric known = sis_metric_by_name(metric, strlen(metric));
	if (strncmp(metric, "PAPI(", 5) != 0 && sis_metric_table[known].source != SIS_SOURCE_PAPI)
		return -1;
	int number = !is_hopeless(metric, why) && sis__papi(why) ? papi->find(metric, why) : -2;
	if (number < 0)
		return number;
	const char *whole = papi->counted_by(number);
	if (whole)
		sis__warn("%s is counted by %s for the whole machine, not for each thread: every "
			  "thread has all of it, so sums over threads are too large",
			  metric, whole);
	papi->describe(number, text, sizeof text);
	sis__text_once("machine", "%s", text);
	for (int i = 0; i <= number; i++)
		if (papi->estimate(i))
			sis__text_once("estimate",
				       "%s\tevents take turns in the counters (SIS_MULTIPLEX)",
				       papi->estimate(i));
	return number;
}

static const char *read_events(const int *number, int count, uint64_t *value, uint32_t *lost)
{
	return papi->read(number, count, value, lost);
}

const struct sis_source sis__source_papi = { find_event, read_events };
