/* SPDX-License-Identifier: BSD-3-Clause */
/* experiment_make.h - experiments of handmade profiles, for tests of what follows the reader. */
#ifndef SIS_TESTS_EXPERIMENT_MAKE_H
#define SIS_TESTS_EXPERIMENT_MAKE_H

#include "repository/import/run_directory.h"
#include "experiment/model/experiment.h"
#include "profile_write.h"

#define MS 1000000

/* A rank whose main lasts as long as the run, one second, and what it does: functions main, serial
 * and work (0, 1, 2). */
struct made_rank { struct profile_writer *w; uint64_t root, main; };
struct made_rank make_rank(int rank, int size);
/* The node of its calls of a routine. */
uint64_t make_call(const struct made_rank *rank, const char *routine, int ms);

/* One call from `enter` to `exit`, in milliseconds, and its record: a message without a tag, or a
 * collective operation. */
void make_send(const struct made_rank *rank, int enter, int exit, int to);
void make_receive(const struct made_rank *rank, int enter, int exit, int from);
void make_barrier(const struct made_rank *rank, int enter, int exit, uint64_t serial);

/* A record of an operation from `enter` to `exit`, in milliseconds; the other fields are 0. */
struct sis_record make_record(enum sis_record_kind kind, uint64_t node, int enter, int exit);

/* Adds a finished profile. */
void make_process(struct experiment *x, struct profile_writer *w, enum sis_state state);
/* Adds n finished ranks, builds and classifies. */
void make_ranks_classified(struct experiment *x, const struct made_rank *rank, int n);
/* Builds and classifies; fails the test when that fails, or when the bookkeeping does not add
 * up. Traces are read from x->run.directory, if it is set. */
void make_classified(struct experiment *x);
/* Nanoseconds of (process, slot) booked under a leaf, anywhere; under O_NONE: the useful work. */
int64_t make_booked(const struct experiment *x, uint32_t process, uint32_t slot,
		    enum sis_overhead leaf);
/* Milliseconds of waits in region `place` that (process, slot) caused in region `cause`. */
enum made_cost { DIRECT, PASSED, INDIRECT, WRONG_ORDER, ESTIMATED };
int make_cost(const struct experiment *x, enum made_cost field, const char *place, int process,
	      int slot, const char *cause);
/* Whether some warning holds the text. */
bool make_warned(const struct experiment *x, const char *text);

#endif
