/* SPDX-License-Identifier: BSD-3-Clause */
/* base.h - words, lines, files and names for all parts of sisc.
 *
 * sisc runs for one command line, so some memory is freed only at its end. */
#ifndef SISC_BASE_H
#define SISC_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/* A list of words in the form that exec takes. */
struct words {
	char **at;     /* `count` strings, then NULL; NULL while empty */
	size_t count;
};
void sis_words_add(struct words *words, const char *word);  /* copies */
void sis_words_addf(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sis_words_join(struct words *words, const struct words *more);
/* Keeps the first `count` words, at most. */
void sis_words_cut(struct words *words, size_t count);
void sis_words_release(struct words *words);

/* Prints one line. The formatted text is escaped (escape_char.h): names in it contain no newlines
 * and no control sequences of a terminal. */
void sis_print_line(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Read or write a whole file. Return 0 or -1. */
int sis_file_read(const char *name, struct buf *out, struct err *err);
int sis_file_write(const char *name, const char *bytes, size_t length, struct err *err);

const char *sis_basename(const char *path);
bool sis_starts(const char *string, const char *prefix);
bool sis_ends(const char *string, const char *suffix);
bool sis_is_stdin(const char *input); /* the word `-`, which names standard input */
/* `path` without the suffix of its last component: "d.x/a.c" -> "d.x/a". To be freed. */
char *sis_strip_suffix(const char *path);
/* `path` without its words "." and without repeated slashes: "./a//b.h" -> "a/b.h". To be
 * freed. */
char *sis_plain_path(const char *path);

#endif
