/* SPDX-License-Identifier: BSD-3-Clause */
/* unmeasured_waits.c - warns of waits that the program has but that were not measured. One thread.
 *
 * OpenMP and MPI are measured by their routines. Waits of pthreads are measured only if the source
 * was compiled with regions for them, which is not the default; otherwise a thread that waits seems
 * to work. Each translation unit's description counts such calls. The warning is given only if
 * there was another thread to wait for. */
#include "model/unmeasured_waits.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"

static bool has_threads(const struct experiment_model *m)
{
	bool any = false;
	for (size_t i = 0; i < m->process.n; i++)
		any |= m->process.at[i].slots > 1;
	return any;
}

static bool has_region(const struct experiment_model *m, enum sis_region_type type)
{
	bool any = false;
	for (size_t i = 0; i < m->region.n; i++)
		any |= m->region.at[i].type == type;
	return any;
}

/* If some calls of a type were selected, the others were left out on purpose. */
static bool is_missed(const struct experiment_model *m, enum sis_region_type type)
{
	return m->unmeasured_calls[type] &&
		sis_overhead_in(sis_region_table[type].leaf, OSYNC_S) && !has_region(m, type);
}

void unmeasured_waits_warn(const struct experiment_model *m, warning_list *warnings)
{
	static const enum sis_region_type defaults[] = { SIS_DEFAULT_REGIONS };
	struct buf missed = { 0 }, list = { 0 };
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
		buf_print(&list, "%s%s", i ? "," : "", sis_region_table[defaults[i]].name);
	for (enum sis_region_type t = 1; t < SIS_REGION_TYPES && has_threads(m); t++) {
		if (!is_missed(m, t))
			continue;
		buf_print(&missed, "%s%" PRIu64 " %s", missed.length ? ", " : "",
			  m->unmeasured_calls[t], sis_region_table[t].name);
		buf_print(&list, ",%s", sis_region_table[t].name);
	}
	if (missed.length)
		warnings_add_of(warnings, WARNING_UNMEASURED,
				"waits of threads for each other count as time asleep, or as "
				"useful work where the kernel does not record switches, "
				"at calls of pthreads that nobody asked for "
				"(%s); build with sisc --sis-cr=%s to see them",
				missed.text, list.text);
	free(missed.text);
	free(list.text);
}
