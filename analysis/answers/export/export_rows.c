/* SPDX-License-Identifier: BSD-3-Clause */
/* export_rows.c - writes all rows of an experiment, unchanged, as XML (share/sis/experiment.xsd) or
 * JSON (share/sis/experiment.schema.json). sis-analyze can import both. Owns nothing; one
 * thread. */
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "escape_char.h"
#include "answers/export/export.h"
#include "repository/store/exported_rows.h"
#include "repository_version.h"

struct row_writer {
	const struct row_kind *kind;
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
		if (w->json.out)
			json_field_open(&w->json, w->kind->table, '[');
		rc = row_each(job->repo, w->kind, job->experiment, take, w, err);
		if (rc == 0 && w->json.out)
			json_close(&w->json, ']');
	}
	return rc;
}

/* -- XML --------------------------------------------------------------------------------------- */

/* Writes the next character of *text to `out`, escaped for an XML attribute, and moves *text behind
 * it. Line ends are written by number, because readers would change them to spaces. Control
 * characters are written by number, too, because a terminal would obey them. What XML cannot
 * represent becomes U+FFFD. Returns the number of bytes. */
static int attribute_next(char *out, const unsigned char **text)
{
	const unsigned char *p = *text;
	int n = sis_utf8_length(p);
	uint32_t code = n ? sis_utf8_code(p, n) : 0xffff;
	bool is_space = code == '\t' || code == '\n' || code == '\r';
	*text += n ? n : 1;
	if ((code < ' ' && !is_space) || code == 0xfffe || code == 0xffff)
		return sprintf(out, "\xef\xbf\xbd");
	if (sis_is_invisible(code) || (code < 0x80 && strchr("<>&\"", (char)code)))
		return sprintf(out, "&#%" PRIu32 ";", code);
	memcpy(out, p, n);
	return n;
}

/* Writes a run of blanks if one is needed before a row. libxml2 keeps a part of the file in memory:
 * its window. With its default limits, it refuses an element if the window becomes longer than 10
 * million bytes. It frees parsed text only when almost the whole window was parsed. Between long
 * elements, this may never happen. In a run of blanks, it does. */
static int make_room(struct row_writer *w, const struct cell *row, struct err *err)
{
	enum { MOST_ROW = 8000000, MOST_WINDOW = 1000000, BLANKS = 16384 };
	enum { NUMBER = 32, AROUND = 8 /* for a blank, = and quotes, or for angle brackets */ };
	size_t bytes = strlen(w->kind->table) + AROUND; /* most bytes of the element */
	char next[SIS_ESCAPE_ROOM];
	for (size_t i = 0; i < w->kind->columns; i++) {
		if (row[i].kind == CELL_NULL)
			continue;
		bytes += strlen(w->kind->column[i].name) + AROUND;
		if (row[i].kind != CELL_TEXT)
			bytes += NUMBER;
		else
			for (const unsigned char *p = (const unsigned char *)row[i].text; *p;)
				bytes += attribute_next(next, &p);
	}
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

/* Writes a number as a text that is read back as the same number. Infinity is written as a number
 * that is so large that each reader makes infinity of it. */
static const char *real_text(char *text, double value)
{
	if (value > DBL_MAX || value < -DBL_MAX)
		return value > 0 ? "1e999" : "-1e999";
	snprintf(text, 32, "%.17g", value);
	return text;
}

/* Writes a row as an element; null values are left out. */
static int xml_row(void *arg, const struct cell *row, struct err *err)
{
	struct row_writer *w = arg;
	char text[32], next[SIS_ESCAPE_ROOM];
	if (make_room(w, row, err))
		return ERR_FAILED;
	fprintf(w->out, "<%s", w->kind->table);
	for (size_t i = 0; i < w->kind->columns; i++) {
		if (row[i].kind == CELL_NULL)
			continue;
		fprintf(w->out, " %s=\"", w->kind->column[i].name);
		if (row[i].kind == CELL_INTEGER)
			fprintf(w->out, "%" PRId64, row[i].integer);
		else if (row[i].kind == CELL_REAL)
			fputs(real_text(text, row[i].real), w->out);
		else
			for (const unsigned char *p = (const unsigned char *)row[i].text; *p;)
				fwrite(next, 1, attribute_next(next, &p), w->out);
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
	for (size_t i = 0; i < w->kind->columns; i++) {
		json_key(&w->json, w->kind->column[i].name);
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
