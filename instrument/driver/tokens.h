/* SPDX-License-Identifier: BSD-3-Clause */
/* tokens.h - splits a preprocessed text into tokens. */
#ifndef SISC_TOKENS_H
#define SISC_TOKENS_H

#include "common/base.h"

struct token {
	const char *at; /* in the text; not NUL-ended */
	size_t length;  /* 0: the end of the text */
};

struct tokens {
	const char *at, *end;
	bool line_begins, in_pragma;
	char file[256]; /* of the latest line marker */
	unsigned line;  /* of the token that was read last */
};

void sis_tokens_init(struct tokens *tokens, const struct buf *text);

/* The next token. Line markers, #define, #undef, #line and `#pragma sis` are skipped. The words of
 * other pragmas are tokens, and so are the ends of their lines. */
struct token sis_tokens_next(struct tokens *tokens);

bool sis_token_same(const struct token *a, const struct token *b);

#endif
