/* SPDX-License-Identifier: BSD-3-Clause */
/* exits.c - functions that end a process without its destructors, interposed to note which function
 * was called. Called by any thread.
 *
 * Each function notes the state of the process and calls libc's function. fatal_signal.c notes the
 * signals of a crash. After other signals, such as SIGTERM and SIGKILL, the file says that the
 * process is still running.
 */
#include "base/system_call.h"
#include "process/process.h"
#include "process/watch.h"
#include "adapters/libc/libc_entry.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

/* A process without probes may have no profile yet, in which the state is noted. */
static void note(enum sis_state state, int status)
{
	sis__watch_end(state == SIS_STATE_EXEC);
	sis__process_state(state, status);
}

SIS_EXPORT __attribute__((noreturn)) void INTERPOSED(_exit)(int status)
{
	note(SIS_STATE_ABORTED, status);
	for (;;)
		sis__system_call(SYS_exit_group, status);
}

SIS_EXPORT __attribute__((noreturn)) void INTERPOSED(_Exit)(int status)
{
	INTERPOSED(_exit)(status);
}

SIS_EXPORT __attribute__((noreturn)) void INTERPOSED(quick_exit)(int status)
{
	note(SIS_STATE_ABORTED, status);
	REAL(quick_exit)(status);
	__builtin_unreachable();
}

SIS_EXPORT __attribute__((noreturn)) void INTERPOSED(abort)(void)
{
	note(SIS_STATE_SIGNAL, SIGABRT);
	REAL(abort)();
	__builtin_unreachable();
}

/* __assert_fail is interposed, too, because it calls libc's own abort and not the interposed one.
 */
SIS_EXPORT __attribute__((noreturn)) void INTERPOSED(__assert_fail)(const char *assertion,
								    const char *file, unsigned line,
								    const char *function)
{
	note(SIS_STATE_SIGNAL, SIGABRT);
	REAL(__assert_fail)(assertion, file, line, function);
	__builtin_unreachable();
}

/* -- functions that return only if they fail: exec, and daemon in the parent ------------------- */

static int failed(int result)
{
	int saved = errno;
	sis__process_state(SIS_STATE_RUNNING, 0);
	errno = saved;
	return result;
}

SIS_EXPORT int INTERPOSED(daemon)(int stay, int keep)
{
	note(SIS_STATE_ABORTED, 0);
	return failed(REAL(daemon)(stay, keep)); /* the child has a state of its own */
}

SIS_EXPORT int INTERPOSED(execve)(const char *path, char *const arguments[],
				  char *const environment[])
{
	note(SIS_STATE_EXEC, 0);
	return failed((int)sis__system_call(SYS_execve, path, arguments, environment));
}

SIS_EXPORT int INTERPOSED(execv)(const char *path, char *const arguments[])
{
	return INTERPOSED(execve)(path, arguments, environ);
}

SIS_EXPORT int INTERPOSED(execvpe)(const char *file, char *const arguments[],
				   char *const environment[])
{
	note(SIS_STATE_EXEC, 0);
	return failed(REAL(execvpe)(file, arguments, environment));
}

SIS_EXPORT int INTERPOSED(execvp)(const char *file, char *const arguments[])
{
	return INTERPOSED(execvpe)(file, arguments, environ);
}

SIS_EXPORT int INTERPOSED(fexecve)(int fd, char *const arguments[], char *const environment[])
{
	note(SIS_STATE_EXEC, 0);
	return failed(REAL(fexecve)(fd, arguments, environment));
}

/* -- exec with the arguments in a row ---------------------------------------------------------- */

/* Calls `run` with the row of arguments as an array. The array is in the stack frame, because exec
 * must not call malloc. */
#define EXEC_ROW(first, run) \
	va_list row; \
	va_start(row, first); \
	size_t count = 0; /* before the NULL */ \
	while (va_arg(row, char *)) \
		count++; \
	va_end(row); \
	char **arguments = __builtin_alloca((count + 2) * sizeof *arguments); \
	arguments[0] = (char *)(uintptr_t)(first); \
	va_start(row, first); \
	for (size_t i = 1; i <= count + 1; i++) \
		arguments[i] = va_arg(row, char *); \
	int result = run; \
	va_end(row); \
	return result

SIS_EXPORT int INTERPOSED(execl)(const char *path, const char *first, ...)
{
	EXEC_ROW(first, INTERPOSED(execve)(path, arguments, environ));
}

SIS_EXPORT int INTERPOSED(execlp)(const char *file, const char *first, ...)
{
	EXEC_ROW(first, INTERPOSED(execvpe)(file, arguments, environ));
}

SIS_EXPORT int INTERPOSED(execle)(const char *path, const char *first, ...)
{
	EXEC_ROW(first, INTERPOSED(execve)(path, arguments, va_arg(row, char **)));
}
