/* SPDX-License-Identifier: BSD-3-Clause */
/* path.c - treats a path as a list of words, in which ".." removes the word before it. It has no
 * state; any thread may call it. LIMIT: a ".." removes the word before it even if this word is a
 * symbolic link. So a path with ".." after a link may name another file. */
#include "base/path.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* Appends the words of `path` to `out`, each after a slash. */
static void append(struct buf *out, const char *path)
{
	for (size_t n; path += strspn(path, "/"), (n = strcspn(path, "/")) > 0; path += n) {
		if (n == 1 && path[0] == '.')
			continue;
		if (n == 2 && path[0] == '.' && path[1] == '.') {
			while (out->length && out->at[--out->length] != '/')
				;
			if (out->at)
				out->at[out->length] = 0;
			continue;
		}
		buf_print(out, "/%.*s", (int)n, path);
	}
}

char *path_absolute(const char *directory, const char *file)
{
	struct buf out = { 0 };
	if (!file[0] || file[0] == '<' || (file[0] != '/' && directory[0] != '/'))
		return NULL;
	if (file[0] != '/')
		append(&out, directory);
	append(&out, file);
	if (!out.length)
		buf_print(&out, "/");
	return buf_take(&out);
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* Length of the longest common prefix of whole words; 0: only the root. */
static size_t common_length(const char *a, const char *b)
{
	size_t whole = 0;
	for (size_t i = 0;; i++) {
		if ((!a[i] || a[i] == '/') && (!b[i] || b[i] == '/'))
			whole = i;
		if (!a[i] || a[i] != b[i])
			return whole;
	}
}

char *path_common(const char *a, const char *b)
{
	size_t n = common_length(a, b);
	return n ? mem_print("%.*s", (int)n, a) : mem_string("/");
}

char *path_relative(const char *directory, const char *path)
{
	size_t n = common_length(directory, path);
	struct buf out = { 0 };
	if (n == 0)
		return mem_string(path);
	for (const char *p = directory + n; *p; p++)
		if (*p == '/' && p[1])
			buf_print(&out, "../");
	buf_print(&out, "%s", path + n + (path[n] == '/'));
	return buf_take(&out);
}

char *path_place(const char *file, int64_t line)
{
	return !file[0] ? mem_string("-") :
		line	? mem_print("%s:%lld", file, (long long)line) :
			  mem_string(file);
}
