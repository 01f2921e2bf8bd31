/* SPDX-License-Identifier: BSD-3-Clause */
/* region_filter.c - which regions of a translation unit SIS_FILTER turns off. The thread that
 * registers the unit, under the lock of region_registry.c; so it needs no memory of its own.
 *
 * The probes of a region know its type alone. Names, functions and files are in the unit's
 * description (JSON, schema/idf.schema.json), which is read here, one region at a time, only if
 * there are rules. The program itself cannot be turned off.
 */
#include "core/region_filter.h"
#include "profile/text.h"
#include "run/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 1024, PATH = 4096, FILE_NAMES = 3 };

/* A region as its description says. */
static struct described {
	char name[NAME], function[NAME], file[PATH];
	char type[64];
	bool is_call, outer_loop, inner_loop;
} region;

/* -- JSON -------------------------------------------------------------------------------------- */

/* All of these begin at `at`, and return where the value ends; at most `end`. */
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

/* The character of \uXXXX as UTF-8; '?' matches what is not in the first 65 536. */
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

/* Copies a string, as much of it as there is room for. */
static void copy_string(char *out, size_t size, const char *at, const char *end)
{
	size_t length = 0;
	for (at++; at < end && *at != '"' && length + 4 <= size; at++) {
		if (*at != '\\' || at + 1 >= end)
			out[length++] = *at;
		else if (*++at == 'u' && end - at > 4)
			length += put_code(out + length, at + 1), at += 4;
		else
			out[length++] = *at; /* of the others, sisc writes \" and \\ */
	}
	out[length] = '\0';
}

static bool is_key(const char *key, const char *at)
{
	return strncmp(at + 1, key, strlen(key)) == 0 && at[1 + strlen(key)] == '"';
}

/* Takes the members of an object that begins at `at`. */
static const char *take_object(const char *at, const char *end);

static const char *take_member(const char *key, const char *at, const char *end)
{
	static const struct { const char *key; char *out; size_t size; } strings[] = {
		{ "name", region.name, sizeof region.name },
		{ "unit", region.function, sizeof region.function },
		{ "file", region.file, sizeof region.file },
		{ "type", region.type, sizeof region.type },
	};
	if (is_key("aux", key))
		return take_object(at, end);
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		if (*at == '"' && is_key(strings[i].key, key))
			copy_string(strings[i].out, strings[i].size, at, end);
	region.is_call |= is_key("callee", key);
	region.outer_loop |= is_key("outer_loop", key) && *at == 't';
	region.inner_loop |= is_key("inner_loop", key) && *at == 't';
	return skip_value(at, end);
}

static const char *take_object(const char *at, const char *end)
{
	while (at < end && *at != '}') {
		const char *key = memchr(at, '"', (size_t)(end - at));
		const char *colon = key ? skip_string(key, end) : end;
		if (colon >= end || *colon != ':')
			return end;
		at = take_member(key, colon + 1, end);
	}
	return at < end ? at + 1 : end;
}

/* -- files ------------------------------------------------------------------------------------- */

/* The names of the region's file that patterns are compared with, as in instrument/common/filter.c:
 * with and without "./", and the absolute path. */
static const char *const *names_of_file(const char *directory, const char *end)
{
	static char here[PATH], other[2][2 * PATH];
	static const char *names[FILE_NAMES + 1];
	size_t count = 0, length;
	here[0] = '\0';
	if (directory)
		copy_string(here, sizeof here, directory, end);
	length = strlen(here);
	const char *relative = region.file[0] != '/' ? region.file : NULL;
	if (!relative && length && strncmp(region.file, here, length) == 0 &&
	    region.file[length] == '/')
		relative = region.file + length + 1;
	names[count++] = relative ? relative : region.file;
	if (relative) {
		snprintf(other[0], sizeof other[0], "./%s", relative);
		names[count++] = other[0];
	}
	if (relative && length) {
		snprintf(other[1], sizeof other[1], "%s/%s", here, relative);
		names[count++] = other[1];
	}
	names[count] = NULL;
	return names;
}

/* -- regions ----------------------------------------------------------------------------------- */

static const char *find(const struct sis_unit *unit, const char *key)
{
	const char *found = memmem(unit->idf, unit->idf_length, key, strlen(key));
	return found ? found + strlen(key) : NULL;
}

void sis__region_filter_begin(struct sis_region_filter *filter, const struct sis_unit *unit)
{
	*filter = (struct sis_region_filter){ .unit = unit, .first = 1 };
	if (!sis__filter_has_rules())
		return;
	filter->at = find(unit, "\"regions\":[");
	filter->end = unit->idf + unit->idf_length;
	const char *directory = find(unit, "\"directory\":");
	filter->directory = directory && *directory == '"' ? directory : NULL;
}

static bool excludes(const struct sis_region_filter *filter)
{
	const struct sis_filter_region compared = {
		.type = sis_region_by_name(region.type, strlen(region.type)),
		.outer_loop = region.outer_loop,
		.inner_loop = region.inner_loop,
		.is_call = region.is_call,
		.name = region.name,
		.function = region.function,
		.file = names_of_file(filter->directory, filter->end),
	};
	return compared.type != CR_P && sis__filter_excludes(&compared);
}

static void note_line(struct sis_region_filter *filter)
{
	const struct sis_unit *unit = filter->unit;
	if (filter->length)
		sis__text("off", "%016llx\t%s",
			  (unsigned long long)sis_checksum(unit->idf, unit->idf_length),
			  filter->off);
	filter->length = 0;
}

static void end_range(struct sis_region_filter *filter)
{
	enum { RANGE = 24 }; /* bytes that a range may have */
	if (filter->first > filter->last)
		return;
	if (filter->length + RANGE > sizeof filter->off)
		note_line(filter);
	filter->length += (size_t)snprintf(filter->off + filter->length,
					   sizeof filter->off - filter->length, "%s%u-%u",
					   filter->length ? "," : "", filter->first, filter->last);
	filter->first = 1;
	filter->last = 0;
}

bool sis__region_filter_next(struct sis_region_filter *filter, unsigned k)
{
	if (!filter->at || filter->at >= filter->end)
		return false;
	region = (struct described){ 0 };
	filter->at = take_object(filter->at, filter->end);
	if (!excludes(filter)) {
		end_range(filter);
		return false;
	}
	filter->first = filter->first > filter->last ? k : filter->first;
	filter->last = k;
	return true;
}

void sis__region_filter_note(struct sis_region_filter *filter)
{
	end_range(filter);
	note_line(filter);
}
