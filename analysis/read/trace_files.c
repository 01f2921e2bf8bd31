/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_files.c - which files of an experiment are traces. Owns the list of the open ones; one
 * thread. */
#include "read/trace_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int is_trace(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return strncmp(entry->d_name, "trace-", 6) == 0 && length > 10 &&
		strcmp(entry->d_name + length - 4, ".sis") == 0;
}

int traces_open(struct traces *traces, const char *directory, struct err *err)
{
	struct dirent **entry;
	int rc = 0, n = scandir(directory, &entry, is_trace, alphasort);
	*traces = (struct traces){ 0 };
	for (int i = 0; i < n; i++) {
		char *path = mem_print("%s/%s", directory, entry[i]->d_name);
		struct trace trace;
		int opened = rc ? rc : trace_open(&trace, path, err);
		if (opened == 0)
			*vec_push(&traces->trace) = trace;
		traces->unwritten += opened == TRACE_UNWRITTEN;
		rc = opened == TRACE_UNWRITTEN ? 0 : opened;
		free(path);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	if (rc)
		traces_release(traces);
	return rc;
}

void traces_release(struct traces *traces)
{
	for (size_t i = 0; i < traces->trace.n; i++)
		trace_release(&traces->trace.at[i]);
	vec_free(&traces->trace);
}
