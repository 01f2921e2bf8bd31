/* SPDX-License-Identifier: BSD-3-Clause */
/* interposed.h - functions that are called instead of a library's functions of the same names. */
#ifndef SIS_INTERPOSED_H
#define SIS_INTERPOSED_H

/* Finds the library's function `name`. `own` is the function that was called instead. If no library
 * of the process has the function, returns a function that does nothing and returns 0: the program
 * has only asked whether there is such a function. */
void *sis__interposed_real(const char *name, const void *own);

/* Begins the definition of an interposed function. Functions that return nothing are interposed in
 * the same way, since their callers do not read the result. */
#define INTERPOSED(name, parameters) \
	int name parameters __attribute__((__visibility__("default"))); \
	int name parameters

/* Calls the library's function. All threads store the same address. */
#define REAL(name, arguments) \
	({ \
		static __typeof__(&name) found; \
		__typeof__(&name) real = __atomic_load_n(&found, __ATOMIC_RELAXED); \
		if (__builtin_expect(!real, 0)) { \
			real = (__typeof__(&name))sis__interposed_real(#name, (void *)name); \
			__atomic_store_n(&found, real, __ATOMIC_RELAXED); \
		} \
		real arguments; \
	})

#endif
