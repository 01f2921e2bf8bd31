/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c - makes arrivals at collectives, and ends of messages, from the records of all processes.
 * Their times are on one clock. Then calls the functions that match them. Called by one thread.
 *
 * Each process has its own id for a communicator. In all processes, (leader, number) is the
 * communicator's name. The serial of a request connects the request's post with the call that
 * completed the request. A persistent request has several posts with one serial: its k-th post
 * belongs to its k-th completion. */
#include "experiment/match/match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "experiment/match/match_internal.h"
#include "experiment/match/traffic.h"
#include "experiment/model/poll_times.h"

struct request { uint64_t serial; int64_t time; const struct profile_record *record; };
typedef VEC(struct request) requests;

struct record_classifier { /* the records of one process while they are sorted */
	const struct experiment *x;
	struct experiment_match *match;
	const struct process *p;
	struct process_match *found; /* the results for that process */
	struct map comm_by_id;     /* id in the process -> index into profile.comm */
	struct map *comm_by_name;  /* (leader, number) -> number of the run */
	/* from this time on, operations are missing, because a thread's log was full. So the order
	 * of later operations is not known */
	int64_t cutoff;
	uint32_t *phase;           /* slot -> its last phase since its last collective */
	requests posts, dones;       /* of messages */
	requests begun, ended;       /* of collectives */
	requests polls, begun_polls; /* polls in vain: of messages, of collectives */
	arrivals *collectives;
	neighbour_list *neighbours;  /* by process, and by communicator in it */
	size_t first_neighbour;      /* index of the process's first element in `neighbours` */
	message_ends *sends, *receives, *probes;
	struct windows *windows;
};

/* -- communicators ----------------------------------------------------------------------------- */

static const struct profile_comm *find_comm(const struct record_classifier *s, uint32_t id)
{
	uint32_t i = map_get(&s->comm_by_id, id, 0);
	return i == MAP_NONE ? NULL : &s->p->profile.comm.at[i];
}

/* The number of a communicator in the run. The world has the number 0. NONE if the communicator has
 * no name in the run. */
static uint32_t comm_number(struct record_classifier *s, const struct profile_comm *known)
{
	const struct sis_profile_comm *comm = known ? &known->head : NULL;
	if (!comm)
		return NONE;
	if (comm->is_inter && (comm->leader != NONE || comm->number == 0))
		return NONE; /* messages name members of the other side, so the other side counts */
	if (comm->is_inter)
		return map_put(s->comm_by_name, NONE, comm->number, s->comm_by_name->n + 1, NULL);
	if (comm->is_world)
		return 0;
	if (comm->leader == NONE)
		return NONE;
	return map_put(s->comm_by_name, comm->leader, comm->number, s->comm_by_name->n + 1, NULL);
}

/* The other side of an intercommunicator. It has the next id in the process. NULL if `comm` is no
 * intercommunicator. */
static const struct profile_comm *other_side(const struct record_classifier *s,
					     const struct profile_comm *comm)
{
	const struct profile_comm *other = comm && comm->head.is_inter ?
		find_comm(s, comm->head.id + 1) :
		NULL;
	return other && other->head.is_inter && other->head.parent == comm->head.id ? other : NULL;
}

/* -- polls ------------------------------------------------------------------------------------- */

struct poll_list { const struct request *at; size_t n; }; /* polls of one request, all in vain */

static const struct poll_list no_polls;

/* Adds polls of a request to the probes. The polls wait for the same message as the request. So
 * each poll is added as a copy of `end`, with the times of the poll. */
static void add_polls(struct record_classifier *s, const struct poll_list *polls,
		      struct message_end end)
{
	for (size_t i = 0; i < polls->n; i++) {
		const struct profile_record *r = polls->at[i].record;
		end.enter = clock_ns(&s->p->clock, r->enter);
		end.exit = clock_ns(&s->p->clock, r->exit);
		end.slot = r->slot;
		end.node = r->node;
		*vec_push(s->probes) = end;
	}
}

/* -- records ----------------------------------------------------------------------------------- */

/* Finds the neighbours of the process in a communicator. *first becomes the index of the first one.
 * Returns their number. */
static uint32_t find_neighbours(const struct record_classifier *s, uint32_t comm, uint32_t *first)
{
	const struct neighbour *at = s->neighbours->at;
	size_t n = s->neighbours->n;
	size_t i = search_first(k, s->first_neighbour, n, at[k].comm < comm);
	*first = i;
	while (i < n && at[i].comm == comm)
		i++;
	return i - *first;
}

static int by_comm(const void *va, const void *vb)
{
	const struct neighbour *a = va, *b = vb;
	return ORDER(a->comm, b->comm);
}

/* Adds an arrival at a collective operation. `r`: the record of the call that began the operation.
 * `done`: the record of the call that completed the operation, which may be `r`; NULL if it is not
 * known. */
static void add_arrival(struct record_classifier *s, const struct profile_record *r,
			const struct profile_record *done, const struct poll_list *polls)
{
	const struct sis_profile_header *h = &s->p->profile.head;
	const struct profile_comm *comm = find_comm(s, r->comm), *other = other_side(s, comm);
	bool whole_run = r->kind == SIS_RECORD_INIT || r->kind == SIS_RECORD_FINALIZE;
	/* The two sides of an intercommunicator have different names, but its other side has the
	 * same number in both groups. */
	uint32_t number = whole_run ? 0 : comm_number(s, other ? other : comm);
	bool begun = r->flags & SIS_RECORD_BEGUN;
	bool all = !begun && r->kind != SIS_RECORD_NEIGH && r->kind != SIS_RECORD_FILE;
	uint32_t phase = all ? s->phase[r->slot] : NONE;
	uint32_t first = 0, neighbours = find_neighbours(s, r->comm, &first);
	const struct profile_record *last = done ? done : r;
	if (all)
		s->phase[r->slot] = NONE;
	if (number == NONE)
		return;
	while (phase != NONE &&
	       s->p->profile.record.at[s->found->phase.at[phase].record].exit > r->enter)
		phase = s->found->phase.at[phase].earlier;
	*vec_push(s->collectives) = (struct arrival){
		.comm = number,
		.kind = r->kind,
		.serial = whole_run ? 0 : r->serial,
		.post = clock_ns(&s->p->clock, r->enter),
		.begun = begun,
		.enter = clock_ns(&s->p->clock, last->enter),
		.exit = clock_ns(&s->p->clock, last->exit),
		.process = s->p->index,
		.node = done ? last->node : NONE,
		.slot = r->slot,
		.first_poll = s->probes->n,
		.polls = polls->n,
		.first_neighbour = first,
		.neighbours = neighbours,
		.rank = comm ? comm->head.rank : 0,
		.size = whole_run || !comm ? (uint32_t)(h->mpi_size > 0 ? h->mpi_size : 1) :
					     comm->head.size + (other ? other->head.size : 0),
		.is_root = comm && r->peer == (other ? SIS_ROOT_SELF : (int32_t)comm->head.rank),
		.inter = other,
		.beside = other && r->peer == SIS_ROOT_BESIDE,
		.phase = phase,
	};
	/* match_collectives.c finds what these polls wait for */
	add_polls(s, polls, (struct message_end){ .comm = NONE,
						  .process = s->p->index,
						  .traffic = NONE });
	if (!whole_run)
		traffic_add(s->x, s->match, s->p, r, comm, number, -1);
}

static bool is_send(const struct profile_record *r)
{
	return r->kind == SIS_RECORD_SEND || r->kind == SIS_RECORD_ISEND;
}

/* The number that identifies a peer. This is the peer's rank in the communicator. In an
 * intercommunicator, two processes may have the same rank, so the peer's rank in MPI_COMM_WORLD is
 * used. */
static int32_t rank_of(const struct record_classifier *s, const struct profile_comm *comm,
		       int32_t rank)
{
	if (!comm->head.is_inter || rank < 0)
		return rank;
	return (uint32_t)rank < comm->head.size ?
		(int32_t)s->p->profile.member.at[comm->first + (uint32_t)rank] :
		-1;
}

/* Adds an end of a message. `post`: the record of the call that began the operation. `done`: the
 * record of the call that completed the operation, which is `post` for a blocking call; NULL if it
 * is not known. */
static void add_end(struct record_classifier *s, const struct profile_record *post,
		    const struct profile_record *done, const struct poll_list *polls)
{
	const struct profile_comm *comm = find_comm(s, post->comm);
	uint32_t number = comm_number(s, comm);
	const struct profile_record *known = !is_send(post) && done ? done : post;
	int64_t time = clock_ns(&s->p->clock, is_polls(post) ? post->exit : post->enter);
	if (number == NONE || known->peer < 0 || time > s->cutoff ||
	    (done && (done->flags & SIS_RECORD_CANCELLED)))
		return;
	int32_t rank = comm->head.is_inter ? s->p->profile.head.mpi_rank : (int32_t)comm->head.rank;
	int32_t peer = rank_of(s, comm, known->peer);
	if (peer < 0)
		return;
	struct message_end end = {
		.comm = number,
		.tag = post->flags & SIS_RECORD_PARTITIONED ? -2 - known->tag : known->tag,
		.post = time,
		.source = is_send(post) ? rank : peer,
		.target = is_send(post) ? peer : rank,
		.traffic = is_send(post) ?
			traffic_add(s->x, s->match, s->p, post, comm, number, known->peer) :
			NONE,
		.enter = clock_ns(&s->p->clock, done ? done->enter : post->enter),
		.exit = clock_ns(&s->p->clock, done ? done->exit : post->exit),
		.process = s->p->index,
		.slot = post->slot,
		.node = done ? done->node : NONE,
		.is_send = is_send(post),
	};
	message_ends *ends = end.is_send ? s->sends :
		post->kind == SIS_RECORD_PROBE ? s->probes : s->receives;
	*vec_push(ends) = end;
	end.traffic = NONE;
	add_polls(s, polls, end);
}

static void add_to_window(struct record_classifier *s, const struct profile_record *r)
{
	const struct profile_comm *comm = find_comm(s, r->comm);
	uint32_t number = comm_number(s, comm);
	int64_t enter = clock_ns(&s->p->clock, r->enter);
	if (number == NONE || enter > s->cutoff)
		return;
	windows_take(s->windows,
		     &(struct window_record){ .record = r,
					      .comm = comm,
					      .number = number,
					      .process = s->p->index,
					      .enter = enter,
					      .exit = clock_ns(&s->p->clock, r->exit),
					      .sends = s->sends,
					      .receives = s->receives });
}

static void add_request(requests *list, const struct profile_record *r, uint64_t time)
{
	*vec_push(list) = (struct request){ r->serial, (int64_t)time, r };
}

static void classify_record(struct record_classifier *s, const struct profile_record *r)
{
	switch (r->kind) {
	case SIS_RECORD_SEND:
	case SIS_RECORD_RECV:
	case SIS_RECORD_PROBE:
		add_end(s, r, r, &no_polls);
		break;
	case SIS_RECORD_ISEND:
	case SIS_RECORD_IRECV:
		add_request(&s->posts, r, r->enter);
		break;
	case SIS_RECORD_DONE:
		add_request(r->flags & SIS_RECORD_BEGUN ? &s->ended : &s->dones, r, r->exit);
		break;
	case SIS_RECORD_POLLS:
		add_request(r->flags & SIS_RECORD_BEGUN ? &s->begun_polls : &s->polls, r, r->exit);
		break;
	case SIS_RECORD_PHASE:
		*vec_push(&s->found->phase.fill) = (struct phase_link){ r - s->p->profile.record.at,
									s->phase[r->slot] };
		s->phase[r->slot] = s->found->phase.n - 1;
		break;
	case SIS_RECORD_BARRIER ... SIS_RECORD_FINALIZE:
	case SIS_RECORD_NEIGH:
	case SIS_RECORD_FILE:
		if (r->flags & SIS_RECORD_BEGUN)
			add_request(&s->begun, r, r->enter);
		else
			add_arrival(s, r, r, &no_polls);
		break;
	case SIS_RECORD_PUT ... SIS_RECORD_FLUSH:
		add_to_window(s, r);
		break;
	}
}

static int by_serial_then_time(const void *a, const void *b)
{
	const struct request *x = a, *y = b;
	if (x->record->comm != y->record->comm && x->record->flags & SIS_RECORD_BEGUN)
		return x->record->comm < y->record->comm ? -1 : 1;
	if (x->serial != y->serial)
		return x->serial < y->serial ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static bool same_request(const struct request *a, const struct request *b)
{
	return a->serial == b->serial &&
		(a->record->comm == b->record->comm || !(a->record->flags & SIS_RECORD_BEGUN));
}

/* The index of the first element at or after `i` that belongs to the request of `post`, or to a
 * later request. */
static size_t skip_to(const requests *list, size_t i, const struct request *post)
{
	while (i < list->n && !same_request(&list->at[i], post) &&
	       by_serial_then_time(&list->at[i], post) < 0)
		i++;
	return i;
}

/* Pairs the posts of requests with their polls and completions. The lists are either those of
 * messages or those of collectives. */
static void pair_requests(struct record_classifier *s, requests *posts, requests *dones,
			  requests *polls,
			  void add(struct record_classifier *, const struct profile_record *post,
				   const struct profile_record *done, const struct poll_list *))
{
	vec_sort(posts, by_serial_then_time);
	vec_sort(dones, by_serial_then_time);
	vec_sort(polls, by_serial_then_time);
	size_t d = 0, k = 0;
	for (size_t i = 0; i < posts->n; i++) {
		const struct request *post = &posts->at[i];
		d = skip_to(dones, d, post);
		k = skip_to(polls, k, post);
		bool found = d < dones->n && same_request(&dones->at[d], post);
		size_t end = k; /* end of the polls that were before the completion */
		while (found && end < polls->n && same_request(&polls->at[end], &dones->at[d]) &&
		       polls->at[end].time <= dones->at[d].time)
			end++;
		struct poll_list list = end > k ? (struct poll_list){ &polls->at[k], end - k } :
						  no_polls;
		add(s, post->record, found ? dones->at[d++].record : NULL, &list);
		k = end;
	}
	vec_free(posts);
	vec_free(dones);
	vec_free(polls);
}

/* Finds the time up to which all operations of the process were recorded. If the log of a thread
 * was full, it has only the thread's first records, so this is the exit of the last of these
 * records. Of several such threads, the earliest time counts. */
static int64_t find_cutoff(const struct process *p)
{
	int64_t cutoff = INT64_MAX;
	uint64_t *last = mem_alloc(p->slots, sizeof *last);
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		if (r->slot < p->slots && r->exit > last[r->slot])
			last[r->slot] = r->exit;
	}
	for (size_t i = 0; i < p->profile.thread.n; i++) {
		const struct profile_thread *t = &p->profile.thread.at[i];
		int64_t ns = clock_ns(&p->clock, t->slot < p->slots ? last[t->slot] : 0);
		cutoff = t->dropped_records && ns < cutoff ? ns : cutoff;
	}
	free(last);
	return cutoff;
}

static int by_slot_then_time(const void *a, const void *b)
{
	const struct call *x = a, *y = b;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return x->enter < y->enter ? -1 : x->enter > y->enter;
}

/* Lists the times in which the process's threads were inside MPI, and so did not work. Polls of one
 * request are listed as one call, which ends with the last poll. The thread may have made other
 * calls between the polls. Then the call that stands for the polls is moved to an earlier time, so
 * that it ends where the next call begins. */
static void list_calls(const struct process *p, calls *list)
{
	for (size_t i = 0; i < p->profile.record.n; i++) {
		const struct profile_record *r = &p->profile.record.at[i];
		struct call call = { r->slot, r->node, clock_ns(&p->clock, r->enter),
				     clock_ns(&p->clock, r->exit), is_polls(r) };
		if (r->kind != SIS_RECORD_PHASE && call.exit - call.enter >= SHORTEST_NS)
			*vec_push(&list->fill) = call;
	}
	vec_sort(&list->fill, by_slot_then_time);
	for (size_t i = list->n; i-- > 1;) {
		struct call *call = &list->fill.at[i - 1];
		const struct call *next = &list->at[i];
		int64_t over = call->exit - next->enter;
		if (call->polls && call->slot == next->slot && over > 0) {
			call->enter -= over;
			call->exit -= over;
		}
	}
}

static void sort_process(struct record_classifier *s)
{
	const struct profile *profile = &s->p->profile;
	s->cutoff = find_cutoff(s->p);
	s->phase = mem_alloc(s->p->slots, sizeof *s->phase);
	memset(s->phase, 0xff, s->p->slots * sizeof *s->phase);
	for (size_t i = 0; i < profile->comm.n; i++)
		map_put(&s->comm_by_id, profile->comm.at[i].head.id, 0, i, NULL);
	s->first_neighbour = s->neighbours->n;
	for (size_t i = 0; i < profile->record.n; i++) {
		const struct profile_record *r = &profile->record.at[i];
		if (r->kind == SIS_RECORD_NEIGHBOUR)
			*vec_push(s->neighbours) = (struct neighbour){ r->comm, (uint32_t)r->peer };
	}
	vec_sort_from(s->neighbours, s->first_neighbour, by_comm);
	for (size_t i = 0; i < profile->record.n; i++)
		if (profile->record.at[i].slot < s->p->slots)
			classify_record(s, &profile->record.at[i]);
	pair_requests(s, &s->posts, &s->dones, &s->polls, add_end);
	pair_requests(s, &s->begun, &s->ended, &s->begun_polls, add_arrival);
	list_calls(s->p, &s->found->calls);
	free(s->phase);
	map_free(&s->comm_by_id);
	windows_next_process(s->windows);
}

static bool has_dropped(const struct process *p)
{
	for (size_t i = 0; i < p->profile.thread.n; i++)
		if (p->profile.thread.at[i].dropped_records)
			return true;
	return false;
}

/* Whether no two processes have the same rank. If two have the same rank, several MPI programs ran:
 * one spawned the other, or they ran one after the other. */
static bool ranks_are_unique(const struct experiment *x)
{
	for (size_t i = 1; i < x->model.process.n; i++) {
		int32_t rank = x->model.process.at[i].profile.head.mpi_rank;
		if (rank >= 0 && rank == x->model.process.at[i - 1].profile.head.mpi_rank)
			return false;
	}
	return true;
}

static void match_records(const struct experiment *x, struct experiment_match *m,
			  warning_list *warnings)
{
	arrivals collectives = { 0 };
	message_ends sends = { 0 }, receives = { 0 }, probes = { 0 };
	neighbour_list neighbours = { 0 };
	struct windows windows = { .x = x, .match = m };
	struct map comm_by_name = { 0 };
	bool all = true;
	for (size_t i = 0; i < x->model.process.n; i++) {
		struct record_classifier s = { .x = x,
					       .match = m,
					       .p = &x->model.process.at[i],
					       .found = &m->process.fill.at[i],
					       .comm_by_name = &comm_by_name,
					       .collectives = &collectives,
					       .neighbours = &neighbours,
					       .sends = &sends,
					       .receives = &receives,
					       .probes = &probes,
					       .windows = &windows };
		sort_process(&s);
		all &= s.cutoff == INT64_MAX;
	}
	m->estimates = !all;
	size_t lonely = match_collectives(x, m, &collectives, &sends, &receives, &probes,
					  &neighbours);
	lonely += match_messages(x, m, &sends, &receives, &probes);
	match_windows(&windows);
	if (lonely)
		warnings_add(warnings,
			     "%zu MPI operations could not be matched with their partners; "
			     "their waits are not separated from transfer",
			     lonely);
	m->complete = all && !lonely;
	if (m->estimates)
		match_estimate(x, m, warnings);
	for (size_t i = 0; i < x->model.process.n && m->estimates; i++)
		if (has_dropped(&x->model.process.at[i]))
			traffic_estimate(x, m, &x->model.process.at[i]);
	traffic_of_collectives(x, m);
	match_open_calls(x, m);
	vec_free(&collectives);
	vec_free(&neighbours);
	vec_free(&sends);
	vec_free(&receives);
	vec_free(&probes);
	map_free(&comm_by_name);
}

void match_waits(const struct experiment *x, struct experiment_match *m, warning_list *warnings)
{
	vec_alloc(&m->process.fill, x->model.process.n);
	if (ranks_are_unique(x))
		match_records(x, m, warnings);
	else
		warnings_add(warnings,
			     "several MPI programs ran in this experiment; waits between processes "
			     "cannot be attributed");
	match_order(x, m);
}

void match_release(struct experiment_match *m)
{
	for (size_t i = 0; i < m->process.n; i++) {
		struct process_match *p = &m->process.fill.at[i];
		vec_free(&p->waits), vec_free(&p->calls), vec_free(&p->phase);
	}
	vec_free(&m->process);
	for (size_t i = 0; i < m->communicator.n; i++)
		free(m->communicator.fill.at[i].name);
	vec_free(&m->communicator), vec_free(&m->traffic), map_free(&m->traffic_by_key);
	vec_free(&m->traffic_call);
	vec_free(&m->sync_event), vec_free(&m->blocked), vec_free(&m->sync_point);
	vec_free(&m->wait_state), vec_free(&m->matched_call);
}
