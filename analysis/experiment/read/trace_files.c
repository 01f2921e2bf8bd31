/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_files.c - finds and opens the traces of an experiment. Owns the list of open traces; called
 * by one thread. */
#include "experiment/read/trace_files.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/read/run_paths.h"

static bool is_trace(const char *name)
{
	size_t length = strlen(name);
	return strncmp(name, "trace-", 6) == 0 && length > 10 &&
		strcmp(name + length - 4, ".sis") == 0;
}

void traces_open(struct traces *traces, const char *directory)
{
	run_paths paths;
	*traces = (struct traces){ 0 };
	run_paths_find(&paths, directory, is_trace);
	for (size_t i = 0; i < paths.n; i++) {
		struct trace trace;
		struct err err = { 0 };
		int rc = trace_open(&trace, paths.at[i], &err);
		if (rc == 0)
			*vec_push(&traces->trace) = trace;
		else if (rc == TRACE_UNWRITTEN)
			traces->unwritten++;
		else
			*vec_push(&traces->unreadable) = mem_string(err.text);
	}
	run_paths_release(&paths);
}

void traces_release(struct traces *traces)
{
	for (size_t i = 0; i < traces->trace.n; i++)
		trace_release(&traces->trace.at[i]);
	for (size_t i = 0; i < traces->unreadable.n; i++)
		free(traces->unreadable.at[i]);
	vec_free(&traces->trace);
	vec_free(&traces->unreadable);
}
