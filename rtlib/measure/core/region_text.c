/* SPDX-License-Identifier: BSD-3-Clause */
/* region_text.c - reads the names of regions from the description of their unit. Called by any
 * thread; owns nothing.
 *
 * sisc and user_region.c write these descriptions, so only their format is read: JSON without
 * blanks, in which `regions` is an array of objects. In a description that is cut off, or has
 * another format, fewer regions are found. */
#include "measure/core/region_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* These skip a value that begins at `at`, and return its end, or `end` if the value is cut off. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < end;
	return at < end ? at + 1 : end;
}

static const char *skip_value(const char *at, const char *end)
{
	int depth = 0;
	while (at < end) {
		if (depth == 0 && strchr(",}]", *at))
			return at;
		if (*at == '"') {
			at = skip_string(at, end);
			continue;
		}
		depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
		at++;
	}
	return end;
}

/* Writes the character of \uXXXX as UTF-8. In patterns, only '?' matches characters beyond the
 * first 65 536. */
static size_t put_code(char *out, const char *digits)
{
	char hex[5] = { digits[0], digits[1], digits[2], digits[3], 0 };
	unsigned code = (unsigned)strtoul(hex, NULL, 16);
	if (code < 0x80)
		return out[0] = (char)code, 1;
	if (code < 0x800)
		return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 0x3f)), 2;
	out[0] = (char)(0xe0 | code >> 12);
	out[1] = (char)(0x80 | (code >> 6 & 0x3f));
	out[2] = (char)(0x80 | (code & 0x3f));
	return 3;
}

void sis__description_copy(char *out, size_t size, const char *at, const char *end)
{
	size_t length = 0;
	for (at++; at < end && *at != '"' && length + 4 <= size; at++) {
		if (*at != '\\' || at + 1 >= end)
			out[length++] = *at;
		else if (*++at == 'u' && end - at > 4)
			length += put_code(out + length, at + 1), at += 4;
		else
			out[length++] = *at; /* sisc writes no others than \" and \\ */
	}
	out[length] = '\0';
}

static bool is_key(const char *key, const char *at)
{
	return strncmp(at + 1, key, strlen(key)) == 0 && at[1 + strlen(key)] == '"';
}

/* Reads the members of an object that begins at `at`. Returns the end of the object. */
static const char *take_object(struct sis_region_text *region, const char *at, const char *end);

static const char *take_member(struct sis_region_text *region, const char *key, const char *at,
			       const char *end)
{
	const struct { const char *key; char *out; size_t size; } strings[] = {
		{ "name", region->name, sizeof region->name },
		{ "symbol", region->symbol, sizeof region->symbol },
		{ "signature", region->signature, sizeof region->signature },
		{ "pattern", region->pattern, sizeof region->pattern },
		{ "unit", region->function, sizeof region->function },
		{ "file", region->file, sizeof region->file },
		{ "type", region->type, sizeof region->type },
	};
	if (is_key("aux", key))
		return take_object(region, at, end);
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		if (*at == '"' && is_key(strings[i].key, key))
			sis__description_copy(strings[i].out, strings[i].size, at, end);
	region->is_call |= is_key("callee", key);
	region->outer_loop |= is_key("outer_loop", key) && *at == 't';
	region->inner_loop |= is_key("inner_loop", key) && *at == 't';
	return skip_value(at, end);
}

static const char *take_object(struct sis_region_text *region, const char *at, const char *end)
{
	while (at < end && *at != '}') {
		const char *key = memchr(at, '"', (size_t)(end - at));
		const char *colon = key ? skip_string(key, end) : end;
		if (colon >= end || *colon != ':')
			return end;
		at = take_member(region, key, colon + 1, end);
	}
	return at < end ? at + 1 : end;
}

const char *sis__description_find(const char *description, size_t length, const char *key)
{
	const char *found = memmem(description, length, key, strlen(key));
	return found ? found + strlen(key) : NULL;
}

struct sis_region_texts sis__region_texts(const char *description, size_t length)
{
	const char *at = sis__description_find(description, length, "\"regions\":[");
	return (struct sis_region_texts){ at, description + length };
}

bool sis__region_texts_next(struct sis_region_texts *walk, struct sis_region_text *region)
{
	if (!walk->at || walk->at >= walk->end || *walk->at == ']')
		return false;
	memset(region, 0, sizeof *region);
	walk->at = take_object(region, walk->at, walk->end);
	return true;
}
