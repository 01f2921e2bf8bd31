/* SPDX-License-Identifier: BSD-3-Clause */
/* imported_rows.c - rows of an exported experiment, on their way into an empty repository beside
 * this one. One thread. */
#include "store/imported_rows.h"

#include <stdlib.h>
#include <string.h>

#include "repository/stored_check.h"
#include "repository_version.h"

size_t row_kind_named(const char *table)
{
	size_t kind = 0;
	while (kind < ROW_KINDS && strcmp(table, row_kind[kind].table) != 0)
		kind++;
	return kind;
}

void imported_rows_end(struct imported_rows *rows)
{
	query_close(rows->query);
	rows->query = NULL;
	row_columns_release(&rows->columns);
}

int imported_rows_begin(struct imported_rows *rows, size_t kind)
{
	char *marks = mem_string("?");
	imported_rows_end(rows);
	rows->kind = kind;
	int rc = row_columns_load(&rows->columns, rows->repo, &row_kind[kind], rows->err);
	for (size_t i = 1; i < rows->columns.name.n; i++) {
		char *longer = mem_print("%s, ?", marks);
		free(marks);
		marks = longer;
	}
	char *sql = mem_print("INSERT INTO other.%s VALUES (%s)", row_kind[kind].table, marks);
	rc = rc ? rc : query_open(rows->repo, &rows->query, sql, rows->err);
	free(marks);
	free(sql);
	return rc;
}

int imported_rows_take(struct imported_rows *rows, const char *const *text, int line)
{
	struct err reason = { 0 };
	return query_run_texts(rows->query, text, rows->columns.name.n, &reason) ?
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

/* -- what no schema can say -------------------------------------------------------------------- */

static const struct {
	const char *sql, *problem;
} check[] = {
	{ "SELECT 1 "
	  "FROM other.overhead "
	  "WHERE leaf NOT IN (SELECT name FROM main.overhead_kind WHERE is_leaf)",
	  "it has overheads that are unknown here" },
/* Rows of nodes and memory name processing units without REFERENCES, because they are
	 * removed with these. */
#define STRANGE_UNIT "NOT IN (SELECT id FROM other.processing_unit)"
	{ "SELECT 1 "
	  "FROM other.region_summary "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.overhead "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.estimate "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.critical_path "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.message "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.delay "
	  "WHERE culprit " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.wait_pair "
	  "WHERE culprit " STRANGE_UNIT " OR (victim <> 0 AND victim " STRANGE_UNIT ") "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.memory_use "
	  "WHERE pu " STRANGE_UNIT,
	  "it has rows of a processing unit that is not there" },
	{ "SELECT 1 "
	  "FROM other.message "
	  "WHERE communicator NOT IN (SELECT id FROM other.communicator) "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.delay "
	  "WHERE culprit_node NOT IN (SELECT id FROM other.drg_node) "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.wait_pair w "
	  "LEFT JOIN other.delay d USING (drg_node, leaf, culprit, culprit_node) "
	  "WHERE d.ns IS NULL",
	  "a row refers to one that is not there" },
#undef STRANGE_UNIT
	{ "SELECT 1 "
	  "FROM other.processing_unit u "
	  "JOIN other.experiment e "
	  "LEFT JOIN (SELECT pu, sum(ns) AS ns FROM other.overhead GROUP BY pu) o ON o.pu = u.id "
	  "WHERE abs(u.useful_ns - e.t_p_ns + coalesce(o.ns, 0)) > e.identity_error_ns",
	  "work and overheads of a processing unit are not its time" },
	/* an experiment that was imported by an older version has no pairs */
	{ "SELECT 1 "
	  "FROM other.delay d "
	  "WHERE EXISTS (SELECT 1 FROM other.wait_pair) "
	  "AND d.ns <> (SELECT coalesce(sum(w.ns), 0) FROM other.wait_pair w "
	  "WHERE w.drg_node = d.drg_node AND w.leaf = d.leaf AND w.culprit = d.culprit "
	  "AND w.culprit_node = d.culprit_node)",
	  "the waits of pairs are not those of the delays" },
};

int imported_rows_changed(const struct imported_rows *rows, const char *problem)
{
	return err_fail(rows->err, "'%s' was damaged or changed: %s; export it again", rows->path,
			problem);
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
	for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
		int64_t id;
		int found = repo_number(rows->repo, &id, rows->err, check[i].sql, "");
		if (found != 0)
			return found < 0 ? found : imported_rows_changed(rows, check[i].problem);
	}
	return 0;
}
