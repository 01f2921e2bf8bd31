/* SPDX-License-Identifier: BSD-3-Clause */
/* xml_library.c - the functions of libxml2 that xml_read.c calls. Any thread may call them. */
#include <libxml/xmlreader.h>
#include <libxml/xmlschemas.h>

#include "base/lazy_library.h"

#define LAZY(...) LAZY_FUNCTION("libxml2.so.2", __VA_ARGS__)

LAZY(void, xmlSetStructuredErrorFunc, (void *arg, xmlStructuredErrorFunc f), (arg, f))
LAZY(void, xmlSetGenericErrorFunc, (void *arg, xmlGenericErrorFunc f), (arg, f))
LAZY(xmlSchemaParserCtxtPtr, xmlSchemaNewMemParserCtxt, (const char *text, int bytes),
     (text, bytes))
LAZY(void, xmlSchemaFreeParserCtxt, (xmlSchemaParserCtxtPtr parser), (parser))
LAZY(xmlSchemaPtr, xmlSchemaParse, (xmlSchemaParserCtxtPtr parser), (parser))
LAZY(void, xmlSchemaFree, (xmlSchemaPtr schema), (schema))
LAZY(xmlTextReaderPtr, xmlReaderForFd,
     (int fd, const char *url, const char *encoding, int options), (fd, url, encoding, options))
LAZY(void, xmlFreeTextReader, (xmlTextReaderPtr r), (r))
LAZY(int, xmlTextReaderSetSchema, (xmlTextReaderPtr r, xmlSchemaPtr schema), (r, schema))
LAZY(int, xmlTextReaderRead, (xmlTextReaderPtr r), (r))
LAZY(int, xmlTextReaderNodeType, (xmlTextReaderPtr r), (r))
LAZY(int, xmlTextReaderDepth, (xmlTextReaderPtr r), (r))
LAZY(int, xmlTextReaderIsValid, (xmlTextReaderPtr r), (r))
LAZY(int, xmlTextReaderGetParserLineNumber, (xmlTextReaderPtr r), (r))
LAZY(const xmlChar *, xmlTextReaderConstLocalName, (xmlTextReaderPtr r), (r))
LAZY(xmlChar *, xmlTextReaderGetAttribute, (xmlTextReaderPtr r, const xmlChar *name), (r, name))
