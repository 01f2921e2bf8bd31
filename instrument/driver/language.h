/* SPDX-License-Identifier: BSD-3-Clause */
/* language.h - the languages of inputs, one row each. */
#ifndef SISC_LANGUAGE_H
#define SISC_LANGUAGE_H

#include "common/base.h"

/* How an input is written. The first two values are 0 and 1, so `preprocessed`, a bool, can be used
 * as one of them. */
enum form { FORM_SOURCE, FORM_PREPROCESSED, FORM_HEADER, FORMS };

struct language {
	struct {
		const char *x;        /* what -x calls it */
		const char *suffixes; /* of names of files */
		const char *kept;     /* suffix of the text with probes (--sis-keep) */
	} form[FORMS];
	bool is_read; /* a frontend reads it, and sisc adds probes */
};

/* The language of an input, and its form. `x` is the value of -x. If `x` is NULL, the name decides.
 * `cplusplus`: the compiler treats C as C++. The result is NULL for an object, a library, or a
 * language that sisc does not know. */
const struct language *sis_language_of(const char *name, const char *x, bool cplusplus,
				       enum form *form);

#endif
