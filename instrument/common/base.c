/* SPDX-License-Identifier: BSD-3-Clause */
/* base.c - words, lines, files, names. All of sisc calls it; sisc has one thread. */
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

/* -- words ------------------------------------------------------------------------------------- */

static void take_word(struct words *words, char *word)
{
	if ((words->count & (words->count + 1)) == 0) /* room doubles at 0, 1, 3, 7, ... */
		words->at = mem_resize(words->at, 2 * words->count + 2, sizeof *words->at);
	words->at[words->count++] = word;
	words->at[words->count] = NULL;
}

void sis_words_add(struct words *words, const char *word)
{
	take_word(words, mem_string(word));
}

void sis_words_addf(struct words *words, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	take_word(words, mem_print_list(format, arguments));
	va_end(arguments);
}

void sis_words_join(struct words *words, const struct words *more)
{
	for (size_t i = 0; i < more->count; i++)
		sis_words_add(words, more->at[i]);
}

void sis_words_cut(struct words *words, size_t count)
{
	while (words->count > count) {
		free(words->at[--words->count]);
		words->at[words->count] = NULL;
	}
}

void sis_words_release(struct words *words)
{
	sis_words_cut(words, 0);
	free(words->at);
	*words = (struct words){ 0 };
}

/* -- lines ------------------------------------------------------------------------------------- */

void sis_print_line(FILE *file, const char *format, ...)
{
	va_list arguments;
	char next[SIS_ESCAPE_ROOM];
	struct buf line = { 0 };
	va_start(arguments, format);
	char *text = mem_print_list(format, arguments);
	va_end(arguments);
	for (const char *at = text; *at;)
		buf_put(&line, next, sis_escape_next(next, &at, SIS_ESCAPE_LINE));
	buf_add(&line, "\n");
	/* one call, because other processes may write to the file, too */
	fwrite(line.at, 1, line.length, file);
	buf_release(&line);
	free(text);
}

/* -- files ------------------------------------------------------------------------------------- */

int sis_file_read(const char *name, struct buf *out, struct err *err)
{
	char block[65536];
	size_t got;
	FILE *file = fopen(name, "rbe");
	if (!file)
		return err_errno(err, "open", name);
	while ((got = fread(block, 1, sizeof block, file)) > 0)
		buf_put(out, block, got);
	int failed = ferror(file) ? err_errno(err, "read", name) : 0;
	fclose(file);
	return failed;
}

/* Whether another user may have planted the symbolic link: all users can write to the link's
 * directory, and the link belongs to a user who is neither the caller nor the directory's owner. If
 * fs.protected_symlinks is set, the kernel does not follow such a link either. */
static bool is_planted(const char *name, const struct stat *link)
{
	struct stat status;
	const char *base = sis_basename(name);
	char *directory = base == name ? mem_print(".") :
					 mem_print("%.*s", (int)(base - name), name);
	bool known = stat(directory, &status) == 0;
	free(directory);
	return known && (status.st_mode & S_IWOTH) && link->st_uid != geteuid() &&
	       link->st_uid != status.st_uid;
}

int sis_file_write(const char *name, const char *bytes, size_t length, struct err *err)
{
	struct stat status;
	bool is_link = lstat(name, &status) == 0 && S_ISLNK(status.st_mode);
	if (is_link && is_planted(name, &status)) {
		errno = EACCES;
		return err_errno(err, "create", name);
	}
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (is_link ? 0 : O_NOFOLLOW),
		      0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!file)
		return err_errno(err, "create", name);
	int failed = fwrite(bytes, 1, length, file) != length;
	failed |= fclose(file) != 0;
	return failed ? err_errno(err, "write", name) : 0;
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
	return mem_print("%.*s", (int)length, path);
}

char *sis_plain_path(const char *path)
{
	struct buf plain = { 0 };
	buf_add(&plain, path[0] == '/' ? "/" : "");
	const char *between = "", *start = path;
	for (size_t n; path += strspn(path, "/"), (n = strcspn(path, "/")) > 0; path += n) {
		if (n == 1 && path[0] == '.')
			continue;
		buf_print(&plain, "%s%.*s", between, (int)n, path);
		between = "/";
	}
	if (!plain.length && path != start)
		buf_add(&plain, ".");
	return plain.at;
}
