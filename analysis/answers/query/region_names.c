/* SPDX-License-Identifier: BSD-3-Clause */
/* region_names.c - see region_names.h. Pure functions. A key is FILE:FUNCTION:TYPE:NAME:ORDINAL.
 * Only FILE may contain colons. */
#include "answers/query/region_names.h"

#include <stdlib.h>
#include <string.h>

/* Whether a text is the name in the region's key, which has no line. */
static bool is_bare_name(const struct region_name *region, const char *text, size_t length)
{
	const char *key = region->key;
	size_t end = strlen(key);
	while (end && key[end - 1] != ':')
		end--;
	size_t begin = end ? end - 1 : 0;
	while (begin && key[begin - 1] != ':')
		begin--;
	size_t n = begin && end ? end - 1 - begin : 0;
	return n && n == length && strncmp(key + begin, text, n) == 0;
}

static bool is_line(const struct region_name *region, const char *digits)
{
	char *end;
	long line = strtol(digits, &end, 10);
	return *digits >= '1' && *digits <= '9' && !*end && line == region->line;
}

/* Whether a text is FILE:LINE of the region; FILE may lack its first directories. */
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
