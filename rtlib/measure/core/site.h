/* SPDX-License-Identifier: BSD-3-Clause */
/* site.h - announcements of calls that a wrapper measures, and of constructs that create tasks. */
#ifndef SIS_RT_SITE_H
#define SIS_RT_SITE_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Takes the region that SIS_SITE announced for a call of MPI's `routine`. Returns
 * SIS_MPI_ID(routine) if nothing was announced. */
SIS_EXPORT uint32_t sis__site_take(struct sis_thread *thread, uint32_t routine);
/* Takes the region that SIS_TASK announced for the body of the tasks that the code of the current
 * node creates. Returns RT_TASK if nothing was announced. `thread` may be NULL. */
uint32_t sis__task_body_take(struct sis_thread *thread);

#pragma GCC visibility pop
#endif
