/* SPDX-License-Identifier: BSD-3-Clause */
/* text_cursor.h - walks through a text of rules, and counts lines and columns. The parsers of
 * filter files, control rules and routines use it. In all of these texts, words are separated by
 * blanks, and by comments from # to the end of the line. */
#ifndef SIS_SCHEMA_TEXT_CURSOR_H
#define SIS_SCHEMA_TEXT_CURSOR_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sis_text_place { uint32_t line, column; }; /* from 1 */

struct sis_text_cursor {
	const char *at, *end;       /* the rest of the text */
	struct sis_text_place next; /* the place of `at` */
};

static inline struct sis_text_cursor sis_text_begin(const char *text, size_t length)
{
	return (struct sis_text_cursor){ text, text + length, { 1, 1 } };
}

/* Moves to the next byte. There must be one. */
static inline void sis_text_step(struct sis_text_cursor *c)
{
	if (*c->at++ == '\n') {
		c->next.line++;
		c->next.column = 0;
	}
	c->next.column++;
}

static inline void sis_text_skip_blanks(struct sis_text_cursor *c)
{
	bool comment = false;
	for (; c->at < c->end && (comment || isspace((unsigned char)*c->at) || *c->at == '#');
	     sis_text_step(c))
		comment = *c->at == '#' || (comment && *c->at != '\n');
}

#endif
