/* SPDX-License-Identifier: BSD-3-Clause */
/* routine_off.c - which routines of MPI can be turned off: routines that only ask. Such a routine
 * completes no request, or its result says that it completed one. For all other routines the
 * analyzer needs a record of each call, because it pairs the records of different processes. Called
 * by the thread that registers a unit.
 */
#include "measure/core/routine_off.h"

SIS_EXPORT bool sis__routine_off[SIS_MPI_ROUTINES];

static const uint8_t match_of[] = {
#define SIS_MPI(routine, region, leaf, wait, match) SIS_MATCH_##match,
#include "mpi.def"
#undef SIS_MPI
};

static const bool is_query[] = {
#define SIS_MPI(routine, region, leaf, wait, match) leaf == OADD_QUERY,
#include "mpi.def"
#undef SIS_MPI
};

bool sis__routine_only_asks(uint32_t routine)
{
	return routine < SIS_MPI_ROUTINES && sis_mpi_only_asks(match_of[routine]);
}

bool sis__routine_is_brief(uint32_t routine)
{
	bool polls = sis__routine_only_asks(routine) && match_of[routine] != SIS_MATCH_NONE;
	return polls || (routine < SIS_MPI_ROUTINES && is_query[routine]);
}

void sis__routine_turn_off(uint32_t routine)
{
	if (sis__routine_only_asks(routine))
		__atomic_store_n(&sis__routine_off[routine], true, __ATOMIC_RELAXED);
}
