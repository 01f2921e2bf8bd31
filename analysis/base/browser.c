/* SPDX-License-Identifier: BSD-3-Clause */
/* browser.c - starts the user's browser. It has no state; one thread calls it. */
#include "base/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

int browser_open(const char *address, struct err *err)
{
	const char *own = getenv("BROWSER");
	const char *const programs[] = { own && *own ? own : "xdg-open", "sensible-browser",
					 "firefox", "chromium" };
	/* the browser must not keep standard output open, which may be a pipe to a pager */
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	int error = -1;
	for (size_t i = 0; error && i < sizeof programs / sizeof *programs; i++) {
		char *const words[] = { (char *)programs[i], (char *)address, NULL };
		pid_t child;
		error = posix_spawnp(&child, programs[i], &actions, NULL, words, environ);
	}
	posix_spawn_file_actions_destroy(&actions);
	return !error ? 0 : err_fail(err, "no browser was found: open '%s' yourself, or name a "
				     "browser in BROWSER", address);
}
