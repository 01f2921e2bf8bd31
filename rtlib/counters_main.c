/* counters_main.c - lib/sis/sis-counters: which metrics can be measured here, asked of who would measure them. Run by
 * `sis-analyze counters`, which knows nothing of the runtime. One line each, tab-separated:
 *
 *     METRIC  1|0  SOURCE  UNIT  DESCRIPTION, or why it cannot be measured
 *
 * With --native also the native events, as PAPI(name).
 */
#include "papi_module.h"

#include "core.h"

#include <stdio.h>
#include <string.h>

static const char *const source_names[] = {
	[SIS_SOURCE_CORE] = "probes", [SIS_SOURCE_CPU] = "clock", [SIS_SOURCE_OS] = "system", [SIS_SOURCE_PAPI] = "PAPI",
	[SIS_SOURCE_COMM] = "wrappers",
};
static const char *const unit_names[] = {
	[SIS_UNIT_NS] = "ns", [SIS_UNIT_COUNT] = "count", [SIS_UNIT_BYTES] = "bytes", [SIS_UNIT_KIB] = "KiB",
};

static void print_metric(const struct sis_metric_info *metric)
{
	const char *why = NULL;
	bool offered = sis__metric_offered(metric->name, &why);
	printf("%s\t%d\t%s\t%s\t%s\n", metric->name, offered, source_names[metric->source], unit_names[metric->unit],
	       offered ? metric->description : why);
}

static void print_native(const char *name, const char *description, const char *why)
{
	const char *text = why ? why : description;
	printf("PAPI(%s)\t%d\tPAPI\tcount\t%.*s\n", name, !why, (int)strcspn(text, "\t\n"), text);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < SIS_METRICS; i++)
		print_metric(&sis_metric_table[i]);
	if (argc > 1 && strcmp(argv[1], "--native") == 0) {
		const struct sis_papi *papi = sis__papi(NULL);
		if (papi)
			papi->each(print_native);
	}
	return 0;
}
