/* SPDX-License-Identifier: BSD-3-Clause */
/* build.c - the order of work for one command line. Called by main.
 * The idea: C inputs are compiled one by one. The rest is one last run of the compiler with the
 * user's own words: other languages, objects, a single source that was not instrumented, the
 * link. */
#include "driver/build.h"
#include "common/report.h"
#include "driver/link.h"
#include "driver/option_files.h"

#include <stdlib.h>

/* Whether only a link reads the file. GCC warns about such files if there is no link. */
static bool is_for_link(const struct argument *argument)
{
	return argument->role == ROLE_LIBRARY ?
		argument->word[0] != '-' :
		argument->role == ROLE_INPUT && sis_ends(argument->word, ".o");
}

/* If something is left to compile, runs the compiler with the user's words, without the inputs that
 * are done. For a command that links, this is called only after a compilation failed. Then there is
 * no link, and the other sources are only parsed, for the messages about them. */
static int compile_rest(struct job *job, const bool *done, struct err *err)
{
	const struct cmdline *line = &job->line;
	struct redirection none = { 0 };
	struct words rest = { 0 };
	int failed = 0, status = 0;
	bool parse = line->stage == STAGE_LINK, any = false;
	sis_cmdline_mark(line, done, &rest);
	sis_cmdline_headers(line, done, &rest);
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		bool source = argument->role == ROLE_INPUT && !done[i] && !is_for_link(argument);
		bool wanted = parse ? source || argument->role == ROLE_FLAG ||
					      argument->role == ROLE_LANGUAGE :
				      !done[i];
		any |= source || (!parse && is_for_link(argument));
		if (wanted)
			sis_words_add(&rest, argument->word);
	}
	if (parse)
		sis_words_add(&rest, "-fsyntax-only");
	if (any)
		failed = sis_compiler_run(&job->compiler, &rest, &none, &status, err);
	job->status = job->status ? job->status : status;
	sis_words_release(&rest);
	return failed;
}

/* Does what remains to be done after the C inputs. */
static int finish(struct job *job, char *const *objects, const bool *done, struct err *err)
{
	struct redirection none = { 0 };
	struct words command = { 0 };
	if (job->options->emit)
		return 0;
	/* Runs the user's own words, even if some inputs are compiled already. The added directory
	 * of headers lets the compiler find sis/sis.h. */
	if (job->untouched) {
		sis_cmdline_headers(&job->line, NULL, &command);
		sis_words_join(&command, &job->options->command);
		int failed = sis_compiler_run(&job->compiler, &command, &none, &job->status, err);
		sis_words_release(&command);
		return failed;
	}
	if (job->line.stage == STAGE_LINK && job->status == 0)
		return sis_link(job, objects, err);
	return compile_rest(job, done, err);
}

int sis_build(struct job *job, struct err *err)
{
	char **objects = mem_alloc(job->line.count, sizeof *objects);
	bool *done = mem_alloc(job->line.count, sizeof *done);
	bool failed = false;
	for (size_t i = 0; i < job->line.count && !job->untouched && !failed; i++)
		if (job->line.argument[i].is_read)
			failed = sis_compile_input(job, i, &objects[i], &done[i], err) < 0;
	failed = failed || finish(job, objects, done, err) < 0 ||
		(job->status == 0 && sis_option_files_depend(job, err) < 0);
	/* what was not instrumented, and why; after a failure the compiler's errors are enough */
	for (size_t i = 0; i < job->notes.count && !failed && job->status == 0; i++)
		sis_report(SIS_AST_NOTE, NULL, "%s", job->notes.at[i]);
	for (size_t i = 0; i < job->line.count; i++)
		free(objects[i]);
	free(objects);
	free(done);
	return failed ? -1 : 0;
}
