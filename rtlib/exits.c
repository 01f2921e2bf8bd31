/* exits.c - the ways to end a process without its destructors, interposed to note which it was.
 * Any thread. Only in libsis.so: the static library leaves libc's alone.
 *
 * Each notes the state and goes on to what was called. A signal's default action, SIGKILL above all,
 * cannot be noted: such a file says that it is still running, and nobody is.
 */
#include "core.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

SIS_EXPORT __attribute__((noreturn)) void _exit(int status)
{
	sis__process_state(SIS_STATE_ABORTED, status);
	for (;;)
		syscall(SYS_exit_group, status);
}

SIS_EXPORT __attribute__((noreturn)) void _Exit(int status)
{
	_exit(status);
}

SIS_EXPORT __attribute__((noreturn)) void quick_exit(int status)
{
	void (*real)(int) = (void (*)(int))next("quick_exit");
	sis__process_state(SIS_STATE_ABORTED, status);
	real(status);
	__builtin_unreachable();
}

SIS_EXPORT __attribute__((noreturn)) void abort(void)
{
	void (*real)(void) = (void (*)(void))next("abort");
	sis__process_state(SIS_STATE_SIGNAL, SIGABRT);
	real();
	__builtin_unreachable();
}

/* -- exec: does not return unless it fails --------------------------------------------------------------- */

static int failed(int result)
{
	int saved = errno;
	sis__process_state(SIS_STATE_RUNNING, 0);
	errno = saved;
	return result;
}

SIS_EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
	sis__process_state(SIS_STATE_EXEC, 0);
	return failed((int)syscall(SYS_execve, path, arguments, environment));
}

SIS_EXPORT int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

SIS_EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
	int (*real)(const char *, char *const[], char *const[]) =
		(int (*)(const char *, char *const[], char *const[]))next("execvpe");
	sis__process_state(SIS_STATE_EXEC, 0);
	return failed(real(file, arguments, environment));
}

SIS_EXPORT int execvp(const char *file, char *const arguments[])
{
	return execvpe(file, arguments, environ);
}

SIS_EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
	int (*real)(int, char *const[], char *const[]) = (int (*)(int, char *const[], char *const[]))next("fexecve");
	sis__process_state(SIS_STATE_EXEC, 0);
	return failed(real(fd, arguments, environment));
}

/* -- the same with the arguments in a row --------------------------------------------------------------- */

/* How many there are before the NULL. */
static size_t count_row(va_list row)
{
	size_t count = 0;
	while (va_arg(row, char *))
		count++;
	return count;
}

/* Calls `run` with the row as an array: in the frame, since exec must do without malloc. */
#define EXEC_ROW(first, run)                                                                                          \
	va_list row;                                                                                                  \
	va_start(row, first);                                                                                         \
	size_t count = count_row(row);                                                                                \
	va_end(row);                                                                                                  \
	char **arguments = __builtin_alloca((count + 2) * sizeof *arguments);                                         \
	arguments[0] = (char *)(uintptr_t)(first);                                                                    \
	va_start(row, first);                                                                                         \
	for (size_t i = 1; i <= count + 1; i++)                                                                       \
		arguments[i] = va_arg(row, char *);                                                                   \
	int result = run;                                                                                             \
	va_end(row);                                                                                                  \
	return result

SIS_EXPORT int execl(const char *path, const char *first, ...)
{
	EXEC_ROW(first, execve(path, arguments, environ));
}

SIS_EXPORT int execlp(const char *file, const char *first, ...)
{
	EXEC_ROW(first, execvpe(file, arguments, environ));
}

SIS_EXPORT int execle(const char *path, const char *first, ...)
{
	EXEC_ROW(first, execve(path, arguments, va_arg(row, char **)));
}
