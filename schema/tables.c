/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - the .def tables as arrays, and the lookups by name. All data is constant, except for
 * the hash table of routines, which is filled by a constructor and constant after it. So any thread
 * may call the functions. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct sis_region_info sis_region_table[SIS_REGION_TYPES] = {
#define SIS_REGION_TYPE(mnem, group_, leaf_, label_, desc) \
	[mnem] = { .name = #mnem, \
		   .label = label_, \
		   .description = desc, \
		   .group = group_, \
		   .leaf = leaf_ },
#include "regions.def"
#undef SIS_REGION_TYPE
};

#define TYPES(...) (const enum sis_region_type[]){ __VA_ARGS__, CR_NONE }

const struct sis_overhead_info sis_overhead_table[SIS_OVERHEADS] = {
#define SIS_OVERHEAD(mnem, parent_, desc, is, ...) \
	[mnem] = { .name = #mnem, \
		   .description = desc, \
		   .parent = parent_, \
		   .properties = is, \
		   .influences = TYPES(__VA_ARGS__) },
#include "overheads.def"
#undef SIS_OVERHEAD
};

const struct sis_metric_info sis_metric_table[SIS_METRICS] = {
#define SIS_METRIC(mnem, source_, unit_, dflt, desc, ...) \
	[M_##mnem] = { .name = #mnem, \
		       .description = desc, \
		       .source = SIS_SOURCE_##source_, \
		       .unit = SIS_UNIT_##unit_, \
		       .is_default = dflt, \
		       .influences = TYPES(__VA_ARGS__) },
#include "metrics.def"
#undef SIS_METRIC
};

const struct sis_cost_info sis_cost_table[SIS_COSTS] = {
#define SIS_COST(leaf_, metric_, ns_, what_) \
	[COST_##leaf_] = { .what = what_, .ns = ns_, .leaf = leaf_, .metric = M_##metric_ },
#include "costs.def"
#undef SIS_COST
};

static const struct sis_routine_info routines[] = {
#define SIS_CALL(routine, type, leaf) { #routine, type, leaf, O_NONE, SIS_MATCH_NONE },
#include "calls.def"
#undef SIS_CALL
#define SIS_MPI(routine, type, leaf, wait, match) { #routine, type, leaf, wait, SIS_MATCH_##match },
#include "mpi.def"
#undef SIS_MPI
};
enum { ROUTINES = sizeof routines / sizeof *routines };

/* -- looking up rows by name ------------------------------------------------------------------- */

/* The number of the row with this name; 0: there is none. In all tables, rows begin with `const
 * char *name`, have `stride` bytes, and row 0 is empty. */
static size_t row_by_name(const void *table, size_t stride, size_t rows, const char *name,
			  size_t length)
{
	for (size_t i = 1; i < rows; i++) {
		const char *word = *(const char *const *)((const char *)table + i * stride);
		if (strncasecmp(word, name, length) == 0 && word[length] == '\0')
			return i;
	}
	return 0;
}

enum sis_region_type sis_region_by_name(const char *name, size_t length)
{
	return row_by_name(sis_region_table, sizeof *sis_region_table, SIS_REGION_TYPES, name,
			   length);
}

enum sis_overhead sis_overhead_by_name(const char *name, size_t length)
{
	return row_by_name(sis_overhead_table, sizeof *sis_overhead_table, SIS_OVERHEADS, name,
			   length);
}

enum sis_metric sis_metric_by_name(const char *name, size_t length)
{
	return row_by_name(sis_metric_table, sizeof *sis_metric_table, SIS_METRICS, name, length);
}

bool sis_cost_next(const char **list, enum sis_cost *cost, double *ns)
{
	const char *name = *list + strspn(*list, ", ");
	size_t length = strcspn(name, "=, ");
	enum sis_metric metric = sis_metric_by_name(name, length);
	char *end;
	*list = name;
	for (int i = 0; i < SIS_COSTS && metric && name[length] == '='; i++) {
		if (sis_cost_table[i].metric != metric)
			continue;
		*cost = (enum sis_cost)i;
		*ns = strtod(name + length + 1, &end);
		bool good = end > name + length + 1 && *ns >= 0 && *ns <= 1e9 && strchr(", ", *end);
		*list = good ? end : name;
		return good;
	}
	return false;
}

/* FNV-1a of the name. Routines are hashed, because callers look up each call in a program. */
static unsigned hash_name(const char *name, size_t length)
{
	unsigned h = 2166136261u;
	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)name[i]) * 16777619u;
	return h;
}

#define ROUTINE_SLOTS 2048
_Static_assert(ROUTINES * 2 < ROUTINE_SLOTS, "routine hash at most half full");

static const struct sis_routine_info *routine_slot[ROUTINE_SLOTS];

__attribute__((constructor)) static void hash_routines(void)
{
	for (size_t i = 0; i < ROUTINES; i++) {
		unsigned h = hash_name(routines[i].name, strlen(routines[i].name));
		while (routine_slot[h % ROUTINE_SLOTS])
			h++;
		routine_slot[h % ROUTINE_SLOTS] = &routines[i];
	}
}

static const struct sis_routine_info *routine_find(const char *name, size_t length)
{
	for (unsigned h = hash_name(name, length);; h++) {
		const struct sis_routine_info *r = routine_slot[h % ROUTINE_SLOTS];
		if (!r || (strncmp(r->name, name, length) == 0 && r->name[length] == '\0'))
			return r;
	}
}

/* MPI_Send_c, which is MPI_Send with large counts, has the row of MPI_Send. */
const struct sis_routine_info *sis_routine_by_name(const char *name)
{
	size_t length = strlen(name);
	const struct sis_routine_info *r = routine_find(name, length);
	if (!r && length > 6 && strncmp(name, "MPI_", 4) == 0 &&
	    strcmp(name + length - 2, "_c") == 0)
		r = routine_find(name, length - 2);
	return r;
}

static const char *const mpi_routine[] = {
#define SIS_MPI(routine, type, leaf, wait, match) #routine,
#include "mpi.def"
#undef SIS_MPI
};

const char *sis_builtin_name(uint32_t id)
{
	if (id < SIS_REGION_TYPES)
		return sis_region_table[id].name;
	id -= SIS_REGION_TYPES;
	return id < sizeof mpi_routine / sizeof *mpi_routine ? mpi_routine[id] : NULL;
}

/* -- similar names ----------------------------------------------------------------------------- */

enum { LONGEST = 40 };

static bool same_letter(char a, char b)
{
	return strncasecmp(&a, &b, 1) == 0;
}

/* How many letters must be inserted, deleted, changed or swapped with their neighbour to turn `a`
 * into `b`. Case is ignored. */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
	/* rows of the current letter of `a`, of the letter before it, and of the one before that */
	size_t row[3][LONGEST + 1];
	size_t *before = row[0], *last = row[1], *current = row[2];
	for (size_t j = 0; j <= lb; j++)
		last[j] = j;
	for (size_t i = 1; i <= la; i++) {
		current[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t best = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
			best = last[j] + 1 < best ? last[j] + 1 : best;
			best = current[j - 1] + 1 < best ? current[j - 1] + 1 : best;
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				best = before[j - 2] + 1 < best ? before[j - 2] + 1 : best;
			current[j] = best;
		}
		size_t *oldest = before;
		before = last;
		last = current;
		current = oldest;
	}
	return last[lb];
}

void sis_suggest(struct sis_suggestion *best, const char *known, const char *name, size_t length)
{
	size_t n = strlen(known);
	if (length > LONGEST || n > LONGEST)
		return;
	size_t d = distance(name, length, known, n);
	if (d <= n / 3 && (!best->name || d < best->distance))
		*best = (struct sis_suggestion){ known, d };
}

const char *sis_region_suggest(const char *name, size_t length)
{
	struct sis_suggestion best = { 0 };
	for (size_t i = 1; i < SIS_REGION_TYPES; i++)
		if (sis_region_selectable(i))
			sis_suggest(&best, sis_region_table[i].name, name, length);
	return best.name;
}

static void suggest_overhead(struct sis_suggestion *best, const char *name, size_t length)
{
	for (size_t i = 1; i < SIS_OVERHEADS; i++)
		sis_suggest(best, sis_overhead_table[i].name, name, length);
}

const char *sis_overhead_suggest(const char *name, size_t length)
{
	struct sis_suggestion best = { 0 };
	suggest_overhead(&best, name, length);
	return best.name;
}

const char *sis_metric_suggest(const char *name, size_t length)
{
	struct sis_suggestion best = { 0 };
	for (size_t i = 1; i < SIS_METRICS; i++)
		sis_suggest(&best, sis_metric_table[i].name, name, length);
	suggest_overhead(&best, name, length);
	return best.name;
}

/* -- membership in groups ---------------------------------------------------------------------- */

bool sis_region_in(enum sis_region_type type, enum sis_region_type group)
{
	for (; type != CR_NONE; type = sis_region_table[type].group)
		if (type == group)
			return true;
	return false;
}

bool sis_region_selectable(enum sis_region_type type)
{
	return type != CR_NONE && type != CR_SAMPLED && sis_region_table[type].name[0] == 'C';
}

bool sis_region_sampled(enum sis_region_type type)
{
	const struct sis_region_info *info = &sis_region_table[type];
	bool built_in = type == CR_NONE || info->name[0] == 'R';
	bool asks = type == CR_OMPAPI; /* no other thread waits for such a call */
	return asks || (!built_in && !sis_region_in(type, CR_OMP) && !sis_region_in(type, CR_MPI));
}

bool sis_overhead_in(enum sis_overhead node, enum sis_overhead ancestor)
{
	for (; node != O_NONE; node = sis_overhead_table[node].parent)
		if (node == ancestor)
			return true;
	return false;
}

bool sis_overhead_is(enum sis_overhead node, enum sis_property property)
{
	for (; node != O_NONE; node = sis_overhead_table[node].parent)
		if (sis_overhead_table[node].properties & property)
			return true;
	return false;
}

bool sis_overhead_is_counted(enum sis_overhead leaf)
{
	static const bool counted[SIS_OVERHEADS] = {
#define SIS_COST(leaf, metric, ns, what) [leaf] = true,
#include "costs.def"
#undef SIS_COST
	};
	return counted[leaf];
}

static bool listed(const enum sis_region_type *list, enum sis_region_type type)
{
	for (; *list != CR_NONE; list++)
		if (sis_region_in(type, *list))
			return true;
	return false;
}

bool sis_overhead_influenced(enum sis_overhead overhead, enum sis_region_type type)
{
	for (size_t o = 1; o < SIS_OVERHEADS; o++)
		if (sis_overhead_in(o, overhead) &&
		    (sis_region_table[type].leaf == o ||
		     listed(sis_overhead_table[o].influences, type)))
			return true;
	for (size_t i = 0; i < ROUTINES; i++)
		if (routines[i].type == type &&
		    (sis_overhead_in(routines[i].leaf, overhead) ||
		     sis_overhead_in(routines[i].wait, overhead)))
			return true;
	return false;
}

bool sis_metric_influenced(enum sis_metric metric, enum sis_region_type type)
{
	return listed(sis_metric_table[metric].influences, type);
}
