/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.c - finds the actions that gain most. Owns the list of actions; one thread.
 *
 * Each loss, one leaf in one place, gets the first row of advice.def that fits. Losses in one place
 * with the same row are one action. So are small losses with the same row in several places, which
 * together are worth a change. */
#include "query/advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"

/* -- the table --------------------------------------------------------------------------------- */

const struct advice_info advice_table[ADVICES] = {
#define SIS_ADVICE(name, loss, condition, remains, finding, remedy) \
	{ #name, finding, remedy, loss },
#include "advice.def"
#undef SIS_ADVICE
};

/* The rows as functions: whether the condition holds, and what remains of the loss. */
#define SIS_ADVICE(name, loss, condition, remains, finding, remedy) \
	static bool fits_##name(enum sis_overhead leaf, const struct advice_facts *f) \
	{ \
		(void)leaf, (void)f; \
		return condition; \
	} \
	static double remains_##name(const struct advice_facts *f) \
	{ \
		(void)f; \
		return remains; \
	}
#include "advice.def"
#undef SIS_ADVICE

static const struct {
	bool (*fits)(enum sis_overhead leaf, const struct advice_facts *f);
	double (*remains)(const struct advice_facts *f);
} rules[ADVICES] = {
#define SIS_ADVICE(name, loss, condition, remains, finding, remedy) \
	{ fits_##name, remains_##name },
#include "advice.def"
#undef SIS_ADVICE
};

/* No part of the program is where a process begins, or where the runtime works. */
static bool has_remedy(enum sis_overhead leaf, const struct advice_facts *f)
{
	return leaf == OLOSS_NOCPU || leaf == OPROBE ||
		(f->type != RT_RUN && f->type != RT_PROBE && f->type != CR_NONE);
}

enum advice advice_choose(enum sis_overhead leaf, const struct advice_facts *f, double *remains)
{
	*remains = f->seconds;
	for (int i = 0; i < ADVICES && has_remedy(leaf, f); i++) {
		if (!sis_overhead_in(leaf, advice_table[i].loss) || !rules[i].fits(leaf, f))
			continue;
		*remains = rules[i].remains(f);
		return i;
	}
	return ADVICE_NONE;
}

/* -- actions ----------------------------------------------------------------------------------- */

struct finder {
	struct actions *a;
	struct advice_facts run;  /* the facts of the run; those of places are zero */
	int64_t worth;            /* the least gain, ns */
	int64_t lack;             /* time without a processor, ns ... */
	int64_t waits;            /* ... and others' waits for such threads */
};

/* Threads without a processor also start late and answer late, and come late where that is not
 * recorded. If they are more than the processors, any such loss may be due to this. The causes of
 * other waits say how much of them is. */
static bool is_explained(const struct finder *f, const struct advice_loss *loss)
{
	enum sis_overhead leaf = loss->leaf;
	bool crowded = f->run.processors > 0 && f->run.p > f->run.processors;
	bool possible = sis_overhead_in(leaf, OCTRL) || sis_overhead_in(leaf, ODATA_COMM) ||
		sis_overhead_in(leaf, ODATA_RMA) ||
		(sis_overhead_in(leaf, OSYNC) && loss->facts.known < 0.5);
	return f->lack >= f->worth && possible && (crowded || loss->ns <= f->lack);
}

static struct action make_action(const struct advice_place *place, enum advice advice,
				 enum sis_overhead leaf)
{
	const char *directory = place->directory;
	return (struct action){
		.advice = advice,
		.region = mem_string(place->region_name),
		.name = mem_string(place->name),
		.file = mem_string(place->file),
		.path = directory[0] ? mem_print("%s/%s", directory, place->file) :
				       mem_string(place->file),
		.checksum = mem_string(place->checksum),
		.call_path_text = place->path ? mem_string(place->path) : NULL,
		.region_id = place->region,
		.call_path = place->call_path,
		.line = place->line,
		.places = 1,
		.calls = place->facts.calls,
		.messages = place->facts.messages,
		.bytes = place->facts.bytes,
		.leaf = leaf,
	};
}

static struct action make_run_action(enum advice advice, enum sis_overhead leaf)
{
	static char run[] = "the run", nothing[] = "";
	const struct advice_place place = { .region_name = run, .name = run, .file = nothing,
					    .directory = nothing, .checksum = nothing };
	return make_action(&place, advice, leaf);
}

/* The smallest node of the tree that has both leaves and is not above the row's. */
static enum sis_overhead join_leaves(enum advice advice, enum sis_overhead a, enum sis_overhead b)
{
	while (a != advice_table[advice].loss && !sis_overhead_in(b, a))
		a = sis_overhead_table[a].parent;
	return a;
}

/* ns: what would be gained if nothing remained */
static void add_loss(struct action *a, const struct advice_loss *loss, int64_t ns, double remains)
{
	int64_t rest = remains > 0 ? clamp_round(remains * 1e9) : 0;
	a->leaf = join_leaves(a->advice, a->leaf, loss->leaf);
	a->loss_ns = clamp_add(a->loss_ns, loss->ns);
	int64_t direct = clamp_subtract(clamp_subtract(loss->ns, loss->passed_ns),
					loss->no_processor_ns);
	a->direct_ns = clamp_add(a->direct_ns, direct > 0 ? direct : 0);
	a->ns = clamp_add(a->ns, rest < ns ? ns - rest : 0);
}

static void release_action(struct action *a)
{
	free(a->region), free(a->name), free(a->file), free(a->path), free(a->checksum);
	free(a->call_path_text);
	cause_release(&a->cause);
}

static struct action *action_of(struct actions *a, const struct advice_place *place,
				enum advice advice, enum sis_overhead leaf)
{
	for (size_t i = a->list.n; i-- > 0;) {
		struct action *same = &a->list.at[i];
		if (same->region_id != place->region || same->call_path != place->call_path)
			break; /* losses are ordered by place */
		if (same->advice == advice)
			return same;
	}
	*vec_push(&a->list) = make_action(place, advice, leaf);
	return &a->list.at[a->list.n - 1];
}

static struct advice_facts facts_of(const struct finder *f, const struct advice_place *place,
				    const struct advice_loss *loss, int64_t ns)
{
	struct advice_facts facts = place->facts;
	facts.seconds = (double)ns / 1e9;
	facts.t_p = f->run.t_p, facts.p = f->run.p, facts.processes = f->run.processes;
	facts.processors = f->run.processors, facts.useful = f->run.useful;
	facts.known = loss->facts.known;
	facts.wrong_order = loss->facts.wrong_order, facts.doers = loss->facts.doers;
	facts.balance = loss->facts.balance;
	facts.passed = loss->facts.passed, facts.in_task = loss->facts.in_task;
	return facts;
}

static int64_t lack_of(const struct advice_loss *loss)
{
	return clamp_add(loss->no_processor_ns, loss->no_processor_later_ns);
}

/* If the culprit of a wait waited itself, the time can be gained where this second wait has its
 * cause, not here. If it had no processor, nothing can be gained in the program. */
static int64_t own_ns(const struct advice_loss *loss)
{
	int64_t own = clamp_add(clamp_subtract(loss->ns, loss->passed_ns), loss->indirect_ns);
	own = clamp_subtract(own, lack_of(loss));
	return own > 0 ? own : 0;
}

static void take_loss(struct finder *f, const struct advice_place *place,
		      const struct advice_loss *loss)
{
	double remains;
	int64_t ns = own_ns(loss);
	struct advice_facts facts = facts_of(f, place, loss, ns);
	if (place->facts.type == CR_MPIINIT)
		f->a->start_ns = clamp_add(f->a->start_ns, loss->ns);
	f->waits = clamp_add(f->waits, lack_of(loss));
	if (is_explained(f, loss)) {
		f->a->withheld_ns = clamp_add(f->a->withheld_ns, loss->ns);
		return;
	}
	enum advice advice = advice_choose(loss->leaf, &facts, &remains);
	if (advice != ADVICE_NONE)
		add_loss(action_of(f->a, place, advice, loss->leaf), loss, ns, remains);
}

static void take_run_loss(struct finder *f, enum sis_overhead leaf, int64_t ns)
{
	double remains;
	struct advice_facts facts = f->run;
	facts.seconds = (double)ns / 1e9;
	if (ns <= 0 || ns < f->worth)
		return;
	struct action action = make_run_action(advice_choose(leaf, &facts, &remains), leaf);
	add_loss(&action, &(struct advice_loss){ .leaf = leaf, .ns = ns }, ns, remains);
	*vec_push(&f->a->list) = action;
}

/* -- order ------------------------------------------------------------------------------------- */

/* A lack of processors comes last: it says nothing of the program. */
static int by_gain(const void *va, const void *vb)
{
	const struct action *a = va, *b = vb;
	return ORDER(a->leaf == OLOSS_NOCPU, b->leaf == OLOSS_NOCPU) ?: ORDER(b->ns, a->ns) ?:
		ORDER(a->region_id, b->region_id) ?: ORDER(a->call_path, b->call_path) ?:
		ORDER(a->advice, b->advice);
}

/* Small losses of one kind are one action, in the largest of their places. */
static void join_small(struct finder *f)
{
	struct action *first[ADVICES] = { NULL };
	struct actions *a = f->a;
	for (size_t i = 0; i < a->list.n; i++) {
		struct action *action = &a->list.at[i];
		struct action *largest = first[action->advice];
		if (action->ns >= f->worth)
			continue;
		if (!largest) {
			first[action->advice] = action;
			continue;
		}
		largest->places++;
		largest->calls += action->calls;
		largest->messages += action->messages, largest->bytes += action->bytes;
		largest->leaf = join_leaves(action->advice, largest->leaf, action->leaf);
		largest->loss_ns = clamp_add(largest->loss_ns, action->loss_ns);
		largest->direct_ns = clamp_add(largest->direct_ns, action->direct_ns);
		largest->ns = clamp_add(largest->ns, action->ns);
		action->ns = 0;
	}
}

static void keep_largest(struct finder *f)
{
	struct actions *a = f->a;
	vec_sort(&a->list, by_gain);
	join_small(f);
	vec_sort(&a->list, by_gain);
	struct action lack = { .leaf = O_NONE };
	if (a->list.n && a->list.at[a->list.n - 1].leaf == OLOSS_NOCPU)
		lack = a->list.at[--a->list.n];
	while (a->list.n > ACTIONS_MOST ||
	       (a->list.n && a->list.at[a->list.n - 1].ns < f->worth))
		release_action(&a->list.at[--a->list.n]);
	if (lack.leaf != O_NONE)
		*vec_push(&a->list) = lack;
}

/* -- the whole --------------------------------------------------------------------------------- */

static int load_run(struct finder *f, struct repo *repo, int64_t experiment, struct err *err)
{
	int64_t processes = 0;
	int rc = repo_number(repo, &processes, err,
			     "SELECT count(DISTINCT process) FROM processing_unit "
			     "WHERE experiment = ?", "i", experiment);
	f->run.processes = (double)processes;
	return rc < 0 ? ERR_FAILED : 0;
}

/* The causes of an action in several places are many. */
static int load_causes(struct actions *a, struct repo *repo, int64_t experiment, struct err *err)
{
	for (size_t i = 0; i < a->list.n; i++) {
		struct action *action = &a->list.at[i];
		const struct wait_place waits = { action->region_id, action->call_path,
						  action->leaf, action->direct_ns };
		if (action->region_id && action->places == 1 &&
		    cause_load(&action->cause, repo, experiment, &waits, err))
			return ERR_FAILED;
	}
	return 0;
}

static bool is_in(const struct map *regions, int64_t region)
{
	return !regions || map_get(regions, (uint64_t)region, 0) != MAP_NONE;
}

int actions_load(struct actions *a, struct repo *repo, int64_t experiment,
		 const struct overheads *o, int64_t processors, const struct map *regions,
		 struct err *err)
{
	struct advice_losses losses = { .by_place = { 0 } };
	struct finder f = { .a = a, .worth = o->t_p / ACTIONS_WORTH, .lack = o->ns[OLOSS_NOCPU],
			    .run = { .t_p = (double)o->t_p / 1e9, .p = (double)o->p,
				     .processors = (double)processors,
				     .useful = (double)o->useful / 1e9 } };
	*a = (struct actions){ .start_ns = o->ns[OCTRL_SPAWN] };
	int rc = load_run(&f, repo, experiment, err);
	rc = rc ? rc : advice_losses_load(&losses, repo, experiment, f.worth, err);
	take_run_loss(&f, OPROBE, regions ? 0 : o->ns[OPROBE]);
	for (size_t i = 0; i < losses.loss.n; i++) {
		const struct advice_place *place = &losses.place.at[losses.loss.at[i].place];
		if (is_in(regions, place->region))
			take_loss(&f, place, &losses.loss.at[i]);
	}
	take_run_loss(&f, OLOSS_NOCPU, regions ? 0 : clamp_add(f.lack, f.waits));
	advice_losses_release(&losses);
	keep_largest(&f);
	return rc ? rc : load_causes(a, repo, experiment, err);
}

void actions_release(struct actions *a)
{
	for (size_t i = 0; i < a->list.n; i++)
		release_action(&a->list.at[i]);
	vec_free(&a->list);
}
