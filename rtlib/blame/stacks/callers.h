/* SPDX-License-Identifier: BSD-3-Clause */
/* callers.h - regions of calls that the source does not announce: a built-in region (a routine of
 * MPI, a wait) together with the place of the call.
 *
 *      program        MPI_Recv(...)                     built-in region   return address
 *      a.c:12  ---->  wrapper, sis__caller_region  ---> MPI_Recv          0x5555000012a7
 *                                                       `---------> region 731 <--------'
 *
 * The analyzer finds function and line of the address by the modules in the file of samples. So
 * there are such regions only in processes that are sampled, and that have no probes (SIS_RUN). */
#ifndef SIS_CALLERS_H
#define SIS_CALLERS_H

#include "base/runtime.h"

#include <stddef.h>

#pragma GCC visibility push(default)
extern bool sis__callers_are_known; /* set when the profile is opened */
uint32_t sis__caller_find(uint32_t id, const void *body);
#pragma GCC visibility pop

/* The region of a call of built-in region `id` by the code of the program or of a library that is
 * no runtime; `id` itself if the place is not known. Called by a wrapper, at any depth. */
static inline uint32_t sis__caller_region(uint32_t id)
{
	return SIS_LIKELY(!sis__callers_are_known) ? id : sis__caller_find(id, NULL);
}
/* The same for a call that makes a team execute `body`. gcc says for such a call in which line its
 * function begins, so the analyzer takes the line of `body`. */
static inline uint32_t sis__caller_region_of(uint32_t id, const void *body)
{
	return SIS_LIKELY(!sis__callers_are_known) ? id : sis__caller_find(id, body);
}

SIS_HIDDEN void sis__callers_begin(void);

#endif
