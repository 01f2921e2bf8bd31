/* SPDX-License-Identifier: BSD-3-Clause */
/* server_rows.c - copies rows between a server and a replica, in both directions, by COPY. Owns
 * nothing. Called by one thread. Which rows of a table are copied follows from its columns, so a
 * new table needs no code here. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "escape_char.h"
#include "repository/database/server_internal.h"

/* -- tables ------------------------------------------------------------------------------------ */

static const struct column column_columns[] = {
	{ "table", "", CELL_TEXT }, { "column", "", CELL_TEXT }, { "pk", "", CELL_INTEGER },
};

static void append(char **list, const char *format, const char *word)
{
	char *item = mem_print(format, word, word),
	     *longer = mem_print("%s%s%s", *list, **list ? ", " : "", item);
	free(item);
	free(*list);
	*list = longer;
}

static void add_column(struct shared_table *t, const char *column, bool of_key)
{
	append(&t->columns, "%s", column);
	append(of_key ? &t->key : &t->updates, of_key ? "%s" : "%s = excluded.%s", column);
	t->n++;
	t->has_id |= strcmp(column, "id") == 0;
	if (strcmp(column, "region_summary") == 0)
		t->share = SHARE_SUMMARY;
	else if (strcmp(column, "drg_node") == 0)
		t->share = SHARE_NODE;
	else if (strcmp(column, "experiment") == 0)
		t->share = SHARE_EXPERIMENT;
}

/* For each column: its table, its name, and its number in the primary key. */
static const char all_columns[] =
	"SELECT m.name, c.name, c.pk "
	"FROM sqlite_master m "
	"JOIN pragma_table_info(m.name) c "
	"WHERE m.type = 'table' AND m.name NOT IN ('derived', 'replica') "
	"AND m.name NOT LIKE 'sqlite%' "
	"ORDER BY m.rowid, c.cid";

int shared_tables_load(shared_tables *tables, struct repo *replica, struct err *err)
{
	struct table t;
	table_init(&t, column_columns, 3);
	int rc = repo_fill(replica, &t, err, all_columns, "");
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const struct cell *row = table_cell(&t, i, 0);
		if (!tables->n || strcmp(tables->at[tables->n - 1].name, row[0].text) != 0)
			*vec_push(tables) = (struct shared_table){
				.name = mem_string(row[0].text), .columns = mem_string(""),
				.key = mem_string(""), .updates = mem_string(""),
			};
		add_column(&tables->at[tables->n - 1], row[1].text, row[2].integer > 0);
	}
	for (size_t i = 0; i < tables->n; i++) {
		struct shared_table *s = &tables->at[i];
		s->of_program = strcmp(s->name, "overhead_kind") == 0 ||
			strcmp(s->name, "metric_kind") == 0;
		if (strcmp(s->name, "experiment_fact") == 0) /* facts may be set later */
			s->share = SHARE_WHOLE;
		else if (strcmp(s->name, "code_region") == 0) /* many rows, which do not change */
			s->share = SHARE_PAST;
	}
	table_release(&t);
	return rc;
}

void shared_tables_release(shared_tables *tables)
{
	for (size_t i = 0; i < tables->n; i++) {
		free(tables->at[i].name), free(tables->at[i].columns);
		free(tables->at[i].key), free(tables->at[i].updates);
	}
	vec_free(tables);
}

/* The condition for the rows to copy, in SQL that both sides understand; NULL if there are none.
 * `past` is the last number on the receiving side. */
static char *make_condition(const struct shared_table *t, const char *experiments, int64_t past)
{
	static const char nodes[] = "SELECT id FROM drg_node WHERE experiment IN";
	if (t->share > SHARE_PAST && !*experiments)
		return NULL;
	switch (t->share) {
	case SHARE_WHOLE: return mem_string("true");
	case SHARE_PAST: return mem_print("id > %" PRId64, past);
	case SHARE_EXPERIMENT: return mem_print("experiment IN (%s)", experiments);
	case SHARE_NODE: return mem_print("drg_node IN (%s (%s))", nodes, experiments);
	case SHARE_SUMMARY: break;
	}
	return mem_print(
		"region_summary IN (SELECT id FROM region_summary WHERE drg_node IN (%s (%s)))",
		nodes, experiments);
}

/* The clause that says what happens to a row whose key the receiver already has. */
static char *on_conflict(const struct shared_table *t)
{
	if (t->share != SHARE_WHOLE || !*t->key)
		return mem_string("");
	return t->of_program || !*t->updates ? mem_print(" ON CONFLICT (%s) DO NOTHING", t->key) :
		mem_print(" ON CONFLICT (%s) DO UPDATE SET %s", t->key, t->updates);
}

/* -- to the replica ---------------------------------------------------------------------------- */

/* Unescapes a field of COPY's text format in place. The result is NULL if the field is null. */
static char *unescape(char *field)
{
	static const char from[] = "bfnrtv", to[] = "\b\f\n\r\t\v";
	if (strcmp(field, "\\N") == 0)
		return NULL;
	char *out = field;
	for (char *in = field; *in; in++) {
		const char *known = *in == '\\' && in[1] ? strchr(from, in[1]) : NULL;
		in += *in == '\\' && in[1];
		*out++ = known ? to[known - from] : *in;
	}
	*out = 0;
	return field;
}

static int take_line(struct query *query, char *line, size_t n, struct err *err)
{
	const char **field = mem_alloc(n, sizeof *field);
	size_t i = 0;
	for (char *word; i < n && (word = strsep(&line, "\t\n")); i++)
		field[i] = unescape(word);
	int rc = i == n ?
		query_run_texts(query, field, n, err) :
		err_fail(err, "a row of the server has %zu columns, not %zu; use the sis-analyze "
			 "that wrote it", i, n);
	free(field);
	return rc;
}

static int take_lines(struct shared *shared, struct query *query, size_t n, struct err *err)
{
	char *line;
	int length, rc = 0;
	/* all results are read even after an error, because the connection is busy until then */
	while ((length = PQgetCopyData(shared->connection, &line, 0)) > 0) {
		rc = rc ? rc : take_line(query, line, n, err);
		PQfreemem(line);
	}
	PGresult *end;
	while ((end = PQgetResult(shared->connection))) {
		if (rc == 0 && PQresultStatus(end) != PGRES_COMMAND_OK)
			rc = shared_fail(shared, err);
		PQclear(end);
	}
	return rc ? rc : length == -1 ? 0 : shared_fail(shared, err);
}

static int download(struct shared *shared, struct repo *replica, const struct shared_table *t,
		    const char *condition, struct err *err)
{
	struct query *query = NULL;
	char *conflict = on_conflict(t), *marks = mem_string("");
	for (size_t i = 0; i < t->n; i++)
		append(&marks, "?", "");
	char *insert = mem_print("INSERT INTO %s (%s) VALUES (%s)%s", t->name, t->columns, marks,
				 conflict);
	char *select = mem_print("COPY (SELECT %s FROM %s WHERE %s%s) TO STDOUT", t->columns,
				 t->name, condition, t->has_id ? " ORDER BY id" : "");
	int rc = query_open(replica, &query, insert, err);
	if (rc == 0) {
		PGresult *copy = PQexec(shared->connection, select);
		rc = PQresultStatus(copy) == PGRES_COPY_OUT ? take_lines(shared, query, t->n, err) :
							      shared_fail(shared, err);
		PQclear(copy);
	}
	query_close(query);
	free(select), free(insert), free(marks), free(conflict);
	return rc;
}

int shared_download(struct shared *shared, struct repo *replica, const shared_tables *tables,
		    const char *experiments, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < tables->n; i++) {
		const struct shared_table *t = &tables->at[i];
		int64_t past = 0;
		char *last = mem_print("SELECT coalesce(max(id), 0) FROM %s", t->name);
		if (t->share == SHARE_PAST && repo_number(replica, &past, err, last, "") < 0)
			rc = ERR_FAILED;
		char *condition = make_condition(t, experiments, past);
		if (rc == 0 && condition)
			rc = download(shared, replica, t, condition, err);
		free(condition);
		free(last);
	}
	return rc;
}

/* -- to the server ----------------------------------------------------------------------------- */

struct upload {
	struct shared *shared;
	size_t n;
	VEC(char) out;
};

static void put(struct upload *u, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*vec_push(&u->out) = bytes[i];
}

/* Sends a text. The server accepts only UTF-8, but file names and arguments may have any bytes. */
static void put_text(struct upload *u, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		static const char from[] = "\b\f\n\r\t\v\\", to[] = "bfnrtv\\";
		const char *known = strchr(from, *p);
		int length = sis_utf8_length(p);
		if (known)
			put(u, (char[]){ '\\', to[known - from] }, 2);
		else
			put(u, length ? (const char *)p : "?", length ? length : 1);
		p += length ? length : 1;
	}
}

static int send_out(struct upload *u, struct err *err)
{
	int rc = PQputCopyData(u->shared->connection, u->out.at, (int)u->out.n) == 1 ?
		0 :
		shared_fail(u->shared, err);
	u->out.n = 0;
	return rc;
}

static int put_row(void *arg, const struct cell *row, struct err *err)
{
	enum { ENOUGH = 1 << 16 };
	struct upload *u = arg;
	for (size_t i = 0; i < u->n; i++) {
		char number[40] = "";
		switch (row[i].kind) {
		case CELL_NULL: put(u, "\\N", 2); break;
		case CELL_TEXT: put_text(u, row[i].text); break;
		case CELL_REAL: snprintf(number, sizeof number, "%.17g", row[i].real); break;
		default: snprintf(number, sizeof number, "%" PRId64, row[i].integer); break;
		}
		put(u, number, strlen(number));
		put(u, i + 1 < u->n ? "\t" : "\n", 1);
	}
	return u->out.n < ENOUGH ? 0 : send_out(u, err);
}

static int copy_in(struct shared *shared, struct repo *replica, const struct shared_table *t,
		   const char *into, const char *condition, struct err *err)
{
	struct upload u = { .shared = shared, .n = t->n };
	char *copy = mem_print("COPY %s (%s) FROM STDIN", into, t->columns);
	char *select = mem_print("SELECT %s FROM %s WHERE %s", t->columns, t->name, condition);
	PGresult *begun = PQexec(shared->connection, copy);
	int rc = PQresultStatus(begun) == PGRES_COPY_IN ? 0 : shared_fail(shared, err);
	PQclear(begun);
	if (rc == 0) {
		rc = repo_each(replica, put_row, &u, err, select, "");
		rc = rc || !u.out.n ? rc : send_out(&u, err);
		PQputCopyEnd(shared->connection, rc ? "the sender failed" : NULL);
		for (PGresult *end; (end = PQgetResult(shared->connection)); PQclear(end))
			if (rc == 0 && PQresultStatus(end) != PGRES_COMMAND_OK)
				rc = shared_fail(shared, err);
	}
	vec_free(&u.out);
	free(select), free(copy);
	return rc;
}

/* Sends a whole table. The server may already have some of its rows. COPY cannot resolve such
 * conflicts, so the rows go through a temporary table. */
static int upload_whole(struct shared *shared, struct repo *replica, const struct shared_table *t,
			struct err *err)
{
	char *conflict = on_conflict(t);
	char *make = mem_print("CREATE TEMP TABLE sent (LIKE %s) ON COMMIT DROP", t->name);
	char *insert = mem_print("INSERT INTO %s (%s) SELECT %s FROM sent%s", t->name, t->columns,
				 t->columns, conflict);
	int rc = shared_run(shared, err, make);
	rc = rc ? rc : copy_in(shared, replica, t, "sent", "true", err);
	rc = rc ? rc : shared_run(shared, err, insert);
	rc = rc ? rc : shared_run(shared, err, "DROP TABLE sent");
	free(insert), free(make), free(conflict);
	return rc;
}

int shared_upload(struct shared *shared, struct repo *replica, const shared_tables *tables,
		  const char *experiments, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < tables->n; i++) {
		const struct shared_table *t = &tables->at[i];
		int64_t past = 0;
		if (t->share == SHARE_PAST) {
			char *sql = mem_print("SELECT coalesce(max(id), 0) FROM %s", t->name);
			PGresult *last = shared_ask(shared, err, sql);
			past = last ? strtoll(PQgetvalue(last, 0, 0), NULL, 10) : 0;
			rc = last ? 0 : ERR_FAILED;
			PQclear(last);
			free(sql);
		}
		char *condition = make_condition(t, experiments, past);
		if (rc == 0 && condition)
			rc = t->share == SHARE_WHOLE ? upload_whole(shared, replica, t, err) :
				copy_in(shared, replica, t, t->name, condition, err);
		free(condition);
	}
	return rc;
}
