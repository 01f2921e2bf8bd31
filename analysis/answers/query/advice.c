/* SPDX-License-Identifier: BSD-3-Clause */
/* advice.c - finds the actions that gain most. Owns the list of actions; one thread.
 *
 * A loss is one leaf in one place. It gets the first row of advice.def that fits. Losses in one
 * place with the same row are one action. Small losses in several places with the same row are one
 * action, too, if only together they are worth a change. */
#include "answers/query/advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/sort.h"

/* -- the table of advice ----------------------------------------------------------------------- */

const struct advice_info advice_table[ADVICES] = {
#define SIS_ADVICE(name, loss, condition, remains, finding, remedy) \
	{ #name, finding, remedy, loss },
#include "advice.def"
#undef SIS_ADVICE
};

/* Makes two functions of each row: whether the condition holds, and what remains of the loss. */
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

enum advice advice_choose(enum sis_overhead leaf, const struct advice_facts *f, double *remains)
{
	*remains = f->seconds;
	/* The begin of a process, and the work of the runtime, are no part of the program that
	 * could be changed. */
	if (!sis_overhead_is(leaf, IS_OF_RUN) &&
	    (f->type == RT_RUN || f->type == RT_PROBE || f->type == CR_NONE))
		return ADVICE_NONE;
	for (int i = 0; i < ADVICES; i++) {
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
	struct advice_facts run;  /* the facts of the run; facts of places are zero */
	int64_t worth;            /* the least gain that is worth a change, ns */
	int64_t lack;             /* time of threads without a processor, ns */
	int64_t waits;            /* time of others that waited for such threads, ns */
};

/* Whether a lack of processors may explain a loss. A thread without a processor starts late and
 * answers late, and others wait for it at places where the cause of a wait is not recorded. If
 * there are more threads than processors, any such loss may be due to the lack. If causes are
 * recorded for most of the waits, the causes tell how much is due to the lack, so the result is
 * false. */
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
		.is_sampled = place->facts.type == CR_SAMPLED,
		.places = 1,
		.calls = place->facts.calls,
		.messages = place->facts.messages,
		.bytes = place->facts.bytes,
		.leaf = leaf,
	};
}

/* The lowest node of the overhead tree that contains both leaves. The search ends at the node that
 * the row of advice.def names. */
static enum sis_overhead join_leaves(enum advice advice, enum sis_overhead a, enum sis_overhead b)
{
	while (a != advice_table[advice].loss && !sis_overhead_in(b, a))
		a = sis_overhead_table[a].parent;
	return a;
}

/* Adds a loss to an action. ns: the gain if nothing of the loss remained. */
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
			break; /* losses are ordered by place, so this place has no more */
		if (same->advice == advice)
			return same;
	}
	*vec_push(&a->list) = make_action(place, advice, leaf);
	return &a->list.at[a->list.n - 1];
}

static int64_t lack_of(const struct advice_loss *loss)
{
	return clamp_add(loss->no_processor_ns, loss->no_processor_later_ns);
}

static void take_loss(struct finder *f, const struct advice_place *place,
		      const struct advice_loss *loss)
{
	double remains;
	/* If the culprit of a wait waited itself, the time can be gained only where the culprit's
	 * wait has its cause. If the culprit had no processor, no change of the program gains this
	 * time. */
	int64_t ns = clamp_add(clamp_subtract(loss->ns, loss->passed_ns), loss->indirect_ns);
	ns = clamp_subtract(ns, lack_of(loss));
	ns = ns > 0 ? ns : 0;
	struct advice_facts facts = place->facts;
	facts.seconds = (double)ns / 1e9;
	facts.t_p = f->run.t_p, facts.p = f->run.p, facts.processes = f->run.processes;
	facts.processors = f->run.processors, facts.useful = f->run.useful;
	facts.known = loss->facts.known;
	facts.wrong_order = loss->facts.wrong_order, facts.doers = loss->facts.doers;
	facts.balance = loss->facts.balance;
	facts.passed = loss->facts.passed, facts.in_task = loss->facts.in_task;
	if (place->facts.type == CR_MPIINIT)
		f->a->start_ns = clamp_add(f->a->start_ns, loss->ns);
	f->waits = clamp_add(f->waits, lack_of(loss));
	if (is_explained(f, loss)) {
		f->a->withheld_ns = clamp_add(f->a->withheld_ns, loss->ns);
		return;
	}
	if (2 * place->error_ns > (double)loss->ns * f->run.p) {
		f->a->uncertain_ns = clamp_add(f->a->uncertain_ns, loss->ns);
		if (place->facts.type == CR_SAMPLED)
			f->a->sampled_ns = clamp_add(f->a->sampled_ns, loss->ns);
		return;
	}
	enum advice advice = advice_choose(loss->leaf, &facts, &remains);
	if (advice != ADVICE_NONE)
		add_loss(action_of(f->a, place, advice, loss->leaf), loss, ns, remains);
}

static void take_run_loss(struct finder *f, enum sis_overhead leaf, int64_t ns)
{
	static char run[] = "the run", nothing[] = "";
	const struct advice_place place = { .region_name = run, .name = run, .file = nothing,
					    .directory = nothing, .checksum = nothing };
	double remains;
	struct advice_facts facts = f->run;
	facts.seconds = (double)ns / 1e9;
	if (ns <= 0 || ns < f->worth)
		return;
	struct action action = make_action(&place, advice_choose(leaf, &facts, &remains), leaf);
	add_loss(&action, &(struct advice_loss){ .leaf = leaf, .ns = ns }, ns, remains);
	*vec_push(&f->a->list) = action;
}

/* -- order of the actions ---------------------------------------------------------------------- */

/* A lack of processors comes last, because the program is not its cause. */
static int by_gain(const void *va, const void *vb)
{
	const struct action *a = va, *b = vb;
	return ORDER(a->leaf == OLOSS_NOCPU, b->leaf == OLOSS_NOCPU) ?: ORDER(b->ns, a->ns) ?:
		ORDER(a->region_id, b->region_id) ?: ORDER(a->call_path, b->call_path) ?:
		ORDER(a->advice, b->advice);
}

/* Joins small losses with the same advice to one action, in the largest of their places. */
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

/* -- loading the actions ----------------------------------------------------------------------- */

static const char setup[] =
	"SELECT coalesce(sum(o.ns), 0) FROM drg_node n "
	"JOIN code_region r ON r.id = n.region AND r.type = 'RT_PROBE' "
	"JOIN overhead o ON o.drg_node = n.id AND o.leaf = 'OPROBE' WHERE n.experiment = ?";

int actions_load(struct actions *a, struct repo *repo, int64_t experiment,
		 const struct overheads *o, int64_t processors, const struct map *regions,
		 struct err *err)
{
	struct advice_losses losses = { .by_place = { 0 } };
	struct finder f = { .a = a, .worth = o->t_p / ACTIONS_WORTH, .lack = o->ns[OLOSS_NOCPU],
			    .run = { .t_p = (double)o->t_p / 1e9, .p = (double)o->p,
				     .processors = (double)processors,
				     .useful = (double)o->useful / 1e9 } };
	int64_t processes = 0, setup_ns = 0;
	*a = (struct actions){ .start_ns = o->ns[OCTRL_SPAWN] };
	int rc = repo_number(repo, &processes, err,
			     "SELECT count(DISTINCT process) FROM processing_unit "
			     "WHERE experiment = ?", "i", experiment) < 0 ? ERR_FAILED : 0;
	rc = rc || repo_number(repo, &setup_ns, err, setup, "i", experiment) < 0 ? ERR_FAILED : 0;
	f.run.processes = (double)processes;
	f.run.setup = o->p ? (double)setup_ns / 1e9 / (double)o->p : 0;
	rc = rc ? rc : advice_losses_load(&losses, repo, experiment, f.worth, err);
	take_run_loss(&f, OPROBE, regions ? 0 : o->ns[OPROBE]);
	for (size_t i = 0; i < losses.loss.n; i++) {
		const struct advice_place *place = &losses.place.at[losses.loss.at[i].place];
		if (!regions || map_get(regions, (uint64_t)place->region, 0) != MAP_NONE)
			take_loss(&f, place, &losses.loss.at[i]);
	}
	take_run_loss(&f, OLOSS_NOCPU, regions ? 0 : clamp_add(f.lack, f.waits));
	advice_losses_release(&losses);
	keep_largest(&f);
	for (size_t i = 0; rc == 0 && i < a->list.n; i++) {
		struct action *action = &a->list.at[i];
		const struct wait_place waits = { action->region_id, action->call_path,
						  action->leaf, action->direct_ns };
		/* an action in several places has too many causes to name one */
		if (action->region_id && action->places == 1)
			rc = cause_load(&action->cause, repo, experiment, &waits, err);
	}
	return rc;
}

void actions_release(struct actions *a)
{
	for (size_t i = 0; i < a->list.n; i++)
		release_action(&a->list.at[i]);
	vec_free(&a->list);
}
