/* SPDX-License-Identifier: BSD-3-Clause */
/* zone_rule.c - see zone_rule.h. The thread that opens the profile.
 *
 *     name offset [name [offset] , change [/time] , change [/time]]
 *
 * An offset is positive to the west of Greenwich. The first change is to summer time, the second
 * one is back. A change without a time is at two o'clock.
 */
#include "base/zone_rule.h"

#include <ctype.h>

enum { MOST_HOURS = 24, MOST_HOURS_OF_CHANGE = 167 };

struct change {
	char kind;                 /* M: month, week, weekday; J: day without leap days; 0: day */
	unsigned month, week, day; /* week 5: the last one */
	int64_t seconds;           /* after midnight */
};

/* Both computations begin their years with March: a leap day is the last day of a year. */
int64_t sis__days_to(int64_t year, unsigned month, unsigned day)
{
	year -= month <= 2;
	int64_t era = (year >= 0 ? year : year - 399) / 400;
	int64_t year_of_era = year - era * 400;
	int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
	return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
		day_of_year - 719468;
}

void sis__date_of(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
	int64_t since = days + 719468; /* since the first of March of the year 0 */
	int64_t era = (since >= 0 ? since : since - 146096) / 146097;
	int64_t day_of_era = since - era * 146097;
	int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
			       day_of_era / 146096) / 365;
	int64_t day_of_year = day_of_era -
		(365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	unsigned march = (unsigned)((5 * day_of_year + 2) / 153); /* 0: March */
	*day = (unsigned)(day_of_year - (153 * march + 2) / 5 + 1);
	*month = march < 10 ? march + 3 : march - 9;
	*year = year_of_era + era * 400 + (march >= 10);
}

static bool skip_name(const char **at)
{
	const char *begin = *at;
	bool is_quoted = *begin == '<';
	*at += is_quoted;
	while (isalpha((unsigned char)**at) ||
	       (is_quoted && (isdigit((unsigned char)**at) || **at == '+' || **at == '-')))
		++*at;
	return is_quoted ? *(*at)++ == '>' : *at - begin >= 3;
}

static bool read_number(const char **at, unsigned most, unsigned *number)
{
	if (!isdigit((unsigned char)**at))
		return false;
	*number = 0;
	while (isdigit((unsigned char)**at) && *number <= most)
		*number = *number * 10 + (unsigned)(*(*at)++ - '0');
	return *number <= most;
}

/* [+-]hours[:minutes[:seconds]] */
static bool read_time(const char **at, unsigned most_hours, int64_t *seconds)
{
	unsigned part[3] = { 0 };
	bool is_negative = **at == '-';
	*at += **at == '-' || **at == '+';
	if (!read_number(at, most_hours, &part[0]))
		return false;
	for (int i = 1; i < 3 && **at == ':'; i++) {
		++*at;
		if (!read_number(at, 59, &part[i]))
			return false;
	}
	*seconds = part[0] * 3600 + part[1] * 60 + part[2];
	if (is_negative)
		*seconds = -*seconds;
	return true;
}

static bool read_change(const char **at, struct change *change)
{
	if (*(*at)++ != ',')
		return false;
	change->kind = '0';
	if (**at == 'M' || **at == 'J')
		change->kind = *(*at)++;
	if (change->kind == 'M') {
		if (!read_number(at, 12, &change->month) || change->month == 0 ||
		    *(*at)++ != '.' || !read_number(at, 5, &change->week) ||
		    change->week == 0 || *(*at)++ != '.' || !read_number(at, 6, &change->day))
			return false;
	} else if (!read_number(at, 365, &change->day) ||
		   (change->kind == 'J' && change->day == 0)) {
		return false;
	}
	change->seconds = 2 * 3600;
	if (**at != '/')
		return true;
	++*at;
	return read_time(at, MOST_HOURS_OF_CHANGE, &change->seconds);
}

/* In local time, as it is before the change. */
static int64_t change_in(const struct change *change, int64_t year)
{
	int64_t day = sis__days_to(year, 1, 1);
	if (change->kind == 'M') {
		int64_t first = sis__days_to(year, change->month, 1);
		int64_t next = change->month == 12 ? sis__days_to(year + 1, 1, 1)
						   : sis__days_to(year, change->month + 1, 1);
		/* the first of January of 1970 was a Thursday */
		int64_t weekday = ((first + 4) % 7 + 7) % 7;
		day = first + (change->day + 7 - weekday) % 7 + 7 * (change->week - 1);
		while (day >= next)
			day -= 7;
	} else if (change->kind == 'J') {
		bool is_leap_year = sis__days_to(year, 3, 1) - sis__days_to(year, 2, 1) == 29;
		day += change->day - 1 + (is_leap_year && change->day >= 60);
	} else {
		day += change->day;
	}
	return day * DAY_SECONDS + change->seconds;
}

bool sis__zone_rule_offset(const char *rule, int64_t when, int64_t *offset)
{
	int64_t west, summer_west;
	struct change to_summer, back;
	*offset = 0;
	if (!skip_name(&rule) || (*rule != '+' && *rule != '-' && !isdigit((unsigned char)*rule)))
		return true; /* UTC */
	if (!read_time(&rule, MOST_HOURS, &west))
		return false;
	*offset = -west;
	if (!*rule)
		return true;
	summer_west = west - 3600;
	if (!skip_name(&rule) || (*rule != ',' && !read_time(&rule, MOST_HOURS, &summer_west)) ||
	    !read_change(&rule, &to_summer) || !read_change(&rule, &back) || *rule)
		return false;
	int64_t year;
	unsigned month, day;
	sis__date_of(when / DAY_SECONDS - (when % DAY_SECONDS < 0), &year, &month, &day);
	int64_t begin = change_in(&to_summer, year) + west;
	int64_t end = change_in(&back, year) + summer_west;
	bool is_summer = begin <= end ? when >= begin && when < end : when >= begin || when < end;
	if (is_summer)
		*offset = -summer_west;
	return true;
}
