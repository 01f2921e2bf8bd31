/* SPDX-License-Identifier: BSD-3-Clause */
/* compile_instrumented.c - compiles an instrumented text in place of its source. Called by
 * compile.c.
 * The idea: the user sees the diagnostics and the exit status of the source. If the compiler has no
 * messages about the instrumented text, it has none about the source either, except for a few
 * warnings that such a text hides (hidden_warnings.c). If the compiler has messages about the text,
 * the source itself is compiled for its diagnostics, or only parsed if the parser gives the same
 * messages. Of the text, only the object is used.
 *
 *   COMPILE_TEXT    the instrumented text to the output
 *     |-- fails; or has messages, with auxiliary files to write ---------------> COMPILE_SOURCE
 *     |-- no messages, nothing hidden ------------------------------------------> DONE
 *     |-- no messages, but the text may hide warnings --> FIND_HIDDEN
 *     |-- messages that may come from the parser -------> PARSE_SOURCE
 *     `-- messages, and -fanalyzer or the like ---------> SHOW_SOURCE
 *   FIND_HIDDEN     the source, with the hidden warnings alone
 *     |-- none -----------------------------------------------------------------> DONE
 *     `-- some --> SHOW_SOURCE; with auxiliary files to write ------------------> COMPILE_SOURCE
 *   PARSE_SOURCE    the source with -fsyntax-only
 *     |-- the same messages: shows them ----------------------------------------> DONE
 *     `-- others --> SHOW_SOURCE
 *   SHOW_SOURCE     the source to a temporary object; shows its messages
 *     |-- succeeds: the object of the text stays -------------------------------> DONE
 *     `-- fails --> FAIL_AS_SOURCE: removes the output, compiles the source ----> DONE
 *   COMPILE_SOURCE  the source to the output; shows its messages
 *     |-- fails ----------------------------------------------------------------> DONE
 *     `-- succeeds --> RECOMPILE_TEXT: the text to the output, without messages
 *           |-- succeeds -------------------------------------------------------> DONE
 *           |-- fails in functions --> RECOMPILE_TEXT, without probes in these functions
 *           `-- fails: a note --> TAKE_SOURCE: the source to the output --------> DONE */
#include "driver/compile_instrumented.h"
#include "driver/compile_command.h"
#include "driver/diagnostics.h"
#include "driver/hidden_warnings.h"
#include "driver/instrument.h"
#include "driver/output_names.h"
#include "driver/temporary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- runs of the compiler ---------------------------------------------------------------------- */

/* Probes shift the code behind them, and a short loop that crosses a cache line takes a third
 * longer. (In tests/bench/cg.c this happens even without probes, if 32 bytes are inserted before
 * the loop.) So if the compiler aligns loops, they are aligned to cache lines, unless the user
 * gives an alignment.
 * With link-time optimization, probes are ordinary calls, because a function may be inlined into
 * one that uses other registers (sis/gate_call.h). */
static void add_code_options(const struct compilation *t, struct words *out)
{
	bool fast = false, given = false, at_link = false;
	for (size_t i = 0; i < t->job->line.count; i++) {
		const char *word = t->job->line.argument[i].word;
		bool flag = t->job->line.argument[i].role == ROLE_FLAG;
		if (flag && sis_starts(word, "-O"))
			fast = (word[2] >= '2' && word[2] <= '9') || strcmp(word, "-Ofast") == 0;
		if (flag && (sis_starts(word, "-flto") || strcmp(word, "-fno-lto") == 0))
			at_link = word[2] == 'l';
		given |= sis_starts(word, "-falign-") || sis_starts(word, "-fno-align-");
	}
	if (fast && !given)
		sis_words_add(out, "-falign-loops=64");
	if (at_link)
		sis_words_add(out, "-DSIS__PLAIN_CALLS=1");
	if (at_link && t->job->line.cplusplus)
		sis_words_add(out, "-DSIS__LTO=1");
}

/* Writes the dependency file by a run of the compiler on the source. The instrumented text would
 * give other dependencies: it includes sis/probe.h, and contains the text of some headers instead
 * of including them. */
static int run_dependencies(const struct compilation *t, int *status, struct err *err)
{
	struct words command = { 0 };
	struct compiler_result source = { 0 };
	sis_words_add(&command, SIS_CMDLINE_MARK);
	sis_command_add_user_words(t, true, &command);
	sis_output_names_add_dependencies(&t->job->line, t->source, t->clang, &command);
	sis_words_add(&command, "-E");
	sis_command_add_input(t, "/dev/null", t->source, &command);
	int failed = sis_command_run_captured(t, &command, NULL, &source, err);
	*status = source.status;
	buf_release(&source.messages);
	sis_words_release(&command);
	return failed;
}

/* Compiles the instrumented text to t->output, with all auxiliary files. `silent`: no warnings. */
static int run_code(const struct compilation *t, bool silent, struct compiler_result *result,
		    struct err *err)
{
	struct words command = { 0 };
	/* Compilers write no dependency file for preprocessed text. */
	bool depends = t->job->line.dependencies && !t->preprocessed;
	sis_command_add_mark(t, &command);
	sis_command_add_include(t, &command);
	add_code_options(t, &command);
	/* if depends, run_dependencies writes the dependency file */
	sis_command_add_user_words(t, !depends, &command);
	sis_command_add_source_name(t, &command);
	sis_output_names_add_auxiliary(&t->job->line, t->source, t->clang, &command);
	if (silent)
		sis_command_add_silence(&command);
	sis_command_add_output(t, t->output, t->by_stdin ? "-" : t->file, &command);
	int failed =
		sis_command_run_captured(t, &command, t->by_stdin ? t->file : NULL, result, err);
	sis_words_release(&command);
	if (!failed && result->status == 0 && depends)
		failed = run_dependencies(t, &result->status, err);
	return failed;
}

enum purpose { FOR_OBJECT, FOR_DIAGNOSTICS };

/* Compiles the user's source to t->output, with all auxiliary files. FOR_DIAGNOSTICS: __SISC__ is
 * not defined, so that a directive between #ifdef __SISC__ and #endif gives no warning about an
 * unknown pragma. `captured`: the messages are dropped. */
static int run_source(const struct compilation *t, enum purpose purpose, bool captured, int *status,
		      struct err *err)
{
	struct words command = { 0 };
	struct redirection none = { 0 };
	struct compiler_result result = { 0 };
	if (purpose == FOR_OBJECT)
		sis_command_add_mark(t, &command);
	sis_command_add_user_words(t, true, &command);
	if (t->preprocessed)
		sis_output_names_add_auxiliary(&t->job->line, t->source, t->clang, &command);
	else
		sis_output_names_add(&t->job->line, t->source, t->clang, &command);
	sis_command_add_output(t, t->output, t->source, &command);
	int failed =
		captured ? sis_command_run_captured(t, &command, NULL, &result, err)
		       : sis_compiler_run(&t->job->compiler, &command, &none, &result.status, err);
	*status = result.status;
	buf_release(&result.messages);
	sis_words_release(&command);
	return failed;
}

/* -- the steps --------------------------------------------------------------------------------- */

/* Each function step_* takes one step. The function sets `next`, and sets job->status if the
 * compilation ends. It returns 0, or -1 after an error. */
enum step {
	COMPILE_TEXT,
	FIND_HIDDEN,
	PARSE_SOURCE,
	SHOW_SOURCE,
	FAIL_AS_SOURCE,
	COMPILE_SOURCE,
	RECOMPILE_TEXT,
	TAKE_SOURCE,
	DONE
};

struct progress {
	enum step next;
	enum hidden hidden;  /* warnings that the user wants and the text hides */
	struct compiler_result text; /* of COMPILE_TEXT */
};

static int end(struct compilation *t, struct progress *p, int status)
{
	t->job->status = t->job->status ? t->job->status : status;
	p->next = DONE;
	return 0;
}

/* Removes the object of the text. If the compiler rejects the source, there must be no object. But
 * the compiler removes only an object that it has made from the source. */
static void remove_output(const struct compilation *t)
{
	struct stat status;
	if (lstat(t->output, &status) == 0 && S_ISREG(status.st_mode))
		unlink(t->output);
}

static int step_compile_text(struct compilation *t, struct progress *p, struct err *err)
{
	if (run_code(t, false, &p->text, err) < 0)
		return -1;
	bool silent = !p->text.messages.length;
	if (p->text.status != 0 || (!silent && t->job->line.auxiliary))
		p->next = COMPILE_SOURCE;
	else if (silent)
		p->next = p->hidden == HIDES_NOTHING ? DONE : FIND_HIDDEN;
	else
		p->next = p->hidden == HIDES_FROM_COMPILER ? SHOW_SOURCE : PARSE_SOURCE;
	return 0;
}

static int step_find_hidden(struct compilation *t, struct progress *p, struct err *err)
{
	bool nothing = false;
	int failed = sis_hidden_find(t, p->hidden, &nothing, err);
	p->next = nothing ? DONE : t->job->line.auxiliary ? COMPILE_SOURCE : SHOW_SOURCE;
	return failed;
}

static int step_parse_source(struct compilation *t, struct progress *p, struct err *err)
{
	struct words command = { 0 };
	struct compiler_result source = { 0 };
	const char *object = sis_temporary_name("source.o", err);
	if (!object)
		return -1;
	sis_command_add_user_words(t, false, &command);
	sis_words_add(&command, "-fsyntax-only");
	sis_command_add_output(t, object, t->source, &command);
	int failed = sis_command_run_captured(t, &command, NULL, &source, err);
	bool same = !failed && source.status == 0 && source.messages.length &&
		    sis_diagnostics_alike(p->text.messages.at, source.messages.at);
	if (same && !t->job->compiler.verbose) /* with verbose they were shown already */
		fwrite(source.messages.at, 1, source.messages.length, stderr);
	p->next = same ? DONE : SHOW_SOURCE;
	buf_release(&source.messages);
	sis_words_release(&command);
	return failed;
}

static int step_show_source(struct compilation *t, struct progress *p, struct err *err)
{
	int status;
	struct words command = { 0 };
	struct redirection none = { 0 };
	const char *object = sis_temporary_name("source.o", err);
	if (!object)
		return -1;
	sis_command_add_user_words(t, false, &command);
	sis_command_add_output(t, object, t->source, &command);
	int failed = sis_compiler_run(&t->job->compiler, &command, &none, &status, err);
	sis_words_release(&command);
	if (failed)
		return -1;
	end(t, p, status);
	if (status != 0)
		p->next = FAIL_AS_SOURCE;
	return 0;
}

/* Compiles the source again, for the files that its failed compilation leaves. */
static int step_fail_as_source(struct compilation *t, struct progress *p, struct err *err)
{
	int status;
	remove_output(t);
	p->next = DONE;
	return run_source(t, FOR_DIAGNOSTICS, true, &status, err);
}

static int step_compile_source(struct compilation *t, struct progress *p, struct err *err)
{
	int status;
	remove_output(t);
	if (run_source(t, FOR_DIAGNOSTICS, false, &status, err) < 0)
		return -1;
	if (status != 0)
		return end(t, p, status);
	p->next = RECOMPILE_TEXT;
	return 0;
}

static int step_recompile_text(struct compilation *t, struct progress *p, struct err *err)
{
	struct compiler_result text = { 0 };
	int failed = run_code(t, true, &text, err);
	int again = !failed && text.status != 0 && text.messages.at ?
		sis_instrument_again(t, text.messages.at, err) : 0;
	if (again > 0)
		failed = sis_command_write_text(t, err);
	else if (again < 0)
		failed = -1;
	buf_release(&text.messages);
	p->next = again > 0 ? RECOMPILE_TEXT : text.status == 0 ? DONE : TAKE_SOURCE;
	if (!failed && p->next == TAKE_SOURCE && !t->code.length)
		return 0; /* each function has a note */
	if (!failed && p->next == TAKE_SOURCE)
		sis_words_addf(&t->job->notes, "%s: not instrumented: the compiler refuses the "
			       "instrumented source; --sis-verbose shows why", t->source);
	return failed;
}

/* The messages are dropped, because COMPILE_SOURCE has shown them. If this compilation fails, the
 * reason is code that is compiled only with __SISC__. Then the compilation is repeated to show the
 * messages. */
static int step_take_source(struct compilation *t, struct progress *p, struct err *err)
{
	int status;
	if (run_source(t, FOR_OBJECT, true, &status, err) < 0 ||
	    (status != 0 && run_source(t, FOR_OBJECT, false, &status, err) < 0))
		return -1;
	return end(t, p, status);
}

static int compile_text(struct compilation *t, struct err *err)
{
	static int (*const steps[DONE])(struct compilation *, struct progress *, struct err *) = {
		[COMPILE_TEXT] = step_compile_text,     [FIND_HIDDEN] = step_find_hidden,
		[PARSE_SOURCE] = step_parse_source,     [SHOW_SOURCE] = step_show_source,
		[FAIL_AS_SOURCE] = step_fail_as_source, [COMPILE_SOURCE] = step_compile_source,
		[RECOMPILE_TEXT] = step_recompile_text, [TAKE_SOURCE] = step_take_source,
	};
	struct progress progress = { .next = COMPILE_TEXT, .hidden = sis_hidden_in_text(t) };
	int failed = 0;
	while (!failed && progress.next != DONE)
		failed = steps[progress.next](t, &progress, err);
	buf_release(&progress.text.messages);
	return failed;
}

/* The name of the compilation's output. It is a temporary file if a link keeps no objects, or if
 * the output goes to standard output. To be freed; NULL after an error. */
static char *name_output(const struct compilation *t, bool prints, struct err *err)
{
	const struct cmdline *line = &t->job->line;
	char *kept = sis_output_name_kept(line, t->source, t->clang);
	if (kept || (line->stage != STAGE_LINK && !prints))
		return kept ? kept : sis_output_name(line, t->source);
	char *name = sis_output_name_default(t->source, ".o");
	const char *temporary = sis_temporary_name(prints ? "out.s" : name, err);
	free(name);
	return temporary ? mem_print("%s", temporary) : NULL;
}

int sis_compile_instrumented(struct compilation *t, struct err *err)
{
	const struct cmdline *line = &t->job->line;
	bool prints = line->stage != STAGE_LINK && line->output && strcmp(line->output, "-") == 0;
	t->clang = sis_compiler_is_clang(&t->job->compiler);
	t->output = name_output(t, prints, err);
	if (!t->output)
		return -1;
	if (t->code.length) {
		if (sis_command_write_text(t, err) < 0 || compile_text(t, err) < 0)
			return -1;
	} else {
		int status;
		if (run_source(t, FOR_OBJECT, false, &status, err) < 0)
			return -1;
		t->job->status = t->job->status ? t->job->status : status;
	}
	if (!prints || t->job->status != 0)
		return 0;
	struct buf text = { 0 };
	if (sis_file_read(t->output, &text, err) < 0)
		return -1;
	fwrite(text.at, 1, text.length, stdout);
	buf_release(&text);
	return 0;
}
