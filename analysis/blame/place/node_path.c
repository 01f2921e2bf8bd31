// SPDX-License-Identifier: BSD-3-Clause
/* node_path.c - makes frames from a path of regions. place_run.c calls it for samples without a PC
 * and for samples without a frame of the program. Samples without a PC are usually those of blocked
 * threads.
 *
 *      main > solve > for@31 > MPI_Send@33       solve: the statement with the call of MPI_Send
 *                                                main: the call of solve
 *
 * A function of the path is placed at the statement, in the lines of its innermost region, that
 * calls the next function or routine of the path. If several statements call it, they share the
 * sample. If no statement calls it, only the function is known. The positions of regions and
 * statements are those in the user's source, so they can be compared. Anchors are positions in the
 * text with probes. */
#include "blame/place/node_path.h"

#include <string.h>

#include "base/path.h"

struct level { /* a function of the path */
	const struct region *inner; /* the function's innermost region; NULL: there is no level */
	const char *callee;         /* the function or routine that it calls; NULL: not known */
};

/* The function of the program in which the region is; FLOW_NONE: none. */
static uint32_t function_of(const struct flow_program *program, const struct region *region)
{
	uint32_t i = flow_function_find(program, region->function);
	for (; i != FLOW_NONE; i = flow_function_next(program, i)) {
		uint32_t file = program->function.at[i].file;
		if (file != FLOW_NONE && strcmp(path_base(program->file.at[file]),
						path_base(region->file)) == 0)
			return i;
	}
	return FLOW_NONE;
}

/* Adds the statements of the function that call the level's callee. Returns their number. */
static uint32_t add_calls(struct placed *placed, const struct positions *positions,
			  uint32_t function, const struct level *level)
{
	const struct flow_function *f = &positions->program->function.at[function];
	uint32_t n = 0;
	for (uint32_t i = 0; level->callee && i < f->statement.n; i++) {
		const struct flow_statement *statement =
			&positions->program->statement.at[f->statement.first + i];
		if (statement->line < level->inner->line_start ||
		    statement->line > level->inner->line_end ||
		    !positions_calls(positions, function, i, level->callee))
			continue;
		*vec_push(&placed->statement) = i;
		n++;
	}
	return n;
}

/* Adds the frame of a level. False: the level's function was not built with --sis-blame. */
static bool add_level(struct placed *placed, const struct positions *positions,
		      const struct level *level)
{
	uint32_t function = function_of(positions->program, level->inner);
	if (function == FLOW_NONE)
		return false;
	struct placed_frame frame = { .function = function, .first = placed->statement.n };
	frame.count = add_calls(placed, positions, function, level);
	frame.statement = frame.count ? placed->statement.at[frame.first] : NONE;
	frame.how = frame.count == 0 ? PLACED_FUNCTION :
		frame.count > 1 ? PLACED_AMBIGUOUS : PLACED_STATEMENT;
	if (level->callee && level->callee == level->inner->callee) { /* a routine */
		char **name = vec_push(&placed->name);
		*name = mem_string(level->callee);
		frame.callee = *name;
	}
	*vec_push(&placed->frame) = frame;
	return true;
}

void node_path_add(struct placed *placed, const struct experiment *x,
		   const struct positions *positions, uint32_t node)
{
	struct level level = { NULL, NULL };
	const char *inner = NULL; /* function of the next inner level */
	for (; node != NONE; node = x->model.node.at[node].parent) {
		const struct region *region = region_of_node(x, node);
		if (!region->function || !*region->function)
			continue;
		if (level.inner && strcmp(level.inner->function, region->function) != 0) {
			if (!add_level(placed, positions, &level))
				return;
			inner = level.inner->function;
			level.inner = NULL;
		}
		if (!level.inner)
			level = (struct level){ region, inner ? inner : region->callee };
		if (region->type != CR_F && region->type != CR_P)
			continue;
		if (!add_level(placed, positions, &level))
			return;
		inner = level.inner->function;
		level.inner = NULL;
	}
	if (level.inner)
		add_level(placed, positions, &level);
}
