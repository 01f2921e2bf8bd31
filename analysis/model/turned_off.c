/* SPDX-License-Identifier: BSD-3-Clause */
/* turned_off.c - says which regions SIS_FILTER turned off. One thread.
 *
 * The runtime writes them as lines `off<TAB>CHECKSUM<TAB>FIRST-LAST,...` of a profile: regions of
 * the unit whose description has this checksum. All processes of a run have mostly the same ones,
 * so they are counted once. Calls of MPI that communicate stay measured by their wrappers, in
 * the region of the routine. */
#include "model/turned_off.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { NAMED = 5 }; /* names that the warning has */

struct turned_off {
	const struct experiment_model *m;
	bool *off;          /* by region */
	const char *filter; /* the file; NULL: none is known */
};

/* Marks regions `first` to `last` of a description; those that it does not have end the loop. */
static void mark(struct turned_off *t, uint64_t text, unsigned long first, unsigned long last)
{
	for (unsigned long k = first; k <= last && k < UINT32_MAX; k++) {
		uint32_t region = map_get(&t->m->region_by_text, text, (uint32_t)k);
		if (region == MAP_NONE)
			return;
		t->off[region] = true;
	}
}

static void take_line(struct turned_off *t, const char *line)
{
	char *at;
	uint64_t text = strtoull(line, &at, 16);
	while (*at == '\t' || *at == ',') {
		char *dash;
		unsigned long first = strtoul(at + 1, &dash, 10), last = first;
		if (dash == at + 1)
			return;
		at = dash;
		if (*dash == '-')
			last = strtoul(dash + 1, &at, 10);
		mark(t, text, first, last);
	}
}

static void take_process(struct turned_off *t, const struct profile *p)
{
	bool any = false;
	for (size_t i = 0; i < p->text.n; i++)
		if (strcmp(p->text.at[i].kind, "off") == 0) {
			take_line(t, p->text.at[i].text);
			any = true;
		}
	if (any && !t->filter)
		t->filter = profile_setting(p, "SIS_FILTER");
}

struct names { const char *at[NAMED]; size_t count; bool more; };

static void add_name(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->at[i], name) == 0)
			return;
	if (names->count == NAMED)
		names->more = true;
	else
		names->at[names->count++] = name;
}

static void warn(const struct turned_off *t, warning_list *warnings)
{
	struct names names = { .count = 0 };
	struct buf list = { 0 };
	size_t count = 0, all = 0;
	bool has_mpi = false;
	for (size_t i = 0; i < t->m->region.n; i++) {
		const struct region *region = &t->m->region.at[i];
		all += region->line_start > 0;
		count += t->off[i];
		if (t->off[i]) {
			add_name(&names, region->name);
			has_mpi |= sis_region_in(region->type, CR_MPI);
		}
	}
	for (size_t i = 0; i < names.count; i++)
		buf_print(&list, "%s%s", i ? ", " : "", names.at[i]);
	if (count)
		warnings_add_of(warnings, WARNING_FILTER,
				"SIS_FILTER=%s turned off %zu of %zu regions (%s%s): their time "
				"is that of the regions around them%s",
				t->filter ? t->filter : "", count, all, list.text,
				names.more ? ", ..." : "",
				has_mpi ? "; calls of MPI that communicate stay measured, "
					  "without their places" :
					  "");
	free(list.text);
}

void turned_off_warn(const struct experiment_model *m, warning_list *warnings)
{
	struct turned_off t = { .m = m, .off = mem_alloc(m->region.n + 1, sizeof *t.off) };
	for (size_t i = 0; i < m->process.n; i++)
		take_process(&t, &m->process.at[i].profile);
	warn(&t, warnings);
	free(t.off);
}
