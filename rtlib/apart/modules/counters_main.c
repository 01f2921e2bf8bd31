/* SPDX-License-Identifier: BSD-3-Clause */
/* counters_main.c - lib/sis/sis-counters: prints which metrics can be measured on this machine. It
 * asks the sources that would measure the metrics. `sis-analyze counters` runs this program,
 * because sis-analyze is not linked with the runtime. It prints one line for each metric,
 * tab-separated:
 *
 *     METRIC  1|0  SOURCE  UNIT  SET  READ  NS  DESCRIPTION, or why it cannot be measured
 *
 * SET: counters with the same number can be counted in one run; `-` for metrics that need no
 * counter. The first set has as many counters as fit, in the order of the arguments. READ: how a
 * counter is read. NS: how long reading the counter takes on this machine, at every enter and every
 * leave of a region. The arguments name metrics. Without arguments all metrics are listed; with
 * --native, the native events are listed, too, as PAPI(name). With --clock alone the program prints
 * which clock probes use on this machine, and the cost of reading this clock.
 */
#include "measure/counters/counter.h"
#include "measure/counters/counter_papi.h"
#include "measure/counters/metric_set.h"
#include "measure/counters/papi_module.h"
#include "process/clock_watch.h"

#include <stdio.h>
#include <string.h>

enum { ASKED = 256 };

static struct asked {
	char name[128];
	const struct sis_metric_info *metric; /* NULL: a native event */
	bool papi, offered;
	int set;                              /* 0: in no set */
	/* time of a reading; 0: the metric is not read, or wrappers count it */
	uint64_t price_ns;
	char why[320], read[160];
} asked[ASKED];
static int count;

static const char *const source_names[] = {
	[SIS_SOURCE_CORE] = "probes", [SIS_SOURCE_CPU] = "clock",     [SIS_SOURCE_OS] = "system",
	[SIS_SOURCE_PAPI] = "PAPI",   [SIS_SOURCE_COMM] = "wrappers",
};
static const char *const unit_names[] = {
	[SIS_UNIT_NS] = "ns",
	[SIS_UNIT_COUNT] = "count",
	[SIS_UNIT_BYTES] = "bytes",
	[SIS_UNIT_KIB] = "KiB",
};

/* -- what can be measured ---------------------------------------------------------------------- */

static void ask(const char *name)
{
	struct asked *a = &asked[count++];
	enum sis_metric known = sis_metric_by_name(name, strlen(name));
	const struct sis_papi *papi;
	const char *why = "there is no such metric; `sis-analyze counters` lists them";
	snprintf(a->name, sizeof a->name, "%s", name);
	a->metric = known == M_NONE ? NULL : &sis_metric_table[known];
	if (a->metric)
		snprintf(a->name, sizeof a->name, "%s", a->metric->name);
	a->papi = a->metric ? a->metric->source == SIS_SOURCE_PAPI : strncmp(name, "PAPI(", 5) == 0;
	if (a->papi)
		a->offered = (papi = sis__papi(&why)) && papi->offers(a->name, &why);
	else
		a->offered = a->metric && sis__metric_offered(a->name, &why);
	if (!a->offered)
		snprintf(a->why, sizeof a->why, "%s", why);
}

/* Fills a set: the first set gets as many counters as fit, the second as many of the rest, ... */
static bool fill_set(const struct sis_papi *papi, int set)
{
	bool any = false;
	papi->reset();
	for (int i = 0; i < count; i++) {
		const char *why;
		int number = asked[i].papi && asked[i].offered && !asked[i].set
				     ? papi->find(asked[i].name, &why)
				     : -1;
		if (number < 0)
			continue;
		any = true;
		asked[i].set = set;
		papi->describe(number, asked[i].read, sizeof asked[i].read);
	}
	return any;
}

/* -- output ------------------------------------------------------------------------------------ */

static void print_metric(const struct asked *a)
{
	const char *how = strstr(a->read, "read by ");
	const char *source = a->papi ? "PAPI" : a->metric ? source_names[a->metric->source] : "-";
	printf("%s\t%d\t%s\t%s\t", a->name, a->offered, source,
	       a->metric ? unit_names[a->metric->unit] : "count");
	if (a->set)
		printf("%d\t%s\t", a->set, how ? how + strlen("read by ") : "-");
	else
		printf("-\t-\t");
	if (a->price_ns)
		printf("%llu\t", (unsigned long long)a->price_ns);
	else
		printf("-\t");
	printf("%s\n", !a->offered ? a->why
		       : a->metric ? a->metric->description
				   : "an event of this machine");
}

static void print_native(const char *name, const char *description, const char *why)
{
	const char *text = why ? why : description;
	printf("PAPI(%s)\t%d\tPAPI\tcount\t-\t-\t-\t%.*s\n", name, !why, (int)strcspn(text, "\t\n"),
	       text);
}

int main(int argc, char **argv)
{
	char clock[256];
	if (argc == 2 && strcmp(argv[1], "--clock") == 0) {
		sis__clock_describe(clock, sizeof clock);
		return puts(clock) < 0;
	}
	bool native = argc > 1 && strcmp(argv[1], "--native") == 0;
	for (int i = 1 + native; i < argc && count < ASKED; i++)
		ask(argv[i]);
	for (int i = 1; argc == 1 + native && i < SIS_METRICS; i++)
		ask(sis_metric_table[i].name);
	const struct sis_papi *papi = sis__papi(NULL);
	for (int set = 1; papi && fill_set(papi, set);)
		set++;
	/* Each metric is timed alone: together they may share a system call, and take less time. */
	for (int i = 0; i < count; i++) {
		if (!asked[i].offered)
			continue;
		if (papi)
			papi->reset();
		asked[i].price_ns = sis__set_price_ns(sis__set(asked[i].name));
	}
	for (int i = 0; i < count; i++)
		print_metric(&asked[i]);
	if (native && papi)
		papi->each(print_native);
	return 0;
}
