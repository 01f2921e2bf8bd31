/* SPDX-License-Identifier: BSD-3-Clause */
/* server_replica.c - keeps a replica and its server equal. Called by one thread.
 *
 * The server keeps the tables. Each user has a replica of them: an SQLite file, which is used by
 * the same statements as any repository. Row numbers are the same on both sides.
 *
 * A writer takes the server's lock, and makes its replica equal to the server before its first
 * change. So the changes of the replica's transaction are exactly what must be sent to the server.
 * Added rows make a new revision: other replicas then fetch the rows that they lack. A removal
 * makes a new lineage: replicas of another lineage are filled again from the start. */
#include "repository/database/server_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "repository_version.h"
#include "repository/database/sql_text.h"

/* -- tables of the server ---------------------------------------------------------------------- */

/* Runs SQL of SQLite on the server, after replacing its words by those of PostgreSQL. */
static int run_translated(struct shared *shared, const char *sql, struct err *err)
{
	static const struct { const char *from, *to; } words[] = {
		{ "INTEGER", "BIGINT" }, { "REAL", "DOUBLE PRECISION" }, { "WITHOUT ROWID", "" } };
	struct buf out = { 0 };
	while (*sql) {
		size_t w = 0, known = sizeof words / sizeof *words;
		while (w < known && strncmp(sql, words[w].from, strlen(words[w].from)) != 0)
			w++;
		if (w < known)
			buf_print(&out, "%s", words[w].to);
		else
			buf_print(&out, "%c", *sql);
		sql += w < known ? strlen(words[w].from) : 1;
	}
	char *translated = buf_take(&out);
	int rc = shared_run(shared, err, translated);
	free(translated);
	return rc;
}

/* The state of a repository. `version` is 0 if there is no repository yet. */
struct state { int64_t version, revision; char lineage[64]; };

static int read_state(struct shared *shared, struct state *state, struct err *err)
{
	*state = (struct state){ 0 };
	PGresult *there = shared_ask(shared, err,
				     "SELECT to_regclass('sis.repository') IS NOT NULL");
	bool empty = there && *PQgetvalue(there, 0, 0) != 't';
	PQclear(there);
	if (!there || empty)
		return there ? 0 : ERR_FAILED;
	PGresult *row = shared_ask(shared, err,
				   "SELECT version, revision, lineage FROM sis.repository");
	if (row && PQntuples(row) == 1) {
		state->version = strtoll(PQgetvalue(row, 0, 0), NULL, 10);
		state->revision = strtoll(PQgetvalue(row, 0, 1), NULL, 10);
		snprintf(state->lineage, sizeof state->lineage, "%s", PQgetvalue(row, 0, 2));
	}
	int rc = !row ?
		ERR_FAILED :
		PQntuples(row) == 1 ?
		0 :
		err_fail(err, "repository '%s': schema sis is not one of SIS; name another "
			 "database", shared->name);
	PQclear(row);
	return rc;
}

#define NEW_LINEAGE "md5(random()::text || clock_timestamp()::text || pg_backend_pid()::text)"

static int create(struct shared *shared, struct err *err)
{
	char *mark = mem_print(
		"CREATE TABLE repository "
		"(version BIGINT NOT NULL, revision BIGINT NOT NULL, lineage TEXT NOT NULL);"
		"INSERT INTO repository VALUES (%d, 0, " NEW_LINEAGE ")",
		SIS_REPOSITORY_VERSION);
	int rc = shared_run(shared, err, "CREATE SCHEMA IF NOT EXISTS sis");
	rc = rc ? rc : run_translated(shared, sql_repository, err);
	rc = rc ? rc : shared_run(shared, err, mark);
	rc = rc ? rc : run_translated(shared, sql_views, err);
	free(mark);
	return rc;
}

/* A server may have no repository yet: the first change makes it. */
static int check_version(const struct shared *shared, const struct state *state, struct err *err)
{
	return state->version ? repo_check_version(shared->name, state->version, err) : 0;
}

/* -- the replica ------------------------------------------------------------------------------- */

static const struct column state_columns[] = { { "lineage", "", CELL_TEXT },
					       { "revision", "", CELL_INTEGER } };

static int read_replica(struct repo *replica, struct state *state, struct err *err)
{
	struct table t;
	*state = (struct state){ 0 };
	table_init(&t, state_columns, 2);
	int rc = repo_run(
		replica, err,
		"CREATE TABLE IF NOT EXISTS replica "
		"(lineage TEXT NOT NULL, revision INTEGER NOT NULL)",
		"");
	rc = rc ? rc : repo_fill(replica, &t, err, "SELECT lineage, revision FROM replica", "");
	if (rc == 0 && table_rows(&t)) {
		snprintf(state->lineage, sizeof state->lineage, "%s", table_cell(&t, 0, 0)->text);
		state->revision = table_cell(&t, 0, 1)->integer;
	}
	table_release(&t);
	return rc;
}

static int write_replica(struct repo *replica, const struct state *state, struct err *err)
{
	return repo_run(replica, err, "DELETE FROM replica", "") ?
		ERR_FAILED :
		repo_run(replica, err, "INSERT INTO replica VALUES (?, ?)", "ti", state->lineage,
			 state->revision);
}

/* -- experiments that differ ------------------------------------------------------------------- */

struct run { int64_t id, imported; };
typedef VEC(struct run) runs;

static const char runs_sql[] = "SELECT id, imported_ns FROM experiment ORDER BY id";

static int take_run(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	runs *all = arg;
	*vec_push(all) = (struct run){ row[0].integer, row[1].integer };
	return 0;
}

static int server_runs(struct shared *shared, runs *all, struct err *err)
{
	PGresult *rows = shared_ask(shared, err, runs_sql);
	for (int i = 0; rows && i < PQntuples(rows); i++)
		*vec_push(all) = (struct run){ strtoll(PQgetvalue(rows, i, 0), NULL, 10),
			strtoll(PQgetvalue(rows, i, 1), NULL, 10) };
	PQclear(rows);
	return rows ? 0 : ERR_FAILED;
}

/* The numbers of the runs of `of` that `than` does not have, or has from another import. Both are
 * ordered by number. */
static char *list_missing(const runs *of, const runs *than)
{
	struct buf list = { 0 };
	size_t k = 0;
	for (size_t i = 0; i < of->n; i++) {
		while (k < than->n && than->at[k].id < of->at[i].id)
			k++;
		if (k == than->n || than->at[k].id != of->at[i].id ||
		    than->at[k].imported != of->at[i].imported)
			buf_print(&list, "%s%" PRId64, list.length ? "," : "", of->at[i].id);
	}
	return buf_take(&list);
}

/* -- pull -------------------------------------------------------------------------------------- */

static int catch_up(struct shared *shared, struct repo *replica, const struct state *from,
		    const struct state *to, struct err *err)
{
	shared_tables tables = { 0 };
	runs here = { 0 }, there = { 0 };
	int rc = shared_tables_load(&tables, replica, err);
	rc = rc ? rc : repo_run(replica, err, "PRAGMA defer_foreign_keys = ON", "");
	bool anew = strcmp(from->lineage, to->lineage) != 0;
	for (size_t i = anew ? tables.n : 0; rc == 0 && i-- > 0;) {
		char *sql = mem_print("DELETE FROM %s", tables.at[i].name);
		rc = tables.at[i].of_program ? 0 : repo_run(replica, err, sql, "");
		free(sql);
	}
	if (rc == 0 && to->version) {
		rc = repo_each(replica, take_run, &here, err, runs_sql, "");
		rc = rc ? rc : server_runs(shared, &there, err);
		char *missing = list_missing(&there, &here);
		rc = rc ? rc : shared_download(shared, replica, &tables, missing, err);
		free(missing);
	}
	rc = rc ? rc : write_replica(replica, to, err);
	vec_free(&here), vec_free(&there);
	shared_tables_release(&tables);
	return rc;
}

static int pull(struct shared *shared, struct repo *replica, const struct state *to,
		struct err *err)
{
	struct state from;
	if (read_replica(replica, &from, err))
		return ERR_FAILED;
	if (strcmp(from.lineage, to->lineage) == 0 && from.revision == to->revision)
		return 0;
	if (repo_run(replica, err, "BEGIN IMMEDIATE", ""))
		return ERR_FAILED;
	/* another process of this user may have pulled meanwhile */
	int rc = read_replica(replica, &from, err);
	rc = rc ? rc : catch_up(shared, replica, &from, to, err);
	if (rc == 0)
		return repo_run(replica, err, "COMMIT", "");
	struct err ignored = { 0 };
	repo_run(replica, &ignored, "ROLLBACK", "");
	return rc;
}

int shared_pull(struct shared *shared, struct repo *replica, struct err *err)
{
	struct state to;
	int rc = shared_run(shared, err, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
	rc = rc ? rc : read_state(shared, &to, err);
	rc = rc ? rc : check_version(shared, &to, err);
	rc = rc ? rc : pull(shared, replica, &to, err);
	PQclear(PQexec(shared->connection, rc ? "ROLLBACK" : "COMMIT"));
	return rc;
}

/* -- write ------------------------------------------------------------------------------------- */

static void rollback(void *server)
{
	struct shared *shared = server;
	if (shared->writing)
		PQclear(PQexec(shared->connection, "ROLLBACK"));
	shared->writing = false;
}

static int begin(void *server, struct repo *replica, struct err *err)
{
	struct shared *shared = server;
	struct state to;
	/* with this lock, no other process writes to the server until the end of the transaction */
	char *lock = mem_print("BEGIN; SELECT pg_advisory_xact_lock(%d)", SIS_REPOSITORY_MAGIC);
	int rc = shared_run(shared, err, lock);
	free(lock);
	shared->writing = true;
	rc = rc ? rc : read_state(shared, &to, err);
	if (rc == 0 && !to.version) {
		rc = create(shared, err);
		rc = rc ? rc : read_state(shared, &to, err);
	}
	rc = rc ? rc : check_version(shared, &to, err);
	rc = rc ? rc : pull(shared, replica, &to, err);
	if (rc)
		rollback(shared);
	return rc;
}

static int add_id(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	struct buf *list = arg;
	buf_print(list, "%s%" PRId64, list->length ? "," : "", row[0].integer);
	return 0;
}

/* Removes from the server the rows that the replica has removed. `experiments` are the removed
 * experiments. Returns a positive value if rows were removed. */
static int remove_gone(struct shared *shared, struct repo *replica, const shared_tables *tables,
		       const char *experiments, struct err *err)
{
	int gone = *experiments != 0, rc = 0;
	if (gone) { /* edges are cut first, so that one statement can remove a call graph */
		char *sql = mem_print(
			"UPDATE drg_node SET parent = NULL, source_node = id "
			"WHERE experiment IN (%s);"
			"DELETE FROM experiment WHERE id IN (%s)",
			experiments, experiments);
		rc = shared_run(shared, err, sql);
		free(sql);
	}
	for (size_t i = tables->n; rc == 0 && i-- > 0;) {
		const struct shared_table *t = &tables->at[i];
		if (t->share != SHARE_WHOLE || !t->has_id || strcmp(t->name, "experiment") == 0)
			continue;
		struct buf ids = { 0 };
		char *select = mem_print("SELECT id FROM %s", t->name);
		rc = repo_each(replica, add_id, &ids, err, select, "");
		char *list = buf_take(&ids),
		     *sql = mem_print("DELETE FROM %s WHERE NOT id = ANY ('{%s}')", t->name, list);
		PGresult *result = rc ? NULL : shared_ask(shared, err, sql);
		rc = result ? 0 : ERR_FAILED;
		gone |= result && strcmp(PQcmdTuples(result), "0") != 0;
		PQclear(result);
		free(sql), free(list), free(select);
	}
	return rc ? rc : gone;
}

static int send_changes(struct shared *shared, struct repo *replica, struct err *err)
{
	shared_tables tables = { 0 };
	runs here = { 0 }, there = { 0 };
	int rc = shared_tables_load(&tables, replica, err);
	rc = rc ? rc : repo_each(replica, take_run, &here, err, runs_sql, "");
	rc = rc ? rc : server_runs(shared, &there, err);
	char *fresh = list_missing(&here, &there), *gone = list_missing(&there, &here);
	int less = rc ? rc : remove_gone(shared, replica, &tables, gone, err);
	rc = less < 0 ? less : shared_upload(shared, replica, &tables, fresh, err);
	const char *next = less ?
		"UPDATE repository SET revision = revision + 1, lineage = " NEW_LINEAGE :
		"UPDATE repository SET revision = revision + 1";
	rc = rc ? rc : shared_run(shared, err, next);
	free(fresh), free(gone);
	vec_free(&here), vec_free(&there);
	shared_tables_release(&tables);
	return rc;
}

static int commit(void *server, struct repo *replica, struct err *err)
{
	struct shared *shared = server;
	struct state now;
	int rc = send_changes(shared, replica, err);
	rc = rc ? rc : read_state(shared, &now, err);
	rc = rc ? rc : write_replica(replica, &now, err);
	if (rc) {
		rollback(shared);
		return rc;
	}
	shared->writing = false;
	return shared_run(shared, err, "COMMIT");
}

/* -- functions for the database ---------------------------------------------------------------- */

static void close_server(void *server)
{
	shared_close(server);
}

const struct repo_remote shared_remote = {
	.begin = begin,
	.commit = commit,
	.rollback = rollback,
	.close = close_server,
};
