/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary.c - the names of temporary files. Called by all steps that run a compiler, by main at
 * the end, and by the signal handler that it installs.
 * The idea: a name is added to the table before the count increases, so the handler can unlink
 * every file at any moment with async-signal-safe calls alone. */
#include "driver/temporary.h"
#include "driver/temporary_directory.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4096 };
enum { LONGEST = NAME_MAX - 5 }; /* bytes of a name behind its number, as in 4095- */
static char *names[MOST];
static volatile sig_atomic_t count;
static struct temporary_directory directory; /* name: NULL until the first file */
static volatile sig_atomic_t running;

void sis_temporary_clear(void)
{
	for (int i = count - 1; i >= 0; i--)
		if (unlink(names[i]) < 0)
			rmdir(names[i]); /* a directory, empty because its files have larger i */
	count = 0;
	if (directory.name)
		rmdir(directory.name);
	if (directory.parent)
		rmdir(directory.parent); /* fails while other processes use it */
	directory.name = directory.parent = NULL;
}

void sis_temporary_child(pid_t child)
{
	running = child;
}

static void on_signal(int number)
{
	if (running > 0)
		kill(running, number);
	sis_temporary_clear();
	signal(number, SIG_DFL);
	raise(number);
}

const char *sis_temporary_name(const char *name, struct err *err)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	if (!directory.name) {
		for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
			struct sigaction old, new = { .sa_handler = on_signal };
			sigaction(ending[i], NULL, &old);
			if (old.sa_handler != SIG_IGN)
				sigaction(ending[i], &new, NULL);
		}
		if (sis_temporary_directory_make(&directory, err) < 0)
			return NULL;
	}
	if (count == MOST) {
		err_fail(
			err,
			"too many inputs: more than %d temporary files; compile fewer at a time",
			MOST);
		return NULL;
	}
	size_t length = strlen(name), cut = length > LONGEST ? length - LONGEST : 0;
	names[count] = mem_print("%s/%d-%s", directory.name, (int)count, name + cut);
	return names[count++];
}

const char *sis_temporary_exact_name(const char *name, struct err *err)
{
	const char *own = sis_temporary_name("place", err);
	if (!own)
		return NULL;
	if (mkdir(own, 0700) < 0) {
		err_errno(err, "make directory", own);
		return NULL;
	}
	if (count == MOST)
		return sis_temporary_name(name, err); /* says that there are too many */
	names[count] = mem_print("%s/%s", own, name);
	return names[count++];
}
