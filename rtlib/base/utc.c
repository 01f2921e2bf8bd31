/* SPDX-License-Identifier: BSD-3-Clause */
/* utc.c - see utc.h. Has no static data. Called by any thread. */
#include "base/utc.h"

#include <stdbool.h>
#include <stdint.h>

static bool is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

void sis__utc(time_t when, struct tm *utc)
{
	static const uint8_t length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int64_t days = when / 86400;
	int year = 1970, month = 0, rest = (int)(when % 86400);
	for (; days >= 365 + is_leap(year); year++)
		days -= 365 + is_leap(year);
	for (; days >= length[month] + (month == 1 && is_leap(year)); month++)
		days -= length[month] + (month == 1 && is_leap(year));
	*utc = (struct tm){ .tm_year = year - 1900, .tm_mon = month, .tm_mday = (int)days + 1,
			    .tm_hour = rest / 3600, .tm_min = rest / 60 % 60, .tm_sec = rest % 60 };
}
