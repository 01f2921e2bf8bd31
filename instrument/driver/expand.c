/* SPDX-License-Identifier: BSD-3-Clause */
/* expand.c - see expand.h. Called by compile.c and verify.c.
 * The idea: a preprocessor must not read the user's text a second time, so its input is only what
 * sisc inserted: the prologue, and each use of a macro SIS_* in lines of its own behind a mark. The
 * expansions then replace the uses in the text. */
#include "driver/expand.h"
#include "driver/temporary.h"
#include "driver/tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "sis__expand_use"
#define PROLOGUE_END "#endif /* end of the prologue */\n"

struct use {
	const char *begin, *end; /* in the text */
};

struct uses {
	struct use *at;
	size_t count;
};

/* The position behind the `)` that belongs to the `(` at `at`; NULL if there is none. */
static const char *arguments_end(const char *at, const char *end)
{
	struct tokens tokens;
	struct buf rest = { .at = (char *)at, .length = end - at };
	size_t depth = 0;
	sis_tokens_init(&tokens, &rest);
	for (struct token token = sis_tokens_next(&tokens); token.length;
	     token = sis_tokens_next(&tokens)) {
		depth += *token.at == '(' ? 1 : *token.at == ')' ? -1 : 0;
		if (!depth)
			return token.at + token.length;
	}
	return NULL;
}

/* Finds all words that begin with SIS_, with their arguments. */
static void find_uses(const char *text, const char *end, struct uses *uses)
{
	struct tokens tokens;
	struct buf body = { .at = (char *)text, .length = end - text };
	sis_tokens_init(&tokens, &body);
	for (struct token token = sis_tokens_next(&tokens); token.length;
	     token = sis_tokens_next(&tokens)) {
		const char *after = token.at + token.length;
		if (token.length < 4 || memcmp(token.at, "SIS_", 4) != 0)
			continue;
		const char *close = after < end && *after == '(' ? arguments_end(after, end) : NULL;
		uses->at = mem_resize(uses->at, uses->count + 1, sizeof *uses->at);
		uses->at[uses->count++] = (struct use){ token.at, close ? close : after };
		tokens.at = close ? close : after;
	}
}

/* -- the preprocessor -------------------------------------------------------------------------- */

/* The preprocessor needs only the compiler's predefined macros. So of the user's words, only those
 * that change these macros are passed on, such as -m32. */
static int preprocess(const struct compilation *t, bool verify, const struct buf *probes,
		      struct buf *expansions, struct err *err)
{
	const char *input = sis_temporary_name("probes.c", err),
		   *output = sis_temporary_name("probes.i", err);
	const char *errors = sis_temporary_name("errors", err);
	struct redirection to = { .errors = errors };
	struct words command = { 0 };
	int status = 0;
	if (!input || !output || !errors ||
	    sis_file_write(input, probes->at, probes->length, err) < 0)
		return -1;
	for (size_t i = 0; i < t->job->line.count; i++) {
		const struct argument *argument = &t->job->line.argument[i];
		if (argument->role == ROLE_FLAG && sis_starts(argument->word, "-m") &&
		    strcmp(argument->word, "-mllvm") != 0)
			sis_words_add(&command, argument->word);
	}
	for (const char *const *word =
		     (const char *const[]){ "-E", "-w", "-o", output, "-x",
					    t->language->form[FORM_SOURCE].x, NULL };
	     *word; word++)
		sis_words_add(&command, *word);
	if (verify)
		sis_words_add(&command, "-DSIS__VERIFY=1");
	sis_words_add(&command, input);
	int failed = sis_compiler_run(&t->job->compiler, &command, &to, &status, err);
	sis_words_release(&command);
	return failed || status != 0 ? failed : sis_file_read(output, expansions, err);
}

/* -- the text ---------------------------------------------------------------------------------- */

/* The position behind the next mark; NULL if there is none. */
static const char *after_mark(const char *expansions)
{
	const char *mark = expansions ? strstr(expansions, MARK) : NULL;
	return mark ? mark + strlen(MARK) : NULL;
}

/* Appends the text up to the next mark in one line, without line markers. */
static void add_expansion(const char *expansions, struct buf *out)
{
	const char *next = strstr(expansions, MARK),
		   *end = next ? next : expansions + strlen(expansions);
	for (const char *line = expansions; line < end;) {
		size_t length = strcspn(line, "\n");
		if (line + length > end)
			length = end - line;
		if (*line != '#')
			buf_put(out, line, length);
		if (*line != '#' && length)
			buf_add(out, " ");
		line += length + (line[length] == '\n');
	}
}

/* Appends text between two probes. In preprocessed text, a #line directive has no word `line`. */
static void add_between(const char *text, const char *end, struct buf *out)
{
	static const char word[] = "#line ";
	size_t length = strlen(word);
	while (text < end) {
		const char *newline = memchr(text, '\n', end - text),
			   *next = newline ? newline + 1 : end;
		bool directive = (size_t)(next - text) > length &&
			memcmp(text, word, length) == 0 &&
			(!out->length || out->at[out->length - 1] == '\n');
		if (directive)
			buf_add(out, "# ");
		buf_put(out, text + (directive ? length : 0),
			     next - text - (directive ? length : 0));
		text = next;
	}
}

static const char *next_line(const char *text)
{
	text += strcspn(text, "\n");
	return text + (*text == '\n');
}

static bool is_marker(const char *line)
{
	return line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]);
}

static void write_out(const char *body, const char *end, const struct uses *uses,
		      const char *expansions, struct buf *out)
{
	const char *next = strstr(expansions, MARK), *from = body;
	/* The first lines have the name of the source and, in `# 1 "/directory//"`, the directory
	 * in which it was preprocessed. */
	const char *first = next_line(body), *second = next_line(first), *third = next_line(second);
	bool directory = is_marker(second) && third - second > 4 &&
		memcmp(third - 4, "//\"\n", 4) == 0;
	if (!is_marker(first))
		add_between(body, first, out);
	else
		add_between(first, directory ? third : second, out);
	buf_put(out, expansions, next ? (size_t)(next - expansions) : strlen(expansions));
	buf_add(out, "\n");
	for (size_t i = 0; i < uses->count; i++) {
		expansions = after_mark(expansions);
		add_between(from, uses->at[i].begin, out);
		if (expansions)
			add_expansion(expansions, out);
		from = uses->at[i].end;
	}
	add_between(from, end, out);
}

int sis_expand(const struct compilation *t, bool verify, struct buf *out, struct err *err)
{
	struct uses uses = { 0 };
	struct buf probes = { 0 }, expansions = { 0 };
	const char *end = t->code.at + t->code.length, *body = strstr(t->code.at, PROLOGUE_END);
	if (!body)
		return 0;
	body += strlen(PROLOGUE_END);
	find_uses(body, end, &uses);
	buf_add(&probes, MARK "\n");
	buf_put(&probes, body, strcspn(body, "\n") + 1); /* the #line of the source */
	buf_put(&probes, t->code.at, body - t->code.at);
	for (size_t i = 0; i < uses.count; i++) {
		buf_add(&probes, "\n" MARK "\n");
		buf_put(&probes, uses.at[i].begin, uses.at[i].end - uses.at[i].begin);
	}
	buf_add(&probes, "\n");
	int failed = preprocess(t, verify, &probes, &expansions, err);
	const char *first = failed ? NULL : after_mark(expansions.at);
	if (first)
		write_out(body, end, &uses, first, out);
	free(uses.at);
	buf_release(&probes);
	buf_release(&expansions);
	return failed;
}
