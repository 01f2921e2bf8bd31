/* SPDX-License-Identifier: BSD-3-Clause */
/* short_programs.c - reads the lists of short processes (short-HOST.tsv). Called by one thread.
 *
 * A line of a list is `PID<TAB>PARENT<TAB>START<TAB>LIFE<TAB>CPU<TAB>PROGRAM`, with times in ns.
 * A process that may not write files leaves a link instead, whose target is its line. LIFE is a
 * word of `refusals` if the process was not measured. */
#include "experiment/read/short_programs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/path.h"
#include "base/sort.h"
#include "experiment/read/run_paths.h"

static const struct { const char *life, *reason; } refusals[REFUSALS] = {
	[BY_TSAN] = { "tsan", "with the thread sanitizer, which a preloaded library disturbs; "
			      "build it without -fsanitize=thread" },
	[BY_VALGRIND] = { "valgrind", "under valgrind, which a preloaded library disturbs; run it "
				      "without valgrind" },
	[UNKEPT] = { "unkept", "which could not make a file in the directory of the experiment; "
			       "see its limits (ulimit -f, -n) and the room on the disk" },
};

/* Returns what the field LIFE says; NOT_REFUSED: a time. */
static enum refusal refusal_of(const char *field)
{
	size_t length = strcspn(field, "\t");
	for (enum refusal i = NOT_REFUSED + 1; i < REFUSALS; i++)
		if (strlen(refusals[i].life) == length &&
		    strncmp(field, refusals[i].life, length) == 0)
			return i;
	return NOT_REFUSED;
}

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
	enum refusal refusal = NOT_REFUSED;
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < PROGRAM; i++) {
		refusal = i == LIFE ? refusal_of(field) : refusal;
		if (i == LIFE && refusal) {
			field += strlen(refusals[refusal].life) + 1;
			continue;
		}
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
		*vec_push(programs) = (struct short_program){ .program =
								mem_string(path_base(field)) };
	programs->at[i].processes++;
	programs->at[i].life_ns += life_ns;
	programs->at[i].refusal = refusal ? refusal : programs->at[i].refusal;
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
		char target[PATH_MAX];
		ssize_t length = readlink(paths.at[i], target, sizeof target - 1);
		if (length > 0) {
			target[length] = '\0';
			add_line(programs, &by_name, target);
			continue;
		}
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

char *short_programs_refused(const short_programs *programs)
{
	struct buf text = { 0 };
	for (enum refusal refusal = NOT_REFUSED + 1; refusal < REFUSALS; refusal++) {
		const char *before = text.length ? ". Not measured: " : "not measured: ";
		size_t length = text.length;
		for (size_t i = 0; i < programs->n; i++)
			if (programs->at[i].refusal == refusal) {
				buf_print(&text, "%s%s", before, programs->at[i].program);
				before = ", ";
			}
		if (text.length > length)
			buf_print(&text, ", %s", refusals[refusal].reason);
	}
	return text.at;
}

void short_programs_release(short_programs *programs)
{
	for (size_t i = 0; i < programs->n; i++)
		free(programs->at[i].program);
	vec_free(programs);
}
