// SPDX-License-Identifier: BSD-3-Clause
/* code_places.c - lets a process read a module, and reads its answers. One thread calls it. */
#include "experiment/code/code_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/code/code_reader.h"
#include "experiment/code/reader_process.h"

/* What the process reads. */
struct code_question {
	const struct code_module *module;
	const struct code_questions *all;
};

static void write_answers(FILE *out, const void *question)
{
	const struct code_question *q = question;
	code_reader_write(out, q->module, q->all);
}

/* -- the answers of the process ---------------------------------------------------------------- */

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
	int ended_well = reader_process(&places->text, write_answers,
					&(struct code_question){ module, questions }, err);
	if (places->text)
		take_lines(places, questions);
	/* if one answer is missing, no answer is used */
	if (places->place.n != questions->addresses || places->variable.n != questions->datas)
		places->place.n = places->site.n = places->variable.n = 0;
	while (places->place.n < questions->addresses)
		*vec_push(&places->place) = (struct code_place){ .reason = PLACED_BAD_DEBUG };
	while (places->variable.n < questions->datas)
		*vec_push(&places->variable) = (struct code_variable){ .name = NULL };
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
