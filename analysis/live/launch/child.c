/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c - executes a command, and waits for it. Called by one thread.
 *
 * A terminal sends its signals (Ctrl-C) to all processes of the group, so this process ignores them
 * and waits for the command's reaction. Other signals, such as those of a batch system, reach this
 * process alone, which passes them on. */
#include "live/launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ignored[] = { SIGINT, SIGQUIT };
static const int passed_on[] = { SIGHUP, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT };
enum { IGNORED = sizeof ignored / sizeof *ignored,
       PASSED_ON = sizeof passed_on / sizeof *passed_on };

static volatile sig_atomic_t child;

static void pass_on(int number)
{
	int saved = errno;
	if (child > 0)
		kill(child, number);
	errno = saved;
}

/* Sets the handlers. The old actions are restored in the child: a signal that is ignored there was
 * ignored when this process began (nohup). */
static void set_actions(struct sigaction *before)
{
	struct sigaction action = { .sa_handler = SIG_IGN };
	for (int i = 0; i < IGNORED; i++)
		sigaction(ignored[i], &action, &before[i]);
	for (int i = 0; i < PASSED_ON; i++) {
		sigaction(passed_on[i], NULL, &before[IGNORED + i]);
		action = (struct sigaction){ .sa_handler = pass_on, .sa_flags = SA_RESTART };
		if (before[IGNORED + i].sa_handler != SIG_IGN)
			sigaction(passed_on[i], &action, NULL);
	}
}

static void restore_actions(const struct sigaction *before)
{
	for (int i = 0; i < IGNORED; i++)
		sigaction(ignored[i], &before[i], NULL);
	for (int i = 0; i < PASSED_ON; i++)
		sigaction(passed_on[i], &before[IGNORED + i], NULL);
}

int child_run(const char *const *command, int *status, struct err *err)
{
	enum { NOT_FOUND = 127, NOT_EXECUTABLE = 126 };
	struct sigaction before[IGNORED + PASSED_ON];
	int report[2], reason = 0;
	sigset_t all, mask;
	if (pipe2(report, O_CLOEXEC) != 0)
		return err_fail(err, "cannot make a pipe: %s", strerror(errno));
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &mask); /* until `child` is known */
	set_actions(before);
	pid_t pid = fork();
	if (pid == 0) {
		restore_actions(before);
		sigprocmask(SIG_SETMASK, &mask, NULL);
		/* exec changes neither the words nor their array */
		execvp(command[0], (char *const *)(uintptr_t)command);
		reason = errno;
		while (write(report[1], &reason, sizeof reason) < 0 && errno == EINTR)
			;
		_exit(NOT_FOUND);
	}
	child = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	close(report[1]);
	if (pid < 0) {
		reason = errno;
		*status = NOT_EXECUTABLE << 8;
	} else {
		while (read(report[0], &reason, sizeof reason) < 0 && errno == EINTR)
			;
		while (waitpid(pid, status, 0) < 0 && errno == EINTR)
			;
	}
	child = 0;
	close(report[0]);
	restore_actions(before);
	if (!reason)
		return 0;
	if (pid > 0)
		*status = (reason == ENOENT ? NOT_FOUND : NOT_EXECUTABLE) << 8;
	return err_fail(err, "cannot run '%s': %s", command[0], strerror(reason));
}

_Noreturn void child_end_like(int status)
{
	if (WIFSIGNALED(status)) {
		const struct rlimit no_core = { 0, 0 };
		sigset_t all;
		setrlimit(RLIMIT_CORE, &no_core); /* the command has left one */
		signal(WTERMSIG(status), SIG_DFL);
		sigemptyset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		raise(WTERMSIG(status));
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128);
}
