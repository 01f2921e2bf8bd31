/* SPDX-License-Identifier: BSD-3-Clause */
/* local_time.c - see local_time.h. RFC 8536 describes the files of time zones. The thread that
 * opens the profile.
 *
 *     header, data with times of 4 bytes; header, data with times of 8 bytes; "\n" rule "\n"
 *
 *     header   magic, version, and the six counts of enum count
 *     data     times of transitions, the type after each, types, names, leap seconds, indicators
 *
 * The rule says how the transitions go on after the last one.
 */
#include "base/local_time.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 44, COUNTS_AT = 20, TYPE_BYTES = 6, DAY = 86400 };
enum count { UT_INDICATORS, STANDARD_INDICATORS, LEAPS, TIMES, TYPES, NAME_BYTES, COUNTS };

struct zone {
	unsigned char text[8192];
	size_t length;
};

static int64_t big_endian(const unsigned char *at, unsigned bytes)
{
	uint64_t value = at[0] & 0x80 ? UINT64_MAX : 0;
	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | at[i];
	return (int64_t)value;
}

/* The counts of the header at `at`, and where the data after it ends; 0: it is not in the file. */
static size_t read_header(const struct zone *zone, size_t at, unsigned bytes_of_time,
			  size_t count[COUNTS])
{
	if (zone->length < HEADER || at > zone->length - HEADER ||
	    memcmp(zone->text + at, "TZif", 4) != 0)
		return 0;
	for (unsigned i = 0; i < COUNTS; i++) {
		int64_t value = big_endian(zone->text + at + COUNTS_AT + 4 * i, 4);
		if (value < 0 || value > (int64_t)sizeof zone->text)
			return 0;
		count[i] = (size_t)value;
	}
	size_t end = at + HEADER + count[TIMES] * (bytes_of_time + 1) + count[TYPES] * TYPE_BYTES +
		count[NAME_BYTES] + count[LEAPS] * (bytes_of_time + 4) +
		count[STANDARD_INDICATORS] + count[UT_INDICATORS];
	return end <= zone->length ? end : 0;
}

/* The seconds from UTC to local time. False: only localtime_r knows them. */
static bool find_offset(const struct zone *zone, int64_t when, int64_t *offset)
{
	size_t count[COUNTS];
	size_t at = read_header(zone, 0, 4, count);
	size_t end = at && zone->text[4] >= '2' ? read_header(zone, at, 8, count) : 0;
	if (!end || count[TYPES] == 0 || count[LEAPS] != 0)
		return false;
	const unsigned char *times = zone->text + at + HEADER, *type_of = times + count[TIMES] * 8;
	size_t passed = 0, type = 0;
	while (passed < count[TIMES] && big_endian(times + 8 * passed, 8) <= when)
		passed++;
	bool has_rule = memchr(zone->text + end, ',', zone->length - end) != NULL;
	if ((passed == count[TIMES] && has_rule) || (passed == 0 && count[TIMES] != 0))
		return false;
	if (passed)
		type = type_of[passed - 1];
	if (type >= count[TYPES])
		return false;
	*offset = big_endian(type_of + count[TIMES] + type * TYPE_BYTES, 4);
	return true;
}

/* Reads the file that TZ names, as glibc finds it. */
static bool read_zone(struct zone *zone, bool *is_utc)
{
	char path[PATH_MAX];
	const char *name = getenv("TZ"), *directory = getenv("TZDIR");
	bool has_name = name != NULL;
	*is_utc = has_name && !*name;
	if (has_name && *name == ':')
		name++;
	if (!has_name)
		name = "/etc/localtime";
	if (*name == '/')
		directory = "";
	else if (!directory || !*directory)
		directory = "/usr/share/zoneinfo";
	int n = snprintf(path, sizeof path, "%s%s%s", directory, *directory ? "/" : "", name);
	int fd = n < (int)sizeof path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t length = fd >= 0 ? read(fd, zone->text, sizeof zone->text) : -1;
	if (fd >= 0)
		close(fd);
	else if (!has_name)
		*is_utc = true;
	zone->length = length > 0 ? (size_t)length : 0;
	return zone->length > 0 && zone->length < sizeof zone->text;
}

/* The day of the Gregorian calendar that is `days` after the first of January of 1970. The
 * computation begins its years with March, so that a leap day is the last day of a year. */
static void set_date(struct tm *date, int64_t days)
{
	int64_t since = days + 719468; /* since the first of March of the year 0 */
	int64_t era = (since >= 0 ? since : since - 146096) / 146097;
	int64_t day_of_era = since - era * 146097;
	int64_t year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) /
		365;
	int64_t day = day_of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * day + 2) / 153; /* 0: March */
	date->tm_mday = (int)(day - (153 * month + 2) / 5 + 1);
	date->tm_mon = (int)(month < 10 ? month + 2 : month - 10);
	date->tm_year = (int)(year + era * 400 + (month >= 10) - 1900);
}

void sis__local_time(time_t when, struct tm *local)
{
	static struct zone zone;
	bool is_utc;
	int64_t offset = 0;
	bool is_known = read_zone(&zone, &is_utc) && find_offset(&zone, when, &offset);
	if (!is_known && !is_utc) {
		localtime_r(&when, local);
		return;
	}
	int64_t seconds = (int64_t)when + offset;
	int64_t days = seconds / DAY - (seconds % DAY < 0), rest = seconds - days * DAY;
	set_date(local, days);
	local->tm_hour = (int)(rest / 3600);
	local->tm_min = (int)(rest / 60 % 60);
	local->tm_sec = (int)(rest % 60);
}
