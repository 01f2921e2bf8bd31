/* SPDX-License-Identifier: BSD-3-Clause */
/* command_output.c - runs a command within another one, so that both show the same numbers. Only
 * one thread may print, because stdout writes to memory while the command runs. */
#include "commands/command_output.h"

#include <stdlib.h>

int command_output(struct context *c, const struct command *command, enum format format,
		   const char *const *word, size_t words, char **text, size_t *length,
		   struct err *err)
{
	struct context inner = *c;
	FILE *program = stdout, *memory = open_memstream(text, length);
	if (!memory)
		return *text = mem_string(""), err_fail(err, "out of memory; analyze on a machine "
							"with more");
	inner.cli = (struct cli){ .own = command->options, .common = c->cli.common };
	inner.format = format;
	inner.color = false;
	stdout = memory; /* in glibc, stdout is a variable */
	int rc = cli_parse(&inner.cli, command->name, (int)words, (char **)word, err);
	rc = rc ? rc : command->run(&inner, err);
	stdout = program;
	fclose(memory);
	cli_release(&inner.cli);
	return rc;
}
