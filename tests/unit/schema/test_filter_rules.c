/* SPDX-License-Identifier: BSD-3-Clause */
/* test_filter_rules.c - filter files: where rules and errors are, and which rule counts. */
// link: schema/filter_parse.c schema/filter_match.c
#include "filter_rules.h"
#include "unit.h"

enum { MOST = 64 };

static struct sis_filter_rule rule[MOST];
static char pattern[MOST][64];
static size_t rules;
static unsigned errors, notes;
static char first[600]; /* the first message, with its position */

static void take_rule(void *context, const struct sis_filter_rule *new, const char *text,
		      size_t length)
{
	(void)context;
	ck_assert_uint_gt(length, 0);
	if (rules == MOST || length >= sizeof *pattern)
		return;
	memcpy(pattern[rules], text, length);
	pattern[rules][length] = '\0';
	rule[rules] = *new;
	rule[rules].pattern = pattern[rules];
	rules++;
}

static void take_message(void *context, bool is_error, uint32_t line, uint32_t column,
			 const char *message)
{
	(void)context;
	if (errors + notes == 0)
		snprintf(first, sizeof first, "%u:%u: %s", line, column, message);
	errors += is_error;
	notes += !is_error;
}

static int parse(const char *text, size_t length)
{
	static const struct sis_filter_user user = { NULL, take_rule, take_message };
	rules = errors = notes = 0;
	first[0] = '\0';
	memset(pattern, 0, sizeof pattern);
	return sis_filter_parse(text, length, &user);
}

/* Whether the rules let a region pass. */
static bool passes(enum sis_region_type type, const char *name, const char *function,
		   const char *file)
{
	const char *const files[] = { file, NULL };
	const struct sis_filter_region region = {
		.type = type, .name = name, .function = function, .file = files
	};
	return !sis_filter_excluding(rule, rules, &region);
}

static const char text[] =
	"# comment\n"
	"SCOREP_REGION_NAMES_BEGIN EXCLUDE * INCLUDE f\\ g f[a-c]? SCOREP_REGION_NAMES_END\n"
	"SIS_REGION_TYPES_BEGIN EXCLUDE CR_* INCLUDE CR_F CR_A CR_MPI\n"
	"  EXCLUDE MANGLED CR_MPISEND SIS_REGION_TYPES_END\n"
	"SIS_UNIT_NAMES_BEGIN EXCLUDE off SIS_UNIT_NAMES_END\n"
	"SCOREP_FILE_NAMES_BEGIN EXCLUDE */lib/* INCLUDE */lib/own.c SCOREP_FILE_NAMES_END\n";

START_TEST(the_last_rule_of_a_subject_counts)
{
	ck_assert_int_eq(parse(text, sizeof text - 1), 0);
	ck_assert_uint_eq(rules, 11);
	ck_assert_str_eq(first, "");
	ck_assert_uint_eq(rule[rules - 1].line, 6);
	ck_assert(passes(CR_F, "f g", "f g", "a.c") && passes(CR_A, "fbx", "f", "a.c"));
	ck_assert(!passes(CR_F, "fdx", "fdx", "a.c") && !passes(CR_FOR, "fbx", "f", "a.c"));
	ck_assert(passes(CR_MPIRECV, "MPI_Recv", "f", "a.c"));
	ck_assert(!passes(CR_MPISEND, "MPI_Send", "f", "a.c"));
	ck_assert(!passes(CR_MPIRECV, "MPI_Recv", "off", "a.c"));
	ck_assert(!passes(CR_MPIRECV, "MPI_Recv", "f", "x/lib/a.c"));
	ck_assert(passes(CR_MPIRECV, "MPI_Recv", "f", "x/lib/own.c"));
}
END_TEST

START_TEST(errors_have_positions)
{
	static const struct { const char *text, *first; } wrong[] = {
		{ "\n INCLUDE x", "2:2: 'INCLUDE' is outside of a block" },
		{ "SIS_FILE_NAMES_BEGIN x", "1:22: 'x' follows neither INCLUDE nor EXCLUDE" },
		{ "SIS_FILE_NAMES_BEGIN\n\tEXCLUDE\nSIS_FILE_NAMES_END", "2:2: no pattern after" },
		{ "SIS_FILE_NAMES_BEGIN", "1:1: SIS_FILE_NAMES_BEGIN is not closed" },
		{ "# x\nSIS_FILE_NAMES_END", "2:1: SIS_FILE_NAMES_END closes nothing" },
		{ "SIS_REGION_TYPES_BEGIN EXCLUDE CR_WHIL SIS_REGION_TYPES_END",
		  "1:32: unknown code region 'CR_WHIL'; did you mean 'CR_WHILE'?" },
		{ "\1", "0:0: it is not text" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ck_assert_int_gt(parse(wrong[i].text, strlen(wrong[i].text)), 0);
		ck_assert_msg(strncmp(first, wrong[i].first, strlen(wrong[i].first)) == 0, "%s",
			      first);
	}
}
END_TEST

/* No byte behind the text is read: it is at the end of its memory, for the address sanitizer. */
START_TEST(damage_is_survived)
{
	const char bytes[] = { '\\', '#', '\n', '[', 'E', (char)0xff, 1 };
	for (size_t length = 0; length < sizeof text; length++)
		for (size_t b = 0; b < sizeof bytes; b++) {
			char *copy = malloc(length + 1);
			memcpy(copy, text, length);
			copy[length] = bytes[b];
			int failed = parse(copy, length + 1);
			ck_assert_uint_eq((unsigned)failed > 0, errors > 0);
			free(copy);
		}
}
END_TEST

UNIT_MAIN("filter_rules", the_last_rule_of_a_subject_counts, errors_have_positions,
	  damage_is_survived)
