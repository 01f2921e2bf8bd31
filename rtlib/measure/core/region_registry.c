/* SPDX-License-Identifier: BSD-3-Clause */
/* region_registry.c - registered translation units and the facts of their regions. Units are
 * registered by constructors (program start, dlopen), or by a probe that runs before the
 * constructor.
 *
 * Ids are consecutive and never reused. Facts are read without a lock, so they are in pages that do
 * not move. A unit that is registered again, because its library was closed and opened, gets the
 * same ids.
 */
#include "base/config.h"
#include "base/lock.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "measure/counters/metric_set.h"
#include "output/trace/tracing.h"
#include "measure/patch/region_switch.h"
#include "measure/core/region_filter.h"
#include "measure/core/region_registry.h"
#include "measure/core/routine_off.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

enum { PAGE = SIS_FACT_PAGE, PAGES = SIS_FACT_PAGES, LONGEST_WORD = 128, BUILTIN_LINE = 960,
       LOOKS = 256 /* number of enters of a region that make nodes (let_look) */
};

static uint32_t next_id = SIS_FIRST_UNIT_ID;
static struct sis_lock units_lock;
static uint32_t default_set; /* the metrics of SIS_PMETRIC, for regions without own metrics */
static uint32_t messages_default_set; /* the same for calls of MPI */

/* -- facts ------------------------------------------------------------------------------------- */

/* Returns the place of a region's fact, and makes it if it does not exist. NULL: no memory. The
 * caller holds the lock. */
static struct sis_region_fact *fact_at(uint32_t id)
{
	if (id / PAGE >= PAGES)
		return NULL;
	struct sis_region_fact **page = &sis__fact_pages[id / PAGE];
	if (!*page) {
		void *memory = mmap(NULL, PAGE * sizeof **page, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return NULL;
		/* readers see an id after the release store in give_ids, which follows this
		 * store */
		__atomic_store_n(page, memory, __ATOMIC_RELEASE);
	}
	return &(*page)[id % PAGE];
}

static const struct { const char *name; uint16_t type; } mpi_routine[] = {
#define SIS_MPI(routine, region, leaf, wait, match) { #routine, region },
#include "mpi.def"
#undef SIS_MPI
};
static uint64_t mpi_hash[SIS_MPI_ROUTINES];

static uint16_t routine_by_name(const char *name, size_t length)
{
	uint64_t wanted = sis_checksum(name, length);
	for (uint16_t i = 0; i < SIS_MPI_ROUTINES; i++)
		if (mpi_hash[i] == wanted)
			return i;
	/* a routine with large counts has the row of the routine without */
	if (length > 2 && memcmp(name + length - 2, "_c", 2) == 0)
		return routine_by_name(name, length - 2);
	return SIS_MPI_ROUTINES;
}

void sis__units_init(void)
{
	default_set = sis__config.metrics ? sis__set(sis__config.metrics) : 0;
	messages_default_set = sis__config.metrics ? sis__set_with_messages(sis__config.metrics)
						   : 0;
	for (uint32_t type = 0; type < SIS_REGION_TYPES; type++) {
		struct sis_region_fact *fact = fact_at(type);
		if (fact)
			*fact = (struct sis_region_fact){ .type = (uint16_t)type,
							  .routine = SIS_MPI_ROUTINES,
							  .builtin = (uint16_t)type };
	}
	for (uint16_t i = 0; i < SIS_MPI_ROUTINES; i++) {
		struct sis_region_fact *fact = fact_at(SIS_MPI_ID(i));
		mpi_hash[i] = sis_checksum(mpi_routine[i].name, strlen(mpi_routine[i].name));
		if (fact)
			*fact = (struct sis_region_fact){ .type = mpi_routine[i].type, .routine = i,
							  .builtin = (uint16_t)SIS_MPI_ID(i),
							  .set = messages_default_set };
	}
}

/* Ids below SIS_FIRST_UNIT_ID are rows of this build's tables. Their names are written to the file
 * for readers with other tables. */
void sis__units_note(void)
{
	char line[BUILTIN_LINE];
	size_t length = 0;
	uint32_t first = 1;
	for (uint32_t id = 1; id < SIS_FIRST_UNIT_ID; id++) {
		const char *name = sis_builtin_name(id);
		if (length + strlen(name) + 2 > sizeof line) {
			sis__text("builtin", "%u\t%s", first, line);
			first = id;
			length = 0;
		}
		length += (size_t)sprintf(line + length, length ? ",%s" : "%s", name);
	}
	sis__text("builtin", "%u\t%s", first, line);
}

/* -- registering ------------------------------------------------------------------------------- */

/* Takes the next word of a region's `what`, "TYPE ROUTINE METRICS". */
static const char *word(const char **what, size_t *length)
{
	const char *begin = *what + strspn(*what, " ");
	*length = strcspn(begin, " ");
	*what = begin + *length;
	return begin;
}

static uint32_t set_of(const char *metrics, size_t length, bool is_mpi)
{
	char list[1024];
	if (length == 0 || (length == 1 && *metrics == '-'))
		return is_mpi ? messages_default_set : default_set;
	if (length >= sizeof list)
		return 0;
	memcpy(list, metrics, length);
	list[length] = '\0';
	return is_mpi ? sis__set_with_messages(list) : sis__set(list);
}

void sis__unit_switch_off(struct sis_unit *unit)
{
	for (unsigned k = 0; k < unit->count; k++)
		unit->region[k].id = SIS_ID_OFF;
}

/* Finds the chunk of an earlier registration of the same unit. */
static struct sis_profile_unit *find_registered(const struct sis_unit *unit)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next(sis__store.base, chunk))) {
		struct sis_profile_unit *old = sis__payload(chunk);
		if (chunk->kind == SIS_CHUNK_UNIT && old->count == unit->count &&
		    old->length == unit->idf_length &&
		    memcmp(old + 1, unit->idf, unit->idf_length) == 0)
			return old;
	}
	return NULL;
}

static struct sis_profile_unit *note_unit(const struct sis_unit *unit)
{
	struct sis_profile_unit *new;
	uint64_t bytes = sizeof *new + unit->idf_length;
	struct sis_chunk *chunk = sis__chunk_new(SIS_CHUNK_UNIT, SIS_NO_SLOT, bytes);
	if (!chunk)
		return NULL;
	new = sis__payload(chunk);
	*new = (struct sis_profile_unit){ next_id, unit->count, unit->idf_length };
	memcpy(new + 1, unit->idf, unit->idf_length);
	chunk->used = bytes;
	return new;
}

static bool note_facts(const struct sis_unit *unit, uint32_t first)
{
	for (unsigned k = 0; k < unit->count; k++) {
		struct sis_region_fact *fact = fact_at(first + k);
		if (!fact)
			return false;
		struct sis_region_fact new = { 0 };
		const char *what = unit->region[k].what;
		size_t length;
		const char *type = word(&what, &length);
		new.type = (uint16_t)sis_region_by_name(type, length);
		const char *routine = word(&what, &length);
		new.routine = routine_by_name(routine, length);
		const char *metrics = word(&what, &length);
		new.set = set_of(metrics, length, new.routine != SIS_MPI_ROUTINES);
		*fact = new;
	}
	return true;
}

/* Returns the value for the `id` of a unit's region. Bodies of tasks that the budget has turned off
 * are still announced, because the budget turns off only tasks that are executed where they are
 * created (adapters/omp/omp_create.c). */
static uint32_t stored_id(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	unsigned off = fact->off & ~(fact->type == CR_OMPTASKBODY ? SIS_OFF_BY_BUDGET : 0u);
	bool looked_at = fact->off == SIS_OFF_BY_RULE &&
			 __atomic_load_n(&fact->looks, __ATOMIC_RELAXED);
	if (off && !looked_at)
		return SIS_ID_OFF;
	return fact->set || looked_at ? id | SIS_ID_SPECIAL : id;
}

/* Returns the value for the region's `routine`: the region's number if probes enter and leave it,
 * else the routine of MPI that it calls (SIS_MPI_ROUTINES: none). */
static uint32_t stored_routine(uint32_t id)
{
	const struct sis_region_fact *fact = sis__region_fact(id);
	bool announced = fact->routine != SIS_MPI_ROUTINES || fact->type == CR_OMPTASKBODY;
	return announced ? fact->routine : id;
}

/* Ids are stored last, because a probe of any thread measures as soon as it sees an id. */
static void give_ids(struct sis_unit *unit, uint32_t first, bool is_new)
{
	struct sis_region_filter filter;
	bool any_off = false;
	sis__region_filter_begin(&filter, unit);
	for (unsigned k = 0; k < unit->count; k++) {
		struct sis_region_fact *fact = fact_at(first + k);
		if (sis__region_filter_next(&filter, k)) {
			fact->off |= SIS_OFF_BY_FILTER;
			sis__routine_turn_off(fact->routine);
		}
		any_off |= fact->off != 0;
		unit->region[k].routine = stored_routine(first + k);
		__atomic_store_n(&unit->region[k].id, stored_id(first + k), __ATOMIC_RELEASE);
	}
	if (any_off)
		sis__unit_gates_update(unit);
	if (is_new)
		sis__region_filter_note(&filter);
}

/* Takes the budget from the unit's description. The smallest budget of all units applies, unless
 * SIS_OVERHEAD is set. */
static void take_budget(const struct sis_unit *unit)
{
	static const char begin[] = "{" SIS_IDF_BUDGET;
	if (unit->idf_length < sizeof begin || memcmp(unit->idf, begin, sizeof begin - 1) != 0 ||
	    sis__config.overhead_by == SIS_OVERHEAD_SET)
		return;
	double part = strtod(unit->idf + sizeof begin - 1, NULL) / 100;
	if (!(part >= 0 && part <= 1) || (sis__config.overhead_by == SIS_OVERHEAD_OF_SOURCE &&
					  part >= sis__config.overhead))
		return;
	sis__config.overhead_by = SIS_OVERHEAD_OF_SOURCE;
	sis__config.overhead = part;
	sis__text("env", "SIS_OVERHEAD=%g%%", part * 100);
}

/* -- the units that are loaded ----------------------------------------------------------------- */

/* The regions of registered units, in pages that are never freed. Only the holder of the lock uses
 * this. */
static struct loaded { struct sis_region *region; uint32_t count, first; } *loaded;
static size_t loaded_count, loaded_room;

/* If there is no memory, the regions of the unit can no longer be switched. */
static void loaded_add(const struct sis_unit *unit, uint32_t first)
{
	for (size_t i = loaded_count; i-- > 0;)
		if (loaded[i].region == unit->region) /* its library was closed and opened again */
			loaded[i] = loaded[--loaded_count];
	if (loaded_count == loaded_room) {
		size_t room = loaded_room ? 2 * loaded_room : 4096 / sizeof *loaded;
		void *memory = mmap(NULL, room * sizeof *loaded, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return;
		if (loaded_count)
			memcpy(memory, loaded, loaded_count * sizeof *loaded);
		if (loaded_room)
			munmap(loaded, loaded_room * sizeof *loaded);
		loaded = memory;
		loaded_room = room;
	}
	loaded[loaded_count++] = (struct loaded){ unit->region, unit->count, first };
}

void sis__units_remove(const char *low, const char *high)
{
	if (!sis__lock(&units_lock))
		return;
	for (size_t i = loaded_count; i-- > 0;)
		if ((const char *)loaded[i].region >= low &&
		    (const char *)loaded[i].region < high)
			loaded[i] = loaded[--loaded_count];
	sis__unlock(&units_lock);
}

/* -- turning regions off and on ---------------------------------------------------------------- */

/* Switches that are collected, to do many at once. */
struct switches { struct sis_region_switch at[128]; size_t count; };

static void flush(struct switches *s)
{
	sis__regions_switch(s->at, s->count);
	s->count = 0;
}

/* Switches the region in all units that have it: libraries that are the same in every byte have the
 * same regions. */
static void switch_everywhere(struct switches *s, uint32_t id)
{
	for (size_t i = 0; i < loaded_count; i++) {
		uint32_t k = id - loaded[i].first;
		if (id < loaded[i].first || k >= loaded[i].count)
			continue;
		if (s->count == sizeof s->at / sizeof *s->at)
			flush(s);
		s->at[s->count++] = (struct sis_region_switch){ &loaded[i].region[k],
								stored_id(id) };
	}
}

uint32_t sis__region_ids(void)
{
	return __atomic_load_n(&next_id, __ATOMIC_RELAXED);
}

/* Lets the next enters of the region make nodes without activations (only_looks in probe.c). This
 * is possible only for regions that probes enter and leave. Relaxed: probes count the looks down,
 * and one enter more or less does not matter. */
static void let_look(uint32_t id)
{
	if (stored_routine(id) == id)
		__atomic_store_n(&fact_at(id)->looks, LOOKS, __ATOMIC_RELAXED);
}

/* Returns true if the region was on and is off now, or the reverse. */
static bool set_off(uint32_t id, enum sis_off_by by, bool off)
{
	struct sis_region_fact *fact = fact_at(id);
	uint8_t before = fact->off;
	fact->off = (uint8_t)(off ? before | by : before & ~by);
	if (before == fact->off)
		return false;
	if (by == SIS_OFF_BY_RULE && off)
		let_look(id);
	fact->was_off = true;
	return !before != !fact->off;
}

void sis__regions_turn(const uint32_t *id, size_t count, enum sis_off_by by, bool off)
{
	struct switches switches = { .count = 0 };
	if (count == 0 || !sis__lock(&units_lock))
		return;
	for (size_t i = 0; i < count; i++)
		if (set_off(id[i], by, off))
			switch_everywhere(&switches, id[i]);
	flush(&switches);
	sis__unlock(&units_lock);
}

void sis__regions_wish(const struct sis_wish *wish, uint32_t ids)
{
	struct switches switches = { .count = 0 };
	if (!sis__lock(&units_lock))
		return;
	for (uint32_t id = SIS_FIRST_UNIT_ID; id < ids && id < next_id; id++) {
		if (set_off(id, SIS_OFF_BY_RULE, wish[id].off != 0))
			switch_everywhere(&switches, id);
		__atomic_store_n(&fact_at(id)->no_counters, wish[id].no_counters != 0,
				 __ATOMIC_RELAXED);
	}
	flush(&switches);
	sis__unlock(&units_lock);
}

void sis__regions_look(bool again)
{
	struct switches switches = { .count = 0 };
	if (!sis__lock(&units_lock))
		return;
	for (uint32_t id = SIS_FIRST_UNIT_ID; id < next_id; id++) {
		if (sis__region_fact(id)->off != SIS_OFF_BY_RULE)
			continue;
		if (again)
			let_look(id);
		switch_everywhere(&switches, id);
	}
	flush(&switches);
	sis__unlock(&units_lock);
}

/* -- new units --------------------------------------------------------------------------------- */

/* Two libraries that are the same in every byte get the same ids. This is right, because their
 * regions have the same keys. */
static bool register_unit(struct sis_unit *unit)
{
	struct sis_profile_unit *known = find_registered(unit);
	bool is_new = !known;
	if (is_new) {
		if (!note_facts(unit, next_id) || !(known = note_unit(unit)))
			return false;
		next_id += unit->count;
		take_budget(unit);
		sis__trace_unit(known);
	}
	give_ids(unit, known->first_id, is_new);
	loaded_add(unit, known->first_id);
	return true;
}

/* -- calls of built-in regions ----------------------------------------------------------------- */

uint32_t sis__region_of_call(uint32_t builtin, uint64_t address, const void *body)
{
	uint32_t id = builtin;
	if (!sis__lock(&units_lock))
		return id;
	struct sis_region_fact *fact = fact_at(next_id);
	if (fact) {
		*fact = *sis__region_fact(builtin);
		id = next_id++;
		sis__text("call", "%u\t%u\t%" PRIx64 "\t%" PRIxPTR, id, builtin, address,
			  (uintptr_t)body);
	}
	sis__unlock(&units_lock);
	return id;
}

void sis__unit_add(struct sis_unit *unit)
{
	if (!sis__lock(&units_lock))
		return;
	bool is_waiting = unit->count > 0 && (unit->region[0].id == SIS_ID_UNREGISTERED(0) ||
					      unit->region[0].id == SIS_ID_INSTANCE);
	if (is_waiting && !register_unit(unit))
		sis__unit_switch_off(unit);
	sis__unlock(&units_lock);
}
