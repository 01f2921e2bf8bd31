/* SPDX-License-Identifier: BSD-3-Clause */
/* escape_char.h - how text from outside is shown: names, paths, commands, lines of a source.
 *
 * Programs, files and other users choose such text. A terminal obeys control characters. A line end
 * begins a line that looks like the tool's own. Marks of direction make a name look like another
 * one. So these characters are written as visible escapes:
 *
 *     what                                    NAME           LINE           JSON
 *     C0 controls and DEL                     \x1b           \x1b           \u001b
 *     C1 controls, marks of direction         \u202e         \u202e         \u202e
 *     invisible characters:                   \u200b         \u200b         \u200b
 *       soft hyphen, zero-width space,
 *       line separator, tags                  \U000e0001     \U000e0001     \udb40\udc01
 *     bytes that are not UTF-8                \x9b           \x9b           \ufffd
 *     backslash                               \\             itself         itself
 *     tab                                     \x09           itself         \u0009
 *
 * The text can be restored from its form NAME, because no two texts have the same NAME. LINE is for
 * lines of a source and for messages in the form of compilers, where backslashes are common. JSON
 * is for JSON strings whose quotes and backslashes are escaped already.
 *
 * LIMIT: UTF-8 is written whatever the locale says. A terminal with an 8-bit character set that
 * obeys C1 controls treats the second byte of some letters as a control. */
#ifndef SIS_SCHEMA_ESCAPE_CHAR_H
#define SIS_SCHEMA_ESCAPE_CHAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum sis_escape { SIS_ESCAPE_NAME, SIS_ESCAPE_LINE, SIS_ESCAPE_JSON };

enum { SIS_ESCAPE_ROOM = 16 }; /* most bytes of an escape, NUL included, rounded up */

/* The length of the character at `p` in bytes; 0: it is not UTF-8. Reads no byte after a NUL. */
static inline int sis_utf8_length(const unsigned char *p)
{
	int n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
	bool beyond = (*p == 0xed && p[1] > 0x9f) || (*p == 0xf4 && p[1] > 0x8f);
	return overlong || beyond ? 0 : n;
}

static inline uint32_t sis_utf8_code(const unsigned char *p, int length)
{
	uint32_t code = length == 1 ? *p : *p & (0x7fu >> length);
	for (int i = 1; i < length; i++)
		code = code << 6 | (p[i] & 0x3f);
	return code;
}

/* Whether a character is in Unicode's categories Cc, Zl or Zp, or is an invisible one of Cf. */
static inline bool sis_is_invisible(uint32_t code)
{
	static const struct { uint32_t first, last; } range[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c },
		{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};
	for (size_t i = 0; i < sizeof range / sizeof *range && code >= range[i].first; i++)
		if (code <= range[i].last)
			return true;
	return false;
}

static inline int sis_escape_code(char *out, uint32_t code, enum sis_escape form)
{
	if (code > 0xffff && form == SIS_ESCAPE_JSON)
		return sprintf(out, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10),
			       0xdc00 | (code & 0x3ff));
	if (code > 0xffff)
		return sprintf(out, "\\U%08x", code);
	return sprintf(out, code < 0x80 && form != SIS_ESCAPE_JSON ? "\\x%02x" : "\\u%04x", code);
}

/* Writes the next character of *text, or its escape, with a NUL, to `out`, and advances *text.
 * Returns the number of bytes without the NUL: 0 at the end of the text. */
static inline int sis_escape_next(char *out, const char **text, enum sis_escape form)
{
	const unsigned char *p = (const unsigned char *)*text;
	int length = sis_utf8_length(p);
	uint32_t code = length ? sis_utf8_code(p, length) : 0xfffd;
	out[0] = 0;
	if (!*p)
		return 0;
	*text += length ? length : 1;
	if (!length)
		return sprintf(out, form == SIS_ESCAPE_JSON ? "\\ufffd" : "\\x%02x", *p);
	if (code == '\\' && form == SIS_ESCAPE_NAME)
		return sprintf(out, "\\\\");
	if (sis_is_invisible(code) && !(code == '\t' && form == SIS_ESCAPE_LINE))
		return sis_escape_code(out, code, form);
	memcpy(out, p, length);
	out[length] = 0;
	return length;
}

/* The same as sis_escape_next for a JSON string: quotes and backslashes are escaped, too. */
static inline int sis_escape_json(char *out, const char **text)
{
	int escaped = **text == '"' || **text == '\\';
	out[0] = '\\';
	return escaped + sis_escape_next(out + escaped, text, SIS_ESCAPE_JSON);
}

#endif
