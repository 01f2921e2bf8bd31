/* compile.c - instruments one source file and compiles it. Called by build.c for every C input.
 * The idea: whatever happens, the user gets what the compiler would have made of the source: if it
 * cannot be parsed, needs no probes, or the compiler refuses the instrumented text, it is compiled
 * untouched. */
#include "compile.h"
#include "ast_loader.h"
#include "depend.h"
#include "place.h"
#include "plugin.h"
#include "report.h"
#include "temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct compilation {
	struct job *job;
	const char *source;      /* as named by the user */
	char *probe_header;
	struct text code;        /* instrumented; empty: compile the source untouched */
	const char *file;        /* where `code` is for the compiler */
	bool by_stdin;
	char *output;
	char *dependency_file;   /* NULL: none */
};

/* -- instrumentation ------------------------------------------------------------------------------------- */

static int note(struct job *job, const char *source, const char *reason)
{
	sis_words_addf(&job->notes, "%s: not instrumented: %s", source, reason ? reason : "no reason given");
	return 0;
}

static char *join_words(const struct words *words)
{
	struct text text = { 0 };
	sis_text_add(&text, "");
	for (size_t i = 0; i < words->count; i++)
		sis_text_addf(&text, "%s%s", i ? " " : "", words->at[i]);
	return text.at;
}

static int add_code(struct compilation *c, const struct ast_library *library, struct sis_plan *plan, struct err *err)
{
	struct words words = { 0 };
	char *message = NULL, *code = NULL;
	size_t length = 0;
	sis_cmdline_words(&c->job->line, 1 << ROLE_FLAG, &words);
	char *flags = join_words(&words);
	struct sis_plan_facts facts = { .compiler = c->job->compiler.command.at[0], .flags = flags,
					.probe_header = c->probe_header };
	int failed = library->plan_source(plan, &facts, &code, &length, &message) == 0 ? 0
		   : sis_err_set(err, "cannot write probes into '%s': %s; compile it with --sis-off", c->source,
				 message ? message : "unknown reason");
	if (!failed)
		sis_text_put(&c->code, code, length);
	free(code);
	free(message);
	free(flags);
	sis_words_release(&words);
	return failed;
}

static int instrument_unit(struct compilation *c, const struct ast_library *library, struct sis_ast *ast, struct err *err)
{
	const struct options *options = c->job->options;
	struct sis_plan *plan = library->plan_new(ast, sis_report_from_ast, NULL);
	struct sis_plan_options wishes = { .regions = options->regions, .metrics = options->metrics,
					   .filters = (const char *const *)options->filters.at,
					   .exclude = options->exclude, .include = options->include,
					   .openmp = c->job->line.openmp };
	int failed = library->plan_select(plan, &wishes);
	if (!failed)
		failed = sis_plugins_unit(&options->plugins, plan, err);
	if (!failed && options->explain)
		library->plan_explain(plan, options->emit ? stderr : stdout);
	if (!failed && library->plan_measured(plan))
		failed = add_code(c, library, plan, err);
	library->plan_free(plan);
	return failed;
}

/* Parses the source and fills c->code. -1: error, in `err` or reported. */
static int instrument(struct compilation *c, struct err *err)
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
	switch (library->open(SIS_AST_ABI, &ast, c->source, (const char *const *)flags.at, flags.count, &options, &message)) {
	case SIS_AST_OK:
		failed = instrument_unit(c, library, ast, err);
		break;
	case SIS_AST_UNPARSED:
		failed = note(c->job, c->source, message);
		break;
	case SIS_AST_INVALID:
		break;
	case SIS_AST_FAILED:
		sis_err_set(err, "cannot parse '%s': %s; compile it with --sis-off", c->source, message ? message : "unknown reason");
	}
	if (ast)
		library->close(ast);
	free(message);
	sis_words_release(&flags);
	return failed;
}

/* -- names ----------------------------------------------------------------------------------------------- */

/* BASE of the source in the working directory, with another suffix: the compiler's default output. */
static char *default_name(const char *source, const char *suffix)
{
	char *stem = sis_strip_suffix(sis_basename(source));
	char *name = sis_format("%s%s", stem, suffix);
	free(stem);
	return name;
}

static int name_output(struct compilation *c, struct err *err)
{
	const struct cmdline *line = &c->job->line;
	if (line->stage == STAGE_LINK) {
		char *name = default_name(c->source, ".o");
		const char *file = sis_temporary_name(name, err);
		free(name);
		if (!file)
			return -1;
		c->output = sis_format("%s", file);
	} else {
		c->output = line->output ? sis_format("%s", line->output)
					 : default_name(c->source, line->stage == STAGE_OBJECT ? ".o" : ".s");
	}
	return 0;
}

static bool is_clang(const struct compilation *c)
{
	return strstr(sis_basename(c->job->compiler.command.at[0]), "clang") != NULL;
}

/* The file that -MD writes: after the output, as GCC and clang do it. */
static void name_dependencies(struct compilation *c)
{
	const struct cmdline *line = &c->job->line;
	if (!line->dependencies)
		return;
	if (line->dependency_file) {
		c->dependency_file = sis_format("%s", line->dependency_file);
	} else if (line->output) {
		char *stem = sis_strip_suffix(line->output);
		c->dependency_file = sis_format("%s.d", stem);
		free(stem);
	} else {
		char *name = default_name(c->source, ".d");
		bool prefixed = line->stage == STAGE_LINK && strcmp(name, "a.d") != 0 && !is_clang(c); /* GCC: after a.out */
		c->dependency_file = sis_format("%s%s", prefixed ? "a-" : "", name);
		free(name);
	}
}

/* Text of a source in the working directory goes through standard input: then GCC's names for the headers
 * beside it ("x.h", not "./x.h") stay what they are. Elsewhere -iquote finds them. */
static int write_code(struct compilation *c, struct err *err)
{
	char *name = default_name(c->source, ".sis.c");
	c->by_stdin = !strchr(c->source, '/');
	c->file = sis_temporary_name(name, err);
	free(name);
	return c->file ? sis_file_write(c->file, c->code.at, c->code.length, err) : -1;
}

static int keep_code(const struct compilation *c, struct err *err)
{
	const char *directory = c->job->options->keep_dir;
	if (!c->job->options->keep)
		return 0;
	if (directory && mkdir(directory, 0777) < 0 && errno != EEXIST)
		return sis_err_errno(err, "make directory", directory);
	char *name = default_name(c->source, ".sis.c");
	char *path = sis_format("%s/%s", directory ? directory : ".", name);
	int failed = sis_file_write(path, c->code.at, c->code.length, err);
	free(name);
	free(path);
	return failed;
}

/* -- the compiler ---------------------------------------------------------------------------------------- */

static void add_include(const struct compilation *c, struct words *out)
{
	const char *base = sis_basename(c->source);
	if (c->by_stdin)
		return;
	sis_words_add(out, "-iquote");
	sis_words_addf(out, "%.*s", base > c->source + 1 ? (int)(base - c->source) - 1 : 1,
		       base == c->source ? "." : c->source);
}

/* After the user's own -ffile-prefix-map, so that it holds. */
static void add_names(const struct compilation *c, struct words *out)
{
	sis_words_addf(out, "-ffile-prefix-map=%s=%s", c->by_stdin ? "<stdin>" : c->file, c->source);
	if (c->by_stdin && strstr(c->code.at, "__BASE_FILE__")) { /* GCC has it empty then */
		sis_words_add(out, "-Wno-builtin-macro-redefined");
		sis_words_addf(out, "-D__BASE_FILE__=\"%s\"", c->source);
	}
}

/* What the compiler would choose itself if it knew the user's names. */
static void add_defaults(const struct compilation *c, struct words *out)
{
	const struct cmdline *line = &c->job->line;
	bool linking = line->stage == STAGE_LINK;
	if (line->dependencies && !line->dependency_file) {
		sis_words_add(out, "-MF");
		sis_words_add(out, c->dependency_file);
	}
	if (line->dependencies && !line->dependency_target && (linking || !line->output)) {
		char *target = line->output ? sis_format("%s", line->output) : default_name(c->source, ".o");
		sis_words_add(out, "-MQ");
		sis_words_add(out, target);
		free(target);
	}
	if (linking && line->auxiliary) {
		char *stem = sis_strip_suffix(line->output ? line->output : "a");
		sis_words_add(out, "-dumpdir");
		sis_words_addf(out, "%s-", stem);
		sis_words_add(out, "-dumpbase");
		sis_words_add(out, sis_basename(c->source));
		sis_words_add(out, "-dumpbase-ext");
		sis_words_add(out, ".c");
		free(stem);
	}
}

static bool has_color_option(const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (strstr(words->at[i], "color"))
			return true;
	return false;
}

static void make_command(const struct compilation *c, struct words *out)
{
	const struct cmdline *line = &c->job->line;
	add_include(c, out);
	sis_cmdline_words(line, 1 << ROLE_FLAG | 1 << ROLE_DEPENDENCY, out);
	add_names(c, out);
	add_defaults(c, out);
	if (isatty(STDERR_FILENO) && !has_color_option(out))
		sis_words_add(out, "-fdiagnostics-color=always"); /* the compiler sees a file */
	sis_words_add(out, line->stage == STAGE_ASSEMBLY ? "-S" : "-c");
	sis_words_add(out, "-o");
	sis_words_add(out, c->output);
	sis_words_add(out, "-x");
	sis_words_add(out, "c");
	sis_words_add(out, c->by_stdin ? "-" : c->file);
}

static void copy_to_stderr(const char *file)
{
	struct text text = { 0 };
	struct err ignored;
	if (sis_file_read(file, &text, &ignored) == 0 && text.length)
		fwrite(text.at, 1, text.length, stderr);
	sis_text_release(&text);
}

/* Compiles c->code. *accepted: the compiler took it; its diagnostics are shown only then, else the
 * source itself will be compiled and give them. */
static int compile_code(struct compilation *c, bool *accepted, struct err *err)
{
	struct words command = { 0 };
	const char *errors = sis_temporary_name("errors", err);
	struct redirection to = { .errors = errors };
	int status, failed = errors ? 0 : -1;
	make_command(c, &command);
	if (c->by_stdin)
		to.input = c->file;
	failed = failed || sis_compiler_run(&c->job->compiler, &command, &to, &status, err) < 0;
	*accepted = !failed && status == 0;
	if (*accepted || (!failed && c->job->options->verbose))
		copy_to_stderr(errors);
	if (*accepted && c->dependency_file)
		failed = sis_depend_correct(c->dependency_file, c->by_stdin ? NULL : c->file, c->source, c->probe_header, err);
	sis_words_release(&command);
	return failed ? -1 : 0;
}

/* -- all of it ------------------------------------------------------------------------------------------- */

static int find_probe_header(struct compilation *c, struct err *err)
{
	const char *prefix = sis_place_prefix(err);
	if (!prefix)
		return -1;
	c->probe_header = sis_place_find(prefix, "include/sis/probe.h");
	return c->probe_header ? 0 : sis_err_set(err, "cannot find '%s/include/sis/probe.h'; install sisc again", prefix);
}

static int emit_code(const struct compilation *c, struct err *err)
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

static int compile_instrumented(struct compilation *c, bool *done, struct err *err)
{
	name_dependencies(c);
	if (keep_code(c, err) < 0 || name_output(c, err) < 0 || write_code(c, err) < 0 || compile_code(c, done, err) < 0)
		return -1;
	return *done ? 0 : note(c->job, c->source, "the compiler refuses the instrumented source; --sis-verbose shows why");
}

static void release(struct compilation *c)
{
	free(c->probe_header);
	free(c->output);
	free(c->dependency_file);
	sis_text_release(&c->code);
}

int sis_compile_input(struct job *job, size_t index, char **object, bool *done, struct err *err)
{
	struct compilation c = { .job = job, .source = job->line.argument[index].word };
	int failed = -1;
	*object = NULL;
	if (access(c.source, R_OK) < 0) /* the compiler will say so */
		return job->options->emit ? sis_err_errno(err, "open", c.source) : 0;
	*done = job->options->emit;
	if (find_probe_header(&c, err) < 0 || instrument(&c, err) < 0)
		goto out;
	if (job->options->emit)
		failed = emit_code(&c, err);
	else if (c.code.length)
		failed = compile_instrumented(&c, done, err);
	else
		failed = 0;
	if (!failed && *done && !job->options->emit && job->line.stage == STAGE_LINK)
		*object = sis_format("%s", c.output);
out:
	release(&c);
	return failed;
}
