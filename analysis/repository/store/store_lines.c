/* SPDX-License-Identifier: BSD-3-Clause */
/* store_lines.c - writes how many samples each processing unit has at each line. Owns nothing.
 * Called by one thread. */
#include "repository/store/store_lines.h"

#include <stdlib.h>

#include "base/path.h"
#include "repository/store/pu_rows.h"

/* Threads without a processing unit of their own use that of another thread, so several values may
 * be added to one row. */
int store_lines(struct repo *repo, int64_t experiment, const struct experiment *x,
		struct err *err)
{
	struct pu_rows units;
	struct query *query = NULL;
	int rc = pu_rows_load(&units, repo, experiment, x, err);
	rc = rc ? rc : query_open(repo, &query,
				  "INSERT INTO line_samples "
				  "(experiment, pu, file, line, samples, weight) "
				  "VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
				  "ON CONFLICT (experiment, file, line, pu) DO UPDATE "
				  "SET samples = samples + ?5, weight = weight + ?6", err);
	for (size_t i = 0; rc == 0 && i < x->run.sampled.line.n; i++) {
		const struct sampled_line *line = &x->run.sampled.line.at[i];
		bool is_relative = x->model.base && line->file && line->file[0] == '/';
		char *relative = is_relative ? path_relative(x->model.base, line->file) : NULL;
		int64_t pu = pu_rows_of(&units, line->process, line->slot);
		if (pu)
			rc = query_run(query, err, "iitiii", experiment, pu,
				       relative ?: line->file ?: "", (int64_t)line->line,
				       (int64_t)line->samples, (int64_t)line->weight);
		free(relative);
	}
	query_close(query);
	pu_rows_release(&units);
	return rc;
}
