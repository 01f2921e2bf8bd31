/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.c - prints text that is data. Owns nothing; any thread. Most text needs no escape, and is
 * copied in runs. */
#include "base/escape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The length of the run of ASCII characters that no form escapes. */
static size_t plain_length(const char *text)
{
	size_t n = 0;
	while (text[n] >= ' ' && text[n] <= '~' && text[n] != '\\')
		n++;
	return n;
}

char *escape_text(const char *text, enum sis_escape form)
{
	size_t length = 0;
	char next[SIS_ESCAPE_ROOM];
	for (const char *at = text; *at;)
		length += sis_escape_next(next, &at, form);
	char *shown = mem_alloc(length + SIS_ESCAPE_ROOM, 1);
	for (char *end = shown; *text;)
		end += sis_escape_next(end, &text, form);
	return shown;
}

void escape_put(const char *text, enum sis_escape form, FILE *out)
{
	char next[SIS_ESCAPE_ROOM];
	while (*text) {
		size_t plain = plain_length(text);
		fwrite(text, 1, plain, out);
		text += plain;
		fwrite(next, 1, sis_escape_next(next, &text, form), out);
	}
}

/* One call of fprintf, so that lines of several processes do not mix on an unbuffered stream. */
static void print_list(FILE *out, const char *format, va_list args, const char *end)
{
	char *text = NULL;
	int length = vasprintf(&text, format, args);
	char *shown = escape_text(length < 0 ? "out of memory" : text, SIS_ESCAPE_NAME);
	fprintf(out, "%s%s", shown, end);
	free(shown);
	free(length < 0 ? NULL : text);
}

void escape_print(FILE *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	print_list(out, format, args, "");
	va_end(args);
}

void escape_line(FILE *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	print_list(out, format, args, "\n");
	va_end(args);
}
