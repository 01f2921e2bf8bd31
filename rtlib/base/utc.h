/* SPDX-License-Identifier: BSD-3-Clause */
/* utc.h - the date and time of day, without gmtime_r and localtime_r. These functions allocate and
 * free memory for the time zone. The program would find the contents of this memory in what malloc
 * returns later. */
#ifndef SIS_UTC_H
#define SIS_UTC_H

#include <time.h>

#pragma GCC visibility push(hidden)

/* The same as gmtime_r from 1970 on, but without the days of the week and of the year. */
void sis__utc(time_t when, struct tm *utc);

#pragma GCC visibility pop
#endif
