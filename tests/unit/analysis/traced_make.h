/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_make.h - processes with a trace, made by hand: a test says what the threads did, and this
 * writes it to a profile and to a trace, as the runtime does.
 *
 *     traced_begin(&x);
 *     struct traced *t = traced_new(0, 1);
 *     uint64_t main = traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
 *     traced_leave(t, 0, 900);
 *     traced_finish(t, &x);                   other processes may follow
 *     make_classified(&x);
 *     traced_end(&x);
 *
 * Times are milliseconds after the begin of the run, which lasts a second. The events of a slot
 * must come in the order of their times; slots must begin in the order of their numbers. */
#ifndef SIS_TESTS_TRACED_MAKE_H
#define SIS_TESTS_TRACED_MAKE_H

#include "experiment_make.h"
#include "unit_path.h"

/* Functions of the program: f and g call each other. */
enum { MAIN, SERIAL, WORK, F, G, TRACED_FUNCTIONS };
#define TRACED_UNKNOWN WRITER_FUNCTION(500) /* a region that no description has */

struct traced;

/* Makes an empty experiment with a directory for traces; the end removes both. */
void traced_begin(struct experiment *x);
void traced_end(struct experiment *x);

struct traced *traced_new(int rank, int size);
struct profile_writer *traced_writer(struct traced *t);
/* From now on, at most so many nodes of a path have one region: recursion is folded. */
void traced_fold(struct traced *t, uint32_t most);

/* The node that is entered: its address in the profile. */
uint64_t traced_enter(struct traced *t, uint32_t slot, int ms, uint32_t region);
/* The same in a team or task that another node created. */
uint64_t traced_enter_of(struct traced *t, uint32_t slot, int ms, uint32_t region,
			 uint64_t origin);
void traced_leave(struct traced *t, uint32_t slot, int ms);
/* Enters and leaves a region. */
uint64_t traced_visit(struct traced *t, uint32_t slot, int enter, int leave, uint32_t region);
/* A call of MPI with its record, as in experiment_make.h. */
uint64_t traced_call(struct traced *t, uint32_t slot, enum sis_record_kind kind,
		     const char *routine, int enter, int leave, int peer, uint64_t serial);
/* The slot waited at `node`, for `ms` altogether, for another slot that was in `culprit`. */
void traced_culprit(struct traced *t, uint32_t slot, uint64_t node, uint32_t other,
		    uint64_t culprit, int ms);

/* The next event of the slot begins a block of the trace. */
void traced_cut(struct traced *t, uint32_t slot);
/* The trace drops the slot's events, until the opposite is said. */
void traced_drop(struct traced *t, uint32_t slot, bool drops);
/* The trace is switched on late: the slot has no events before the next cut. */
void traced_late(struct traced *t, uint32_t slot);
/* The trace pauses, until the next cut. */
void traced_stop(struct traced *t, uint32_t slot, int ms);

/* Saves the trace and adds the profile. `t` is gone. */
void traced_finish(struct traced *t, struct experiment *x);
/* The file of the rank's trace. */
void traced_path(const struct experiment *x, int rank, char path[UNIT_PATH]);

#endif
