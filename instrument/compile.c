/* compile.c - instruments one source file and compiles it. Called by build.c for every C input.
 * The idea: whatever happens, the user gets what the compiler would have made of the source: if it
 * cannot be parsed, needs no probes, or the compiler refuses the instrumented text, it is compiled
 * untouched. */
#include "compile.h"
#include "idf.h"
#include "names.h"
#include "place.h"
#include "report.h"
#include "select.h"
#include "translate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- instrumentation ------------------------------------------------------------------------------------- */

static int note(struct job *job, const char *source, const char *reason)
{
	sis_words_addf(&job->notes, "%s: not instrumented: %s", source, reason ? reason : "no reason given");
	return 0;
}

static void add_code(struct translation *c, const struct ast_library *library, struct sis_ast *ast,
		     const struct selection *selection)
{
	struct text json = { 0 }, prologue = { 0 };
	struct words flags = { 0 };
	char *message = NULL, *code = NULL;
	size_t length = 0;
	sis_cmdline_words(&c->job->line, 1 << ROLE_FLAG, &flags);
	struct idf_facts facts = { c->source, c->job->compiler.command.at[0], &flags };
	sis_idf_add_unit(&json, &facts, selection, library, ast);
	sis_idf_add_prologue(&prologue, c->probe_header, json.at, selection, library, ast);
	for (size_t i = 0; i < selection->regions; i++)
		if (selection->choice[i].measured)
			library->mark(ast, i, selection->choice[i].probe);
	if (library->emit(ast, prologue.at, &code, &length, &message) == SIS_AST_OK) {
		sis_text_put(&c->code, code, length);
		for (size_t i = 0; i < library->inlined_count(ast); i++)
			sis_words_add(&c->inlined, library->inlined(ast, i));
	} else {
		note(c->job, c->source, message);
	}
	free(code);
	free(message);
	sis_text_release(&json);
	sis_text_release(&prologue);
	sis_words_release(&flags);
}

static int instrument_unit(struct translation *c, const struct ast_library *library, struct sis_ast *ast)
{
	struct selection selection;
	const struct options *options = c->job->options;
	int failed = sis_select(&selection, library, ast, options, c->job->line.openmp);
	if (!failed && options->explain)
		sis_select_explain(&selection, library, ast, options->emit ? stderr : stdout);
	if (!failed && selection.measured)
		add_code(c, library, ast, &selection);
	sis_selection_release(&selection);
	return failed;
}

/* Parses the source and fills c->code. -1: error, in `err` or reported. */
static int instrument(struct translation *c, struct err *err)
{
	const struct ast_library *library = sis_ast_library(err);
	struct sis_ast *ast = NULL;
	struct words flags = { 0 };
	char *message = NULL;
	int failed = -1;
	if (!library)
		return -1;
	struct sis_ast_options options = { .report = sis_report_from_ast };
	options.compiler = sis_compiler_program(&c->job->compiler, &flags);
	sis_cmdline_words(&c->job->line, 1 << ROLE_FLAG, &flags);
	switch (library->open(&ast, c->source, (const char *const *)flags.at, flags.count, &options, &message)) {
	case SIS_AST_OK:
		failed = instrument_unit(c, library, ast);
		break;
	case SIS_AST_UNPARSED:
		failed = note(c->job, c->source, message);
		break;
	case SIS_AST_FAILED: /* a wrong option, most often: the compiler will name it */
		failed = note(c->job, c->source, message);
		c->job->untouched = true;
		break;
	case SIS_AST_INVALID:
		break;
	}
	if (ast)
		library->close(ast);
	free(message);
	sis_words_release(&flags);
	return failed;
}

static int keep_code(const struct translation *c, struct err *err)
{
	const char *directory = c->job->options->keep_dir;
	if (!c->job->options->keep)
		return 0;
	if (directory && mkdir(directory, 0777) < 0 && errno != EEXIST)
		return sis_err_errno(err, "make directory", directory);
	char *name = sis_names_default(c->source, ".sis.c");
	char *path = sis_format("%s/%s", directory ? directory : ".", name);
	int failed = sis_file_write(path, c->code.at, c->code.length, err);
	free(name);
	free(path);
	return failed;
}

/* -- all of it ------------------------------------------------------------------------------------------- */

static int find_probe_header(struct translation *c, struct err *err)
{
	const char *prefix = sis_place_prefix(err);
	if (!prefix)
		return -1;
	c->probe_header = sis_place_find(prefix, "include/sis/probe.h");
	return c->probe_header ? 0 : sis_err_set(err, "cannot find '%s/include/sis/probe.h'; install sisc again", prefix);
}

static int emit_code(const struct translation *c, struct err *err)
{
	struct text original = { 0 };
	const struct text *text = &c->code;
	if (!text->length) {
		if (sis_file_read(c->source, &original, err) < 0)
			return -1;
		text = &original;
	}
	fwrite(text->at, 1, text->length, stdout);
	sis_text_release(&original);
	return 0;
}

/* A directory, a file that cannot be read: the compiler will say so. A pipe can be read only once. */
static bool is_readable(const char *source)
{
	struct stat status;
	return access(source, R_OK) == 0 && stat(source, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_first(const struct cmdline *line, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (line->argument[i].is_c)
			return false;
	return true;
}

static int compile_unit(struct translation *c, bool *done, struct err *err)
{
	if (find_probe_header(c, err) < 0 || instrument(c, err) < 0)
		return -1;
	if (c->job->options->emit)
		return emit_code(c, err);
	if (c->job->untouched)
		return 0;
	if (!c->code.length) /* one source is left to the command as it stands; of several, each has its turn */
		return c->job->line.sources > 1 ? sis_translate(c, done, err) : 0;
	return keep_code(c, err) < 0 ? -1 : sis_translate(c, done, err);
}

int sis_compile_input(struct job *job, size_t index, char **object, bool *done, struct err *err)
{
	bool emit = job->options->emit;
	struct translation c = { .job = job, .source = job->line.argument[index].word, .first = is_first(&job->line, index) };
	*object = NULL;
	if (!is_readable(c.source))
		return emit ? sis_err_errno(err, "open", c.source) : 0;
	*done = emit;
	int failed = compile_unit(&c, done, err);
	if (!failed && *done && !emit && job->line.stage == STAGE_LINK)
		*object = sis_format("%s", c.output);
	sis_translation_release(&c);
	return failed;
}
