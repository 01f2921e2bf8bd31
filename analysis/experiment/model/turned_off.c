/* SPDX-License-Identifier: BSD-3-Clause */
/* turned_off.c - warns of regions that SIS_FILTER turned off. Called by one thread.
 *
 * The runtime writes lines `off<TAB>CHECKSUM<TAB>FIRST-LAST,...` to a profile. They list regions of
 * the translation unit whose description has this checksum. Most processes of a run have the same
 * lines, so each region counts once. Even if the region of a call of MPI is turned off, the wrapper
 * still measures a call that communicates, in the region of the routine. */
#include "experiment/model/turned_off.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { NAMED = 5 }; /* number of names in the warning */

struct turned_off {
	const struct experiment_model *m;
	bool *off;          /* by region */
	const char *filter; /* file of the filter; NULL: not known */
};

/* Marks the regions of a line as turned off. A range that is longer than the description is cut. */
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
		for (unsigned long k = first; k <= last && k < UINT32_MAX; k++) {
			uint32_t region = map_get(&t->m->region_by_text, text, (uint32_t)k);
			if (region == MAP_NONE)
				break;
			t->off[region] = true;
		}
	}
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
				t->filter ? t->filter : "", count, all, list.at,
				names.more ? ", ..." : "",
				has_mpi ? "; calls of MPI that communicate stay measured, "
					  "without their places" :
					  "");
	free(list.at);
}

void turned_off_warn(const struct experiment_model *m, warning_list *warnings)
{
	struct turned_off t = { .m = m, .off = mem_alloc(m->region.n + 1, sizeof *t.off) };
	for (size_t i = 0; i < m->process.n; i++) {
		const struct profile *p = &m->process.at[i].profile;
		bool any = false;
		for (size_t k = 0; k < p->text.n; k++)
			if (strcmp(p->text.at[k].kind, "off") == 0) {
				take_line(&t, p->text.at[k].text);
				any = true;
			}
		if (any && !t.filter)
			t.filter = profile_setting(p, "SIS_FILTER");
	}
	warn(&t, warnings);
	free(t.off);
}
