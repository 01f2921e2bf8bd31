/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_team.h - a parallel region and the members of its team, as adapters/omp/ and adapters/ompt/
 * see them.
 *
 *     struct sis_parallel    until the join. libgomp: in the stack frame of the call that forks;
 *                            libomp: a block of ompt_pool.c
 *       member[0..size-1]  struct sis_team, one for each thread number, on cache lines of its own
 *
 * A thread's state points to its membership in the innermost team (sis_thread.team). The thread
 * writes its membership while it is in the team; the forking thread writes it after the join.
 * Before the join, other members read only `published`, which the barrier orders, and `done`, which
 * has a seqlock.
 */
#ifndef SIS_OMP_TEAM_H
#define SIS_OMP_TEAM_H

#include "base/state.h"
#include "measure/wait_causes/interval.h"
#include "adapters/omp/omp_real.h"

/* Two processors' clocks may be a few ticks apart. */
static inline uint64_t sis__ticks_between(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

struct sis_published {  /* a member publishes this when it arrives at a barrier */
	uint64_t generation;/* the barrier's number; ignored by readers that expect another one */
	uint64_t at, single;  /* as in struct sis_arrival */
};

struct sis_barrier {     /* a wait at a barrier; empty if the thread is not measured */
	struct sis_span span;
	struct sis_team *me;
	uint64_t arrival;   /* ticks */
};

struct sis_masked {     /* a node of a masked construct that this member has executed */
	struct sis_node *node;
	uint64_t total;     /* the node's total at the last barrier */
};
#define SIS_MASKED 4

struct sis_because {     /* a part of a wait at a barrier, which ended with the begin of a task */
	uint32_t slot;           /* the member that the task came from */
	struct sis_where where;  /* where this member was in this part */
	uint64_t ticks;
};
#define SIS_BECAUSE 4

struct sis_done {        /* last task that a member executed; members that waited read it */
	uint64_t version;   /* of the seqlock; odd: a writer is at work */
	uint64_t start, end;/* ticks */
	const struct sis_team *creator;
	struct sis_where where; /* where the task spent most of its time */
};

struct sis_team { /* a member of a team; `it` in these comments is the member */
	struct sis_parallel *fork;
	struct sis_thread *thread; /* its slot; NULL: no slot was free, it is not measured */
	struct sis_node *par;      /* node of the region in this thread's tree */
	uint64_t par_folds;        /* `folds` of par's activation (struct sis_activation) */
	/* node of the implicit barrier that ends the team, open until the join */
	struct sis_node *wait;
	uint64_t start;            /* ticks: begin of `par` */
	uint64_t arrival;          /* ticks: end of its part of the region; 0: not ended yet */
	uint64_t busy;             /* ticks: `arrival`, or the end of the last task after that */
	/* about the time since its last barrier: */
	uint64_t phase_start;      /* ticks */
	uint64_t single;           /* ticks in finished constructs that only this member executed */
	uint64_t single_start;     /* ticks: begin of such a construct that is open; 0: none */
	struct sis_node *single_node; /* node of the open construct; NULL: it ends at the barrier */
	uint64_t single_total;     /* single_node's total at single_start, without this one */
	bool single_suspended;     /* it created tasks there that others may execute */
	struct sis_masked masked[SIS_MASKED];
	/* the open masked construct in which it has created tasks that others may execute; NULL:
	 * there is none, or it has waited for the tasks */
	struct sis_node *shared_node;
	uint64_t shared_total;     /* total of shared_node at that time, with this activation */
	uint64_t shared;           /* ticks in masked constructs from such tasks to the wait */
	/* explicit tasks: */
	/* node that created the outermost task that it is in; NULL: it is in no task */
	struct sis_node *task_origin;
	unsigned task_depth;       /* number of tasks that it is in */
	/* since its last barrier it has created tasks, which may be executed in the next barrier */
	bool made_tasks;
	bool has_tasks; /* the task that it is in has created tasks since its last taskwait */
	/* number of loops in the doacross nest that it is in, or was last in; 0: none */
	unsigned nest;
	uint64_t task_ticks;       /* ticks in tasks executed during the open wait */
	/* the parts of the open wait before these tasks */
	struct sis_because because[SIS_BECAUSE];
	unsigned becauses;         /* number of elements in use */
	uint64_t born;             /* ticks: when it created its last task; 0: never */
	uint64_t ordered;          /* ticks: when it last entered an ordered construct; 0: never */
	struct sis_done done;
	uint64_t generation;       /* number of barriers that it has passed */
	/* ticks: when its nodes were last visited (interval.h) */
	uint64_t looked;
	/* at the begin of its interval: the kernel's count of its time without a processor */
	uint64_t lack_before;
	uint64_t late;             /* ticks without a processor at the end of its last wait ... */
	struct sis_node *late_in;  /* ... in this node */
	/* the barrier at which it waits, if callbacks report the begin and end of waits
	 * (ompt_wait.c) */
	struct sis_barrier at_barrier;
	struct sis_published published[2] __attribute__((aligned(64)));
	/* not cleared when a team begins: */
	struct sis_interval interval[2]; /* interval[i] ends at the barrier of published[i] */
} __attribute__((aligned(128)));

enum sis_members_state { SIS_MEMBERS_NONE, SIS_MEMBERS_MAKING, SIS_MEMBERS_MADE };

struct sis_parallel {
	/* for a region with task reductions: the first word of its data, by which libgomp finds
	 * the reductions */
	void *first;
	void (*fn)(void *);
	void *data;
	struct sis_thread *master; /* NULL: the region is not measured */
	struct sis_team *outer;    /* the forking thread's team before the fork */
	struct sis_node *par;      /* node of the region in the forking thread's tree */
	struct sis_node *made;     /* equals `par` if the runtime made that node, else NULL */
	uint64_t par_folds;        /* `folds` of par's activation */
	uint64_t start;            /* ticks */
	uint64_t stack_origin;     /* where it was forked: sis_thread.stack_origin */
	struct sis_parallel *around; /* the open region that this thread forked before this one */
	uint32_t called_for;       /* the forking thread's sis__ompt_call() at the fork */
	bool hidden;               /* its threads are libomp's own, and execute no program code */
	/* the initial region of a team in a league: so far the team has only one thread */
	bool alone;
	/* callbacks report masked constructs, so they need not be searched in the tree */
	bool reports_masked;
	enum sis_members_state members_state;  /* atomic; orders the two fields below */
	struct sis_team *member;   /* NULL: not set up, or no memory (size 0) */
	unsigned size;
};

#pragma GCC visibility push(hidden)

/* Called by the forking thread before the fork, whose team executes `body` (NULL: not known).
 * Enters RT_PARALLEL, unless the current node is that of the construct that forks. Returns false if
 * nothing is measured in this process. If the result is true and fork->master is NULL, neither the
 * region nor its threads are measured. */
bool sis__parallel_begin(struct sis_parallel *fork, void (*body)(void *));
void sis__parallel_end(struct sis_parallel *fork);
/* Membership of the calling thread in a measured region. If the result is NULL, or its `thread` is,
 * the caller mutes itself. */
struct sis_team *sis__member(struct sis_parallel *fork, unsigned number, unsigned size);
/* The membership of the forking thread in a team of one. */
struct sis_team *sis__member_alone(struct sis_parallel *fork);
/* In sis__member_begin the calling thread takes the slot of its membership, and returns the slot
 * that it had before. In sis__member_end it gives the slot back; `before` is that result. */
struct sis_thread *sis__member_begin(struct sis_team *me);
void sis__member_end(struct sis_team *me, struct sis_thread *before);

/* This thread's membership in the innermost team, even if the thread is muted; NULL: it is in no
 * team. */
static inline struct sis_team *sis__team(void)
{
	return sis__local.own ? sis__local.own->team : NULL;
}

/* Whether this thread is alone in its innermost team, and so need not wait for others. */
static inline bool sis__is_alone(const struct sis_thread *thread)
{
	const struct sis_team *me = thread->team;
	return me ? me->fork->size == 1 : SIS_OMP_REALLY(omp_get_num_threads)() == 1;
}
/* This thread's membership if the waits of other members may depend on it; else NULL. */
static inline struct sis_team *sis__team_of_several(void)
{
	struct sis_team *me = sis__team();
	return me && me->fork->size > 1 ? me : NULL;
}

/* A barrier inside the team (omp_barrier.c). */
struct sis_barrier sis__barrier_begin(uint32_t id);
/* `passed`: all members have arrived. `passed` is false if the barrier was cancelled. */
void sis__barrier_end(const struct sis_barrier *barrier, bool passed);

/* Explicit tasks (omp_task.c). */
struct sis_birth {              /* what a task's creator notes for the thread that executes it */
	struct sis_parallel *fork; /* the team that the task belongs to; NULL: none */
	struct sis_team *creator;  /* the member that created the task; only compared */
	/* the node that created the task, or that created the outermost task around it */
	struct sis_node *origin;
	const struct sis_task_origin *stack; /* where it was created (samples.h); NULL: not known */
	uint32_t body;             /* region of its body; RT_TASK: not in the source */
	bool muted;                /* its creator was muted; so is the task, in any thread */
	uint64_t at;               /* ticks, at its creation or before; 0: not known */
	/* where its creator was most of the time since it created the previous task */
	struct sis_node *before;
};
struct sis_execution {          /* the execution of a task by one thread */
	struct sis_thread *thread, *before;
	struct sis_team *me;
	struct sis_node *node, *outer_origin;
	uint64_t start;            /* ticks */
	uint64_t folds;            /* `folds` of its activation in `node` */
	/* task_stack and task_end (struct sis_thread) of the task around it */
	const struct sis_task_origin *outer_stack;
	uint64_t outer_end;
	struct sis_thread *stack_of; /* thread whose samples' stacks end at this task; NULL: none */
	bool lent;                 /* the thread has the slot for this task only */
	bool untimed;              /* the task is short, and is only counted */
	bool outer_has_tasks;      /* struct sis_team */
};
void sis__task_born(struct sis_birth *birth, uint32_t body);
/* Notes where the calling thread creates a task that others may execute. from: a return address of
 * one of the calls that create it; frames inside of that call are left out. */
void sis__task_note_stack(struct sis_birth *birth, const void *from);
/* `number`: the executing thread's number in the task's team, since the thread may have released
 * its slot. frame: an address in the frame that calls the task's function; NULL: not known. */
void sis__task_begin(struct sis_execution *task, const struct sis_birth *birth, unsigned number,
		     const void *frame);
void sis__task_end(struct sis_execution *task, const struct sis_birth *birth);
/* Writes what a task costs (omp_create.c). */
void sis__task_cost_note(void);
/* Called before libgomp forks a team, whose threads may nest tasks deeply (omp_stack.c). */
void sis__stacks_widen(void);
/* Called before the creation of a task that other threads may execute. */
void sis__task_shared(void);
/* Called when a wait for tasks begins. */
void sis__tasks_wait(void);
/* Finds the cause of a wait for tasks in `node`, which began at `since` and has ended. `own`: the
 * wait was only for tasks that this thread had created (omp_taskwait.c). `thread` is NULL if it is
 * not measured. until: the ticks at which the wait for tasks of threads was over; 0: now. */
void sis__tasks_waited(struct sis_thread *thread, struct sis_node *node, uint64_t since, bool own,
		       uint64_t until);
/* When the last task ended that a thread executed in such a wait; if there was none, `since`. */
uint64_t sis__tasks_awaited(uint64_t since, uint64_t now, bool own);
/* Called when a member that waits at a barrier begins a task: notes the cause of its wait until
 * now. */
void sis__task_found(struct sis_team *me, const struct sis_birth *birth, uint64_t now);
/* Charges ticks of a wait in `node` to the last task that member `last` executed, but not more than
 * this task's time since `from`. Returns the ticks that are left. */
uint64_t sis__task_charge(struct sis_thread *thread, struct sis_node *node, uint64_t ticks,
			  const struct sis_team *last, uint64_t from);
/* Returns when the member's last task ended, if this was between `from` and `to`; else `from`. */
uint64_t sis__task_ended(const struct sis_team *member, uint64_t from, uint64_t to);
/* Notes that the member has executed a task, and where the task spent most of its time. */
void sis__task_done(const struct sis_execution *task, const struct sis_birth *birth, uint64_t end,
		    struct sis_where where);

/* Notes that the thread has entered an ordered construct, after a wait in `wait`
 * (critical_ordered.c). */
void sis__ordered_taken(struct sis_thread *thread, struct sis_node *wait, uint64_t now);

/* Doacross loops (omp_doacross.c). */
void sis__nest_seen(unsigned loops);              /* the thread begins a nest of `loops` loops */
/* Returns an object that stands for the iteration; NULL: no other thread may execute the iteration.
 */
const void *sis__iteration(const int64_t *at);
struct sis_doacross_wait { struct sis_span span; const void *iteration; };
/* Called around a wait for the iteration. */
struct sis_doacross_wait sis__doacross_wait_begin(struct sis_span span, const void *iteration);
void sis__doacross_wait_end(const struct sis_doacross_wait *sink);
/* Called before the thread posts the iteration. */
static inline void sis__doacross_post(const void *iteration)
{
	if (iteration)
		sis__rendezvous_arrive(iteration);
}

/* Makes storage for the members of a team (team_alloc.c). Returns NULL if there is no memory. */
struct sis_team *sis__team_alloc(unsigned size);
void sis__team_free(struct sis_team *member);
/* Memory for the only member of a team of one that `thread` forks. */
struct sis_team *sis__team_alloc_one(struct sis_thread *thread);
void sis__team_free_one(struct sis_thread *thread, struct sis_team *member);

/* -- Constructs that only this member executes (single_time.c) -------------------------------- */
/* Called when a phase begins: at the start of the team, or at the end of a barrier. */
void sis__single_reset(struct sis_team *me, uint64_t now);
/* Notes the masked constructs that are open already. */
void sis__single_find_open(struct sis_team *me);
void sis__single_begin(struct sis_team *me, uint64_t now);
void sis__single_end(struct sis_team *me, uint64_t now);
/* Like sis__single_end, if the OpenMP runtime reports the end. */
void sis__single_end_reported(struct sis_team *me, uint64_t now);
/* The member creates a task that others may execute, in such a construct. */
void sis__single_suspend(struct sis_team *me);
/* The member has waited for these tasks. */
void sis__single_resume(struct sis_team *me);
/* The ticks in such constructs in this phase so far, masked constructs included. */
uint64_t sis__single_total(struct sis_team *me, uint64_t now);

/* A wait of a member at a barrier. Times are in ticks. */
struct sis_member_wait {
	struct sis_thread *thread;
	struct sis_node *node;
	uint64_t arrival, now;        /* begin and end of the wait */
	uint64_t unpar, part;         /* the parts of the wait that RT_UNPAR and RT_PART get */
	const struct sis_team *came;  /* the member that came last; NULL: not known */
	uint64_t came_at;             /* when that member came */
	/* at the end of a team: when the join began, since until then a device executed a task */
	uint64_t join;
	const struct sis_team *last;  /* the member whose task ended last after that, or `came` */
	/* ticks at the wait's end in which `thread` is assumed to have had no processor
	 * (sis__member_goes_on) */
	uint64_t late;
};
/* -- Intervals of members (member_interval.c) -------------------------------------------------- */
/* Called when the member begins or ends a wait or a task. Records how long it had no processor
 * (process/no_processor.h), so that the lack of processors in long waits is separate from that in
 * work. */
void sis__member_look(const struct sis_team *me, uint64_t now);
/* Like sis__member_look, when the member comes to a barrier. Also notes what it has done since the
 * last barrier. */
void sis__member_arrives(struct sis_team *me, uint64_t now);
/* Called when the member goes on after a barrier to which the last member came at `all_there`: sets
 * wait->late. */
void sis__member_goes_on(struct sis_team *me, struct sis_member_wait *wait, uint64_t all_there);
/* Like sis__member_look, at the end of a wait in `node` that began at `from`. */
void sis__member_waited(const struct sis_team *me, struct sis_node *node, uint64_t from,
			uint64_t now);

/* The nodes of a wait, and the ticks of each node, without ticks in tasks. */
struct sis_wait_parts {
	struct sis_node *node, *unpar_node, *part_node; /* NULL: no such part */
	uint64_t rest, unpar, part;
};
/* Notes the causes of a wait (barrier_causes.c). */
void sis__wait_note(const struct sis_team *me, const struct sis_member_wait *wait,
		    const struct sis_wait_parts *parts);
/* Ends the wait. wait->node gets the wait's time without `unpar` and `part`. The culprit is the
 * member that came last. */
void sis__wait_end(struct sis_team *me, const struct sis_member_wait *wait);
#define SIS_TEAM_SPLIT 256u /* LIMIT: waits in larger teams count as imbalance only */

#pragma GCC visibility pop
#endif
