/* SPDX-License-Identifier: BSD-3-Clause */
/* computation.c - see computation.h. Owns nothing; one thread.
 *
 * The count of a region includes the counts of regions inside it. So a node's own events are its
 * count minus the counts of the nearest counted nodes below. The ground of a node is the part of
 * the call graph that its own events come from (drawn in counted_costs.c). Grounds without useful
 * work, such as calls of MPI, are left out, because their instructions are executed while waiting.
 *
 * If much of the useful work is outside of all grounds, or if the grounds contain much other time,
 * the counts do not describe the useful work. Then they are not known, and `missing` says why. */
#include "answers/query/computation.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "tables.h"
#include "repository/database/pu_leaves.h"

#define LEAST_COVERED 0.95 /* least part of the useful work that is in grounds */
#define MOST_MIXED 0.1     /* most other time in grounds, as a part of the work in them */

enum { INSTRUCTIONS, CYCLES, COUNTERS };
static const enum sis_metric counters[COUNTERS] = { M_TOT_INS, M_TOT_CYC };

struct visit {                  /* a node of a PU */
	/* this visit if it has counts, else the nearest visit above that has counts; MAP_NONE:
	 * none */
	uint32_t ground;
	double work, other;     /* ns in the ground */
	double own[COUNTERS];   /* events of the ground */
};

struct ground_plan {
	VEC(struct visit) visit;
	VEC(int64_t) above;     /* ids of the nodes' parents; 0: none */
	struct map by_node_and_pu;    /* (node, PU) -> index in `visit` */
	struct map by_node;     /* node -> index in `above` */
};

/* ?1 the experiment, ?2 and ?3 the counters; parents first. Time without a processor is subtracted,
 * because a thread then executes nothing. */
static const char visits[] =
	"SELECT n.id, coalesce(n.parent, 0), s.pu, s.excl_ns - coalesce((SELECT sum(o.ns) "
	"FROM overhead o WHERE o.drg_node = n.id AND o.pu = s.pu AND o.leaf = 'OLOSS_NOCPU'), 0), "
	"s.useful_ns + "
	"coalesce((SELECT sum(o.ns) FROM overhead o "
	"WHERE o.drg_node = n.id AND o.pu = s.pu AND o.leaf IN ("
#define SIS_COST(leaf, metric, ns, what) "'" #leaf "', "
#include "costs.def"
#undef SIS_COST
	"'')), 0), i.value, c.value FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"LEFT JOIN metric i ON i.region_summary = s.id AND i.name = ?2 "
	"LEFT JOIN metric c ON c.region_summary = s.id AND c.name = ?3 WHERE n.experiment = ?1 "
	"ORDER BY n.depth, n.id, s.pu";

/* The ground of the nearest node above in which the same PU was. */
static uint32_t ground_above(const struct ground_plan *p, int64_t node, int64_t pu)
{
	uint32_t at = MAP_NONE;
	while (node &&
	       (at = map_get(&p->by_node_and_pu, (uint64_t)node, (uint64_t)pu)) == MAP_NONE) {
		uint32_t up = map_get(&p->by_node, (uint64_t)node, 0);
		node = up == MAP_NONE ? 0 : p->above.at[up];
	}
	return node ? p->visit.at[at].ground : MAP_NONE;
}

static int take_visit(void *arg, const struct cell *row, struct err *err)
{
	struct ground_plan *p = arg;
	int64_t node = row[0].integer, parent = row[1].integer, pu = row[2].integer;
	uint32_t here = (uint32_t)p->visit.n, around = ground_above(p, parent, pu);
	bool counted = row[5].kind != CELL_NULL && row[6].kind != CELL_NULL, fresh;
	double work = (double)row[4].integer, other = (double)row[3].integer - work;
	(void)err;
	*vec_push(&p->visit) = (struct visit){ .ground = counted ? here : around };
	map_put(&p->by_node_and_pu, (uint64_t)node, (uint64_t)pu, here, NULL);
	map_put(&p->by_node, (uint64_t)node, 0, (uint32_t)p->above.n, &fresh);
	if (fresh)
		*vec_push(&p->above) = parent;
	for (int i = 0; i < COUNTERS && counted; i++) {
		p->visit.at[here].own[i] += (double)row[5 + i].integer;
		if (around != MAP_NONE)
			p->visit.at[around].own[i] -= (double)row[5 + i].integer;
	}
	if (p->visit.at[here].ground != MAP_NONE) {
		struct visit *ground = &p->visit.at[p->visit.at[here].ground];
		ground->work += work;
		ground->other += other > 0 ? other : 0;
	}
	return 0;
}

static void sum_up(struct computation *c, const struct ground_plan *p)
{
	double work = 0, other = 0;
	bool any = false;
	for (size_t i = 0; i < p->visit.n; i++) {
		const struct visit *visit = &p->visit.at[i];
		any |= visit->ground == i;
		if (visit->ground != i || visit->work <= 0)
			continue;
		work += visit->work;
		other += visit->other;
		c->instructions += visit->own[INSTRUCTIONS];
		c->cycles += visit->own[CYCLES];
	}
	if (!any)
		c->missing = mem_string("the instructions (TOT_INS) and cycles (TOT_CYC) were not "
					"counted; run with SIS_PMETRIC=TOT_INS,TOT_CYC on a "
					"machine that has these counters");
	else if (work < LEAST_COVERED * c->ns)
		c->missing = mem_print("only %.0f %% of the useful work is in regions that counted "
				       "TOT_INS and TOT_CYC; run with SIS_PMETRIC=TOT_INS,TOT_CYC, "
				       "which all count", 100 * work / (c->ns > 0 ? c->ns : 1));
	else if (other > MOST_MIXED * work)
		c->missing = mem_string("the regions that counted TOT_INS and TOT_CYC contain much "
					"that is no useful work; run with "
					"SIS_PMETRIC=TOT_INS,TOT_CYC, so that it is counted alone");
	else if (c->instructions <= 0 || c->cycles <= 0)
		c->missing = mem_string("no instructions or no cycles were counted in the useful "
					"work");
}

static const char work[] =
	"SELECT coalesce((SELECT sum(useful_ns) FROM processing_unit WHERE experiment = ?1), 0) + "
	"coalesce((SELECT sum(ns) FROM temp.pu_leaf WHERE experiment = ?1 AND leaf IN ("
#define SIS_COST(leaf, metric, ns, what) "'" #leaf "', "
#include "costs.def"
#undef SIS_COST
	"'')), 0)";

int computation_load(struct computation *c, struct repo *repo, int64_t experiment,
		     bool with_counters, struct err *err)
{
	struct ground_plan plan = { .visit = { 0 } };
	int64_t ns = 0;
	*c = (struct computation){ 0 };
	if (pu_leaves_load(repo, experiment, err) ||
	    repo_number(repo, &ns, err, work, "i", experiment) < 0)
		return ERR_FAILED;
	c->ns = (double)ns;
	/* Reads the visits only if cycles were counted at all. */
	int64_t counted = 0;
	int rc = 0;
	if (with_counters &&
	    repo_number(repo, &counted, err,
			"SELECT EXISTS (SELECT 1 FROM metric WHERE name = ?)", "t",
			sis_metric_table[counters[CYCLES]].name) < 0)
		rc = ERR_FAILED;
	if (rc == 0 && counted)
		rc = repo_each(repo, take_visit, &plan, err, visits, "itt", experiment,
			       sis_metric_table[counters[INSTRUCTIONS]].name,
			       sis_metric_table[counters[CYCLES]].name);
	if (rc == 0 && with_counters)
		sum_up(c, &plan);
	vec_free(&plan.visit), vec_free(&plan.above);
	map_free(&plan.by_node_and_pu), map_free(&plan.by_node);
	return rc;
}

int computation_load_mean(struct computation *c, struct repo *repo, const int64_t *experiment,
			  size_t n, bool with_counters, struct err *err)
{
	int rc = 0;
	*c = (struct computation){ 0 };
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct computation one = { 0 };
		rc = computation_load(&one, repo, experiment[i], with_counters, err);
		c->ns += one.ns / (double)n;
		c->instructions += one.instructions / (double)n;
		c->cycles += one.cycles / (double)n;
		if (one.missing && !c->missing)
			c->missing = mem_string(one.missing);
		computation_release(&one);
	}
	return rc;
}

void computation_release(struct computation *c)
{
	free(c->missing);
	*c = (struct computation){ 0 };
}
