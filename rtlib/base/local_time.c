/* SPDX-License-Identifier: BSD-3-Clause */
/* local_time.c - see local_time.h. RFC 8536 describes the files of time zones. The thread that
 * opens the profile.
 *
 *     header, data with times of 4 bytes; header, data with times of 8 bytes; "\n" rule "\n"
 *
 *     header   magic, version, and the six counts of enum count
 *     data     times of transitions, the type after each, types, names, leap seconds, indicators
 *
 * The rule (zone_rule.h) says how the transitions go on after the last one.
 */
#include "base/local_time.h"

#include "base/system_call.h"
#include "base/zone_rule.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 44, COUNTS_AT = 20, TYPE_BYTES = 6 };
enum count { UT_INDICATORS, STANDARD_INDICATORS, LEAPS, TIMES, TYPES, NAME_BYTES, COUNTS };

struct zone {
	unsigned char text[8192]; /* of the file, with '\0' at the end */
	size_t length;
	const char *rule; /* of TZ, for want of a file */
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
	if (count[TIMES] != 0) {
		if (passed == 0)
			return false;
		const char *rule = (const char *)zone->text + end;
		if (passed == count[TIMES] && rule[0] == '\n' && rule[1])
			return sis__zone_rule_offset(rule + 1, when, offset);
		type = type_of[passed - 1];
	}
	if (type >= count[TYPES])
		return false;
	*offset = big_endian(type_of + count[TIMES] + type * TYPE_BYTES, 4);
	return true;
}

/* Reads the file that TZ names, as glibc finds it. False: there is none, or it has another form. */
static bool read_zone(struct zone *zone)
{
	char path[PATH_MAX];
	const char *name = getenv("TZ"), *directory = getenv("TZDIR");
	if (name && *name == ':')
		name++;
	zone->rule = name ? name : "";
	if (!name)
		name = "/etc/localtime";
	if (*name == '/')
		directory = "";
	else if (!directory || !*directory)
		directory = "/usr/share/zoneinfo";
	int n = snprintf(path, sizeof path, "%s%s%s", directory, *directory ? "/" : "", name);
	int fd = n < (int)sizeof path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	ssize_t length = fd >= 0 ? sis__read(fd, zone->text, sizeof zone->text) : -1;
	if (fd >= 0)
		close(fd);
	if (length < HEADER || length == sizeof zone->text || memcmp(zone->text, "TZif", 4) != 0)
		return false;
	zone->length = (size_t)length - (zone->text[length - 1] == '\n');
	zone->text[zone->length] = '\0';
	return true;
}

void sis__local_time(time_t when, struct tm *local)
{
	static struct zone zone;
	int64_t offset = 0;
	bool is_known = read_zone(&zone) ? find_offset(&zone, when, &offset)
					 : sis__zone_rule_offset(zone.rule, when, &offset);
	if (!is_known) {
		localtime_r(&when, local);
		return;
	}
	int64_t seconds = (int64_t)when + offset, year;
	int64_t days = seconds / DAY_SECONDS - (seconds % DAY_SECONDS < 0);
	int rest = (int)(seconds - days * DAY_SECONDS);
	unsigned month, day;
	sis__date_of(days, &year, &month, &day);
	local->tm_year = (int)(year - 1900);
	local->tm_mon = (int)month - 1;
	local->tm_mday = (int)day;
	local->tm_hour = rest / 3600;
	local->tm_min = rest / 60 % 60;
	local->tm_sec = rest % 60;
}
