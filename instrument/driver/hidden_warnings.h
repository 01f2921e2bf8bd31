/* SPDX-License-Identifier: BSD-3-Clause */
/* hidden_warnings.h - warnings that the compiler gives for the source, but not for its instrumented
 * text. */
#ifndef SISC_HIDDEN_WARNINGS_H
#define SISC_HIDDEN_WARNINGS_H

#include "driver/compile_command.h"

/* How the hidden warnings that the user wants are found: by a run with -fsyntax-only, or by a whole
 * compilation. */
enum hidden { HIDES_NOTHING, HIDES_FROM_PARSER, HIDES_FROM_COMPILER };

enum hidden sis_hidden_in_text(const struct compilation *t);

/* Compiles or parses the source for the hidden warnings alone. *nothing is true if there are no
 * such warnings. __SISC__ is not defined, because a directive between #ifdef __SISC__ and #endif is
 * an unknown pragma to the compiler. If the source is not valid without __SISC__, it is compiled
 * again with it. */
int sis_hidden_find(const struct compilation *t, enum hidden hidden, bool *nothing,
		    struct err *err);

#endif
