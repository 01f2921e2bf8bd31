/* SPDX-License-Identifier: BSD-3-Clause */
/* cli.h - parses a command's options and arguments, and prints its help. */
#ifndef SIS_ANALYSIS_CLI_H
#define SIS_ANALYSIS_CLI_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "tables.h"

struct cli_option {
	const char *name;  /* "--name"; NULL ends a list */
	const char *value; /* name of the option's value; NULL: the option has no value */
	const char *help;  /* one line; NULL: the help does not list the option */
};

struct cli_given { const char *name, *value; };
struct cli {
	const struct cli_option *own, *common; /* options are looked up in both lists */
	VEC(struct cli_given) given;
	VEC(const char *) argument;
	bool takes_command; /* the first argument ends the options: it begins a command line */
};

/* Parses argv[0 .. argc) and keeps pointers into it. Messages name `command`. */
int cli_parse(struct cli *cli, const char *command, int argc, char **argv, struct err *err);
void cli_release(struct cli *cli);
/* cli_get returns the value that was given last: "" if the option takes no value, NULL if the
 * option was not given. cli_nth returns the k-th value, NULL if fewer were given. */
const char *cli_get(const struct cli *cli, const char *name);
const char *cli_nth(const struct cli *cli, const char *name, size_t k);
/* Finds the option that `word` ("--name" or "--name=value") names; NULL: the list has no such
 * option. */
const struct cli_option *cli_find(const struct cli_option *list, const char *word);
/* Prints the options with their help. */
void cli_help(const struct cli_option *options);
/* Prints words in lines of at most 96 columns, and a line end. The first line already has `column`
 * columns. The other lines are indented by `column` columns. */
void cli_print_words(const char *text, int column);

#endif
