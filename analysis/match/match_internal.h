/* SPDX-License-Identifier: BSD-3-Clause */
/* match_internal.h - what match.c, which classifies records, shares with the files that match
 * them. */
#ifndef SIS_ANALYSIS_MATCH_INTERNAL_H
#define SIS_ANALYSIS_MATCH_INTERNAL_H

#include "model/experiment.h"

/* Windows and calls shorter than this are not looked at one by one: it bounds the work to what a
 * run has time for. */
#define SHORTEST_NS 20000

/* One process in one collective operation. */
struct arrival {
	uint32_t comm;       /* communicator, a number of the whole run */
	uint16_t kind;       /* enum sis_record_kind */
	uint64_t serial;     /* of the operation in the communicator */
	int64_t post;        /* ns: when the process had come */
	int64_t enter, exit; /* ns: of the call that lasts until it is complete */
	uint32_t process, node, slot; /* node: of that call, NONE: nobody waited */
	uint32_t rank, size; /* in the communicator, and of it */
	bool is_root;
	bool inter;          /* between two groups */
	bool beside;         /* in the root's group, but not the root: takes no part */
	bool begun;          /* by another call, at `post`; else that is `enter` */
	uint32_t first_poll, polls; /* its polls: elements of the list of probes */
	uint32_t first_neighbour, neighbours; /* NEIGH: elements of the list of neighbours */
	uint32_t phase;      /* of the process: the last of those since the last collective; NONE */
};

/* One end of a message. */
struct message_end {
	uint32_t comm;
	int32_t source, target, tag; /* ranks in the communicator */
	/* when the operation began: messages between two ranks keep this order */
	int64_t post;
	/* of the call in which the operation completes: the call that began it, or a later one */
	int64_t enter, exit;
	uint32_t process, slot; /* slot: of the thread that began it */
	uint32_t node;       /* of that call; NONE: nobody waited for it */
	uint32_t traffic;    /* of a send: where it was counted; NONE */
	uint32_t pair;       /* its other end (match_messages.c); NONE */
	bool is_send;
	enum sis_overhead leaf; /* of waits for the other end; O_NONE: late sender, late receiver */
};

/* A call that waited from `enter` to `until`, when the culprit came. */
struct wait {
	uint32_t process, node, culprit, culprit_slot, comm;
	int64_t enter, until;
	enum sis_overhead leaf;
};

/* A rank of the communicator with this id in the process sends to the process. */
struct neighbour { uint32_t comm, rank; };

typedef VEC(struct arrival) arrivals;
typedef VEC(struct neighbour) neighbour_list;
typedef VEC(struct message_end) message_ends;

/* The leaf for waits in the call at `node` of the process's profile: `usual`; O_NONE if the call's
 * row of mpi.def has no leaf for waits, or if the node is not known. */
enum sis_overhead match_wait_leaf(const struct experiment *x, const struct process *p,
				  uint32_t node, enum sis_overhead usual);

/* What orders the processes' times, for ideal_network.c and critical_path.c. */
static inline void match_add_sync_event(struct experiment_match *m, uint32_t operation,
					uint32_t process, int64_t time, bool acquires)
{
	*vec_push(&m->sync_event.fill) = (struct sync_event){ time, process, operation, acquires };
}

/* At `moment`, all that the process needed in an operation was there; it did the operation with
 * `other`, or with all of the communicator (NONE). What it does in the operation from then on is
 * its own time. */
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
/* Adds the waits of processes that have ended, and brings the lists into the order that later
 * stages rely on. After all others. */
void match_order(const struct experiment *x, struct experiment_match *m);

/* open_calls.c: adds the waits in calls that were open when their process was killed. */
void match_open_calls(const struct experiment *x, struct experiment_match *m);
/* dropped_records.c: lets waits stand for those that were not recorded. After the two below. */
void match_estimate(const struct experiment *x, struct experiment_match *m, warning_list *warnings);

/* Both functions add waits to the processes, and return how many operations found no partner. If a
 * collective operation was begun by one call and completed by another one, match_collectives adds
 * its waits as ends of messages, because the second call may complete several operations, and
 * messages, too. `probes` has probes, and polls in vain of any request: another call receives the
 * message or completes the request. */
size_t match_collectives(const struct experiment *x, struct experiment_match *m, arrivals *list,
			 message_ends *sends, message_ends *receives, message_ends *probes,
			 const neighbour_list *neighbours);
size_t match_messages(const struct experiment *x, struct experiment_match *m, message_ends *sends,
		      message_ends *receives, const message_ends *probes);

/* -- One-sided communication (match_windows.c) ------------------------------------------------- */
struct window_record { /* one that is to be taken in, and what is known of it */
	const struct profile_record *record;
	const struct profile_comm *comm; /* the window */
	uint32_t number, process;        /* number: of the window in the run */
	int64_t enter, exit;
	message_ends *sends, *receives;
};
struct windows { /* the lists are empty at first */
	const struct experiment *x;
	struct experiment_match *match;
	VEC(struct lock_epoch) epoch;  /* of all processes */
	VEC(struct lock_call) call;    /* the longer ones */
	/* of the process at hand: open epochs of posts and starts, ... */
	VEC(struct peer) peer;
	VEC(uint32_t) open;            /* ... and of locks */
};
void windows_take(struct windows *w, const struct window_record *record);
void windows_next_process(struct windows *w);
/* Adds the waits for locks, and releases the lists of `w`. Waits for posts and completes are not
 * added here: windows_take has made them ends of messages. */
void match_windows(struct windows *w);

/* match_loss.c: finds the part of each arrival's wait that is loss of parallelism. The arrivals are
 * sorted by `enter`. Those before `last` wait until arrival[last] comes. one[i] and some[i] get the
 * nanoseconds of the wait of arrival i in which one rank, or several, worked in regions that no
 * waiting rank ran since its last collective. */
void match_loss(const struct experiment *x, const struct arrival *arrival, size_t n, size_t last,
		int64_t *one, int64_t *some);

#endif
