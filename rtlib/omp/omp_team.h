/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_team.h - a parallel region and the members of its team, as omp/ and ompt/ see them.
 *
 *     struct sis_parallel    until the join. libgomp: in the stack frame of the call that forks;
 *                            libomp: a block of ompt_pool.c
 *       member[0..size-1]  struct sis_team, one for each thread number, on cache lines of its own
 *
 * A thread's state points to its membership in the innermost team (sis_thread.team). The thread
 * writes its membership while it is in the team, and the forking thread after the join. In between
 * other members read only `published`, which the barrier itself orders, and `done`, a seqlock.
 */
#ifndef SIS_OMP_TEAM_H
#define SIS_OMP_TEAM_H

#include "base/state.h"
#include "wait_causes/interval.h"
#include "omp/omp_real.h"

/* Two processors' clocks may be a few ticks apart. */
static inline uint64_t sis__ticks_between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

struct sis_published {  /* by a member that arrives at a barrier, for those that wait there */
	uint64_t generation;/* number of the barrier; not the reader's: the rest is not known */
	uint64_t at, single;  /* as in struct sis_arrival */
};

struct sis_barrier {     /* a wait at a barrier; empty if it is not measured */
	struct sis_span span;
	struct sis_team *me;
	uint64_t arrival;   /* ticks */
};

struct sis_masked {     /* a node of a masked construct that this member has executed */
	struct sis_node *node;
	uint64_t total;     /* its total at the last barrier */
};
#define SIS_MASKED 4

struct sis_because {     /* a part of a wait at a barrier, which ended when a task was found */
	uint32_t slot;           /* the member that the task came from ... */
	struct sis_where where;  /* ... and where it was meanwhile */
	uint64_t ticks;
};
#define SIS_BECAUSE 4

struct sis_done {        /* the last task that a member executed; members that waited read it */
	uint64_t version;   /* odd: it is being written */
	uint64_t start, end;/* ticks */
	const struct sis_team *creator;
	struct sis_where where; /* where most of it was */
};

struct sis_team {
	struct sis_parallel *fork;
	struct sis_thread *thread; /* the slot; NULL: none was free, the member is not measured */
	struct sis_node *par;      /* node of the region in this thread's tree */
	uint64_t par_folds;        /* of its activation (struct sis_activation) */
	/* node of the implicit barrier that ends the team, open until the join */
	struct sis_node *wait;
	uint64_t start;            /* ticks: of `par` */
	uint64_t arrival;          /* ticks: end of its part of the region; 0: not yet */
	uint64_t busy;             /* ticks: `arrival`, or the end of the last task after it */
	/* since its last barrier: */
	uint64_t phase_start;      /* ticks */
	uint64_t single;           /* ticks in constructs that only it executed and that ended */
	uint64_t single_start;       /* ticks: when the open one began; 0: none is open */
	struct sis_node *single_node; /* its node in the source; NULL: it lasts to the barrier */
	uint64_t single_total;     /* that node's total at single_start, without this activation */
	bool single_suspended;     /* it has created tasks there, which others may execute */
	struct sis_masked masked[SIS_MASKED];
	/* the open masked construct in which it has created tasks, which others may execute; NULL:
	 * there is none, or it has waited for them */
	struct sis_node *shared_node;
	uint64_t shared_total;     /* that node's total then, with this activation */
	uint64_t shared;           /* ticks in masked constructs from there to the waits */
	/* explicit tasks: */
	/* node that created the outermost task that it is in; NULL: it is in none */
	struct sis_node *task_origin;
	unsigned task_depth;       /* number of tasks that it is in */
	/* it has created tasks since its last barrier, which may be executed in the next one */
	bool made_tasks;
	bool has_tasks; /* the task that it is in has created some since its last taskwait */
	/* loops of the doacross loop that it is in, or was last in; 0: none */
	unsigned nest;
	uint64_t task_ticks;       /* in tasks executed during the wait that is open */
	/* of that wait, the parts before these tasks; so many */
	struct sis_because because[SIS_BECAUSE];
	unsigned becauses;
	uint64_t born;             /* ticks: when it created its last task; 0: never */
	uint64_t ordered;          /* ticks: when it last entered an ordered construct; 0: never */
	struct sis_done done;
	uint64_t generation;       /* number of barriers that it has passed */
	/* ticks: when it was last looked at (interval.h) */
	uint64_t looked;
	/* what the kernel had counted for it without a processor when its interval began */
	uint64_t lack_before;
	uint64_t late;             /* ticks in which it had none at the end of its last wait ... */
	struct sis_node *late_in;  /* ... in that node */
	/* the barrier it is at, if callbacks report its begin and end (ompt_wait.c) */
	struct sis_barrier at_barrier;
	struct sis_published published[2] __attribute__((aligned(64)));
	/* not cleared when a team begins: */
	struct sis_interval interval[2]; /* up to the barriers of `published` */
} __attribute__((aligned(128)));

enum sis_members_state { SIS_MEMBERS_NONE, SIS_MEMBERS_MAKING, SIS_MEMBERS_MADE };

struct sis_parallel {
	/* of a region with task reductions: the first word of its data, where libgomp finds them */
	void *first;
	void (*fn)(void *);
	void *data;
	struct sis_thread *master; /* NULL: the region is not measured */
	struct sis_team *outer;    /* the forking thread's team before */
	struct sis_node *par;      /* node of the region in the forking thread's tree ... */
	struct sis_node *made;     /* ... and the same if the runtime made it, else NULL */
	uint64_t par_folds;        /* of its activation */
	uint64_t start;            /* ticks */
	uint64_t stack_origin;     /* where it was forked: sis_thread.stack_origin */
	struct sis_parallel *around; /* which the same thread forked before (ompt_team.c) */
	uint32_t called_for;       /* sis__ompt_call() of that thread then */
	bool hidden;               /* of libomp's own threads, which execute no program code */
	/* the initial region of a team in a league: only its first thread is there yet */
	bool alone;
	/* callbacks report masked constructs, so they need not be searched in the tree */
	bool reports_masked;
	enum sis_members_state members_state;  /* atomic; orders the two fields below */
	struct sis_team *member;   /* NULL: not set up, or no memory (size 0) */
	unsigned size;
};

#pragma GCC visibility push(hidden)

/* False: nothing is measured in this process. fork->master NULL: neither the region nor its threads
 * are measured. */
bool sis__parallel_begin(struct sis_parallel *fork);
void sis__parallel_end(struct sis_parallel *fork);
/* Membership of the calling thread in a measured region. NULL, or one without a thread: the caller
 * mutes itself. */
struct sis_team *sis__member(struct sis_parallel *fork, unsigned number, unsigned size);
/* The same in a team of one, for the thread that forks. */
struct sis_team *sis__member_alone(struct sis_parallel *fork);
/* The calling thread takes the slot of its membership, and gives it back. `before` is the slot that
 * it had. */
struct sis_thread *sis__member_begin(struct sis_team *me);
void sis__member_end(struct sis_team *me, struct sis_thread *before);

/* This thread's membership in the innermost team, also while it is muted; NULL outside. */
static inline struct sis_team *sis__team(void)
{
	return sis__local.own ? sis__local.own->team : NULL;
}

/* Whether no other thread is in the innermost team, so that this one does not wait there. */
static inline bool sis__is_alone(const struct sis_thread *thread)
{
	const struct sis_team *me = thread->team;
	return me ? me->fork->size == 1 : SIS_OMP_REALLY(omp_get_num_threads)() == 1;
}
/* This thread's membership if other members may depend on what it does; else NULL. */
static inline struct sis_team *sis__team_of_several(void)
{
	struct sis_team *me = sis__team();
	return me && me->fork->size > 1 ? me : NULL;
}

/* A barrier inside the team (omp_barrier.c). */
struct sis_barrier sis__barrier_begin(uint32_t id);
/* `passed`: all members arrived. They leave a cancelled barrier at any time. */
void sis__barrier_end(const struct sis_barrier *barrier, bool passed);

/* Explicit tasks (omp_task.c). */
struct sis_birth {              /* what its creator leaves for the thread that executes it */
	struct sis_parallel *fork; /* the team that it belongs to; NULL: none */
	struct sis_team *creator;  /* the member that created it; only compared */
	/* the node that created it, or that created the outermost of its ancestors */
	struct sis_node *origin;
	const struct sis_task_origin *stack; /* where it was created (samples.h); NULL: not known */
	uint32_t body;             /* region of its body; RT_TASK: the source has none */
	bool muted;                /* its creator was muted; so is the task, in any thread */
	uint64_t at;               /* ticks, not later than its creation; 0: not known ... */
	/* ... where its creator was most of the time since it had created another one */
	struct sis_node *before;
};
struct sis_execution {          /* of a task, by one thread */
	struct sis_thread *thread, *before;
	struct sis_team *me;
	struct sis_node *node, *outer_origin;
	uint64_t start;            /* ticks */
	uint64_t folds;            /* of its activation in `node` */
	/* of the task around it, as struct sis_thread has them */
	const struct sis_task_origin *outer_stack;
	uint64_t outer_end;
	struct sis_thread *stack_of; /* whose stack ends at this task; NULL: none */
	bool lent;                 /* the thread has the slot for this task only */
	bool untimed;              /* it is short, and only counted */
	bool outer_has_tasks;      /* struct sis_team */
};
void sis__task_born(struct sis_birth *birth, uint32_t body);
/* Notes where the calling thread creates it, if others may execute it. from: a return address in
 * the calls that do so; what is inside of that call is left out. */
void sis__task_note_stack(struct sis_birth *birth, const void *from);
/* `number`: of the executing thread in the task's team; it may have released its slot. frame: an
 * address in the frame that calls the task's function; NULL: not known. */
void sis__task_begin(struct sis_execution *task, const struct sis_birth *birth, unsigned number,
		     const void *frame);
void sis__task_end(struct sis_execution *task, const struct sis_birth *birth);
/* Writes what a task costs (omp_create.c). */
void sis__task_cost_note(void);
/* A team is about to be forked by libgomp: its threads may nest tasks deeply (omp_stack.c). */
void sis__stacks_widen(void);
/* A task that may be executed by others is about to be created; a wait for tasks is over. */
void sis__task_shared(void);
/* A wait for tasks begins. */
void sis__tasks_wait(void);
/* A wait in `node` that began at `since` has ended: finds its cause. `own`: the wait was only for
 * tasks that this thread had created (omp_taskwait.c). Thread NULL: not measured. */
void sis__tasks_waited(struct sis_thread *thread, struct sis_node *node, uint64_t since, bool own);
/* The member, which waits at a barrier, begins the task: notes what it has waited for until now. */
void sis__task_found(struct sis_team *me, const struct sis_birth *birth, uint64_t now);
/* Charges ticks of a wait in `node` to the task that `last` executed last, as far as that lasted
 * since `from`. Returns what is left. */
uint64_t sis__task_charge(struct sis_thread *thread, struct sis_node *node, uint64_t ticks,
			  const struct sis_team *last, uint64_t from);
/* When the member's last task ended, if it was between the ticks; else `from`. */
uint64_t sis__task_ended(const struct sis_team *member, uint64_t from, uint64_t to);
/* Notes that the member has executed a task, and where most of it was. */
void sis__task_done(const struct sis_execution *task, const struct sis_birth *birth, uint64_t end,
		    struct sis_where where);

/* The thread has entered an ordered construct, after a wait in `wait` (critical_ordered.c). */
void sis__ordered_taken(struct sis_thread *thread, struct sis_node *wait, uint64_t now);

/* Doacross loops (omp_doacross.c). */
void sis__nest_seen(unsigned loops);              /* the thread begins a nest of so many loops */
/* the object that stands for an iteration; NULL: no other thread may execute it */
const void *sis__iteration(const int64_t *at);
struct sis_doacross_wait { struct sis_span span; const void *iteration; };
/* Around a wait for the iteration. */
struct sis_doacross_wait sis__doacross_wait_begin(struct sis_span span, const void *iteration);
void sis__doacross_wait_end(const struct sis_doacross_wait *sink);
/* The thread is about to post the iteration. */
static inline void sis__doacross_post(const void *iteration)
{
	if (iteration)
		sis__rendezvous_arrive(iteration);
}

/* Storage for the members of a team (team_alloc.c). NULL: no memory. */
struct sis_team *sis__team_alloc(unsigned size);
void sis__team_free(struct sis_team *member);
/* The same for a team of one that the thread forks. */
struct sis_team *sis__team_alloc_one(struct sis_thread *thread);
void sis__team_free_one(struct sis_thread *thread, struct sis_team *member);

/* -- Constructs that only this member executes (single_time.c) -------------------------------- */
/* A phase begins: the start of the team, or the end of a barrier. */
void sis__single_reset(struct sis_team *me, uint64_t now);
/* Notes the masked constructs that are open already. */
void sis__single_find_open(struct sis_team *me);
void sis__single_begin(struct sis_team *me, uint64_t now);
void sis__single_end(struct sis_team *me, uint64_t now);
/* The same where the OpenMP runtime reports the end. */
void sis__single_end_reported(struct sis_team *me, uint64_t now);
/* The member creates a task there, which others may execute ... */
void sis__single_suspend(struct sis_team *me);
/* ... and has waited for its tasks. */
void sis__single_resume(struct sis_team *me);
/* The ticks of this phase so far, masked constructs included. */
uint64_t sis__single_total(struct sis_team *me, uint64_t now);

/* A wait of a member at a barrier. Ticks. */
struct sis_member_wait {
	struct sis_thread *thread;
	struct sis_node *node;
	uint64_t arrival, now;        /* begin and end */
	uint64_t unpar, part;         /* of it, what RT_UNPAR and RT_PART get */
	const struct sis_team *came;  /* the member that came last; NULL: not known ... */
	uint64_t came_at;             /* ... and when */
	const struct sis_team *last;  /* the same, or the one whose task ended last after that */
	uint64_t late;                /* at the end, ready to go on without a processor */
};
/* -- Intervals of members (member_interval.c) -------------------------------------------------- */
/* The calling member begins or ends a wait or a task: records how long it had no processor
 * (process/no_processor.h). So the lack in long waits is apart from the lack in work. */
void sis__member_look(const struct sis_team *me, uint64_t now);
/* The same where it comes to a barrier: notes what it has done since the last one. */
void sis__member_arrives(struct sis_team *me, uint64_t now);
/* The member goes on after a wait, at which all have been since `all_there`: finds wait->late. */
void sis__member_goes_on(struct sis_team *me, struct sis_member_wait *wait, uint64_t all_there);
/* The same at the end of a wait in the node since `from`. */
void sis__member_waited(const struct sis_team *me, struct sis_node *node, uint64_t from,
			uint64_t now);

/* Its nodes, and the ticks of each, without those in tasks. */
struct sis_wait_parts {
	struct sis_node *node, *unpar_node, *part_node; /* NULL: no such part */
	uint64_t rest, unpar, part;
};
/* Notes its causes (barrier_causes.c). */
void sis__wait_note(const struct sis_team *me, const struct sis_member_wait *wait,
		    const struct sis_wait_parts *parts);
/* Ends the wait. `node` gets the rest of it. The member that came last is the culprit. */
void sis__wait_end(struct sis_team *me, const struct sis_member_wait *wait);
#define SIS_TEAM_SPLIT 256u /* LIMIT: waits in larger teams count as imbalance only */

#pragma GCC visibility pop
#endif
