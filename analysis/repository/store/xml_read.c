/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_read.c - reads an experiment that was exported as XML. The only file that uses libxml2.
 * Called by one thread. Rows are checked against the published schema while they are read. They are
 * written unchanged into an empty repository beside this one. From there, they are merged like
 * those of any other repository (merge.c). */
#include "repository/store/xml_read.h"

#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "repository/store/imported_rows.h"

static const char schema_text[] =
#include "experiment_xsd.inc"
	;

struct xml {
	struct imported_rows rows;
	int fd;
	xmlTextReaderPtr reader;
	xmlSchemaPtr schema;
	bool failed; /* the first problem is in rows.err */
};

/* Records the first problem. Messages of the library end with a line end. The handler is global
 * because of an error of libxml2 2.9: a reader with a schema calls the reader's own handler with a
 * wrong argument. */
static void complain(void *arg, xmlErrorPtr error)
{
	struct xml *x = arg;
	const char *text = error->message ? error->message : "no reason given";
	if (error->level < XML_ERR_ERROR)
		return;
	x->failed = true;
	err_fail(x->rows.err,
		 "%s:%d: no experiment as sis-analyze exports it: %.*s; export it again",
		 x->rows.path, error->line, (int)strcspn(text, "\n"), text);
}

/* Ignores messages of the library that it does not pass to `complain`. */
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
		return err_fail(x->rows.err,
				"cannot read '%s': libxml2 does not take the schema; use "
				"another version of libxml2",
				x->rows.path);
	x->reader = xmlReaderForFd(x->fd, x->rows.path, NULL, XML_PARSE_NONET);
	if (!x->reader || xmlTextReaderSetSchema(x->reader, x->schema) != 0)
		return err_fail(x->rows.err,
				"cannot read '%s': no memory; analyze on a machine with "
				"more",
				x->rows.path);
	return 0;
}

/* -- rows -------------------------------------------------------------------------------------- */

static int take_row(struct xml *x)
{
	size_t n = x->rows.kind->columns;
	char **text = mem_alloc(n, sizeof *text);
	for (size_t i = 0; i < n; i++)
		text[i] = (char *)xmlTextReaderGetAttribute(
			x->reader, (const xmlChar *)x->rows.kind->column[i].name);
	int rc = imported_rows_take(&x->rows, (const char *const *)text,
				    xmlTextReaderGetParserLineNumber(x->reader));
	for (size_t i = 0; i < n; i++)
		free(text[i]); /* libxml2 allocates with malloc */
	free(text);
	return rc;
}

static int take_element(struct xml *x)
{
	const char *name = (const char *)xmlTextReaderConstLocalName(x->reader);
	if (xmlTextReaderDepth(x->reader) == 0) {
		char *version = (char *)xmlTextReaderGetAttribute(x->reader,
								  (const xmlChar *)"version");
		int rc = version ? imported_rows_version(&x->rows, version) : 0;
		free(version);
		return rc;
	}
	if (!x->rows.kind || strcmp(name, x->rows.kind->table) != 0) {
		size_t kind = row_kind_named(name);
		if (kind == ROW_KINDS) /* the schema would report this, too, but later */
			return err_fail(x->rows.err,
					"'%s' has a '%s', which no export has; export "
					"it again",
					x->rows.path, name);
		if (imported_rows_begin(&x->rows, kind))
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
			rc = err_fail(x->rows.err,
				      "'%s' has a document type, which no export has; "
				      "export it again",
				      x->rows.path);
		else if (type == XML_READER_TYPE_ELEMENT)
			rc = take_element(x);
	}
	if (rc == 0 && !x->failed && xmlTextReaderIsValid(x->reader) != 1)
		rc = err_fail(x->rows.err,
			      "'%s' is no experiment as sis-analyze exports it; export it "
			      "again",
			      x->rows.path);
	return x->failed ? ERR_FAILED : rc;
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
	struct xml x = { .rows = { .repo = repo, .path = path, .err = err } };
	x.fd = file_open(path, NULL, err);
	int rc = x.fd < 0 ? ERR_FAILED : repo_run(repo, err, "BEGIN", "");
	rc = rc ? rc : open_reader(&x);
	rc = rc ? rc : read_all(&x);
	imported_rows_end(&x.rows);
	rc = rc ? rc : imported_rows_check(&x.rows);
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
