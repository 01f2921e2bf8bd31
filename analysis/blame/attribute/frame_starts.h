/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_starts.h - where the work of a frame enters the graph of its function. */
#ifndef SIS_ANALYSIS_BLAME_FRAME_STARTS_H
#define SIS_ANALYSIS_BLAME_FRAME_STARTS_H

#include "blame/attribute/frame_view.h"

struct start { uint32_t node; bool implicit; };
struct starts { struct start *at; size_t n, room; };

/* The starts of the innermost frame. `near` gets the nodes of its statement. `all` gets these and,
 * as implicit starts, the nodes of the functions that the statement calls. */
void starts_of_leaf(const struct frames *frames, const struct view *view, const char *routine,
		    struct frame_result *result, struct starts *near, struct starts *all);
/* The nodes that write the variables of `only`, a list of names separated by blanks. These are
 * nodes of the statement or, if none of them writes the variables, of the whole function. */
void starts_of_writes(const struct frames *frames, struct view *view, const struct frame_key *key,
		      const char *only, struct starts *starts);
/* The nodes of a set of outputs of the callee, at the callee's calls in the statement. */
void starts_of_exits(const struct frames *frames, const struct view *view, uint32_t exits,
		     struct frame_result *result, struct starts *starts);
/* Whether `list`, which has names separated by blanks, contains `name`. */
bool starts_have_name(const char *list, const char *name);

#endif
