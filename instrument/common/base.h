/* SPDX-License-Identifier: BSD-3-Clause */
/* base.h - errors, words, text and files for all parts of sisc.
 *
 * sisc runs for one command line, so some memory is freed only at its end. Out of memory is the
 * only error that is reported where it is detected. */
#ifndef SISC_BASE_H
#define SISC_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Filled once, where the problem is found; printed once, by main. */
struct err {
	char text[1024]; /* "problem: reason; what to do"; "" when already reported or none */
};
/* Both return -1. */
int sis_err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "cannot WHAT 'NAME': reason" */
int sis_err_errno(struct err *err, const char *what, const char *name);

void *sis_alloc(size_t count, size_t size);            /* zeroed; never NULL */
void *sis_realloc(void *at, size_t count, size_t size);/* never NULL */
char *sis_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A list of words in the form that exec takes. */
struct words {
	char **at;     /* `count` strings, then NULL; NULL while empty */
	size_t count;
};
void sis_words_add(struct words *words, const char *word);  /* copies */
void sis_words_addf(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sis_words_join(struct words *words, const struct words *more);
void sis_words_release(struct words *words);

/* A text that grows. */
struct text {
	char *at;      /* NUL-ended; NULL while empty */
	size_t length, room;
};
void sis_text_put(struct text *text, const char *bytes, size_t length);
void sis_text_add(struct text *text, const char *string);
void sis_text_addf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sis_text_release(struct text *text);

/* Prints one line. The formatted text is escaped (escape_char.h): names in it contain no newlines
 * and no control sequences of a terminal. */
void sis_print_line(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whole files. 0 or -1. */
int sis_file_read(const char *name, struct text *out, struct err *err);
int sis_file_write(const char *name, const char *bytes, size_t length, struct err *err);

const char *sis_basename(const char *path);
bool sis_starts(const char *string, const char *prefix);
bool sis_ends(const char *string, const char *suffix);
bool sis_is_stdin(const char *input); /* the name of standard input on a command line */
/* `path` without the suffix of its last component: "d.x/a.c" -> "d.x/a". To be freed. */
char *sis_strip_suffix(const char *path);
/* `path` without its words "." and without repeated slashes: "./a//b.h" -> "a/b.h". To be
 * freed. */
char *sis_plain_path(const char *path);

#endif
