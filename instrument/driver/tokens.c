/* SPDX-License-Identifier: BSD-3-Clause */
/* tokens.c - see tokens.h. Called by verify.c and expand.c.
 * The idea: a preprocessor puts a space between tokens that would become one without it. So a text
 * can be split into tokens without knowing its macros, and two texts with the same tokens have the
 * same meaning. */
#include "driver/tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void sis_tokens_init(struct tokens *tokens, const struct buf *text)
{
	*tokens = (struct tokens){ .at = text->at ? text->at : "", .line_begins = true, .line = 1 };
	tokens->end = tokens->at + text->length;
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void skip_blanks(struct tokens *tokens)
{
	while (tokens->at < tokens->end && *tokens->at && strchr(" \t\f\v\r", *tokens->at))
		tokens->at++;
}

/* -- directives -------------------------------------------------------------------------------- */

/* Whether the next word is `word`. If so, `at` moves behind it. */
static bool take_word(struct tokens *tokens, const char *word)
{
	size_t length = strlen(word);
	skip_blanks(tokens);
	if ((size_t)(tokens->end - tokens->at) < length || memcmp(tokens->at, word, length) != 0 ||
	    (tokens->at + length < tokens->end && is_of_word(tokens->at[length])))
		return false;
	tokens->at += length;
	return true;
}

/* `# 12 "file" 3`: the line that follows is the 12th of the file. */
static void read_marker(struct tokens *tokens)
{
	size_t length = 0;
	tokens->line = strtoul(tokens->at, NULL, 10) - 1; /* the end of this line adds one */
	while (tokens->at < tokens->end && *tokens->at != '"' && *tokens->at != '\n')
		tokens->at++;
	if (tokens->at == tokens->end || *tokens->at != '"')
		return;
	for (tokens->at++; tokens->at < tokens->end && *tokens->at != '"' && *tokens->at != '\n';
	     tokens->at++)
		if (length + 1 < sizeof tokens->file)
			tokens->file[length++] = *tokens->at;
	tokens->file[length] = '\0';
}

/* Called at a `#` that begins a line. Returns true after skipping the line. Returns false if the
 * words of the line are tokens; then `at` does not change. */
static bool pass_directive(struct tokens *tokens)
{
	const char *hash = tokens->at++;
	bool passed = true;
	skip_blanks(tokens);
	if (tokens->at < tokens->end && isdigit((unsigned char)*tokens->at))
		read_marker(tokens);
	else if (take_word(tokens, "pragma"))
		passed = take_word(tokens, "sis") || take_word(tokens, "SIS");
	else
		passed = take_word(tokens, "define") || take_word(tokens, "undef") ||
			 take_word(tokens, "line");
	while (passed && tokens->at < tokens->end && *tokens->at != '\n')
		tokens->at++;
	if (!passed)
		tokens->at = hash;
	tokens->in_pragma = !passed;
	return passed;
}

/* -- tokens ------------------------------------------------------------------------------------ */

static const char *string_end(const char *at, const char *end, char quote)
{
	for (at++; at < end && *at != quote && *at != '\n'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end && *at == quote ? at + 1 : at;
}

/* R"delimiter( ... )delimiter"; `at` is at the first quote. */
static const char *raw_string_end(const char *at, const char *end)
{
	const char *delimiter = at + 1, *open = memchr(at, '(', end - at);
	size_t length = open ? (size_t)(open - delimiter) : 0;
	for (const char *close = open; close && (close = memchr(close, ')', end - close)); close++)
		if ((size_t)(end - close) > length + 1 &&
		    memcmp(close + 1, delimiter, length) == 0 && close[length + 1] == '"')
			return close + length + 2;
	return string_end(at, end, '"');
}

static const char *word_end(const char *at, const char *end)
{
	const char *begin = at;
	while (at < end &&
	       (is_of_word(*at) || (*at == '\\' && at + 1 < end && (at[1] == 'u' || at[1] == 'U'))))
		at++;
	if (at == end || (*at != '"' && *at != '\''))
		return at;
	size_t length = at - begin;
	bool raw = begin[length - 1] == 'R' && *at == '"',
	     prefix = length <= 3 && strchr("LuU8R", *begin);
	return !prefix ? at : raw ? raw_string_end(at, end) : string_end(at, end, *at);
}

static const char *token_end(const char *at, const char *end)
{
	static const char *const longer[] = { "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<",
					      ">>",   "<=",  ">=",  "==",  "!=", "&&", "||", "*=",
					      "/=",   "%=",  "+=",  "-=",  "&=", "^=", "|=", "##",
					      "<:",   ":>",  "<%",  "%>",  "%:", "::" };
	bool number = isdigit((unsigned char)*at) ||
		      (*at == '.' && at + 1 < end && isdigit((unsigned char)at[1]));
	if (number) {
		for (at++; at < end && (is_of_word(*at) || *at == '.' ||
					((*at == '+' || *at == '-') && strchr("eEpP", at[-1])));)
			at++;
		return at;
	}
	if (is_of_word(*at) || *at == '\\')
		return word_end(*at == '\\' ? at + 1 : at, end);
	if (*at == '"' || *at == '\'')
		return string_end(at, end, *at);
	for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
		size_t length = strlen(longer[i]);
		if (length <= (size_t)(end - at) && memcmp(at, longer[i], length) == 0)
			return at + length;
	}
	return at + 1;
}

/* Passes over everything between two tokens. Returns whether the end of a pragma was there, which
 * is a token itself. */
static bool reach_token(struct tokens *tokens)
{
	for (;;) {
		skip_blanks(tokens);
		if (tokens->at == tokens->end)
			return false;
		if (*tokens->at == '\n') {
			bool pragma = tokens->in_pragma;
			tokens->at++;
			tokens->line++;
			tokens->line_begins = true;
			tokens->in_pragma = false;
			if (pragma)
				return true;
		} else if (!tokens->line_begins || *tokens->at != '#' || !pass_directive(tokens)) {
			return false;
		}
	}
}

struct token sis_tokens_next(struct tokens *tokens)
{
	static const char line_end[] = "\n";
	if (reach_token(tokens))
		return (struct token){ line_end, 1 };
	if (tokens->at == tokens->end)
		return (struct token){ tokens->at, 0 };
	const char *begin = tokens->at;
	tokens->line_begins = false;
	tokens->at = token_end(begin, tokens->end);
	if (tokens->at == begin)
		tokens->at++;
	return (struct token){ begin, tokens->at - begin };
}

bool sis_token_same(const struct token *a, const struct token *b)
{
	return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}
