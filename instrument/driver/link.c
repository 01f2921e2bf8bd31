/* SPDX-License-Identifier: BSD-3-Clause */
/* link.c - links the program, and writes its description. Called by build.c.
 * The idea: the runtime precedes the first library. So the runtime precedes MPI and libgomp, whose
 * routines it wraps. The description is read from the linked file, so it describes exactly what was
 * linked. */
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
		char *file = mem_print("%s/lib%s.a", directory, name);
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
	return is_object && !argument->is_read && sis_elf_is_instrumented(argument->word);
}

/* -- the line ---------------------------------------------------------------------------------- */

struct runtime { /* the parts of the runtime to link */
	const char *prefix;  /* NULL: none */
	char *found_in;      /* where the program looks for the shared runtime; NULL: nowhere */
	bool mpi, is_static;
	const char *probes;  /* the object with the probes of a program, or of a library */
	bool memory;         /* calls of malloc and the like go to wrappers (--sis-blame) */
	bool cplusplus;      /* the compiler adds the library of C++ */
	bool instrumented;   /* an object has probes, or calls sis_hand_* */
	/* true if only sources that this command compiles may need the runtime (for sis/sis.h), or
	 * a library in C++ or Fortran (for MPI and OpenMP) */
	bool optional;
};

/* Adds a word for the linker that the compiler does not interpret. The word may have commas. */
static void add_to_linker(struct words *out, const char *word)
{
	sis_words_add(out, "-Xlinker");
	sis_words_add(out, word);
}

static void add_mpi(struct words *out, const char *prefix, bool is_static)
{
	sis_words_add(out, "-Wl,--push-state,--as-needed");
	if (is_static) {
		sis_words_add(out, "-lsis-mpi");
		sis_words_add(out, "-lsis"); /* for the members that only the wrappers need */
	} else {
		char *library = mem_print("%s/lib/sis/link/libsis-mpi.so", prefix);
		add_to_linker(out, library); /* so the compiler does not apply an -x to it */
		free(library);
	}
	sis_words_add(out, "-Wl,--pop-state");
}

static void add_wrappers(struct words *out, const char *prefix, const char *object,
			 const char *names)
{
	char *path = mem_print("%s/lib/sis/%s", prefix, object);
	add_to_linker(out, path);
	free(path);
	sis_words_addf(out, "-Wl,@%s/share/sis/%s", prefix, names);
}

static void add_runtime(struct words *out, const struct runtime *runtime)
{
	struct buf path = { 0 };
	buf_print(&path, "%s/lib", runtime->prefix);
	sis_words_addf(out, "-L%s", path.at);
	if (runtime->found_in) {
		add_to_linker(out, "-rpath");
		add_to_linker(out, runtime->found_in);
	}
	/* the probes themselves; without them, objects have weak definitions (sis/probe.h) */
	if (!runtime->optional) {
		buf_print(&path, "/sis/%s", runtime->probes);
		add_to_linker(out, path.at);
	}
	buf_release(&path);
	/* The program may have linker options for wrappers of malloc and the like, too. The
	 * program's wrappers win, because ours are weak. */
	if (runtime->memory)
		add_wrappers(out, runtime->prefix, "memory_wrappers.o", "wrap-memory");
	if (runtime->memory && runtime->cplusplus)
		add_wrappers(out, runtime->prefix, "memory_cplusplus.o", "wrap-memory-cplusplus");
	/* A static program has only one function of a name, so the linker wraps the functions of
	 * OpenMP and libc by --wrap. */
	if (runtime->is_static)
		sis_words_addf(out, "-Wl,@%s/share/sis/wrap-openmp", runtime->prefix);
	if (runtime->is_static && !runtime->optional)
		sis_words_addf(out, "-Wl,@%s/share/sis/wrap-libc,--undefined=sis_unit_register",
			       runtime->prefix);
	if (runtime->mpi)
		add_mpi(out, runtime->prefix, runtime->is_static);
	sis_words_addf(out, "-Wl,--push-state,%s",
		       runtime->optional ? "--as-needed" : "--no-as-needed");
	sis_words_add(out, "-lsis");
	sis_words_add(out, "-Wl,--pop-state");
}

/* Whether this command also compiles C or C++. Then it needs sisc's words for a compilation,
 * too. */
static bool compiles(const struct cmdline *line, char *const *objects)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->argument[i].is_c_family && !objects[i])
			return true;
	return false;
}

/* Adds the object that replaces a source. An -x for the source must not apply to the object. */
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

/* Keeps the library of C++, also with --as-needed. Objects with probes have only weak references to
 * the function that unwinds C++ (sis/probe.h). Without the library, no destructor would run.
 * LIMIT: a library of C++ that is linked statically, or is not the compiler's default, is kept only
 * if the program uses something of it. */
static void add_cplusplus(const struct cmdline *line, struct words *out)
{
	static const char *const others[] = { "-stdlib=", "-static-libstdc++", "-nostdlib",
					      "-nodefaultlibs" };
	bool is_default = true;
	for (size_t i = 0; i < line->count; i++)
		for (size_t k = 0; k < sizeof others / sizeof *others; k++)
			is_default &= !sis_starts(line->argument[i].word, others[k]);
	if (is_default)
		sis_words_add(out, "-Wl,--push-state,--no-as-needed,-lstdc++,--pop-state");
}

static void make_command(const struct cmdline *line, bool clang, char *const *objects,
			 const struct runtime *runtime, struct words *out)
{
	const char *language = NULL; /* that -x sets */
	bool added = !runtime->prefix, sources = false, made = false;
	for (size_t i = 0; i < line->count; i++) {
		made |= objects[i] != NULL;
		sources |= line->argument[i].role == ROLE_INPUT && !objects[i] &&
			   !sis_ends(line->argument[i].word, ".o");
	}
	if (compiles(line, objects)) {
		sis_words_add(out, SIS_CMDLINE_MARK);
		sis_cmdline_add_headers(out);
	}
	if (clang && !sources && made)
		sis_words_add(out, "-Qunused-arguments"); /* the compilations used them */
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		const char *word = argument->word;
		if (argument->role == ROLE_LANGUAGE && !sources)
			continue;
		if (argument->role == ROLE_LANGUAGE && strcmp(word, "-x") != 0)
			language = sis_starts(word, "-x") ? word + 2 : word;
		if (!added && argument->role == ROLE_LIBRARY && !sis_ends(word, ".a")) {
			add_runtime(out, runtime);
			added = true;
		}
		if (objects[i])
			add_object(out, objects[i], language);
		else if (argument->role != ROLE_DEPENDENCY || sources)
			sis_words_add(out, word);
	}
	if (!added)
		add_runtime(out, runtime);
	else if (runtime->mpi) /* once more, for archives after the first library */
		add_mpi(out, runtime->prefix, runtime->is_static);
	if (runtime->instrumented && line->cplusplus && !runtime->is_static)
		add_cplusplus(line, out);
	/* mpicc names the MPI library after these words. The libsis-mpi.so with which sisc links
	 * needs that library (rtlib/apart/mpi_entry/mpi_link.c). Linkers other than GNU ld do not
	 * notice this need, and would drop the library. */
	for (size_t i = 0; runtime->mpi && !runtime->is_static && i < line->count; i++)
		if (sis_starts(line->argument[i].word, "-fuse-ld=") &&
		    strcmp(line->argument[i].word, "-fuse-ld=bfd") != 0)
			sis_words_add(out, "-Wl,--no-as-needed");
}

/* Whether calls of malloc and the like go to wrappers (--sis-blame). A shared library gets the
 * wrappers even if it has no probes, because it may allocate memory for a program that has some.
 * The wrappers work without the runtime, and find the runtime of the program. */
static bool wraps_memory(const struct job *job, const struct runtime *runtime)
{
	return job->options->blame && (!runtime->optional || job->line.shared);
}

/* The language of the compiler that links, if it is not C; NULL: C. Objects without probes may call
 * MPI or OpenMP, which is measured nevertheless. */
static const char *other_language(const struct job *job)
{
	if (sis_compiler_is_fortran(&job->compiler))
		return "Fortran";
	return job->line.cplusplus || sis_ends(job->options->called, "++") ? "C++" : NULL;
}

/* Where the program looks for the runtime. A program in bin/ or lib/ of the installation looks
 * relative to its own place, because the installation can be moved. */
static char *search_path(const struct cmdline *line, const char *prefix)
{
	struct buf path = { 0 };
	char *output = mem_string(line->output ? line->output : "a.out");
	char *slash = strrchr(output, '/');
	if (slash)
		slash[slash == output] = '\0';
	char *folder = realpath(slash ? output : ".", NULL);
	size_t length = strlen(prefix);
	const char *inside = folder && sis_starts(folder, prefix) ? folder + length : "";
	bool is_installed = strcspn(inside + (*inside == '/'), "/") == strlen("bin") &&
		(sis_starts(inside, "/bin") || sis_starts(inside, "/lib"));
	buf_add(&path, is_installed ? "$ORIGIN" : prefix);
	for (const char *at = inside; is_installed && *at; at++)
		if (*at == '/')
			buf_add(&path, "/..");
	buf_add(&path, "/lib");
	free(folder);
	free(output);
	return path.at;
}

static int find_runtime(const struct job *job, struct runtime *runtime, struct err *err)
{
	const char *suffix = job->line.is_static ? "a" : "so";
	runtime->is_static = job->line.is_static;
	runtime->probes = job->line.shared ? "probes.o" : "probes_of_program.o";
	runtime->prefix = sis_install_prefix(err);
	if (!runtime->prefix)
		return -1;
	char *name = mem_print("lib/libsis.%s", suffix),
	     *mpi = mem_print("lib/libsis-mpi.%s", suffix);
	char *library = sis_install_find(runtime->prefix, name),
	     *mpi_library = sis_install_find(runtime->prefix, mpi);
	/* An optional runtime for C has no libsis-mpi. Otherwise the linker would keep libsis-mpi
	 * for the program's own calls of MPI. */
	runtime->mpi = mpi_library && (!runtime->optional || other_language(job));
	runtime->memory = wraps_memory(job, runtime);
	const char *language = other_language(job);
	runtime->cplusplus = language && strcmp(language, "C++") == 0;
	for (size_t i = 0; i < job->line.count && runtime->cplusplus; i++)
		runtime->cplusplus = !sis_starts(job->line.argument[i].word, "-nostdlib") &&
				     strcmp(job->line.argument[i].word, "-nodefaultlibs") != 0;
	if (!runtime->is_static) /* glibc stops a static PIE that has a search path */
		runtime->found_in = search_path(&job->line, runtime->prefix);
	int failed = 0;
	if (!library && !runtime->instrumented)
		runtime->prefix = NULL;
	else if (!library)
		failed = err_fail(
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

/* Writes PROGRAM.idf. A failure is only a warning, because the linked program can be run. */
static void write_description(const struct job *job)
{
	struct buf section = { 0 }, json = { 0 };
	struct err err = { "" };
	struct stat status;
	const char *program = job->line.output ? job->line.output : "a.out";
	if (stat(program, &status) < 0 || !S_ISREG(status.st_mode))
		return;
	sis_elf_read_idf(program, &section);
	if (section.length) {
		char *path = realpath(program, NULL);
		char *name = job->options->idf ? mem_print("%s", job->options->idf) :
						 mem_print("%s.idf", program);
		buf_add(&json, "{\"sis_idf\":1,\"program\":");
		sis_json_add_string(&json, path ? path : program);
		buf_add(&json, ",\"units\":[\n");
		const char *comma = "";
		for (size_t at = 0; at < section.length; at++) {
			if (!section.at[at])
				continue;
			buf_add(&json, comma);
			buf_add(&json, section.at + at);
			comma = ",\n";
			at += strlen(section.at + at);
		}
		buf_add(&json, "\n]}\n");
		if (sis_file_write(name, json.at, json.length, &err) < 0)
			sis_report(SIS_AST_WARNING, NULL, "%s; --sis-idf= names another place",
				   err.text);
		free(path);
		free(name);
	}
	buf_release(&section);
	buf_release(&json);
}

/* Adds a note if no object of a program has probes although the runtime is linked, because a
 * compiler of C++ or Fortran links it. Fortran gets no probes. */
static void note_no_probes(struct job *job, const struct runtime *runtime)
{
	const char *program = job->line.output ? job->line.output : "a.out",
		   *language = other_language(job);
	if (language && runtime->prefix && !job->line.shared)
		sis_words_addf(&job->notes,
			       strcmp(language, "C++") == 0 ?
				       "%s: sisc compiled none of its functions, so only MPI and "
				       "OpenMP are measured" :
				       "%s: functions in Fortran are not measured, only MPI and "
				       "OpenMP",
			       program);
}

int sis_link(struct job *job, char *const *objects, struct err *err)
{
	struct runtime runtime = { 0 };
	struct redirection none = { 0 };
	struct words command = { 0 };
	int failed = 0;
	bool other = other_language(job) != NULL;
	for (size_t i = 0; i < job->line.count && !runtime.instrumented; i++)
		runtime.instrumented = is_instrumented(&job->line, i, objects[i]);
	runtime.optional = !runtime.instrumented && (!other || job->line.shared);
	if (!runtime.optional || other || compiles(&job->line, objects) ||
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
		note_no_probes(job, &runtime); /* reported on success */
	sis_words_release(&command);
	free(runtime.found_in);
	return failed;
}
