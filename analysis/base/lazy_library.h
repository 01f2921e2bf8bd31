/* SPDX-License-Identifier: BSD-3-Clause */
/* lazy_library.h - loads a library at the first call of one of its functions. The reason is libpq,
 * which needs 20 more libraries. Loading them takes longer than most commands take in all, and few
 * commands call libpq. */
#ifndef SIS_ANALYSIS_LAZY_LIBRARY_H
#define SIS_ANALYSIS_LAZY_LIBRARY_H

/* Loads the library and returns its function `name`. If there is no such library or function, the
 * program ends with a message. */
void *lazy_function(const char *library, const char *name);
/* As lazy_function. NULL if there is no such library or function. */
void *optional_function(const char *library, const char *name);

/* Defines `name`, which calls the library's function of this name:
 *
 *     LAZY_FUNCTION("libpq.so.5", PGresult *, PQexec, (PGconn *c, const char *q), (c, q))
 *
 * The library's header declares `name`, so the compiler compares declaration and definition. */
#define LAZY_FUNCTION(library, result, name, parameters, arguments) \
	result name parameters \
	{ \
		static void *_Atomic function; \
		if (!function) \
			function = lazy_function(library, #name); \
		return ((result(*) parameters)function)arguments; \
	}

#endif
