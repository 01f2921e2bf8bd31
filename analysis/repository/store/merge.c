/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - copies the experiments of another repository into this one. Owns nothing. Called by one
 * thread. Rows that experiments share (application, version, file, region, machine, calibration)
 * are found by their keys, or added, and a temporary table maps old numbers to new ones. All other
 * rows get numbers after the last number in this repository. */
#include "repository/store/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "repository/database/stored_check.h"
#include "repository/store/exported_rows.h"
#include "repository/store/store.h"

/* Selects the experiments of the other repository that are copied. Table `wanted` has the names
 * that they get in this repository. */
#define WANTED "(SELECT id FROM wanted)"

struct merging {
	struct repo *repo;
	struct err *err;
	int64_t past[ROW_KINDS]; /* by kind: the last number in this repository */
};

/* -- rows -------------------------------------------------------------------------------------- */

/* The outermost owner of the rows of a kind: the kind at the end of the chain of owners. */
static const struct row_kind *outermost(const struct row_kind *kind)
{
	return kind->owner < 0 ? kind : outermost(&row_kind[kind->column[kind->owner].refers]);
}

static bool is_shared(const struct row_kind *kind)
{
	return strcmp(outermost(kind)->table, "experiment") != 0;
}

static bool has_id(const struct row_kind *kind)
{
	return strcmp(kind->order, "id") == 0;
}

/* Whether a row's number in this repository is found by the row's key. */
static bool is_found(const struct row_kind *kind)
{
	bool has_key = false;
	for (size_t i = 0; i < kind->columns; i++)
		has_key |= kind->column[i].is_key;
	return has_key && has_id(kind) && is_shared(kind);
}

/* The condition for the rows to copy. All machines are copied, because even a machine without an
 * experiment may have calibrations. */
static char *condition_of(const struct row_kind *kind)
{
	return strcmp(outermost(kind)->table, "physical_machine") == 0 ?
		mem_string("1") :
		row_condition(kind, "other", WANTED);
}

/* Appends the SQL for a column's value in this repository; t is the row of the other repository. */
static void put_value(const struct merging *m, const struct row_kind *kind,
		      const struct row_column *column, struct buf *sql)
{
	bool is_name = strcmp(kind->table, "experiment") == 0 && strcmp(column->name, "name") == 0;
	if (is_name)
		buf_print(sql, "(SELECT name FROM wanted WHERE id = t.id)");
	else if (column->refers < 0)
		buf_print(sql, "t.%s", column->name);
	else if (is_found(&row_kind[column->refers]))
		buf_print(sql, "(SELECT new FROM temp.of_%s WHERE id = t.%s)",
			  row_kind[column->refers].table, column->name);
	else /* a value of 0 refers to no row, and stays 0 */
		buf_print(sql, "t.%s + (t.%s <> 0) * %" PRId64, column->name, column->name,
			  m->past[column->refers]);
}

static int run_sql(const struct merging *m, char *sql)
{
	int rc = repo_run(m->repo, m->err, sql, "");
	free(sql);
	return rc;
}

static int copy_rows(const struct merging *m, const struct row_kind *kind)
{
	struct buf names = { 0 }, values = { 0 };
	for (size_t i = is_found(kind); i < kind->columns; i++) {
		const char *comma = names.at ? ", " : "";
		buf_print(&names, "%s%s", comma, kind->column[i].name);
		buf_print(&values, "%s", comma);
		put_value(m, kind, &kind->column[i], &values);
	}
	/* Large tables have no order: SQLite would have to sort them first, and the new numbers of
	 * their rows do not depend on it. */
	const char *order = has_id(kind) && !is_shared(kind) ? "NULL" : kind->order;
	bool may_be_here = is_found(kind) || (is_shared(kind) && !has_id(kind));
	char *condition = condition_of(kind), *into = buf_take(&names), *from = buf_take(&values);
	int rc = run_sql(m, mem_print("INSERT %s INTO main.%s (%s) SELECT %s FROM other.%s t "
				      "WHERE %s ORDER BY %s", may_be_here ? "OR IGNORE" : "",
				      kind->table, into, from, kind->table, condition, order));
	free(condition), free(into), free(from);
	return rc;
}

/* Makes the table that maps numbers of rows in the other repository to those here. */
static int find_rows(const struct merging *m, const struct row_kind *kind)
{
	struct buf same = { 0 };
	for (size_t i = 0; i < kind->columns; i++)
		if (kind->column[i].is_key) {
			buf_print(&same, "%sm.%s = ", same.at ? " AND " : "",
				  kind->column[i].name);
			put_value(m, kind, &kind->column[i], &same);
		}
	char *condition = condition_of(kind), *on = buf_take(&same);
	int rc = run_sql(m, mem_print("CREATE TEMP TABLE of_%s "
				      "(id INTEGER PRIMARY KEY, new INTEGER)", kind->table));
	rc = rc ? rc : run_sql(m, mem_print("INSERT INTO of_%s SELECT t.id, m.id FROM "
					    "(SELECT * FROM other.%s WHERE %s) t "
					    "JOIN main.%s m ON %s", kind->table, kind->table,
					    condition, kind->table, on));
	free(condition), free(on);
	return rc;
}

/* Drops the temporary tables, because another merge on this connection needs their names. */
static int drop_numbers(const struct merging *m)
{
	int rc = repo_run(m->repo, m->err, "DROP TABLE temp.wanted", "");
	for (const struct row_kind *kind = row_kind; kind < row_kind + ROW_KINDS; kind++)
		if (rc == 0 && is_found(kind))
			rc = run_sql(m, mem_print("DROP TABLE temp.of_%s", kind->table));
	return rc;
}

static int copy_all(struct merging *m)
{
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < ROW_KINDS; k++) {
		const struct row_kind *kind = &row_kind[k];
		if (kind->owner < 0 && !has_id(kind)) /* such tables are part of the program */
			continue;
		if (has_id(kind)) {
			char *last = mem_print("SELECT coalesce(max(id), 0) FROM main.%s",
					       kind->table);
			int found = repo_number(m->repo, &m->past[k], m->err, last, "");
			rc = found < 0 ? found : 0;
			free(last);
		}
		rc = rc ? rc : copy_rows(m, kind);
		rc = rc || !is_found(kind) ? rc : find_rows(m, kind);
	}
	return rc;
}

/* -- experiments to copy ----------------------------------------------------------------------- */

static const struct column there_columns[] = {
	{ "id", "", CELL_INTEGER },
	{ "name", "", CELL_TEXT },
	{ "here", "", CELL_INTEGER },
	{ "its_name", "", CELL_TEXT },
};

/* Selects the experiments that this repository does not have, and those that are incomplete here
 * but complete in the other repository. The latter are replaced here. */
static const char there[] =
	"SELECT o.id, o.name, e.id, e.name "
	"FROM other.experiment o "
	"LEFT JOIN main.experiment e ON e.run_id = o.run_id "
	"WHERE e.id IS NULL OR (o.complete AND NOT e.complete) "
	"ORDER BY o.id";

/* Adds an experiment under a name that no experiment here has, and none that was added before:
 * NAME, NAME-2, NAME-3 ... */
static int add_wanted(struct repo *repo, int64_t id, const char *name, struct err *err)
{
	for (int k = 1;; k++) {
		int64_t taken;
		char *candidate = k == 1 ? mem_string(name) : mem_print("%s-%d", name, k);
		int found = repo_number(repo, &taken, err,
					"SELECT 1 "
					"FROM main.experiment "
					"WHERE name = ?1 "
					"UNION SELECT 1 "
					"FROM wanted "
					"WHERE name = ?1",
					"t", candidate);
		int rc = found == 0 ? repo_run(repo, err, "INSERT INTO wanted VALUES (?, ?)", "it",
					       id, candidate) :
				      found;
		free(candidate);
		if (found <= 0)
			return rc;
	}
}

/* Chooses the experiments to copy. Fails if one of them is damaged. */
static int choose(struct repo *repo, struct err *err)
{
	struct table t;
	table_init(&t, there_columns, 4);
	int rc = repo_run(repo, err,
			  "CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
			  "");
	rc = rc ? rc : repo_fill(repo, &t, err, there, "");
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const struct cell *row = table_cell(&t, i, 0);
		bool replaces = row[2].kind != CELL_NULL;
		const char *problem;
		rc = stored_problem(repo, "other", row[0].integer, &problem, err);
		if (rc == 0 && problem)
			rc = err_fail(err, "experiment %" PRId64 " of the other repository was "
				      "damaged, or changed by another program: %s; take it out "
				      "there, and import its directory", row[0].integer, problem);
		const char *name = replaces ? row[3].text : row[1].text;
		if (rc == 0 && replaces)
			rc = store_remove(repo, row[2].integer, err);
		rc = rc ? rc : add_wanted(repo, row[0].integer, name, err);
	}
	table_release(&t);
	return rc;
}

/* -- the whole merge --------------------------------------------------------------------------- */

const struct column merge_columns[MERGE_COLUMNS] = {
	{ "id", "id", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "dir", "directory", CELL_TEXT },
	{ "complete", "complete", CELL_BOOL },
};

int merge_other(struct repo *repo, struct table *taken, struct err *err)
{
	struct merging m = { .repo = repo, .err = err };
	if (repo_begin(repo, err) || choose(repo, err) || copy_all(&m) ||
	    repo_fill(repo, taken, err,
		      "SELECT e.id, e.name, e.directory, e.complete "
		      "FROM main.experiment e "
		      "JOIN wanted w ON w.name = e.name "
		      "ORDER BY e.id",
		      "") ||
	    drop_numbers(&m))
		return ERR_FAILED;
	return repo_commit(repo, err);
}
