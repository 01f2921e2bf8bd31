/* SPDX-License-Identifier: BSD-3-Clause */
/* zone_rule.h - the rule of a time zone, as POSIX writes it in TZ, and RFC 8536 at the end of a
 * file: "CET-1CEST,M3.5.0,M10.5.0/3". Days are those of the Gregorian calendar. */
#ifndef SIS_ZONE_RULE_H
#define SIS_ZONE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum { DAY_SECONDS = 86400 };

/* Days from the first of January of 1970 to this day. month: 1 to 12. */
int64_t sis__days_to(int64_t year, unsigned month, unsigned day);

/* The day that is so many days after the first of January of 1970. */
void sis__date_of(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* The seconds from UTC to local time at `when`, in seconds since 1970. A text that is no rule means
 * UTC, as in glibc. False: only localtime_r knows what the rule means, as one with a name for
 * summer time and no dates. */
bool sis__zone_rule_offset(const char *rule, int64_t when, int64_t *offset);

#pragma GCC visibility pop
#endif
