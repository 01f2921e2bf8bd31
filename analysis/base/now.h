/* SPDX-License-Identifier: BSD-3-Clause */
/* now.h - reads a clock and sleeps, in nanoseconds. */
#ifndef SIS_ANALYSIS_NOW_H
#define SIS_ANALYSIS_NOW_H

#include <stdint.h>
#include <time.h>

int64_t clock_now(clockid_t clock);
/* Sleeps for `ns` nanoseconds, also if signals arrive meanwhile. */
void sleep_ns(int64_t ns);

#endif
