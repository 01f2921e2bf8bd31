/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - sis-analyze: the table of commands, and the only place that prints an error. One
 * thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "base/path.h"
#include "base/stream.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "live/launch/child.h"

static const struct command *const command[] = {
	&cmd_run,
	&cmd_import,   &cmd_list,      &cmd_show,     &cmd_report,  &cmd_view,    &cmd_regions,
	&cmd_overhead,
	&cmd_summary,  &cmd_imbalance, &cmd_compare,  &cmd_speedup, &cmd_ratio,	  &cmd_waits,
	&cmd_blame,    &cmd_top,
	&cmd_messages, &cmd_sensors,   &cmd_suggest_filter, &cmd_suggest_regions,
	&cmd_idf,      &cmd_export,    &cmd_rm,
	&cmd_gc,       &cmd_merge,     &cmd_sql,      &cmd_counters, &cmd_calibrate,
	&cmd_control,  &cmd_env,       &cmd_collect,
};
enum { COMMANDS = sizeof command / sizeof *command };

/* -h is not listed. */
static const struct cli_option common[] = {
	{ "--db", "FILE", "the repository: a file, or postgresql://... (default: sis.db)" },
	{ "--json", NULL, "print JSON" },
	{ "--csv", NULL, "print CSV" },
	{ "--help", NULL, "print this" },
	{ "-h", NULL, NULL },
	{ NULL, NULL, NULL },
};

static void print_overview(void)
{
	puts("usage: sis-analyze COMMAND [EXPERIMENT...] [OPTIONS]\n"
	     "\n"
	     "An experiment is named by its id, its name or its directory, which is imported on "
	     "first use;\n"
	     "without one, the newest is used.\n");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-14s %s\n", command[i]->name, command[i]->summary);
	puts("  help           what a command does: sis-analyze help COMMAND\n"
	     "\n"
	     "Options of all commands:");
	cli_help(common);
}

static void print_help(const struct command *c)
{
	int column = printf("usage: sis-analyze %s%s", c->name, c->arguments[0] ? " " : "");
	cli_print_words(c->arguments, column);
	printf("\n%s.\n%s\n", c->summary, c->help);
	if (c->options)
		puts("\nOptions:");
	cli_help(c->options);
	puts("\nOptions of all commands:");
	cli_help(common);
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(command[i]->name, name) == 0)
			return command[i];
	return NULL;
}

static int complain(const struct err *err, int code)
{
	escape_line(stderr, "sis-analyze: error: %s",
		    err->text[0] ? err->text : "failed without a reason; report this");
	return -code;
}

static int unknown_command(const char *name, struct err *err)
{
	struct stat st;
	struct sis_suggestion near = { 0 };
	for (size_t i = 0; i < COMMANDS; i++)
		sis_suggest(&near, command[i]->name, name, strlen(name));
	if (!near.name && stat(name, &st) == 0 && S_ISDIR(st.st_mode))
		return err_usage(err, "no command '%s', but a directory; write `sis-analyze report "
				 "%s`", name, name);
	return err_usage(err, "no command '%s'; %s%s%s`sis-analyze help` lists them", name,
			 near.name ? "did you mean '" : "", near.name ? near.name : "",
			 near.name ? "'? " : "");
}

static int help(const char *name)
{
	struct err err = { 0 };
	bool of_all = !name || strcmp(name, "help") == 0;
	const struct command *c = of_all ? NULL : find_command(name);
	if (!of_all && !c)
		return complain(&err, unknown_command(name, &err));
	if (c)
		print_help(c);
	else
		print_overview();
	int rc = stream_check(stdout, "the help", &err);
	return rc ? complain(&err, rc) : 0;
}

/* SQLite keeps nothing in a database with an empty name, and gives other names a meaning, too. */
static int check_repository(const char *db, struct err *err)
{
	if (!*db)
		return err_usage(err, "--db without a name; name a file, for example --db sis.db");
	if (*db == ':' || strncasecmp(db, "file:", 5) == 0)
		return err_usage(err, "--db '%s' is no file: SQLite gives such names another "
				 "meaning; if a file is named so, write --db './%s'", db, db);
	return 0;
}

static int check_use(const struct command *cmd, struct context *c, struct err *err)
{
	if (c->cli.argument.n > cmd->most_arguments)
		return err_usage(err, "%s: too many arguments at '%s'; usage: sis-analyze %s %s",
				 cmd->name, c->cli.argument.at[cmd->most_arguments], cmd->name,
				 cmd->arguments);
	if (cli_get(&c->cli, "--json") && cli_get(&c->cli, "--csv"))
		return err_usage(err, "%s: --json and --csv at once; choose one", cmd->name);
	c->format = cli_get(&c->cli, "--json") ? FORMAT_JSON :
		cli_get(&c->cli, "--csv")      ? FORMAT_CSV :
						 FORMAT_TEXT;
	c->color = terminal_is_capable() && !getenv("NO_COLOR");
	c->db = cli_get(&c->cli, "--db") ? cli_get(&c->cli, "--db") : "sis.db";
	return check_repository(c->db, err);
}

/* Options may be before and after the command, argv[at]. */
static int run_command(const struct command *cmd, int at, int argc, char **argv)
{
	struct err err = { 0 }, ignored = { 0 };
	struct context c = { .cli = { .own = cmd->options, .common = common,
				      .takes_command = cmd == &cmd_run } };
	int rc = cli_parse(&c.cli, cmd->name, at - 1, argv + 1, &err);
	rc = rc ? rc : cli_parse(&c.cli, cmd->name, argc - at - 1, argv + at + 1, &err);
	rc = rc ? rc : check_use(cmd, &c, &err);
	/* top has its own screen, `run` leaves the terminal to its command, and what a command
	 * serves it does not print */
	bool paged = rc == 0 && cmd != &cmd_top && cmd != &cmd_run && !cli_get(&c.cli, "--live") &&
		terminal_page_begin();
	if (rc == 0 && (cli_get(&c.cli, "--help") || cli_get(&c.cli, "-h")))
		print_help(cmd);
	else
		rc = rc ? rc : cmd->run(&c, &err);
	int failed = stream_check(stdout, "the result", rc || paged ? &ignored : &err);
	rc = rc || paged ? rc : failed; /* who leaves a pager early misses nothing */
	terminal_page_end();
	repo_close(c.repo);
	cli_release(&c.cli);
	if (rc)
		complain(&err, rc);
	if (c.has_status)
		child_end_like(c.status);
	return -rc;
}

/* Finds an option of any command, to know whether a word before the command has a value. Options of
 * one name agree on that in all commands. */
static const struct cli_option *find_option(const char *word)
{
	const struct cli_option *option = cli_find(common, word);
	for (size_t i = 0; i < COMMANDS && !option; i++)
		option = cli_find(command[i]->options, word);
	return option;
}

/* The first word that is no option and no option's value; argc: there is none. */
static int command_index(int argc, char **argv)
{
	int i = 1;
	for (; i < argc && argv[i][0] == '-'; i++) {
		const struct cli_option *option = find_option(argv[i]);
		i += option && option->value && !strchr(argv[i], '=');
	}
	return i < argc ? i : argc;
}

/* Handles a command line without a command. */
static int without_command(int argc, char **argv)
{
	struct err err = { 0 };
	struct cli cli = { .common = common };
	if (argc == 1)
		return print_overview(), 2;
	int rc = cli_parse(&cli, "help", argc - 1, argv + 1, &err);
	bool helps = cli_get(&cli, "--help") || cli_get(&cli, "-h");
	cli_release(&cli);
	if (rc == 0 && helps)
		return help(NULL);
	return complain(&err,
			rc ? rc : err_usage(&err, "no command; `sis-analyze help` lists them"));
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	int at = command_index(argc, argv);
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("sis-analyze " SIS_VERSION);
		int rc = stream_check(stdout, "the version", &err);
		return rc ? complain(&err, rc) : 0;
	}
	if (strcmp(path_base(argv[0]), "sis-run") == 0)
		return run_command(&cmd_run, 0, argc, argv);
	if (at == argc)
		return without_command(argc, argv);
	if (strcmp(argv[at], "help") == 0)
		return help(argv[at + 1]);
	const struct command *cmd = find_command(argv[at]);
	if (!cmd)
		return complain(&err, unknown_command(argv[at], &err));
	return run_command(cmd, at, argc, argv);
}
