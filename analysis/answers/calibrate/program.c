/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - starts programs with a given environment on given processors. Owns the child while it
 * runs; one thread. */
#include "answers/calibrate/program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* -- the child --------------------------------------------------------------------------------- */

static void clear_environment(void)
{
	static const char *const prefix[] = { "SIS_", "OMP_", "GOMP_", "KMP_", "PMI_" };
	char **to = environ;
	for (char **from = environ; *from; from++) {
		bool stays = true;
		for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
			stays &= strncmp(*from, prefix[i], strlen(prefix[i])) != 0;
		if (stays)
			*to++ = *from;
	}
	*to = NULL;
}

/* Runs in the child, between fork and exec. The process has one thread, so allocating memory is
 * safe here. */
static void become(const struct program *p, int out)
{
	int messages = -1, null = open("/dev/null", O_RDONLY);
	if (chdir(p->directory) == 0)
		messages = open("messages", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (messages < 0 || null < 0 || sched_setaffinity(0, sizeof *p->cpus, p->cpus) != 0)
		_exit(126);
	dup2(null, 0), dup2(out, 1), dup2(messages, 2);
	clear_environment();
	for (const char *const *v = p->variables; *v; v++)
		putenv((char *)*v);
	signal(SIGINT, SIG_DFL), signal(SIGTERM, SIG_DFL);
	alarm(p->most_seconds);
	execv(p->argv[0], (char **)p->argv);
	_exit(127);
}

/* -- the program's results --------------------------------------------------------------------- */

static void take_answers(answer_list *answers, int in)
{
	char *line = NULL;
	size_t size = 0;
	FILE *file = fdopen(in, "r");
	while (file && getline(&line, &size, file) > 0) {
		char *value = strchr(line, '\t'), *end;
		if (!value)
			continue;
		*value++ = '\0';
		double number = strtod(value, &end);
		if (end != value && isfinite(number))
			*vec_push(answers) = (struct answer){ mem_string(line), number };
	}
	free(line);
	if (file)
		fclose(file);
	else
		close(in);
}

/* ": " and the first line that the program wrote to stderr, or nothing. */
static char *first_message(const struct program *p)
{
	char *path = mem_print("%s/messages", p->directory), *line = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");
	ssize_t length = file ? getline(&line, &size, file) : -1;
	if (file)
		fclose(file);
	free(path);
	char *text = length > 1 ? mem_print(": %.*s", (int)strcspn(line, "\n"), line) :
				  mem_string("");
	free(line);
	return text;
}

static int fail(const struct program *p, int status, struct err *err)
{
	char *said = first_message(p);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		err_fail(err, "'%s' did not end within %u s; run on a machine with less load, or "
			 "ask for fewer calls", p->argv[0], p->most_seconds);
	else if (WIFSIGNALED(status))
		err_fail(err, "'%s' was ended by signal %d%s", p->argv[0], WTERMSIG(status), said);
	else if (WEXITSTATUS(status) == 127)
		err_fail(err, "cannot run '%s'; install sis-analyze with the runtime", p->argv[0]);
	else
		err_fail(err, "'%s' failed with status %d%s", p->argv[0], WEXITSTATUS(status),
			 said);
	free(said);
	return ERR_FAILED;
}

int program_run(const struct program *p, answer_list *answers, struct err *err)
{
	int ends[2], status = 0;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_fail(err, "cannot start a program: %s; close other programs",
				strerror(errno));
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		become(p, ends[1]);
	close(ends[1]);
	take_answers(answers, ends[0]);
	if (child < 0)
		return err_fail(err, "cannot start a program: %s; close other programs",
				strerror(errno));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		return fail(p, status, err);
	return answers->n ? 0 : err_fail(err, "'%s' gives no result; install SIS again",
					 p->argv[0]);
}

double answer_of(const answer_list *answers, const char *key)
{
	for (size_t i = 0; i < answers->n; i++)
		if (strcmp(answers->at[i].key, key) == 0)
			return answers->at[i].value;
	return NAN;
}

void answers_release(answer_list *answers)
{
	for (size_t i = 0; i < answers->n; i++)
		free(answers->at[i].key);
	vec_free(answers);
}
