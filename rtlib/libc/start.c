/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - the start of a program, interposed to be the first to register an exit handler. The
 * initial thread, before main.
 *
 * The first handler is the last to be called: after atexit's, and after the destructors of the
 * program and of all libraries, for those are a handler of libc's that it registers here.
 * exit_race.c has what it is for.
 */
#include "process/process.h"
#include "libc/libc_entry.h"

/* As many threads may come to them before one has put more in their place. */
enum { HANDLERS = 8 };

#ifdef SIS_STATIC
static void last(void)
{
	sis__ending_last(0, NULL);
}
#endif

/* `unload` is the dynamic linker's, which has made everything ready. In a static program there is
 * none, and nothing works yet: no thread has its storage, no handler can be registered. There ours
 * can take its place. */
SIS_EXPORT int INTERPOSED(__libc_start_main)(int (*entry)(int, char **, char **), int count,
					     char **arguments, void (*begin)(void),
					     void (*end)(void), void (*unload)(void), void *stack)
{
#ifdef SIS_STATIC
	if (!unload)
		return REAL(__libc_start_main)(entry, count, arguments, begin, end, last, stack);
#endif
	for (int i = 0; i < HANDLERS; i++)
		on_exit(sis__ending_last, NULL);
	return REAL(__libc_start_main)(entry, count, arguments, begin, end, unload, stack);
}
