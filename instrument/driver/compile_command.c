/* SPDX-License-Identifier: BSD-3-Clause */
/* compile_command.c - builds command lines for one input from the user's words, and runs the
 * compiler without showing its messages. Called by compile_instrumented.c, hidden_warnings.c and
 * preprocess.c. */
#include "driver/compile_command.h"
#include "common/prefix_map.h"
#include "driver/output_names.h"
#include "driver/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void name_text(struct compilation *t, struct err *err)
{
	t->clang = sis_compiler_is_clang(&t->job->compiler);
	bool several = t->clang && (t->job->line.auxiliary || t->job->line.offloads);
	t->by_stdin = sis_is_stdin(t->source) ||
		(!strchr(t->source, '/') && !t->preprocessed && !several);
	/* clang derives the names of auxiliary files and of the object's file symbol from the name
	 * of its input, so the file has the source's name. The same holds for GCC if the text is
	 * preprocessed. */
	if ((t->clang || t->preprocessed) && !t->by_stdin) {
		t->file = sis_temporary_exact_name(sis_basename(t->source), err);
	} else {
		char *name = sis_output_name_default(t->source,
						     t->language->form[FORM_SOURCE].kept);
		t->file = sis_temporary_name(name, err);
		free(name);
	}
}

int sis_command_write_text(struct compilation *t, struct err *err)
{
	if (t->written)
		return 0;
	if (!t->file)
		name_text(t, err);
	if (!t->file || sis_file_write(t->file, t->code.at, t->code.length, err) < 0)
		return -1;
	t->written = true;
	/* For __TIMESTAMP__. If the source's time cannot be read, the file's time stays. */
	struct stat status;
	bool dated = sis_is_stdin(t->source) ? fstat(STDIN_FILENO, &status) == 0 :
					       stat(t->source, &status) == 0;
	if (dated)
		utimensat(AT_FDCWD, t->file,
			  (struct timespec[]){ status.st_atim, status.st_mtim }, 0);
	return 0;
}

void sis_command_add_include(const struct compilation *t, struct words *out)
{
	const char *base = sis_basename(t->source);
	if (t->by_stdin || t->preprocessed)
		return;
	sis_words_add(out, "-iquote");
	sis_words_addf(out, "%.*s", base > t->source + 1 ? (int)(base - t->source) - 1 : 1,
		       base == t->source ? "." : t->source);
}

/* The added map must follow the user's own maps, because the last map that matches wins. The name
 * in the added map is the source's name after the user's maps. Macros such as __FILE__ need no map,
 * because they take names from #line. With a map for macros, clang would drop a leading "./" from
 * all names. */
void sis_command_add_source_name(const struct compilation *t, struct words *out)
{
	struct prefix_map map = { 0 };
	if (t->preprocessed) /* its line markers name the source */
		return;
	for (size_t i = 0; i < t->job->line.count; i++)
		sis_prefix_map_add(&map, t->job->line.argument[i].word);
	char *debug = sis_prefix_map_apply(&map.debug, t->source);
	const char *compiled = t->by_stdin ? "<stdin>" : t->file;
	bool named = !sis_is_stdin(t->source);
	if (named)
		sis_words_addf(out, "-fdebug-prefix-map=%s=%s", compiled, debug);
	free(debug);
	sis_prefix_map_release(&map);
	if (named && t->by_stdin && t->clang) { /* for debuggers; GCC takes the name from #line */
		sis_words_add(out, "-Xclang");
		sis_words_add(out, "-main-file-name");
		sis_words_add(out, "-Xclang");
		sis_words_add(out, sis_basename(t->source));
	}
	if (named && strstr(t->code.at, "__BASE_FILE__")) { /* else the name of the text's file */
		sis_words_add(out, "-Wno-builtin-macro-redefined");
		sis_words_addf(out, "-D__BASE_FILE__=\"%s\"", t->source);
	}
}

void sis_command_add_user_words(const struct compilation *t, bool dependencies, struct words *out)
{
	const struct cmdline *line = &t->job->line;
	if (!t->preprocessed) /* clang warns about options that it does not use */
		sis_cmdline_add_headers(out);
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		bool idle = argument->role == ROLE_LINKER ||
			    (argument->role == ROLE_LIBRARY && argument->word[0] == '-');
		/* Preprocessed text has no dependencies. The first input gets these options
		 * nevertheless, so that clang warns about them. */
		bool depends = t->preprocessed ? t->first : dependencies;
		if (argument->role == ROLE_FLAG || (argument->role == ROLE_DEPENDENCY && depends) ||
		    (idle && t->first && line->stage != STAGE_LINK))
			sis_words_add(out, argument->word);
	}
}

void sis_command_add_mark(const struct compilation *t, struct words *out)
{
	if (!t->preprocessed)
		sis_words_add(out, SIS_CMDLINE_MARK);
}

void sis_command_add_input(const struct compilation *t, const char *output, const char *input,
			   struct words *out)
{
	sis_words_add(out, "-o");
	sis_words_add(out, output);
	sis_words_add(out, "-x");
	sis_words_add(out, t->language->form[t->preprocessed].x);
	sis_words_add(out, input);
}

void sis_command_add_output(const struct compilation *t, const char *output, const char *input,
			    struct words *out)
{
	sis_words_add(out, t->job->line.stage == STAGE_ASSEMBLY ? "-S" : "-c");
	sis_command_add_input(t, output, input, out);
}

void sis_command_add_silence(struct words *words)
{
	size_t kept = 0;
	for (size_t i = 0; i < words->count; i++)
		if (!sis_starts(words->at[i], "-Werror") &&
		    strcmp(words->at[i], "-pedantic-errors") != 0)
			words->at[kept++] = words->at[i];
	words->count = kept;
	sis_words_add(words, "-w");
}

void sis_command_drop_auxiliary(struct words *words)
{
	static const char *const dropped[] = { "-save-temps", "--save-temps", "-ftime-trace",
					       "-fdump-", "-fstack-usage", "-fcallgraph-info" };
	size_t kept = 0;
	for (size_t i = 0; i < words->count; i++) {
		bool drop = false;
		for (size_t k = 0; k < sizeof dropped / sizeof *dropped; k++)
			drop |= sis_starts(words->at[i], dropped[k]);
		if (drop)
			free(words->at[i]);
		else
			words->at[kept++] = words->at[i];
	}
	words->count = kept;
}

int sis_command_run_captured(const struct compilation *t, const struct words *command,
			   const char *input, struct compiler_result *result, struct err *err)
{
	struct redirection to = { .input = input, .errors = sis_temporary_name("errors", err) };
	if (!to.errors ||
	    sis_compiler_run(&t->job->compiler, command, &to, &result->status, err) < 0 ||
	    sis_file_read(to.errors, &result->messages, err) < 0)
		return -1;
	if (t->job->compiler.verbose && result->messages.length)
		fwrite(result->messages.at, 1, result->messages.length, stderr);
	return 0;
}
