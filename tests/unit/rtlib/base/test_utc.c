/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/base/utc.c */
/* The date and time are those of gmtime_r. */
#include "unit.h"

#include "base/utc.h"

static void compare(time_t when)
{
	struct tm wanted, found;
	sis__utc(when, &found);
	gmtime_r(&when, &wanted);
	ck_assert_msg(found.tm_year == wanted.tm_year && found.tm_mon == wanted.tm_mon &&
		      found.tm_mday == wanted.tm_mday && found.tm_hour == wanted.tm_hour &&
		      found.tm_min == wanted.tm_min && found.tm_sec == wanted.tm_sec,
		      "%lld is %d-%d-%d %d:%d:%d", (long long)when, found.tm_year, found.tm_mon,
		      found.tm_mday, found.tm_hour, found.tm_min, found.tm_sec);
}

/* To the year 2461: with leap years, and centuries that are none. */
START_TEST(every_day_is_that_of_libc)
{
	for (time_t day = 0; day < 180000; day++) {
		compare(day * 86400);
		compare(day * 86400 + 86399);
	}
}
END_TEST

START_TEST(every_second_of_a_day_is_that_of_libc)
{
	for (time_t second = 0; second < 86400; second++)
		compare(1709164800 + second); /* 29 February 2024 */
}
END_TEST

UNIT_MAIN("utc", every_day_is_that_of_libc, every_second_of_a_day_is_that_of_libc)
