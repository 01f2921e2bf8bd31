/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_set.c - metric sets: which metrics a region has beyond time and calls. Made when
 * translation units are registered.
 *
 * A set contains the metrics of a list that can be measured, grouped by source, so that each source
 * is read once. Metrics that wrappers fill in (messages) come first and are not read here. A metric
 * that cannot be measured is reported once, and is not in the set.
 */
#include "base/lock.h"
#include "base/slot_table.h"
#include "output/profile/text.h"
#include "measure/counters/counter.h"
#include "measure/counters/metric_set.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <strings.h>

extern const struct sis_source sis__source_cpu, sis__source_os, sis__source_io, sis__source_papi;

/* In the order of reading. PAPI starts in each thread at its first reading. So it is read first;
 * otherwise the other sources would count the cost of this start. */
const struct sis_source *const sis__sources[SIS_SOURCES] = { &sis__source_papi, &sis__source_cpu,
							     &sis__source_os, &sis__source_io };

SIS_EXPORT uint32_t sis__set_messages;

struct sis_metric_set sis__sets[SIS_SETS]; /* set 0 means no set */
static uint32_t set_count = 1;
static struct sis_lock sets_lock;

uint32_t sis__set_count(uint32_t set)
{
	return set < SIS_SETS ? sis__sets[set].count : 0;
}

bool sis__metric_next(const char **list, char *name, size_t size)
{
	const char *p = *list + strspn(*list, ", ");
	size_t length = 0;
	int depth = 0;
	for (; p[length] && (depth > 0 || (p[length] != ',' && p[length] != ' ')); length++)
		depth += (p[length] == '(') - (p[length] == ')');
	snprintf(name, size, "%.*s", (int)length, p);
	*list = p + length;
	return length > 0;
}

static bool is_in(const struct sis_metric_set *set, const char *name)
{
	const char *at = set->names;
	size_t length = strlen(name);
	while ((at = strstr(at, name))) {
		if ((at == set->names || at[-1] == ',') && (at[length] == ',' || !at[length]))
			return true;
		at += length;
	}
	return false;
}

static void add_metric(struct sis_metric_set *set, const char *name, int number)
{
	size_t used = strlen(set->names);
	if (is_in(set, name))
		return;
	if (set->count == SIS_SET_METRICS || used + strlen(name) + 2 > SIS_SET_NAMES) {
		sis__warn("%s is not measured: a region has too many metrics; ask for fewer", name);
		return;
	}
	snprintf(set->names + used, SIS_SET_NAMES - used, "%s%s", used ? "," : "", name);
	set->number[set->count++] = number;
}

static bool is_wrapped(const char *name)
{
	static const char *const names[] = { "MSGS_S", "MSGS_R", "BYTES_S", "BYTES_R" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Whether the name is PAPI(event), in upper or lower case. Gives `name` the spelling that sources
 * know. */
static bool is_native(char *name)
{
	size_t length = strlen(name);
	if (strncasecmp(name, "PAPI(", 5) != 0 || length < 7 || name[length - 1] != ')')
		return false;
	memcpy(name, "PAPI", 4);
	return true;
}

/* Whether a source must measure the metric. No source is needed for times and calls, which are
 * always measured, and for overheads, which are computed from other metrics. Gives `name` the
 * spelling of the table. */
static bool needs_source(char *name, size_t size)
{
	enum sis_metric metric = sis_metric_by_name(name, strlen(name));
	if (metric != M_NONE) {
		snprintf(name, size, "%s", sis_metric_table[metric].name);
		return sis_metric_table[metric].source != SIS_SOURCE_CORE;
	}
	if (is_native(name))
		return true;
	if (!sis_overhead_by_name(name, strlen(name))) {
		const char *near = sis_metric_suggest(name, strlen(name));
		sis__warn("unknown metric '%s' is not measured%s%s%s", name,
			  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	}
	return false;
}

/* Reports that a metric cannot be measured, only once for each metric. A source may give another
 * reason when it is asked again. */
static void report_missing(const char *name, const char *why)
{
	static _Atomic uint64_t reported[64]; /* checksums of names */
	uint64_t sum = sis_checksum(name, strlen(name)) | 1;
	_Atomic uint64_t *slot = reported;
	while (slot < reported + 64 && *slot && *slot != sum)
		slot++;
	if (slot == reported + 64 || *slot == sum)
		return;
	*slot = sum;
	sis__text_once("missing", "%s\t%s", name, why);
	sis__warn("%s is not measured: %s", name, why);
}

static void build(struct sis_metric_set *set, const char *metrics)
{
	char name[128];
	for (const char *list = metrics; sis__metric_next(&list, name, sizeof name);)
		if (needs_source(name, sizeof name) && is_wrapped(name))
			add_metric(set, name, 0);
	set->wrapped = set->count;
	for (int i = 0; i < SIS_SOURCES; i++) {
		uint32_t before = set->count;
		for (const char *list = metrics; sis__metric_next(&list, name, sizeof name);) {
			const char *why = NULL;
			if (!needs_source(name, sizeof name) || is_wrapped(name))
				continue;
			int number = sis__sources[i]->find(name, &why);
			if (number >= 0)
				add_metric(set, name, number);
			else if (number == -2)
				report_missing(name, why);
		}
		set->of_source[i] = set->count - before;
	}
}

/* Returns the number of the set; equal sets have the same number. */
static uint32_t keep(const struct sis_metric_set *set)
{
	uint32_t id = 1;
	while (id < set_count && strcmp(sis__sets[id].names, set->names) != 0)
		id++;
	if (id < set_count)
		return id;
	if (set_count == SIS_SETS) {
		sis__warn("too many different lists of metrics; '%s' is not measured", set->names);
		return 0;
	}
	sis__sets[id] = *set;
	/* not by malloc: a signal handler may open the profile (process/watch.c) */
	void *lost = mmap(NULL, SIS_SLOTS * sizeof *sis__sets[id].lost, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sis__sets[id].lost = lost == MAP_FAILED ? NULL : lost;
	set_count++;
	sis__text("set", "%u\t%s", id, set->names);
	return id;
}

/* Copies the metrics to `list`, and adds the counters that overheads in the list need: a leaf with
 * a counted cost needs its counter. An inner node of the overhead tree means all its leaves. */
static void add_counters(char *list, size_t size, const char *metrics)
{
	char name[128];
	snprintf(list, size, "%s", metrics);
	while (sis__metric_next(&metrics, name, sizeof name)) {
		enum sis_overhead asked = sis_overhead_by_name(name, strlen(name));
		for (int i = 0; i < SIS_COSTS && asked; i++) {
			size_t used = strlen(list);
			if (sis_overhead_in(sis_cost_table[i].leaf, asked))
				snprintf(list + used, size - used, ",%s",
					 sis_metric_table[sis_cost_table[i].metric].name);
		}
	}
}

SIS_EXPORT uint32_t sis__set(const char *metrics)
{
	struct sis_metric_set set = { .count = 0 };
	uint32_t id = 0;
	char list[2048];
	add_counters(list, sizeof list, metrics);
	build(&set, list);
	if (set.count && sis__lock(&sets_lock)) {
		id = keep(&set);
		sis__unlock(&sets_lock);
	}
	return id;
}

uint32_t sis__set_with_messages(const char *metrics)
{
	char list[2048];
	snprintf(list, sizeof list, "MSGS_S,MSGS_R,BYTES_S,BYTES_R,%s", metrics);
	uint32_t set = sis__set(list);
	return set == sis__set_messages ? 0 : set;
}

/* The result is true for metrics without a source, which probes and wrappers measure. */
bool sis__metric_offered(const char *metric, const char **why)
{
	for (int i = 0; i < SIS_SOURCES; i++) {
		int number = sis__sources[i]->find(metric, why);
		if (number != -1)
			return number >= 0;
	}
	return true;
}
