/* SPDX-License-Identifier: BSD-3-Clause */
/* cli.h - a command's options and arguments. */
#ifndef SIS_ANALYSIS_CLI_H
#define SIS_ANALYSIS_CLI_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "tables.h"

struct cli_option {
	const char *name;  /* "--name"; NULL ends a list */
	const char *value; /* what its value is called; NULL: it has none */
	const char *help;  /* one line; NULL: not listed */
};

struct cli_given { const char *name, *value; };
struct cli {
	const struct cli_option *own, *common; /* options are looked up in both lists */
	VEC(struct cli_given) given;
	VEC(const char *) argument;
};

/* Parses argv[0 .. argc) and keeps pointers into it. `command` is named in messages. */
int cli_parse(struct cli *cli, const char *command, int argc, char **argv, struct err *err);
void cli_release(struct cli *cli);
/* The last value of the option: "" if it takes none, NULL if it was not given. cli_nth: the k-th
 * value; NULL if there are fewer. */
const char *cli_get(const struct cli *cli, const char *name);
const char *cli_nth(const struct cli *cli, const char *name, size_t k);
/* The option that `word`, "--name" or "--name=value", names; NULL: none in the list. */
const struct cli_option *cli_find(const struct cli_option *list, const char *word);
/* Offers the options of a list, or of both, that have a similar name: for "did you mean". */
void cli_suggest(const struct cli_option *list, const char *word, struct sis_suggestion *best);
/* The options with their help. */
void cli_help(const struct cli_option *options);
/* Prints words in lines of 96 columns, and a line end. The first line already has `column` columns;
 * the others are indented as far. */
void cli_print_words(const char *text, int column);

#endif
