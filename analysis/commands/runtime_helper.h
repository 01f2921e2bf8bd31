/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_helper.h - lib/sis/sis-counters, a program that is linked with the runtime. It answers
 * what a measured program would find on this machine. */
#ifndef SIS_ANALYSIS_RUNTIME_HELPER_H
#define SIS_ANALYSIS_RUNTIME_HELPER_H

#include <stddef.h>

#include "base/err.h"

int runtime_helper_find(char *path, size_t size, struct err *err);

#endif
