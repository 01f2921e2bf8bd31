/* SPDX-License-Identifier: BSD-3-Clause */
/* lazy_library.h - libraries that are loaded at the first call of one of their functions. libpq
 * brings 20 more libraries with it. To load these takes longer than most commands take in all, and
 * few commands call them. */
#ifndef SIS_ANALYSIS_LAZY_LIBRARY_H
#define SIS_ANALYSIS_LAZY_LIBRARY_H

/* The function `name` of the library, which is loaded. A library or a function that is not there
 * ends the program with a message. */
void *lazy_function(const char *library, const char *name);

/* Defines `name`, which calls the library's function of this name:
 *
 *     LAZY_FUNCTION("libpq.so.5", PGresult *, PQexec, (PGconn *c, const char *q), (c, q))
 *
 * The library's header declares `name`, so the compiler compares the two. */
#define LAZY_FUNCTION(library, result, name, parameters, arguments) \
	result name parameters \
	{ \
		static void *_Atomic function; \
		if (!function) \
			function = lazy_function(library, #name); \
		return ((result(*) parameters)function)arguments; \
	}

#endif
