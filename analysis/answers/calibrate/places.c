/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c - finds processors for the settings. Owns nothing; one thread. A table has the settings:
 * the shape of their processors, and how the trace is written. hwloc is asked through the runtime's
 * module, so that this program does not depend on hwloc. */
#include "answers/calibrate/places.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sort.h"

const struct setting setting_table[SETTINGS] = {
	{ "S1", "one core", "sync", ONE_THREAD },
	{ "S2", "the two hardware threads of a core", "sync", ONE_CORE },
	{ "A1", "one core", "async", ONE_THREAD },
	{ "A2", "the two hardware threads of a core", "async", ONE_CORE },
	{ "A3", "two cores of a processor", "async", TWO_CORES },
	{ "A4", "two processors", "async", TWO_PACKAGES },
	{ "A5", "all cores", "async", EVERYTHING },
};

/* -- the machine ------------------------------------------------------------------------------- */

static void take_processor(void *context, unsigned cpu, unsigned core, unsigned package)
{
	struct places *places = context;
	*vec_push(&places->place) = (struct place){ cpu, core, package };
}

static int by_cpu(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	return ORDER(a->cpu, b->cpu);
}

/* Keeps only the processors that this process may use. If hwloc did not name all of these, its
 * answers are not used at all: each processor then counts as a core of one package. */
static void keep_allowed(struct places *places)
{
	cpu_set_t allowed;
	size_t n = 0;
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return;
	for (size_t i = 0; i < places->place.n; i++)
		if (places->place.at[i].cpu < CPU_SETSIZE &&
		    CPU_ISSET(places->place.at[i].cpu, &allowed))
			places->place.at[n++] = places->place.at[i];
	places->place.n = n;
	places->known = n == (size_t)CPU_COUNT(&allowed);
	if (places->known)
		return;
	places->place.n = 0;
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			take_processor(places, cpu, cpu, 0);
}

void places_load(struct places *places, const char *lib_sis)
{
	typedef void take(void *context, unsigned cpu, unsigned core, unsigned package);
	char *path = mem_print("%s/libsis-hwloc.so", lib_sis);
	void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void (*ask)(take *, void *) = NULL;
	*places = (struct places){ 0 };
	if (module)
		*(void **)&ask = dlsym(module, "sis_hwloc_places");
	if (ask)
		ask(take_processor, places);
	free(path);
	keep_allowed(places);
	vec_sort(&places->place, by_cpu);
}

void places_release(struct places *places)
{
	vec_free(&places->place);
}

/* -- settings ---------------------------------------------------------------------------------- */

const struct setting *setting_by_name(const char *name, size_t length)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (strlen(setting_table[i].name) == length &&
		    strncmp(setting_table[i].name, name, length) == 0)
			return &setting_table[i];
	return NULL;
}

static bool is_pair(enum shape shape, const struct place *a, const struct place *b)
{
	switch (shape) {
	case ONE_CORE: return a->core == b->core;
	case TWO_CORES: return a->package == b->package && a->core != b->core;
	default: return a->package != b->package;
	}
}

static bool find_pair(enum shape shape, const struct places *places, cpu_set_t *cpus)
{
	for (size_t i = 0; i < places->place.n; i++) {
		for (size_t k = i + 1; k < places->place.n; k++) {
			if (!is_pair(shape, &places->place.at[i], &places->place.at[k]))
				continue;
			CPU_SET(places->place.at[i].cpu, cpus);
			CPU_SET(places->place.at[k].cpu, cpus);
			return true;
		}
	}
	return false;
}

bool setting_places(const struct setting *setting, const struct places *places, cpu_set_t *cpus,
		    const char **missing)
{
	static const char *const why[] = {
		[ONE_CORE] = "no core here has two hardware threads",
		[TWO_CORES] = "no processor here has two cores",
		[TWO_PACKAGES] = "there is one processor",
		[EVERYTHING] = "there is one core",
	};
	CPU_ZERO(cpus);
	*missing = why[setting->shape];
	if (setting->shape == ONE_THREAD || setting->shape == EVERYTHING) {
		size_t n = setting->shape == ONE_THREAD ? 1 : places->place.n;
		for (size_t i = 0; i < n && i < places->place.n; i++)
			CPU_SET(places->place.at[i].cpu, cpus);
		return setting->shape == ONE_THREAD || n > 1;
	}
	if (places->known)
		return find_pair(setting->shape, places, cpus);
	*missing = "it is not known which cores there are: libsis-hwloc.so is not installed";
	return false;
}

char *cpus_text(const cpu_set_t *cpus)
{
	struct buf text = { 0 };
	for (int from = 0, to; from < CPU_SETSIZE; from = to + 1) {
		for (to = from; to < CPU_SETSIZE && CPU_ISSET(to, cpus); to++)
			;
		if (to == from)
			continue;
		buf_print(&text, "%s%d", text.length ? "," : "", from);
		if (to > from + 1)
			buf_print(&text, "-%d", to - 1);
	}
	return buf_take(&text);
}
