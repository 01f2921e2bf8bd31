/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler.c - chooses the underlying compiler and runs it. Called by main and by all steps that
 * run a compiler.
 * The idea: the compiler's messages, exit status and signal get to the caller unchanged. */
#include "driver/compiler.h"
#include "driver/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Set in the environment of the compiler. With MPICH_CC=sisc, or with a link in PATH from gcc to
 * sisc, mpicc calls sisc again. This nested sisc must not call mpicc. */
#define NESTED "SISC_NESTED"

static bool is_runnable(const char *name)
{
	if (strchr(name, '/'))
		return access(name, X_OK) == 0;
	const char *path = getenv("PATH");
	for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
		size_t length = strcspn(p, ":");
		char *file = mem_print("%.*s/%s", (int)length, p, name);
		bool found = access(file, X_OK) == 0;
		free(file);
		if (found)
			return true;
		p += length + (p[length] == ':');
	}
	return false;
}

bool sis_compiler_is_nested(void)
{
	return getenv(NESTED) != NULL;
}

void sis_compiler_nest(bool on)
{
	if (on)
		setenv(NESTED, "1", 1);
	else
		unsetenv(NESTED);
}

/* The default compilers for a language. */
struct defaults {
	const char *variable, *mpi, *plain; /* SISC_CC, mpicc, cc */
	const char *wrapped[2];             /* variables with the compiler of an MPI wrapper */
};
static const struct defaults for_c = { "SISC_CC", "mpicc", "cc", { "MPICH_CC", "OMPI_CC" } };
static const struct defaults for_cplusplus = {
	"SISC_CXX", "mpicxx", "c++", { "MPICH_CXX", "OMPI_CXX" }
};

/* Whether an MPI wrapper calls sisc. Then sisc must not call the wrapper, which has added its words
 * already. */
static bool is_wrapped(const struct defaults *defaults)
{
	for (int i = 0; i < 2; i++) {
		const char *called = getenv(defaults->wrapped[i]);
		if (called && strstr(sis_basename(called), "sisc"))
			return true;
	}
	return false;
}

void sis_compiler_choose(struct compiler *compiler, const char *name, const char *called)
{
	const struct defaults *defaults = sis_ends(called, "++") ? &for_cplusplus : &for_c;
	if (!name || !*name)
		name = getenv(defaults->variable);
	if (sis_compiler_is_nested())
		name = defaults->plain;
	if (!name || !*name)
		name = is_runnable(defaults->mpi) && !is_wrapped(defaults) ? defaults->mpi :
									     defaults->plain;
	char *copy = mem_print("%s", name);
	for (char *save, *word = strtok_r(copy, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save))
		sis_words_add(&compiler->command, word);
	if (!compiler->command.count) /* all blanks */
		sis_words_add(&compiler->command, defaults->plain);
	free(copy);
}

const char *sis_compiler_program(const struct compiler *compiler, struct words *flags)
{
	static const char *const launchers[] = { "ccache", "sccache", "distcc", "icecc", "nice" };
	size_t first = 0;
	for (size_t i = 0;
	     i < sizeof launchers / sizeof *launchers && first + 1 < compiler->command.count; i++)
		if (strcmp(sis_basename(compiler->command.at[first]), launchers[i]) == 0) {
			first++;
			i = -1; /* there may be another launcher */
		}
	for (size_t i = first + 1; i < compiler->command.count; i++)
		sis_words_add(flags, compiler->command.at[i]);
	return compiler->command.at[first];
}

static bool name_contains(const struct compiler *compiler, const char *part)
{
	struct words unused = { 0 };
	bool found = strstr(sis_basename(sis_compiler_program(compiler, &unused)), part) != NULL;
	sis_words_release(&unused);
	return found;
}

bool sis_compiler_is_clang(const struct compiler *compiler)
{
	return name_contains(compiler, "clang");
}

static bool name_contains_any(const struct compiler *compiler, const char *const *parts)
{
	bool found = false;
	for (; *parts; parts++)
		found |= name_contains(compiler, *parts);
	return found;
}

bool sis_compiler_is_cplusplus(const struct compiler *compiler)
{
	return name_contains_any(compiler, (const char *const[]){ "++", "cxx", "gxx", "icpc",
								  "icpx", "CC", NULL });
}

bool sis_compiler_is_fortran(const struct compiler *compiler)
{
	return name_contains_any(compiler, (const char *const[]){ "fort", "f77", "f90", "f95",
								  "flang", "ftn", "ifx", NULL });
}

static void print_command(const struct words *words, const char *input)
{
	struct buf line = { 0 };
	for (size_t i = 0; i < words->count; i++) {
		bool quoted = strpbrk(words->at[i], " \t\"'\\$&;()<>|*?") != NULL;
		buf_print(&line, quoted ? "%s'%s'" : "%s%s", i ? " " : "sisc: ", words->at[i]);
	}
	if (input)
		buf_print(&line, " < %s", input);
	sis_print_line(stderr, "%s", line.at);
	buf_release(&line);
}

static int cannot_run(const struct compiler *compiler, int reason, struct err *err)
{
	return err_fail(err, "cannot run '%s': %s; name another with --sis-cc= or SISC_CC",
			   compiler->command.at[0], strerror(reason));
}

int sis_compiler_check(const struct compiler *compiler, struct err *err)
{
	return is_runnable(compiler->command.at[0]) ? 0 : cannot_run(compiler, ENOENT, err);
}

int sis_compiler_exec(const struct compiler *compiler, const struct words *arguments,
		      struct err *err)
{
	struct words command = { 0 };
	sis_words_join(&command, &compiler->command);
	sis_words_join(&command, arguments);
	if (compiler->verbose)
		print_command(&command, NULL);
	sis_compiler_nest(true);
	execvp(command.at[0], command.at);
	return cannot_run(compiler, errno, err);
}

/* Makes the words to run: `arguments`, or an @file that contains them if they may be too long for
 * exec. In an @file each word is quoted. */
static int make_command(struct words *command, const struct compiler *compiler,
			const struct words *arguments, struct err *err)
{
	enum { LONG = 100000 };
	size_t length = 0;
	for (size_t i = 0; i < arguments->count; i++)
		length += strlen(arguments->at[i]) + 1;
	sis_words_join(command, &compiler->command);
	if (length < LONG) {
		sis_words_join(command, arguments);
		return 0;
	}
	const char *file = sis_temporary_name("arguments", err);
	if (!file)
		return -1;
	struct buf text = { 0 };
	for (size_t i = 0; i < arguments->count; i++) {
		buf_add(&text, "\"");
		for (const char *p = arguments->at[i]; *p; p++) {
			if (*p == '"' || *p == '\\')
				buf_add(&text, "\\");
			buf_put(&text, p, 1);
		}
		buf_add(&text, "\"\n");
	}
	int failed = sis_file_write(file, text.at, text.length, err);
	buf_release(&text);
	sis_words_addf(command, "@%s", file);
	return failed;
}

static int spawn_and_wait(char **command, const struct redirection *to, bool rewinds, int *status)
{
	pid_t child;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	if (to->input)
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, to->input, O_RDONLY, 0);
	if (to->errors)
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, to->errors,
						 O_WRONLY | O_CREAT | O_TRUNC, 0600);
	sis_compiler_nest(true);
	if (rewinds)
		lseek(STDIN_FILENO, 0, SEEK_SET);
	int reason = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
	sis_compiler_nest(false);
	posix_spawn_file_actions_destroy(&actions);
	if (reason)
		return reason;
	sis_temporary_child(child);
	while (waitpid(child, status, 0) < 0)
		if (errno != EINTR)
			return errno;
	sis_temporary_child(0);
	return 0;
}

int sis_compiler_run(const struct compiler *compiler, const struct words *arguments,
		     const struct redirection *to, int *status, struct err *err)
{
	struct words command = { 0 };
	if (make_command(&command, compiler, arguments, err) < 0)
		return -1;
	if (compiler->verbose)
		print_command(&command, to->input);
	fflush(stdout);
	int reason = spawn_and_wait(command.at, to, compiler->rewinds, status);
	sis_words_release(&command);
	return reason ? cannot_run(compiler, reason, err) : 0;
}
