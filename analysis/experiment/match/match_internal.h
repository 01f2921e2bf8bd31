/* SPDX-License-Identifier: BSD-3-Clause */
/* match_internal.h - types and functions that the files of experiment/match/ share. */
#ifndef SIS_ANALYSIS_MATCH_INTERNAL_H
#define SIS_ANALYSIS_MATCH_INTERNAL_H

#include "experiment/model/experiment.h"

/* Calls, and windows of match_loss.c, that are shorter than this are not examined one by one, to
 * bound the work. */
#define SHORTEST_NS 20000

/* A process that takes part in a collective operation. */
struct arrival {
	uint32_t comm;       /* communicator, by its number in the run */
	uint16_t kind;       /* enum sis_record_kind */
	uint64_t serial;     /* of the operation in the communicator */
	int64_t post;        /* ns: when the process came */
	int64_t enter, exit; /* ns: of the call in which the operation completes */
	uint32_t process, node, slot; /* node: of that call; NONE if there is none */
	uint32_t rank, size; /* rank in the communicator, and size of the communicator */
	bool is_root;
	bool inter;          /* the operation is between two groups */
	bool beside;         /* a rank of the root's group, not the root: takes no part */
	bool begun;          /* an earlier call began the operation at `post`; else post is enter */
	uint32_t first_poll, polls; /* the polls of the operation, in the list of probes */
	uint32_t first_neighbour, neighbours; /* NEIGH: the rank's part of the list of neighbours */
	uint32_t phase;      /* the process's last phase since its last collective; NONE */
};

struct message_end {
	uint32_t comm;
	int32_t source, target, tag; /* ranks in the communicator */
	/* when the operation began; messages between two ranks match in this order */
	int64_t post;
	/* of the call in which the operation completes: the call that began it, or a later one */
	int64_t enter, exit;
	uint32_t process, slot; /* slot: of the thread that began the operation */
	uint32_t node;       /* of the call from `enter` to `exit`; NONE if no call waited */
	uint32_t traffic;    /* of a send: index in match.traffic of its row; NONE */
	uint32_t pair;       /* index of the other end (match_messages.c); NONE */
	bool is_send;
	enum sis_overhead leaf; /* of waits for the other end; O_NONE: late sender, late receiver */
};

/* A call that waited from `enter` to `until`, when the culprit came. */
struct wait {
	uint32_t process, node, culprit, culprit_slot, comm;
	int64_t enter, until;
	enum sis_overhead leaf;
};

/* A rank from which a process receives in neighbourhood collectives. comm: the communicator's id in
 * the receiving process. */
struct neighbour { uint32_t comm, rank; };

typedef VEC(struct arrival) arrivals;
typedef VEC(struct neighbour) neighbour_list;
typedef VEC(struct message_end) message_ends;

/* The leaf for waits in the call at `node` of the process's profile: `usual`. O_NONE if the node is
 * not known, or if the call's row of mpi.def has no leaf for waits. */
enum sis_overhead match_wait_leaf(const struct experiment *x, const struct process *p,
				  uint32_t node, enum sis_overhead usual);

/* Adds a sync event. Sync events say in which order operations put the times of processes. */
static inline void match_add_sync_event(struct experiment_match *m, uint32_t operation,
					uint32_t process, int64_t time, bool acquires)
{
	*vec_push(&m->sync_event.fill) = (struct sync_event){ time, process, operation, acquires };
}

/* Adds a sync point: from `moment` on, the process had all that it needed for its part in the
 * operation. `other`: the partner in the operation; NONE: all processes of the communicator. What
 * the process spends in the operation after `moment` is no wait. */
static inline void match_add_sync_point(struct experiment_match *m, uint32_t operation,
					uint32_t comm, uint32_t process, uint32_t other,
					int64_t moment)
{
	*vec_push(&m->sync_point.fill) = (struct sync_point){ process, other, comm, operation,
							      moment };
}

static inline void match_add_matched_call(struct experiment_match *m, uint32_t process,
					  uint32_t node, int64_t enter, int64_t exit)
{
	if (m->estimates)
		*vec_push(&m->matched_call.fill) = (struct matched_call){ process, node, enter,
									  exit };
}

/* waits.c: adds a wait of a process at a node of its profile. */
void match_add_wait(struct experiment_match *m, const struct process *process, uint32_t node,
		    enum sis_overhead leaf, int64_t ns);
/* Adds the waits of processes after their end, until the end of the run. Sorts the lists as later
 * stages need them. Called last. */
void match_order(const struct experiment *x, struct experiment_match *m);

/* open_calls.c: adds the waits in calls that were open when their process was killed. */
void match_open_calls(const struct experiment *x, struct experiment_match *m);
/* dropped_records.c: scales waits up, so that they also stand for waits that were not recorded.
 * Called after match_collectives and match_messages. */
void match_estimate(const struct experiment *x, struct experiment_match *m, warning_list *warnings);

/* match_collectives and match_messages add waits to the processes, and return the number of
 * operations that found no partner. If a collective operation was begun by one call and completed
 * by another one, match_collectives adds its waits as ends of messages. The reason is that the
 * second call may complete several operations, and messages, too. `probes` has calls such as
 * MPI_Probe, and polls in vain. These neither receive a message nor complete a request; a later
 * call does. */
size_t match_collectives(const struct experiment *x, struct experiment_match *m, arrivals *list,
			 message_ends *sends, message_ends *receives, message_ends *probes,
			 const neighbour_list *neighbours);
size_t match_messages(const struct experiment *x, struct experiment_match *m, message_ends *sends,
		      message_ends *receives, const message_ends *probes);

/* -- One-sided communication (match_windows.c) ------------------------------------------------- */
struct window_record { /* a record of one-sided communication, and what match.c found about it */
	const struct profile_record *record;
	const struct profile_comm *comm; /* the window */
	uint32_t number, process;        /* number: of the window in the run */
	int64_t enter, exit;
	message_ends *sends, *receives;
};
struct windows { /* the lists are empty at first */
	const struct experiment *x;
	struct experiment_match *match;
	VEC(struct lock_epoch) epoch;  /* epochs of locks, of all processes */
	VEC(struct lock_call) call;    /* the longer calls in epochs of locks */
	/* of the current process: peers in open epochs of posts and starts */
	VEC(struct peer) peer;
	VEC(uint32_t) open;            /* of the current process: open epochs of locks */
};
void windows_take(struct windows *w, const struct window_record *record);
void windows_next_process(struct windows *w);
/* Adds the waits for locks, and releases the lists of `w`. Waits for posts and completes are not
 * added here: windows_take has made them ends of messages. */
void match_windows(struct windows *w);

/* match_loss.c: finds the part of each arrival's wait that is loss of parallelism. The arrivals are
 * sorted by `enter`. All arrivals before arrival[last] wait until it comes. one[i] gets the
 * nanoseconds of the wait of arrival i in which one rank worked in regions that no waiting rank has
 * run since its last collective. some[i] gets the nanoseconds in which several ranks did. */
void match_loss(const struct experiment *x, const struct arrival *arrival, size_t n, size_t last,
		int64_t *one, int64_t *some);

#endif
