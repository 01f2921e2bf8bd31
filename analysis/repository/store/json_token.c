/* SPDX-License-Identifier: BSD-3-Clause */
/* json_token.c - reads the tokens of a JSON text. Owns the text of the last token; one thread for
 * each file. However large the file is, only one block and one token are in memory, and no function
 * recurses. */
#include "repository/store/json_token.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "escape_char.h"

void json_tokens_init(struct json_tokens *tokens, int fd)
{
	*tokens = (struct json_tokens){ .fd = fd, .line = 1 };
}

void json_tokens_release(struct json_tokens *tokens)
{
	mem_free((void **)&tokens->text);
}

static int wrong(struct json_tokens *t, const char *why)
{
	t->wrong = why;
	return JSON_WRONG;
}

/* -- bytes ------------------------------------------------------------------------------------- */

enum { NO_BYTE = -1 };

/* Looks at the next byte without taking it. An error of reading counts as the end of the file. */
static int peek(struct json_tokens *t)
{
	if (t->at == t->end) {
		ssize_t n = read(t->fd, t->block, sizeof t->block);
		t->at = 0;
		t->end = n > 0 ? (size_t)n : 0;
	}
	return t->at < t->end ? t->block[t->at] : NO_BYTE;
}

static int take_byte(struct json_tokens *t)
{
	int byte = peek(t);
	if (byte != NO_BYTE)
		t->at++;
	t->line += byte == '\n';
	return byte;
}

/* Adds a byte to the token's text. */
static void add_byte(struct json_tokens *t, int byte)
{
	while (t->length + 2 > t->room)
		vec_grow((void **)&t->text, &t->room, t->room, 1);
	t->text[t->length++] = (char)byte;
	t->text[t->length] = '\0';
}

/* -- strings ----------------------------------------------------------------------------------- */

/* The value of the four digits of \uXXXX; negative if there are fewer. */
static int32_t take_hex(struct json_tokens *t)
{
	int32_t code = 0;
	for (int i = 0; i < 4; i++) {
		static const char digits[] = "0123456789abcdef";
		int byte = take_byte(t);
		const char *digit = byte > 0 ? strchr(digits, byte < 'A' ? byte : byte | 0x20) :
					       NULL;
		if (!digit)
			return -1;
		code = code << 4 | (int32_t)(digit - digits);
	}
	return code;
}

static void add_utf8(struct json_tokens *t, uint32_t code)
{
	if (code < 0x80) {
		add_byte(t, (int)code);
		return;
	}
	int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const int first[] = { 0, 0xc0, 0xe0, 0xf0 };
	add_byte(t, first[more] | (int)(code >> 6 * more));
	while (more-- > 0)
		add_byte(t, 0x80 | (int)(code >> 6 * more & 0x3f));
}

/* Takes the code after \u. A character beyond U+FFFF is written as two such codes. */
static const char *take_code(struct json_tokens *t)
{
	int32_t code = take_hex(t), low = 0;
	if (code >= 0xd800 && code < 0xdc00) {
		if (take_byte(t) != '\\' || take_byte(t) != 'u')
			return "half a character in a string";
		low = take_hex(t);
		if (low < 0xdc00 || low > 0xdfff)
			return "half a character in a string";
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xdc00 && code < 0xe000) {
		return "half a character in a string";
	}
	if (code <= 0)
		return code < 0 ? "\\u without four digits" : "a NUL in a string";
	add_utf8(t, (uint32_t)code);
	return NULL;
}

static const char *take_escape(struct json_tokens *t)
{
	static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	int byte = take_byte(t);
	if (byte == 'u')
		return take_code(t);
	const char *name = byte > 0 ? strchr(names, byte) : NULL;
	if (!name)
		return "an unknown escape in a string";
	add_byte(t, meant[name - names]);
	return NULL;
}

/* Takes the rest of a string, after its opening quote. */
static int take_string(struct json_tokens *t)
{
	for (int byte; (byte = take_byte(t)) != '"';) {
		const char *why = NULL;
		if (byte == NO_BYTE)
			return wrong(t, "a string without an end");
		if (byte < ' ')
			return wrong(t, "a control character in a string");
		if (byte == '\\')
			why = take_escape(t);
		else
			add_byte(t, byte);
		if (why)
			return wrong(t, why);
	}
	const unsigned char *p = (const unsigned char *)t->text;
	for (int n; *p; p += n)
		if ((n = sis_utf8_length(p)) == 0)
			return wrong(t, "text that is not UTF-8");
	return JSON_STRING;
}

/* -- numbers and words ------------------------------------------------------------------------- */

/* Takes digits. Returns false if there are none. */
static bool take_digits(struct json_tokens *t)
{
	size_t before = t->length;
	while (peek(t) >= '0' && peek(t) <= '9')
		add_byte(t, take_byte(t));
	return t->length > before;
}

/* Takes the next byte if it is one of these. Returns whether it was. */
static bool take_one_of(struct json_tokens *t, const char *bytes)
{
	int byte = peek(t);
	if (byte <= 0 || !strchr(bytes, byte))
		return false;
	add_byte(t, take_byte(t));
	return true;
}

static int take_number(struct json_tokens *t)
{
	take_one_of(t, "-");
	bool good = take_one_of(t, "0") || take_digits(t);
	if (good && take_one_of(t, "."))
		good = take_digits(t);
	if (good && take_one_of(t, "eE")) {
		take_one_of(t, "+-");
		good = take_digits(t);
	}
	return good ? JSON_NUMBER : wrong(t, "a number that is none");
}

static int take_word(struct json_tokens *t)
{
	enum { LONGEST = 5 };
	while (peek(t) >= 'a' && peek(t) <= 'z' && t->length <= LONGEST)
		add_byte(t, take_byte(t));
	return strcmp(t->text, "null") == 0 || strcmp(t->text, "true") == 0 ||
			strcmp(t->text, "false") == 0 ?
		JSON_WORD :
		wrong(t, "a word that is neither null nor true nor false");
}

int json_next(struct json_tokens *t)
{
	int byte;
	while ((byte = peek(t)) == ' ' || byte == '\t' || byte == '\n' || byte == '\r')
		take_byte(t);
	t->length = 0;
	add_byte(t, 0); /* so that the text exists, but is empty */
	t->length = 0;
	if (byte == NO_BYTE)
		return JSON_END;
	if (byte == '-' || (byte >= '0' && byte <= '9'))
		return take_number(t);
	if (byte >= 'a' && byte <= 'z')
		return take_word(t);
	take_byte(t);
	if (byte == '"')
		return take_string(t);
	return byte && strchr("{}[]:,", byte) ? byte : wrong(t, "a character that is no JSON");
}
