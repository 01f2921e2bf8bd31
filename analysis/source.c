/* source.c - reads one source file and compares its checksum. Owns its text. One thread. */
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* FNV-1a, as sisc makes it (schema/idf.schema.json). */
static char *checksum_of(const char *text, size_t length)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211u;
	return mem_print("%016" PRIx64, h);
}

/* Bytes read; -1: no file to be read. */
static long read_whole(struct source *source, const char *path)
{
	struct stat st;
	struct err unread = { 0 };
	int fd = file_open(path, &st, &unread);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
	if (!file) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	source->modified_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	source->text = mem_alloc((size_t)st.st_size + 1, 1);
	size_t length = fread(source->text, 1, (size_t)st.st_size, file);
	int failed = ferror(file);
	fclose(file);
	return failed ? -1 : (long)length;
}

static void split(struct source *source, size_t length)
{
	for (size_t at = 0; at < length;) {
		char *line = source->text + at, *end = memchr(line, '\n', length - at);
		size_t n = end ? (size_t)(end - line) : length - at;
		*vec_push(&source->line) = line;
		line[n] = 0;
		if (n && line[n - 1] == '\r')
			line[n - 1] = 0;
		at += n + 1;
	}
}

void source_open(struct source *source, const char *path, const char *checksum)
{
	*source = (struct source){ .state = SOURCE_ABSENT };
	long length = read_whole(source, path);
	if (length < 0)
		return;
	char *now = checksum_of(source->text, length);
	source->state = !checksum[0] ? SOURCE_UNCHECKED : strcmp(now, checksum) == 0 ? SOURCE_UNCHANGED : SOURCE_CHANGED;
	free(now);
	split(source, length);
}

void source_release(struct source *source)
{
	free(source->text);
	vec_free(&source->line);
}

const char *source_state_name(enum source_state state)
{
	static const char *const name[] = { "unchanged", "changed", "absent", "unchecked" };
	return name[state];
}
