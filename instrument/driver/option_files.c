/* SPDX-License-Identifier: BSD-3-Clause */
/* option_files.c - tells compiler caches and make which files the options of sisc name. Called by
 * main and build.c.
 * The idea: such a file is shown like a header. ccache compares the output of -E, and the content
 * of each file that a line marker in this output names. With CCACHE_DEPEND, ccache takes the names
 * of the files from the dependency file, as make does. sccache compares the output of -E. */
#include "driver/option_files.h"
#include "driver/output_names.h"
#include "fnv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lists the names of the files as the user gave them. For a directory that --sis-profile names,
 * lists the file in the directory. */
static void list(const struct options *options, struct words *out)
{
	struct stat status;
	sis_words_join(out, &options->filters);
	for (size_t i = 0; i < options->profiles.count; i++) {
		const char *name = options->profiles.at[i];
		bool directory = stat(name, &status) == 0 && S_ISDIR(status.st_mode);
		sis_words_addf(out, directory ? "%s/regions" : "%s", name);
	}
	for (size_t i = 0; i < options->plugins.count; i++)
		sis_words_addf(out, "%.*s", (int)strcspn(options->plugins.at[i], ","),
			       options->plugins.at[i]);
}

/* -- the output of -E -------------------------------------------------------------------------- */

bool sis_option_files_are_shown(const struct job *job)
{
	const struct options *options = job->options;
	bool macros = false; /* -dM: the output is no source */
	for (size_t i = 0; i < job->line.count; i++)
		macros |= strcmp(job->line.argument[i].word, "-dM") == 0;
	return job->line.preprocesses && job->line.read_inputs && !macros &&
		options->filters.count + options->profiles.count + options->plugins.count > 0;
}

/* Adds line markers in the compiler's form. ccache does not read a file whose name is in angle
 * brackets. */
static void add_markers(const char *file, struct buf *out)
{
	struct buf content = { 0 };
	struct err unreadable = { "" }; /* the compilation reports it */
	buf_add(out, "# 1 \"");
	for (const char *p = file; *p; p++) {
		if (*p == '"' || *p == '\\')
			buf_add(out, "\\");
		buf_put(out, p, 1);
	}
	sis_file_read(file, &content, &unreadable);
	buf_print(out, "\"\n# 1 \"<sis %016" PRIx64 ">\"\n",
		      sis_fnv(SIS_FNV_START, content.at, content.length));
	buf_release(&content);
}

int sis_option_files_show(const struct job *job, struct err *err)
{
	const char *output = job->line.output;
	bool prints = !output || strcmp(output, "-") == 0;
	struct words files = { 0 };
	struct buf markers = { 0 };
	list(job->options, &files);
	for (size_t i = 0; i < files.count; i++)
		add_markers(files.at[i], &markers);
	FILE *file = prints ? stdout : fopen(output, "ae");
	bool failed = !file || fputs(markers.at, file) < 0;
	if (file)
		failed |= (prints ? fflush(file) : fclose(file)) != 0;
	sis_words_release(&files);
	buf_release(&markers);
	return failed ? err_errno(err, "write", prints ? "standard output" : output) : 0;
}

/* -- dependency files -------------------------------------------------------------------------- */

static void add_name(struct buf *out, const char *file)
{
	for (const char *p = file; *p; p++) {
		if (strchr(" \t#", *p))
			buf_add(out, "\\");
		else if (*p == '$')
			buf_add(out, "$");
		buf_put(out, p, 1);
	}
}

/* Adds the files to the first rule. Each file also gets a rule without a recipe, as headers do with
 * -MP. So make has no error if a file is removed together with the option. */
static int add_dependencies(const char *name, const struct words *files, struct err *err)
{
	struct buf old = { 0 }, new = { 0 };
	struct stat status;
	if (stat(name, &status) < 0 || !S_ISREG(status.st_mode))
		return 0;
	int failed = sis_file_read(name, &old, err);
	const char *end = old.at ? strchr(old.at, '\n') : NULL;
	while (end && end > old.at && end[-1] == '\\')
		end = strchr(end + 1, '\n');
	if (end) {
		buf_put(&new, old.at, end - old.at);
		for (size_t i = 0; i < files->count; i++) {
			buf_add(&new, " \\\n ");
			add_name(&new, files->at[i]);
		}
		buf_add(&new, end);
		for (size_t i = 0; i < files->count; i++) {
			add_name(&new, files->at[i]);
			buf_add(&new, ":\n");
		}
		failed = sis_file_write(name, new.at, new.length, err);
	}
	buf_release(&old);
	buf_release(&new);
	return failed;
}

int sis_option_files_depend(const struct job *job, struct err *err)
{
	const struct cmdline *line = &job->line;
	struct words files = { 0 }, done = { 0 };
	int failed = 0;
	list(job->options, &files);
	for (size_t i = 0; i < line->count && line->dependencies && files.count && !failed; i++) {
		if (!line->argument[i].is_read || line->argument[i].is_preprocessed)
			continue;
		char *name = sis_output_name_dependencies(
			line, line->argument[i].word, sis_compiler_is_clang(&job->compiler));
		bool again = false; /* -MF: all sources write one file; the last one's stays */
		for (size_t k = 0; k < done.count; k++)
			again |= strcmp(done.at[k], name) == 0;
		if (!again)
			failed = add_dependencies(name, &files, err);
		sis_words_add(&done, name);
		free(name);
	}
	sis_words_release(&files);
	sis_words_release(&done);
	return failed;
}
