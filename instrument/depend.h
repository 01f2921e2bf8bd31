/* depend.h - dependency files (-MD) that name the user's files, and all of them, not ours. */
#ifndef SISC_DEPEND_H
#define SISC_DEPEND_H

#include "base.h"

struct dependencies {
	const char *compiled;      /* what the compiler read; NULL: standard input */
	const char *source;        /* what it is to be called */
	const char *header;        /* ours: goes */
	const struct words *more;  /* files whose text was in `compiled`: join the prerequisites */
	bool phony;                /* -MP: each with an empty rule of its own */
};

/* Corrects the dependency file `name`. */
int sis_depend_correct(const char *name, const struct dependencies *what, struct err *err);

#endif
