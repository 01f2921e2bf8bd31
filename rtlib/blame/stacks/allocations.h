/* SPDX-License-Identifier: BSD-3-Clause */
/* allocations.h - the memory that the program allocates. sis/memory_calls.h has the functions that
 * the program's wrappers call. */
#ifndef SIS_ALLOCATIONS_H
#define SIS_ALLOCATIONS_H

#pragma GCC visibility push(hidden)

/* Records allocations from now on, if the program has wrappers. The file of samples must exist. */
void sis__allocations_begin(void);
/* After this call nothing is written to the file. */
void sis__allocations_end(void);
void sis__allocations_new_process(void);

#pragma GCC visibility pop
#endif
