/* SPDX-License-Identifier: BSD-3-Clause */
/* function_text.h - what two builds are compared by: the tokens of a function, and the compiler and
 * flags that translate them. */
#ifndef SISC_FUNCTION_TEXT_H
#define SISC_FUNCTION_TEXT_H

#include "plan/choices.h"

/* Checksums of the texts of all functions of a plan. Work of functions that are not measured counts
 * for their callers. So their texts count for their callers, too. Another build may measure others
 * of them. So there is a checksum of all functions that are used, measured or not. */
struct function_texts {
	const struct sis_plan *plan;
	bool *measured;            /* by function */
	size_t *seen, *waiting;    /* of one walk */
	size_t walk;               /* its number */
};

void sis_function_texts_init(struct function_texts *texts, const struct sis_plan *plan);
void sis_function_texts_release(struct function_texts *texts);
/* The function's checksum in 16 hexadecimal digits. If it uses functions of the translation unit,
 * then, after a dot, that of those that are not measured, and after another one that of all. To be
 * freed. "": unknown. */
char *sis_function_text(struct function_texts *texts, size_t function);

/* The compiler's name of itself, and those of the flags that have an effect on the code that it
 * makes of given tokens: the last one of each kind, sorted. To be freed. */
char *sis_code_build(const char *compiler, const char *flags);

#endif
