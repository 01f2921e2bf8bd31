/* SPDX-License-Identifier: BSD-3-Clause */
/* function_text.h - what two builds are compared by: the tokens of a function, and the compiler and
 * flags that translate them. */
#ifndef SISC_FUNCTION_TEXT_H
#define SISC_FUNCTION_TEXT_H

#include "plan/choices.h"

/* Checksums of the texts of all functions of a plan. The work of a function that is not measured
 * counts for its callers, so its text counts for them, too. Another build may measure other
 * functions. So there is also a checksum of all functions that a function uses, measured or not. */
struct function_texts {
	const struct sis_plan *plan;
	bool *measured;            /* by function */
	size_t *seen, *waiting;    /* of one walk */
	size_t walk;               /* its number */
};

void sis_function_texts_init(struct function_texts *texts, const struct sis_plan *plan);
void sis_function_texts_release(struct function_texts *texts);
/* The function's checksum in 16 hexadecimal digits; "": unknown. If it uses functions of the
 * translation unit, two more checksums follow, each after a dot: that of the used functions that
 * are not measured, and that of all used functions. To be freed. */
char *sis_function_text(struct function_texts *texts, size_t function);

/* What the compiler calls itself, then the flags that have an effect on the code that it makes of
 * given tokens. Of flags that replace each other, only the last one is there. Flags are sorted by
 * kind. To be freed. */
char *sis_code_build(const char *compiler, const char *flags);

#endif
