/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_wrappers.h - finds the files of MPI wrappers in an application. The place of an MPI call in
 * such a file does not say what the call is for. So text output shows the path of the call from the
 * first caller outside of the file: phase > my_send > MPI_Send.
 *
 * A file is a file of wrappers if all of this is true:
 *     its functions call MPI, and nothing else outside of the file
 *     the functions do less useful work than their calls of MPI take
 *     it has several such functions, with at most two calls of MPI each on average; or it is called
 *     from several regions of other files
 */
#ifndef SIS_ANALYSIS_MPI_WRAPPERS_H
#define SIS_ANALYSIS_MPI_WRAPPERS_H

#include "answers/query/call_paths.h"

struct wrapper_region {
	int64_t region;
	int64_t file;              /* any number that tells files apart */
	bool is_mpi, is_function, is_program;
	int64_t useful_ns, own_ns; /* exclusive */
};
typedef VEC(struct wrapper_region) wrapper_regions;

/* Sets `outside` of each call path that ends with a call of MPI in a file of wrappers. `regions`:
 * those of the files that call MPI. */
void mpi_wrappers_find(struct call_paths *paths, const wrapper_regions *regions);

/* The regions of an experiment that mpi_wrappers_find needs; the caller frees them. */
int mpi_wrappers_load(wrapper_regions *regions, struct repo *repo, int64_t experiment,
		      struct err *err);

#endif
