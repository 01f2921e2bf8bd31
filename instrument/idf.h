/* idf.h - the instrumentation description of a unit, and the prologue that carries it into the object file. */
#ifndef SISC_IDF_H
#define SISC_IDF_H

#include "select.h"

struct idf_facts {              /* what the description says beside its regions */
	const char *source;     /* as named on the command line */
	const char *compiler;
	const struct words *flags;
};

/* Appends a JSON string with its quotes. */
void sis_idf_add_string(struct text *out, const char *string);

/* The unit's object (schema/idf.schema.json). */
void sis_idf_add_unit(struct text *out, const struct idf_facts *facts, const struct selection *selection,
		      const struct ast_library *library, const struct sis_ast *ast);

/* The text that goes before the user's source: sis/probe.h and the unit's tables. `include`: path of probe.h. */
void sis_idf_add_prologue(struct text *out, const char *include, const char *json, const struct selection *selection,
			  const struct ast_library *library, const struct sis_ast *ast);

#endif
