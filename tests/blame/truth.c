// SPDX-License-Identifier: BSD-3-Clause
/* truth - how often the analyzer finds the right statement, measured on calls.
 *
 *      truth PROGRAM <calls          a line: return address in hexadecimal, name of the callee
 *
 * The calls are those of the disassembly. The place of a call is right if one of its statements
 * calls the callee. The callee is not told to the analyzer. Calls of functions that nothing in the
 * function calls by name do not count: the compiler made them (memcpy for a struct, puts for
 * printf). Prints counts and shares for truth.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame/place/position.h"
#include "experiment/read/profile_read.h"

struct call { char callee[256]; };

static VEC(struct code_address) address;
static VEC(struct call) call;
static bool verbose;

static void read_calls(void)
{
	char line[1024];
	while (fgets(line, sizeof line, stdin)) {
		unsigned long long at;
		struct call c;
		if (sscanf(line, "%llx %255s", &at, c.callee) != 2)
			continue;
		*vec_push(&address) = (struct code_address){ at, true };
		*vec_push(&call) = c;
	}
}

struct counts { size_t how[PLACED_HOWS], right[PLACED_HOWS], judged[PLACED_HOWS], foreign; };

static bool is_right(const struct positions *p, const struct position *position, const char *callee)
{
	for (size_t i = 0; i < position->statement.n; i++)
		if (positions_calls(p, position->function, position->statement.at[i], callee))
			return true;
	return false;
}

static void show(const char *what, const struct code_site *site, const char *callee)
{
	if (verbose)
		fprintf(stderr, "%s: %s %s:%u:%u %s\n", what, site->function ? site->function : "-",
			site->file ? site->file : "-", site->line, site->column, callee);
}

/* The function's blob, by its name: what the place should be in. */
static void judge(struct counts *counts, const struct positions *p, const struct code_site *site,
		  const char *callee)
{
	struct position position = { 0 };
	positions_find(p, site, NULL, &position);
	counts->how[position.how]++;
	if (position.how == PLACED_NOTHING) {
		show(placed_reason_text(position.reason), site, callee);
		vec_free(&position.statement);
		return;
	}
	if (!positions_calls(p, position.function, NONE, callee)) {
		counts->foreign++;
	} else if (position.statement.n) {
		bool right = is_right(p, &position, callee);
		counts->judged[position.how]++;
		counts->right[position.how] += right;
		if (!right)
			show("wrong", site, callee);
	}
	vec_free(&position.statement);
}

static void print(const struct counts *c)
{
	size_t all = 0, judged = 0, right = 0;
	for (int i = 0; i < PLACED_HOWS; i++)
		all += c->how[i];
	for (int i = 0; i < PLACED_HOWS; i++) {
		if (c->how[i])
			printf("%s %zu %.1f%% right %zu of %zu\n", placed_how_key(i), c->how[i],
			       100.0 * (double)c->how[i] / (double)all, c->right[i],
			       c->judged[i]);
		judged += c->judged[i];
		right += c->right[i];
	}
	printf("calls %zu\ncompiler %zu\njudged %zu\nright %zu %.1f%%\n", all, c->foreign, judged,
	       right, judged ? 100.0 * (double)right / (double)judged : 0.0);
}

int main(int argc, char **argv)
{
	struct flow_program program = { 0 };
	struct positions positions;
	struct code_module module = { .path = argv[1] };
	struct code_places places;
	struct code_questions questions = { 0 };
	struct counts counts = { 0 };
	struct err err = { "" };
	if (argc < 2)
		return fputs("usage: truth PROGRAM [-v] <calls\n", stderr), 2;
	verbose = argc > 2;
	read_calls();
	questions.address = address.at;
	questions.addresses = address.n;
	if (flow_program_add_file(&program, argv[1], &err) < 0 ||
	    code_places_find(&places, &module, &questions, &err))
		return fprintf(stderr, "truth: error: %s\n", err.text), 1;
	flow_program_link(&program);
	positions_init(&positions, &program);
	for (size_t i = 0; i < places.place.n; i++)
		if (places.place.at[i].count)
			judge(&counts, &positions, &places.site.at[places.place.at[i].first],
			      call.at[i].callee);
	print(&counts);
	positions_release(&positions);
	flow_program_release(&program);
	code_places_release(&places);
	vec_free(&address);
	vec_free(&call);
	return 0;
}
