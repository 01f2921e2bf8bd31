/* SPDX-License-Identifier: BSD-3-Clause */
/* compile.h - one command line's work, and the compilation of one of its inputs. */
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
	/* the user's command runs unchanged: the compiler answers no queries */
	bool untouched;
	int status;           /* of the first compiler run that failed, as wait gives it */
};

/* Instruments and compiles input `index` of the line. On return *object is the file that goes into
 * the link instead of the source; NULL: nothing was instrumented, the source is still to be
 * compiled, or the stage is not the link. *done: the input needs no further compilation. */
int sis_compile_input(struct job *job, size_t index, char **object, bool *done, struct err *err);

#endif
