/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_rows.c - maps threads to rows of processing units (pu_rows.h). Called by one thread. */
#include "repository/store/pu_rows.h"

static int take_pu(void *arg, const struct cell *row, struct err *err)
{
	struct pu_rows *rows = arg;
	(void)err;
	map_put(&rows->pu, (uint64_t)row[0].integer, (uint64_t)row[1].integer,
		(uint32_t)rows->id.n, NULL);
	*vec_push(&rows->id) = row[2].integer;
	return 0;
}

int pu_rows_load(struct pu_rows *rows, struct repo *repo, int64_t experiment,
		 const struct experiment *x, struct err *err)
{
	*rows = (struct pu_rows){ .x = x };
	return repo_each(repo, take_pu, rows, err,
			 "SELECT process, thread, id FROM processing_unit "
			 "WHERE experiment = ?", "i", experiment);
}

int64_t pu_rows_of(const struct pu_rows *rows, uint32_t process, uint32_t slot)
{
	if (process >= rows->x->model.process.n)
		return 0;
	uint64_t number = rows->x->model.process.at[process].index;
	uint32_t at = map_get(&rows->pu, number, slot);
	if (at == MAP_NONE)
		at = map_get(&rows->pu, number, 0);
	return at == MAP_NONE ? 0 : rows->id.at[at];
}

void pu_rows_release(struct pu_rows *rows)
{
	map_free(&rows->pu);
	vec_free(&rows->id);
}
