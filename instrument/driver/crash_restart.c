/* SPDX-License-Identifier: BSD-3-Clause */
/* crash_restart.c - starts sisc again after it crashed on a source. Called by main and compile.c,
 * and by the signal handlers that this file installs for the time of a parse.
 * The idea: a handler cannot restore clang's state, but it may replace the process. The new process
 * gets the name of the source in its environment, which is prepared before the parse. */
#include "driver/crash_restart.h"
#include "common/base.h"
#include "driver/temporary.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CRASHED "SISC_CRASHED"

extern char **environ;

enum { STACK = 64 * 1024 }; /* of the handler: after a stack overflow it needs its own */
enum { DEPTH = 120 << 20 }; /* bytes for clang's stack; the kernel keeps 128 MiB free below it */

static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
enum { CRASHES = sizeof crashes / sizeof *crashes };

/* for the new process; `environment` is set only between begin and end */
static char **arguments, **environment;
static char *crashed; /* names of sources, each followed by a newline */
static struct sigaction before[CRASHES];
static struct rlimit shallow; /* the limit before begin */

void sis_crash_restart_start(char **argv)
{
	const char *names = getenv(CRASHED);
	arguments = argv;
	crashed = mem_print("%s", names ? names : "");
	unsetenv(CRASHED);
}

bool sis_crash_restart_crashed(const char *source)
{
	char *line = mem_print("%s\n", source);
	size_t length = strlen(line);
	bool found = false;
	for (const char *name = crashed; *name && !found; name = strchr(name, '\n') + 1)
		found = strncmp(name, line, length) == 0;
	free(line);
	return found;
}

/* Only makes system calls, because memory and libraries are in an unknown state. */
static void on_crash(int number)
{
	sis_temporary_clear();
	lseek(STDIN_FILENO, 0, SEEK_SET); /* a source on standard input is read again (stdin.c) */
	execve("/proc/self/exe", arguments, environment);
	signal(number, SIG_DFL);
	raise(number);
}

void sis_crash_restart_begin(const char *source)
{
	if (strchr(source, '\n')) /* the name would be read as two names */
		return;
	struct sigaction handler = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };
	stack_t stack = { .ss_sp = mem_alloc(STACK, 1), .ss_size = STACK };
	size_t count = 0;
	while (environ[count])
		count++;
	environment = mem_alloc(count + 2, sizeof *environment);
	memcpy(environment, environ, count * sizeof *environment);
	environment[count] = mem_print(CRASHED "=%s%s\n", crashed, source);
	sigaltstack(&stack, NULL);
	/* Raises the stack limit, as GCC does: long chains of cases, else-ifs and operators are
	 * deep trees. */
	getrlimit(RLIMIT_STACK, &shallow);
	struct rlimit deep = shallow;
	if (deep.rlim_cur < DEPTH) /* RLIM_INFINITY is the greatest value */
		deep.rlim_cur = deep.rlim_max < DEPTH ? deep.rlim_max : DEPTH;
	setrlimit(RLIMIT_STACK, &deep);
	for (size_t i = 0; i < CRASHES; i++)
		sigaction(crashes[i], &handler, &before[i]);
}

void sis_crash_restart_end(void)
{
	stack_t now, none = { .ss_flags = SS_DISABLE };
	if (!environment)
		return;
	for (size_t i = 0; i < CRASHES; i++)
		sigaction(crashes[i], &before[i], NULL);
	sigaltstack(&none, &now);
	setrlimit(RLIMIT_STACK, &shallow);
	free(now.ss_sp);
	for (char **last = environment;; last++)
		if (!last[1]) {
			free(*last);
			break;
		}
	free(environment);
	environment = NULL;
}
