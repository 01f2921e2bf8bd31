/* SPDX-License-Identifier: BSD-3-Clause */
/* match_collectives.c - finds the waits in collective operations. Called by one thread.
 *
 * An operation is identified by (communicator, serial). Its arrivals are sorted by their times. The
 * kind of the operation says for which arrival a rank waits: the last arrival of all, the root's
 * arrival, the last one of lower ranks, or the last one of its neighbours. match_loss.c finds the
 * part of waits for the last arrival or the root that is loss of parallelism. Waits for neighbours,
 * between groups and at files are no such loss.
 *
 * If one call begins the operation and another one completes it, a rank waits only in the second
 * call. It is not known which regions ran between the two calls, so such waits are never loss of
 * parallelism. */
#include <stdlib.h>

#include "base/sort.h"
#include "experiment/match/match_internal.h"

#define COMPARE(a, b, field) if ((a)->field != (b)->field) return (a)->field < (b)->field ? -1 : 1

struct collectives {
	const struct experiment *x;
	struct experiment_match *match;
	/* waits in operations that were begun by one call and completed by another one */
	message_ends *sends, *receives, *probes;
	const neighbour_list *neighbours; /* of all ranks */
};

/* Whether the operation is MPI_Init or MPI_Finalize. Each of the two is one operation in a run,
 * with serial 0. */
static bool is_of_run(const struct arrival *a)
{
	return a->kind == SIS_RECORD_INIT || a->kind == SIS_RECORD_FINALIZE;
}

static int by_operation_then_time(const void *x, const void *y)
{
	const struct arrival *a = x, *b = y;
	COMPARE(a, b, comm);
	if (is_of_run(a) != is_of_run(b))
		return is_of_run(a) ? -1 : 1;
	if (is_of_run(a))
		COMPARE(a, b, kind);
	COMPARE(a, b, serial);
	COMPARE(a, b, enter);
	COMPARE(a, b, process);
	return 0;
}

static bool same_operation(const struct arrival *a, const struct arrival *b)
{
	return a->comm == b->comm && is_of_run(a) == is_of_run(b) &&
		(!is_of_run(a) || a->kind == b->kind) && a->serial == b->serial;
}

static enum sis_overhead usual_leaf(uint16_t kind)
{
	switch ((enum sis_record_kind)kind) {
	case SIS_RECORD_BARRIER: return OSYNC_MBAR;
	case SIS_RECORD_NXN: return OSYNC_NXN;
	case SIS_RECORD_NEIGH: return OSYNC_NEIGH;
	case SIS_RECORD_FILE: return OSYNC_FILE;
	case SIS_RECORD_FROM_ROOT: return OSYNC_LATEBCAST;
	case SIS_RECORD_TO_ROOT: return OSYNC_EARLYRED;
	case SIS_RECORD_SCAN: return OSYNC_EARLYSCAN;
	case SIS_RECORD_FENCE: return OSYNC_FENCE;
	case SIS_RECORD_INIT: return OSYNC_INIT;
	case SIS_RECORD_FINALIZE: return OSYNC_FINWAIT;
	default: return O_NONE;
	}
}

/* The leaf for the wait of `a`. The row of the routine in mpi.def names it, because routines with
 * the same kind of record may have different leaves. If the routine is not known, the kind of
 * record determines the leaf. */
static enum sis_overhead leaf_of(const struct experiment *x, const struct arrival *a)
{
	const struct process *p = &x->model.process.at[a->process];
	if (a->node == NONE || p->global[a->node] == NONE)
		return O_NONE;
	const struct region *region = region_of_node(x, p->global[a->node]);
	return region->routine ? region->routine->wait : usual_leaf(a->kind);
}

enum { CLOCKS_NS = 1000000 }; /* the clocks of two hosts may differ by this time */

/* A fence need not wait for all ranks if the program asserts that no accesses precede the fence. So
 * if `a` left the fence before `last` came, and the clocks cannot differ by so much, `a` did not
 * wait. */
static bool did_not_wait(const struct arrival *a, const struct arrival *last)
{
	return a->kind == SIS_RECORD_FENCE && last->enter - a->exit > CLOCKS_NS;
}

/* Books the wait of `a` for `culprit`. At most `one` nanoseconds of the wait are booked as
 * OLOSS_UNPAR, and at most `some` as OLOSS_PART. */
static void book(const struct collectives *c, const struct arrival *a,
		 const struct arrival *culprit, int64_t one, int64_t some)
{
	struct experiment_match *m = c->match;
	const struct process *process = &c->x->model.process.at[a->process];
	enum sis_overhead leaf = leaf_of(c->x, a);
	int64_t until = culprit->enter < a->exit ? culprit->enter : a->exit,
		wait = until - a->enter;
	if (wait <= 0 || leaf == O_NONE || did_not_wait(a, culprit))
		return;
	*vec_push(&m->blocked.fill) = (struct blocked_interval){
		a->process, a->slot, culprit->process, culprit->slot, a->enter, until };
	one = one < wait ? one : wait;
	some = some < wait - one ? some : wait - one;
	*vec_push(&m->wait_state.fill) = (struct wait_state){
		.process = a->process,
		.slot = a->slot,
		.node = a->node,
		.culprit = culprit->process,
		.culprit_slot = culprit->slot,
		.comm = a->comm,
		.enter = a->enter,
		.until = until,
		.leaf = { leaf, OLOSS_UNPAR, OLOSS_PART },
		.ns = { wait - one - some, one, some }
	};
	match_add_wait(m, process, a->node, OLOSS_UNPAR, one);
	match_add_wait(m, process, a->node, OLOSS_PART, some);
	match_add_wait(m, process, a->node, leaf, wait - one - some);
}

/* Books the waits of all arrivals before `last` for arrival `last`. */
static void wait_for(const struct collectives *c, const struct arrival *a, size_t n, size_t last)
{
	int64_t *one = mem_alloc(n, sizeof *one), *some = mem_alloc(n, sizeof *some);
	if (a[0].kind != SIS_RECORD_INIT)
		match_loss(c->x, a, n, last, one, some);
	for (size_t i = 0; i < last; i++)
		book(c, &a[i], &a[last], one[i], some[i]);
	free(one);
	free(some);
}

/* Represents the wait of `a` for `culprit` as a message that `culprit` sends to `a`. Its source is
 * -2, which is no rank. So this message matches no real message. */
static void add_ends(const struct collectives *c,
		     const struct arrival *a, const struct arrival *culprit)
{
	struct message_end end = { .comm = a->comm,
				   .source = -2,
				   .target = (int32_t)a->process,
				   .tag = (int32_t)c->match->operations,
				   .post = a->post,
				   .enter = a->enter,
				   .exit = a->exit,
				   .process = a->process,
				   .slot = a->slot,
				   .node = a->node,
				   .traffic = NONE,
				   .leaf = usual_leaf(a->kind) };
	if (a == culprit || a->node == NONE)
		return;
	*vec_push(c->receives) = end;
	for (size_t i = a->first_poll; i < a->first_poll + a->polls; i++) {
		struct message_end *poll = &c->probes->at[i];
		end.enter = poll->enter, end.exit = poll->exit;
		end.slot = poll->slot, end.node = poll->node;
		*poll = end;
	}
	end.post = end.enter = culprit->post;
	end.exit = culprit->exit;
	end.process = culprit->process;
	end.slot = culprit->slot;
	end.node = NONE;
	end.is_send = true;
	*vec_push(c->sends) = end;
}

static int by_rank(const void *x, const void *y)
{
	const struct arrival *const *a = x, *const *b = y;
	COMPARE(*a, *b, rank);
	return 0;
}

/* The arrivals by rank. */
static const struct arrival **sort_ranks(const struct arrival *a, size_t n)
{
	const struct arrival **rank = mem_alloc(n, sizeof *rank);
	for (size_t i = 0; i < n; i++)
		rank[i] = &a[i];
	qsort(rank, n, sizeof *rank, by_rank);
	return rank;
}

/* Books the wait of `a` for `culprit`, if the culprit came later than `a`. */
static void wait_for_one(const struct collectives *c, const struct arrival *a,
			 const struct arrival *culprit)
{
	if (!a->begun)
		book(c, a, culprit, 0, 0);
	else if (culprit->post > a->post)
		add_ends(c, a, culprit);
}

/* In a scan, the MPI library may make a rank wait for higher ranks, too. (In MPICH, rank 0
 * exchanges partial results.) Returns the higher rank that rank `own` waited for; NULL if there is
 * none. At `since`, rank `own` had all the data that it needs. If it stayed until a higher rank
 * came, and left soon afterwards, it waited for that higher rank. */
static const struct arrival *later_rank(const struct arrival *const *rank, size_t n, size_t own,
					int64_t since)
{
	const struct arrival *last = NULL;
	for (size_t i = own + 1; i < n; i++)
		if (rank[i]->post <= rank[own]->exit && (!last || rank[i]->post > last->post))
			last = rank[i];
	return last && last->post - since > rank[own]->exit - last->post ? last : NULL;
}

/* In a scan, a rank waits for the last one of the lower ranks. */
static void scan(const struct collectives *c, const struct arrival *a, size_t n)
{
	const struct arrival **rank = sort_ranks(a, n), *last = rank[0];
	for (size_t i = 0; i < n; i++) {
		int64_t own = rank[i]->enter, since = last->post > own ? last->post : own;
		const struct arrival *later = later_rank(rank, n, i, since);
		wait_for_one(c, rank[i], later ? later : last);
		last = rank[i]->post > last->post ? rank[i] : last;
	}
	free(rank);
}

/* -- neighbourhood collectives ----------------------------------------------------------------- */

/* Adds the sync points and sync events of two neighbours: `a` needs data of `other`. */
static void take_from(const struct collectives *c,
		      const struct arrival *a, const struct arrival *other)
{
	uint32_t operation = c->match->operations++;
	int64_t ready = other->post < a->exit ? other->post : a->exit;
	match_add_sync_point(c->match, operation, a->comm, a->process, other->process,
			     ready > a->post ? ready : a->post);
	match_add_sync_point(c->match, operation, a->comm, other->process, a->process,
			     other->post);
	match_add_sync_event(c->match, operation, other->process, other->post, false);
	match_add_sync_event(c->match, operation, a->process, a->exit, true);
}

/* In a neighbourhood collective, a rank waits for the last one of its neighbours. */
static void match_neighbours(const struct collectives *c, const struct arrival *all, size_t n)
{
	const struct arrival **rank = sort_ranks(all, n);
	for (const struct arrival *a = all; a < all + n; a++) {
		const struct arrival *last = a;
		for (uint32_t i = 0; i < a->neighbours; i++) {
			uint32_t k = c->neighbours->at[a->first_neighbour + i].rank;
			if (k >= n || rank[k]->rank != k || rank[k]->process == a->process)
				continue;
			take_from(c, a, rank[k]);
			last = rank[k]->post > last->post ? rank[k] : last;
		}
		match_add_matched_call(c->match, a->process, a->node, a->enter, a->exit);
		wait_for_one(c, a, last);
	}
	free(rank);
}

/* -- operations begun by one call, completed by another one ------------------------------------ */

static const struct arrival *last_to_come(const struct arrival *a, size_t n)
{
	const struct arrival *last = a;
	for (size_t i = 1; i < n; i++)
		last = a[i].post > last->post ? &a[i] : last;
	return last;
}

static void match_begun(const struct collectives *c, const struct arrival *a, size_t n, size_t root)
{
	const struct arrival *last = last_to_come(a, n);
	if (a->kind == SIS_RECORD_SCAN)
		scan(c, a, n);
	else if (a->kind == SIS_RECORD_TO_ROOT)
		add_ends(c, &a[root], last);
	else
		for (size_t i = 0; i < n; i++)
			add_ends(c, &a[i], a->kind == SIS_RECORD_FROM_ROOT ? &a[root] : last);
	c->match->operations++;
}

/* Adds the sync events and sync points of an operation. A rank that contributes data releases the
 * other ranks when it enters. A rank that needs data acquires the data when it leaves. In a scan,
 * each rank is assumed to need the data of all ranks that entered before it left. */
static void hand_over(const struct collectives *c, const struct arrival *a, size_t n, size_t root)
{
	struct experiment_match *m = c->match;
	uint32_t operation = m->operations++;
	for (size_t i = 0; i < n; i++) {
		match_add_matched_call(m, a[i].process, a[i].node, a[i].enter, a[i].exit);
		if (a[i].beside || did_not_wait(&a[i], &a[n - 1]))
			continue;
		if (a[i].kind != SIS_RECORD_FROM_ROOT || i == root)
			match_add_sync_event(m, operation, a[i].process, a[i].enter, false);
		if (a[i].kind != SIS_RECORD_TO_ROOT || i == root)
			match_add_sync_event(m, operation, a[i].process, a[i].exit, true);
		/* from this moment on, the rank had all that it needs */
		size_t needed = a[i].kind == SIS_RECORD_FROM_ROOT ? root :
			a[i].kind == SIS_RECORD_TO_ROOT && i != root ? i : n - 1;
		int64_t moment = a[needed].enter < a[i].exit ? a[needed].enter : a[i].exit;
		match_add_sync_point(m, operation, a[i].comm, a[i].process, NONE,
				     moment > a[i].enter ? moment : a[i].enter);
	}
}

/* -- operations between two groups ------------------------------------------------------------- */

/* The last arrival that `waits` may have waited for. The data of `waits` comes from the other
 * group, but the MPI library may make it wait for its own group, too. So the arrivals of both
 * groups count. */
static const struct arrival *last_before_exit(const struct arrival *a, size_t n,
					      const struct arrival *waits)
{
	const struct arrival *last = waits;
	for (size_t i = 0; i < n; i++)
		if (!a[i].beside && a[i].post <= waits->exit && a[i].post > last->post)
			last = &a[i];
	return last;
}

/* Whether the process receives data in the operation. Only such a process waits. */
static bool receives(const struct arrival *a)
{
	return a->kind == SIS_RECORD_FROM_ROOT ? !a->is_root && !a->beside :
	       a->kind == SIS_RECORD_TO_ROOT   ? a->is_root :
						 true;
}

static void match_groups(const struct collectives *c, const struct arrival *a, size_t n,
			 size_t root)
{
	bool from_root = a[0].kind == SIS_RECORD_FROM_ROOT;
	if (!a[0].begun)
		hand_over(c, a, n, root);
	for (size_t i = 0; i < n; i++)
		if (receives(&a[i]))
			wait_for_one(c, &a[i],
				     from_root ? &a[root] : last_before_exit(a, n, &a[i]));
}

/* -- collective calls on files ----------------------------------------------------------------- */

/* The MPI library decides whether a collective call on a file waits for all processes. If one
 * process left before another one came, the call did not wait. */
static void match_file(const struct collectives *c, const struct arrival *a, size_t n)
{
	const struct arrival *last = last_to_come(a, n);
	for (size_t i = 0; i < n; i++)
		if (last->post - a[i].exit > CLOCKS_NS)
			return;
	if (a->begun) {
		match_begun(c, a, n, n);
		return;
	}
	hand_over(c, a, n, n);
	for (size_t i = 0; i + 1 < n; i++)
		book(c, &a[i], last, 0, 0);
}

/* -- matching one operation -------------------------------------------------------------------- */

static void match_blocking(const struct collectives *c, const struct arrival *a, size_t n,
			   size_t root)
{
	hand_over(c, a, n, root);
	switch ((enum sis_record_kind)a[0].kind) {
	case SIS_RECORD_FROM_ROOT:
		wait_for(c, a, n, root);
		break;
	case SIS_RECORD_TO_ROOT:
		book(c, &a[root], &a[n - 1], 0, 0);
		break;
	case SIS_RECORD_SCAN:
		scan(c, a, n);
		break;
	default:
		wait_for(c, a, n, n - 1);
		break;
	}
}

/* Matches one operation with all its arrivals. Returns the number of arrivals that could not be
 * matched. */
static size_t match_operation(const struct collectives *c, const struct arrival *a, size_t n)
{
	if (n != a[0].size)
		return n;
	for (size_t i = 1; i < n; i++)
		if (a[i].kind != a[0].kind || a[i].begun != a[0].begun)
			return n;
	size_t root = 0;
	while (root < n && !a[root].is_root)
		root++;
	if (root == n && (a[0].kind == SIS_RECORD_FROM_ROOT || a[0].kind == SIS_RECORD_TO_ROOT))
		return n;
	if (a[0].kind == SIS_RECORD_NEIGH)
		match_neighbours(c, a, n);
	else if (a[0].kind == SIS_RECORD_FILE)
		match_file(c, a, n);
	else if (a[0].inter)
		match_groups(c, a, n, root);
	else if (a[0].begun)
		match_begun(c, a, n, root);
	else
		match_blocking(c, a, n, root);
	return 0;
}

size_t match_collectives(const struct experiment *x, struct experiment_match *m, arrivals *list,
			 message_ends *sends, message_ends *receives, message_ends *probes,
			 const neighbour_list *neighbours)
{
	const struct collectives c = { x, m, sends, receives, probes, neighbours };
	size_t lonely = 0;
	vec_sort(list, by_operation_then_time);
	for (size_t first = 0, end; first < list->n; first = end) {
		for (end = first + 1;
		     end < list->n && same_operation(&list->at[first], &list->at[end]);)
			end++;
		lonely += match_operation(&c, &list->at[first], end - first);
	}
	return lonely;
}
