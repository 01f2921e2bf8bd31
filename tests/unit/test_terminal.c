/* link: analysis */
/* The bar of a long piece of work: after a second at a terminal, gone at the end, and never elsewhere. */
#include "unit.h"

#include <fcntl.h>
#include <pty.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/base/terminal.h"

/* What standard error got while `seconds` passed halfway through. */
static void work(int error, int from, double seconds, char *text, size_t room)
{
	struct progress progress;
	struct timespec rest = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
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
	fcntl(from, F_SETFL, O_NONBLOCK);
	ssize_t n = read(from, text, room - 1);
	text[n > 0 ? n : 0] = 0;
}

START_TEST(a_bar_after_a_second_and_gone_at_the_end)
{
	int master, slave;
	char text[1000];
	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	work(slave, master, 1.1, text, sizeof text);
	ck_assert_msg(strstr(text, "\rreading [###############               ]  50 %") != NULL, "%s", text);
	ck_assert_msg(strlen(text) > 4 && strcmp(text + strlen(text) - 4, "\r\033[K") == 0, "%s", text);
	close(master);
	close(slave);
}
END_TEST

START_TEST(none_for_what_is_quick_and_none_in_a_pipe)
{
	int master, slave, ends[2];
	char text[1000];
	ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	work(slave, master, 0, text, sizeof text);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(pipe(ends), 0);
	work(ends[1], ends[0], 1.1, text, sizeof text);
	ck_assert_str_eq(text, "");
	close(master), close(slave), close(ends[0]), close(ends[1]);
}
END_TEST

UNIT_MAIN("terminal", a_bar_after_a_second_and_gone_at_the_end, none_for_what_is_quick_and_none_in_a_pipe)
