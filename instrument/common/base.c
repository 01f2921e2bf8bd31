/* SPDX-License-Identifier: BSD-3-Clause */
/* base.c - errors, words, text, files. All of sisc calls it; sisc has one thread.
 * The idea: callers never see a failed allocation, and an error is a complete sentence. */
#include "common/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "escape_char.h"

int sis_err_set(struct err *err, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(err->text, sizeof err->text, format, arguments);
	va_end(arguments);
	return -1;
}

int sis_err_errno(struct err *err, const char *what, const char *name)
{
	return sis_err_set(err, "cannot %s '%s': %s", what, name, strerror(errno));
}

static void *must(void *at)
{
	if (!at) {
		fputs("sisc: error: out of memory\n", stderr);
		exit(1);
	}
	return at;
}

void *sis_alloc(size_t count, size_t size)
{
	return must(calloc(count ? count : 1, size));
}

void *sis_realloc(void *at, size_t count, size_t size)
{
	return must(reallocarray(at, count, size));
}

static char *format_list(const char *format, va_list arguments)
{
	char *out;
	if (vasprintf(&out, format, arguments) < 0)
		must(NULL);
	return out;
}

char *sis_format(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *out = format_list(format, arguments);
	va_end(arguments);
	return out;
}

/* -- words ------------------------------------------------------------------------------------- */

static void take_word(struct words *words, char *word)
{
	if ((words->count & (words->count + 1)) == 0) /* room doubles at 0, 1, 3, 7, ... */
		words->at = sis_realloc(words->at, 2 * words->count + 2, sizeof *words->at);
	words->at[words->count++] = word;
	words->at[words->count] = NULL;
}

void sis_words_add(struct words *words, const char *word)
{
	take_word(words, must(strdup(word)));
}

void sis_words_addf(struct words *words, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	take_word(words, format_list(format, arguments));
	va_end(arguments);
}

void sis_words_join(struct words *words, const struct words *more)
{
	for (size_t i = 0; i < more->count; i++)
		sis_words_add(words, more->at[i]);
}

void sis_words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->at[i]);
	free(words->at);
	*words = (struct words){ 0 };
}

/* -- text -------------------------------------------------------------------------------------- */

void sis_text_put(struct text *text, const char *bytes, size_t length)
{
	if (text->length + length + 1 > text->room) {
		text->room = 2 * (text->length + length + 1);
		text->at = sis_realloc(text->at, text->room, 1);
	}
	if (length)
		memcpy(text->at + text->length, bytes, length);
	text->length += length;
	text->at[text->length] = '\0';
}

void sis_text_add(struct text *text, const char *string)
{
	sis_text_put(text, string, strlen(string));
}

void sis_text_addf(struct text *text, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *more = format_list(format, arguments);
	va_end(arguments);
	sis_text_add(text, more);
	free(more);
}

void sis_text_release(struct text *text)
{
	free(text->at);
	*text = (struct text){ 0 };
}

void sis_print_line(FILE *file, const char *format, ...)
{
	va_list arguments;
	char next[SIS_ESCAPE_ROOM];
	struct text line = { 0 };
	va_start(arguments, format);
	char *text = format_list(format, arguments);
	va_end(arguments);
	for (const char *at = text; *at;)
		sis_text_put(&line, next, sis_escape_next(next, &at, SIS_ESCAPE_LINE));
	sis_text_add(&line, "\n");
	/* in one call, because other processes may write to the file, too */
	fwrite(line.at, 1, line.length, file);
	sis_text_release(&line);
	free(text);
}

/* -- files ------------------------------------------------------------------------------------- */

int sis_file_read(const char *name, struct text *out, struct err *err)
{
	char block[65536];
	size_t got;
	FILE *file = fopen(name, "rbe");
	if (!file)
		return sis_err_errno(err, "open", name);
	while ((got = fread(block, 1, sizeof block, file)) > 0)
		sis_text_put(out, block, got);
	int failed = ferror(file) ? sis_err_errno(err, "read", name) : 0;
	fclose(file);
	return failed;
}

/* Whether the link may have been planted by another user: all users can write to its directory, and
 * it belongs neither to us nor to the directory's owner. The kernel follows no such link either, if
 * fs.protected_symlinks is set. */
static bool is_planted(const char *name, const struct stat *link)
{
	struct stat status;
	const char *base = sis_basename(name);
	char *directory = base == name ? sis_format(".") :
					 sis_format("%.*s", (int)(base - name), name);
	bool known = stat(directory, &status) == 0;
	free(directory);
	return known && (status.st_mode & S_IWOTH) && link->st_uid != geteuid() &&
	       link->st_uid != status.st_uid;
}

static FILE *open_to_write(const char *name)
{
	struct stat status;
	bool is_link = lstat(name, &status) == 0 && S_ISLNK(status.st_mode);
	if (is_link && is_planted(name, &status)) {
		errno = EACCES;
		return NULL;
	}
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (is_link ? 0 : O_NOFOLLOW),
		      0666);
	return fd < 0 ? NULL : fdopen(fd, "wb");
}

int sis_file_write(const char *name, const char *bytes, size_t length, struct err *err)
{
	FILE *file = open_to_write(name);
	if (!file)
		return sis_err_errno(err, "create", name);
	int failed = fwrite(bytes, 1, length, file) != length;
	failed |= fclose(file) != 0;
	return failed ? sis_err_errno(err, "write", name) : 0;
}

/* -- names ------------------------------------------------------------------------------------- */

const char *sis_basename(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool sis_starts(const char *string, const char *prefix)
{
	return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool sis_is_stdin(const char *input)
{
	return strcmp(input, "-") == 0;
}

bool sis_ends(const char *string, const char *suffix)
{
	size_t n = strlen(string), m = strlen(suffix);
	return n >= m && strcmp(string + n - m, suffix) == 0;
}

char *sis_strip_suffix(const char *path)
{
	const char *base = sis_basename(path);
	const char *dot = strrchr(base, '.');
	size_t length = dot && dot != base ? (size_t)(dot - path) : strlen(path);
	return sis_format("%.*s", (int)length, path);
}

char *sis_plain_path(const char *path)
{
	struct text plain = { 0 };
	sis_text_add(&plain, path[0] == '/' ? "/" : "");
	const char *between = "", *start = path;
	for (size_t n; path += strspn(path, "/"), (n = strcspn(path, "/")) > 0; path += n) {
		if (n == 1 && path[0] == '.')
			continue;
		sis_text_addf(&plain, "%s%.*s", between, (int)n, path);
		between = "/";
	}
	if (!plain.length && path != start)
		sis_text_add(&plain, ".");
	return plain.at;
}
