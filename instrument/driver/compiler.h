/* SPDX-License-Identifier: BSD-3-Clause */
/* compiler.h - chooses and runs the underlying compiler. */
#ifndef SISC_COMPILER_H
#define SISC_COMPILER_H

#include "common/base.h"

struct compiler {
	struct words command;  /* the program and the words that go first: "ccache gcc" */
	bool verbose;          /* print what is run */
	bool rewinds;          /* each run reads standard input (stdin.c) from its begin */
};

/* Whether this sisc was called by the compiler that another sisc runs. */
bool sis_compiler_is_nested(void);
/* Between a call with true and a call with false, each sisc that a compiler calls regards itself as
 * nested (sis_compiler_is_nested). */
void sis_compiler_nest(bool on);

/* `name`: the value of --sis-cc, or NULL. `called`: argv[0]; if this name ends in ++, the compiler
 * is for C++. */
void sis_compiler_choose(struct compiler *compiler, const char *name, const char *called);

/* The compiler itself, without a launcher such as ccache. The words after the compiler are added to
 * `flags`. */
const char *sis_compiler_program(const struct compiler *compiler, struct words *flags);

/* Whether the name of the compiler says that it is clang. */
bool sis_compiler_is_clang(const struct compiler *compiler);
/* Whether the name of the compiler says that its language is C++. */
bool sis_compiler_is_cplusplus(const struct compiler *compiler);
/* Whether the name of the compiler says that its language is Fortran. */
bool sis_compiler_is_fortran(const struct compiler *compiler);

/* Checks that the program exists. Returns 0 or -1. */
int sis_compiler_check(const struct compiler *compiler, struct err *err);

/* Replaces the process by the compiler with `arguments`. Returns -1 if it cannot be run. */
int sis_compiler_exec(const struct compiler *compiler, const struct words *arguments,
		      struct err *err);

/* The compiler's files for standard input and error. NULL stands for sisc's own file. */
struct redirection { const char *input, *errors; };

/* Runs the compiler and waits for its end. *status is from wait. */
int sis_compiler_run(const struct compiler *compiler, const struct words *arguments,
		     const struct redirection *to, int *status, struct err *err);

#endif
