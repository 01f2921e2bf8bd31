/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - sisc, a compiler driver that adds measurement probes. sisc has one thread.
 * The idea: most command lines of a build have nothing to instrument. For these, sisc replaces
 * itself by the compiler. */
#include "common/report.h"
#include "driver/blame_flags.h"
#include "driver/build.h"
#include "driver/crash_restart.h"
#include "driver/list_mnemonics.h"
#include "driver/option_files.h"
#include "driver/options_check.h"
#include "driver/stdin.h"
#include "driver/temporary.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Whether the output is one of the inputs. Then the compiler runs alone, because sisc reads a
 * source several times. */
static bool is_onto_source(const struct cmdline *line)
{
	struct stat output, input;
	if (!line->output || stat(line->output, &output) < 0)
		return false;
	for (size_t i = 0; i < line->count; i++)
		if (line->argument[i].role == ROLE_INPUT &&
		    stat(line->argument[i].word, &input) == 0 && input.st_dev == output.st_dev &&
		    input.st_ino == output.st_ino)
			return true;
	return false;
}

/* Whether sisc can read the inputs. sisc reads standard input once, and only as C. Standard input
 * in another language is read by the compiler. */
static bool can_read_inputs(const struct cmdline *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->argument[i].role == ROLE_INPUT && sis_is_stdin(line->argument[i].word) &&
		    !line->argument[i].is_read)
			return false;
	return line->stdin_inputs <= 1;
}

/* Whether the compiler runs alone. */
static bool passes(const struct options *options, const struct cmdline *line)
{
	bool compiling = line->stage == STAGE_OBJECT || line->stage == STAGE_ASSEMBLY;
	return options->off || sis_compiler_is_nested() || line->stage == STAGE_NONE ||
		line->unfinished || !can_read_inputs(line) || line->bare || line->relocatable ||
		(compiling && !line->read_inputs) ||
		(compiling && line->output && line->sources > 1) /* the compiler reports it */ ||
		(compiling && line->output && strcmp(line->output, "/dev/null") == 0) ||
		is_onto_source(line) || sis_cmdline_is_probe(line);
}

static int exit_status(int status)
{
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WEXITSTATUS(status);
}

static int fail(const struct err *err)
{
	sis_temporary_clear();
	if (err->text[0])
		sis_report(SIS_AST_ERROR, NULL, "%s", err->text);
	return 1;
}

/* Runs the compiler alone. The compiler replaces this process. But if the output of -E must also
 * show files that options name, the compiler runs as a child, and this function returns. The output
 * of -E for a C source has the directives of sis/sis.h, because ccache compares these outputs: the
 * outputs of sources that differ only in directives must differ. */
static int pass(struct job *job, struct err *err)
{
	struct words command = { 0 };
	struct redirection none = { 0 };
	bool nested = sis_compiler_is_nested(),
	     ours = !job->options->off && !nested && !sis_cmdline_is_probe(&job->line);
	if (ours)
		sis_cmdline_mark(&job->line, NULL, &command);
	if (ours && job->line.preprocesses && job->line.read_inputs)
		sis_words_add(&command, "-DSIS__DIRECTIVES=1");
	if (!nested) /* for a nested sisc, the outer sisc has added them */
		sis_cmdline_headers(&job->line, NULL, &command);
	sis_words_join(&command, &job->options->command);
	if (job->options->off || !sis_option_files_are_shown(job))
		return sis_compiler_exec(&job->compiler, &command, err);
	int failed = sis_compiler_run(&job->compiler, &command, &none, &job->status, err);
	if (!failed && job->status == 0)
		failed = sis_option_files_show(job, err);
	/* without -MF, -o may name the dependency file instead of the output */
	if (!failed && job->status == 0 && job->line.dependency_file)
		failed = sis_option_files_depend(job, err);
	sis_words_release(&command);
	return failed;
}

static int drive(struct job *job, struct options *options, struct err *err)
{
	if (sis_check_options(options) < 0)
		return fail(err);
	sis_compiler_choose(&job->compiler, options->compiler, options->called);
	job->compiler.verbose = options->verbose;
	job->line.cplusplus = sis_compiler_is_cplusplus(&job->compiler);
	sis_cmdline_parse(&job->line, &options->expanded);
	if (passes(options, &job->line)) {
		int failed = pass(job, err);
		sis_temporary_clear();
		return failed ? fail(err) : exit_status(job->status);
	}
	if (sis_compiler_check(&job->compiler, err) < 0)
		return fail(err);
	if (options->blame) { /* parses the command line again with what this option adds */
		sis_blame_flags_add(options, sis_compiler_is_clang(&job->compiler));
		job->line = (struct cmdline){ .cplusplus = job->line.cplusplus };
		sis_cmdline_parse(&job->line, &options->expanded);
	}
	if ((job->line.stdin_inputs && sis_stdin_keep(&job->compiler, err) < 0) ||
	    sis_build(job, err) < 0)
		return fail(err);
	sis_temporary_clear();
	return exit_status(job->status);
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	struct options options = { 0 };
	struct job job = { .options = &options };
	sis_crash_restart_start(argv);
	if (sis_options_parse(&options, argc, argv, &err) < 0)
		return fail(&err);
	if (options.help)
		sis_options_help();
	else if (options.list)
		sis_list_mnemonics();
	else
		return drive(&job, &options, &err);
	return 0;
}
