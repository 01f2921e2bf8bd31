/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_costs.c - adds up the costs of probes along the call graph. Owns the list; one thread. A
 * node's parent has a smaller id (stored_check.c). So if nodes are visited in the order of falling
 * ids, each node adds its cost to that of its parent after all nodes below have added theirs. */
#include "answers/query/probe_costs.h"

#include <stdlib.h>

#include "base/clamp.h"

/* parent, first: indexes; MAP_NONE: none */
struct node { int64_t id, region; uint32_t parent, first; bool nested; };
/* The costs of one PU in a node; next: the next part of the same node. */
struct part { int64_t pu, own_ns, all_ns; uint32_t next; };

struct adder {
	VEC(struct node) node;    /* by id */
	struct map by_id;
	VEC(struct part) part;
	struct map part_by_node_and_pu;
	uint32_t last;            /* the node of the last row, which the next row often has, too */
	bool chosen;
};

static int take_node(void *arg, const struct cell *row, struct err *err)
{
	struct adder *a = arg;
	uint32_t parent = row[1].kind == CELL_NULL ?
		MAP_NONE :
		map_get(&a->by_id, (uint64_t)row[1].integer, 0);
	(void)err;
	map_put(&a->by_id, (uint64_t)row[0].integer, 0, (uint32_t)a->node.n, NULL);
	*vec_push(&a->node) = (struct node){ .id = row[0].integer, .region = row[2].integer,
					     .nested = row[3].integer, .parent = parent,
					     .first = MAP_NONE };
	return 0;
}

/* The part of a node and PU, which is made if it does not exist. Often this is the part that was
 * made last. */
static struct part *part_of(struct adder *a, struct node *node, int64_t pu)
{
	bool fresh;
	if (node->first != MAP_NONE && a->part.at[node->first].pu == pu)
		return &a->part.at[node->first];
	uint32_t i = map_put(&a->part_by_node_and_pu, (uint64_t)node->id, (uint64_t)pu,
			     (uint32_t)a->part.n, &fresh);
	if (fresh) {
		*vec_push(&a->part) = (struct part){ .pu = pu, .next = node->first };
		node->first = i;
	}
	return &a->part.at[i];
}

static void add_cost(struct adder *a, uint32_t node, int64_t pu, int64_t own_ns, int64_t all_ns)
{
	struct part *part = part_of(a, &a->node.at[node], pu);
	part->own_ns = clamp_add(part->own_ns, own_ns);
	part->all_ns = clamp_add(part->all_ns, all_ns);
}

static int take_cost(void *arg, const struct cell *row, struct err *err)
{
	struct adder *a = arg;
	int64_t ns = row[2].integer;
	(void)err;
	if (a->last >= a->node.n || a->node.at[a->last].id != row[0].integer)
		a->last = map_get(&a->by_id, (uint64_t)row[0].integer, 0);
	if (a->last != MAP_NONE && ns > 0)
		add_cost(a, a->last, a->chosen ? 0 : row[1].integer, ns, ns);
	return 0;
}

static void add_up(struct adder *a)
{
	for (uint32_t n = (uint32_t)a->node.n; n-- > 0;) {
		uint32_t parent = a->node.at[n].parent;
		for (uint32_t i = a->node.at[n].first; i != MAP_NONE && parent != MAP_NONE;) {
			struct part below = a->part.at[i];
			add_cost(a, parent, below.pu, 0, below.all_ns);
			i = below.next;
		}
	}
}

void probe_costs_add(struct probe_costs *c, int64_t item, const struct probe_cost *part)
{
	bool fresh;
	uint32_t i = map_put(&c->by_item_and_pu, (uint64_t)item, (uint64_t)part->pu,
			     (uint32_t)c->cost.n, &fresh);
	if (fresh)
		*vec_push(&c->cost) = (struct probe_cost){ .item = item, .pu = part->pu };
	struct probe_cost *cost = &c->cost.at[i];
	cost->own_ns = clamp_add(cost->own_ns, part->own_ns);
	cost->all_ns = clamp_add(cost->all_ns, part->all_ns);
}

static void keep_parts(struct probe_costs *c, const struct adder *a)
{
	for (size_t n = 0; n < a->node.n; n++) {
		const struct node *node = &a->node.at[n];
		bool outer = !c->by_region || !node->nested;
		for (uint32_t i = node->first; i != MAP_NONE; i = a->part.at[i].next) {
			const struct part *part = &a->part.at[i];
			const struct probe_cost cost = { .pu = part->pu, .own_ns = part->own_ns,
							 .all_ns = outer ? part->all_ns : 0 };
			probe_costs_add(c, c->by_region ? node->region : node->id, &cost);
		}
	}
}

#define COSTS \
	"SELECT o.drg_node, o.pu, o.ns FROM drg_node n JOIN overhead o ON o.drg_node = n.id " \
	"WHERE n.experiment = ? AND o.leaf = 'OPROBE'"
static const char of_all[] = COSTS;
static const char of_chosen[] = COSTS " AND o.pu IN (SELECT pu FROM temp.chosen_pu)";

int probe_costs_load(struct probe_costs *costs, struct repo *repo, int64_t experiment,
		     struct err *err)
{
	struct adder a = { .chosen = costs->chosen };
	int rc = repo_each(repo, take_node, &a, err,
			   "SELECT id, parent, region, nested FROM drg_node "
			   "WHERE experiment = ? ORDER BY id", "i", experiment);
	rc = rc ? rc :
		  repo_each(repo, take_cost, &a, err, a.chosen ? of_chosen : of_all, "i",
			    experiment);
	if (rc == 0) {
		add_up(&a);
		keep_parts(costs, &a);
	}
	vec_free(&a.node), map_free(&a.by_id);
	vec_free(&a.part), map_free(&a.part_by_node_and_pu);
	return rc;
}

struct probe_cost probe_costs_at(const struct probe_costs *costs, int64_t item, int64_t pu)
{
	uint32_t i = map_get(&costs->by_item_and_pu, (uint64_t)item, (uint64_t)pu);
	return i == MAP_NONE ? (struct probe_cost){ .item = item, .pu = pu } : costs->cost.at[i];
}

void probe_costs_release(struct probe_costs *costs)
{
	vec_free(&costs->cost);
	map_free(&costs->by_item_and_pu);
}

/* -- the critical path ------------------------------------------------------------------------- */

/* If a part of a node's exclusive time is on the critical path, the same part of the cost of the
 * node's probes is assumed to be on it. Cells of `row`: time on the path, exclusive time, cost of
 * probes in the exclusive time. */
static int take_part(void *arg, const struct cell *row, struct err *err)
{
	double *sum = arg;
	double on_path = (double)row[0].integer, whole = (double)row[1].integer,
	       cost = (double)row[2].integer;
	(void)err;
	if (on_path > 0 && cost > 0)
		*sum += cost < whole ? on_path * cost / whole : on_path;
	return 0;
}

/* CROSS JOIN makes SQLite begin with the path, which has few rows; OPROBE has a row for each
 * summary. */
static const char on_path[] =
	"SELECT c.ns, s.excl_ns, o.ns FROM drg_node n "
	"JOIN critical_path c ON c.drg_node = n.id "
	"CROSS JOIN overhead o ON o.drg_node = n.id AND o.pu = c.pu AND o.leaf = 'OPROBE' "
	"JOIN region_summary s ON s.drg_node = n.id AND s.pu = c.pu WHERE n.experiment = ?1";
/* With one unit, all of its time is on the critical path. */
static const char of_one_unit[] =
	"SELECT o.ns, o.ns, o.ns FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id AND o.leaf = 'OPROBE' WHERE n.experiment = ?1";

int probe_costs_of_t_p(int64_t *ns, struct repo *repo, int64_t experiment, struct err *err)
{
	int64_t units = 0, known = 0;
	double sum = 0;
	if (repo_number(repo, &units, err, "SELECT p FROM experiment WHERE id = ?", "i",
			experiment) < 0 ||
	    repo_number(repo, &known, err,
			"SELECT 1 FROM drg_node n JOIN critical_path c ON c.drg_node = n.id "
			"WHERE n.experiment = ? LIMIT 1", "i", experiment) < 0)
		return ERR_FAILED;
	*ns = COST_UNKNOWN;
	if (!known && units != 1)
		return 0;
	int rc = repo_each(repo, take_part, &sum, err, known ? on_path : of_one_unit, "i",
			   experiment);
	*ns = clamp_round(sum);
	return rc;
}

int t_p_without_probes(int64_t *ns, struct repo *repo, int64_t experiment, int64_t t_p,
		       struct err *err)
{
	int64_t cost;
	int rc = probe_costs_of_t_p(&cost, repo, experiment, err);
	*ns = rc || cost == COST_UNKNOWN ? COST_UNKNOWN : cost < t_p ? t_p - cost : 0;
	return rc;
}
