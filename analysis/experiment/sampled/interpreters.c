// SPDX-License-Identifier: BSD-3-Clause
/* interpreters.c - knows interpreters by the names of their files. Samples show the functions of an
 * interpreter. The functions that it executes have names only if it writes a perf map. Called by
 * one thread. */
#include "experiment/sampled/interpreters.h"

#include <string.h>

#include "base/path.h"

/* how: how it writes a perf map, for users; "": it writes none, or this was not tried. */
static const struct interpreter { const char *name, *how; } table[] = {
	{ "python", "; Python 3.12 and newer name these with the option -X perf" },
	{ "node", "; node names these with the option --perf-basic-prof" },
	{ "java", "; Java 17 and newer name compiled ones with the options "
		  "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
	{ "R", "" }, { "julia", "" }, { "perl", "" }, { "ruby", "" }, { "octave", "" },
	{ "octave-cli", "" }, { "lua", "" }, { "php", "" },
};

/* The interpreter whose name the file has, maybe with a version after it; NULL: none. */
static const struct interpreter *find_interpreter(const char *program)
{
	const char *base = path_base(program);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		size_t n = strlen(table[i].name);
		if (strncmp(base, table[i].name, n) == 0 &&
		    strspn(base + n, "0123456789.-") == strlen(base + n))
			return &table[i];
	}
	return NULL;
}

bool interpreters_have(const char *program)
{
	return find_interpreter(program);
}

void interpreters_warn(struct sampled *sampled, const struct sampled_process *process,
		       size_t processes)
{
	struct strmap said = { 0 };
	for (size_t i = 0; i < processes; i++) {
		const char *program = process[i].profile->head.program;
		const struct interpreter *interpreter = find_interpreter(program);
		bool is_new = false;
		if (interpreter && !process[i].stacks->generated.n)
			strmap_put(&said, path_base(program), 0, &is_new);
		if (is_new)
			*vec_push(&sampled->warning) = mem_print(
				"%s is an interpreter: its own functions are shown, and not those "
				"that it executes%s", path_base(program), interpreter->how);
	}
	strmap_free(&said);
}
