/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_starts.h - where the work of a frame enters the graph of its function. */
#ifndef SIS_ANALYSIS_BLAME_FRAME_STARTS_H
#define SIS_ANALYSIS_BLAME_FRAME_STARTS_H

#include "blame/frame_view.h"

struct start { uint32_t node; bool implicit; };
struct starts { struct start *at; size_t n, room; };

/* Of the innermost frame. near: where it stands; all: also what it decides about. */
void starts_of_leaf(const struct frames *frames, const struct view *view, const char *routine,
		    struct frame_result *result, struct starts *near, struct starts *all);
/* Where these variables are written: in the statement, else in all of the function. `only` is a
 * list of names, separated by blanks. */
void starts_of_writes(const struct frames *frames, struct view *view, const struct frame_key *key,
		      const char *only, struct starts *starts);
/* A set of outputs of the callee, at its calls in the statement. */
void starts_of_exits(const struct frames *frames, const struct view *view, uint32_t exits,
		     struct frame_result *result, struct starts *starts);
/* Whether a list of names, separated by blanks, has this one. */
bool starts_have_name(const char *list, const char *name);

#endif
