/* SPDX-License-Identifier: BSD-3-Clause */
/* function_text.h - the data by which two builds are compared: the tokens of a function, and the
 * compiler and flags that translate them. */
#ifndef SISC_FUNCTION_TEXT_H
#define SISC_FUNCTION_TEXT_H

#include "plan/choices.h"

/* Checksums of the texts of all functions of a plan. The work of a function that is not measured
 * counts as work of its callers. So the callers have a checksum of this function's text, too.
 * Another build may measure other functions. So there is also a checksum of all functions that a
 * function uses, measured or not. */
struct function_texts {
	const struct sis_plan *plan;
	bool *measured;            /* by function */
	/* by function: the last walk that has seen the function; and a list of the functions that
	 * are still to be seen */
	size_t *seen, *waiting;
	size_t walk;               /* number of the current walk through callees */
};

void sis_function_texts_init(struct function_texts *texts, const struct sis_plan *plan);
void sis_function_texts_release(struct function_texts *texts);
/* The function's checksum in 16 hexadecimal digits; "" if it is unknown. If the function uses
 * functions of the translation unit, two more checksums follow, each after a dot: the checksum of
 * the used functions that are not measured, and the checksum of all used functions. To be freed. */
char *sis_function_text(struct function_texts *texts, size_t function);

/* What the compiler calls itself, then the flags that affect the code that the compiler makes of
 * given tokens. Of flags that replace each other, only the last one is included. Flags are sorted
 * by kind. To be freed. */
char *sis_code_build(const char *compiler, const char *flags);

#endif
