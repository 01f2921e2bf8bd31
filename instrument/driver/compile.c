/* SPDX-License-Identifier: BSD-3-Clause */
/* compile.c - instruments one source file and compiles it. Called by build.c for every C input.
 * The idea: the user always gets the result of compiling the source. The source is compiled
 * untouched if it cannot be parsed, has nothing to measure, or the compiler rejects the
 * instrumented text. */
#include "driver/compile.h"
#include "common/report.h"
#include "driver/ast_loader.h"
#include "driver/compile_instrumented.h"
#include "driver/crash_restart.h"
#include "driver/expand.h"
#include "driver/install_paths.h"
#include "driver/output_names.h"
#include "driver/plugin.h"
#include "driver/stdin.h"
#include "driver/verify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- instrumentation --------------------------------------------------------------------------- */

/* Called for messages of the frontend. A note is about a part of the source that is not
 * instrumented. Notes are kept until the command succeeds. */
static void note_part(void *context, enum sis_ast_severity severity,
		      const struct sis_ast_position *where, const char *message)
{
	struct job *job = context;
	if (severity == SIS_AST_NOTE)
		sis_words_addf(&job->notes, "%s:%u:%u: %s", where->file, where->line, where->column,
			       message);
	else
		sis_report_from_ast(NULL, severity, where, message);
}

static int note(struct job *job, const char *source, const char *reason)
{
	sis_words_addf(&job->notes, "%s: not instrumented: %s", source,
		       reason ? reason : "no reason given");
	return 0;
}

static void add_code(struct compilation *c, const struct ast_library *library,
		     const struct sis_ast *ast, struct sis_plan *plan)
{
	struct words words = { 0 };
	struct buf flags = { 0 };
	char *message = NULL, *code = NULL;
	size_t length = 0;
	sis_cmdline_words(&c->job->line, 1 << ROLE_FLAG, &words);
	buf_add(&flags, "");
	for (size_t i = 0; i < words.count; i++)
		buf_print(&flags, "%s%s", i ? " " : "", words.at[i]);
	struct sis_plan_facts facts = { .compiler = c->job->compiler.command.at[0],
					.flags = flags.at, .probe_header = c->probe_header };
	if (library->plan_source(plan, &facts, &code, &length, &message) == 0) {
		buf_put(&c->code, code, length);
		c->expanded = library->expanded_count(ast) > 0;
	} else {
		note(c->job, c->source, message);
	}
	free(code);
	free(message);
	buf_release(&flags);
	sis_words_release(&words);
}

/* Adds a note about the position of the first code for a device. The frontend allows no probes in
 * such code. */
static void note_device(struct compilation *c, const struct ast_library *library,
			const struct sis_ast *ast)
{
	size_t count = c->job->line.offloads ? library->region_count(ast) : 0;
	for (size_t i = 0; i < count; i++) {
		const struct sis_ast_region *region = library->region(ast, i);
		if (region->type != CR_OMPTARGET &&
		    !(region->obstacle && strstr(region->obstacle, "may run on a device")))
			continue;
		note_part(c->job, SIS_AST_NOTE, &region->begin,
			  "code for a device has no probes");
		return;
	}
}

static int instrument_tu(struct compilation *c, const struct ast_library *library,
			   struct sis_ast *ast, struct err *err)
{
	const struct options *options = c->job->options;
	struct sis_plan *plan = library->plan_new(ast, sis_report_from_ast, NULL);
	struct sis_plan_options plan_options = {
		.regions = options->regions,
		.metrics = options->metrics,
		.filters = (const char *const *)options->filters.at,
		.exclude = options->exclude,
		.include = options->include,
		.openmp = c->job->line.openmp,
		.profiles = (const char *const *)options->profiles.at,
	};
	int failed = library->plan_select(plan, &plan_options);
	if (!failed)
		failed = sis_plugins_tu(&options->plugins, plan, err);
	if (!failed && options->explain)
		library->plan_explain(plan, options->emit ? stderr : stdout);
	if (!failed)
		note_device(c, library, ast);
	if (!failed && (options->blame || library->plan_acts(plan)))
		add_code(c, library, ast, plan);
	library->plan_free(plan);
	return failed;
}

/* Parses the source. After a failure *ast is NULL, and *message is the reason, to be freed. */
static enum sis_ast_status open_source(const struct compilation *c,
				       const struct ast_library *library, struct sis_ast **ast,
				       char **message)
{
	struct words flags = { 0 };
	struct sis_ast_options options = { .report = note_part, .context = c->job,
					  .blame = c->job->options->blame };
	options.compiler = sis_compiler_program(&c->job->compiler, &flags);
	if (c->preprocessed)
		sis_words_add(&flags, "-fpreprocessed");
	else
		sis_cmdline_add_headers(&flags);
	sis_cmdline_words(&c->job->line, 1 << ROLE_FLAG, &flags);
	sis_compiler_nest(true); /* the library runs the compiler, too */
	enum sis_ast_status status = library->open(SIS_AST_ABI, ast, c->source,
						   (const char *const *)flags.at, flags.count,
						   &options, message);
	sis_compiler_nest(false);
	sis_words_release(&flags);
	return status;
}

/* Parses the source and fills c->code. Returns -1 after an error, which is in `err` or was
 * reported. */
static int instrument(struct compilation *c, struct err *err)
{
	const struct ast_library *library = sis_ast_library(err);
	struct sis_ast *ast = NULL;
	char *message = NULL;
	int failed = -1;
	if (!library)
		return -1;
	switch (open_source(c, library, &ast, &message)) {
	case SIS_AST_OK:
		failed = instrument_tu(c, library, ast, err);
		library->close(ast);
		break;
	case SIS_AST_UNPARSED:
		failed = note(c->job, c->source, message);
		break;
	case SIS_AST_FAILED: /* mostly because of a wrong option, which the compiler reports */
		failed = note(c->job, c->source, message);
		c->job->untouched = true;
		break;
	case SIS_AST_INVALID:
		break;
	}
	free(message);
	return failed;
}

static int keep_code(const struct compilation *c, struct err *err)
{
	const char *directory = c->job->options->keep_dir;
	if (!c->job->options->keep)
		return 0;
	if (directory && mkdir(directory, 0777) < 0 && errno != EEXIST)
		return err_errno(err, "make directory", directory);
	char *name = sis_output_name_default(c->source,
					     c->language->form[c->preprocessed].kept);
	char *path = mem_print("%s/%s", directory ? directory : ".", name);
	int failed = sis_file_write(path, c->code.at, c->code.length, err);
	free(name);
	free(path);
	return failed;
}

/* Drops the instrumented text if a coverage tool counts the lines of what is compiled. Probes would
 * add files to the tool's list and executions to the source's lines. GCC cannot exclude a part of a
 * function. */
static void leave_to_coverage(struct compilation *c)
{
	const char *option = c->job->line.coverage;
	if (!c->code.length || !option || c->job->options->emit)
		return;
	sis_words_addf(
		&c->job->notes,
		"%s: not instrumented: %s would count its probes, too; compile it without %s to "
		"measure it",
		c->source, option, option);
	buf_release(&c->code);
}

/* Drops an instrumented text that differs from its source by more than probes. The only known cause
 * is a macro that clang expands differently from the compiler. So by default only preprocessed
 * texts and texts with expanded macros are checked. */
static int verify(struct compilation *c, struct err *err)
{
	char *difference = NULL;
	if (!c->code.length || !(c->expanded || c->preprocessed || c->job->options->verify))
		return 0;
	int failed = sis_verify(c, &difference, err);
	if (difference) {
		sis_words_addf(&c->job->notes,
			       "%s: not instrumented: internal error: %s; please report that",
			       c->source, difference);
		buf_release(&c->code);
	}
	free(difference);
	return failed;
}

/* Expands the probes in a preprocessed text, because the compiler expands no macros there. */
static int expand(struct compilation *c, struct err *err)
{
	struct buf expanded = { 0 };
	if (!c->code.length || !c->preprocessed)
		return 0;
	int failed = sis_expand(c, false, &expanded, err);
	buf_release(&c->code);
	c->code = expanded;
	return failed || expanded.length ?
		failed :
		note(c->job, c->source, "the preprocessor refuses its probes");
}

/* -- the whole compilation --------------------------------------------------------------------- */

static int emit_code(const struct compilation *c, struct err *err)
{
	struct buf original = { 0 };
	const struct buf *text = &c->code;
	if (!text->length) {
		int failed = sis_is_stdin(c->source) ? sis_stdin_read(&original, err) :
						       sis_file_read(c->source, &original, err);
		if (failed)
			return -1;
		text = &original;
	}
	fwrite(text->at, 1, text->length, stdout);
	buf_release(&original);
	return 0;
}

/* Whether the source is a regular file that can be read. If the file cannot be read, the compiler
 * gives the error. A pipe is left to the compiler, because it can be read only once. */
static bool is_readable(const char *source)
{
	struct stat status;
	if (sis_is_stdin(source))
		return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
	return access(source, R_OK) == 0 && stat(source, &status) == 0 && S_ISREG(status.st_mode);
}

static int compile_source(struct compilation *c, bool *done, struct err *err)
{
	int failed = 0;
	const char *prefix = sis_install_prefix(err);
	if (!prefix)
		return -1;
	c->probe_header = sis_install_find(prefix, "include/sis/probe.h");
	if (!c->probe_header)
		return err_fail(err, "cannot find '%s/include/sis/probe.h'; install sisc again",
				   prefix);
	if (sis_crash_restart_crashed(c->source)) {
		note(c->job, c->source, "sisc, or a plugin, crashed on it; please report that");
	} else {
		sis_crash_restart_begin(c->source);
		failed = instrument(c, err);
		sis_crash_restart_end();
		leave_to_coverage(c);
	}
	if (!failed)
		failed = verify(c, err);
	if (!failed)
		failed = expand(c, err);
	if (failed)
		return -1;
	if (c->job->options->emit)
		return emit_code(c, err);
	if (c->job->untouched)
		return 0;
	if (!c->code.length && c->job->line.sources <= 1)
		return 0; /* build.c runs the user's command as it is */
	*done = true;
	if (c->code.length && keep_code(c, err) < 0)
		return -1;
	return sis_compile_instrumented(c, err);
}

int sis_compile_input(struct job *job, size_t index, char **object, bool *done, struct err *err)
{
	bool emit = job->options->emit;
	const struct argument *input = &job->line.argument[index];
	struct compilation c = { .job = job,
				 .source = input->word,
				 .language = input->language,
				 .first = true,
				 .preprocessed = input->is_preprocessed };
	*object = NULL;
	for (size_t i = 0; i < index; i++)
		c.first &= !job->line.argument[i].is_read;
	if (!is_readable(c.source))
		return emit ? err_errno(err, "open", c.source) : 0;
	*done = emit;
	int failed = compile_source(&c, done, err);
	if (!failed && *done && !emit && job->line.stage == STAGE_LINK)
		*object = mem_print("%s", c.output);
	free(c.probe_header);
	free(c.output);
	buf_release(&c.code);
	return failed;
}
