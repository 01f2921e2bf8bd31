/* SPDX-License-Identifier: BSD-3-Clause */
/* mem.c - allocation. It has no state; any thread may call it. If memory is out, the program
 * ends. */
#include "base/mem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (memory)
		return memory;
	fprintf(stderr, "%s: error: out of memory; use a machine with more\n",
		program_invocation_short_name);
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

void *mem_resize(void *at, size_t count, size_t size)
{
	return checked(reallocarray(at, count, size));
}

char *mem_print_list(const char *format, va_list arguments)
{
	char *text = NULL;
	int length = vasprintf(&text, format, arguments);
	return checked(length < 0 ? NULL : text);
}

char *mem_print(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = mem_print_list(format, arguments);
	va_end(arguments);
	return text;
}

void vec_grow(void **at, size_t *room, size_t n, size_t size)
{
	if (n >= *room) {
		*room = *room ? *room * 2 : 16;
		*at = mem_resize(*at, *room, size);
	}
	/* only the new item is zeroed: to zero the rest of the room would make the system allocate
	 * its pages */
	memset((char *)*at + n * size, 0, size);
}

void mem_free(void **at)
{
	free(*at);
	*at = NULL;
}
