/* SPDX-License-Identifier: BSD-3-Clause */
/* link.c - links the program, and writes its description. Called by build.c.
 * The idea: the runtime precedes the first library, and so MPI and libgomp, whose routines it
 * wraps. The description is read from the linked file, so it has exactly what was linked. */
#include "driver/link.h"
#include "common/json.h"
#include "common/report.h"
#include "driver/elf.h"
#include "driver/install_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- is anything instrumented? ----------------------------------------------------------------- */

/* Whether -lNAME finds an instrumented archive in a directory of -L. Other directories have no
 * instrumented objects. */
static bool is_library_instrumented(const struct cmdline *line, const char *name)
{
	for (size_t i = 0; i < line->count; i++) {
		const char *word = line->argument[i].word;
		if (line->argument[i].role != ROLE_LINKER || !sis_starts(word, "-L"))
			continue;
		const char *directory = word[2] ? word + 2 :
			i + 1 < line->count	? line->argument[i + 1].word :
						  ".";
		char *file = sis_format("%s/lib%s.a", directory, name);
		bool found = sis_elf_is_instrumented(file);
		free(file);
		if (found)
			return true;
	}
	return false;
}

static bool is_instrumented(const struct cmdline *line, size_t index, const char *object)
{
	const struct argument *argument = &line->argument[index];
	if (object)
		return sis_elf_is_instrumented(object);
	if (argument->role == ROLE_LIBRARY && sis_starts(argument->word, "-l"))
		return is_library_instrumented(line,
					       argument->word[2] || index + 1 == line->count ?
						       argument->word + 2 :
						       line->argument[index + 1].word);
	if (argument->role == ROLE_INPUT &&
	    (sis_ends(argument->word, ".s") || sis_ends(argument->word, ".S")))
		return sis_elf_is_assembly_instrumented(argument->word);
	bool is_object = argument->role == ROLE_LIBRARY ? sis_ends(argument->word, ".a") :
							  argument->role == ROLE_INPUT;
	return is_object && !argument->is_c && sis_elf_is_instrumented(argument->word);
}

static bool any_instrumented(const struct cmdline *line, char *const *objects)
{
	for (size_t i = 0; i < line->count; i++)
		if (is_instrumented(line, i, objects[i]))
			return true;
	return false;
}

/* -- the line ---------------------------------------------------------------------------------- */

struct runtime { /* the parts of the runtime to link */
	const char *prefix;  /* NULL: none */
	bool mpi, is_static;
	const char *probes;  /* the object with the probes of a program, or of a library */
	bool memory;         /* calls of malloc and the like go to wrappers (--sis-blame) */
	bool instrumented;   /* an object has probes, or calls sis_hand_* */
	/* only sources that this command compiles may need it, for sis/sis.h; or a library in C++,
	 * for MPI and OpenMP */
	bool optional;
};

static void add_mpi(struct words *out, bool is_static)
{
	sis_words_add(out, "-Wl,--push-state,--as-needed");
	sis_words_add(out, "-lsis-mpi");
	if (is_static)
		sis_words_add(out, "-lsis"); /* for the members that only the wrappers need */
	sis_words_add(out, "-Wl,--pop-state");
}

/* Adds a word for the linker, which may have commas, so that the compiler does not interpret it. */
static void add_to_linker(struct words *out, const char *word)
{
	sis_words_add(out, "-Xlinker");
	sis_words_add(out, word);
}

/* The linker may have options of the program for the same names. The program's wrappers win: ours
 * are weak. */
static void add_memory(struct words *out, const struct runtime *runtime)
{
	char *object = sis_format("%s/lib/sis/memory_wrappers.o", runtime->prefix);
	add_to_linker(out, object);
	free(object);
	sis_words_addf(out, "-Wl,@%s/share/sis/wrap-memory", runtime->prefix);
}

static void add_runtime(struct words *out, const struct runtime *runtime)
{
	struct text path = { 0 };
	sis_text_addf(&path, "%s/lib", runtime->prefix);
	sis_words_addf(out, "-L%s", path.at);
	if (!runtime->is_static) { /* glibc stops a static PIE that has a search path */
		add_to_linker(out, "-rpath");
		add_to_linker(out, path.at);
	}
	/* the probes themselves; without them, objects have weak definitions (sis/probe.h) */
	if (!runtime->optional) {
		sis_text_addf(&path, "/sis/%s", runtime->probes);
		add_to_linker(out, path.at);
	}
	sis_text_release(&path);
	if (runtime->memory)
		add_memory(out, runtime);
	/* A static program has only one function of a name, so the linker wraps the functions of
	 * OpenMP and libc by --wrap. */
	if (runtime->is_static)
		sis_words_addf(out, "-Wl,@%s/share/sis/wrap-openmp", runtime->prefix);
	if (runtime->is_static && !runtime->optional)
		sis_words_addf(out, "-Wl,@%s/share/sis/wrap-libc,--undefined=sis_unit_register",
			       runtime->prefix);
	if (runtime->mpi)
		add_mpi(out, runtime->is_static);
	sis_words_addf(out, "-Wl,--push-state,%s",
		       runtime->optional ? "--as-needed" : "--no-as-needed");
	sis_words_add(out, "-lsis");
	sis_words_add(out, "-Wl,--pop-state");
}

static bool is_first_library(const struct argument *argument)
{
	return argument->role == ROLE_LIBRARY && !sis_ends(argument->word, ".a");
}

static bool is_source_left(const struct cmdline *line, char *const *objects)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->argument[i].role == ROLE_INPUT && !objects[i] &&
		    !sis_ends(line->argument[i].word, ".o"))
			return true;
	return false;
}

/* Whether this command also compiles C or C++, which needs sisc's words, too. */
static bool compiles(const struct cmdline *line, char *const *objects)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->argument[i].is_c_family && !objects[i])
			return true;
	return false;
}

static bool is_any_made(const struct cmdline *line, char *const *objects)
{
	for (size_t i = 0; i < line->count; i++)
		if (objects[i])
			return true;
	return false;
}

/* Adds the object that replaces a source. An -x for the source must not apply to it. */
static void add_object(struct words *out, const char *object, const char *language)
{
	if (language) {
		sis_words_add(out, "-x");
		sis_words_add(out, "none");
	}
	sis_words_add(out, object);
	if (language) {
		sis_words_add(out, "-x");
		sis_words_add(out, language);
	}
}

/* Adds the words that precede the user's. */
static void add_first_words(const struct cmdline *line, bool clang, char *const *objects,
			    struct words *out)
{
	if (compiles(line, objects)) {
		sis_words_add(out, SIS_CMDLINE_MARK);
		sis_cmdline_add_headers(out);
	}
	if (clang && !is_source_left(line, objects) && is_any_made(line, objects))
		sis_words_add(out, "-Qunused-arguments"); /* the compilations used them */
}

/* The language that an argument for ROLE_LANGUAGE sets: -xLANGUAGE, or the word after -x. */
static const char *language_of(const char *word)
{
	return sis_starts(word, "-x") ? word + 2 : word;
}

static void make_command(const struct cmdline *line, bool clang, char *const *objects,
			 const struct runtime *runtime, struct words *out)
{
	const char *language = NULL;
	bool placed = !runtime->prefix, sources = is_source_left(line, objects);
	add_first_words(line, clang, objects, out);
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		if (argument->role == ROLE_LANGUAGE && !sources)
			continue;
		if (argument->role == ROLE_LANGUAGE && strcmp(argument->word, "-x") != 0)
			language = language_of(argument->word);
		if (!placed && is_first_library(argument)) {
			add_runtime(out, runtime);
			placed = true;
		}
		if (objects[i])
			add_object(out, objects[i], language);
		else if (argument->role != ROLE_DEPENDENCY || sources)
			sis_words_add(out, argument->word);
	}
	if (!placed)
		add_runtime(out, runtime);
	else if (runtime->mpi)
		add_mpi(out, runtime->is_static); /* again, for archives after the first library */
}

/* Whether calls of malloc and the like go to wrappers (--sis-blame). A shared library gets the
 * wrappers even if it has no probes, because it may allocate memory for a program that has some.
 * The wrappers work without the runtime, and find that of the program. */
static bool wraps_memory(const struct job *job, const struct runtime *runtime)
{
	return job->options->blame && (!runtime->optional || job->line.shared);
}

/* Whether what is linked is C++, and may have objects in C++ that call MPI or OpenMP. */
static bool links_cplusplus(const struct job *job)
{
	return job->line.cplusplus || sis_ends(job->options->called, "++");
}

static int find_runtime(const struct job *job, struct runtime *runtime, struct err *err)
{
	const char *suffix = job->line.is_static ? "a" : "so";
	runtime->is_static = job->line.is_static;
	runtime->probes = job->line.shared ? "probes.o" : "probes_of_program.o";
	runtime->prefix = sis_install_prefix(err);
	if (!runtime->prefix)
		return -1;
	char *name = sis_format("lib/libsis.%s", suffix),
	     *mpi = sis_format("lib/libsis-mpi.%s", suffix);
	char *library = sis_install_find(runtime->prefix, name),
	     *mpi_library = sis_install_find(runtime->prefix, mpi);
	/* libsis-mpi is no part of an optional runtime for C: the program's own calls of MPI would
	 * link it */
	runtime->mpi = mpi_library && (!runtime->optional || links_cplusplus(job));
	runtime->memory = wraps_memory(job, runtime);
	int failed = 0;
	if (!library && !runtime->instrumented)
		runtime->prefix = NULL;
	else if (!library)
		failed = sis_err_set(
			err, "cannot link instrumented code: no '%s/%s'; %s", runtime->prefix, name,
			job->line.is_static ? "link without -static, or compile with --sis-off" :
					      "install sisc again");
	free(library);
	free(mpi_library);
	free(name);
	free(mpi);
	return failed;
}

/* -- the program's description ----------------------------------------------------------------- */

static void add_descriptions(struct text *out, const struct text *section)
{
	const char *comma = "";
	for (size_t at = 0; at < section->length; at++) {
		if (!section->at[at])
			continue;
		sis_text_add(out, comma);
		sis_text_add(out, section->at + at);
		comma = ",\n";
		at += strlen(section->at + at);
	}
}

/* Writes PROGRAM.idf. A failure is only a warning, because the linked program can be run. */
static void write_description(const struct job *job)
{
	struct text section = { 0 }, json = { 0 };
	struct err err;
	struct stat status;
	const char *program = job->line.output ? job->line.output : "a.out";
	if (stat(program, &status) < 0 || !S_ISREG(status.st_mode))
		return;
	sis_elf_read_idf(program, &section);
	if (section.length) {
		char *path = realpath(program, NULL);
		char *name = job->options->idf ? sis_format("%s", job->options->idf) :
						 sis_format("%s.idf", program);
		sis_text_add(&json, "{\"sis_idf\":1,\"program\":");
		sis_json_add_string(&json, path ? path : program);
		sis_text_add(&json, ",\"units\":[\n");
		add_descriptions(&json, &section);
		sis_text_add(&json, "\n]}\n");
		if (sis_file_write(name, json.at, json.length, &err) < 0)
			sis_report(SIS_AST_WARNING, NULL, "%s; --sis-idf= names another place",
				   err.text);
		free(path);
		free(name);
	}
	sis_text_release(&section);
	sis_text_release(&json);
}

/* Notes for a program without C that has probes: C++ and Fortran get none. Of a program in Fortran
 * nothing is measured; it is linked as usual. */
static void note_language(struct job *job, const struct runtime *runtime)
{
	const char *program = job->line.output ? job->line.output : "a.out";
	if (job->line.shared)
		return;
	if (sis_compiler_is_fortran(&job->compiler))
		sis_words_addf(
			&job->notes,
			"%s: Fortran gets no probes; a program is measured if C that sisc has "
			"compiled is linked in",
			program);
	else if (links_cplusplus(job) && runtime->prefix)
		sis_words_addf(&job->notes,
			       "%s: functions in C++ are not measured, only MPI and OpenMP",
			       program);
}

int sis_link(struct job *job, char *const *objects, struct err *err)
{
	struct runtime runtime = { 0 };
	struct redirection none = { 0 };
	struct words command = { 0 };
	int failed = 0;
	bool cplusplus = links_cplusplus(job);
	runtime.instrumented = any_instrumented(&job->line, objects);
	runtime.optional = !runtime.instrumented && (!cplusplus || job->line.shared);
	if (!runtime.optional || cplusplus || compiles(&job->line, objects) ||
	    wraps_memory(job, &runtime))
		failed = find_runtime(job, &runtime, err);
	if (!failed) {
		make_command(&job->line, sis_compiler_is_clang(&job->compiler), objects, &runtime,
			     &command);
		failed = sis_compiler_run(&job->compiler, &command, &none, &job->status, err);
	}
	if (!failed && job->status == 0 && runtime.prefix)
		write_description(job);
	if (!runtime.instrumented)
		note_language(job, &runtime); /* reported on success */
	sis_words_release(&command);
	return failed;
}
