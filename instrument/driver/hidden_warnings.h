/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden_warnings.h - warnings about the source that the compiler does not give for its
 * instrumented text. */
#ifndef SISC_HIDDEN_WARNINGS_H
#define SISC_HIDDEN_WARNINGS_H

#include "driver/compile_command.h"

/* What finds the hidden warnings that the user asked for: a run with -fsyntax-only, or a whole
 * compilation. */
enum hidden { HIDES_NOTHING, HIDES_FROM_PARSER, HIDES_FROM_COMPILER };

enum hidden sis_hidden_in_text(const struct compilation *t);

/* Compiles the source for the hidden warnings alone. *nothing: there are none. First __SISC__ is
 * not defined, because directives of sisc are unknown pragmas then; if the source is not valid
 * without __SISC__, once more with it. */
int sis_hidden_find(const struct compilation *t, enum hidden hidden, bool *nothing, struct err *err);

#endif
