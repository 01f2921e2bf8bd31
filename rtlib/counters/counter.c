/* counter.c - metric sets: which metrics a region has beyond time and calls, and who reads them.
 * Sets are made when units register; the thread that enters or leaves a region reads them.
 *
 * A set is the metrics of a list that are to be had, grouped by source so that each source is read once.
 * Metrics that wrappers fill in (messages) come first and are not read here. A metric that is not to be
 * had is told once, and the set goes without it.
 */
#include "counters/counter.h"

#include "base/core.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const struct sis_source sis__source_cpu, sis__source_os, sis__source_io, sis__source_papi;

/* In the order of reading. PAPI starts in each thread when that reads it first: before the others, which would count that. */
static const struct sis_source *const sources[] = { &sis__source_papi, &sis__source_cpu, &sis__source_os, &sis__source_io };
enum { SOURCES = sizeof sources / sizeof *sources, SETS = 256, NAMES = 512 };

struct set {
	char names[NAMES];              /* in the order of the values */
	uint32_t count;
	uint32_t wrapped;               /* of them, the first ones, filled in by wrappers */
	int number[SIS_SET_METRICS];    /* the source's, for each */
	uint32_t of_source[SOURCES];    /* how many each source has, one source after the other */
	/* For each slot a bit for each metric that could not be read there, and was told; NULL: no memory, told each time. */
	_Atomic uint32_t *lost;
};

SIS_EXPORT uint32_t sis__set_messages;

static _Atomic bool timed[SETS];               /* how long a reading takes is noted */

static struct set sets[SETS]; /* set 0 is none */
static uint32_t set_count = 1;
static struct sis_lock sets_lock;

uint32_t sis__set_count(uint32_t set)
{
	return set < SETS ? sets[set].count : 0;
}

/* -- making a set ------------------------------------------------------------------------------------------ */

/* The next name of a comma-separated list; names may have commas in parentheses. */
static bool next_name(const char **list, char *name, size_t size)
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

static bool is_in(const struct set *set, const char *name)
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

static void add(struct set *set, const char *name, int number)
{
	size_t used = strlen(set->names);
	if (is_in(set, name))
		return;
	if (set->count == SIS_SET_METRICS || used + strlen(name) + 2 > NAMES) {
		sis__warn("%s is not measured: a region has too many metrics; ask for fewer", name);
		return;
	}
	snprintf(set->names + used, NAMES - used, "%s%s", used ? "," : "", name);
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

/* Metrics of the list in the table's own spelling. Times and calls are there anyway, overheads are derived. */
static bool needs_source(char *name, size_t size)
{
	enum sis_metric metric = sis_metric_by_name(name, strlen(name));
	if (metric != M_NONE) {
		snprintf(name, size, "%s", sis_metric_table[metric].name);
		return sis_metric_table[metric].source != SIS_SOURCE_CORE;
	}
	if (strncmp(name, "PAPI(", 5) == 0)
		return true;
	if (!sis_overhead_by_name(name, strlen(name)))
		sis__warn("unknown metric '%s' is not measured", name);
	return false;
}

/* A source may give another reason when it is asked again. */
static void tell_missing(const char *name, const char *why)
{
	static _Atomic uint64_t told[64]; /* checksums of names */
	uint64_t sum = sis_checksum(name, strlen(name)) | 1;
	_Atomic uint64_t *place = told;
	while (place < told + 64 && *place && *place != sum)
		place++;
	if (place == told + 64 || *place == sum)
		return;
	*place = sum;
	sis__text_once("missing", "%s\t%s", name, why);
	sis__warn("%s is not measured: %s", name, why);
}

static void add_from(struct set *set, const struct sis_source *source, const char *metrics)
{
	char name[128];
	while (next_name(&metrics, name, sizeof name)) {
		const char *why = NULL;
		if (!needs_source(name, sizeof name) || is_wrapped(name))
			continue;
		int number = source->find(name, &why);
		if (number >= 0)
			add(set, name, number);
		else if (number == -2)
			tell_missing(name, why);
	}
}

static void build(struct set *set, const char *metrics)
{
	char name[128];
	for (const char *list = metrics; next_name(&list, name, sizeof name);)
		if (needs_source(name, sizeof name) && is_wrapped(name))
			add(set, name, 0);
	set->wrapped = set->count;
	for (int i = 0; i < SOURCES; i++) {
		uint32_t before = set->count;
		add_from(set, sources[i], metrics);
		set->of_source[i] = set->count - before;
	}
}

/* Equal sets are one. */
static uint32_t keep(const struct set *set)
{
	uint32_t id = 1;
	while (id < set_count && strcmp(sets[id].names, set->names) != 0)
		id++;
	if (id < set_count)
		return id;
	if (set_count == SETS) {
		sis__warn("too many different lists of metrics; '%s' is not measured", set->names);
		return 0;
	}
	sets[id] = *set;
	sets[id].lost = calloc(SIS_SLOTS, sizeof *sets[id].lost);
	set_count++;
	sis__text("set", "%u\t%s", id, set->names);
	return id;
}

/* An overhead that is counted needs the counters of its leaves. Those that are counted are below ODATA_LOC; of what is above
 * that nothing is asked: few who want all overheads want to pay for counters. */
static void add_counters(char *list, size_t size, const char *metrics)
{
	char name[128];
	snprintf(list, size, "%s", metrics);
	while (next_name(&metrics, name, sizeof name)) {
		enum sis_overhead asked = sis_overhead_by_name(name, strlen(name));
		for (int i = 0; i < SIS_COSTS && asked; i++) {
			size_t used = strlen(list);
			if (asked == sis_cost_table[i].leaf || asked == ODATA_LOC)
				snprintf(list + used, size - used, ",%s", sis_metric_table[sis_cost_table[i].metric].name);
		}
	}
}

SIS_EXPORT uint32_t sis__set(const char *metrics)
{
	struct set set = { .count = 0 };
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

/* What no source knows the probes and wrappers have themselves. */
bool sis__metric_offered(const char *metric, const char **why)
{
	for (int i = 0; i < SOURCES; i++) {
		int number = sources[i]->find(metric, why);
		if (number != -1)
			return number >= 0;
	}
	return true;
}

/* -- reading it ------------------------------------------------------------------------------------------- */

/* A line for each of the metrics in the mask, the first time in this slot: what they hold there means nothing. */
static __attribute__((noinline)) void tell_lost(uint32_t id, uint32_t mask, const char *why)
{
	const char *list = sets[id].names;
	char name[128];
	uint32_t slot = sis__local.own ? sis__local.own->pub.slot : 0;
	uint32_t fresh = mask;
	if (sets[id].lost)
		fresh &= ~atomic_fetch_or_explicit(&sets[id].lost[slot], mask, memory_order_relaxed);
	for (uint32_t i = 0; fresh >> i && next_name(&list, name, sizeof name); i++)
		if (fresh >> i & 1)
			sis__text("lost", "%u\t%s\t%s", slot, name, why);
}

/* Guarded: a signal handler that comes in here must not come to the same counters. */
static void read_set(uint32_t id, uint64_t *value) /* past those that wrappers fill in */
{
	const struct set *set = &sets[id];
	uint32_t at = set->wrapped;
	memset(value + at, 0, (set->count - at) * sizeof *value);
	sis__guard();
	for (int i = 0; i < SOURCES; i++) {
		const char *why = NULL;
		uint32_t missing = 0, count = set->of_source[i];
		if (count)
			why = sources[i]->read(&set->number[at], (int)count, &value[at], &missing);
		if (SIS_UNLIKELY(why != NULL))
			tell_lost(id, (missing & ((UINT32_C(1) << count) - 1)) << at, why);
		at += set->of_source[i];
	}
	sis__unguard();
}

/* What a region pays for its counters at its enter, and again at its leave: the best of some rounds, since other work only
 * adds. */
SIS_EXPORT uint64_t sis__set_price_ns(uint32_t id)
{
	enum { ROUNDS = 4, READS = 4 };
	uint64_t value[SIS_SET_METRICS], best = UINT64_MAX;
	if (sets[id].wrapped == sets[id].count)
		return 0;
	for (int round = 0; round < ROUNDS; round++) {
		struct timespec from, to;
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (int i = 0; i < READS; i++)
			read_set(id, value);
		clock_gettime(CLOCK_MONOTONIC, &to);
		uint64_t ns = (uint64_t)(to.tv_sec - from.tv_sec) * 1000000000u + (uint64_t)to.tv_nsec - (uint64_t)from.tv_nsec;
		best = ns < best ? ns : best;
	}
	return best / READS;
}

void sis__counters_begin(struct sis_thread *thread, struct sis_node *node, uint32_t set)
{
	uint64_t value[SIS_SET_METRICS];
	struct sis_values *values = sis__values(thread, node, set);
	if (!values)
		return;
	if (sets[values->set].wrapped == values->count)
		return; /* what wrappers count needs no reading */
	if (SIS_UNLIKELY(!atomic_load_explicit(&timed[values->set], memory_order_relaxed)) &&
	    !atomic_exchange_explicit(&timed[values->set], true, memory_order_relaxed))
		sis__text("reading", "%u\t%llu", values->set, (unsigned long long)sis__set_price_ns(values->set));
	read_set(values->set, value);
	for (uint32_t i = sets[values->set].wrapped; i < values->count; i++)
		values->value[i].enter = value[i];
}

static __attribute__((noinline)) void add_differences(struct sis_values *values)
{
	uint64_t value[SIS_SET_METRICS];
	read_set(values->set, value);
	for (uint32_t i = sets[values->set].wrapped; i < values->count; i++)
		values->value[i].sum += value[i] - values->value[i].enter;
}

void sis__counters_end(struct sis_node *node)
{
	const struct set *set = &sets[node->values->set];
	if (set->wrapped != set->count) /* what wrappers count needs no reading */
		add_differences(node->values);
}
