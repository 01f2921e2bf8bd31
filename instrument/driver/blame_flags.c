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

static void put_first(struct words *words, const struct words *first)
{
	struct words all = { 0 };
	sis_words_join(&all, first);
	sis_words_join(&all, words);
	sis_words_release(words);
	*words = all;
}

void sis_blame_flags_add(struct options *options, bool clang)
{
	struct words first = { 0 };
	const char *level = NULL; /* the last such option of the user */
	bool frames = false;      /* the user decides about frame pointers */
	for (size_t i = 0; i < options->expanded.count; i++) {
		const char *word = options->expanded.at[i];
		level = is_debug_level(word) ? word : level;
		frames |= strcmp(word, "-fomit-frame-pointer") == 0 ||
			  strcmp(word, "-fno-omit-frame-pointer") == 0;
	}
	if (!level)
		sis_words_add(&first, clang ? "-gline-tables-only" : "-g1");
	if (!level && clang) /* the linkage names of functions, which tell instantiations apart */
		sis_words_add(&first, "-fdebug-info-for-profiling");
	if (!frames)
		sis_words_add(&first, "-fno-omit-frame-pointer");
	if (level && (strcmp(level, "-g0") == 0 || strcmp(level, "-ggdb0") == 0))
		sis_print_line(stderr, "sisc: note: --sis-blame with %s: without debug information "
			       "samples cannot be placed in this code; remove %s", level, level);
	put_first(&options->command, &first);
	put_first(&options->expanded, &first);
	for (size_t i = 0; options->explain && i < first.count; i++)
		sis_print_line(options->emit ? stderr : stdout, "sisc: --sis-blame adds %s",
			       first.at[i]);
	sis_words_release(&first);
}
