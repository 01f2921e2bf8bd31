/* SPDX-License-Identifier: BSD-3-Clause */
/* region_choice.h - chooses the regions and call paths that a user names, and the nodes of the call
 * graph that belong to them. */
#ifndef SIS_ANALYSIS_REGION_CHOICE_H
#define SIS_ANALYSIS_REGION_CHOICE_H

#include "repository/database/repository.h"

enum region_extent {
	REGION_INCLUSIVE, /* a region with all that it calls */
	REGION_EXCLUSIVE, /* a region alone, with what the runtime adds below it */
};

struct region_choice {
	size_t n;     /* how many regions or call paths the name stands for */
	bool by_path; /* whether call paths were chosen */
};

/* Chooses the regions or call paths of an experiment that `name` stands for. `name` NULL: all
 * regions of the source.
 *
 *     solve, omp for, omp for@12    the name that commands show, with or without its line
 *     MPI_Recv@25, solve.c:25       with the line, or the file and the line
 *     main > solve > MPI_Recv       a call path, or its end; `/` separates as well
 *     program                       the whole run, unless a region has this name
 *
 * Makes these temporary tables, which replace those of an earlier choice:
 *
 *     temp.chosen(id, region, name, title, file, line, path)
 *         title: the name in text; path: of a call path, else null
 *     temp.chosen_node(chosen, node)
 *         the nodes whose time counts for what was chosen. A node below two activations of a
 *         region counts once. Each node belongs to exactly one region if all are chosen with
 *         REGION_EXCLUSIVE */
int region_choice_load(struct region_choice *choice, struct repo *repo, int64_t experiment,
		       const char *name, enum region_extent extent, struct err *err);
/* Does the same as region_choice_load, but an unknown name is no error: nothing is chosen, and
 * choice->n is 0. */
int region_choice_try(struct region_choice *choice, struct repo *repo, int64_t experiment,
		      const char *name, enum region_extent extent, struct err *err);
/* If a name stands for several regions, prints that it does, and how to name one of them. */
void region_choice_print(const struct region_choice *choice, const char *name);

#endif
