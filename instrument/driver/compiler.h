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

/* Whether the compiler that a sisc runs has called sisc again. */
bool sis_compiler_is_nested(void);
/* Between `on` and off, a sisc that a compiler calls is nested. */
void sis_compiler_nest(bool on);

/* `name`: the value of --sis-cc, or NULL. `called`: argv[0]; if it ends in ++, the compiler is for
 * C++. */
void sis_compiler_choose(struct compiler *compiler, const char *name, const char *called);

/* The compiler itself, behind a launcher such as ccache; the words after it are added to
 * `flags`. */
const char *sis_compiler_program(const struct compiler *compiler, struct words *flags);

/* Whether it is clang, by its name. */
bool sis_compiler_is_clang(const struct compiler *compiler);
/* Whether its language is C++, by its name. */
bool sis_compiler_is_cplusplus(const struct compiler *compiler);
/* Whether it is for Fortran, by its name. */
bool sis_compiler_is_fortran(const struct compiler *compiler);

/* 0, or -1 if there is no such program. */
int sis_compiler_check(const struct compiler *compiler, struct err *err);

/* Replaces the process by the compiler with `arguments`. Returns -1 if it cannot be run. */
int sis_compiler_exec(const struct compiler *compiler, const struct words *arguments,
		      struct err *err);

/* The files for its standard input and error; NULL: those of sisc. */
struct redirection { const char *input, *errors; };

/* Runs it and waits. *status is from wait. */
int sis_compiler_run(const struct compiler *compiler, const struct words *arguments,
		     const struct redirection *to, int *status, struct err *err);

#endif
