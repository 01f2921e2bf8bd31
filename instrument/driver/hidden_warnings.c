/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden_warnings.c - see hidden_warnings.h. Called by compile_instrumented.c.
 * The idea: the options say which of these warnings the user wants. If there are any, the source is
 * compiled or parsed for these warnings only. */
#include "driver/hidden_warnings.h"
#include "driver/temporary.h"

#include <stdlib.h>
#include <string.h>

/* GCC does not check for misleading indentation after a #line, and clang does not in lines with
 * probes. The text has the expansions of some uses of __DATE__, so -Wdate-time misses these uses.
 * These warnings come from the parser. Two others need a whole compilation of the source:
 * -fanalyzer, which gives up on more paths if there are probes, and -Wsuggest-attribute, because no
 * function that calls probes is pure. */
enum hidden sis_hidden_in_text(const struct compilation *t)
{
	bool general = false, off = false, on = false, all = true, whole = false, dated = false;
	for (size_t i = 0; i < t->job->line.count; i++) {
		const char *word = t->job->line.argument[i].word;
		if (t->job->line.argument[i].role != ROLE_FLAG)
			continue;
		general |= strcmp(word, "-Wall") == 0 || strcmp(word, "-Weverything") == 0;
		if (strcmp(word, "-Wmisleading-indentation") == 0 ||
		    strcmp(word, "-Werror=misleading-indentation") == 0)
			on = true, off = false;
		else if (strcmp(word, "-Wno-misleading-indentation") == 0)
			on = false, off = true;
		dated = (dated || strcmp(word, "-Wdate-time") == 0 ||
			 strcmp(word, "-Weverything") == 0) &&
			strcmp(word, "-Wno-date-time") != 0;
		whole = (whole || strcmp(word, "-fanalyzer") == 0 ||
			 sis_starts(word, "-Wsuggest-attribute=")) &&
			strcmp(word, "-fno-analyzer") != 0;
		all &= strcmp(word, "-w") != 0;
	}
	if (!all)
		return HIDES_NOTHING;
	if (whole)
		return HIDES_FROM_COMPILER;
	return on || dated || (general && !off) ? HIDES_FROM_PARSER : HIDES_NOTHING;
}

/* Removes the options that switch on warnings, except for warnings that the text hides. */
static void keep_hidden_warnings(struct words *words)
{
	static const char *const kept_words[] = { "-Wno-", "-Wp,", "-Wa,",
						  "-Wsuggest-attribute=", "-Wdate-time" };
	size_t kept = 0;
	bool all = false;
	for (size_t i = 0; i < words->count; i++) {
		all |= strcmp(words->at[i], "-Weverything") == 0;
		bool keep =
			!sis_starts(words->at[i], "-W") && !sis_starts(words->at[i], "-pedantic");
		for (size_t k = 0; k < sizeof kept_words / sizeof *kept_words; k++)
			keep |= sis_starts(words->at[i], kept_words[k]);
		if (keep)
			words->at[kept++] = words->at[i];
		else
			free(words->at[i]);
	}
	words->count = kept;
	sis_words_add(words, "-Wmisleading-indentation");
	if (all)
		sis_words_add(words, "-Wdate-time");
}

/* Compiles or parses the source, and captures the messages. `marked`: __SISC__ is defined. */
static int run_hidden(const struct compilation *t, enum hidden hidden, bool marked,
		      struct compiler_result *source, struct err *err)
{
	struct words command = { 0 };
	const char *object = sis_temporary_name("source.o", err);
	if (!object)
		return -1;
	if (marked)
		sis_command_add_mark(t, &command);
	sis_command_add_user_words(t, false, &command);
	sis_command_drop_auxiliary(&command);
	keep_hidden_warnings(&command);
	if (hidden == HIDES_FROM_PARSER)
		sis_words_add(&command, "-fsyntax-only");
	sis_command_add_output(t, object, t->source, &command);
	int failed = sis_command_run_captured(t, &command, NULL, source, err);
	sis_words_release(&command);
	return failed;
}

int sis_hidden_find(const struct compilation *t, enum hidden hidden, bool *nothing, struct err *err)
{
	bool marked = false;
	int failed;
	do {
		struct compiler_result source = { 0 };
		failed = run_hidden(t, hidden, marked, &source, err);
		*nothing = !failed && source.status == 0 && !source.messages.length;
		buf_release(&source.messages);
		marked = !marked && !failed && source.status != 0;
	} while (marked);
	return failed;
}
