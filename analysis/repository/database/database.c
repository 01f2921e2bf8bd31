/* SPDX-License-Identifier: BSD-3-Clause */
/* database.c - statements, rows and transactions of a database. The only file that uses SQLite. One
 * thread for each repository. */
#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/links.h"
#include "repository/database/repository_internal.h"

struct repo {
	sqlite3 *db;
	char *path; /* name of the repository in messages */
	char *file; /* file of the database */
	const struct repo_remote *remote; /* NULL if the database is not a replica */
	void *server;                     /* argument of the functions of `remote` */
};
struct query {
	struct repo *repo;
	sqlite3_stmt *stmt;
};

static const char *what_to_do(int code)
{
	switch (code) {
	case SQLITE_NOTADB:
		return "name a repository that sis-analyze has made";
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return "another program has locked it: try again when that has ended";
	case SQLITE_FULL:
		return "make room on the disk";
	case SQLITE_CANTOPEN:
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return "check that it and its directory can be written, or name another with --db";
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* SIS's statements are right, so the database must be wrong */
	case SQLITE_CONSTRAINT:
		return "it was damaged, or changed by another program: restore it from a copy, or "
		       "import the experiments into a new one with --db";
	}
	return "see the message";
}

/* Whether the disk has no room for another file beside this one. */
static bool has_no_room(const char *file)
{
	struct statvfs disk;
	const char *slash = strrchr(file, '/');
	char *directory = slash ? mem_print("%.*s/", (int)(slash - file), file) : mem_string(".");
	bool known = statvfs(directory, &disk) == 0;
	free(directory);
	return known && ((disk.f_blocks && !disk.f_bavail) || (disk.f_files && !disk.f_favail));
}

static int fail(struct repo *repo, struct err *err)
{
	/* SQLite notices a full disk only if it writes into an open file. If it cannot make a file,
	 * it does not say why. */
	int code = sqlite3_errcode(repo->db), error = sqlite3_system_errno(repo->db);
	bool is_full = code == SQLITE_IOERR ? error == ENOSPC || error == EDQUOT :
		       code == SQLITE_CANTOPEN && has_no_room(repo->file);
	code = is_full ? SQLITE_FULL : code;
	/* the message may quote a damaged schema, which has several lines */
	const char *text = code == SQLITE_FULL ? sqlite3_errstr(code) : sqlite3_errmsg(repo->db);
	return err_fail(err, "repository '%s': %.*s; %s", repo->path, (int)strcspn(text, "\n"),
			text, what_to_do(code));
}

/* -- statements -------------------------------------------------------------------------------- */

int repo_execute(struct repo *repo, const char *sql, struct err *err)
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
			sqlite3_bind_text(stmt, i, va_arg(args, const char *), -1,
					  SQLITE_TRANSIENT);
}

/* Prepares a statement, and binds it to the variable arguments of the calling function, which begin
 * after its parameter `format`. NULL on failure. */
#define PREPARE_BOUND(repo, err, sql, format) \
	({ \
		va_list args; \
		va_start(args, format); \
		sqlite3_stmt *bound = prepare(repo, sql, err); \
		if (bound) \
			bind(bound, format, args); \
		va_end(args); \
		bound; \
	})

int repo_run(struct repo *repo, struct err *err, const char *sql, const char *format, ...)
{
	sqlite3_stmt *stmt = PREPARE_BOUND(repo, err, sql, format);
	if (!stmt)
		return ERR_FAILED;
	int rc = sqlite3_step(stmt) == SQLITE_DONE ? 0 : fail(repo, err);
	sqlite3_finalize(stmt);
	return rc;
}

int repo_number(struct repo *repo, int64_t *number, struct err *err, const char *sql,
		const char *format, ...)
{
	sqlite3_stmt *stmt = PREPARE_BOUND(repo, err, sql, format);
	if (!stmt)
		return ERR_FAILED;
	int rc = 0, step = sqlite3_step(stmt);
	if (step == SQLITE_ROW)
		rc = sqlite3_column_type(stmt, 0) != SQLITE_NULL;
	else if (step != SQLITE_DONE)
		rc = fail(repo, err);
	if (rc == 1)
		*number = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc;
}

int64_t repo_last_id(const struct repo *repo)
{
	return sqlite3_last_insert_rowid(repo->db);
}

/* Makes a cell of a value of the database. In a damaged database, a column may have values of any
 * type. `integer` is then the number to which SQLite converts the value, and `text` is never
 * NULL. */
static struct cell read_cell(sqlite3_stmt *stmt, int column)
{
	int type = sqlite3_column_type(stmt, column); /* undefined after a conversion */
	struct cell cell = { CELL_TEXT, .integer = sqlite3_column_int64(stmt, column), .text = "" };
	switch (type) {
	case SQLITE_NULL:
		cell.kind = CELL_NULL;
		break;
	case SQLITE_INTEGER:
		cell.kind = CELL_INTEGER;
		cell.real = (double)cell.integer;
		break;
	case SQLITE_FLOAT:
		cell.kind = CELL_REAL;
		cell.real = sqlite3_column_double(stmt, column);
		break;
	default:
		cell.text = (const char *)sqlite3_column_text(stmt, column);
		cell.text = cell.text ? cell.text : ""; /* NULL for an empty blob */
	}
	return cell;
}

static int add_rows(struct repo *repo, struct table *table, sqlite3_stmt *stmt, struct err *err)
{
	int step;
	while ((step = sqlite3_step(stmt)) == SQLITE_ROW)
		for (size_t c = 0; c < table->columns; c++) {
			struct cell cell = read_cell(stmt, (int)c);
			table_copy(table, &cell);
		}
	return step == SQLITE_DONE ? 0 : fail(repo, err);
}

int repo_fill(struct repo *repo, struct table *table, struct err *err, const char *sql,
	      const char *format, ...)
{
	sqlite3_stmt *stmt = PREPARE_BOUND(repo, err, sql, format);
	if (!stmt)
		return ERR_FAILED;
	int rc = add_rows(repo, table, stmt, err);
	sqlite3_finalize(stmt);
	return rc;
}

int repo_each(struct repo *repo, repo_take *take, void *arg, struct err *err, const char *sql,
	      const char *format, ...)
{
	sqlite3_stmt *stmt = PREPARE_BOUND(repo, err, sql, format);
	if (!stmt)
		return ERR_FAILED;
	int rc = 0, step = SQLITE_DONE, columns = sqlite3_column_count(stmt);
	struct cell *row = mem_alloc(columns, sizeof *row);
	while (rc == 0 && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int c = 0; c < columns; c++)
			row[c] = read_cell(stmt, c);
		rc = take(arg, row, err);
	}
	rc = rc || step == SQLITE_DONE ? rc : fail(repo, err);
	free(row);
	sqlite3_finalize(stmt);
	return rc;
}

void repo_free_columns(struct column *columns, size_t n)
{
	for (size_t c = 0; c < n; c++)
		free((char *)columns[c].key);
	free(columns);
}

/* Whether a pragma only reads: it has no argument, or its argument is the name of what it queries.
 * If such a pragma writes nevertheless, query_only refuses it. */
static bool pragma_tells(const char *name, const char *argument)
{
	static const char *const ask[] = {
		"table_info", "table_xinfo", "table_list", "index_list", "index_info",
		"index_xinfo", "foreign_key_list", "foreign_key_check", "integrity_check",
		"quick_check",
	};
	bool known = !argument;
	for (size_t i = 0; i < sizeof ask / sizeof *ask; i++)
		known |= strcasecmp(name, ask[i]) == 0;
	return known;
}

/* Decides which actions a user's statement, and the views that it reads, may take. */
static int allow_reading(void *arg, int action, const char *a, const char *b, const char *schema,
			 const char *view)
{
	(void)arg, (void)schema, (void)view;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	/* SQLite does this to declare the tables of functions like pragma_table_info */
	case SQLITE_UPDATE:
		return strcmp(a, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_FUNCTION:
		return strcasecmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return pragma_tells(a, b) ? SQLITE_OK : SQLITE_DENY;
	}
	return SQLITE_DENY;
}

int repo_ask(struct repo *repo, struct table *table, struct column **columns, const char *sql,
	     struct err *err)
{
	sqlite3_stmt *stmt = NULL;
	const char *rest;
	*columns = NULL;
	table_init(table, NULL, 0);
	if (repo_execute(repo, "PRAGMA query_only = ON", err))
		return ERR_FAILED;
	sqlite3_limit(repo->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_set_authorizer(repo->db, allow_reading, NULL);
	int rc = sqlite3_prepare_v2(repo->db, sql, -1, &stmt, &rest);
	if (rc == SQLITE_AUTH)
		return err_fail(err, "query: it does not only read; the repository is read-only: "
				"ask with SELECT");
	if (rc != SQLITE_OK)
		return err_fail(err, "query: %s; `sis-analyze sql .tables` lists what there is",
				sqlite3_errmsg(repo->db));
	if (!stmt || !sqlite3_column_count(stmt) || !sqlite3_stmt_readonly(stmt))
		rc = err_fail(err, "query: it does not read; the repository is read-only here: "
			      "ask with SELECT");
	else if (rest[strspn(rest, " \t\r\n;")])
		rc = err_fail(err, "query: more than one statement; give one at a time");
	if (rc == 0) {
		int n = sqlite3_column_count(stmt);
		struct column *column = *columns = mem_alloc(n, sizeof *column);
		for (int c = 0; c < n; c++)
			column[c].key = column[c].title = mem_string(sqlite3_column_name(stmt, c));
		table_init(table, column, n);
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

/* -- rows -------------------------------------------------------------------------------------- */

/* To run a statement costs several times as much as to add a row, because each statement has to
 * find the ends of the table and of its index. So one statement inserts ROWS_AT_ONCE rows. With
 * even more rows, it would only take more memory. */
enum { ROWS_AT_ONCE = 64 };

struct rows {
	struct repo *repo;
	const struct rows_form *form;
	sqlite3_stmt *one, *many; /* NULL if it is not prepared yet */
	size_t columns, kept;     /* kept: number of rows in `value` */
	/* the format says which of the two members is used */
	struct { int64_t integer; const char *text; } *value;
};

static sqlite3_stmt *prepare_rows(const struct rows *rows, size_t n, struct err *err)
{
	struct buf sql = { 0 };
	buf_print(&sql, "%s VALUES ", rows->form->head);
	for (size_t i = 0; i < n * rows->columns; i++)
		buf_print(&sql, "%s?", i == 0 ? "(" : i % rows->columns ? ", " : "), (");
	buf_print(&sql, ") %s", rows->form->tail);
	sqlite3_stmt *stmt = prepare(rows->repo, sql.at, err);
	free(buf_take(&sql));
	return stmt;
}

int rows_open(struct repo *repo, struct rows **out, const struct rows_form *form, struct err *err)
{
	struct rows *rows = mem_alloc(1, sizeof *rows);
	*rows = (struct rows){ .repo = repo, .form = form, .columns = strlen(form->format) };
	rows->value = mem_alloc(ROWS_AT_ONCE * rows->columns, sizeof *rows->value);
	*out = rows;
	rows->one = prepare_rows(rows, 1, err);
	return rows->one ? 0 : ERR_FAILED;
}

/* Inserts the rows from first to first + n - 1 of `value`. */
static int run_rows(struct rows *rows, sqlite3_stmt *stmt, size_t first, size_t n, struct err *err)
{
	for (size_t i = 0; i < n * rows->columns; i++) {
		char as = rows->form->format[i % rows->columns];
		int64_t integer = rows->value[first * rows->columns + i].integer;
		if (as == 't')
			sqlite3_bind_text(stmt, (int)i + 1,
					  rows->value[first * rows->columns + i].text, -1,
					  SQLITE_STATIC);
		else if (as == 'n' && integer == REPO_NULL)
			sqlite3_bind_null(stmt, (int)i + 1);
		else
			sqlite3_bind_int64(stmt, (int)i + 1, integer);
	}
	int rc = sqlite3_step(stmt) == SQLITE_DONE ? 0 : fail(rows->repo, err);
	sqlite3_reset(stmt);
	return rc;
}

int rows_end(struct rows *rows, struct err *err)
{
	int rc = 0;
	if (rows->kept == ROWS_AT_ONCE) {
		if (!rows->many && !(rows->many = prepare_rows(rows, ROWS_AT_ONCE, err)))
			return ERR_FAILED;
		rc = run_rows(rows, rows->many, 0, ROWS_AT_ONCE, err);
	} else {
		for (size_t i = 0; rc == 0 && i < rows->kept; i++)
			rc = run_rows(rows, rows->one, i, 1, err);
	}
	rows->kept = 0;
	return rc;
}

int rows_add(struct rows *rows, struct err *err, ...)
{
	va_list args;
	va_start(args, err);
	for (size_t c = 0; c < rows->columns; c++)
		if (rows->form->format[c] == 't')
			rows->value[rows->kept * rows->columns + c].text = va_arg(args,
										  const char *);
		else
			rows->value[rows->kept * rows->columns + c].integer = va_arg(args, int64_t);
	va_end(args);
	return ++rows->kept < ROWS_AT_ONCE ? 0 : rows_end(rows, err);
}

void rows_close(struct rows *rows)
{
	if (!rows)
		return;
	sqlite3_finalize(rows->one);
	sqlite3_finalize(rows->many);
	free(rows->value);
	free(rows);
}

/* -- transactions ------------------------------------------------------------------------------ */

int repo_check_references(struct repo *repo, bool on, struct err *err)
{
	return repo_execute(repo, on ? "PRAGMA foreign_keys = ON" : "PRAGMA foreign_keys = OFF",
			    err);
}

int repo_begin(struct repo *repo, struct err *err)
{
	if (repo->remote && repo->remote->begin(repo->server, repo, err))
		return ERR_FAILED;
	int rc = repo_execute(repo, "BEGIN IMMEDIATE", err);
	if (rc && repo->remote)
		repo->remote->rollback(repo->server);
	return rc;
}

/* The server commits before the replica. If the replica's commit fails after that, the next pull
 * fetches the rows that were sent. */
int repo_commit(struct repo *repo, struct err *err)
{
	if (repo->remote && repo->remote->commit(repo->server, repo, err))
		return ERR_FAILED;
	return repo_execute(repo, "COMMIT", err);
}

void repo_rollback(struct repo *repo)
{
	if (repo->remote)
		repo->remote->rollback(repo->server);
	if (repo->db && !sqlite3_get_autocommit(repo->db))
		sqlite3_exec(repo->db, "ROLLBACK", NULL, NULL, NULL);
}

/* -- opening ----------------------------------------------------------------------------------- */

int database_check_files(const char *file, struct err *err)
{
	static const char *const suffix[] = { "", "-journal", "-wal", "-shm" };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof suffix / sizeof *suffix; i++) {
		char *path = mem_print("%s%s", file, suffix[i]);
		rc = file_check(path, err);
		free(path);
	}
	return rc;
}

struct repo *database_new(const char *name)
{
	struct repo *repo = mem_alloc(1, sizeof *repo);
	repo->path = mem_string(name);
	return repo;
}

void database_rename(struct repo *repo, const char *name)
{
	free(repo->path);
	repo->path = mem_string(name);
}

int database_open(struct repo *repo, const char *file, struct err *err)
{
	/* links_follow resolves symbolic links below, so SQLite must not meet any */
	const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
			  SQLITE_OPEN_NOFOLLOW;
	/* Otherwise SQLite takes a lock at each allocation, to count bytes. This has effect only
	 * before the first database is opened. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	bool is_kept = *file && strcmp(file, REPO_IN_MEMORY) != 0;
	repo->file = is_kept ? links_follow(file, err) : mem_string(file);
	if (!repo->file || database_check_files(repo->file, err))
		return ERR_FAILED;
	/* A database may come from anybody. Its triggers are not run, because SIS has none. Its
	 * views and constraints cannot call functions with effects outside of the database, and no
	 * statement can write to sqlite_master. Views stay enabled, because repo_prepare checks
	 * that they are those of SIS. */
	if (sqlite3_open_v2(repo->file, &repo->db, flags, NULL) != SQLITE_OK ||
	    sqlite3_db_config(repo->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) ||
	    sqlite3_db_config(repo->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) ||
	    sqlite3_db_config(repo->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL))
		return fail(repo, err);
	sqlite3_busy_timeout(repo->db, 20000);
	/* The cache grows as needed up to this size. With SQLite's default of two megabytes, each
	 * page would be read and written again and again. */
	return repo_execute(repo, "PRAGMA cache_size = -262144", err) ||
			repo_check_references(repo, true, err) ?
		ERR_FAILED :
		0;
}

void database_close(struct repo *repo)
{
	sqlite3_close(repo->db);
	free(repo->file);
	repo->db = NULL;
	repo->file = NULL;
}

void database_set_remote(struct repo *repo, const struct repo_remote *remote, void *server)
{
	repo->remote = remote;
	repo->server = server;
}

const char *repo_path(const struct repo *repo)
{
	return repo->path;
}

const char *repo_file(const struct repo *repo)
{
	return repo->file;
}

bool repo_is_in_memory(const struct repo *repo)
{
	return strcmp(repo->file, REPO_IN_MEMORY) == 0;
}

void repo_close(struct repo *repo)
{
	if (!repo)
		return;
	repo_rollback(repo);
	database_close(repo);
	if (repo->remote)
		repo->remote->close(repo->server);
	free(repo->path);
	free(repo);
}
