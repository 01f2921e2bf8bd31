/* SPDX-License-Identifier: BSD-3-Clause */
/* instrument.c - makes the instrumented text of one source. Called by compile.c, and by
 * compile_instrumented.c if the compiler refuses the text.
 * The idea: what cannot be instrumented is left out by function. If a check or the compiler finds a
 * fault in the text, the text is made again without the function around the fault. If the fault is
 * in no function with probes, or functions were left out often enough, the file is left out. */
#include "driver/instrument.h"
#include "common/report.h"
#include "driver/ast_loader.h"
#include "driver/crash_restart.h"
#include "driver/diagnostics.h"
#include "driver/expand.h"
#include "driver/plugin.h"
#include "driver/verify.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MOST = 8 }; /* texts that are made for a source */

struct refusal { /* of the text, in a function that is left out */
	char *file, *why;
	unsigned line;
};

/* -- functions that are left out --------------------------------------------------------------- */

static void add_refusal(struct compilation *c, const char *file, unsigned line, char *why)
{
	c->refusal = mem_resize(c->refusal, c->refusals + 2, sizeof *c->refusal);
	c->refusal[++c->refusals] = (struct refusal){ mem_print("%s", file), why, line };
}

static bool is_around(const struct sis_ast_region *function, const struct refusal *refusal)
{
	return function->type == CR_F && function->begin.line <= refusal->line &&
	       refusal->line <= function->end.line &&
	       strcmp(function->begin.file, refusal->file) == 0;
}

/* The innermost function around refusal `number`; the number of regions if there is none. */
static size_t function_around(const struct compilation *c, const struct ast_library *library,
			      const struct sis_ast *ast, size_t number)
{
	size_t count = library->region_count(ast), around = count;
	for (size_t i = 0; number && i < count; i++)
		if (is_around(library->region(ast, i), &c->refusal[number]))
			around = i; /* a function inside another one follows it */
	return around;
}

/* Removes all probes from the function around the refusal, and adds a note. */
static void leave_function(struct compilation *c, const struct ast_library *library,
			   const struct sis_ast *ast, struct sis_plan *plan,
			   size_t number)
{
	const struct refusal *refusal = &c->refusal[number];
	size_t count = library->region_count(ast), left = 0;
	size_t around = function_around(c, library, ast, number);
	if (around == function_around(c, library, ast, c->spared))
		return;
	for (size_t i = 0; around < count && i < count; i++) {
		if (library->function_of(ast, i) != library->function_of(ast, around) ||
		    !library->plan_choice(plan, i).measured)
			continue;
		library->plan_leave(plan, i, refusal->why);
		left++;
	}
	if (left)
		sis_words_addf(&c->job->notes, "%s:%u: function '%s' is not instrumented: %s",
			       refusal->file, refusal->line,
			       library->region(ast, around)->function, refusal->why);
}

/* Whether it is of use to make the text again after new refusals: the last time, a function was
 * left out. */
static bool may_narrow(const struct compilation *c)
{
	return c->rounds < ROUNDS_MOST && (c->rounds == 1 || c->narrowed);
}

/* -- the text ---------------------------------------------------------------------------------- */

/* Called for messages of the frontend. A note is about a part of the source that is not
 * instrumented. Notes are kept until the command succeeds. */
static void note_part(void *context, enum sis_ast_severity severity,
		      const struct sis_ast_position *where, const char *message)
{
	struct compilation *c = context;
	if (severity == SIS_AST_NOTE)
		sis_words_addf(&c->job->notes, "%s:%u:%u: %s", where->file, where->line,
			       where->column, message);
	else if (!c->rounds) /* else it was reported already */
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
		note_part(c, SIS_AST_NOTE, &region->begin,
			  "code for a device has no probes");
		return;
	}
}

static int instrument_tu(struct compilation *c, const struct ast_library *library,
			   struct sis_ast *ast, struct err *err)
{
	const struct options *options = c->job->options;
	struct sis_plan *plan = library->plan_new(ast, note_part, c);
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
	size_t before = failed ? 0 : library->plan_measured(plan);
	for (size_t i = 1; !failed && i <= c->refusals; i++)
		leave_function(c, library, ast, plan, i);
	if (!failed) {
		size_t left = before - library->plan_measured(plan);
		c->narrowed = left > c->left;
		c->left = left;
	}
	if (!failed && options->explain && !c->rounds) /* notes tell what is left out later */
		library->plan_explain(plan, options->emit ? stderr : stdout);
	if (!failed)
		note_device(c, library, ast);
	if (!failed && (options->blame || library->plan_acts(plan)))
		add_code(c, library, ast, plan);
	library->plan_free(plan);
	return failed;
}

/* Parses the source. After a failure *ast is NULL, and *message is the reason, to be freed. */
static enum sis_ast_status open_source(struct compilation *c,
				       const struct ast_library *library, struct sis_ast **ast,
				       char **message)
{
	struct words flags = { 0 };
	struct sis_ast_options options = { .report = note_part, .context = c,
					  .blame = c->job->options->blame };
	options.compiler = sis_compiler_program(&c->job->compiler, &flags);
	sis_words_add(&flags, "-x");
	sis_words_add(&flags, c->language->form[FORM_SOURCE].x);
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
static int make_text(struct compilation *c, struct err *err)
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

/* Checks that probes are all that was added. The only known cause of a difference is a macro that
 * clang expands differently from the compiler. So by default only preprocessed texts and texts with
 * expanded macros are checked. After a difference, *again is true if the text is to be made without
 * a function; else the text is dropped. */
static int verify(struct compilation *c, bool *again, struct err *err)
{
	struct difference found = { 0 };
	if (!c->code.length || !(c->expanded || c->preprocessed || c->job->options->verify))
		return 0;
	int failed = sis_verify(c, &found, err);
	if (!found.text)
		return failed;
	char *why = mem_print("internal error: %s; please report that", found.text);
	*again = may_narrow(c);
	if (*again) {
		add_refusal(c, found.file, found.line, why);
	} else {
		note(c->job, c->source, why);
		buf_release(&c->code);
		free(why);
	}
	free(found.text);
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

/* -- rounds ------------------------------------------------------------------------------------ */

static int make_checked_text(struct compilation *c, struct err *err)
{
	bool again = true;
	int failed = 0;
	size_t notes = c->job->notes.count;
	while (again && !failed) {
		again = false;
		sis_words_cut(&c->job->notes, notes);
		buf_release(&c->code);
		c->written = false;
		failed = make_text(c, err);
		c->rounds++;
		leave_to_coverage(c);
		if (!failed)
			failed = verify(c, &again, err);
	}
	return failed ? -1 : expand(c, err);
}

int sis_instrument(struct compilation *c, struct err *err)
{
	if (sis_crash_restart_crashed(c->source))
		return note(c->job, c->source,
			    "sisc, or a plugin, crashed on it; please report that");
	c->notes = c->job->notes.count;
	sis_crash_restart_begin(c->source);
	int failed = make_checked_text(c, err);
	sis_crash_restart_end();
	return failed;
}

/* A refusal may be an error at the call of a function that cannot be a constant any more. So the
 * function that has the first error is left out only if it is of no use to leave out the others. */
int sis_instrument_again(struct compilation *c, const char *messages, struct err *err)
{
	struct diagnostic found;
	size_t first = c->refusals;
	bool narrowed = false;
	if (!may_narrow(c))
		return 0;
	while (sis_diagnostics_next(&messages, &found))
		add_refusal(c, found.file, found.line,
			    mem_print("the compiler refuses its probes: %s", found.text));
	for (int spare = 1; spare >= 0 && !narrowed && c->refusals > first; spare--) {
		c->spared = spare ? first + 1 : 0;
		sis_words_cut(&c->job->notes, c->notes);
		if (sis_instrument(c, err) < 0)
			return -1;
		narrowed = c->narrowed;
	}
	return narrowed && c->code.length;
}

void sis_instrument_release(struct compilation *c)
{
	for (size_t i = 1; i <= c->refusals; i++) {
		free(c->refusal[i].file);
		free(c->refusal[i].why);
	}
	free(c->refusal);
	buf_release(&c->code);
}
