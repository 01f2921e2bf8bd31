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
	const struct cli_option *own, *common; /* both lists are looked up */
	VEC(struct cli_given) given;
	VEC(const char *) argument;
};

/* Parses argv[0 .. argc). Strings stay argv's. `command` is named in messages. */
int cli_parse(struct cli *cli, const char *command, int argc, char **argv, struct err *err);
void cli_release(struct cli *cli);
/* The option's last value ("" for one without), NULL: not given. The k-th value, NULL: no such. */
const char *cli_get(const struct cli *cli, const char *name);
const char *cli_nth(const struct cli *cli, const char *name, size_t k);
/* The option that `word`, "--name" or "--name=value", names; NULL: none in the list. */
const struct cli_option *cli_find(const struct cli_option *list, const char *word);
/* Those of a list, or both, with a name like it: for "did you mean". */
void cli_suggest(const struct cli_option *list, const char *word, struct sis_suggestion *best);
/* The options with their help. */
void cli_help(const struct cli_option *options);
/* Words in lines of 96 columns. The first line already has `column` columns; the others are indented
 * as far. Ends the last line. */
void cli_print_words(const char *text, int column);

#endif
