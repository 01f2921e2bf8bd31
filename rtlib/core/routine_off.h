/* SPDX-License-Identifier: BSD-3-Clause */
/* routine_off.h - routines of MPI whose calls SIS_FILTER turns off. Written when a unit is
 * registered; read by the wrappers.
 */
#ifndef SIS_ROUTINE_OFF_H
#define SIS_ROUTINE_OFF_H

#include "base/runtime.h"

#pragma GCC visibility push(default) /* libsis-mpi.so uses it */

/* A call of the routine that no site announced is off. Relaxed: nothing depends on when a thread
 * sees it. */
extern bool sis__routine_off[SIS_MPI_ROUTINES];

#pragma GCC visibility pop

/* A region that calls the routine is off. So are its calls without a site, if the routine only
 * asks. SIS_MPI_ROUTINES: the region calls none. */
void sis__routine_turn_off(uint32_t routine) SIS_HIDDEN;
bool sis__routine_only_asks(uint32_t routine) SIS_HIDDEN;
bool sis__routine_is_query(uint32_t routine) SIS_HIDDEN; /* its time is OADD_QUERY */

#endif
