/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.h - prints text from outside, such as names, so that no terminal obeys control characters
 * in it, and a line stays one line (schema/escape_char.h). */
#ifndef SIS_ANALYSIS_ESCAPE_H
#define SIS_ANALYSIS_ESCAPE_H

#include <stdio.h>

#include "escape_char.h"

/* escape_text returns the escaped text, which the caller frees. escape_put writes it to `out`. */
char *escape_text(const char *text, enum sis_escape form);
void escape_put(const char *text, enum sis_escape form, FILE *out);

/* Prints like fprintf, but escapes the formatted text as a name. So the output has no line end and
 * no control character. */
void escape_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints like escape_print, and ends the line. */
void escape_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
