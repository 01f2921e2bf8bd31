/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.h - text that is data, printed so that no terminal obeys it and a line stays one line
 * (schema/escape_char.h). */
#ifndef SIS_ANALYSIS_ESCAPE_H
#define SIS_ANALYSIS_ESCAPE_H

#include <stdio.h>

#include "escape_char.h"

/* The text as it is shown; the caller frees it. */
char *escape_text(const char *text, enum sis_escape form);
void escape_put(const char *text, enum sis_escape form, FILE *out);

/* As fprintf, but the formatted text is escaped as a name, so that it has neither a line end nor a
 * terminal's control character. */
void escape_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, and the line ends. */
void escape_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
