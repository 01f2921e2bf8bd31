/* names.c - the names that the compiler would choose for what it makes of a source. Called by translate.c
 * and compile.c.
 * The idea: when the compiler is given text or an output of ours, it is told every name that it would have
 * derived from the user's. */
#include "names.h"

#include <stdlib.h>
#include <string.h>

char *sis_names_default(const char *source, const char *suffix)
{
	char *stem = sis_strip_suffix(sis_basename(source));
	char *name = sis_format("%s%s", stem, suffix);
	free(stem);
	return name;
}

char *sis_names_output(const struct cmdline *line, const char *source)
{
	return line->output ? sis_format("%s", line->output)
			    : sis_names_default(source, line->stage == STAGE_ASSEMBLY ? ".s" : ".o");
}

char *sis_names_dependencies(const struct cmdline *line, const char *source, bool clang)
{
	if (!line->dependencies)
		return NULL;
	if (line->dependency_file)
		return sis_format("%s", line->dependency_file);
	char *stem = line->output ? sis_strip_suffix(line->output) : sis_names_default(source, "");
	bool prefixed = !line->output && line->stage == STAGE_LINK && strcmp(stem, "a") != 0 && !clang; /* GCC: after a.out */
	char *name = sis_format("%s%s.d", prefixed ? "a-" : "", stem);
	free(stem);
	return name;
}

/* The rule's target: the output, as far as whoever writes the rule knows it. */
static void add_target(const struct cmdline *line, const char *source, bool clang, struct words *out)
{
	bool knows_output = line->output && (clang || !line->names_by_input);
	if (line->dependency_target || (knows_output && line->stage != STAGE_LINK))
		return;
	char *target = knows_output ? sis_format("%s", line->output) : sis_names_default(source, ".o");
	sis_words_add(out, "-MQ");
	sis_words_add(out, target);
	free(target);
}

void sis_names_add(const struct cmdline *line, const char *source, bool clang, struct words *out)
{
	if (line->dependencies && !line->dependency_file) {
		char *name = sis_names_dependencies(line, source, clang);
		sis_words_add(out, "-MF");
		sis_words_add(out, name);
		free(name);
	}
	if (line->dependencies)
		add_target(line, source, clang, out);
	if (line->stage == STAGE_LINK && line->auxiliary) {
		char *stem = sis_strip_suffix(line->output ? line->output : "a");
		sis_words_add(out, "-dumpdir");
		sis_words_addf(out, "%s-", stem);
		free(stem);
		if (!clang) {
			sis_words_add(out, "-dumpbase");
			sis_words_add(out, sis_basename(source));
			sis_words_add(out, "-dumpbase-ext");
			sis_words_add(out, ".c");
		}
	}
}
