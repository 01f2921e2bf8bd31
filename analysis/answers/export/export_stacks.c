/* SPDX-License-Identifier: BSD-3-Clause */
/* export_stacks.c - stacks with weights: folded lines, and the file of speedscope. Owns nothing;
 * one thread. The frames of a stack are the regions on the path of a node. Time that a PU lost in
 * the node has a stack of its own, with the leaf as one more frame: [OSYNC_IBAR]. So the weights of
 * a processing unit add up to T_p, and a flame graph shows waits where they arise. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clamp.h"
#include "base/escape.h"
#include "answers/export/export.h"

/* -- folded: region;region;[LEAF] nanoseconds -------------------------------------------------- */

struct stack { VEC(uint32_t) node; };

/* Finds the nodes from the root to this node. */
static void stack_of(struct stack *stack, const struct call_graph *g, uint32_t node)
{
	size_t depth = g->node.at[node].depth;
	while (stack->node.n <= depth)
		vec_push(&stack->node);
	stack->node.n = depth + 1;
	for (size_t i = depth + 1; i-- > 0; node = g->node.at[node].parent)
		stack->node.at[i] = node;
}

/* A semicolon in a name would end a frame, so it becomes a colon. Line ends are escaped, as in all
 * names. */
int export_folded(const struct export_job *job, struct err *err)
{
	const struct call_graph *g = &job->graph;
	struct stack stack = { 0 };
	(void)err;
	for (size_t p = 0; p < g->part.n; p++) {
		const struct graph_part *part = &g->part.at[p];
		stack_of(&stack, g, part->at.node);
		for (size_t i = 0; i < stack.node.n; i++) {
			char *frame = escape_text(graph_region_of(g, stack.node.at[i])->name,
						  SIS_ESCAPE_NAME);
			if (i)
				putc(';', job->out);
			for (char *c = frame; *c; c++)
				putc(*c == ';' ? ':' : *c, job->out);
			free(frame);
		}
		if (part->at.what != O_NONE)
			fprintf(job->out, ";[%s]", sis_overhead_table[part->at.what].name);
		fprintf(job->out, " %" PRId64 "\n", part->ns);
	}
	vec_free(&stack.node);
	return 0;
}

/* -- speedscope: frames, and for each PU samples with their weights ---------------------------- */

/* Writes the frames: regions first, then the leaves of the overhead tree. */
static void write_frames(const struct call_graph *g, struct json *json)
{
	json_field_open(json, "frames", '[');
	for (size_t i = 0; i < g->region.n; i++) {
		const struct graph_region *r = &g->region.at[i];
		json_open(json, '{');
		json_field_string(json, "name", r->name);
		if (r->line_start) {
			json_field_string(json, "file", r->file);
			json_field_integer(json, "line", r->line_start);
			json_field_integer(json, "col", r->column_start);
		}
		json_close(json, '}');
	}
	for (int o = 1; o < SIS_OVERHEADS; o++) {
		char name[64];
		snprintf(name, sizeof name, "[%s]", sis_overhead_table[o].name);
		json_open(json, '{');
		json_field_string(json, "name", name);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_profile(const struct call_graph *g, uint32_t pu, size_t first, size_t end,
			  struct json *json)
{
	char name[64];
	int64_t total = 0;
	struct stack stack = { 0 };
	for (size_t p = first; p < end; p++)
		total = clamp_add(total, g->part.at[p].ns);
	snprintf(name, sizeof name, "process %" PRId64 ", thread %" PRId64,
		 g->pu.at[pu].process, g->pu.at[pu].thread);
	json_open(json, '{');
	json_field_string(json, "type", "sampled");
	json_field_string(json, "name", name);
	json_field_string(json, "unit", "nanoseconds");
	json_field_integer(json, "startValue", 0);
	json_field_integer(json, "endValue", total);
	json_field_open(json, "samples", '[');
	for (size_t p = first; p < end; p++) {
		const struct graph_key *at = &g->part.at[p].at;
		stack_of(&stack, g, at->node);
		json_open(json, '[');
		for (size_t i = 0; i < stack.node.n; i++)
			json_integer(json, g->node.at[stack.node.at[i]].region);
		if (at->what != O_NONE)
			json_integer(json, (int64_t)g->region.n + at->what - 1);
		json_close(json, ']');
	}
	json_close(json, ']');
	json_field_open(json, "weights", '[');
	for (size_t p = first; p < end; p++)
		json_integer(json, g->part.at[p].ns);
	json_close(json, ']');
	json_close(json, '}');
	vec_free(&stack.node);
}

int export_speedscope(const struct export_job *job, struct err *err)
{
	const struct call_graph *g = &job->graph;
	struct json json;
	size_t first = 0, end = 0;
	(void)err;
	json_init(&json, job->out);
	json_open(&json, '{');
	json_field_string(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_field_string(&json, "name", g->experiment);
	json_field_string(&json, "exporter", "sis-analyze " SIS_VERSION);
	json_field_open(&json, "shared", '{');
	write_frames(g, &json);
	json_close(&json, '}');
	json_field_open(&json, "profiles", '[');
	for (uint32_t pu = 0; pu < g->pu.n; pu++, first = end) {
		while (end < g->part.n && g->part.at[end].at.pu == pu)
			end++;
		write_profile(g, pu, first, end, &json);
	}
	json_close(&json, ']');
	json_close(&json, '}');
	return 0;
}
