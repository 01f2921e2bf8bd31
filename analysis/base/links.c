/* SPDX-License-Identifier: BSD-3-Clause */
/* links.c - follows the links of a path one by one, and checks each of them (links.h). It has no
 * state; any thread may call it. */
#include "base/links.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

enum { MOST_LINKS = 40 }; /* as in the kernel */

struct walk {
	const char *path; /* as the user wrote it */
	struct buf done;  /* the path so far, without links */
	int links;
};

static void cut(struct buf *buf, size_t length)
{
	buf->length = length;
	if (buf->at)
		buf->at[length] = '\0';
}

static bool is_planted(const struct stat *link, const char *directory)
{
	struct stat st;
	return stat(directory, &st) == 0 && (st.st_mode & S_IWOTH) &&
		link->st_uid != geteuid() && link->st_uid != st.st_uid;
}

/* Appends a word of a path. Returns the length before. */
static size_t add_word(struct buf *done, const char *word, size_t n)
{
	size_t before = done->length;
	bool needs_slash = before && done->at[before - 1] != '/';
	buf_print(done, "%s%.*s", needs_slash ? "/" : "", (int)n, word);
	return before;
}

/* Removes the last word, or appends "..": a relative path may begin with several of them. */
static void go_up(struct buf *done)
{
	const char *slash = strrchr(done->at, '/');
	if (strcmp(done->at, ".") == 0)
		cut(done, 0);
	if (!done->length || strcmp(slash ? slash + 1 : done->at, "..") == 0)
		add_word(done, "..", 2);
	else
		cut(done, slash == done->at ? 1 : (size_t)(slash - done->at));
}

static int add_path(struct walk *w, const char *path, struct err *err);

/* Replaces the last word of `done`, which is a link, by the link's target. */
static int follow(struct walk *w, size_t before, const struct stat *link, struct err *err)
{
	char target[PATH_MAX];
	ssize_t n = readlink(w->done.at, target, sizeof target - 1);
	errno = n >= 0 && ++w->links > MOST_LINKS ? ELOOP : errno;
	if (n < 0 || w->links > MOST_LINKS)
		return err_fail(err, "cannot open '%s': %s; check the name and its permissions",
				w->path, strerror(errno));
	cut(&w->done, before);
	if (is_planted(link, w->done.at))
		return err_fail(err, "cannot write '%s': it leads over a symbolic link of another "
				"user in '%s', where all users can write; remove the link, or name "
				"another place", w->path, w->done.at);
	target[n] = '\0';
	return add_path(w, target, err);
}

static int add_path(struct walk *w, const char *path, struct err *err)
{
	struct stat st;
	int rc = 0;
	if (*path == '/') {
		cut(&w->done, 0);
		buf_print(&w->done, "/");
	}
	for (size_t n; rc == 0 && (path += strspn(path, "/"), n = strcspn(path, "/")); path += n) {
		if (n == 2 && strncmp(path, "..", 2) == 0) {
			go_up(&w->done);
		} else if (n > 1 || *path != '.') {
			size_t before = add_word(&w->done, path, n);
			if (lstat(w->done.at, &st) == 0 && S_ISLNK(st.st_mode))
				rc = follow(w, before, &st, err);
		}
	}
	return rc;
}

/* A relative path with a colon begins with "./", because SQLite gives names such as ":memory:"
 * another meaning. */
char *links_follow(const char *path, struct err *err)
{
	struct walk w = { .path = path };
	buf_print(&w.done, ".");
	int rc = add_path(&w, path, err);
	bool is_plain = strncmp(w.done.at, "./", 2) == 0 && !strchr(w.done.at, ':');
	char *followed = rc ? NULL : mem_string(w.done.at + (is_plain ? 2 : 0));
	free(w.done.at);
	return followed;
}
