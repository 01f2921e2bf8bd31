/* SPDX-License-Identifier: BSD-3-Clause */
/* imported_rows.c - writes rows of an exported experiment into an empty repository beside this one.
 * Called by one thread. */
#include "repository/store/imported_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "repository/database/stored_check.h"
#include "repository_version.h"

void imported_rows_end(struct imported_rows *rows)
{
	query_close(rows->query);
	rows->query = NULL;
}

int imported_rows_begin(struct imported_rows *rows, size_t kind)
{
	struct buf marks = { 0 };
	imported_rows_end(rows);
	rows->kind = &row_kind[kind];
	for (size_t i = 0; i < rows->kind->columns; i++)
		buf_print(&marks, "%s?", i ? ", " : "");
	char *names = row_names(rows->kind), *values = buf_take(&marks);
	char *sql = mem_print("INSERT INTO other.%s (%s) VALUES (%s)", rows->kind->table, names,
			      values);
	int rc = query_open(rows->repo, &rows->query, sql, rows->err);
	free(names), free(values), free(sql);
	return rc;
}

int imported_rows_take(struct imported_rows *rows, const char *const *text, int line)
{
	struct err reason = { 0 };
	return query_run_texts(rows->query, text, rows->kind->columns, &reason) ?
		err_fail(rows->err,
			 "%s:%d: a row that cannot be: it is there already, refers to "
			 "one that is not, or has an impossible value; export it again (%s)",
			 rows->path, line, reason.text) :
		0;
}

int imported_rows_version(const struct imported_rows *rows, const char *version)
{
	return atoi(version) == SIS_REPOSITORY_VERSION ?
		0 :
		err_fail(rows->err,
			 "'%s' is an export of version %.20s, and only %d is known "
			 "here; export it again with the sis-analyze that is used here",
			 rows->path, version, SIS_REPOSITORY_VERSION);
}

/* -- conditions that schemas of XML and JSON cannot express ------------------------------------ */

static const struct {
	const char *sql, *problem;
} check[] = {
	{ "SELECT 1 "
	  "FROM other.overhead "
	  "WHERE leaf NOT IN (SELECT name FROM main.overhead_kind WHERE is_leaf)",
	  "it has overheads that are unknown here" },
	{ "SELECT 1 "
	  "FROM other.wait_pair w "
	  "LEFT JOIN other.delay d USING (drg_node, leaf, culprit, culprit_node) "
	  "WHERE d.ns IS NULL",
	  "a pair that waited has no delay" },
	{ "SELECT 1 "
	  "FROM other.processing_unit u "
	  "JOIN other.experiment e "
	  "LEFT JOIN (SELECT pu, sum(ns) AS ns FROM other.overhead GROUP BY pu) o ON o.pu = u.id "
	  "WHERE abs(u.useful_ns - e.t_p_ns + coalesce(o.ns, 0)) > e.identity_error_ns",
	  "work and overheads of a processing unit are not its time" },
	{ "SELECT 1 "
	  "FROM other.delay d "
	  "WHERE d.ns <> (SELECT coalesce(sum(w.ns), 0) FROM other.wait_pair w "
	  "WHERE w.drg_node = d.drg_node AND w.leaf = d.leaf AND w.culprit = d.culprit "
	  "AND w.culprit_node = d.culprit_node)",
	  "the waits of pairs are not those of the delays" },
};

int imported_rows_changed(const struct imported_rows *rows, const char *problem)
{
	return err_fail(rows->err, "'%s' was damaged or changed: %s; export it again", rows->path,
			problem);
}

/* Whether a row refers by this column to a row that does not exist: 1 or 0; negative on failure. A
 * value of 0 refers to no row, which is allowed. */
static int refers_to_nothing(const struct imported_rows *rows, const char *table,
			     const struct row_column *column)
{
	int64_t any;
	char *sql = mem_print("SELECT 1 FROM other.%s "
			      "WHERE %s <> 0 AND %s NOT IN (SELECT id FROM other.%s)", table,
			      column->name, column->name, row_kind[column->refers].table);
	int found = repo_number(rows->repo, &any, rows->err, sql, "");
	free(sql);
	return found;
}

/* Checks the references that SQLite does not check. */
static int check_references(const struct imported_rows *rows)
{
	for (const struct row_kind *kind = row_kind; kind < row_kind + ROW_KINDS; kind++)
		for (size_t i = 0; i < kind->columns; i++) {
			const struct row_column *column = &kind->column[i];
			char problem[128];
			int found = column->is_unchecked ?
				refers_to_nothing(rows, kind->table, column) : 0;
			if (found < 0)
				return found;
			if (found == 0)
				continue;
			snprintf(problem, sizeof problem, "a row of %s refers to a %s that is not "
				 "there", kind->table, row_kind[column->refers].table);
			return imported_rows_changed(rows, problem);
		}
	return 0;
}

int imported_rows_check(const struct imported_rows *rows)
{
	int64_t experiment = 0;
	const char *problem;
	if (repo_number(rows->repo, &experiment, rows->err, "SELECT id FROM other.experiment", "") <
		    0 ||
	    stored_problem(rows->repo, "other", experiment, &problem, rows->err))
		return ERR_FAILED;
	if (problem)
		return imported_rows_changed(rows, problem);
	if (check_references(rows))
		return ERR_FAILED;
	for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
		int64_t id;
		int found = repo_number(rows->repo, &id, rows->err, check[i].sql, "");
		if (found != 0)
			return found < 0 ? found : imported_rows_changed(rows, check[i].problem);
	}
	return 0;
}
