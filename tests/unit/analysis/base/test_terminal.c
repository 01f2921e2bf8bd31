/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The bar of a long piece of work: after a second at a terminal, gone at the end, and never
 * elsewhere. The terminal is a pseudo-terminal, and a pipe that isatty() takes for one: a system
 * without /dev/pts has no pseudo-terminals. */
#include "unit.h"

#include <poll.h>
#include <pty.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/terminal.h"

static struct stat stand_in; /* st_ino 0: there is none */

/* These replace the C library's routines. */
int isatty(int fd)
{
	struct termios settings;
	struct stat file;
	if (stand_in.st_ino && fstat(fd, &file) == 0 && file.st_dev == stand_in.st_dev &&
	    file.st_ino == stand_in.st_ino)
		return 1;
	return tcgetattr(fd, &settings) == 0;
}

/* The kernel hands what is written to a pseudo-terminal on in the background, and in parts. */
static void read_all(int from, char *text, size_t room)
{
	enum { PATIENCE_MS = 200 };
	struct pollfd ready = { .fd = from, .events = POLLIN };
	size_t length = 0;
	while (length < room - 1 && poll(&ready, 1, PATIENCE_MS) == 1) {
		ssize_t n = read(from, text + length, room - 1 - length);
		if (n <= 0)
			break;
		length += (size_t)n;
	}
	text[length] = 0;
}

/* What standard error got while `seconds` passed halfway through. */
static void work(int error, int from, double seconds, char *text, size_t room)
{
	struct progress progress;
	struct timespec rest = { (time_t)seconds,
				 (long)((seconds - (double)(time_t)seconds) * 1e9) };
	int before = dup(STDERR_FILENO);
	dup2(error, STDERR_FILENO);
	progress_begin(&progress, "reading", 1024);
	for (size_t i = 0; i < 1024; i++) {
		if (i == 512)
			nanosleep(&rest, NULL);
		progress_at(&progress, i);
	}
	progress_end(&progress);
	dup2(before, STDERR_FILENO);
	close(before);
	read_all(from, text, room);
}

/* Calls the function with the writing and the reading end of each kind of terminal there is. */
static void with_terminals(void (*use)(int terminal, int reader))
{
	int reader, terminal, ends[2];
	if (openpty(&reader, &terminal, NULL, NULL, NULL) == 0) {
		use(terminal, reader);
		close(reader), close(terminal);
	}
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(fstat(ends[1], &stand_in), 0);
	use(ends[1], ends[0]);
	stand_in.st_ino = 0;
	close(ends[0]), close(ends[1]);
}

static void show_a_bar(int terminal, int reader)
{
	char text[1000];
	work(terminal, reader, 1.1, text, sizeof text);
	ck_assert_msg(strstr(text, "\rreading [###############               ]  50 %") != NULL,
		      "%s", text);
	ck_assert_msg(strlen(text) > 4 && strcmp(text + strlen(text) - 4, "\r\033[K") == 0, "%s",
		      text);
}

START_TEST(a_bar_after_a_second_and_gone_at_the_end)
{
	with_terminals(show_a_bar);
}
END_TEST

static void show_nothing(int terminal, int reader)
{
	char text[1000];
	work(terminal, reader, 0, text, sizeof text);
	ck_assert_str_eq(text, "");
}

START_TEST(none_for_what_is_quick_and_none_in_a_pipe)
{
	int ends[2];
	char text[1000];
	with_terminals(show_nothing);
	ck_assert_int_eq(pipe(ends), 0);
	work(ends[1], ends[0], 1.1, text, sizeof text);
	ck_assert_str_eq(text, "");
	close(ends[0]), close(ends[1]);
}
END_TEST

UNIT_MAIN("terminal", a_bar_after_a_second_and_gone_at_the_end,
	  none_for_what_is_quick_and_none_in_a_pipe)
