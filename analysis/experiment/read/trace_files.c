/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_files.c - finds and opens the traces of an experiment. Owns the list of open traces; called
 * by one thread. */
#include "experiment/read/trace_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int is_trace(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	return strncmp(entry->d_name, "trace-", 6) == 0 && length > 10 &&
		strcmp(entry->d_name + length - 4, ".sis") == 0;
}

void traces_open(struct traces *traces, const char *directory)
{
	struct dirent **entry;
	int n = scandir(directory, &entry, is_trace, alphasort);
	*traces = (struct traces){ 0 };
	for (int i = 0; i < n; i++) {
		char *path = mem_print("%s/%s", directory, entry[i]->d_name);
		struct trace trace;
		struct err err = { 0 };
		int rc = trace_open(&trace, path, &err);
		if (rc == 0)
			*vec_push(&traces->trace) = trace;
		else if (rc == TRACE_UNWRITTEN)
			traces->unwritten++;
		else
			*vec_push(&traces->unreadable) = mem_string(err.text);
		free(path);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
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
