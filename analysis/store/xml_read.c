/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_read.c - reads an experiment that was exported as XML. The only file that uses libxml2; one
 * thread. The published schema checks the rows while they are read. They go unchanged into an empty
 * repository beside this one, and from there they are merged like those of any other repository
 * (merge.c). */
#include "store/xml_read.h"

#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "store/exported_rows.h"
#include "repository_version.h"
#include "repository/stored_check.h"

static const char schema_text[] =
#include "experiment_xsd.inc"
	;

struct xml {
	struct repo *repo;
	const char *path;
	int fd;
	struct err *err;
	xmlTextReaderPtr reader;
	xmlSchemaPtr schema;
	size_t kind;                /* kind of the current rows; ROW_KINDS: there were none yet */
	struct row_columns columns; /* columns of that kind */
	struct query *query;
	bool failed;                /* the first problem is in err */
};

/* Records the first problem. Messages of the library end with a line end. The handler is global: a
 * reader with a schema and a handler of its own calls the handler with a wrong argument (2.9). */
static void complain(void *arg, xmlErrorPtr error)
{
	struct xml *x = arg;
	const char *text = error->message ? error->message : "no reason given";
	if (error->level < XML_ERR_ERROR)
		return;
	x->failed = true;
	err_fail(x->err, "%s:%d: no experiment as sis-analyze exports it: %.*s; export it again",
		 x->path, error->line, (int)strcspn(text, "\n"), text);
}

/* Ignores notes of the library that do not go to `complain`. */
static void be_silent(void *arg, const char *message, ...)
{
	(void)arg, (void)message;
}

static int open_reader(struct xml *x)
{
	xmlSetStructuredErrorFunc(x, (xmlStructuredErrorFunc)complain);
	xmlSetGenericErrorFunc(NULL, be_silent);
	xmlSchemaParserCtxtPtr parser = xmlSchemaNewMemParserCtxt(schema_text,
								  sizeof schema_text - 1);
	x->schema = parser ? xmlSchemaParse(parser) : NULL;
	xmlSchemaFreeParserCtxt(parser);
	if (!x->schema)
		return err_fail(x->err, "cannot read '%s': libxml2 does not take the schema; use "
				"another version of libxml2", x->path);
	x->reader = xmlReaderForFd(x->fd, x->path, NULL, XML_PARSE_NONET);
	if (!x->reader || xmlTextReaderSetSchema(x->reader, x->schema) != 0)
		return err_fail(x->err, "cannot read '%s': no memory; analyze on a machine with "
				"more", x->path);
	return 0;
}

/* -- rows -------------------------------------------------------------------------------------- */

static void end_kind(struct xml *x)
{
	query_close(x->query);
	x->query = NULL;
	row_columns_release(&x->columns);
}

static int begin_kind(struct xml *x, size_t kind)
{
	char *marks = mem_string("?");
	end_kind(x);
	x->kind = kind;
	int rc = row_columns_load(&x->columns, x->repo, &row_kind[kind], x->err);
	for (size_t i = 1; i < x->columns.name.n; i++) {
		char *longer = mem_print("%s, ?", marks);
		free(marks);
		marks = longer;
	}
	char *sql = mem_print("INSERT INTO other.%s VALUES (%s)", row_kind[kind].table, marks);
	rc = rc ? rc : query_open(x->repo, &x->query, sql, x->err);
	free(marks);
	free(sql);
	return rc;
}

static int take_row(struct xml *x)
{
	size_t n = x->columns.name.n;
	struct err reason = { 0 };
	char **text = mem_alloc(n, sizeof *text);
	for (size_t i = 0; i < n; i++)
		text[i] = (char *)xmlTextReaderGetAttribute(x->reader,
							    (const xmlChar *)x->columns.name.at[i]);
	int rc = query_run_texts(x->query, (const char *const *)text, n, &reason);
	for (size_t i = 0; i < n; i++)
		xmlFree(text[i]);
	free(text);
	return rc ?
		err_fail(x->err, "%s:%d: a row that cannot be: it is there already, refers to one "
			 "that is not, or has an impossible value; export it again (%s)", x->path,
			 xmlTextReaderGetParserLineNumber(x->reader), reason.text) :
		0;
}

static int take_root(struct xml *x)
{
	char *version = (char *)xmlTextReaderGetAttribute(x->reader, (const xmlChar *)"version");
	int rc = !version || atoi(version) == SIS_REPOSITORY_VERSION ?
		0 :
		err_fail(x->err, "'%s' is an export of version %s, and only %d is known here; "
			 "export it again with the sis-analyze that is used here", x->path, version,
			 SIS_REPOSITORY_VERSION);
	xmlFree(version);
	return rc;
}

static int take_element(struct xml *x)
{
	const char *name = (const char *)xmlTextReaderConstLocalName(x->reader);
	if (xmlTextReaderDepth(x->reader) == 0)
		return take_root(x);
	if (x->kind == ROW_KINDS || strcmp(name, row_kind[x->kind].table) != 0) {
		size_t kind = 0;
		while (kind < ROW_KINDS && strcmp(name, row_kind[kind].table) != 0)
			kind++;
		if (kind == ROW_KINDS) /* the schema reports that, too, a moment later */
			return err_fail(x->err, "'%s' has a '%s', which no export has; export it "
					"again", x->path, name);
		if (begin_kind(x, kind))
			return ERR_FAILED;
	}
	return take_row(x);
}

static int read_all(struct xml *x)
{
	int more, rc = 0;
	while (rc == 0 && !x->failed && (more = xmlTextReaderRead(x->reader)) == 1) {
		int type = xmlTextReaderNodeType(x->reader);
		if (x->failed)
			break;
		if (type == XML_READER_TYPE_DOCUMENT_TYPE)
			rc = err_fail(x->err, "'%s' has a document type, which no export has; "
				      "export it again", x->path);
		else if (type == XML_READER_TYPE_ELEMENT)
			rc = take_element(x);
	}
	if (rc == 0 && !x->failed && xmlTextReaderIsValid(x->reader) != 1)
		rc = err_fail(x->err, "'%s' is no experiment as sis-analyze exports it; export it "
			      "again", x->path);
	return x->failed ? ERR_FAILED : rc;
}

/* -- what a schema cannot say ------------------------------------------------------------------ */

static const struct { const char *sql, *problem;
} check[] = {
	{ "SELECT 1 "
	  "FROM other.overhead "
	  "WHERE leaf NOT IN (SELECT name FROM main.overhead_kind WHERE is_leaf)",
	  "it has overheads that are unknown here" },
	/* Rows of nodes name processing units without REFERENCES, because they are removed with
	 * their node. */
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
	  "FROM other.critical_path "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.message "
	  "WHERE pu " STRANGE_UNIT " "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.delay "
	  "WHERE culprit " STRANGE_UNIT,
	  "it has rows of a processing unit that is not there" },
	{ "SELECT 1 "
	  "FROM other.message "
	  "WHERE communicator NOT IN (SELECT id FROM other.communicator) "
	  "UNION ALL "
	  "SELECT 1 "
	  "FROM other.delay "
	  "WHERE culprit_node NOT IN (SELECT id FROM other.drg_node)",
	  "a row refers to one that is not there" },
#undef STRANGE_UNIT
	{ "SELECT 1 "
	  "FROM other.processing_unit u "
	  "JOIN other.experiment e "
	  "LEFT JOIN (SELECT pu, sum(ns) AS ns FROM other.overhead GROUP BY pu) o ON o.pu = u.id "
	  "WHERE abs(u.useful_ns - e.t_p_ns + coalesce(o.ns, 0)) > e.identity_error_ns",
	  "work and overheads of a processing unit are not its time" },
};

static int fail_changed(const struct xml *x, const char *problem)
{
	return err_fail(x->err, "'%s' was damaged or changed: %s; export it again", x->path,
			problem);
}

static int check_rows(struct xml *x)
{
	int64_t experiment = 0;
	const char *problem;
	if (repo_number(x->repo, &experiment, x->err, "SELECT id FROM other.experiment", "") < 0 ||
	    stored_problem(x->repo, "other", experiment, &problem, x->err))
		return ERR_FAILED;
	if (problem)
		return fail_changed(x, problem);
	for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
		int64_t id;
		int found = repo_number(x->repo, &id, x->err, check[i].sql, "");
		if (found != 0)
			return found < 0 ? found : fail_changed(x, check[i].problem);
	}
	return 0;
}

bool xml_is_experiment(const char *path)
{
	char begin[64] = { 0 };
	struct err unread = { 0 };
	int fd = file_open(path, NULL, &unread);
	ssize_t n = fd >= 0 ? read(fd, begin, sizeof begin - 1) : 0;
	if (fd >= 0)
		close(fd);
	return n > 0 && (strncmp(begin, "<?xml", 5) == 0 || strncmp(begin, "<sis", 4) == 0);
}

int xml_read(struct repo *repo, const char *path, struct err *err)
{
	struct xml x = { .repo = repo, .path = path, .err = err, .kind = ROW_KINDS };
	x.fd = file_open(path, NULL, err);
	int rc = x.fd < 0 ? ERR_FAILED : repo_run(repo, err, "BEGIN", "");
	rc = rc ? rc : open_reader(&x);
	rc = rc ? rc : read_all(&x);
	end_kind(&x);
	rc = rc ? rc : check_rows(&x);
	rc = rc ? rc : repo_run(repo, err, "COMMIT", "");
	if (rc)
		repo_rollback(repo);
	xmlFreeTextReader(x.reader);
	if (x.fd >= 0)
		close(x.fd);
	xmlSchemaFree(x.schema);
	xmlSetStructuredErrorFunc(NULL, NULL);
	return rc;
}
