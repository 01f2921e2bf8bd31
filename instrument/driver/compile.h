/* SPDX-License-Identifier: BSD-3-Clause */
/* compile.h - the data for one command line, and the compilation of one of its inputs. */
#ifndef SISC_COMPILE_H
#define SISC_COMPILE_H

#include "driver/cmdline.h"
#include "driver/compiler.h"
#include "driver/options.h"

struct job {
	const struct options *options;
	struct cmdline line;
	struct compiler compiler;
	struct words notes;   /* what was not instrumented, and why; reported on success */
	/* the user's command is run unchanged, because the compiler could not be queried */
	bool untouched;
	int status;           /* of the first run of the compiler that failed, from wait */
};

/* Instruments and compiles input `index` of the line. On return *object is the file that replaces
 * the source in the link. *object is NULL if the source is not compiled yet, or if there is no
 * link. *done is true if the input needs no further compilation. */
int sis_compile_input(struct job *job, size_t index, char **object, bool *done, struct err *err);

#endif
