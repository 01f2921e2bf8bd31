/* SPDX-License-Identifier: BSD-3-Clause */
/* export_rows.c - all rows of an experiment, as the repository has them: XML
 * (schema/experiment.xsd) and JSON (schema/experiment.schema.json). sis-analyze imports both again.
 * Owns nothing; one thread. */
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "escape_char.h"
#include "export/export.h"
#include "store/exported_rows.h"
#include "repository_version.h"

struct row_writer {
	const struct row_kind *kind;
	struct row_columns columns;
	FILE *out;
	struct json json;
	size_t window; /* bytes written since the last run of blanks; XML only */
};

static int write_kinds(const struct export_job *job, struct row_writer *w, repo_take *take,
		       struct err *err)
{
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < ROW_KINDS; k++) {
		w->kind = &row_kind[k];
		rc = row_columns_load(&w->columns, job->repo, w->kind, err);
		if (rc == 0 && w->json.out)
			json_field_open(&w->json, w->kind->table, '[');
		rc = rc ? rc : row_each(job->repo, w->kind, job->experiment, take, w, err);
		if (rc == 0 && w->json.out)
			json_close(&w->json, ']');
		row_columns_release(&w->columns);
	}
	return rc;
}

/* -- XML --------------------------------------------------------------------------------------- */

/* Whether XML cannot represent the character. */
static bool is_unsayable(uint32_t code)
{
	bool is_space = code == '\t' || code == '\n' || code == '\r';
	return (code < ' ' && !is_space) || code == 0xfffe || code == 0xffff;
}

/* Writes the next character of *text, as XML attributes have it, to `out`, and moves *text behind
 * it. Line ends are written by number, because readers take them for spaces; so are control
 * characters, which a terminal would obey. What XML cannot represent becomes U+FFFD. Returns the
 * number of bytes. */
static int attribute_next(char *out, const unsigned char **text)
{
	const unsigned char *p = *text;
	int n = sis_utf8_length(p);
	uint32_t code = n ? sis_utf8_code(p, n) : 0xffff;
	*text += n ? n : 1;
	if (is_unsayable(code))
		return sprintf(out, "\xef\xbf\xbd");
	if (sis_is_invisible(code) || (code < 0x80 && strchr("<>&\"", (char)code)))
		return sprintf(out, "&#%" PRIu32 ";", code);
	memcpy(out, p, n);
	return n;
}

static void put_attribute(const char *text, FILE *out)
{
	char next[SIS_ESCAPE_ROOM];
	for (const unsigned char *p = (const unsigned char *)text; *p;)
		fwrite(next, 1, attribute_next(next, &p), out);
}

static size_t attribute_length(const char *text)
{
	size_t length = 0;
	char next[SIS_ESCAPE_ROOM];
	for (const unsigned char *p = (const unsigned char *)text; *p;)
		length += attribute_next(next, &p);
	return length;
}

/* The largest number of bytes of an element. */
static size_t row_length(const struct row_writer *w, const struct cell *row)
{
	enum { NUMBER = 32, AROUND = 8 /* a blank, = and quotes; or angle brackets */ };
	size_t bytes = strlen(w->kind->table) + AROUND;
	for (size_t i = 0; i < w->columns.name.n; i++)
		if (row[i].kind != CELL_NULL)
			bytes += strlen(w->columns.name.at[i]) + AROUND +
				(row[i].kind == CELL_TEXT ? attribute_length(row[i].text) : NUMBER);
	return bytes;
}

/* libxml2 refuses an element, unless its user asks for more, if its window of the file becomes
 * longer than 10 million bytes. The window moves only when little of what was read is left, which
 * may not happen for many long elements. It moves in a run of blanks. */
static int make_room(struct row_writer *w, const struct cell *row, struct err *err)
{
	enum { MOST_ROW = 8000000, MOST_WINDOW = 1000000, BLANKS = 16384 };
	size_t bytes = row_length(w, row);
	if (bytes > MOST_ROW)
		return err_fail(err, "a row of table %s has %zu bytes, and readers of XML take %d; "
				"export it as json", w->kind->table, bytes, MOST_ROW);
	if (w->window > 0 && w->window + bytes > MOST_WINDOW) {
		fprintf(w->out, "%*s\n", BLANKS, "");
		w->window = 0;
	}
	w->window += bytes;
	return 0;
}

/* A number that reads back unchanged; infinity as what every reader takes for it. */
static const char *real_text(char *text, double value)
{
	if (value > DBL_MAX || value < -DBL_MAX)
		return value > 0 ? "1e999" : "-1e999";
	snprintf(text, 32, "%.17g", value);
	return text;
}

/* Null values are left out. */
static int xml_row(void *arg, const struct cell *row, struct err *err)
{
	struct row_writer *w = arg;
	char text[32];
	if (make_room(w, row, err))
		return ERR_FAILED;
	fprintf(w->out, "<%s", w->kind->table);
	for (size_t i = 0; i < w->columns.name.n; i++) {
		if (row[i].kind == CELL_NULL)
			continue;
		fprintf(w->out, " %s=\"", w->columns.name.at[i]);
		if (row[i].kind == CELL_INTEGER)
			fprintf(w->out, "%" PRId64, row[i].integer);
		else if (row[i].kind == CELL_REAL)
			fputs(real_text(text, row[i].real), w->out);
		else
			put_attribute(row[i].text, w->out);
		putc('"', w->out);
	}
	fputs("/>\n", w->out);
	return 0;
}

int export_xml(const struct export_job *job, struct err *err)
{
	struct row_writer w = { .out = job->out };
	fprintf(job->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<sis xmlns=\"urn:sis:experiment\" version=\"%d\" writer=\"sis-analyze %s\">\n",
		SIS_REPOSITORY_VERSION, SIS_VERSION);
	int rc = write_kinds(job, &w, xml_row, err);
	fputs("</sis>\n", job->out);
	return rc;
}

/* -- JSON -------------------------------------------------------------------------------------- */

static int json_row(void *arg, const struct cell *row, struct err *err)
{
	struct row_writer *w = arg;
	char text[32];
	(void)err;
	json_open(&w->json, '{');
	for (size_t i = 0; i < w->columns.name.n; i++) {
		json_key(&w->json, w->columns.name.at[i]);
		if (row[i].kind == CELL_REAL)
			json_raw(&w->json, real_text(text, row[i].real));
		else
			cell_json(&w->json, &row[i]);
	}
	json_close(&w->json, '}');
	return 0;
}

int export_json(const struct export_job *job, struct err *err)
{
	struct row_writer w = { .out = job->out };
	json_init(&w.json, job->out);
	json_open(&w.json, '{');
	json_field_integer(&w.json, "sis_experiment", SIS_REPOSITORY_VERSION);
	json_field_string(&w.json, "writer", "sis-analyze " SIS_VERSION);
	int rc = write_kinds(job, &w, json_row, err);
	json_close(&w.json, '}');
	return rc;
}
