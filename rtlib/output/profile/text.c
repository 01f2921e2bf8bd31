/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - lines of text in the profile, and warnings to the user. Called by any thread, outside of
 * probes.
 *
 * A warning is given once. It goes to stderr in one write, and into the profile. So the analyzer
 * can show the warning to users who have not seen the run.
 */
#include "base/config.h"
#include "base/lock.h"
#include "base/system_call.h"
#include "output/profile/store.h"
#include "output/profile/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 1024, CHUNK = 16384 - sizeof(struct sis_chunk), WARNINGS = 64 };

static struct sis_chunk *filling; /* the chunk that receives lines */
static struct sis_lock text_lock;
static uint64_t written[WARNINGS]; /* checksums of lines that are written only once */
static char early[2048];           /* lines from before the store existed */
static size_t early_length;

static void put(const char *lines, size_t length)
{
	if (!filling || filling->used + length > CHUNK)
		filling = sis__chunk_new(SIS_CHUNK_TEXT, SIS_NO_SLOT, CHUNK);
	if (filling) {
		memcpy((char *)sis__payload(filling) + filling->used, lines, length);
		filling->used += length;
	}
}

static void append(const char *line, size_t length)
{
	if (!sis__lock(&text_lock))
		return;
	if (sis__store_is_live()) {
		if (early_length)
			put(early, early_length);
		early_length = 0;
		put(line, length);
	} else if (early_length + length <= sizeof early) {
		memcpy(early + early_length, line, length);
		early_length += length;
	}
	sis__unlock(&text_lock);
}

/* Makes one line of the kind and the text: newlines in the text become blanks. */
static size_t make_line(char *line, const char *kind, const char *format, va_list arguments)
{
	int head = snprintf(line, LINE, "%s\t", kind);
	int body = vsnprintf(line + head, LINE - (size_t)head, format, arguments);
	size_t length = (size_t)(head + (body < 0 ? 0 : body));
	if (length > LINE - 2)
		length = LINE - 2;
	line[length] = '\0';
	for (char *c = line; *c; c++)
		if (*c == '\n')
			*c = ' ';
	return length;
}

void sis__text(const char *kind, const char *format, ...)
{
	char line[LINE];
	int saved = errno;
	va_list arguments;
	va_start(arguments, format);
	append(line, make_line(line, kind, format, arguments) + 1);
	va_end(arguments);
	errno = saved;
}

/* -- once -------------------------------------------------------------------------------------- */

static bool is_new(const char *line, size_t length)
{
	uint64_t sum = sis_checksum(line, length) | 1;
	for (int i = 0; i < WARNINGS; i++) {
		uint64_t none = 0;
		if (__atomic_compare_exchange_n(&written[i], &none, sum, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
		if (none == sum)
			return false;
	}
	return false; /* the table is full: no new lines are written */
}

void sis__text_once(const char *kind, const char *format, ...)
{
	char line[LINE];
	va_list arguments;
	va_start(arguments, format);
	size_t length = make_line(line, kind, format, arguments);
	va_end(arguments);
	if (is_new(line, length))
		append(line, length + 1);
}

void sis__warn(const char *format, ...)
{
	char line[LINE];
	int saved = errno;
	va_list arguments;
	va_start(arguments, format);
	size_t length = make_line(line, "warning", format, arguments);
	va_end(arguments);
	if (is_new(line, length)) {
		append(line, length + 1);
		if (!sis__config.quiet) {
			char out[LINE + 16];
			int n = snprintf(out, sizeof out, "sis: warning: %s\n",
					 line + strlen("warning\t"));
			if (sis__write(STDERR_FILENO, out, (size_t)n) < 0)
				errno = saved; /* stderr cannot be written */
		}
	}
	errno = saved;
}
