/* SPDX-License-Identifier: BSD-3-Clause */
/* output_names.c - see output_names.h. Called by compile_instrumented.c, compile_command.c and
 * compile.c.
 * The idea: if the compiler reads another file than the user's, options tell the compiler each name
 * that it would derive from the user's file. */
#include "driver/output_names.h"

#include <stdlib.h>
#include <string.h>

char *sis_output_name_default(const char *source, const char *suffix)
{
	char *stem = sis_strip_suffix(sis_basename(source));
	char *name = mem_print("%s%s", stem, suffix);
	free(stem);
	return name;
}

/* The length of the directory in the output's name, if the compiler leaves its other files there;
 * else 0. */
static size_t directory_length(const struct cmdline *line)
{
	bool here = !line->output || strcmp(line->output, "/dev/null") == 0 ||
		    (line->save_temps && strcmp(line->save_temps, "cwd") == 0);
	return here ? 0 : sis_basename(line->output) - line->output;
}

/* The prefix of the names of GCC's auxiliary files in a link. If the program is named after its
 * only source, the prefix is only the directory. */
static char *gcc_prefix(const struct cmdline *line, const char *source)
{
	if (line->dump_prefix)
		return mem_print("%s", line->dump_prefix);
	bool named = line->output && strcmp(line->output, "/dev/null") != 0;
	const char *base = named ? sis_basename(line->output) : "a.out";
	char *stem = sis_ends(base, ".exe") || strcmp(base, "a.out") == 0 ?
		sis_strip_suffix(base) : mem_print("%s", base);
	char *of_source = sis_output_name_default(source, "");
	bool same = line->sources == 1 && strcmp(of_source, stem) == 0;
	size_t length = directory_length(line);
	char *prefix = mem_print("%.*s%s%s", length || !same ? (int)length : 2,
				  length || !same ? line->output : "./", same ? "" : stem,
				  same ? "" : "-");
	free(stem);
	free(of_source);
	return prefix;
}

char *sis_output_name_kept(const struct cmdline *line, const char *source, bool clang)
{
	if (line->stage != STAGE_LINK || !line->save_temps)
		return NULL;
	char *object = sis_output_name_default(source, ".o"), *prefix = NULL;
	if (!clang)
		prefix = gcc_prefix(line, source);
	else if (strcmp(line->save_temps, "obj") == 0)
		prefix = mem_print("%.*s", (int)directory_length(line), line->output);
	char *name = mem_print("%s%s", prefix ? prefix : "", object);
	free(object);
	free(prefix);
	return name;
}

char *sis_output_name(const struct cmdline *line, const char *source)
{
	return line->output ? mem_print("%s", line->output)
			    : sis_output_name_default(source,
						      line->stage == STAGE_ASSEMBLY ? ".s" : ".o");
}

/* The file that -MD writes; to be freed. */
static char *dependency_file(const struct cmdline *line, const char *source, bool clang)
{
	char *stem =
		line->output ? sis_strip_suffix(line->output) : sis_output_name_default(source, "");
	/* for a link without -o, GCC derives the name from a.out */
	bool prefixed = !line->output && line->stage == STAGE_LINK && strcmp(stem, "a") != 0 &&
		!clang;
	char *name = mem_print("%s%s.d", prefixed ? "a-" : "", stem);
	free(stem);
	return name;
}

char *sis_output_name_dependencies(const struct cmdline *line, const char *source, bool clang)
{
	return line->dependency_file ? mem_print("%s", line->dependency_file)
				     : dependency_file(line, source, clang);
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
	char *target = knows_output(line, clang) ? mem_print("%s", line->output)
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
	bool prints = line->output && strcmp(line->output, "-") == 0;
	if (!line->auxiliary || (line->stage != STAGE_LINK && !prints))
		return;
	char *stem = clang ? sis_strip_suffix(line->output ? line->output : "a") : NULL;
	char *prefix = line->stage != STAGE_LINK ? mem_print("./") :
		clang				 ? mem_print("%s-", stem) :
						   gcc_prefix(line, source);
	sis_words_add(out, "-dumpdir");
	sis_words_add(out, prefix);
	free(stem);
	free(prefix);
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
	/* the compiler gets the user's -o, and knows the target from this option */
	bool known = line->stage != STAGE_LINK && knows_output(line, clang);
	if (line->dependencies)
		add_dependency_file(line, source, clang, out);
	if (line->dependencies && !line->dependency_target && !known)
		add_target(line, source, clang, out);
	sis_output_names_add_auxiliary(line, source, clang, out);
}
