/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.c - a pager, the width, and a progress bar on a terminal. It owns the process of the
 * pager; one thread calls it. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

bool terminal_is_capable(void)
{
	const char *term = getenv("TERM");
	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static bool paging; /* standard output is a pipe to the pager; the pager writes to a terminal */
static size_t width_before;
static pid_t pager;

size_t terminal_width(void)
{
	struct winsize size;
	if (fileno(stdout) != STDOUT_FILENO) /* a command's output is collected in memory */
		return 0;
	if (paging)
		return width_before;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col > 0 ? size.ws_col : 80;
}

/* -- the pager --------------------------------------------------------------------------------- */

/* Runs a command with `input` as its standard input. Returns 0 if the command cannot be run. */
static pid_t start(char *const *words, int input, int unused)
{
	pid_t child = 0;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawn_file_actions_addclose(&actions, input);
	posix_spawn_file_actions_addclose(&actions, unused);
	int error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error ? 0 : child;
}

static void wait_for_pager(void)
{
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Called when the user interrupts the command: waits until the pager ends, because the pager still
 * uses the terminal. */
static void interrupted(int number)
{
	wait_for_pager();
	signal(number, SIG_DFL);
	raise(number);
}

/* The options FRX of less: it ends if the output fits one screen, keeps colours, and does not clear
 * the screen. */
bool terminal_page_begin(void)
{
	char *own = getenv("PAGER"), *shell[] = { "sh", "-c", own, NULL },
	     *less[] = { "less", NULL };
	int pipe_ends[2];
	if (!terminal_is_capable() || (own && (!*own || strcmp(own, "cat") == 0)) ||
	    pipe2(pipe_ends, O_CLOEXEC) != 0)
		return false;
	setenv("LESS", "FRX", 0);
	width_before = terminal_width();
	pager = start(own ? shell : less, pipe_ends[0], pipe_ends[1]);
	if (pager) {
		dup2(pipe_ends[1], STDOUT_FILENO);
		/* a user who leaves the pager early must not end the command */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, interrupted);
		paging = true;
	}
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	return paging;
}

void terminal_page_end(void)
{
	if (!paging)
		return;
	signal(SIGINT, SIG_IGN);
	wait_for_pager();
	paging = false;
}

/* -- the progress bar -------------------------------------------------------------------------- */

static long long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, const char *what, size_t all)
{
	*progress = (struct progress){
		.what = what, .all = isatty(STDERR_FILENO) ? all : 0, .began_ms = now_ms(),
	};
}

void progress_at(struct progress *progress, size_t done)
{
	enum { PATIENCE_MS = 1000, STEP_MS = 100, BAR = 30 };
	if (!progress->all || done % 64)
		return;
	long long now = now_ms();
	if (now - progress->began_ms < PATIENCE_MS || now - progress->shown_ms < STEP_MS)
		return;
	char bar[BAR + 1] = "";
	size_t filled = done < progress->all ? done * BAR / progress->all : BAR;
	memset(bar, '#', filled);
	fprintf(stderr, "\r%s [%-*s] %3zu %%", progress->what, BAR, bar, filled * 100 / BAR);
	fflush(stderr);
	progress->shown = true;
	progress->shown_ms = now;
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
