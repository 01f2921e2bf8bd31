/* SPDX-License-Identifier: BSD-3-Clause */
/* json_token.h - reads a JSON text token by token. The caller checks which tokens may follow each
 * other. */
#ifndef SIS_ANALYSIS_JSON_TOKEN_H
#define SIS_ANALYSIS_JSON_TOKEN_H

#include <stddef.h>

enum json_token {
	JSON_END,    /* end of the file */
	JSON_WRONG,  /* an error; `wrong` says which one */
	JSON_STRING, /* `text` is its content: UTF-8, without NUL */
	JSON_NUMBER, /* `text` is the number as it is written */
	JSON_WORD,   /* `text` is null, true or false */
	/* other tokens are characters: { } [ ] : , */
};

struct json_tokens {
	int fd;
	int line;
	const char *wrong;
	char *text;               /* of the last token; owned */
	size_t length, room;
	unsigned char block[65536];
	size_t at, end;           /* the part of the block that is not read yet */
};

void json_tokens_init(struct json_tokens *tokens, int fd);
void json_tokens_release(struct json_tokens *tokens);
/* The next token: an enum json_token, or a character. */
int json_next(struct json_tokens *tokens);

#endif
