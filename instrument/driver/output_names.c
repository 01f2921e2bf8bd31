/* SPDX-License-Identifier: BSD-3-Clause */
/* output_names.c - see output_names.h. Called by compile_instrumented.c, compile_command.c and
 * compile.c.
 * The idea: if the compiler reads another file than the user's, options give it each name that it
 * would have derived from the user's file. */
#include "driver/output_names.h"

#include <stdlib.h>
#include <string.h>

char *sis_output_name_default(const char *source, const char *suffix)
{
	char *stem = sis_strip_suffix(sis_basename(source));
	char *name = sis_format("%s%s", stem, suffix);
	free(stem);
	return name;
}

char *sis_output_name(const struct cmdline *line, const char *source)
{
	return line->output ? sis_format("%s", line->output)
			    : sis_output_name_default(source,
						      line->stage == STAGE_ASSEMBLY ? ".s" : ".o");
}

/* The file that -MD writes; to be freed. */
static char *dependency_file(const struct cmdline *line, const char *source, bool clang)
{
	char *stem =
		line->output ? sis_strip_suffix(line->output) : sis_output_name_default(source, "");
	/* GCC derives the name from a.out */
	bool prefixed = !line->output && line->stage == STAGE_LINK && strcmp(stem, "a") != 0 &&
		!clang;
	char *name = sis_format("%s%s.d", prefixed ? "a-" : "", stem);
	free(stem);
	return name;
}

/* Whether the output is the target of the compiler's rule. */
static bool knows_output(const struct cmdline *line, bool clang)
{
	return line->output && (clang || !line->names_by_input);
}

static void add_target(const struct cmdline *line, const char *source, bool clang,
		       struct words *out)
{
	/* the target of GCC's rule for standard input is `-` */
	const char *suffix = sis_is_stdin(source) && !clang ? "" : ".o";
	char *target = knows_output(line, clang) ? sis_format("%s", line->output)
						 : sis_output_name_default(source, suffix);
	sis_words_add(out, "-MQ");
	sis_words_add(out, target);
	free(target);
}

static void add_dependency_file(const struct cmdline *line, const char *source, bool clang,
				struct words *out)
{
	if (line->dependency_file)
		return;
	char *name = dependency_file(line, source, clang);
	sis_words_add(out, "-MF");
	sis_words_add(out, name);
	free(name);
}

void sis_output_names_add_dependencies(const struct cmdline *line, const char *source, bool clang,
				       struct words *out)
{
	add_dependency_file(line, source, clang, out);
	if (!line->dependency_target)
		add_target(line, source, clang, out);
}

void sis_output_names_add_auxiliary(const struct cmdline *line, const char *source, bool clang,
				    struct words *out)
{
	if (line->stage != STAGE_LINK || !line->auxiliary)
		return;
	char *stem = sis_strip_suffix(line->output ? line->output : "a");
	sis_words_add(out, "-dumpdir");
	sis_words_addf(out, "%s-", stem);
	free(stem);
	if (!clang) {
		sis_words_add(out, "-dumpbase");
		sis_words_add(out, sis_basename(source));
		sis_words_add(out, "-dumpbase-ext");
		sis_words_add(out, sis_ends(source, ".i") ? ".i" : ".c");
	}
}

void sis_output_names_add(const struct cmdline *line, const char *source, bool clang,
			  struct words *out)
{
	/* because it gets the user's -o */
	bool known = line->stage != STAGE_LINK && knows_output(line, clang);
	if (line->dependencies)
		add_dependency_file(line, source, clang, out);
	if (line->dependencies && !line->dependency_target && !known)
		add_target(line, source, clang, out);
	sis_output_names_add_auxiliary(line, source, clang, out);
}
