/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.h - the rules of SIS_FILTER. */
#ifndef SIS_RT_FILTER_H
#define SIS_RT_FILTER_H

#include "filter_rules.h"

#pragma GCC visibility push(hidden)

/* Reads the file, at the start of the process. A wrong file gives warnings, and no rules. */
void sis__filter_read(const char *name);
bool sis__filter_has_rules(void);
bool sis__filter_excludes(const struct sis_filter_region *region);

#pragma GCC visibility pop
#endif
