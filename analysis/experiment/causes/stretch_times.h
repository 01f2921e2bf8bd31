/* SPDX-License-Identifier: BSD-3-Clause */
/* stretch_times.h - the times of a thread in a stretch of the run, by node of the experiment,
 * without its waits. A stretch goes from a meeting of victim and culprit to the next one, or to the
 * end of the wait (delay.c). */
#ifndef SIS_ANALYSIS_STRETCH_TIMES_H
#define SIS_ANALYSIS_STRETCH_TIMES_H

#include "experiment/causes/interval.h"
#include "experiment/causes/lacks.h"
#include "experiment/causes/single_waits.h"

struct thread_stretch {
	uint32_t process, slot;
	int64_t from, to;
	int64_t waits_from;      /* waits before this time do not count in entry_waiting */
};

/* An entry is a node of the experiment, or one of the two special entries that the functions at the
 * end of this file give. */
struct stretch_times {
	const struct intervals *intervals;
	const struct single_waits *waits;
	const struct lacks *lacks;
	int64_t *ns;             /* the times, by entry */
	bool *estimated, *listed;
	bool divided;            /* the division between polls and the nodes around is estimated */
	VEC(uint32_t) used;      /* entries that are listed */
	uint32_t entries;
	int64_t lack_ns, all_ns; /* lack of a processor; sum of the times of all entries */
	struct thread_stretch held; /* the stretch whose times these are */
};

void stretch_times_init(struct stretch_times *t, const struct intervals *intervals,
		       const struct single_waits *waits, const struct lacks *lacks);
void stretch_times_release(struct stretch_times *t);
/* Fills `t` with the times of the stretch, unless it holds them already. */
void stretch_times_collect(struct stretch_times *t, const struct thread_stretch *stretch);

/* The part of the time in a node in which the thread was ready to run and had no processor. Only
 * the sum over the stretch is known. It is divided among the entries in proportion to their times,
 * but a node gets at most the time that is booked there as OLOSS_NOCPU. */
int64_t stretch_times_lack(const struct stretch_times *t, uint32_t node);

/* The entry for time outside of MPI whose node is not known. */
static inline uint32_t entry_unlocated(const struct stretch_times *t) { return t->entries - 2; }
/* The entry for all waits of the thread together. */
static inline uint32_t entry_waiting(const struct stretch_times *t) { return t->entries - 1; }

#endif
