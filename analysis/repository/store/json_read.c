/* SPDX-License-Identifier: BSD-3-Clause */
/* json_read.c - reads an experiment that was exported as JSON. Called by one thread. Rows are
 * checked against the rules of share/sis/experiment.schema.json while they are read. They are
 * written unchanged into an empty repository beside this one. From there, they are merged like
 * those of any other repository (merge.c).
 *
 *     { "sis_experiment": VERSION, "writer": "...", TABLE: [ { COLUMN: VALUE, ... }, ... ], ... }
 *
 * Tables may come in any order, because other tools sort the members of objects. */
#include "repository/store/json_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "repository/store/imported_rows.h"
#include "repository/store/json_token.h"

struct reader {
	struct imported_rows rows;
	struct json_tokens tokens;
	int token;                /* the last token */
	bool has_version;
	bool has_kind[ROW_KINDS];
	int64_t count[ROW_KINDS];
	char **value;             /* of the current row, by column; NULL is null */
	bool *has_value;
};

static int fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct reader *r, const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return err_fail(r->rows.err,
			"%s:%d: no experiment as sis-analyze exports it: %s; export it again",
			r->rows.path, r->tokens.line, text);
}

/* -- tokens ------------------------------------------------------------------------------------ */

static int next(struct reader *r)
{
	return r->token = json_next(&r->tokens);
}

static int unexpected(struct reader *r, const char *wanted)
{
	if (r->token == JSON_WRONG)
		return fail(r, "%s", r->tokens.wrong);
	if (r->token == JSON_END)
		return fail(r, "it ends too early");
	return fail(r, "%s is missing", wanted);
}

/* Reads the next token, which must be this character. */
static int expect(struct reader *r, char character)
{
	char wanted[] = { '\'', character, '\'', '\0' };
	return next(r) == character ? 0 : unexpected(r, wanted);
}

/* Reads the first token of the next item of an object or array. Returns 1, or 0 if there is no more
 * item, or a negative value on failure. */
static int next_item(struct reader *r, char close, bool *first)
{
	char wanted[] = { '\'', ',', '\'', ' ', 'o', 'r', ' ', '\'', close, '\'', '\0' };
	bool was_first = *first;
	*first = false;
	if (next(r) == close)
		return 0;
	if (was_first)
		return 1;
	if (r->token != ',')
		return unexpected(r, wanted);
	next(r);
	return 1;
}

/* Checks that the last token is a key. Its text stays until the value is read. */
static int check_key(struct reader *r)
{
	return r->token == JSON_STRING ? 0 : unexpected(r, "a name");
}

/* -- rows -------------------------------------------------------------------------------------- */

static bool is_integer(const char *text, int64_t least, int64_t most)
{
	char *end;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	return errno == 0 && !*end && number >= least && number <= most;
}

/* Whether the last token is a value of the column. */
static bool fits(const struct reader *r, const struct row_column *column)
{
	if (r->token == JSON_WORD)
		return strcmp(r->tokens.text, "null") == 0 && column->may_be_null;
	if (column->type == ROW_TEXT)
		return r->token == JSON_STRING;
	return r->token == JSON_NUMBER && (column->type == ROW_REAL ||
		is_integer(r->tokens.text, column->least, column->most));
}

/* Reads a column and its value. */
static int read_value(struct reader *r)
{
	const struct row_kind *kind = r->rows.kind;
	size_t i = 0;
	if (check_key(r))
		return ERR_FAILED;
	while (i < kind->columns && strcmp(kind->column[i].name, r->tokens.text) != 0)
		i++;
	if (i == kind->columns)
		return fail(r, "%s has no '%.80s'", kind->table, r->tokens.text);
	if (r->has_value[i])
		return fail(r, "%s has '%.80s' twice", kind->table, r->tokens.text);
	if (expect(r, ':'))
		return ERR_FAILED;
	if (next(r) == JSON_WRONG || r->token == JSON_END)
		return unexpected(r, "a value");
	if (!fits(r, &kind->column[i]))
		return fail(r, "'%s' of %s cannot have this value", kind->column[i].name,
			    kind->table);
	r->has_value[i] = true;
	r->value[i] = r->token == JSON_WORD ? NULL : mem_string(r->tokens.text);
	return 0;
}

/* Reads the values of a row, after its first brace. */
static int read_values(struct reader *r)
{
	const struct row_kind *kind = r->rows.kind;
	bool first = true;
	int more;
	while ((more = next_item(r, '}', &first)) > 0)
		if (read_value(r))
			return ERR_FAILED;
	for (size_t i = 0; more == 0 && i < kind->columns; i++)
		if (!r->has_value[i])
			return fail(r, "a row of %s has no '%s'", kind->table,
				    kind->column[i].name);
	return more;
}

static int read_row(struct reader *r)
{
	size_t n = r->rows.kind->columns;
	if (r->token != '{')
		return unexpected(r, "'{'");
	r->value = mem_alloc(n, sizeof *r->value);
	r->has_value = mem_alloc(n, sizeof *r->has_value);
	int rc = read_values(r);
	rc = rc ? rc : imported_rows_take(&r->rows, (const char *const *)r->value, r->tokens.line);
	for (size_t i = 0; i < n; i++)
		free(r->value[i]);
	free(r->value), free(r->has_value);
	return rc;
}

/* -- members ----------------------------------------------------------------------------------- */

static int read_table(struct reader *r, size_t kind)
{
	bool first = true;
	int more, rc = expect(r, '[');
	rc = rc ? rc : imported_rows_begin(&r->rows, kind);
	while (rc == 0 && (more = next_item(r, ']', &first)) != 0) {
		rc = more < 0 ? more : read_row(r);
		r->count[kind]++;
	}
	return rc;
}

static int read_member(struct reader *r)
{
	if (check_key(r))
		return ERR_FAILED;
	bool is_version = strcmp(r->tokens.text, "sis_experiment") == 0,
	     is_writer = strcmp(r->tokens.text, "writer") == 0;
	size_t kind = row_kind_named(r->tokens.text);
	if (!is_version && !is_writer && kind == ROW_KINDS)
		return fail(r, "unknown '%.80s'", r->tokens.text);
	if (kind < ROW_KINDS && r->has_kind[kind])
		return fail(r, "'%s' is there twice", row_kind[kind].table);
	if (expect(r, ':'))
		return ERR_FAILED;
	r->has_version |= is_version;
	if (is_version)
		return next(r) == JSON_NUMBER ? imported_rows_version(&r->rows, r->tokens.text) :
						unexpected(r, "the version");
	if (is_writer)
		return next(r) == JSON_STRING ? 0 : unexpected(r, "a text");
	r->has_kind[kind] = true;
	return read_table(r, kind);
}

static int read_all(struct reader *r)
{
	bool first = true;
	int more, rc = expect(r, '{');
	while (rc == 0 && (more = next_item(r, '}', &first)) != 0)
		rc = more < 0 ? more : read_member(r);
	if (rc == 0 && next(r) != JSON_END)
		rc = fail(r, "text after its end");
	if (rc == 0 && !r->has_version)
		rc = fail(r, "no 'sis_experiment'");
	for (size_t kind = 0; rc == 0 && kind < ROW_KINDS; kind++)
		if (!r->has_kind[kind] || r->count[kind] < row_kind[kind].fewest ||
		    r->count[kind] > row_kind[kind].most)
			rc = fail(r, "no '%s', or not the right number of rows in it",
				  row_kind[kind].table);
	return rc;
}

/* -- the file ---------------------------------------------------------------------------------- */

bool json_begins(const char *path)
{
	char begin[256];
	struct err unread = { 0 };
	int fd = file_open(path, NULL, &unread);
	ssize_t n = fd >= 0 ? read(fd, begin, sizeof begin - 1) : 0;
	if (fd >= 0)
		close(fd);
	begin[n > 0 ? n : 0] = '\0';
	const char *text = begin + strspn(begin, " \t\r\n");
	return *text == '{' || *text == '[';
}

int json_read(struct repo *repo, const char *path, struct err *err)
{
	struct reader r = { .rows = { .repo = repo, .path = path, .err = err } };
	int fd = file_open(path, NULL, err);
	int rc = fd < 0 ? ERR_FAILED : repo_run(repo, err, "BEGIN", "");
	rc = rc ? rc : repo_run(repo, err, "PRAGMA defer_foreign_keys = ON", "");
	json_tokens_init(&r.tokens, fd);
	rc = rc ? rc : read_all(&r);
	imported_rows_end(&r.rows);
	rc = rc ? rc : imported_rows_check(&r.rows);
	/* references are checked at the end, because tables may come in any order */
	struct err reason = { 0 };
	if (rc == 0 && repo_run(repo, &reason, "COMMIT", ""))
		rc = imported_rows_changed(&r.rows, "a row refers to one that is not there");
	if (rc)
		repo_rollback(repo);
	json_tokens_release(&r.tokens);
	if (fd >= 0)
		close(fd);
	return rc;
}
