/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_copies.h - functions with probes of which the linker, or the dynamic linker, kept a copy
 * without probes.
 *
 * Each unit that uses an inline function or an instance of a template may have a copy of it. The
 * linker keeps the first one of a program or library. Of those that programs and libraries export,
 * the dynamic linker takes the first one, in its order of modules, for all modules. */
#ifndef SIS_ANALYSIS_KEPT_COPIES_H
#define SIS_ANALYSIS_KEPT_COPIES_H

#include "base/err.h"
#include "base/mem.h"

struct kept_copies {
	VEC(const char *) symbol;  /* functions whose kept copy has no probes */
	char *text;                /* to which they point */
};

struct kept_copies_question {
	char *const *module;       /* paths: the program, libraries in the dynamic linker's order */
	size_t modules;
	const char *const *symbol; /* functions that are regions; not instances of templates */
	size_t symbols;
	uint64_t newest_ns;        /* newer files are not those of the run, and are not read */
};

/* Fails only if this process cannot continue. */
int kept_copies_find(struct kept_copies *kept, const struct kept_copies_question *question,
		     struct err *err);
void kept_copies_release(struct kept_copies *kept);

#endif
