/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - calls that a wrapper measures. */
#ifndef SIS_RT_SITE_H
#define SIS_RT_SITE_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Takes the region that SIS_SITE announced for MPI routine `routine`; none: SIS_MPI_ID(routine). */
SIS_EXPORT uint32_t sis__site_take(struct sis_thread *thread, uint32_t routine);

#pragma GCC visibility pop
#endif
