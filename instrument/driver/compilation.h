/* SPDX-License-Identifier: BSD-3-Clause */
/* compilation.h - the data of the compilation of one input: compile.c and instrument.c fill it, and
 * compile_instrumented.c uses it. */
#ifndef SISC_COMPILATION_H
#define SISC_COMPILATION_H

#include "driver/compile.h"

struct compilation {
	struct job *job;
	const char *source;          /* as named by the user */
	const struct language *language;
	bool first;                  /* it is the first input that sisc reads */
	bool preprocessed;           /* source and instrumented text are preprocessed (expand.c) */
	struct buf code;            /* the instrumented text; empty: the source is untouched */
	char *probe_header;          /* path of sis/probe.h, which the text includes */
	bool expanded;               /* the text holds expansions of macros instead of their uses */
	char *output;                /* object or assembly; in the link stage a temporary file */
	/* instrument.c: what was refused in earlier texts, and what was left out for this */
	struct refusal *refusal;     /* from number 1 on */
	size_t refusals;
	size_t spared;               /* the function of this refusal is not left out; 0: none */
	unsigned rounds;             /* texts that were made */
	size_t left;                 /* regions without probes because of refusals */
	bool narrowed;               /* the last text has fewer regions for this reason */
	size_t notes;                /* of the job, before those about this input */
	/* set by sis_command_write_text */
	const char *file;            /* for the instrumented text */
	bool written;                /* the file has this text */
	bool by_stdin;               /* the compiler reads the file as its standard input */
	bool clang;                  /* the compiler is clang */
};

#endif
