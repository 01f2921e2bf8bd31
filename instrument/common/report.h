/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - diagnostics about the user's source, in the form of the compiler's. */
#ifndef SISC_REPORT_H
#define SISC_REPORT_H

#include "sis_ast.h"

struct reporter { sis_ast_report *call; void *context; }; /* call NULL: messages are dropped */

/* Passes a message to the reporter. `where` is NULL if the message has no position in a file. */
void sis_report_to(const struct reporter *reporter, enum sis_ast_severity severity,
		   const struct sis_ast_position *where, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints "file:line:column: error: message" to stderr. If `where` is NULL, the line is "sisc:
 * error: message". */
void sis_report(enum sis_ast_severity severity, const struct sis_ast_position *where,
		const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Prints such a line, too. This function is a callback for sis_ast_open. */
void sis_report_from_ast(void *unused, enum sis_ast_severity severity,
			 const struct sis_ast_position *where, const char *message);

#endif
