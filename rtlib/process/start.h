/* SPDX-License-Identifier: BSD-3-Clause */
/* start.h - starts the runtime. */
#ifndef SIS_RT_START_H
#define SIS_RT_START_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* Called by the constructor, or by a slow path that runs before. Does nothing the second time. */
SIS_EXPORT void sis__start(void);

#pragma GCC visibility pop
#endif
