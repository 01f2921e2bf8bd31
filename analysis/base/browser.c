/* SPDX-License-Identifier: BSD-3-Clause */
/* browser.c - starts the user's browser. Owns nothing; one thread. */
#include "base/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* The browser must not keep standard output open, which may be a pipe to a pager. */
static bool start(const char *program, const char *address)
{
	char *const words[] = { (char *)program, (char *)address, NULL };
	posix_spawn_file_actions_t actions;
	pid_t child;
	posix_spawn_file_actions_init(&actions);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	int error = posix_spawnp(&child, program, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error == 0;
}

int browser_open(const char *address, struct err *err)
{
	const char *own = getenv("BROWSER");
	const char *const programs[] = { own && *own ? own : "xdg-open", "sensible-browser",
					 "firefox", "chromium" };
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
		if (start(programs[i], address))
			return 0;
	return err_fail(err, "no browser was found: open '%s' yourself, or name a browser in "
			"BROWSER", address);
}
