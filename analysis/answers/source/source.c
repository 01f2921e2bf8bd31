/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - reads one source file and compares its checksum with the recorded one. Owns the text
 * of the file. One thread. An experiment may come from another user, who could name a private file
 * of the present user in it. So a file is shown only if it is a regular file and its bytes have the
 * recorded checksum (schema/source_checksum.h says what an equal checksum proves). The bytes that
 * were checked are shown; the file is not opened again. */
#include "answers/source/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "source_checksum.h"

/* Reads the whole file, and at most one byte more than its size. Returns the number of bytes, or -1
 * if the file cannot be read. */
static ssize_t read_bytes(int file, char *text, size_t room)
{
	size_t length = 0;
	while (length < room) {
		ssize_t n = read(file, text + length, room - length);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : (ssize_t)length;
		length += n;
	}
	return length;
}

static enum source_state read_source(struct source *source, int file, size_t size,
				     const char *checksum)
{
	char sum[17];
	source->text = mem_alloc(size + 2, 1);
	ssize_t length = read_bytes(file, source->text, size + 1);
	if (length < 0)
		return SOURCE_ABSENT;
	if ((size_t)length > size)
		return SOURCE_CHANGED;
	snprintf(sum, sizeof sum, "%016" PRIx64, sis_fnv(SIS_FNV_START, source->text, length));
	if (strcmp(sum, checksum) != 0)
		return SOURCE_CHANGED;
	for (ssize_t at = 0; at < length;) {
		char *line = source->text + at, *end = memchr(line, '\n', length - at);
		ssize_t n = end ? end - line : length - at;
		*vec_push(&source->line) = line;
		line[n] = 0;
		if (n && line[n - 1] == '\r')
			line[n - 1] = 0;
		at += n + 1;
	}
	return SOURCE_UNCHANGED;
}

static enum source_state examine(struct source *source, const char *path, const char *checksum)
{
	struct stat st;
	struct err unread = { 0 };
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return SOURCE_IRREGULAR;
	int file = file_open(path, &st, &unread);
	if (file < 0)
		return SOURCE_ABSENT;
	enum source_state state = SOURCE_UNCHECKED;
	if (checksum[0] && st.st_size > SIS_SOURCE_MOST_BYTES)
		state = SOURCE_OVERSIZE;
	else if (checksum[0])
		state = read_source(source, file, st.st_size, checksum);
	close(file);
	return state;
}

void source_open(struct source *source, const char *path, const char *checksum)
{
	*source = (struct source){ .state = SOURCE_ABSENT };
	source->state = examine(source, path, checksum);
	if (source->state != SOURCE_UNCHANGED)
		source_release(source);
}

void source_release(struct source *source)
{
	mem_free((void **)&source->text);
	vec_free(&source->line);
}

static const struct { const char *name, *reason; } state[] = {
	[SOURCE_UNCHANGED] = { "unchanged", "as it was compiled" },
	[SOURCE_CHANGED] = { "changed", "changed since it was compiled" },
	[SOURCE_ABSENT] = { "absent", "absent, or cannot be read" },
	[SOURCE_UNCHECKED] = { "unchecked", "no checksum of it was recorded" },
	[SOURCE_IRREGULAR] = { "irregular", "not a regular file" },
	[SOURCE_OVERSIZE] = { "oversize", "larger than 64 MiB" },
};

const char *source_state_name(enum source_state of)
{
	return state[of].name;
}

const char *source_state_reason(enum source_state of)
{
	return state[of].reason;
}
