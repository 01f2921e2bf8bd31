/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_wrappers.c - see mpi_wrappers.h. Called by call_paths.c, in one thread. */
#include "answers/query/mpi_wrappers.h"

#include "base/clamp.h"

struct file {
	bool calls_others;            /* calls other files, or has the program itself (CR_P) */
	size_t functions, sites;      /* of the file: functions that call MPI; calls of MPI */
	size_t callers;               /* regions of other files that call it */
	int64_t useful_ns, mpi_ns;
	int64_t last_caller;          /* 0: none yet */
};

struct search {
	const wrapper_regions *regions;
	struct map by_region;         /* -> index in `regions` */
	struct map by_number;         /* of files -> index in `file` */
	VEC(struct file) file;
	struct map callers_of_mpi;    /* functions that `functions` has counted */
};

static const struct wrapper_region *region_of(const struct search *s,
					      const struct call_paths *paths, uint32_t path)
{
	uint32_t i = path == NO_PATH ? MAP_NONE :
		map_get(&s->by_region, (uint64_t)paths->path.at[path].region, 0);
	return i == MAP_NONE ? NULL : &s->regions->at[i];
}

static struct file *file_of(const struct search *s, const struct wrapper_region *region)
{
	return &s->file.at[map_get(&s->by_number, (uint64_t)region->file, 0)];
}

static void add_region(struct search *s, uint32_t i)
{
	bool fresh;
	const struct wrapper_region *region = &s->regions->at[i];
	map_put(&s->by_region, (uint64_t)region->region, 0, i, NULL);
	map_put(&s->by_number, (uint64_t)region->file, 0, (uint32_t)s->file.n, &fresh);
	if (fresh)
		*vec_push(&s->file) = (struct file){ .calls_others = false };
	struct file *file = file_of(s, region);
	file->calls_others |= region->is_program;
	file->sites += region->is_mpi;
	if (region->is_mpi)
		file->mpi_ns = clamp_add(file->mpi_ns, region->own_ns);
	else
		file->useful_ns = clamp_add(file->useful_ns, region->useful_ns);
}

/* Notes the call from the last but one region of a path to the last region. The call is within a
 * file, into a file, or out of a file. */
static void add_path(struct search *s, const struct call_paths *paths, uint32_t path)
{
	bool fresh = false;
	uint32_t above = paths->path.at[path].parent;
	const struct wrapper_region *callee = region_of(s, paths, path),
				    *caller = region_of(s, paths, above);
	if (caller && (!callee || callee->file != caller->file))
		file_of(s, caller)->calls_others = true;
	if (callee && callee->is_mpi && caller && caller->is_function)
		map_put(&s->callers_of_mpi, (uint64_t)caller->region, 0, 0, &fresh);
	if (fresh && callee->file == caller->file)
		file_of(s, caller)->functions++;
	if (callee && above != NO_PATH && (!caller || callee->file != caller->file)) {
		struct file *file = file_of(s, callee);
		int64_t region = paths->path.at[above].region;
		file->callers += region != file->last_caller;
		file->last_caller = region;
	}
}

static bool is_of_wrappers(const struct file *file)
{
	return !file->calls_others && file->useful_ns <= file->mpi_ns && file->functions &&
	       ((file->functions > 1 && file->sites <= 2 * file->functions) || file->callers > 1);
}

/* The number of regions from the first caller outside of the file to the end of the path, or 0 if
 * there is no such caller. */
static uint32_t find_outside(const struct search *s, const struct call_paths *paths, uint32_t path)
{
	const struct wrapper_region *call = region_of(s, paths, path), *region = call;
	uint32_t n = 0;
	if (!call || !call->is_mpi || !is_of_wrappers(file_of(s, call)))
		return 0;
	for (; region && region->file == call->file; region = region_of(s, paths, path)) {
		path = paths->path.at[path].parent;
		n++;
	}
	return path == NO_PATH ? 0 : n + 1;
}

void mpi_wrappers_find(struct call_paths *paths, const wrapper_regions *regions)
{
	struct search s = { .regions = regions };
	for (uint32_t i = 0; i < regions->n; i++)
		add_region(&s, i);
	for (uint32_t i = 0; i < paths->path.n && regions->n; i++)
		add_path(&s, paths, i);
	for (uint32_t i = 0; i < paths->path.n && regions->n; i++)
		paths->path.at[i].outside = find_outside(&s, paths, i);
	map_free(&s.by_region), map_free(&s.by_number), map_free(&s.callers_of_mpi);
	vec_free(&s.file);
}

static int take_region(void *arg, const struct cell *row, struct err *err)
{
	wrapper_regions *regions = arg;
	(void)err;
	*vec_push(regions) = (struct wrapper_region){
		.region = row[0].integer,
		.file = row[1].integer,
		.is_mpi = row[2].integer,
		.is_function = row[3].integer,
		.is_program = row[4].integer,
		.useful_ns = row[5].integer,
		.own_ns = row[6].integer,
	};
	return 0;
}

int mpi_wrappers_load(wrapper_regions *regions, struct repo *repo, int64_t experiment,
		      struct err *err)
{
	return repo_each(repo, take_region, regions, err,
			 "WITH file AS MATERIALIZED "
			 "(SELECT DISTINCT r.source_file AS id FROM code_region r "
			 "WHERE r.type LIKE 'CR_MPI%' AND r.line_start > 0 AND EXISTS (SELECT 1 "
			 "FROM drg_node n WHERE n.region = r.id AND n.experiment = ?1)) "
			 "SELECT r.id, r.source_file, r.type LIKE 'CR_MPI%', r.type = 'CR_F', "
			 "r.type = 'CR_P', coalesce(sum(m.useful_ns), 0), "
			 "coalesce(sum(m.excl_ns), 0) "
			 "FROM file f JOIN code_region r ON r.source_file = f.id "
			 "JOIN drg_node n ON n.region = r.id AND n.experiment = ?1 "
			 "LEFT JOIN region_summary m ON m.drg_node = n.id "
			 "WHERE r.line_start > 0 GROUP BY r.id",
			 "i", experiment);
}
