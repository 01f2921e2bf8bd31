/* SPDX-License-Identifier: BSD-3-Clause */
/* measured_paths.h - the paths of functions at which the measured nodes of a process were entered,
 * by the samples in them. */
#ifndef SIS_ANALYSIS_MEASURED_PATHS_H
#define SIS_ANALYSIS_MEASURED_PATHS_H

#include "experiment/sampled/function_places.h"
#include "experiment/sampled/stack_functions.h"

enum measured_kind {
	MEASURED_CALL,    /* a routine, or a wait: what it calls is not shown */
	MEASURED_CODE,    /* has code of the program in it */
	MEASURED_BY_HAND, /* likewise; its probes are in the program's code */
	MEASURED_SOURCE,  /* a region that sisc made */
};

/* Functions, outermost first, from the measured node around to this one. */
struct entry_path { bool known; VEC(uint32_t) function; };

struct measured {
	enum measured_kind kind;
	bool is_loose;           /* some samples had no border for the node */
	uint32_t group;          /* the nodes of all processes with the same regions above */
	struct entry_path path;
	uint32_t call;           /* index of profile.call; NONE: its place is not known */
	bool is_unseen;          /* of a call: no samples, of any process, show its path */
};

/* The paths of groups: what the paths of their nodes have in common. The outermost function of
 * initial threads is `first`, if all samples share it; else NONE. */
struct group_paths {
	struct strmap by_name;   /* group around and region -> index of `path` */
	VEC(struct entry_path) path;
	bool has_first;
	uint32_t first;
};

struct measured_paths {
	struct profile *profile;
	const struct stacks *stacks;
	struct stack_functions *functions;
	struct group_paths *groups;
	struct function_places *places;
	uint32_t number;         /* of the process */
	struct measured *measured; /* by node of the profile */
	size_t count;            /* of nodes */
	/* of the sample that was read last. chain: nodes around it, without the root, outermost
	 * first. border: by node of `chain`, the number of functions outside of the node; NONE: the
	 * node has no border. outside: so many nodes of `chain` are outside of the whole stack */
	VEC(uint32_t) chain, border;
	struct call_path path;
	size_t outside;
};

/* Finds the paths of a process's nodes, and adds them to those of the groups. The caller sets the
 * first members, and releases the paths also after a failure. */
int measured_paths_find(struct measured_paths *m, struct err *err);
/* Adds the functions that have the place of a call to the paths of its nodes, unless samples showed
 * these functions. To be called when the paths of all processes have been found. */
void measured_paths_end_at_calls(struct measured_paths *m);
void measured_paths_release(struct measured_paths *m);
void group_paths_release(struct group_paths *groups);

/* Reads a sample that was taken in a node. Returns false if the sample shows no functions, or if a
 * region that sisc made is around it. */
bool measured_paths_read(struct measured_paths *m, const struct stacks_stack *stack, uint32_t node);
/* The first function of this sample that is inside of its node. */
size_t measured_paths_inside(const struct measured_paths *m);
/* The path of a node: its own, else that of its group, else the outermost function. */
struct entry_path measured_paths_of(const struct measured_paths *m, uint32_t node);

#endif
