// SPDX-License-Identifier: BSD-3-Clause
/* code_places.c - starts the process that reads a module, and reads its answers. One thread calls
 * it. */
#include "experiment/code/code_places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiment/code/code_reader.h"

/* Limits of the process: far more than the debug information of large programs needs. */
static const rlim_t MOST_BYTES = (rlim_t)4 << 30;
static const rlim_t MOST_SECONDS = 120;

/* -- the process that reads the module --------------------------------------------------------- */

static void limit(int resource, rlim_t most)
{
	struct rlimit old;
	if (getrlimit(resource, &old) == 0 && old.rlim_cur > most)
		setrlimit(resource, &(struct rlimit){ most, old.rlim_max });
}

static void read_module(int answers, const struct code_module *module,
			const struct code_questions *questions)
{
	limit(RLIMIT_CPU, MOST_SECONDS);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, MOST_BYTES / 4);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
	limit(RLIMIT_AS, MOST_BYTES); /* sanitizers reserve more address space */
#endif
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	FILE *out = fdopen(answers, "w");
	if (!out)
		_exit(1);
	code_reader_write(out, module, questions);
	_exit(fflush(out) == 0 ? 0 : 1);
}

/* Returns 1 if the process succeeded, 0 if it failed, and a negative number if it could not be
 * started. */
static int run_reader(int answers, const struct code_module *module,
		      const struct code_questions *questions, struct err *err)
{
	int status = 0;
	fflush(NULL); /* without this, both processes would write the contents of the buffers */
	pid_t pid = fork();
	if (pid == 0)
		read_module(answers, module, questions);
	if (pid < 0)
		return err_fail(err, "cannot start a process that reads debug information: %s; "
				"free memory or processes, and try again", strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_fail(err, "cannot wait for a process: %s", strerror(errno));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* -- the answers of the process ---------------------------------------------------------------- */

/* Takes the whole output of the process, with a NUL after it. */
static void take_text(struct code_places *places, int answers)
{
	off_t size = lseek(answers, 0, SEEK_END);
	ssize_t n = 0;
	places->text_bytes = 0;
	places->text = mem_alloc(size > 0 ? (size_t)size + 1 : 1, 1);
	while ((off_t)places->text_bytes < size &&
	       (n = pread(answers, places->text + places->text_bytes,
			  (size_t)size - places->text_bytes, (off_t)places->text_bytes)) > 0)
		places->text_bytes += (size_t)n;
}

/* The next field of the line; NULL: it is empty. */
static const char *field(char **at)
{
	char *begin = *at, *end = strpbrk(begin, "\t\n");
	if (!end || *end == '\n')
		return NULL;
	*end = 0;
	*at = end + 1;
	return *begin ? begin : NULL;
}

static uint32_t number(char **at)
{
	const char *text = field(at);
	unsigned long value = text ? strtoul(text, NULL, 10) : 0;
	return value > UINT32_MAX ? 0 : (uint32_t)value;
}

static uint64_t bytes(char **at)
{
	const char *text = field(at);
	return text ? strtoull(text, NULL, 10) : 0;
}

static void take_lines(struct code_places *places, const struct code_questions *questions)
{
	for (char *line = places->text, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *at = line + 2;
		if (strncmp(line, "P\t", 2) == 0 && places->place.n < questions->addresses) {
			struct code_place *place = vec_push(&places->place);
			uint32_t reason = number(&at);
			number(&at); /* number of sites: they are counted when they are read */
			place->reason = reason < PLACED_REASONS ? reason : PLACED_BAD_DEBUG;
			place->first = places->site.n;
			place->start = bytes(&at);
			place->symbol = field(&at);
			place->callee = field(&at);
		} else if (strncmp(line, "S\t", 2) == 0 && places->place.n) {
			struct code_site *site = vec_push(&places->site);
			site->function = field(&at);
			site->unit = field(&at);
			site->directory = field(&at);
			site->file = field(&at);
			site->line = number(&at);
			site->column = number(&at);
			site->prologue = number(&at);
			site->declared = field(&at);
			site->declared_line = number(&at);
			places->place.at[places->place.n - 1].count++;
		} else if (strncmp(line, "V\t", 2) == 0 && places->variable.n < questions->datas) {
			struct code_variable *variable = vec_push(&places->variable);
			variable->name = field(&at);
			variable->function = field(&at);
			variable->type = field(&at);
			variable->file = field(&at);
			variable->line = number(&at);
			variable->bytes = bytes(&at);
		}
	}
}

int code_places_find(struct code_places *places, const struct code_module *module,
		     const struct code_questions *questions, struct err *err)
{
	*places = (struct code_places){ 0 };
	int answers = memfd_create("sis-places", MFD_CLOEXEC);
	if (answers < 0)
		return err_fail(err, "cannot make a file in memory: %s", strerror(errno));
	int ended_well = run_reader(answers, module, questions, err);
	if (ended_well > 0) {
		take_text(places, answers);
		take_lines(places, questions);
	}
	/* if one answer is missing, no answer is used */
	if (places->place.n != questions->addresses || places->variable.n != questions->datas)
		places->place.n = places->site.n = places->variable.n = 0;
	while (places->place.n < questions->addresses)
		*vec_push(&places->place) = (struct code_place){ .reason = PLACED_BAD_DEBUG };
	while (places->variable.n < questions->datas)
		*vec_push(&places->variable) = (struct code_variable){ .name = NULL };
	close(answers);
	return ended_well < 0 ? ended_well : 0;
}

void code_places_release(struct code_places *places)
{
	vec_free(&places->place);
	vec_free(&places->site);
	vec_free(&places->variable);
	free(places->text);
	places->text = NULL;
}
