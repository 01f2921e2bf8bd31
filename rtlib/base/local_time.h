/* SPDX-License-Identifier: BSD-3-Clause */
/* local_time.h - the local time, without the memory that localtime_r allocates and frees. The
 * program would find the contents of that memory in what malloc returns later. */
#ifndef SIS_LOCAL_TIME_H
#define SIS_LOCAL_TIME_H

#include <time.h>

#pragma GCC visibility push(hidden)

/* The same as localtime_r: year, month, day, hour, minute and second. It calls localtime_r for what
 * it cannot compute, such as leap seconds, or rules that zone_rule.h does not know. Not for two
 * threads at once. */
void sis__local_time(time_t when, struct tm *local);

#pragma GCC visibility pop
#endif
