/* SPDX-License-Identifier: BSD-3-Clause */
/* import.c - stores an experiment: from its files to its rows. One thread. */
#include "import/import.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "flow/routines.h"
#include "import/analyze.h"
#include "import/run_directory.h"
#include "import/variable_blame.h"
#include "model/node_leaves.h"
#include "store/json_read.h"
#include "store/merge.h"
#include "store/xml_read.h"

/* The routine that a region is, or calls; NULL: it is none. */
static const char *routine_of(const struct region *region)
{
	return region->callee ? region->callee :
		region->routine || region->type == CR_F ? region->name : NULL;
}

/* Notes which regions redistribute data because a row of the table says so. */
static void find_redistributing(struct experiment_model *m, const struct routines *routines)
{
	for (size_t i = 0; i < m->region.n; i++) {
		const char *name = routine_of(&m->region.at[i]);
		const struct routine *row = name ? routines_find(routines, name) : NULL;
		m->region.fill.at[i].redistributes = row && row->flags & ROUTINE_REDISTRIBUTES;
	}
	model_find_leaves(m);
}

static int import_directory(struct repo *repo, const char *directory,
			    const struct store_options *options, int64_t *id, struct err *err)
{
	struct experiment x;
	struct variable_blame variables;
	struct store_options all = *options;
	if (experiment_read(&x, directory, err))
		return ERR_FAILED;
	if (options->routines)
		find_redistributing(&x.model, options->routines);
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

/* Imports an exported experiment, like one of another repository. A run that is here whole stays as
 * it is. */
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

/* A file that is no export. */
static int refuse_file(const char *path, struct err *err)
{
	return err_fail(err, "'%s' is neither the directory of a run nor an experiment that "
			"`sis-analyze export` has written as xml or json; `sis-analyze merge` "
			"takes repositories", path);
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
		return refuse_file(path, err);
	if (run_directory_peek(path, &run)) {
		int found = repo_number(repo, id, err,
					"SELECT id FROM experiment WHERE run_id = ? AND complete",
					"t", run.run_id);
		if (found != 0)
			return found < 0 ? found : 0;
	}
	return import_directory(repo, path, options, id, err);
}
