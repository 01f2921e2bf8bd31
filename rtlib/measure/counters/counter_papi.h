/* SPDX-License-Identifier: BSD-3-Clause */
/* counter_papi.h - gives sis-counters access to the module for PAPI. */
#ifndef SIS_COUNTER_PAPI_H
#define SIS_COUNTER_PAPI_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

struct sis_papi;
/* Returns the module's functions. NULL: PAPI cannot be used, and *why says why. */
SIS_EXPORT const struct sis_papi *sis__papi(const char **why);

#pragma GCC visibility pop
#endif
