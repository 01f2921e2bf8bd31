/* SPDX-License-Identifier: BSD-3-Clause */
/* cli.c - options may be in any order, as `--name value` or `--name=value`. `--` ends the options.
 * One thread calls this file. */
#include "base/cli.h"

#include <stdio.h>
#include <string.h>

static size_t name_length(const char *word)
{
	return strcspn(word, "=");
}

const struct cli_option *cli_find(const struct cli_option *list, const char *word)
{
	size_t length = name_length(word);
	for (; list && list->name; list++)
		if (strncmp(list->name, word, length) == 0 && !list->name[length])
			return list;
	return NULL;
}

/* Finds the option of a list with the most similar name, for "did you mean". */
static void suggest(const struct cli_option *list, const char *word, struct sis_suggestion *best)
{
	for (; list && list->name; list++)
		if (list->help)
			sis_suggest(best, list->name, word, name_length(word));
}

static int unknown(const struct cli *cli, const char *command, const char *word, struct err *err)
{
	struct sis_suggestion near = { 0 };
	suggest(cli->own, word, &near);
	suggest(cli->common, word, &near);
	return err_usage(err, "%s: unknown option '%.*s'; %s%s%s`sis-analyze help %s` lists its "
			 "options", command, (int)name_length(word), word,
			 near.name ? "did you mean '" : "", near.name ? near.name : "",
			 near.name ? "'? " : "", command);
}

static int parse_option(struct cli *cli, const char *command, int *i, int argc, char **argv,
			struct err *err)
{
	const char *word = argv[*i], *equals = strchr(word, '=');
	const struct cli_option *option = cli_find(cli->own, word);
	option = option ? option : cli_find(cli->common, word);
	if (!option)
		return unknown(cli, command, word, err);
	if (!option->value && equals)
		return err_usage(err, "%s: option '%s' takes no value; leave '%s' out", command,
				 option->name, equals);
	if (option->value && !equals && *i + 1 >= argc)
		return err_usage(err, "%s: option '%s' needs a value; write %s %s", command,
				 option->name, option->name, option->value);
	*vec_push(&cli->given) = (struct cli_given){
		option->name, !option->value ? "" : equals ? equals + 1 : argv[++*i] };
	return 0;
}

int cli_parse(struct cli *cli, const char *command, int argc, char **argv, struct err *err)
{
	bool options = true;
	for (int i = 0; i < argc; i++) {
		if (options && strcmp(argv[i], "--") == 0)
			options = false;
		else if (!options || argv[i][0] != '-' || !argv[i][1]) {
			*vec_push(&cli->argument) = argv[i];
			options = options && !cli->takes_command;
		}
		else if (parse_option(cli, command, &i, argc, argv, err))
			return ERR_USAGE;
	}
	return 0;
}

void cli_release(struct cli *cli)
{
	vec_free(&cli->given);
	vec_free(&cli->argument);
}

const char *cli_nth(const struct cli *cli, const char *name, size_t k)
{
	for (size_t i = 0; i < cli->given.n; i++)
		if (strcmp(cli->given.at[i].name, name) == 0 && k-- == 0)
			return cli->given.at[i].value;
	return NULL;
}

const char *cli_get(const struct cli *cli, const char *name)
{
	const char *value = NULL, *next;
	for (size_t k = 0; (next = cli_nth(cli, name, k)); k++)
		value = next;
	return value;
}

void cli_print_words(const char *text, int column)
{
	enum { WIDTH = 96 };
	int at = column;
	while (*text) {
		int length = (int)strcspn(text, " ");
		bool fits = at == column || at + 1 + length <= WIDTH;
		if (!fits)
			printf("\n%*s", column, "");
		else if (at > column)
			putchar(' ');
		printf("%.*s", length, text);
		at = (fits ? at + (at > column) : column) + length;
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

void cli_help(const struct cli_option *options)
{
	for (; options && options->name; options++) {
		if (!options->help)
			continue;
		char left[48];
		snprintf(left, sizeof left, "%s%s%s", options->name, options->value ? " " : "",
			 options->value ? options->value : "");
		cli_print_words(options->help, printf("  %-22s ", left));
	}
}
