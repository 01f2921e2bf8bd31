/* SPDX-License-Identifier: BSD-3-Clause */
/* escape.c - prints text from outside, with escapes (escape.h). It has no state; any thread may
 * call it. Most characters need no escape, so successive ones are written together. */
#include "base/escape.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"

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
		size_t plain = 0;
		while (text[plain] >= ' ' && text[plain] <= '~' && text[plain] != '\\')
			plain++;
		fwrite(text, 1, plain, out);
		text += plain;
		fwrite(next, 1, sis_escape_next(next, &text, form), out);
	}
}

/* fprintf is called only once, so that lines of several processes do not mix on an unbuffered
 * stream. */
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
