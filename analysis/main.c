/* main.c - sis-analyze: the table of commands, and the only place that prints an error. One thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "command.h"

static const struct command *const command[] = {
	&cmd_import, &cmd_list, &cmd_show, &cmd_report, &cmd_regions, &cmd_overhead, &cmd_summary,
	&cmd_imbalance, &cmd_compare, &cmd_speedup, &cmd_ratio, &cmd_waits, &cmd_messages, &cmd_sensors, &cmd_idf, &cmd_export,
	&cmd_rm, &cmd_gc, &cmd_merge, &cmd_sql, &cmd_counters, &cmd_env,
};
enum { COMMANDS = sizeof command / sizeof *command };

static const struct cli_option common[] = {
	{ "--db", "FILE", "the repository: a file, or postgresql://... (default: sis.db)" },
	{ "--json", NULL, "print JSON" },
	{ "--csv", NULL, "print CSV" },
	{ "--help", NULL, "print this" },
	{ NULL, NULL, NULL },
};

static void print_overview(void)
{
	puts("usage: sis-analyze COMMAND [EXPERIMENT...] [OPTIONS]\n\n"
	     "An experiment is named by its id, its name or its directory, which is imported on first use;\n"
	     "without one the newest is meant.\n");
	for (size_t i = 0; i < COMMANDS; i++)
		printf("  %-10s %s\n", command[i]->name, command[i]->summary);
	puts("  help       what a command does: sis-analyze help COMMAND\n\nOptions of all commands:");
	cli_help(common);
}

static void print_help(const struct command *c)
{
	printf("usage: sis-analyze %s %s\n\n%s.\n%s\n", c->name, c->arguments, c->summary, c->help);
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
	fprintf(stderr, "sis-analyze: error: %s\n", err->text[0] ? err->text : "failed without a reason; report this");
	return -code;
}

static int help(int argc, char **argv)
{
	struct err err = { 0 };
	const struct command *c = argc > 2 ? find_command(argv[2]) : NULL;
	if (argc > 2 && !c)
		return complain(&err, err_usage(&err, "no command '%s'; `sis-analyze help` lists them", argv[2]));
	if (c)
		print_help(c);
	else
		print_overview();
	return 0;
}

static int check_use(const struct command *cmd, struct context *c, struct err *err)
{
	if (c->cli.argument.n > cmd->most_arguments)
		return err_usage(err, "%s: too many arguments at '%s'; usage: sis-analyze %s %s", cmd->name,
				 c->cli.argument.at[cmd->most_arguments], cmd->name, cmd->arguments);
	if (cli_get(&c->cli, "--json") && cli_get(&c->cli, "--csv"))
		return err_usage(err, "%s: --json and --csv at once; choose one", cmd->name);
	c->format = cli_get(&c->cli, "--json") ? FORMAT_JSON : cli_get(&c->cli, "--csv") ? FORMAT_CSV : FORMAT_TEXT;
	c->db = cli_get(&c->cli, "--db") ? cli_get(&c->cli, "--db") : "sis.db";
	c->color = terminal_is_capable() && !getenv("NO_COLOR");
	return 0;
}

static int run(const struct command *cmd, int argc, char **argv)
{
	struct err err = { 0 };
	struct context c = { .cli = { .own = cmd->options, .common = common } };
	int rc = cli_parse(&c.cli, cmd->name, argc, argv, &err);
	rc = rc ? rc : check_use(cmd, &c, &err);
	bool paged = rc == 0 && terminal_page_begin();
	if (rc == 0 && cli_get(&c.cli, "--help"))
		print_help(cmd);
	else
		rc = rc ? rc : cmd->run(&c, &err);
	if (fflush(stdout) != 0 && rc == 0 && !paged)
		rc = err_fail(&err, "cannot write the result: output closed or disk full; try another place");
	terminal_page_end();
	repo_close(c.repo);
	cli_release(&c.cli);
	return rc ? complain(&err, rc) : 0;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	const char *name = argc > 1 ? argv[1] : "help";
	if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return argc > 1 ? help(argc, argv) : (print_overview(), 2);
	if (strcmp(name, "--version") == 0)
		return puts("sis-analyze " SIS_VERSION) < 0;
	const struct command *cmd = find_command(name);
	if (!cmd)
		return complain(&err, err_usage(&err, "no command '%s'; `sis-analyze help` lists them", name));
	return run(cmd, argc - 2, argv + 2);
}
