/* SPDX-License-Identifier: BSD-3-Clause */
/* store_memory.c - writes the memory that samples access, and how much each processing unit
 * allocates and accesses. Owns nothing. Called by one thread. */
#include "repository/store/store_memory.h"

#include <stdlib.h>

#include "repository/store/pu_rows.h"

/* The names of kinds in table memory. */
static const char *const kind_name[MEMORY_KINDS] = {
	[MEMORY_HEAP] = "heap", [MEMORY_MAPPING] = "mapping", [MEMORY_STATIC] = "static",
	[MEMORY_STACK] = "stack", [MEMORY_THREAD_LOCAL] = "thread_local",
	[MEMORY_OTHER] = "other", [MEMORY_NONE] = "none", [MEMORY_UNKNOWN] = "unknown",
};

static int64_t number_of(uint64_t value)
{
	return value < INT64_MAX ? (int64_t)value : INT64_MAX;
}

static int store_objects(struct repo *repo, int64_t experiment, const struct memory_blame *memory,
			 int64_t *id, struct err *err)
{
	struct query *query = NULL;
	int rc = query_open(repo, &query,
			    "INSERT INTO memory (experiment, kind, name, function, container, "
			    "container_function, type, file, line, path, module, bytes) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);
	for (size_t i = 0; rc == 0 && i < memory->object.n; i++) {
		const struct memory_object *o = &memory->object.at[i];
		rc = query_run(query, err, "itttttttitti", experiment,
			       kind_name[o->kind], o->name, o->function, o->container,
			       o->container_function, o->type, o->file, (int64_t)o->line, o->path,
			       o->module, number_of(o->bytes));
		id[i] = repo_last_id(repo);
	}
	query_close(query);
	return rc;
}

/* Threads without a processing unit of their own use that of another thread, so several values may
 * be added to one row. */
static int store_uses(struct repo *repo, const struct memory_blame *memory,
		      const struct pu_rows *units, const int64_t *id, struct err *err)
{
	struct query *query = NULL;
	int rc = query_open(repo, &query,
			    "INSERT INTO memory_use (memory, pu, allocations, freed, bytes, "
			    "most_bytes, largest_bytes, life_ns, samples, weight) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
			    "ON CONFLICT (memory, pu) DO UPDATE "
			    "SET allocations = allocations + ?3, freed = freed + ?4, "
			    "bytes = bytes + ?5, most_bytes = most_bytes + ?6, "
			    "largest_bytes = max(largest_bytes, ?7), life_ns = life_ns + ?8, "
			    "samples = samples + ?9, weight = weight + ?10", err);
	for (size_t i = 0; rc == 0 && i < memory->use.n; i++) {
		const struct memory_use *u = &memory->use.at[i];
		int64_t pu = pu_rows_of(units, u->process, u->slot);
		if (pu)
			rc = query_run(query, err, "iiiiiiiiii", id[u->object], pu, u->allocations,
				       u->freed, u->bytes, u->most, u->largest, u->life_ns,
				       u->samples, u->weight);
	}
	query_close(query);
	return rc;
}

int store_memory(struct repo *repo, int64_t experiment, const struct memory_rows *rows,
		 struct err *err)
{
	const struct placed_memory *placed = rows->placed;
	struct pu_rows units;
	int64_t *id = mem_alloc(rows->memory->object.n + 1, sizeof *id);
	int rc = pu_rows_load(&units, repo, experiment, rows->x, err);
	rc = rc ? rc : repo_run(repo, err, "UPDATE sampling SET least_bytes = ?, memory_lost = ? "
				"WHERE experiment = ?", "iii", number_of(placed->least_bytes),
				number_of(placed->lost), experiment);
	rc = rc ? rc : store_objects(repo, experiment, rows->memory, id, err);
	rc = rc ? rc : store_uses(repo, rows->memory, &units, id, err);
	pu_rows_release(&units);
	free(id);
	return rc;
}
