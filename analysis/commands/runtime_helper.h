/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_helper.h - finds lib/sis/sis-counters, a program that is linked with the runtime. It
 * prints what the runtime would find on this machine. */
#ifndef SIS_ANALYSIS_RUNTIME_HELPER_H
#define SIS_ANALYSIS_RUNTIME_HELPER_H

#include <stddef.h>

#include "base/err.h"

int runtime_helper_find(char *path, size_t size, struct err *err);

#endif
