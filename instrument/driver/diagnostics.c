/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnostics.c - see diagnostics.h. Called by compile_instrumented.c and instrument.c.
 * The idea: a message is a line that does not begin with a blank. Columns are ignored, because
 * probes shift them. */
#include "driver/diagnostics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next message at or behind `at`, after lines of quoted source; "" if there is none. */
static const char *message(const char *at)
{
	while (*at == ' ' || *at == '\t' || *at == '\n') {
		const char *end = strchr(at, '\n');
		at = end ? end + 1 : at + strlen(at);
	}
	return at;
}

/* Returns the position behind the column if `at` is behind the line number of "file:line:column:".
 * Else returns `at`. */
static const char *behind_column(const char *start, const char *at)
{
	const char *line = at;
	if (*at != ':' || at == start || !isdigit((unsigned char)at[-1]))
		return at;
	while (line > start && isdigit((unsigned char)line[-1]))
		line--;
	if (line == start || line[-1] != ':' || !isdigit((unsigned char)at[1]))
		return at;
	at++;
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* Whether two messages are the same except for columns. Moves both pointers to the ends. */
static bool same(const char **one, const char **other)
{
	const char *a = *one, *b = *other;
	while (*a == *b && *a && *a != '\n') {
		const char *after_a = behind_column(*one, a), *after_b = behind_column(*other, b);
		bool columns = after_a != a && after_b != b;
		a = columns ? after_a : a + 1;
		b = columns ? after_b : b + 1;
	}
	*one = a;
	*other = b;
	return (*a == '\n' || !*a) && (*b == '\n' || !*b);
}

bool sis_diagnostics_alike(const char *one, const char *other)
{
	bool any = false;
	for (;;) {
		one = message(one);
		other = message(other);
		if (!*one || !*other)
			return any && !*one && !*other;
		if (!same(&one, &other))
			return false;
		any = true;
	}
}

/* Reads "FILE:LINE:COLUMN: error: TEXT", or the same with `note`, from the line [at, end). */
static bool read_position(const char *at, const char *end, struct diagnostic *found)
{
	static const char *const marks[] = { ": note: ", ": error: ", ": fatal error: " };
	const char *mark = NULL, *text = NULL;
	for (size_t i = 0; i < sizeof marks / sizeof *marks && !mark; i++) {
		mark = memmem(at, (size_t)(end - at), marks[i], strlen(marks[i]));
		text = mark ? mark + strlen(marks[i]) : NULL;
	}
	if (!mark)
		return false;
	const char *column = memrchr(at, ':', (size_t)(mark - at));
	const char *line = column ? memrchr(at, ':', (size_t)(column - at)) : NULL;
	if (!line || !isdigit((unsigned char)line[1]) || line - at >= (long)sizeof found->file)
		return false;
	found->line = (unsigned)strtoul(line + 1, NULL, 10);
	snprintf(found->file, sizeof found->file, "%.*s", (int)(line - at), at);
	snprintf(found->text, sizeof found->text, "%.*s", (int)(end - text), text);
	return true;
}

bool sis_diagnostics_next(const char **messages, struct diagnostic *found)
{
	bool is_found = false;
	while (**messages && !is_found) {
		const char *end = strchrnul(*messages, '\n');
		is_found = read_position(*messages, end, found);
		*messages = end + (*end != '\0');
	}
	return is_found;
}
