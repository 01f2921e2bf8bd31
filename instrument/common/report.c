/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - prints diagnostics. Called by all of sisc, by the frontend, and in libsis-instrument.
 * The idea: editors and build logs recognize file:line:column, so messages about directives have
 * the form of the compiler's. */
#include "common/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "common/base.h"

static const char *const severities[] = {
	[SIS_AST_NOTE] = "note", [SIS_AST_WARNING] = "warning", [SIS_AST_ERROR] = "error",
};

void sis_report_from_ast(void *unused, enum sis_ast_severity severity,
			 const struct sis_ast_position *where, const char *message)
{
	(void)unused;
	if (where)
		sis_print_line(stderr, "%s:%u:%u: %s: %s", where->file, where->line, where->column,
			       severities[severity], message);
	else
		sis_print_line(stderr, "sisc: %s: %s", severities[severity], message);
}

static void vreport(const struct reporter *reporter, enum sis_ast_severity severity,
		 const struct sis_ast_position *where, const char *format, va_list arguments)
{
	char message[1024];
	vsnprintf(message, sizeof message, format, arguments);
	if (reporter->call)
		reporter->call(reporter->context, severity, where, message);
}

void sis_report_to(const struct reporter *reporter, enum sis_ast_severity severity,
		   const struct sis_ast_position *where, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vreport(reporter, severity, where, format, arguments);
	va_end(arguments);
}

void sis_report(enum sis_ast_severity severity, const struct sis_ast_position *where,
		const char *format, ...)
{
	static const struct reporter standard_error = { sis_report_from_ast, NULL };
	va_list arguments;
	va_start(arguments, format);
	vreport(&standard_error, severity, where, format, arguments);
	va_end(arguments);
}
