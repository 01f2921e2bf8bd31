/* SPDX-License-Identifier: BSD-3-Clause */
/* compilation.h - the compilation of one input: what compile.c prepares and compile_instrumented.c
 * works on. */
#ifndef SISC_COMPILATION_H
#define SISC_COMPILATION_H

#include "driver/compile.h"

struct compilation {
	struct job *job;
	const char *source;          /* as named by the user */
	bool first;                  /* of the C inputs */
	bool preprocessed;           /* the source is; so is the text for the compiler (expand.c) */
	struct text code;            /* the instrumented text; empty: the source as it is */
	char *probe_header;          /* path of sis/probe.h, which the text includes */
	bool expanded;               /* the text holds expansions of macros instead of their uses */
	char *output;                /* object or assembly; in the link stage a temporary file */
	/* set by sis_command_write_text */
	const char *file;            /* the text, for the compiler */
	bool by_stdin;               /* the compiler reads it from standard input */
	bool clang;                  /* the compiler is clang */
};

#endif
