/* SPDX-License-Identifier: BSD-3-Clause */
/* test_region_filter.c - what SIS_FILTER compares with its rules, as read from descriptions. The
 * rules, and the text of the profile, are the test's own. */
// link: rtlib/measure/core/region_filter.c rtlib/measure/core/region_text.c
#include "measure/core/region_filter.h"
#include "output/profile/text.h"
#include "output/run/filter.h"
#include "unit.h"

#include <stdarg.h>

static char compared[4096]; /* the regions that were compared */
static char note[8192];     /* lines of text */

bool sis__filter_has_rules(void) { return true; }

/* Excludes names that begin with x. */
bool sis__filter_excludes(const struct sis_filter_region *region)
{
	size_t at = strlen(compared);
	at += (size_t)snprintf(compared + at, sizeof compared - at, "%s %s %s%s%s%s",
			       sis_region_table[region->type].name, region->name, region->function,
			       region->is_call ? " call" : "", region->outer_loop ? " outer" : "",
			       region->inner_loop ? " inner" : "");
	for (const char *const *file = region->file; *file && at < sizeof compared; file++)
		at += (size_t)snprintf(compared + at, sizeof compared - at, " %s", *file);
	if (at < sizeof compared)
		snprintf(compared + at, sizeof compared - at, ";");
	return region->name[0] == 'x';
}

void sis__text(const char *kind, const char *format, ...)
{
	va_list arguments;
	size_t at = strlen(note);
	at += (size_t)snprintf(note + at, sizeof note - at, "%s ", kind);
	va_start(arguments, format);
	vsnprintf(note + at, sizeof note - at, format, arguments);
	va_end(arguments);
}

/* Walks through the regions; returns how many are off. */
static unsigned walk(const char *json, size_t length, unsigned count)
{
	struct sis_unit unit = { .count = count, .idf = json, .idf_length = length };
	struct sis_region_filter filter;
	unsigned off = 0;
	compared[0] = note[0] = '\0';
	sis__region_filter_begin(&filter, &unit);
	for (unsigned k = 0; k < count; k++)
		off += sis__region_filter_next(&filter, k);
	sis__region_filter_note(&filter);
	return off;
}

static const char description[] =
	"{\"source\":\"a.c\",\"directory\":\"/d\\\\e\",\"files\":[{\"file\":\"u.h\"}],"
	"\"regions\":[\n"
	"{\"id\":0,\"name\":\"main\",\"type\":\"CR_P\",\"file\":\"a.c\",\"unit\":\"main\","
	"\"metrics\":[],\"key\":\"x:{]\",\"aux\":{\"parent\":-1,\"entries\":1}},\n"
	"{\"id\":1,\"name\":\"x\\\"\\u00e9\",\"type\":\"CR_S\",\"file\":\"/d\\\\e/s/a.c\","
	"\"unit\":\"f\",\"metrics\":[\"A\",\"B\"],\"aux\":{\"callee\":\"x\"}},\n"
	"{\"id\":2,\"name\":\"x@4\",\"type\":\"CR_FOR\",\"file\":\"/r/a.c\",\"unit\":\"f\","
	"\"aux\":{\"outer_loop\":true,\"inner_loop\":false}},\n"
	"{\"id\":3,\"unit\":\"g\",\"name\":\"y\",\"file\":\"a.c\",\"type\":\"CR_F\"}]}";

START_TEST(regions_are_as_their_descriptions_say)
{
	ck_assert_uint_eq(walk(description, sizeof description - 1, 4), 2);
	ck_assert_str_eq(compared,
			 "CR_S x\"\xc3\xa9 f call s/a.c ./s/a.c /d\\e/s/a.c;"
			 "CR_FOR x@4 f outer /r/a.c;"
			 "CR_F y g a.c ./a.c /d\\e/a.c;");
	char wanted[64];
	snprintf(wanted, sizeof wanted, "off %016llx\t1-2",
		 (unsigned long long)sis_checksum(description, sizeof description - 1));
	ck_assert_str_eq(note, wanted);
}
END_TEST

/* What is missing is compared as empty, and nothing is read beyond the end. */
START_TEST(a_description_may_be_cut)
{
	for (size_t length = 0; length < sizeof description; length++) {
		char *copy = malloc(length + 1);
		memcpy(copy, description, length);
		copy[length] = '\0'; /* follows every description */
		ck_assert_uint_le(walk(copy, length, 4), 2);
		free(copy);
	}
}
END_TEST

START_TEST(many_ranges_are_several_lines)
{
	enum { COUNT = 1000 };
	static char json[COUNT * 64];
	size_t length = (size_t)sprintf(json, "{\"regions\":[");
	for (int i = 0; i < COUNT; i++)
		length += (size_t)sprintf(json + length,
					  "%s{\"id\":%d,\"name\":\"%s\",\"type\":\"CR_F\"}",
					  i ? "," : "", i, i % 2 ? "x" : "y");
	ck_assert_uint_eq(walk(json, length, COUNT), COUNT / 2);
	unsigned lines = 0, numbers = 0;
	for (const char *at = note; (at = strstr(at, "off ")); at++)
		lines++;
	for (const char *at = note; (at = strchr(at, '-')); at++)
		numbers++;
	ck_assert_uint_gt(lines, 1);
	ck_assert_uint_eq(numbers, COUNT / 2);
	ck_assert_ptr_nonnull(strstr(note, ",999-999"));
}
END_TEST

UNIT_MAIN("region_filter", regions_are_as_their_descriptions_say, a_description_may_be_cut,
	  many_ranges_are_several_lines)
