/* SPDX-License-Identifier: BSD-3-Clause */
/* allocations.h - the memory that the program allocates. What its wrappers call is
 * sis/memory_calls.h. */
#ifndef SIS_ALLOCATIONS_H
#define SIS_ALLOCATIONS_H

#pragma GCC visibility push(hidden)

/* From now on, if the program has wrappers. The file of samples is there. */
void sis__allocations_begin(void);
/* Nothing is written any more. */
void sis__allocations_end(void);
void sis__allocations_new_process(void);

#pragma GCC visibility pop
#endif
