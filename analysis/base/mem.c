/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.c - allocation for the whole analyzer. Owns no state; any thread. Out of memory ends the
 * program. */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (memory)
		return memory;
	fputs("sis-analyze: error: out of memory; analyze on a machine with more\n", stderr);
	exit(1);
}

void *mem_alloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

char *mem_string(const char *text)
{
	return checked(strdup(text ? text : ""));
}

char *mem_print(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	return checked(length < 0 ? NULL : text);
}

void vec_grow(void **at, size_t *room, size_t n, size_t size)
{
	if (n >= *room) {
		*room = *room ? *room * 2 : 16;
		*at = checked(reallocarray(*at, *room, size));
	}
	/* only the items, because zeroing the rest of the room would make the system allocate its
	 * pages */
	memset((char *)*at + n * size, 0, size);
}

void mem_free(void **at)
{
	free(*at);
	*at = NULL;
}
