/* SPDX-License-Identifier: BSD-3-Clause */
/* build.c - the order of work for one command line. Called by main.
 * The idea: C inputs are compiled one by one. The rest - other languages, objects, sources that
 * were not instrumented, the link - is one last run of the compiler with the user's own words. */
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

/* The user's words without the inputs that are done. False: there is nothing left to compile or
 * link. */
static bool make_rest(const struct cmdline *line, const bool *done, struct words *out)
{
	bool any = false;
	sis_cmdline_mark(line, done, out);
	sis_cmdline_headers(line, done, out);
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		any |= (argument->role == ROLE_INPUT && !done[i]) || is_for_link(argument);
		if (!done[i])
			sis_words_add(out, argument->word);
	}
	return any;
}

/* The command after a failure, when there is no link: it gives the messages about the sources that
 * were not compiled yet. */
static bool make_check(const struct cmdline *line, const bool *done, struct words *out)
{
	bool any = false;
	sis_cmdline_mark(line, done, out);
	sis_cmdline_headers(line, done, out);
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		bool is_source = argument->role == ROLE_INPUT && !is_for_link(argument) && !done[i];
		any |= is_source;
		if (is_source || argument->role == ROLE_FLAG || argument->role == ROLE_LANGUAGE)
			sis_words_add(out, argument->word);
	}
	sis_words_add(out, "-fsyntax-only");
	return any;
}

static int compile_rest(struct job *job, const bool *done, struct err *err)
{
	struct redirection none = { 0 };
	struct words rest = { 0 };
	int failed = 0, status = 0;
	if (job->line.stage == STAGE_LINK ? make_check(&job->line, done, &rest) :
					    make_rest(&job->line, done, &rest))
		failed = sis_compiler_run(&job->compiler, &rest, &none, &status, err);
	job->status = job->status ? job->status : status;
	sis_words_release(&rest);
	return failed;
}

static int compile_inputs(struct job *job, char **objects, bool *done, struct err *err)
{
	for (size_t i = 0; i < job->line.count && !job->untouched; i++)
		if (job->line.argument[i].is_c &&
		    sis_compile_input(job, i, &objects[i], &done[i], err) < 0)
			return -1;
	return 0;
}

/* Runs the user's command unchanged, except that sis/sis.h is found, even if some inputs are
 * compiled already. */
static int run_untouched(struct job *job, struct err *err)
{
	struct redirection none = { 0 };
	struct words command = { 0 };
	sis_cmdline_headers(&job->line, NULL, &command);
	sis_words_join(&command, &job->options->command);
	int failed = sis_compiler_run(&job->compiler, &command, &none, &job->status, err);
	sis_words_release(&command);
	return failed;
}

/* Does what remains after the C inputs. */
static int finish(struct job *job, char *const *objects, const bool *done, struct err *err)
{
	if (job->options->emit)
		return 0;
	if (job->untouched)
		return run_untouched(job, err);
	if (job->line.stage == STAGE_LINK && job->status == 0)
		return sis_link(job, objects, err);
	return compile_rest(job, done, err);
}

void sis_report_notes(const struct job *job)
{
	for (size_t i = 0; i < job->notes.count; i++)
		sis_report(SIS_AST_NOTE, NULL, "%s", job->notes.at[i]);
}

int sis_build(struct job *job, struct err *err)
{
	char **objects = sis_alloc(job->line.count, sizeof *objects);
	bool *done = sis_alloc(job->line.count, sizeof *done);
	int failed = compile_inputs(job, objects, done, err) < 0 ||
		finish(job, objects, done, err) < 0 ||
		(job->status == 0 && sis_option_files_depend(job, err) < 0);
	if (!failed && job->status == 0)
		sis_report_notes(job); /* after a failure the compiler's errors are enough */
	for (size_t i = 0; i < job->line.count; i++)
		free(objects[i]);
	free(objects);
	free(done);
	return failed ? -1 : 0;
}
