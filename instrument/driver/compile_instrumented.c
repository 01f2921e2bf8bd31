/* compile_instrumented.c - compiles an instrumented text in the place of its source. Called by compile.c.
 * The idea: silence of the compiler about the instrumented text is its silence about the source, but for the few
 * warnings that such a text hides. As soon as it says something the source itself is compiled, and what it says of
 * that, and returns, is the user's; the instrumented text is then only asked for its object. What a parser finds needs
 * no whole compilation. */
#include "driver/compile_instrumented.h"
#include "driver/diagnostics.h"
#include "driver/output_names.h"
#include "common/prefix_map.h"
#include "driver/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- the command ----------------------------------------------------------------------------------------- */

/* clang names files beside the output, and the object's file symbol, after what it reads, so there it reads a file of the
 * source's name. So does GCC, where the text is preprocessed and names the source itself. */
static const char *name_code(const struct compilation *t, struct err *err)
{
	if ((t->clang || t->preprocessed) && !t->by_stdin)
		return sis_temporary_exact_name(sis_basename(t->source), err);
	char *name = sis_output_name_default(t->source, ".sis.c");
	const char *file = sis_temporary_name(name, err);
	free(name);
	return file;
}

/* For __TIMESTAMP__. A source whose time cannot be read has none. */
static void copy_time(const char *source, const char *file)
{
	struct stat status;
	if ((sis_is_stdin(source) ? fstat(STDIN_FILENO, &status) : stat(source, &status)) == 0)
		utimensat(AT_FDCWD, file, (struct timespec[]){ status.st_atim, status.st_mtim }, 0);
}

/* Text of a source in the working directory goes through standard input: then GCC's names for the headers
 * beside it ("x.h", not "./x.h") stay what they are. Elsewhere -iquote finds them. */
static int write_code(struct compilation *t, struct err *err)
{
	if (t->file)
		return 0;
	t->clang = sis_compiler_is_clang(&t->job->compiler);
	t->by_stdin = sis_is_stdin(t->source) || (!strchr(t->source, '/') && !t->preprocessed &&
						   !(t->clang && t->job->line.auxiliary));
	t->file = name_code(t, err);
	if (!t->file || sis_file_write(t->file, t->code.at, t->code.length, err) < 0)
		return -1;
	copy_time(t->source, t->file);
	return 0;
}

static void add_include(const struct compilation *t, struct words *out)
{
	const char *base = sis_basename(t->source);
	if (t->by_stdin || t->preprocessed)
		return;
	sis_words_add(out, "-iquote");
	sis_words_addf(out, "%.*s", base > t->source + 1 ? (int)(base - t->source) - 1 : 1, base == t->source ? "." : t->source);
}

/* After the user's own maps, so that it holds; what those make of the source's name is in it already. Macros need no map: they
 * take names from #line, and clang drops a "./" from all names as soon as there is one. */
static void add_source_name(const struct compilation *t, struct words *out)
{
	struct prefix_map map = { 0 };
	if (t->preprocessed) /* its line markers say it */
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
	if (named && t->by_stdin && t->clang) { /* else linkers and debuggers call it "-"; GCC takes #line at its word */
		sis_words_add(out, "-Xclang");
		sis_words_add(out, "-main-file-name");
		sis_words_add(out, "-Xclang");
		sis_words_add(out, sis_basename(t->source));
	}
	if (named && t->by_stdin && strstr(t->code.at, "__BASE_FILE__")) { /* GCC has it empty then */
		sis_words_add(out, "-Wno-builtin-macro-redefined");
		sis_words_addf(out, "-D__BASE_FILE__=\"%s\"", t->source);
	}
}

/* Probes move the code around them, and a short loop that comes to stand across two lines of a cache takes a third longer
 * (tests/bench/cg.c does, plain, behind 32 bytes of anything): where the compiler aligns loops at all, it does so
 * better, unless the user says how. */
static void add_alignment(const struct compilation *t, struct words *out)
{
	bool fast = false, told = false;
	for (size_t i = 0; i < t->job->line.count; i++) {
		const char *word = t->job->line.argument[i].word;
		if (t->job->line.argument[i].role == ROLE_FLAG && sis_starts(word, "-O"))
			fast = (word[2] >= '2' && word[2] <= '9') || strcmp(word, "-Ofast") == 0;
		told |= sis_starts(word, "-falign-") || sis_starts(word, "-fno-align-");
	}
	if (fast && !told)
		sis_words_add(out, "-falign-loops=64");
}

/* The user's words that concern the compilation of one input. What only a link reads is said once: clang
 * warns of it when there is none. */
static void add_user_words(const struct compilation *t, bool dependencies, struct words *out)
{
	const struct cmdline *line = &t->job->line;
	if (!t->preprocessed) /* else clang warns of what it does not use */
		sis_cmdline_add_headers(out);
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		bool idle = argument->role == ROLE_LINKER || (argument->role == ROLE_LIBRARY && argument->word[0] == '-');
		bool depends = t->preprocessed ? t->first : dependencies; /* it has none: clang warns, once */
		if (argument->role == ROLE_FLAG || (argument->role == ROLE_DEPENDENCY && depends) ||
		    (idle && t->first && line->stage != STAGE_LINK))
			sis_words_add(out, argument->word);
	}
}

static void add_mark(const struct compilation *t, struct words *out)
{
	if (!t->preprocessed)
		sis_words_add(out, SIS_CMDLINE_MARK);
}

static void add_input(const struct compilation *t, const char *output, const char *input, struct words *out)
{
	sis_words_add(out, "-o");
	sis_words_add(out, output);
	sis_words_add(out, "-x");
	sis_words_add(out, t->preprocessed ? "cpp-output" : "c");
	sis_words_add(out, input);
}

static void add_output(const struct compilation *t, const char *output, const char *input, struct words *out)
{
	sis_words_add(out, t->job->line.stage == STAGE_ASSEMBLY ? "-S" : "-c");
	add_input(t, output, input, out);
}

/* Warnings off. What makes an error of one must go: -w does not reach a pedantic error. */
static void add_silence(struct words *words)
{
	size_t kept = 0;
	for (size_t i = 0; i < words->count; i++)
		if (!sis_starts(words->at[i], "-Werror") && strcmp(words->at[i], "-pedantic-errors") != 0)
			words->at[kept++] = words->at[i];
	words->count = kept;
	sis_words_add(words, "-w");
}

/* -- what a text hides ----------------------------------------------------------------------------------- */

/* Whom to ask about the source where the instrumented text does not tell. */
enum hidden { NOBODY, A_PARSER, A_COMPILER };

/* Misleading indentation GCC does not look for behind a #line, and clang not where probes stand in the line; of dates,
 * some are written out. An analyzer gives up on more paths, and no function that calls probes is pure: both take the
 * source as a whole. */
static enum hidden hidden_in_text(const struct compilation *t)
{
	bool general = false, off = false, on = false, all = true, whole = false, dated = false;
	for (size_t i = 0; i < t->job->line.count; i++) {
		const char *word = t->job->line.argument[i].word;
		if (t->job->line.argument[i].role != ROLE_FLAG)
			continue;
		general |= strcmp(word, "-Wall") == 0 || strcmp(word, "-Weverything") == 0;
		if (strcmp(word, "-Wmisleading-indentation") == 0 || strcmp(word, "-Werror=misleading-indentation") == 0)
			on = true, off = false;
		else if (strcmp(word, "-Wno-misleading-indentation") == 0)
			on = false, off = true;
		dated = (dated || strcmp(word, "-Wdate-time") == 0 || strcmp(word, "-Weverything") == 0) &&
			strcmp(word, "-Wno-date-time") != 0;
		whole = (whole || strcmp(word, "-fanalyzer") == 0 || sis_starts(word, "-Wsuggest-attribute=")) &&
			strcmp(word, "-fno-analyzer") != 0;
		all &= strcmp(word, "-w") != 0;
	}
	return !all ? NOBODY : whole ? A_COMPILER : on || dated || (general && !off) ? A_PARSER : NOBODY;
}

/* -- runs of the compiler -------------------------------------------------------------------------------- */

struct verdict {
	int status;       /* as wait gives it */
	struct text said; /* what it said */
};

static int run_hushed(const struct compilation *t, const struct words *command, const char *input, struct verdict *verdict,
		      struct err *err)
{
	struct redirection to = { .input = input, .errors = sis_temporary_name("errors", err) };
	if (!to.errors || sis_compiler_run(&t->job->compiler, command, &to, &verdict->status, err) < 0 ||
	    sis_file_read(to.errors, &verdict->said, err) < 0)
		return -1;
	if (t->job->compiler.verbose && verdict->said.length)
		fwrite(verdict->said.at, 1, verdict->said.length, stderr);
	return 0;
}

/* The dependency file. The compiler reads the source for it: the instrumented text includes a header of ours, and lacks
 * those that are written out. */
static int run_dependencies(const struct compilation *t, int *status, struct err *err)
{
	struct words command = { 0 };
	struct verdict source = { 0 };
	sis_words_add(&command, SIS_CMDLINE_MARK);
	add_user_words(t, true, &command);
	sis_output_names_add_dependencies(&t->job->line, t->source, t->clang, &command);
	sis_words_add(&command, "-E");
	add_input(t, "/dev/null", t->source, &command);
	int failed = run_hushed(t, &command, NULL, &source, err);
	*status = source.status;
	sis_text_release(&source.said);
	sis_words_release(&command);
	return failed;
}

/* The instrumented text to t->output, with all that goes beside it. */
static int run_code(const struct compilation *t, bool silent, struct verdict *verdict, struct err *err)
{
	struct words command = { 0 };
	bool depends = t->job->line.dependencies && !t->preprocessed; /* of preprocessed text a compiler writes no such file */
	add_mark(t, &command);
	add_include(t, &command);
	add_alignment(t, &command);
	add_user_words(t, !depends, &command); /* else run_dependencies asks for them */
	add_source_name(t, &command);
	sis_output_names_add_auxiliary(&t->job->line, t->source, t->clang, &command);
	if (silent)
		add_silence(&command);
	add_output(t, t->output, t->by_stdin ? "-" : t->file, &command);
	int failed = run_hushed(t, &command, t->by_stdin ? t->file : NULL, verdict, err);
	sis_words_release(&command);
	if (!failed && verdict->status == 0 && depends)
		failed = run_dependencies(t, &verdict->status, err);
	return failed;
}

enum wish { ITS_OBJECT, ITS_DIAGNOSTICS };

/* The user's source to t->output, with all that goes beside it. For its diagnostics it is what it is without
 * sisc: a directive between #ifdef __SISC__ and #endif is no unknown pragma. */
static int run_source(const struct compilation *t, enum wish wish, bool hushed, int *status, struct err *err)
{
	struct words command = { 0 };
	struct redirection none = { 0 };
	struct verdict verdict = { 0 };
	if (wish == ITS_OBJECT)
		add_mark(t, &command);
	add_user_words(t, true, &command);
	if (t->preprocessed)
		sis_output_names_add_auxiliary(&t->job->line, t->source, t->clang, &command);
	else
		sis_output_names_add(&t->job->line, t->source, t->clang, &command);
	add_output(t, t->output, t->source, &command);
	int failed = hushed ? run_hushed(t, &command, NULL, &verdict, err)
			    : sis_compiler_run(&t->job->compiler, &command, &none, &verdict.status, err);
	*status = verdict.status;
	sis_text_release(&verdict.said);
	sis_words_release(&command);
	return failed;
}

/* The user's source, for its diagnostics and status alone. */
static int ask_source(const struct compilation *t, int *status, struct err *err)
{
	struct words command = { 0 };
	struct redirection none = { 0 };
	const char *object = sis_temporary_name("source.o", err);
	if (!object)
		return -1;
	add_user_words(t, false, &command);
	add_output(t, object, t->source, &command);
	int failed = sis_compiler_run(&t->job->compiler, &command, &none, status, err);
	sis_words_release(&command);
	return failed;
}

/* What a parser finds takes no compilation: *told, when all that was said of the text is also said of the
 * source before anything is optimized; then that was shown. */
static int ask_parser(const struct compilation *t, const struct text *said, bool *told, struct err *err)
{
	struct words command = { 0 };
	struct verdict source = { 0 };
	const char *object = sis_temporary_name("source.o", err);
	if (!object)
		return -1;
	add_user_words(t, false, &command);
	sis_words_add(&command, "-fsyntax-only");
	add_output(t, object, t->source, &command);
	int failed = run_hushed(t, &command, NULL, &source, err);
	*told = !failed && source.status == 0 && source.said.length && sis_diagnostics_alike(said->at, source.said.at);
	if (*told && !t->job->compiler.verbose) /* else it was shown already */
		fwrite(source.said.at, 1, source.said.length, stderr);
	sis_text_release(&source.said);
	sis_words_release(&command);
	return failed;
}

/* Leaves what the text hides of what is warned of. */
static void ask_for_hidden_alone(struct words *words)
{
	static const char *const kept_words[] = { "-Wno-", "-Wp,", "-Wa,", "-Wsuggest-attribute=", "-Wdate-time" };
	size_t kept = 0;
	bool all = false;
	for (size_t i = 0; i < words->count; i++) {
		all |= strcmp(words->at[i], "-Weverything") == 0;
		bool keep = !sis_starts(words->at[i], "-W") && !sis_starts(words->at[i], "-pedantic");
		for (size_t k = 0; k < sizeof kept_words / sizeof *kept_words; k++)
			keep |= sis_starts(words->at[i], kept_words[k]);
		if (keep)
			words->at[kept++] = words->at[i];
		else
			free(words->at[i]);
	}
	words->count = kept;
	sis_words_add(words, "-Wmisleading-indentation");
	if (all)
		sis_words_add(words, "-Wdate-time");
}

/* With a mark or without: what is said of the source, as it is compiled by sisc or by another. */
static int say_hidden(const struct compilation *t, enum hidden hidden, bool marked, struct verdict *source, struct err *err)
{
	struct words command = { 0 };
	const char *object = sis_temporary_name("source.o", err);
	if (!object)
		return -1;
	if (marked)
		add_mark(t, &command);
	add_user_words(t, false, &command);
	ask_for_hidden_alone(&command);
	if (hidden == A_PARSER)
		sis_words_add(&command, "-fsyntax-only");
	add_output(t, object, t->source, &command);
	int failed = run_hushed(t, &command, NULL, source, err);
	sis_words_release(&command);
	return failed;
}

/* Nothing was said of the text: *told, when it hides nothing either. What else the source alone may be warned of comes of
 * our directives, which are unknown there, and what only they call. One that is right only where sisc compiles it is
 * asked as that. */
static int ask_for_hidden(const struct compilation *t, enum hidden hidden, bool *told, struct err *err)
{
	bool marked = false;
	int failed;
	do {
		struct verdict source = { 0 };
		failed = say_hidden(t, hidden, marked, &source, err);
		*told = !failed && source.status == 0 && !source.said.length;
		sis_text_release(&source.said);
		marked = !marked && !failed && source.status != 0;
	} while (marked);
	return failed;
}

/* -- the preprocessor alone ------------------------------------------------------------------------------ */

/* Leaves out what makes the compiler write other files. */
static void drop_auxiliary(struct words *words)
{
	size_t kept = 0;
	for (size_t i = 0; i < words->count; i++)
		if (!sis_starts(words->at[i], "-save-temps") && !sis_starts(words->at[i], "-ftime-trace"))
			words->at[kept++] = words->at[i];
		else
			free(words->at[i]);
	words->count = kept;
}

static void add_preprocess(const struct compilation *t, enum preprocessed which, const char *output, struct words *command)
{
	bool code = which == THE_CODE;
	sis_words_add(command, SIS_CMDLINE_MARK);
	if (code)
		add_include(t, command);
	add_user_words(t, false, command);
	drop_auxiliary(command);
	if (code)
		add_source_name(t, command);
	sis_words_add(command, "-DSIS__VERIFY=1"); /* sis/sis.h of a source includes the macros, too */
	add_silence(command);
	for (const char *const *word = (const char *const[]){ "-E", "-o", output, "-x", "c", NULL }; *word; word++)
		sis_words_add(command, *word);
	sis_words_add(command, !code ? t->source : t->by_stdin ? "-" : t->file);
}

int sis_preprocess(struct compilation *t, enum preprocessed which, struct text *out, int *status, struct err *err)
{
	struct words command = { 0 };
	struct verdict verdict = { 0 };
	const char *output = sis_temporary_name("preprocessed.i", err);
	if (!output || write_code(t, err) < 0)
		return -1;
	add_preprocess(t, which, output, &command);
	int failed = run_hushed(t, &command, which == THE_CODE && t->by_stdin ? t->file : NULL, &verdict, err);
	*status = verdict.status;
	if (!failed && verdict.status == 0)
		failed = sis_file_read(output, out, err);
	sis_text_release(&verdict.said);
	sis_words_release(&command);
	return failed;
}

/* -- the verdict ----------------------------------------------------------------------------------------- */

static int finish(struct compilation *t, int status, bool *done)
{
	*done = true;
	t->job->status = t->job->status ? t->job->status : status;
	return 0;
}

/* Of a source that is refused there shall be no object, and a compiler removes only what it made itself. */
static void remove_output(const struct compilation *t)
{
	struct stat status;
	if (lstat(t->output, &status) == 0 && S_ISREG(status.st_mode))
		unlink(t->output);
}

/* The source's object. It was right, and said all it had to say, but for what only sisc compiles in it. */
static int take_source(struct compilation *t, struct err *err)
{
	if (run_source(t, ITS_OBJECT, true, &t->job->status, err) < 0)
		return -1;
	return t->job->status ? run_source(t, ITS_OBJECT, false, &t->job->status, err) : 0;
}

/* The compiler said something of the text, or refused it: the source is compiled as if we were not there,
 * and if it is right, the text once more without a word. */
static int compile_both(struct compilation *t, bool *done, struct err *err)
{
	struct verdict text = { 0 };
	int status;
	remove_output(t);
	if (run_source(t, ITS_DIAGNOSTICS, false, &status, err) < 0)
		return -1;
	if (status != 0)
		return finish(t, status, done);
	int failed = run_code(t, true, &text, err);
	sis_text_release(&text.said);
	if (failed)
		return -1;
	*done = true;
	if (text.status == 0)
		return 0;
	sis_words_addf(&t->job->notes, "%s: not instrumented: the compiler refuses the instrumented source; "
		       "--sis-verbose shows why", t->source);
	return take_source(t, err);
}

/* The compiler made an object of the text, and said something of it, or may have kept something back. */
static int tell_of_source(struct compilation *t, const struct text *said, enum hidden hidden, bool *done, struct err *err)
{
	bool told = false;
	int status;
	int failed = !said->length ? ask_for_hidden(t, hidden, &told, err)
		     : hidden != A_COMPILER ? ask_parser(t, said, &told, err) : 0;
	if (failed)
		return -1;
	if (told)
		return finish(t, 0, done);
	if (t->job->line.auxiliary)
		return compile_both(t, done, err);
	if (ask_source(t, &status, err) < 0)
		return -1;
	finish(t, status, done);
	if (status == 0)
		return 0;
	remove_output(t);
	return run_source(t, ITS_DIAGNOSTICS, true, &status, err); /* leaves what a failure leaves */
}

/* Objects of their own for both, when nothing else is written that would then be the source's. */
static int compile_text(struct compilation *t, bool *done, struct err *err)
{
	struct verdict text = { 0 };
	enum hidden hidden = hidden_in_text(t);
	int failed = run_code(t, false, &text, err);
	bool silent = text.status == 0 && !text.said.length;
	*done = !failed && silent && hidden == NOBODY;
	if (!failed && !*done)
		failed = text.status != 0 || (t->job->line.auxiliary && !silent)
				 ? compile_both(t, done, err) : tell_of_source(t, &text.said, hidden, done, err);
	sis_text_release(&text.said);
	return failed;
}

/* The instrumented text, or the source where there is none, to t->output. */
static int compile_any(struct compilation *t, bool *done, struct err *err)
{
	int status;
	if (t->code.length)
		return write_code(t, err) < 0 ? -1 : compile_text(t, done, err);
	if (run_source(t, ITS_OBJECT, false, &status, err) < 0)
		return -1;
	return finish(t, status, done);
}

static int copy_to_stdout(const char *file, struct err *err)
{
	struct text text = { 0 };
	if (sis_file_read(file, &text, err) < 0)
		return -1;
	fwrite(text.at, 1, text.length, stdout);
	sis_text_release(&text);
	return 0;
}

int sis_compile_instrumented(struct compilation *t, bool *done, struct err *err)
{
	const struct cmdline *line = &t->job->line;
	bool prints = line->stage != STAGE_LINK && line->output && strcmp(line->output, "-") == 0;
	t->clang = sis_compiler_is_clang(&t->job->compiler);
	char *name = line->stage == STAGE_LINK ? sis_output_name_default(t->source, ".o") : sis_output_name(line, t->source);
	if (line->stage == STAGE_LINK || prints) {
		const char *temporary = sis_temporary_name(prints ? "out.s" : name, err);
		free(name);
		name = temporary ? sis_format("%s", temporary) : NULL;
	}
	t->output = name;
	if (!name || compile_any(t, done, err) < 0)
		return -1;
	return prints && t->job->status == 0 ? copy_to_stdout(t->output, err) : 0;
}

void sis_compilation_release(struct compilation *t)
{
	free(t->probe_header);
	free(t->output);
	sis_text_release(&t->code);
}
