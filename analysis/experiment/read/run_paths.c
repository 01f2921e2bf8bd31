/* SPDX-License-Identifier: BSD-3-Clause */
/* run_paths.c - see run_paths.h. Owns nothing. Called by one thread.
 *
 * A host's file may be damaged or hostile. Pages that are no entry are skipped. The size of an
 * entry is checked against the file, and its name is only shown and compared: no file of this name
 * is made. */
#include "experiment/read/run_paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/sort.h"
#include "host_file.h"
#include "profile.h"

/* -- the file `run` ---------------------------------------------------------------------------- */

/* A line of the file `run` that begins with this text, without the text; NULL: there is none. Any
 * directory may have a file of this name, so a large one is not read. */
static char *line_after(const char *directory, const char *start)
{
	enum { MOST_BYTES = 16 << 20 };
	char *path = mem_print("%s/run", directory), *line = NULL, *found = NULL;
	size_t room = 0;
	struct stat st;
	struct err absent = { 0 };
	int fd = file_open(path, &st, &absent);
	FILE *file = fd >= 0 && st.st_size <= MOST_BYTES ? fdopen(fd, "r") : NULL;
	while (file && !found && getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, start, strlen(start)) == 0)
			found = mem_string(line + strlen(start));
	}
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	free(line);
	free(path);
	return found;
}

char *run_value(const char *directory, const char *key)
{
	char *start = key ? mem_print("%s\t", key) : mem_string("");
	char *value = line_after(directory, start);
	free(start);
	return value;
}

char *run_local_directory(const char *directory)
{
	char *id = run_value(directory, NULL), *tmpdir = run_value(directory, "tmpdir"),
	     *path = mem_alloc(PATH_MAX, 1);
	bool found = id && tmpdir && sis_host_directory(path, PATH_MAX, tmpdir, id) &&
		sis_host_is_ours(path);
	free(id);
	free(tmpdir);
	if (found)
		return path;
	free(path);
	return NULL;
}

/* -- files in a host's file -------------------------------------------------------------------- */

/* A file that was found. Files in host files have a size and a checksum. */
struct found { char *path; uint64_t size, sum; };
typedef VEC(struct found) found_files;

static bool is_host_name(const char *name)
{
	size_t length = strlen(name);
	return strncmp(name, "host-", 5) == 0 && length > 9 &&
		strcmp(name + length - 4, ".sis") == 0;
}

/* Splits a path in a host's file. Returns the path of the host's file, which the caller frees;
 * NULL: the path is an ordinary one. */
static char *split(const char *path, uint64_t *at)
{
	const char *name = path_base(path);
	char *host = name > path ? mem_print("%.*s", (int)(name - path - 1), path) : NULL, *end;
	char *mark = host ? strrchr(host, '@') : NULL;
	if (mark && mark[1] >= '0' && mark[1] <= '9') {
		*mark = '\0';
		*at = strtoull(mark + 1, &end, 10);
		if (!*end && is_host_name(path_base(host)))
			return host;
	}
	free(host);
	return NULL;
}

bool run_path_is_in_host_file(const char *path)
{
	uint64_t at;
	char *host = split(path, &at);
	free(host);
	return host != NULL;
}

/* Whether the same file was found in a host's file. */
static bool is_known(const found_files *files, const char *name, uint64_t size, uint64_t sum)
{
	for (size_t i = 0; i < files->n; i++)
		if (files->at[i].size == size && files->at[i].sum == sum &&
		    strcmp(path_base(files->at[i].path), name) == 0)
			return true;
	return false;
}

static bool read_entry(int fd, uint64_t size, uint64_t at, struct sis_host_entry *entry)
{
	return at <= size && size - at >= SIS_PAGE &&
		pread(fd, entry, sizeof *entry, (off_t)at) == (ssize_t)sizeof *entry &&
		sis_host_is_entry(entry, size - at - SIS_PAGE);
}

/* Reads the next entry at or after *at, skipping pages that are none. Returns false at the end.
 * *at becomes the offset of the entry, *next the offset after its file. */
static bool next_entry(int fd, uint64_t size, uint64_t *at, uint64_t *next,
		       struct sis_host_entry *entry)
{
	for (off_t data; *at < size && (data = lseek(fd, (off_t)*at, SEEK_DATA)) >= 0;
	     *at += SIS_PAGE) {
		*at = (uint64_t)data / SIS_PAGE * SIS_PAGE;
		*next = *at + SIS_PAGE;
		if (!read_entry(fd, size, *at, entry))
			continue;
		*next += (entry->size + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE;
		return true;
	}
	return false;
}

static char *path_in(const char *host, uint64_t at, const char *name)
{
	return mem_print("%s@%" PRIu64 "/%s", host, at, name);
}

static void find_in_host_file(found_files *files, const char *path, bool (*is_wanted)(const char *))
{
	struct stat st;
	struct sis_host_entry entry;
	struct err unread = { 0 };
	int fd = file_open(path, &st, &unread);
	if (fd < 0)
		return;
	for (uint64_t at = 0, next; next_entry(fd, (uint64_t)st.st_size, &at, &next, &entry);
	     at = next)
		if (is_wanted(entry.name) && !is_known(files, entry.name, entry.size, entry.sum))
			*vec_push(files) = (struct found){ path_in(path, at, entry.name),
							   entry.size, entry.sum };
	close(fd);
}

/* `sis-analyze collect` appends a ring before its trace, so the ring is the last file of this name
 * before the trace. */
char *run_path_beside(const char *path, const char *name)
{
	struct stat st;
	struct sis_host_entry entry;
	struct err unread = { 0 };
	uint64_t own, ring = UINT64_MAX;
	char *host = split(path, &own), *found;
	int fd = host ? file_open(host, &st, &unread) : -1;
	for (uint64_t at = 0, next;
	     fd >= 0 && at < own && next_entry(fd, (uint64_t)st.st_size, &at, &next, &entry) &&
	     at < own; at = next)
		if (strcmp(entry.name, name) == 0)
			ring = at;
	if (fd >= 0)
		close(fd);
	found = host ? path_in(host, ring, name) :
		mem_print("%.*s%s", (int)(path_base(path) - path), path, name);
	free(host);
	return found;
}

/* Opens a file without a name, which the kernel removes when it is closed. */
static int open_unnamed(void)
{
	const char *directory = getenv("TMPDIR") ?: "/tmp";
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd >= 0 ? fd : memfd_create("sis", MFD_CLOEXEC);
}

static bool copy_bytes(int from, uint64_t offset, uint64_t size, int to)
{
	char piece[1 << 16];
	if (ftruncate(to, (off_t)size) != 0)
		return false;
	for (uint64_t done = 0; done < size;) {
		size_t most = size - done < sizeof piece ? (size_t)(size - done) : sizeof piece;
		ssize_t n = pread(from, piece, most, (off_t)(offset + done));
		if (n <= 0 || pwrite(to, piece, (size_t)n, (off_t)done) != n)
			return false;
		done += (uint64_t)n;
	}
	return true;
}

static int open_in_host_file(const char *host, uint64_t at, const char *path, struct err *err)
{
	struct stat st;
	struct sis_host_entry entry;
	uint64_t sum;
	int fd = file_open(host, &st, err), own = ERR_FAILED;
	if (fd < 0)
		return fd;
	if (!read_entry(fd, (uint64_t)st.st_size, at, &entry) ||
	    sis_host_sum(fd, at + SIS_PAGE, entry.size, &sum) != 0 || sum != entry.sum) {
		err_fail(err, "'%s' is damaged: it does not match its checksum; copy the "
			 "experiment again", path);
	} else if ((own = open_unnamed()) < 0 || !copy_bytes(fd, at + SIS_PAGE, entry.size, own)) {
		err_fail(err, "cannot copy '%s': %s; set TMPDIR to a directory that has room",
			 path, strerror(errno));
		if (own >= 0)
			close(own);
		own = ERR_FAILED;
	}
	close(fd);
	return own;
}

int run_path_open(const char *path, struct stat *st, struct err *err)
{
	uint64_t at;
	char *host = split(path, &at);
	int fd = host ? open_in_host_file(host, at, path, err) : file_open(path, st, err);
	if (host && fd >= 0 && st)
		fstat(fd, st);
	free(host);
	return fd;
}

/* -- all files of a run ------------------------------------------------------------------------ */

/* Whether a file of this host is also in the host's file: it is not removed yet, or was removed
 * after the directory was read. */
static bool is_appended(const found_files *files, const char *path)
{
	struct stat st = { 0 };
	struct err unread = { 0 };
	uint64_t sum = 0;
	bool has_name = false;
	for (size_t i = 0; i < files->n && !has_name; i++)
		has_name = strcmp(path_base(files->at[i].path), path_base(path)) == 0;
	if (!has_name)
		return false;
	int fd = file_open(path, &st, &unread);
	if (fd < 0)
		return true;
	bool known = sis_host_sum(fd, 0, (uint64_t)st.st_size, &sum) == 0 &&
		is_known(files, path_base(path), (uint64_t)st.st_size, sum);
	close(fd);
	return known;
}

static void find_in_directory(found_files *files, const char *directory,
			      bool (*is_wanted)(const char *))
{
	DIR *dir = opendir(directory);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		char *path = mem_print("%s/%s", directory, entry->d_name);
		if (is_host_name(entry->d_name))
			find_in_host_file(files, path, is_wanted);
		if (is_wanted(entry->d_name))
			*vec_push(files) = (struct found){ path, 0, 0 };
		else
			free(path);
	}
	if (dir)
		closedir(dir);
}

static int by_name(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	return strcmp(path_base(x->path), path_base(y->path)) ?: strcmp(x->path, y->path);
}

/* The directory of this host is read first: a file that is moved meanwhile is found twice, and not
 * missed. */
void run_paths_find(run_paths *paths, const char *directory, bool (*is_wanted)(const char *name))
{
	found_files files = { 0 }, here = { 0 };
	char *local = run_local_directory(directory);
	*paths = (run_paths){ 0 };
	if (local)
		find_in_directory(&here, local, is_wanted);
	free(local);
	find_in_directory(&files, directory, is_wanted);
	for (size_t i = 0; i < here.n; i++)
		if (is_appended(&files, here.at[i].path))
			free(here.at[i].path);
		else
			*vec_push(&files) = here.at[i];
	vec_sort(&files, by_name);
	for (size_t i = 0; i < files.n; i++)
		*vec_push(paths) = files.at[i].path;
	vec_free(&here);
	vec_free(&files);
}

void run_paths_release(run_paths *paths)
{
	for (size_t i = 0; i < paths->n; i++)
		free(paths->at[i]);
	vec_free(paths);
}
