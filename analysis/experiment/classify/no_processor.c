/* SPDX-License-Identifier: BSD-3-Clause */
/* no_processor.c - finds the time in which threads were ready to run and had no processor. Called
 * by one thread; owns nothing.
 *
 * If a PU has the kernel's records of switches (struct sis_unscheduled), these say how long the PU
 * had no processor in each node. Otherwise the nodes are estimated as follows.
 *
 * A thread reads the kernel's count from time to time (rtlib/process/no_processor.c). So it is
 * known how long the thread had no processor between two readings, but not in which nodes. If the
 * thread waited in one node all this time, the runtime has recorded this node. Otherwise the lack
 * is distributed over the time between the readings. The times of calls of MPI are known, and
 * phases say in which other nodes the thread was. The rest of the lack is distributed over all
 * nodes of the PU.
 *
 *      readings |              7 ms             |  5 ms  |     3 ms    |
 *               |== solve, copy =====|~ Recv ~~~|~~~~~~~~|
 *                5 ms                 2 ms        5 ms    not known
 *
 * The time is taken from useful work, from the movement of data, from work for the purposes that
 * are leaves (IS_PURPOSE), and from the begin and the end of teams. A lack of a processor during a
 * wait stays part of the wait, because a processor would not have made the wait shorter. A lack
 * while threads or MPI are started is not moved, either. */
#include "experiment/classify/classify_internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/clamp.h"
#include "base/muldiv.h"
#include "base/sort.h"
#include "experiment/model/clock.h"
#include "experiment/model/phases.h"
#include "experiment/model/regions.h"

struct taking {
	const struct experiment *x;
	struct experiment_classify *c;
	/* by summary: time from which a lack may be taken; the lack of a processor */
	int64_t *room, *share;
	int64_t *rest; /* by PU: lacks whose node is not known */
	bool *recorded; /* by PU: whether the PU has the kernel's records of switches */
	size_t bookings; /* number of bookings before time is taken */
};

/* Whether the leaf is for time at the begin or the end of a team. A lack of processors makes this
 * time longer. */
static bool is_team_leaf(enum sis_overhead leaf)
{
	return leaf == OCTRL_FORK || leaf == OCTRL_JOIN;
}

/* Whether the booking is time in which the thread may have lacked a processor. Three kinds of
 * bookings are not: time asleep, in which a thread needs no processor; costs that are computed from
 * counts, such as the cost of probes; and time before and after the process. */
static bool is_time(const struct experiment *x, const struct booking *b)
{
	bool outside = b->node == x->model.root &&
		(b->leaf == OCTRL_SPAWN || b->leaf == OSYNC_FINWAIT);
	bool counted = sis_overhead_is_counted(b->leaf) ||
		(b->leaf == OPROBE && region_leaf(region_of_node(x, b->node)) != OPROBE);
	return b->ns > 0 && !outside && !counted && b->leaf != OLOSS_ASLEEP;
}

/* Finds the room of each summary. The room of a node is at most its exclusive time. Idle time
 * counts only as far as the other bookings leave room for it. */
static void find_room(struct taking *t)
{
	const struct experiment *x = t->x;
	int64_t *idle = mem_alloc(x->model.summary.n + 1, sizeof *idle);
	for (size_t s = 0; s < x->model.summary.n; s++)
		t->room[s] = t->c->useful_ns.at[s];
	for (size_t i = 0; i < t->bookings; i++) {
		const struct booking *b = &t->c->booking.at[i];
		uint32_t s = is_time(x, b) ? experiment_summary(x, b->node, b->pu) : INDEX_NONE;
		/* Idle time is time of a thread in the node only if this leaf is that of the region
		 * itself, such as a call of MPI or a barrier. Otherwise it is time in which no
		 * thread filled the slot. */
		bool was_idle = sis_overhead_is(b->leaf, IS_IDLE) &&
			region_leaf(region_of_node(x, b->node)) != b->leaf;
		if (s != INDEX_NONE)
			*(was_idle ? &idle[s] : &t->room[s]) += b->ns;
	}
	for (size_t s = 0; s < x->model.summary.n; s++) {
		int64_t left = clamp_subtract(x->model.summary.at[s].excl_ns, t->room[s]);
		if (left > 0)
			t->room[s] += smaller(idle[s], left);
	}
	free(idle);
}

/* -- estimating the nodes of a lack ------------------------------------------------------------ */

struct spreading { struct taking *t; const struct process *process; uint32_t pu; };

/* The summary of a node of the profile; INDEX_NONE if no time can be taken from it. */
static uint32_t summary_of(const struct spreading *k, uint32_t node)
{
	uint32_t global = node == NONE ? NONE : k->process->global[node];
	uint32_t s = global == NONE ? INDEX_NONE : experiment_summary(k->t->x, global, k->pu);
	return s != INDEX_NONE && k->t->room[s] > 0 ? s : INDEX_NONE;
}

/* Like summary_of, but returns INDEX_NONE for nodes of MPI, because spread_in_calls has already
 * distributed the part in calls of MPI. */
static uint32_t summary_of_entry(const struct spreading *k, const struct profile_phase *entry)
{
	uint32_t s = summary_of(k, entry->node);
	bool in_mpi = s != INDEX_NONE &&
		sis_region_in(region_of_node(k->t->x, k->t->x->model.summary.at[s].node)->type,
			      CR_MPI);
	return in_mpi ? INDEX_NONE : s;
}

/* Distributes `ns` over the entries of the phase, in proportion to their times. Returns the rest
 * that was not distributed. */
static int64_t spread_in_phase(const struct spreading *k, const struct phase_span *phase,
			       int64_t ns)
{
	const struct profile_phase *entry = k->process->profile.phase.at + phase->record->first;
	int64_t all = 0, left = ns;
	for (size_t i = 0; i < phase->record->entries; i++)
		if (summary_of_entry(k, &entry[i]) != INDEX_NONE)
			all += phase_entry_ns(k->process, phase, &entry[i]);
	for (size_t i = 0; i < phase->record->entries && all > 0; i++) {
		uint32_t s = summary_of_entry(k, &entry[i]);
		if (s == INDEX_NONE)
			continue;
		int64_t part = muldiv(ns, phase_entry_ns(k->process, phase, &entry[i]), all);
		k->t->share[s] += part;
		left -= part;
	}
	return left;
}

/* A lack of `ns` between two readings of the kernel's count. The times are nanoseconds of the
 * experiment. */
struct lack { uint32_t slot; int64_t begin, end, ns; };

/* Distributes the part of the lack that is in calls of MPI. Returns the lack that is left for the
 * time between the calls. */
static struct lack spread_in_calls(const struct spreading *k, struct lack lack)
{
	const calls *c = &k->t->x->match.process.at[k->process - k->t->x->model.process.at].calls;
	int64_t ns = lack.ns, done = lack.begin;
	for (size_t i = calls_find(c, lack.slot, lack.begin);
	     i < c->n && c->at[i].slot == lack.slot && c->at[i].enter < lack.end; i++) {
		/* a call that completes several requests is in the list several times */
		int64_t from = c->at[i].enter > done ? c->at[i].enter : done,
			in = smaller(c->at[i].exit, lack.end) - from;
		uint32_t s = summary_of(k, c->at[i].node);
		if (s == INDEX_NONE || in <= 0)
			continue;
		done = from + in;
		int64_t part = muldiv(ns, in, lack.end - lack.begin);
		k->t->share[s] += part;
		lack.ns -= part;
	}
	return lack;
}

static int64_t overlap(const struct phase_span *phase, const struct lack *lack)
{
	int64_t from = phase->begin > lack->begin ? phase->begin : lack->begin;
	return smaller(phase->end, lack->end) - from;
}

/* Distributes the lack over the phases, in proportion to their lengths. */
static void spread_in_phases(const struct spreading *k, const phase_spans *phases,
			     struct lack lack)
{
	size_t first = phases_find(phases, lack.slot, lack.begin), after = first;
	int64_t left = lack.ns, length = 0;
	for (; after < phases->n && phases->at[after].slot == lack.slot &&
	       phases->at[after].begin < lack.end; after++)
		length += overlap(&phases->at[after], &lack);
	for (size_t i = first; i < after && length > 0; i++) {
		int64_t part = muldiv(lack.ns, overlap(&phases->at[i], &lack), length);
		left -= part - spread_in_phase(k, &phases->at[i], part);
	}
	k->t->rest[k->pu] += left;
}

static bool is_root(const struct spreading *k, uint32_t node)
{
	return node == NONE || k->process->global[node] == k->t->x->model.root;
}

/* Whether the node of the lack is the begin or the end of a team. The kernel's records do not
 * contain such a lack, because at that time no thread filled the slot. */
static bool is_at_team(const struct spreading *k, uint32_t node)
{
	return !is_root(k, node) && k->process->global[node] != NONE &&
		is_team_leaf(region_leaf(region_of_node(k->t->x, k->process->global[node])));
}

static void spread_all(struct taking *t, const struct process *process)
{
	const struct profile *p = &process->profile;
	if (!p->no_processor.n)
		return;
	phase_spans phases = phases_list(process);
	for (size_t i = 0; i < p->no_processor.n; i++) {
		const struct profile_no_processor *counted = &p->no_processor.at[i];
		struct spreading k = { t, process, process->first_pu + counted->slot };
		if (counted->slot >= process->slots ||
		    (t->recorded[k.pu] && !is_at_team(&k, counted->node)))
			continue;
		int64_t begin = clock_ns(&process->clock, counted->enter),
			end = clock_ns(&process->clock, counted->exit);
		struct lack lack = { counted->slot, begin, end, smaller(counted->ns, end - begin) };
		uint32_t wait = is_root(&k, counted->node) ? INDEX_NONE :
			summary_of(&k, counted->node);
		if (lack.ns > 0 && wait != INDEX_NONE)
			t->share[wait] += lack.ns;
		else if (lack.ns > 0)
			spread_in_phases(&k, &phases, spread_in_calls(&k, lack));
	}
	vec_free(&phases);
}

/* -- nodes by the kernel's records ------------------------------------------------------------- */

/* Whether the entry says that all switches of its slot are known. If some switches were lost, the
 * kernel's counts are used instead. */
static bool is_recorded(const struct profile_unscheduled *s, const struct process *process)
{
	return s->node == NONE && s->slot < process->slots && !s->flags;
}

static void take_recorded(struct taking *t, const struct process *process)
{
	const struct profile *p = &process->profile;
	for (size_t i = 0; i < p->unscheduled.n; i++)
		if (is_recorded(&p->unscheduled.at[i], process))
			t->recorded[process->first_pu + p->unscheduled.at[i].slot] = true;
	for (size_t i = 0; i < p->unscheduled.n; i++) {
		const struct profile_unscheduled *s = &p->unscheduled.at[i];
		struct spreading k = { t, process, process->first_pu + s->slot };
		if (s->slot >= process->slots || !t->recorded[k.pu])
			continue;
		uint32_t at = summary_of(&k, s->node);
		if (at != INDEX_NONE)
			t->share[at] = clamp_add(t->share[at], (int64_t)s->preempted_ns);
		else if (s->node == NONE || !is_root(&k, s->node))
			t->rest[k.pu] = clamp_add(t->rest[k.pu],
						  (int64_t)s->preempted_ns);
	}
}

/* A short time without a processor may be recorded for a node above the right one
 * (rtlib/measure/sampling/switches.c). So if a node's share exceeds its room, the excess is divided
 * among the nodes below it, in proportion to their room that is left. Needs no recursion, because
 * summaries of parents come before those of their children. */
static void pass_down(struct taking *t)
{
	const struct experiment *x = t->x;
	size_t n = x->model.summary.n;
	int64_t *below = mem_alloc(n + 1, sizeof *below), *left = mem_alloc(n + 1, sizeof *left),
		*passed = mem_alloc(n + 1, sizeof *passed);
	uint32_t *above = mem_alloc(n + 1, sizeof *above);
	for (size_t s = n; s-- > 0;) {
		const struct summary *summary = &x->model.summary.at[s];
		uint32_t parent = x->model.node.at[summary->node].parent;
		above[s] = parent == NONE || !t->recorded[summary->pu] ?
			INDEX_NONE : experiment_summary(x, parent, summary->pu);
		int64_t room = t->share[s] < t->room[s] ? t->room[s] - t->share[s] : 0;
		left[s] = clamp_add(room, below[s]);
		if (above[s] != INDEX_NONE)
			below[above[s]] = clamp_add(below[above[s]], left[s]);
	}
	for (size_t s = 0; s < n; s++) {
		if (above[s] != INDEX_NONE && below[above[s]] > 0)
			t->share[s] = clamp_add(t->share[s], muldiv(passed[above[s]], left[s],
								    below[above[s]]));
		int64_t over = clamp_subtract(t->share[s], t->room[s]);
		passed[s] = over > 0 ? smaller(over, below[s]) : 0;
		t->share[s] -= passed[s];
	}
	free(below), free(left), free(passed), free(above);
}

/* Distributes the rest of each PU over all its summaries, in proportion to their room that is
 * left. */
static void spread_rest(struct taking *t)
{
	const struct experiment *x = t->x;
	int64_t *room = mem_alloc(x->model.pu.n + 1, sizeof *room);
	for (size_t s = 0; s < x->model.summary.n; s++) {
		uint32_t pu = x->model.summary.at[s].pu;
		int64_t over = t->share[s] - t->room[s];
		t->rest[pu] = clamp_add(t->rest[pu], over > 0 ? over : 0);
		t->share[s] -= over > 0 ? over : 0;
		room[pu] += t->room[s] - t->share[s];
	}
	for (size_t s = 0; s < x->model.summary.n; s++) {
		uint32_t pu = x->model.summary.at[s].pu;
		if (room[pu] > 0)
			t->share[s] += muldiv(smaller(t->rest[pu], room[pu]),
					      t->room[s] - t->share[s], room[pu]);
	}
	free(room);
}

/* -- moving the time to OLOSS_NOCPU ------------------------------------------------------------ */

static int64_t part_of(const struct taking *t, uint32_t s, int64_t ns)
{
	return ns > 0 && t->room[s] > 0 ? muldiv(t->share[s], ns, t->room[s]) : 0;
}

void take_no_processor(const struct experiment *x, struct experiment_classify *c)
{
	struct taking t = { .x = x, .c = c, .bookings = c->booking.n };
	t.room = mem_alloc(x->model.summary.n + 1, sizeof *t.room);
	t.share = mem_alloc(x->model.summary.n + 1, sizeof *t.share);
	t.rest = mem_alloc(x->model.pu.n + 1, sizeof *t.rest);
	t.recorded = mem_alloc(x->model.pu.n + 1, sizeof *t.recorded);
	find_room(&t);
	for (size_t i = 0; i < x->model.process.n; i++)
		take_recorded(&t, &x->model.process.at[i]);
	for (size_t i = 0; i < x->model.process.n; i++)
		spread_all(&t, &x->model.process.at[i]);
	pass_down(&t);
	spread_rest(&t);
	for (size_t i = 0; i < t.bookings; i++) {
		const struct booking b = c->booking.at[i];
		bool taken = is_time(x, &b) &&
			(sis_overhead_in(b.leaf, ODATA) || sis_overhead_is(b.leaf, IS_PURPOSE) ||
			 is_team_leaf(b.leaf));
		uint32_t s = taken ? experiment_summary(x, b.node, b.pu) : INDEX_NONE;
		int64_t part = s == INDEX_NONE ? 0 : part_of(&t, s, b.ns);
		classify_book(c, b.node, b.pu, b.leaf, -part);
		classify_book(c, b.node, b.pu, OLOSS_NOCPU, part);
	}
	for (uint32_t s = 0; s < x->model.summary.n; s++) {
		const struct summary *summary = &x->model.summary.at[s];
		int64_t part = part_of(&t, s, c->useful_ns.at[s]);
		c->useful_ns.fill.at[s] -= part;
		c->pu.fill.at[summary->pu].useful_ns -= part;
		classify_book(c, summary->node, summary->pu, OLOSS_NOCPU, part);
	}
	free(t.room), free(t.share), free(t.rest), free(t.recorded);
}

/* -- the source of the times ------------------------------------------------------------------- */

static void note_source(const struct experiment *x, warning_list *warnings)
{
	size_t recorded = 0, stopped = 0;
	uint64_t lost = 0;
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct process *process = &x->model.process.at[i];
		for (size_t k = 0; k < process->profile.unscheduled.n; k++) {
			const struct profile_unscheduled *s = &process->profile.unscheduled.at[k];
			recorded += is_recorded(s, process);
			stopped += s->node == NONE && s->flags & SIS_UNSCHEDULED_STOPPED;
			lost += s->node == NONE ? s->lost : 0;
		}
	}
	char *why = !lost && !stopped ? mem_string("") :
		mem_print("; %" PRIu64 " records were lost, and for %zu they were stopped, because "
			  "they cost more than SIS_OVERHEAD allows", lost, stopped);
	if (recorded == x->model.pu.n && !lost)
		warnings_add_of(warnings, WARNING_LACK,
				"known by the kernel's records of switches");
	else if (recorded == x->model.pu.n)
		warnings_add_of(warnings, WARNING_LACK,
				"known by the kernel's records of switches; in place of %" PRIu64
				" that were lost its counts are used, in the regions where their "
				"threads were seen", lost);
	else if (!recorded)
		warnings_add_of(warnings, WARNING_LACK, "estimated from the kernel's counts%s",
				why);
	else
		warnings_add_of(warnings, WARNING_LACK,
				"estimated from the kernel's counts for %zu of %zu processing "
				"units, and known by its records of switches for the others%s",
				x->model.pu.n - recorded, x->model.pu.n, why);
	free(why);
}

/* -- warning of processes without counts ------------------------------------------------------- */

void warn_no_processor(const struct experiment *x, warning_list *warnings)
{
	size_t processes = 0;
	unsigned long long switches = 0;
	note_source(x, warnings);
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct profile *p = &x->model.process.at[i].profile;
		const char *count = profile_first_text(p, "involuntary");
		processes += count != NULL;
		switches += count ? strtoull(count, NULL, 10) : 0;
	}
	if (processes)
		warnings_add_of(warnings, WARNING_PROCESSOR,
				"the kernel has no /proc/thread-self/schedstat for %zu of %zu "
				"processes: how long their threads had no processor is not known; "
				"they lost one %llu times", processes, x->model.process.n,
				switches);
}
