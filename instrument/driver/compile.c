/* SPDX-License-Identifier: BSD-3-Clause */
/* compile.c - instruments one source file and compiles it. Called by build.c for every C input.
 * The idea: the user always gets the result of compiling the source. The source is compiled
 * untouched if it cannot be parsed, has nothing to measure, or the compiler rejects the
 * instrumented text. */
#include "driver/compile.h"
#include "driver/compile_instrumented.h"
#include "driver/install_paths.h"
#include "driver/instrument.h"
#include "driver/output_names.h"
#include "driver/stdin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	const char *prefix = sis_install_prefix(err);
	if (!prefix)
		return -1;
	c->probe_header = sis_install_find(prefix, "include/sis/probe.h");
	if (!c->probe_header)
		return err_fail(err, "cannot find '%s/include/sis/probe.h'; install sisc again",
				   prefix);
	if (sis_instrument(c, err) < 0)
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
	sis_instrument_release(&c);
	free(c.probe_header);
	free(c.output);
	return failed;
}
