/* SPDX-License-Identifier: BSD-3-Clause */
/* verify.c - compares an instrumented text with its source. Called by instrument.c.
 * The idea: everything that sisc inserts is a macro whose name begins with SIS_. The real compiler
 * preprocesses the text with these macros empty (sis/verify.h), and the source. Both results must
 * have the same tokens. This comparison detects each macro that the parser expands differently from
 * the compiler. */
#include "driver/verify.h"
#include "driver/expand.h"
#include "driver/preprocess.h"
#include "driver/stdin.h"
#include "driver/temporary.h"
#include "driver/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *describe(const struct token *token)
{
	enum { MOST = 40 };
	if (!token->length)
		return mem_print("its end");
	if (*token->at == '\n')
		return mem_print("the end of a pragma");
	return mem_print("'%.*s%s'", (int)(token->length < MOST ? token->length : MOST), token->at,
			  token->length > MOST ? "..." : "");
}

/* Finds the first difference. */
static void compare(const struct buf *source, const struct buf *code, struct difference *found)
{
	struct tokens a, b;
	struct token x, y;
	sis_tokens_init(&a, source);
	sis_tokens_init(&b, code);
	do {
		x = sis_tokens_next(&a);
		y = sis_tokens_next(&b);
	} while (x.length && sis_token_same(&x, &y));
	if (sis_token_same(&x, &y))
		return;
	char *has = describe(&x), *would_have = describe(&y);
	found->text = mem_print("line %u of %s would have %s where the source has %s", a.line,
				a.file, would_have, has);
	found->line = a.line;
	memcpy(found->file, a.file, sizeof found->file);
	free(has);
	free(would_have);
}

static int verify_once(struct compilation *t, struct difference *found, struct err *err)
{
	struct buf source = { 0 }, code = { 0 };
	bool refused = false;
	int failed;
	if (t->preprocessed) { /* the source as it is, and the text without sisc's insertions */
		failed = sis_is_stdin(t->source) ? sis_stdin_read(&source, err)
						 : sis_file_read(t->source, &source, err);
		if (!failed)
			failed = sis_expand(t, true, &code, err);
		refused = !code.length;
	} else {
		int source_status = 0, code_status = 0;
		failed = sis_preprocess(t, PREPROCESS_SOURCE, &source, &source_status, err);
		if (!failed && source_status == 0)
			failed = sis_preprocess(t, PREPROCESS_TEXT, &code, &code_status, err);
		refused = code_status != 0;
		if (source_status != 0) /* the compilation will give the error */
			buf_release(&source);
	}
	if (!failed && refused)
		found->text = mem_print("the preprocessor refuses the instrumented text");
	else if (!failed && source.at)
		compare(&source, &code, found);
	buf_release(&source);
	buf_release(&code);
	return failed;
}

/* Compares again before it reports a difference, because __TIME__ may change between two runs of
 * the compiler. */
int sis_verify(struct compilation *t, struct difference *difference, struct err *err)
{
	*difference = (struct difference){ 0 };
	int failed = verify_once(t, difference, err);
	if (!failed && difference->text) {
		free(difference->text);
		*difference = (struct difference){ 0 };
		failed = verify_once(t, difference, err);
	}
	return failed;
}
