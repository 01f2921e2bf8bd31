/* SPDX-License-Identifier: BSD-3-Clause */
/* import.c - reads the files of a run, analyzes them, and stores the experiment. Called by one
 * thread. */
#include "repository/import/import.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "blame/flow/routines.h"
#include "repository/import/analyze.h"
#include "repository/import/own_sources.h"
#include "repository/import/run_directory.h"
#include "repository/import/uncounted_calls.h"
#include "repository/import/variable_blame.h"
#include "experiment/model/node_leaves.h"
#include "repository/store/json_read.h"
#include "repository/store/merge.h"
#include "repository/store/xml_read.h"

static int import_directory(struct repo *repo, const char *directory,
			    const struct store_options *options, int64_t *id, struct err *err)
{
	struct experiment x;
	struct variable_blame variables;
	struct store_options all = *options;
	if (experiment_read(&x, directory, err))
		return ERR_FAILED;
	for (size_t i = 0; options->routines && i < x.model.region.n; i++) {
		struct region *region = &x.model.region.fill.at[i];
		bool is_routine = region->routine || region->type == CR_F;
		const char *name = region->callee ?: is_routine ? region->name : NULL;
		const struct routine *row = name ? routines_find(options->routines, name) : NULL;
		region->redistributes = row && row->flags & ROUTINE_REDISTRIBUTES;
	}
	if (options->routines)
		model_find_leaves(&x.model);
	if (options->is_own_run)
		own_sources_add(&x);
	uncounted_calls_warn(&x);
	analyze(&x);
	variable_blame_find(&variables, &x, options->routines);
	all.further = variable_blame_store;
	all.rows = &variables;
	int rc = store_experiment(repo, &x, &all, id, err);
	variable_blame_release(&variables);
	experiment_release(&x);
	return rc < 0 ? rc : 0;
}

typedef int export_reader(struct repo *repo, const char *path, struct err *err);

/* Imports an exported experiment, as merge_other does with those of another repository. If this
 * repository already has the complete run, nothing changes. */
static int import_file(struct repo *repo, const char *path, export_reader *reader, int64_t *id,
		       struct err *err)
{
	struct table taken;
	table_init(&taken, merge_columns, MERGE_COLUMNS);
	int rc = repo_attach_empty(repo, err);
	rc = rc ? rc : reader(repo, path, err);
	rc = rc ? rc : merge_other(repo, &taken, err);
	if (rc == 0 &&
	    repo_number(repo, id, err,
			"SELECT e.id "
			"FROM main.experiment e "
			"JOIN other.experiment o ON o.run_id = e.run_id",
			"") < 0)
		rc = ERR_FAILED;
	rc = rc ? rc : repo_detach(repo, err);
	table_release(&taken);
	return rc;
}

int import_run(struct repo *repo, const char *path, const struct store_options *options,
	       int64_t *id, struct err *err)
{
	struct run_header run;
	struct stat status;
	if (xml_is_experiment(path))
		return import_file(repo, path, xml_read, id, err);
	if (json_begins(path))
		return import_file(repo, path, json_read, id, err);
	if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
		return err_fail(err, "'%s' is neither the directory of a run nor an experiment "
				"that `sis-analyze export` has written as xml or json; "
				"`sis-analyze merge` takes repositories", path);
	if (run_directory_peek(path, &run)) {
		int found = repo_number(repo, id, err,
					"SELECT id FROM experiment WHERE run_id = ? AND complete",
					"t", run.run_id);
		if (found != 0)
			return found < 0 ? found : 0;
	}
	return import_directory(repo, path, options, id, err);
}
