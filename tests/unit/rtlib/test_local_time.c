/* SPDX-License-Identifier: BSD-3-Clause */
/* link: rtlib/base/local_time.c rtlib/base/zone_rule.c */
/* The local time is that of localtime_r, in each time zone, whatever the file of the zone is. */
#include "unit.h"

#include "base/local_time.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const zones[] = {
	"Europe/Vienna", ":Europe/Vienna", "America/New_York", "America/St_Johns", "Asia/Kathmandu",
	"Pacific/Auckland", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Gaza", "UTC",
	"Etc/GMT+12", "right/Europe/Vienna", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5", "", "No/Zone",
	"/usr/share/zoneinfo/Asia/Tokyo", "/etc", "../../../etc/passwd", "<+0330>-3:30",
	"NZST-12NZDT,M9.5.0,M4.1.0/3", "IST-2IDT,M3.4.4/26,M10.5.0", "AAA+3:30:15BBB2,J60/0,J300",
	"AAA0BBB,59/-3,300/4:30:15", "EST5EDT4,M3.2.0/2,M11.1.0/2", "XXX3EDT4,0/0,J365/23",
	"<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "AAA5BBB", "AAA5BBB,M3.2.0", "A5", "AAA5,", "AAA99",
	"AAA5BBB,M13.1.0,M11.1.0", "AAA5BBB,M3.2.0,M11.1.0/200", "AAA5BBB,M3.2.0,M11.1.0 ",
};

static void compare(time_t when)
{
	struct tm wanted, found;
	char text[2][32];
	tzset(); /* localtime_r looks at TZ once */
	sis__local_time(when, &found);
	localtime_r(&when, &wanted);
	strftime(text[0], sizeof text[0], "%Y%m%d-%H%M%S", &found);
	strftime(text[1], sizeof text[1], "%Y%m%d-%H%M%S", &wanted);
	ck_assert_msg(strcmp(text[0], text[1]) == 0, "%s: %lld is %s, not %s",
		      getenv("TZ") ? getenv("TZ") : "(no TZ)", (long long)when, text[0], text[1]);
}

static void compare_years(void)
{
	for (time_t when = 0; when < 2500000000; when += 86400 * 23 + 3601)
		compare(when);
	compare(951782400); /* leap days, and the last second of a year */
	compare(1709164800);
	compare(1735689599);
}

START_TEST(all_zones)
{
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
		setenv("TZ", zones[i], 1);
		compare_years();
	}
	unsetenv("TZ");
	compare_years();
}
END_TEST

/* A file whose rule is for all times after 1969. */
START_TEST(rule_of_a_file)
{
	char path[] = "/tmp/sis-zone-XXXXXX";
	/* one transition, one type, four bytes of names */
	static const char header[44] = { 'T', 'Z', 'i', 'f', '2', [35] = 1, [39] = 1, [43] = 4 };
	static const char time[8] = { -1, -1, -1, -1, -1, -1, -1, 0 };
	static const char data[] = "\0" "\0\0\16\20\0\0" "CET";
	static const char rule[] = "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	FILE *file = fdopen(fd, "wb");
	ck_assert_ptr_nonnull(file);
	for (unsigned bytes_of_time = 4; bytes_of_time <= 8; bytes_of_time += 4) {
		fwrite(header, sizeof header, 1, file);
		fwrite(time + 8 - bytes_of_time, bytes_of_time, 1, file);
		fwrite(data, sizeof data, 1, file);
	}
	fputs(rule, file);
	ck_assert_int_eq(fclose(file), 0);
	setenv("TZ", path, 1);
	compare_years();
	unlink(path);
}
END_TEST

/* Whatever a file holds, reading it does no harm. */
START_TEST(damaged_files)
{
	unsigned char text[8192];
	char path[] = "/tmp/sis-zone-XXXXXX";
	FILE *file = fopen("/usr/share/zoneinfo/Europe/Vienna", "rb");
	if (!file)
		return; /* no time zones are installed */
	size_t length = fread(text, 1, sizeof text, file);
	fclose(file);
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	setenv("TZ", path, 1);
	struct tm found;
	uint32_t chance = 1;
	for (unsigned round = 0; round < 3000; round++) {
		unsigned char damaged[sizeof text];
		memcpy(damaged, text, length);
		chance = chance * 1664525u + 1013904223u;
		size_t kept = round % 2 ? length : chance % length;
		damaged[(chance >> 8) % length] ^= (unsigned char)(1u << chance % 8);
		damaged[(chance >> 12) % 100] = (unsigned char)(chance >> 20);
		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq((int)pwrite(fd, damaged, kept, 0), (int)kept);
		sis__local_time(1700000000, &found);
	}
	close(fd);
	unlink(path);
}
END_TEST

UNIT_MAIN("local_time", all_zones, rule_of_a_file, damaged_files)
