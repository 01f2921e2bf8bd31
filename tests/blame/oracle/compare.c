/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.c - the static blame of a program beside the slices of the oracle.
 *
 *      compare PROGRAM SLICES
 *
 * PROGRAM was built with sisc --sis-blame; it is not run. Each element of the slices, an
 * instruction in its call path, becomes a sample at the statement there, as often as the
 * instruction ran. Elements with the same statements in all frames become one. So both sides judge
 * the same work, and no figure depends on time.
 *
 * Prints a line for each variable of main and each global:
 *
 *      NAME BOTH DYNAMIC STATIC SHARE_DYNAMIC SHARE_STATIC
 *
 * BOTH, DYNAMIC and STATIC are numbers of elements; shares are parts of all work. Then `placed N of
 * M`: elements whose frames have statements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame/attribute/blame.h"

struct variable { char *name; VEC(uint32_t) element; };

static struct flow_program program;
static struct placed placed;
static VEC(uint32_t) stack_of;          /* element -> index of placed.stack, or FLOW_NONE */
static VEC(struct variable) dynamic_variable;
static size_t elements, inexact;

static void fail(const char *reason, const char *what)
{
	fprintf(stderr, "compare: error: %s '%s'\n", reason, what);
	exit(1);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* The anchor at a position, or the last one before it in its line: operands are no anchors. */
static const struct flow_anchor *anchor_at(uint32_t function, uint32_t line, uint32_t column)
{
	const struct flow_function *f = &program.function.at[function];
	const struct flow_anchor *last = NULL;
	for (uint32_t i = 0; line && i < f->anchor.n; i++) {
		const struct flow_anchor *anchor = &program.anchor.at[f->anchor.first + i];
		if (anchor->file == f->file && anchor->line == line && anchor->column <= column &&
		    (!last || anchor->column >= last->column))
			last = anchor;
	}
	return last;
}

static bool place_frame(const char *function, uint32_t line, uint32_t column, bool *exact)
{
	uint32_t f = flow_function_find(&program, function);
	if (f == FLOW_NONE)
		return false;
	struct placed_frame frame = { .function = f, .how = PLACED_STATEMENT, .count = 1 };
	const struct flow_anchor *anchor = anchor_at(f, line, column);
	frame.first = (uint32_t)placed.statement.n;
	if (!anchor) {
		*exact = *exact && line == 0;
		frame.how = line == 0 ? PLACED_BOUNDARY : PLACED_FUNCTION;
		frame.statement = line == 0 ? 0 : FLOW_NONE;
		frame.count = line == 0;
		*vec_push(&placed.statement) = 0;
	} else {
		size_t n;
		const uint32_t *statement = flow_anchor_statements(&program, f, anchor, &n);
		for (size_t i = 0; i < n; i++)
			*vec_push(&placed.statement) = statement[i];
		frame.statement = statement[0];
		frame.count = (uint32_t)n;
		frame.how = n > 1 ? PLACED_GROUP : PLACED_STATEMENT;
	}
	*vec_push(&placed.frame) = frame;
	return true;
}

static bool same_frames(const struct placed_stack *a, const struct placed_stack *b)
{
	if (a->frames != b->frames)
		return false;
	for (uint32_t i = 0; i < a->frames; i++) {
		const struct placed_frame *x = &placed.frame.at[a->first + i];
		const struct placed_frame *y = &placed.frame.at[b->first + i];
		if (x->function != y->function || x->statement != y->statement ||
		    x->count != y->count)
			return false;
	}
	return true;
}

/* element NUMBER WEIGHT FUNCTION:LINE:COLUMN ... */
static void read_element(char *text)
{
	struct placed_stack stack = { .first = placed.frame.n, .node = FLOW_NONE,
		.how = PLACED_STATEMENT, .reason = PLACED_OK };
	strtoul(text, &text, 10);
	stack.count = stack.weight = strtoull(text, &text, 10);
	bool exact = true, whole = true;
	for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
		char *colon = strchr(word, ':');
		if (!colon)
			fail("bad line of slices", word);
		*colon = '\0';
		uint32_t line = (uint32_t)strtoul(colon + 1, &colon, 10);
		uint32_t column = (uint32_t)strtoul(colon + 1, NULL, 10);
		whole = whole && place_frame(word, line, column, &exact);
		stack.frames++;
	}
	elements++;
	inexact += !exact || !whole;
	if (!whole) {
		*vec_push(&stack_of) = FLOW_NONE;
		return;
	}
	stack.how = placed.frame.at[stack.first].how;
	for (size_t i = 0; i < placed.stack.n; i++)
		if (same_frames(&placed.stack.at[i], &stack)) {
			placed.stack.at[i].count += stack.count;
			placed.stack.at[i].weight += stack.weight;
			*vec_push(&stack_of) = (uint32_t)i;
			return;
		}
	stack.slot = (uint32_t)placed.stack.n; /* so that rows say which stack they are of */
	*vec_push(&stack_of) = stack.slot;
	*vec_push(&placed.stack) = stack;
}

/* variable KIND NAME ELEMENT ... */
static void read_variable(char *text)
{
	char *kind = strtok(text, " \n"), *name = strtok(NULL, " \n");
	if (!kind || !name)
		fail("bad line of slices", text);
	if (!strcmp(kind, "heap"))
		return; /* without a name: nobody holds its address any more */
	struct variable *variable = NULL;
	for (size_t i = 0; i < dynamic_variable.n; i++)
		if (!strcmp(dynamic_variable.at[i].name, name))
			variable = &dynamic_variable.at[i];
	if (!variable) {
		variable = vec_push(&dynamic_variable);
		variable->name = mem_string(name);
	}
	for (char *word = strtok(NULL, " \n"); word; word = strtok(NULL, " \n")) {
		size_t element = strtoul(word, NULL, 10);
		if (element >= stack_of.n)
			fail("bad number of an element", word);
		if (stack_of.at[element] != FLOW_NONE)
			*vec_push(&variable->element) = stack_of.at[element];
	}
}

static void read_slices(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	if (!file)
		fail("cannot open", path);
	while (getline(&line, &room, file) > 0)
		if (!strncmp(line, "element ", 8))
			read_element(line + 8);
		else if (!strncmp(line, "variable ", 9))
			read_variable(line + 9);
	free(line);
	fclose(file);
}

/* -- comparing --------------------------------------------------------------------------------- */

static bool is_compared(const struct blame *blame, const struct blame_variable *variable)
{
	const struct blame_point *point = &blame->point.at[variable->point];
	return variable->kind <= BLAME_STATIC && !*variable->field && point->parent == FLOW_NONE &&
		!strcmp(point->path, "main");
}

/* Whether `name` is one of `names`, which has | between them. */
static bool is_one_of(const char *name, const char *names)
{
	size_t length = strlen(name);
	for (const char *at = names; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
		if (!strncmp(at, name, length) && (at[length] == '\0' || at[length] == '|'))
			return true;
	return false;
}

/* Marks what belongs to the variable: 1 dynamic, 2 static, 3 both. */
static void mark(const struct blame *blame, const char *name, const struct variable *dynamic,
	unsigned char *is_in)
{
	memset(is_in, 0, placed.stack.n);
	for (size_t i = 0; dynamic && i < dynamic->element.n; i++)
		is_in[dynamic->element.at[i]] |= 1;
	for (size_t i = 0; i < blame->row.n; i++) {
		const struct blame_row *row = &blame->row.at[i];
		const struct blame_variable *variable = &blame->variable.at[row->variable];
		if (is_compared(blame, variable) && is_one_of(variable->name, name) &&
		    row->explicit + row->implicit > 0 && row->slot < placed.stack.n)
			is_in[row->slot] |= 2;
	}
}

static void print_variable(const char *name, const unsigned char *is_in)
{
	size_t n[4] = { 0 };
	double weight[4] = { 0 }, all = 0;
	for (size_t i = 0; i < placed.stack.n; i++) {
		n[is_in[i]]++;
		weight[is_in[i]] += (double)placed.stack.at[i].weight;
		all += (double)placed.stack.at[i].weight;
	}
	printf("%s %zu %zu %zu %.6f %.6f\n", name, n[3], n[1] + n[3], n[2] + n[3],
		(weight[1] + weight[3]) / all, (weight[2] + weight[3]) / all);
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	if (argc != 3)
		fail("usage: compare PROGRAM SLICES, not", argc > 1 ? argv[1] : "");
	if (flow_program_add_file(&program, argv[1], &err) <= 0)
		fail("no blame in", argv[1]);
	flow_program_link(&program);
	read_slices(argv[2]);

	struct blame blame = { 0 };
	struct routines *routines = routines_new();
	blame_compute(&blame, &program, routines, &placed, 0);
	for (size_t i = 0; i < blame.warning.n; i++)
		fprintf(stderr, "compare: warning: %s\n", blame.warning.at[i]);

	unsigned char *is_in = mem_alloc(placed.stack.n + 1, 1);
	for (size_t i = 0; i < dynamic_variable.n; i++) {
		mark(&blame, dynamic_variable.at[i].name, &dynamic_variable.at[i], is_in);
		print_variable(dynamic_variable.at[i].name, is_in);
	}
	for (size_t i = 0; i < blame.variable.n; i++) {
		const char *name = blame.variable.at[i].name;
		bool seen = !is_compared(&blame, &blame.variable.at[i]);
		for (size_t k = 0; k < dynamic_variable.n; k++)
			seen = seen || is_one_of(name, dynamic_variable.at[k].name);
		for (size_t k = 0; k < i; k++)
			seen = seen || (is_compared(&blame, &blame.variable.at[k]) &&
				!strcmp(blame.variable.at[k].name, name));
		if (seen)
			continue;
		mark(&blame, name, NULL, is_in);
		print_variable(name, is_in);
	}
	printf("placed %zu of %zu\n", elements - inexact, elements);
	return 0;
}
