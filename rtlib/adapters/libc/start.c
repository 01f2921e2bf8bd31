/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - the start of a program, interposed to register an exit handler before all others.
 * Called by the initial thread, before main.
 *
 * The handler that is registered first is called last. So this handler is called after the handlers
 * of atexit, and after the destructors of the program and of all libraries, because the handler
 * that calls the destructors is registered later. exit_race.c says what this handler is for.
 */
#include "process/process.h"
#include "process/watch.h"
#include "adapters/libc/libc_entry.h"

/* Number of handlers that are registered in advance. So many threads may each take a handler before
 * one of them has registered more. */
enum { HANDLERS = 8 };

#ifdef SIS_STATIC
static void last(void)
{
	sis__ending_last(0, NULL);
}
#endif

/* In a dynamic program, `unload` is a function of the dynamic linker, which has initialized
 * everything. In a static program nothing works yet: there is no thread-local storage, and no
 * handler can be registered. But `unload` is free, so `last` is passed in its place. */
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
	sis__watch_begin();
	return REAL(__libc_start_main)(entry, count, arguments, begin, end, unload, stack);
}
