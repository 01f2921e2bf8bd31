/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_flags.c - see blame_flags.h. Called by main, for a command that compiles or links.
 * The idea: lines and columns are enough to find the statement of a sample, and cost almost no time
 * in the compilation. */
#include "driver/blame_flags.h"

#include <ctype.h>
#include <string.h>

/* Whether the option chooses the kind or amount of debug information. */
static bool is_debug_level(const char *word)
{
	static const char *const begins[] = { "-ggdb", "-gdwarf", "-gline-tables-only", "-gmlt",
					      "-gline-directives-only", "-gfull", "-gused",
					      "-glldb", "-gsce", "-gdbx" };
	if (strcmp(word, "-g") == 0 || (sis_starts(word, "-g") && isdigit((unsigned char)word[2])))
		return true;
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (sis_starts(word, begins[i]))
			return true;
	return false;
}

static bool is_frame_pointer(const char *word)
{
	return strcmp(word, "-fomit-frame-pointer") == 0 ||
	       strcmp(word, "-fno-omit-frame-pointer") == 0;
}

static bool any(const struct words *words, bool is(const char *))
{
	for (size_t i = 0; i < words->count; i++)
		if (is(words->at[i]))
			return true;
	return false;
}

static void put_first(struct words *words, const struct words *first)
{
	struct words all = { 0 };
	sis_words_join(&all, first);
	sis_words_join(&all, words);
	sis_words_release(words);
	*words = all;
}

static const char *last_debug_level(const struct words *words)
{
	const char *last = NULL;
	for (size_t i = 0; i < words->count; i++)
		if (is_debug_level(words->at[i]))
			last = words->at[i];
	return last;
}

/* The user has decided against debug information. */
static void say_without_lines(const struct words *words)
{
	const char *last = last_debug_level(words);
	if (last && (strcmp(last, "-g0") == 0 || strcmp(last, "-ggdb0") == 0))
		sis_print_line(stderr, "sisc: note: --sis-blame with %s: without debug information "
			       "samples cannot be placed in this code; remove %s", last, last);
}

void sis_blame_flags_add(struct options *options, bool clang)
{
	struct words first = { 0 };
	if (!last_debug_level(&options->expanded))
		sis_words_add(&first, clang ? "-gline-tables-only" : "-g1");
	if (!any(&options->expanded, is_frame_pointer))
		sis_words_add(&first, "-fno-omit-frame-pointer");
	say_without_lines(&options->expanded);
	put_first(&options->command, &first);
	put_first(&options->expanded, &first);
	for (size_t i = 0; options->explain && i < first.count; i++)
		sis_print_line(options->emit ? stderr : stdout, "sisc: --sis-blame adds %s",
			       first.at[i]);
	sis_words_release(&first);
}
