/* SPDX-License-Identifier: BSD-3-Clause */
/* routine_off.c - which routines of MPI can be turned off: routines that only ask. Such a routine
 * completes nothing, or it says so if it does. Of all other routines the analyzer needs a record of
 * each call, because it pairs the records of different processes. The thread that registers a unit.
 */
#include "core/routine_off.h"

SIS_EXPORT bool sis__routine_off[SIS_MPI_ROUTINES];

static const uint8_t match_of[] = {
#define SIS_MPI(routine, region, leaf, wait, match) SIS_MATCH_##match,
#include "mpi.def"
#undef SIS_MPI
};

bool sis__routine_polls(uint32_t routine)
{
	switch (routine < SIS_MPI_ROUTINES ? match_of[routine] : SIS_MATCH_NONE) {
	case SIS_MATCH_IPROBE:
	case SIS_MATCH_IMPROBE:
	case SIS_MATCH_TEST:
	case SIS_MATCH_TESTALL:
	case SIS_MATCH_TESTANY:
	case SIS_MATCH_TESTSOME:
	case SIS_MATCH_ASK:
	case SIS_MATCH_PARRIVED:
	case SIS_MATCH_WINTEST:
		return true;
	default:
		return false;
	}
}

void sis__routine_turn_off(uint32_t routine)
{
	if (routine < SIS_MPI_ROUTINES &&
	    (match_of[routine] == SIS_MATCH_NONE || sis__routine_polls(routine)))
		__atomic_store_n(&sis__routine_off[routine], true, __ATOMIC_RELAXED);
}
