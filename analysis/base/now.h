/* SPDX-License-Identifier: BSD-3-Clause */
/* now.h - the time of a clock, and waiting, in nanoseconds. */
#ifndef SIS_ANALYSIS_NOW_H
#define SIS_ANALYSIS_NOW_H

#include <stdint.h>
#include <time.h>

int64_t clock_now(clockid_t clock);
/* Waits for so long, however many signals come meanwhile. */
void sleep_ns(int64_t ns);

#endif
