/* SPDX-License-Identifier: BSD-3-Clause */
/* region_names.c - see region_names.h. Pure functions. A key is FILE:FUNCTION:TYPE:NAME:ORDINAL;
 * FILE may contain colons. */
#include "query/region_names.h"

#include <stdlib.h>
#include <string.h>

/* The name in the key, which is without a line; *length 0: the key has none. */
static const char *bare_name(const char *key, size_t *length)
{
	size_t end = strlen(key), begin;
	while (end && key[end - 1] != ':')
		end--;
	begin = end ? end - 1 : 0;
	while (begin && key[begin - 1] != ':')
		begin--;
	*length = begin && end ? end - 1 - begin : 0;
	return key + begin;
}

static bool is_bare_name(const struct region_name *region, const char *text, size_t length)
{
	size_t n;
	const char *bare = bare_name(region->key, &n);
	return n && n == length && strncmp(bare, text, n) == 0;
}

static bool is_line(const struct region_name *region, const char *digits)
{
	char *end;
	long line = strtol(digits, &end, 10);
	return *digits >= '1' && *digits <= '9' && !*end && line == region->line;
}

/* FILE:LINE; the file may be without its first directories. */
static bool is_position(const struct region_name *region, const char *text)
{
	const char *colon = strrchr(text, ':');
	size_t n = strlen(region->file), length = colon ? (size_t)(colon - text) : 0;
	return length && length <= n && is_line(region, colon + 1) &&
		strncmp(region->file + n - length, text, length) == 0 &&
		(length == n || region->file[n - length - 1] == '/');
}

static bool is_name_at_line(const struct region_name *region, const char *text)
{
	const char *at = strrchr(text, '@');
	size_t length = at ? (size_t)(at - text) : 0;
	return length && is_line(region, at + 1) &&
		((strlen(region->name) == length && strncmp(region->name, text, length) == 0) ||
		 is_bare_name(region, text, length));
}

bool region_is_named(const struct region_name *region, const char *text)
{
	return strcmp(region->name, text) == 0 || strcmp(region->key, text) == 0 ||
		is_bare_name(region, text, strlen(text)) || is_name_at_line(region, text) ||
		is_position(region, text);
}
