/* counter_papi.c - hardware counters, through a module that has PAPI. The thread that is measured reads its own.
 *
 * The module is opened when a metric first asks for it, so that programs depend on PAPI only then.
 */
#include "papi_module.h"

#include "counter.h"

#include "core.h"

#include <string.h>

static const struct sis_papi *papi;
static const char *no_papi = "the module libsis-papi.so or PAPI itself is not installed";

static void open_module(void)
{
	static bool tried;
	if (tried)
		return;
	tried = true;
	papi = sis__module("libsis-papi.so", "sis_papi");
	if (papi && papi->init(&no_papi) != 0)
		papi = NULL;
}

static int find(const char *metric, const char **why)
{
	enum sis_metric known = sis_metric_by_name(metric, strlen(metric));
	if (strncmp(metric, "PAPI(", 5) != 0 && sis_metric_table[known].source != SIS_SOURCE_PAPI)
		return -1;
	open_module();
	if (!papi) {
		*why = no_papi;
		return -2;
	}
	return papi->find(metric, why);
}

static void read_events(uint32_t set, const int *number, int count, uint64_t *value)
{
	papi->read(set, number, count, value);
}

const struct sis_source sis__source_papi = { find, read_events };
