/* SPDX-License-Identifier: BSD-3-Clause */
/* short_programs.c - reads the lists of short processes (short-HOST.tsv). Called by one thread.
 *
 * A line of a list is `PID<TAB>PARENT<TAB>START<TAB>LIFE<TAB>CPU<TAB>PROGRAM`, with times in ns. */
#include "experiment/read/short_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/path.h"
#include "base/sort.h"
#include "experiment/read/run_paths.h"

static int by_processes(const void *a, const void *b)
{
	const struct short_program *x = a, *y = b;
	return ORDER(y->processes, x->processes) ?: strcmp(x->program, y->program);
}

static void add_line(short_programs *programs, struct strmap *by_name, char *line)
{
	enum { LIFE = 3, PROGRAM = 5 };
	char *field = line, *end;
	uint64_t life_ns = 0;
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < PROGRAM; i++) {
		unsigned long long value = strtoull(field, &end, 10);
		if (end == field || *end != '\t')
			return;
		if (i == LIFE)
			life_ns = value;
		field = end + 1;
	}
	bool fresh;
	uint32_t i = strmap_put(by_name, path_base(field), programs->n, &fresh);
	if (fresh)
		*vec_push(programs) = (struct short_program){ mem_string(path_base(field)), 0, 0 };
	programs->at[i].processes++;
	programs->at[i].life_ns += life_ns;
}

static bool is_list(const char *name)
{
	size_t length = strlen(name);
	return strncmp(name, "short-", 6) == 0 && length > 4 &&
		strcmp(name + length - 4, ".tsv") == 0;
}

void short_programs_read(short_programs *programs, const char *directory)
{
	struct strmap by_name = { 0 };
	char *line = NULL;
	size_t room = 0;
	run_paths paths;
	*programs = (short_programs){ 0 };
	run_paths_find(&paths, directory, is_list);
	for (size_t i = 0; i < paths.n; i++) {
		struct err unread = { 0 };
		int fd = run_path_open(paths.at[i], NULL, &unread);
		FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
		while (file && getline(&line, &room, file) > 0)
			add_line(programs, &by_name, line);
		if (file)
			fclose(file);
	}
	run_paths_release(&paths);
	if (programs->n)
		qsort(programs->at, programs->n, sizeof *programs->at, by_processes);
	free(line);
	strmap_free(&by_name);
}

void short_programs_release(short_programs *programs)
{
	for (size_t i = 0; i < programs->n; i++)
		free(programs->at[i].program);
	vec_free(programs);
}
