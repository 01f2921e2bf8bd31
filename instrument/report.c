/* report.c - prints diagnostics. Called by main, compile.c, select.c, request.c, link.c, and by the frontend.
 * The idea: editors and build logs jump to file:line:column, so directives are reported as code is. */
#include "report.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const severities[] = {
	[SIS_AST_NOTE] = "note", [SIS_AST_WARNING] = "warning", [SIS_AST_ERROR] = "error",
};

void sis_report_from_ast(void *unused, enum sis_ast_severity severity, const struct sis_ast_position *where,
			 const char *message)
{
	(void)unused;
	if (where)
		fprintf(stderr, "%s:%u:%u: %s: %s\n", where->file, where->line, where->column, severities[severity], message);
	else
		fprintf(stderr, "sisc: %s: %s\n", severities[severity], message);
}

void sis_report(enum sis_ast_severity severity, const struct sis_ast_position *where, const char *format, ...)
{
	char message[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	sis_report_from_ast(NULL, severity, where, message);
}
