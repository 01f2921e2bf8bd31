/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_control.c - `sis-analyze control`: steers the measurement of a program that runs. It adds a
 * line to the file `control` of the run's directory, and waits until the processes have obeyed it
 * (rtlib/measure/control/control.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "commands/table_view.h"
#include "control_rules.h"
#include "experiment/read/run_paths.h"
#include "live/look/processes.h"
#include "live/look/target.h"

enum { MOST_ARGUMENTS = 16, WAIT_MS = 5000, PAUSE_MS = 50 };

static const struct cli_option options[] = {
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- the statement ----------------------------------------------------------------------------- */

/* The text of the statement. A single argument may be the whole statement. Of several arguments,
 * each that contains a separator of words is put into quotes. */
static char *statement_of(const struct cli *cli)
{
	struct buf buf = { 0 };
	if (cli->argument.n == 2)
		return mem_string(cli->argument.at[1]);
	for (size_t i = 1; i < cli->argument.n; i++) {
		const char *word = cli->argument.at[i];
		bool quoted = !*word || strpbrk(word, " \t(),#<>") != NULL;
		buf_print(&buf, quoted ? "%s\"%s\"" : "%s%s", i > 1 ? " " : "", word);
	}
	return buf_take(&buf);
}

static void keep_error(void *context, uint32_t line, uint32_t column, const char *message)
{
	struct err *err = context;
	(void)line, (void)column;
	err_usage(err, "control: %s", message);
}

static int check_statement(const char *statement, struct err *err)
{
	struct sis_control_rules *rules = mem_alloc(1, sizeof *rules);
	const struct sis_control_user user = { err, keep_error };
	int rc = 0;
	if (strchr(statement, '\n') || sis_control_parse(rules, statement, strlen(statement),
							 &user) != 0)
		rc = ERR_USAGE;
	else if (rules->subjects || rules->rules == 0)
		rc = err_usage(err, "control: a condition belongs into the file of SIS_RULES; "
			       "write here what to do, for example: off 'util_*'");
	free(rules);
	return rc;
}

/* Appends the statement to the file. *size: the length of the file afterwards. */
static int append(const struct live_target *target, const char *statement, int64_t *size,
		  struct err *err)
{
	char *local = run_local_directory(target->directory);
	char *path = mem_print("%s/control", local ?: target->directory);
	char *line = target->pid ? mem_print("@%u %s\n", target->pid, statement)
				 : mem_print("%s\n", statement);
	struct stat st;
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	bool good = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line) &&
		fstat(fd, &st) == 0;
	int rc = good ? 0 : err_fail(err, "cannot write '%s': %s", path, strerror(errno));
	*size = good ? (int64_t)st.st_size : 0;
	if (fd >= 0)
		close(fd);
	free(local);
	free(path);
	free(line);
	return rc;
}

/* -- waiting until the processes obey ---------------------------------------------------------- */

static bool is_meant(const struct live_target *target, const struct live_process *process)
{
	return !target->pid || process->pid == target->pid;
}

/* Counts the processes that run. *late: how many of them have not yet read and obeyed the first
 * `size` bytes of the file. */
static size_t count_running(const struct live_target *target, const live_processes *run,
			    int64_t size,
			    size_t *late)
{
	size_t running = 0;
	*late = 0;
	for (size_t i = 0; i < run->n; i++) {
		bool counts = run->at[i].runs && is_meant(target, &run->at[i]);
		running += counts;
		*late += counts && run->at[i].obeyed < size;
	}
	return running;
}

static int check_running(const struct live_target *target, struct err *err)
{
	live_processes run;
	size_t late;
	if (live_processes_read(&run, target->directory, err))
		return ERR_FAILED;
	size_t running = count_running(target, &run, 0, &late);
	live_processes_release(&run);
	return running ? 0 : err_fail(err, "no process of '%s' runs any more", target->directory);
}

static int wait_for_all(const struct live_target *target, int64_t size, struct err *err)
{
	size_t running = 0, late = 1; /* no process is late if all have ended */
	for (int waited = 0; late && waited <= WAIT_MS; waited += PAUSE_MS) {
		live_processes run;
		if (live_processes_read(&run, target->directory, err))
			return ERR_FAILED;
		running = count_running(target, &run, size, &late);
		live_processes_release(&run);
		if (late)
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_MS * 1000000L }, NULL);
	}
	return late ? err_fail(err, "%zu of %zu processes have not obeyed within %d s; they may "
			       "be stopped, or run without a helper thread", late, running,
			       WAIT_MS / 1000)
		    : 0;
}

/* -- the state --------------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "region", "region", CELL_TEXT },
	{ "function", "function", CELL_TEXT },
	{ "state", "state", CELL_TEXT },
	{ "by", "by", CELL_TEXT },
	{ "processes", "processes", CELL_INTEGER },
};

/* `last`: number, from 1, of the process that was counted last. A process with several regions of
 * one name counts once. */
struct state { const struct live_turn *turn; int64_t processes; size_t last; };

static bool is_same(const struct live_turn *a, const struct live_turn *b)
{
	return strcmp(a->state, b->state) == 0 && strcmp(a->region, b->region) == 0 &&
		strcmp(a->function, b->function) == 0 && strcmp(a->by, b->by) == 0;
}

static void fill_state(struct table *t, const struct live_target *target, const live_processes *run)
{
	VEC(struct state) states = { 0 };
	for (size_t i = 0; i < run->n; i++) {
		const struct live_process *process = &run->at[i];
		for (size_t k = 0; is_meant(target, process) && k < process->turn.n; k++) {
			size_t s = 0;
			while (s < states.n && !is_same(states.at[s].turn, &process->turn.at[k]))
				s++;
			if (s == states.n)
				*vec_push(&states) = (struct state){ &process->turn.at[k], 0, 0 };
			states.at[s].processes += states.at[s].last != i + 1;
			states.at[s].last = i + 1;
		}
	}
	for (size_t s = 0; s < states.n; s++) {
		table_text(t, states.at[s].turn->region);
		table_text(t, states.at[s].turn->function);
		table_text(t, states.at[s].turn->state);
		table_text(t, states.at[s].turn->by);
		table_integer(t, states.at[s].processes);
	}
	vec_free(&states);
}

static int show_state(struct context *c, const struct live_target *target, struct err *err)
{
	live_processes run;
	struct table table;
	if (live_processes_read(&run, target->directory, err))
		return ERR_FAILED;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	fill_state(&table, target, &run);
	int rc = 0;
	if (table_rows(&table) == 0 && c->format == FORMAT_TEXT)
		puts("No region was turned off while the program ran.");
	else
		rc = shape_print(c, &table, "control", err);
	table_release(&table);
	live_processes_release(&run);
	return rc;
}

/* -- the command ------------------------------------------------------------------------------- */

static int run_control(struct context *c, struct err *err)
{
	struct live_target target;
	if (c->cli.argument.n == 0)
		return err_usage(err, "control: name a process or the directory of a run");
	int rc = live_target_find(&target, c->cli.argument.at[0], err);
	if (rc == 0 && c->cli.argument.n > 1) {
		int64_t size = 0;
		char *statement = statement_of(&c->cli);
		rc = check_statement(statement, err);
		rc = rc ? rc : check_running(&target, err);
		rc = rc ? rc : append(&target, statement, &size, err);
		rc = rc ? rc : wait_for_all(&target, size, err);
		free(statement);
	}
	rc = rc ? rc : show_state(c, &target, err);
	free(target.directory);
	return rc;
}

const struct command cmd_control = {
	"control",
	"PID|DIR [on|off|counters on|counters off [below] REGION | trace on|off]",
	"Turn regions, counters and the trace of a running program on and off",
	"PID is one process, DIR the directory of a run: all its processes. REGION is a name or a\n"
	"pattern such as 'util_*'; `below F` are the regions that F called. What belongs to the\n"
	"bookkeeping (MPI, OpenMP, waits) stays on. The command returns when all processes have\n"
	"obeyed, and shows what is off. Without an action it only shows that; `show` and `report`\n"
	"say later what was off from when to when. Only the user who runs the program, and root,\n"
	"can steer it. The file of SIS_RULES has the same actions, with conditions.\n"
	"Example: sis-analyze control sis-prog-20261101-120000-77 off below solve",
	options,
	MOST_ARGUMENTS,
	run_control,
};
