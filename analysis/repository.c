/* repository.c - owns the database; the only file that sees SQLite. One thread a repository.
 *
 * Its one idea: a database is checked and brought to the newest version when it is opened, so that no
 * other code ever meets an old one. What can be made from the program itself, the views and the
 * overhead tree, is made again whenever the program has other ones. */
#include "repository.h"

#include <errno.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile.h"
#include "repository_version.h"
#include "shared.h"
#include "sql_text.h"
#include "tables.h"

struct repo {
	sqlite3 *db;
	char *path; /* as messages name it */
	char *file; /* of the database */
	struct shared *shared; /* the file is a replica of this; NULL: it is not */
};
struct query {
	struct repo *repo;
	sqlite3_stmt *stmt;
};

static int fail(struct repo *repo, struct err *err)
{
	int code = sqlite3_errcode(repo->db);
	const char *what_to_do =
		code == SQLITE_NOTADB ? "name another with --db" :
		code == SQLITE_BUSY || code == SQLITE_LOCKED ? "another program has it locked: try again when that ended" :
		code == SQLITE_FULL ? "make room on the disk" :
		code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM ?
		"check that it and its directory can be written, or name another with --db" :
		code == SQLITE_CORRUPT ? "restore it from a copy, or import the experiments into a new one with --db" :
		"see the message";
	const char *text = sqlite3_errmsg(repo->db); /* a damaged schema is quoted, lines and all */
	return err_fail(err, "repository '%s': %.*s; %s", repo->path, (int)strcspn(text, "\n"), text, what_to_do);
}

/* -- statements ---------------------------------------------------------------------------------------- */

static int execute(struct repo *repo, const char *sql, struct err *err)
{
	return sqlite3_exec(repo->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(repo, err);
}

static sqlite3_stmt *prepare(struct repo *repo, const char *sql, struct err *err)
{
	sqlite3_stmt *stmt = NULL;
	if (sqlite3_prepare_v2(repo->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(repo, err);
	return stmt;
}

static void bind(sqlite3_stmt *stmt, const char *format, va_list args)
{
	for (int i = 1; *format; format++, i++)
		if (*format == 'i')
			sqlite3_bind_int64(stmt, i, va_arg(args, int64_t));
		else
			sqlite3_bind_text(stmt, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
}

static sqlite3_stmt *prepare_bound(struct repo *repo, struct err *err, const char *sql, const char *format, va_list args)
{
	sqlite3_stmt *stmt = prepare(repo, sql, err);
	if (stmt)
		bind(stmt, format, args);
	return stmt;
}

int repo_run(struct repo *repo, struct err *err, const char *sql, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sqlite3_stmt *stmt = prepare_bound(repo, err, sql, format, args);
	va_end(args);
	if (!stmt)
		return ERR_FAILED;
	int rc = sqlite3_step(stmt) == SQLITE_DONE ? 0 : fail(repo, err);
	sqlite3_finalize(stmt);
	return rc;
}

int repo_number(struct repo *repo, int64_t *number, struct err *err, const char *sql, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sqlite3_stmt *stmt = prepare_bound(repo, err, sql, format, args);
	va_end(args);
	if (!stmt)
		return ERR_FAILED;
	int step = sqlite3_step(stmt);
	int rc = step == SQLITE_ROW ? sqlite3_column_type(stmt, 0) != SQLITE_NULL : step == SQLITE_DONE ? 0 : fail(repo, err);
	if (rc == 1)
		*number = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc;
}

int64_t repo_last_id(const struct repo *repo)
{
	return sqlite3_last_insert_rowid(repo->db);
}

static void add_cell(struct table *table, sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_NULL: table_null(table); break;
	case SQLITE_INTEGER: table_integer(table, sqlite3_column_int64(stmt, column)); break;
	case SQLITE_FLOAT: table_real(table, sqlite3_column_double(stmt, column)); break;
	default: table_text(table, (const char *)sqlite3_column_text(stmt, column)); break;
	}
}

static int add_rows(struct repo *repo, struct table *table, sqlite3_stmt *stmt, struct err *err)
{
	int step;
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW)
		for (size_t c = 0; c < table->columns; c++)
			add_cell(table, stmt, c);
	return step == SQLITE_DONE ? 0 : fail(repo, err);
}

int repo_fill(struct repo *repo, struct table *table, struct err *err, const char *sql, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sqlite3_stmt *stmt = prepare_bound(repo, err, sql, format, args);
	va_end(args);
	if (!stmt)
		return ERR_FAILED;
	int rc = add_rows(repo, table, stmt, err);
	sqlite3_finalize(stmt);
	return rc;
}

static void fill_row(struct cell *row, sqlite3_stmt *stmt, int columns)
{
	for (int c = 0; c < columns; c++) {
		row[c] = (struct cell){ .kind = CELL_TEXT };
		switch (sqlite3_column_type(stmt, c)) {
		case SQLITE_NULL: row[c].kind = CELL_NULL; break;
		case SQLITE_INTEGER: row[c].kind = CELL_INTEGER; row[c].integer = sqlite3_column_int64(stmt, c); break;
		case SQLITE_FLOAT: row[c].kind = CELL_REAL; row[c].real = sqlite3_column_double(stmt, c); break;
		default: row[c].text = (char *)sqlite3_column_text(stmt, c); break;
		}
	}
}

int repo_each(struct repo *repo, repo_take *take, void *arg, struct err *err, const char *sql, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	sqlite3_stmt *stmt = prepare_bound(repo, err, sql, format, args);
	va_end(args);
	if (!stmt)
		return ERR_FAILED;
	int rc = 0, step = SQLITE_DONE, columns = sqlite3_column_count(stmt);
	struct cell *row = mem_alloc(columns, sizeof *row);
	while (rc == 0 && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		fill_row(row, stmt, columns);
		rc = take(arg, row, err);
	}
	rc = rc || step == SQLITE_DONE ? rc : fail(repo, err);
	free(row);
	sqlite3_finalize(stmt);
	return rc;
}

static struct column *own_columns(sqlite3_stmt *stmt)
{
	struct column *column = mem_alloc(sqlite3_column_count(stmt), sizeof *column);
	for (int c = 0; c < sqlite3_column_count(stmt); c++)
		column[c].key = column[c].title = mem_string(sqlite3_column_name(stmt, c));
	return column;
}

void repo_free_columns(struct column *columns, size_t n)
{
	for (size_t c = 0; c < n; c++)
		free((char *)columns[c].key);
	free(columns);
}

int repo_ask(struct repo *repo, struct table *table, struct column **columns, const char *sql, struct err *err)
{
	sqlite3_stmt *stmt = NULL;
	const char *rest;
	*columns = NULL;
	table_init(table, NULL, 0);
	sqlite3_limit(repo->db, SQLITE_LIMIT_ATTACHED, 0);
	if (execute(repo, "PRAGMA query_only = ON", err))
		return ERR_FAILED;
	if (sqlite3_prepare_v2(repo->db, sql, -1, &stmt, &rest) != SQLITE_OK)
		return err_fail(err, "query: %s; `sis-analyze sql .tables` lists what there is", sqlite3_errmsg(repo->db));
	int rc = 0;
	if (!stmt || !sqlite3_column_count(stmt) || !sqlite3_stmt_readonly(stmt))
		rc = err_fail(err, "query: it does not read; the repository is read-only here: ask with SELECT");
	else if (rest[strspn(rest, " \t\r\n;")])
		rc = err_fail(err, "query: more than one statement; give one at a time");
	if (rc == 0) {
		*columns = own_columns(stmt);
		table_init(table, *columns, sqlite3_column_count(stmt));
		rc = add_rows(repo, table, stmt, err);
	}
	sqlite3_finalize(stmt);
	return rc;
}

int query_open(struct repo *repo, struct query **query, const char *sql, struct err *err)
{
	*query = NULL;
	sqlite3_stmt *stmt = prepare(repo, sql, err);
	if (!stmt)
		return ERR_FAILED;
	*query = mem_alloc(1, sizeof **query);
	**query = (struct query){ repo, stmt };
	return 0;
}

int query_run(struct query *query, struct err *err, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bind(query->stmt, format, args);
	va_end(args);
	int rc = sqlite3_step(query->stmt) == SQLITE_DONE ? 0 : fail(query->repo, err);
	sqlite3_reset(query->stmt);
	return rc;
}

int query_run_texts(struct query *query, const char *const *text, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		sqlite3_bind_text(query->stmt, (int)i + 1, text[i], -1, SQLITE_TRANSIENT);
	int rc = sqlite3_step(query->stmt) == SQLITE_DONE ? 0 : fail(query->repo, err);
	sqlite3_reset(query->stmt);
	return rc;
}

void query_close(struct query *query)
{
	if (query)
		sqlite3_finalize(query->stmt);
	free(query);
}

/* -- transactions -------------------------------------------------------------------------------------- */

int repo_begin(struct repo *repo, struct err *err)
{
	if (repo->shared && shared_begin(repo->shared, repo, err))
		return ERR_FAILED;
	int rc = execute(repo, "BEGIN IMMEDIATE", err);
	if (rc && repo->shared)
		shared_rollback(repo->shared);
	return rc;
}

/* A replica that is not told any more what it has sent learns it with the next pull. */
int repo_commit(struct repo *repo, struct err *err)
{
	if (repo->shared && shared_commit(repo->shared, repo, err))
		return ERR_FAILED;
	return execute(repo, "COMMIT", err);
}

void repo_rollback(struct repo *repo)
{
	if (repo->shared)
		shared_rollback(repo->shared);
	if (repo->db && !sqlite3_get_autocommit(repo->db))
		sqlite3_exec(repo->db, "ROLLBACK", NULL, NULL, NULL);
}

/* -- versions ------------------------------------------------------------------------------------------ */

static int set_version(struct repo *repo, int version, struct err *err)
{
	char sql[96];
	sqlite3_snprintf(sizeof sql, sql, "PRAGMA user_version = %d; PRAGMA application_id = %d", version,
			 SIS_REPOSITORY_MAGIC);
	return execute(repo, sql, err);
}

static int pragma(struct repo *repo, const char *sql, int64_t *value, struct err *err)
{
	return repo_number(repo, value, err, sql, "") < 0 ? ERR_FAILED : 0;
}

int repo_version(struct repo *repo)
{
	int64_t version = 0;
	struct err err = { 0 };
	return pragma(repo, "PRAGMA user_version", &version, &err) ? -1 : (int)version;
}

int repo_migrate(struct repo *repo, int from, const struct migration *step, size_t steps, struct err *err)
{
	if (repo_begin(repo, err))
		return ERR_FAILED;
	for (size_t i = 0; i < steps; i++) {
		if (step[i].to <= from)
			continue;
		if (step[i].to != from + 1 || execute(repo, step[i].sql, err) || set_version(repo, step[i].to, err)) {
			repo_rollback(repo);
			return err_fail(err, "repository '%s': no way from version %d to %d; import into a new one "
					"with --db", repo->path, from, step[i].to);
		}
		from = step[i].to;
	}
	return repo_commit(repo, err);
}

static int create(struct repo *repo, struct err *err)
{
	if (repo_begin(repo, err))
		return ERR_FAILED;
	int64_t tables = 0; /* another program may have been quicker */
	int rc = pragma(repo, "SELECT count(*) FROM sqlite_master", &tables, err);
	if (rc == 0 && tables == 0 && (rc = execute(repo, sql_repository, err)) == 0)
		rc = set_version(repo, SIS_REPOSITORY_VERSION, err);
	if (rc == 0)
		return repo_commit(repo, err);
	repo_rollback(repo);
	return rc;
}

/* -- what is derived from the program ------------------------------------------------------------------- */

static int depth_of(enum sis_overhead o)
{
	int depth = 0;
	while ((o = sis_overhead_table[o].parent) != O_NONE)
		depth++;
	return depth;
}

static bool is_leaf(enum sis_overhead o)
{
	for (int i = 1; i < SIS_OVERHEADS; i++)
		if (sis_overhead_table[i].parent == o)
			return false;
	return true;
}

static int fill_overhead_kinds(struct repo *repo, struct err *err)
{
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		const struct sis_overhead_info *o = &sis_overhead_table[i];
		if (repo_run(repo, err, "INSERT INTO overhead_kind VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (name) "
			     "DO UPDATE SET parent = ?2, place = ?3, depth = ?4, is_leaf = ?5, description = ?6", "ttiiit",
			     o->name, o->parent ? sis_overhead_table[o->parent].name : NULL, (int64_t)i,
			     (int64_t)depth_of(i), (int64_t)is_leaf(i), o->description))
			return ERR_FAILED;
	}
	return 0;
}

static int fill_metric_kinds(struct repo *repo, struct err *err)
{
	static const char *const unit[] = {
		[SIS_UNIT_NS] = "ns", [SIS_UNIT_COUNT] = "count", [SIS_UNIT_BYTES] = "bytes", [SIS_UNIT_KIB] = "KiB",
	};
	for (int i = 1; i < SIS_METRICS; i++) {
		const struct sis_metric_info *m = &sis_metric_table[i];
		if (repo_run(repo, err, "INSERT OR REPLACE INTO metric_kind VALUES (?, ?, ?)", "ttt", m->name, unit[m->unit],
			     m->description))
			return ERR_FAILED;
	}
	return 0;
}

static int drop_views(struct repo *repo, struct err *err)
{
	static const struct column column = { "name", "name", CELL_TEXT };
	struct table names;
	table_init(&names, &column, 1);
	int rc = repo_fill(repo, &names, err, "SELECT name FROM sqlite_master WHERE type = 'view'", "");
	for (size_t i = 0; rc == 0 && i < table_rows(&names); i++) {
		char *sql = sqlite3_mprintf("DROP VIEW \"%w\"", table_cell(&names, i, 0)->text);
		rc = execute(repo, sql, err);
		sqlite3_free(sql);
	}
	table_release(&names);
	return rc;
}

static int64_t derived_checksum(void)
{
	uint64_t sum = sis_checksum(sql_views, strlen(sql_views));
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		const struct sis_overhead_info *o = &sis_overhead_table[i];
		sum = sum * 31 + sis_checksum(o->name, strlen(o->name));
		sum = sum * 31 + sis_checksum(o->description, strlen(o->description)) + o->parent;
	}
	for (int i = 1; i < SIS_METRICS; i++)
		sum = sum * 31 + sis_checksum(sis_metric_table[i].name, strlen(sis_metric_table[i].name)) +
			sis_metric_table[i].unit;
	return (int64_t)(sum >> 1);
}

static int derive(struct repo *repo, struct err *err)
{
	int64_t there = 0, wanted = derived_checksum();
	if (pragma(repo, "SELECT checksum FROM derived", &there, err))
		return ERR_FAILED;
	if (there == wanted)
		return 0;
	if (repo_begin(repo, err))
		return ERR_FAILED;
	if (drop_views(repo, err) || execute(repo, sql_views, err) || fill_overhead_kinds(repo, err) ||
	    fill_metric_kinds(repo, err) ||
	    execute(repo, "DELETE FROM derived", err) ||
	    repo_run(repo, err, "INSERT INTO derived VALUES (?)", "i", wanted)) {
		repo_rollback(repo);
		return ERR_FAILED;
	}
	return repo_commit(repo, err);
}

/* -- opening ------------------------------------------------------------------------------------------- */

static int bring_up_to_date(struct repo *repo, struct err *err)
{
	int64_t magic = 0, version = 0, tables = 0;
	if (pragma(repo, "PRAGMA application_id", &magic, err) || pragma(repo, "PRAGMA user_version", &version, err) ||
	    pragma(repo, "SELECT count(*) FROM sqlite_master", &tables, err))
		return ERR_FAILED;
	if (tables == 0)
		return create(repo, err);
	if (magic != SIS_REPOSITORY_MAGIC)
		return err_fail(err, "'%s' is a database of another program, not a repository of SIS; "
				"name another with --db", repo->path);
	if (version > SIS_REPOSITORY_VERSION)
		return err_fail(err, "repository '%s' has version %" PRId64 ", newer than %d, the newest known here; "
				"use a newer sis-analyze, or another repository with --db", repo->path, version,
				SIS_REPOSITORY_VERSION);
	if (version < 1)
		return err_fail(err, "repository '%s' has version %" PRId64 ", which never was; "
				"restore it from a copy, or name another with --db", repo->path, version);
	return version == SIS_REPOSITORY_VERSION ? 0 : repo_migrate(repo, version, sql_migration, sql_migrations, err);
}

static int open_file(struct repo *repo, const char *file, struct err *err)
{
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	repo->file = mem_string(file);
	if (sqlite3_open_v2(file, &repo->db, flags, NULL) != SQLITE_OK)
		return fail(repo, err);
	sqlite3_busy_timeout(repo->db, 20000);
	/* The cache grows as it is needed; with SQLite's own two megabytes each page is read and written again and again. */
	return execute(repo, "PRAGMA foreign_keys = ON; PRAGMA cache_size = -262144", err) ||
	       bring_up_to_date(repo, err) || derive(repo, err) ? ERR_FAILED : 0;
}

static void close_file(struct repo *repo)
{
	sqlite3_close(repo->db);
	free(repo->file);
	repo->db = NULL;
	repo->file = NULL;
}

/* A replica that is of no use is made again. */
static int open_shared(struct repo *repo, const char *url, enum repo_mode mode, struct err *err)
{
	struct shared *shared;
	struct err useless = { 0 };
	int rc = shared_connect(&shared, url, err);
	rc = rc || mode == REPO_READ ? rc : shared_upgrade(shared, err);
	free(repo->path);
	repo->path = mem_string(shared_name(shared));
	char *file = shared_replica(shared);
	if (rc == 0 && (open_file(repo, file, &useless) || shared_pull(shared, repo, &useless))) {
		close_file(repo);
		unlink(file);
		rc = open_file(repo, file, err) || shared_pull(shared, repo, err) ? ERR_FAILED : 0;
	}
	free(file);
	repo->shared = shared;
	return rc;
}

int repo_open(struct repo **out, const char *path, enum repo_mode mode, struct err *err)
{
	struct repo *repo = mem_alloc(1, sizeof *repo);
	bool absent = mode == REPO_READ && access(path, F_OK) != 0;
	repo->path = mem_string(path);
	if (shared_is_meant(path) ? open_shared(repo, path, mode, err) : open_file(repo, absent ? ":memory:" : path, err)) {
		repo_close(repo);
		return ERR_FAILED;
	}
	*out = repo;
	return 0;
}

const char *repo_file(const struct repo *repo)
{
	return repo->file;
}

void repo_close(struct repo *repo)
{
	if (!repo)
		return;
	repo_rollback(repo);
	close_file(repo);
	shared_close(repo->shared);
	free(repo->path);
	free(repo);
}
