/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - the start of a program, interposed to register an exit handler before all others. The
 * initial thread, before main.
 *
 * The handler that was registered first is called last: after those of atexit, and after the
 * destructors of the program and of all libraries, which are a handler that libc registers after
 * this one. exit_race.c says what it is for.
 */
#include "process/process.h"
#include "libc/libc_entry.h"

/* So many threads may get one before the first of them has registered more. */
enum { HANDLERS = 8 };

#ifdef SIS_STATIC
static void last(void)
{
	sis__ending_last(0, NULL);
}
#endif

/* `unload` is the dynamic linker's, which has initialized everything. A static program has none,
 * and nothing works yet: there is no thread-local storage, and no handler can be registered. There
 * `last` is passed in its place. */
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
