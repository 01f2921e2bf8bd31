/* SPDX-License-Identifier: BSD-3-Clause */
/* counter_papi.h - PAPI's module, for sis-counters. */
#ifndef SIS_COUNTER_PAPI_H
#define SIS_COUNTER_PAPI_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

struct sis_papi;
/* NULL: *why says why there is none */
SIS_EXPORT const struct sis_papi *sis__papi(const char **why);

#pragma GCC visibility pop
#endif
