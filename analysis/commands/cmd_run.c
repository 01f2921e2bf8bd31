/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_run.c - `sis-analyze run`: runs a command measured, and prints the report of the run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "experiment/read/short_programs.h"
#include "live/collect/collect.h"
#include "live/launch/child.h"
#include "live/launch/obstacle.h"
#include "live/launch/preload.h"
#include "repository/import/run_directory.h"

static const struct cli_option options[] = {
	{ "--name", "NAME",
	  "name of the experiment's directory, and its name in the repository; if there is one, a "
	  "number is added (default: sis-PROGRAM-DATE-PID)" },
	{ "--trace", NULL, "record all events with their times (SIS_TRACE=1)" },
	{ "--blame", NULL,
	  "also report the variables that the time was spent for; the program must be built with "
	  "sisc --sis-blame" },
	{ "--overhead", "PERCENT",
	  "most part of the CPU time that probes may take (SIS_OVERHEAD)" },
	{ "--report", "FILE", "write the report into FILE (default: to standard error)" },
	{ NULL, NULL, NULL },
};

/* Standard output is the command's, so the report goes to standard error or into a file. */
static int redirect_output(const char *file, struct err *err)
{
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) :
			STDERR_FILENO;
	if (fd < 0)
		return err_fail(err, "cannot write the report into '%s': %s", file,
				strerror(errno));
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	if (fd != STDERR_FILENO)
		close(fd);
	return 0;
}

/* Says why the directory has no profile of a process. */
static void nothing_measured(const char *directory, const char *const *command, int status)
{
	short_programs programs;
	short_programs_read(&programs, directory);
	char *refused = short_programs_refused(&programs);
	char *obstacle = programs.n ? NULL : obstacle_find(command);
	if (refused)
		escape_line(stdout, "sis-analyze: %s", refused);
	else if (programs.n)
		escape_line(stdout, "sis-analyze: nothing to report: all processes lived for less "
			    "than 5 ms; '%s' has a list of them", directory);
	else if (obstacle)
		escape_line(stdout, "sis-analyze: nothing was measured: %s", obstacle);
	else if (WIFSIGNALED(status))
		escape_line(stdout, "sis-analyze: nothing was measured: '%s' was ended by SIG%s "
			    "before it had used the processor for 5 ms", command[0],
			    sigabbrev_np(WTERMSIG(status)) ?: "RT");
	else
		escape_line(stdout, "sis-analyze: nothing was measured: no process but launchers "
			    "and shells loaded the runtime. If the program runs in a container, "
			    "on another host or after a change of LD_PRELOAD, set LD_PRELOAD=%s "
			    "SIS_RUN=%s SIS_OUTPUT=%s there", getenv("LD_PRELOAD"),
			    getenv("SIS_RUN"), getenv("SIS_OUTPUT"));
	free(obstacle);
	free(refused);
	short_programs_release(&programs);
}

/* Calls another command for the experiment in the directory. */
static int call_command(const struct command *other, const struct context *c,
			const char *directory, struct err *err)
{
	struct context own = {
		.cli = { .own = other->options, .common = c->cli.common },
		.format = c->format,
		.color = terminal_is_capable() && !getenv("NO_COLOR"),
		.db = c->db,
		.is_own_run = true,
	};
	*vec_push(&own.cli.argument) = directory;
	int rc = other->run(&own, err);
	repo_close(own.repo);
	cli_release(&own.cli);
	return rc;
}

static int report(struct context *c, const char *directory, const char *const *command,
		  struct err *err)
{
	struct run_header header;
	if (redirect_output(cli_get(&c->cli, "--report"), err))
		return ERR_FAILED;
	if (!run_directory_peek(directory, &header)) {
		nothing_measured(directory, command, c->status);
		return 0;
	}
	int rc = call_command(&cmd_report, c, directory, err);
	if (rc == 0 && cli_get(&c->cli, "--blame"))
		rc = call_command(&cmd_blame, c, directory, err);
	return rc;
}

/* Fetches what killed processes left on this host. The report says which processes are missing. */
static void collect(const char *directory)
{
	collected_runs done = { 0 };
	struct err err = { 0 };
	if (collect_experiment(&done, directory, &err))
		escape_line(stderr, "sis-analyze: warning: %s", err.text);
	collected_release(&done);
}

static int run_run(struct context *c, struct err *err)
{
	struct preload preload;
	if (!c->cli.argument.n)
		return err_usage(err, "run: no command; usage: sis-analyze run [OPTIONS] COMMAND");
	*vec_push(&c->cli.argument) = NULL;
	const char *const *command = c->cli.argument.at;
	int rc = preload_make_directory(&preload, cli_get(&c->cli, "--name"), command, err);
	rc = rc ? rc : preload_set_environment(&preload, err);
	if (cli_get(&c->cli, "--trace"))
		setenv("SIS_TRACE", "1", 1);
	if (cli_get(&c->cli, "--overhead"))
		setenv("SIS_OVERHEAD", cli_get(&c->cli, "--overhead"), 1);
	if (rc == 0) {
		c->has_status = true;
		rc = child_run(command, &c->status, err);
		if (rc)
			preload_remove_directory(&preload);
		else
			collect(preload.directory);
		rc = rc ? rc : report(c, preload.directory, command, err);
	}
	preload_release(&preload);
	return rc;
}

const struct command cmd_run = {
	"run",
	"[--name N] [--trace] [--blame] [--overhead P%] [--report FILE] [--] COMMAND...",
	"Run any command measured, and print its report",
	"COMMAND is a program with its arguments, a script, or a launcher: mpiexec, srun.\n"
	"Nothing has to be compiled again: all processes of the command are measured, on all\n"
	"hosts that see the working directory. Programs built with sisc are measured by their\n"
	"probes. Others are measured by a library that is loaded before theirs: MPI, OpenMP,\n"
	"waits of threads, input and output, sleep; functions come from samples. Functions that\n"
	"an interpreter executes have names if it writes a perf map: python3 -X perf (3.12),\n"
	"node --perf-basic-prof.\n"
	"Launchers, shells, and programs like env or timeout are not measured, but what they\n"
	"start is. Processes of less than 5 ms are only counted.\n"
	"The exit status is the command's. The report goes to standard error. Settings (SIS_*,\n"
	"see sis-analyze env) may be set as well. `sis-run` is short for `sis-analyze run`.\n"
	"Example: sis-analyze run mpiexec -n 4 ./prog",
	options,
	SIZE_MAX,
	run_run,
};
