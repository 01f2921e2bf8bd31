/* export_rows.c - an experiment whole, as the repository has it: XML (schema/experiment.xsd), which sis-analyze
 * imports again, and JSON (schema/experiment.schema.json). Owns nothing; one thread. */
#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "escape_char.h"
#include "export/export.h"
#include "export/rows.h"
#include "repository_version.h"

struct row_writer {
	const struct row_kind *kind;
	struct row_columns columns;
	FILE *out;
	struct json json;
};

static int write_kinds(const struct export_job *job, struct row_writer *w, repo_take *take, struct err *err)
{
	int rc = 0;
	for (size_t k = 0; rc == 0 && k < ROW_KINDS; k++) {
		w->kind = &row_kind[k];
		rc = row_columns_load(&w->columns, job->repo, w->kind, err);
		if (rc == 0 && w->json.out)
			json_key(&w->json, w->kind->table), json_open(&w->json, '[');
		rc = rc ? rc : row_each(job->repo, w->kind, job->experiment, take, w, err);
		if (rc == 0 && w->json.out)
			json_close(&w->json, ']');
		row_columns_release(&w->columns);
	}
	return rc;
}

/* -- XML ------------------------------------------------------------------------------------------------------- */

/* Characters that XML cannot hold. */
static bool is_unsayable(uint32_t code)
{
	bool is_space = code == '\t' || code == '\n' || code == '\r';
	return (code < ' ' && !is_space) || code == 0xfffe || code == 0xffff;
}

/* Line ends would be read as spaces unless they are written by number, and a terminal would obey
 * controls. What XML cannot hold becomes U+FFFD. */
static void put_attribute(const char *text, FILE *out)
{
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		int n = sis_utf8_length(p);
		uint32_t code = n ? sis_utf8_code(p, n) : 0xffff;
		if (is_unsayable(code))
			fputs("\xef\xbf\xbd", out);
		else if (sis_is_invisible(code) || (code < 0x80 && strchr("<>&\"", (char)code)))
			fprintf(out, "&#%" PRIu32 ";", code);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
}

/* A number that is read again as what it was; the infinite as what every reader takes for it. */
static const char *real_text(char *text, double value)
{
	if (value > DBL_MAX || value < -DBL_MAX)
		return value > 0 ? "1e999" : "-1e999";
	snprintf(text, 32, "%.17g", value);
	return text;
}

/* What is null is left out. */
static int xml_row(void *arg, const struct cell *row, struct err *err)
{
	const struct row_writer *w = arg;
	char text[32];
	(void)err;
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
	fprintf(job->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sis xmlns=\"urn:sis:experiment\" version=\"%d\" "
		"writer=\"sis-analyze %s\">\n", SIS_REPOSITORY_VERSION, SIS_VERSION);
	int rc = write_kinds(job, &w, xml_row, err);
	fputs("</sis>\n", job->out);
	return rc;
}

/* -- JSON ------------------------------------------------------------------------------------------------------ */

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
	json_key(&w.json, "sis_experiment"), json_integer(&w.json, SIS_REPOSITORY_VERSION);
	json_key(&w.json, "writer"), json_string(&w.json, "sis-analyze " SIS_VERSION);
	int rc = write_kinds(job, &w, json_row, err);
	json_close(&w.json, '}');
	return rc;
}
