/* SPDX-License-Identifier: BSD-3-Clause */
/* text_width.c - calls wcwidth in a locale of its own, because the process must stay in the C
 * locale, in which numbers have a decimal point. Only one thread at a time may call it, because the
 * first call makes the locale. */
#include "base/text_width.h"

#include <locale.h>
#include <stdbool.h>
#include <wchar.h>

#include "escape_char.h"

/* The width of a character. If the width is not known, or for a byte that is not UTF-8: 1. */
static size_t code_width(uint32_t code)
{
	static locale_t utf8; /* (locale_t)0: this system has no C.UTF-8 */
	static bool asked;
	if (!asked)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	asked = true;
	if (code < 0x80 || !utf8)
		return 1;
	locale_t before = uselocale(utf8);
	int width = wcwidth((wchar_t)code);
	uselocale(before);
	return width < 0 ? 1 : (size_t)width;
}

/* Moves *text to the next character, and returns the width of the first one. */
static size_t next_width(const char **text)
{
	const unsigned char *p = (const unsigned char *)*text;
	int length = sis_utf8_length(p);
	*text += length ? length : 1;
	return code_width(length ? sis_utf8_code(p, length) : 0xfffd);
}

size_t text_width(const char *text)
{
	size_t width = 0;
	while (*text)
		width += next_width(&text);
	return width;
}

const char *text_prefix(const char *text, size_t columns)
{
	for (const char *next = text; *next; text = next) {
		size_t width = next_width(&next);
		if (width > columns)
			break;
		columns -= width;
	}
	return text;
}

const char *text_suffix(const char *text, size_t columns)
{
	size_t width = text_width(text);
	while (width > columns)
		width -= next_width(&text);
	return text;
}
