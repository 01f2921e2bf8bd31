/* SPDX-License-Identifier: BSD-3-Clause */
/* json_token.h - a JSON text, token by token. What tokens may follow each other is up to the
 * caller. */
#ifndef SIS_ANALYSIS_JSON_TOKEN_H
#define SIS_ANALYSIS_JSON_TOKEN_H

#include <stddef.h>

enum json_token {
	JSON_END,    /* of the file */
	JSON_WRONG,  /* `wrong` says why */
	JSON_STRING, /* `text` is its content: UTF-8, without NUL */
	JSON_NUMBER, /* `text` is the number as it is written */
	JSON_WORD,   /* `text` is null, true or false */
	/* the others are characters: { } [ ] : , */
};

struct json_tokens {
	int fd;
	int line;
	const char *wrong;
	char *text;               /* of the last token; owned */
	size_t length, room;
	unsigned char block[65536];
	size_t at, end;           /* what is left of the block */
};

void json_tokens_init(struct json_tokens *tokens, int fd);
void json_tokens_release(struct json_tokens *tokens);
/* The next one: enum json_token, or a character. */
int json_next(struct json_tokens *tokens);

#endif
