/* SPDX-License-Identifier: BSD-3-Clause */
/* routine_off.h - routines of MPI whose calls SIS_FILTER turns off. The thread that registers a
 * unit writes sis__routine_off, and the wrappers read it.
 */
#ifndef SIS_ROUTINE_OFF_H
#define SIS_ROUTINE_OFF_H

#include "base/runtime.h"

#pragma GCC visibility push(default) /* libsis-mpi.so uses it */

/* For each routine: whether its calls are off if no site announced them. Accesses are relaxed,
 * because it does not matter when a thread sees a change. */
extern bool sis__routine_off[SIS_MPI_ROUTINES];

#pragma GCC visibility pop

/* Called when SIS_FILTER turns off a region that calls the routine. If the routine only asks, its
 * calls without a site are turned off, too. SIS_MPI_ROUTINES: the region calls no routine. */
void sis__routine_turn_off(uint32_t routine) SIS_HIDDEN;
bool sis__routine_only_asks(uint32_t routine) SIS_HIDDEN;
/* Whether calls of the routine are always short: polls, and routines whose time is OADD_QUERY. If
 * such a call is long, it was interrupted. */
bool sis__routine_is_brief(uint32_t routine) SIS_HIDDEN;

#endif
