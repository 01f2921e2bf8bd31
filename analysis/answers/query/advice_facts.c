/* SPDX-License-Identifier: BSD-3-Clause */
/* advice_facts.c - loads the losses of an experiment with the numbers that decide which advice
 * fits. Owns the temporary table of places; one thread. */
#include "answers/query/advice_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/muldiv.h"
#include "answers/query/call_paths.h"

/* -- places ------------------------------------------------------------------------------------ */

static const char make_places[] =
	"CREATE TEMP TABLE advice_place "
	"(call_path INTEGER PRIMARY KEY, region INTEGER, place INTEGER)";

/* ?1 experiment, ?2 the least loss that is worth a line. A region that is called from everywhere
 * has many call paths, each of which may lose too little to be shown. So a region is divided into
 * its call paths only if the call paths that are shown have at least half of its losses. */
static const char fill_places[] =
	"INSERT INTO temp.advice_place "
	"WITH loss AS (SELECT c.call_path, o.ns FROM drg_node n "
	"JOIN overhead o ON o.drg_node = n.id JOIN temp.call_path_of c ON c.node = n.id "
	"WHERE n.experiment = ?1 AND o.leaf NOT IN " LEAVES("IS_OF_RUN") " "
	"UNION ALL SELECT c.call_path, d.ns FROM temp.reference_part d "
	"JOIN temp.call_path_of c ON c.node = d.node WHERE d.leaf <> 'OUNID'), "
	"part AS (SELECT h.id, h.region, sum(l.ns) AS ns FROM loss l "
	"JOIN temp.call_path h ON h.id = l.call_path GROUP BY h.id), "
	"divided AS (SELECT p.region FROM part p JOIN experiment e ON e.id = ?1 GROUP BY p.region "
	"HAVING count(*) = 1 "
	"OR 2 * sum(CASE WHEN p.ns / e.p >= ?2 THEN p.ns ELSE 0 END) >= sum(p.ns)) "
	"SELECT h.id, h.region, CASE WHEN d.region IS NULL THEN 0 ELSE h.id END "
	"FROM temp.call_path h LEFT JOIN divided d ON d.region = h.region WHERE h.experiment = ?1";

/* To count the units of places, SQLite would sort all summaries. So units are first counted by
 * node. Most places have one node. Units are counted again only in places with several nodes. */
static const char places[] =
	"WITH sum_of_node AS MATERIALIZED (SELECT n.id, count(s.pu) AS units, "
	"coalesce(sum(s.calls), 0) AS calls "
	"FROM drg_node n LEFT JOIN region_summary s ON s.drg_node = n.id "
	"WHERE n.experiment = ?1 GROUP BY n.id), "
	"node_of_place AS MATERIALIZED (SELECT a.region, a.place, n.id "
	"FROM drg_node n JOIN temp.call_path_of c ON c.node = n.id "
	"JOIN temp.advice_place a ON a.call_path = c.call_path AND a.region = n.region "
	"WHERE n.experiment = ?1), "
	"sum_of_place AS (SELECT k.region, k.place, count(*) AS nodes, sum(s.units) AS units, "
	"sum(s.calls) AS calls FROM node_of_place k JOIN sum_of_node s ON s.id = k.id "
	"GROUP BY k.region, k.place), "
	"units_of_place AS MATERIALIZED (SELECT k.region, k.place, count(DISTINCT m.pu) AS units "
	"FROM sum_of_place p JOIN node_of_place k ON k.region = p.region AND k.place = p.place "
	"JOIN region_summary m ON m.drg_node = k.id WHERE p.nodes > 1 "
	"GROUP BY k.region, k.place) "
	"SELECT p.region, p.place, r.type, coalesce(h.name, r.name), r.file, r.directory, "
	"r.checksum, r.line_start, "
	"CASE WHEN p.nodes > 1 THEN coalesce(u.units, 0) ELSE p.units END, p.calls, r.name, h.path "
	"FROM sum_of_place p JOIN region r ON r.id = p.region "
	"LEFT JOIN temp.call_path h ON h.id = p.place "
	"LEFT JOIN units_of_place u ON u.region = p.region AND u.place = p.place "
	"ORDER BY p.region, p.place";

static int take_place(void *arg, const struct cell *row, struct err *err)
{
	struct advice_losses *l = arg;
	(void)err;
	map_put(&l->by_place, (uint64_t)row[0].integer, (uint64_t)row[1].integer,
		(uint32_t)l->place.n, NULL);
	*vec_push(&l->place) = (struct advice_place){
		.region = row[0].integer,
		.call_path = row[1].integer,
		.region_name = mem_string(row[10].text),
		.name = mem_string(row[3].text),
		.path = row[11].kind == CELL_NULL ? NULL : mem_string(row[11].text),
		.file = mem_string(row[4].text),
		.directory = mem_string(row[5].text),
		.checksum = mem_string(row[6].text),
		.line = row[7].integer,
		.facts = { .type = sis_region_by_name(row[2].text, strlen(row[2].text)),
			   .units = (double)row[8].integer,
			   .calls = (double)row[9].integer },
	};
	return 0;
}

/* The place of a row, whose first cells are region and call path; NULL if there is no such
 * place. */
static struct advice_place *place_of(struct advice_losses *l, const struct cell *row)
{
	uint32_t at = map_get(&l->by_place, (uint64_t)row[0].integer, (uint64_t)row[1].integer);
	return at == MAP_NONE ? NULL : &l->place.at[at];
}

/* -- counts of places -------------------------------------------------------------------------- */

#define OF_PLACE(node) \
	"JOIN temp.call_path_of c ON c.node = " node ".id " \
	"JOIN temp.advice_place a ON a.call_path = c.call_path "

static const char parts[] =
	"SELECT a.region, a.place, "
	"sum(CASE WHEN r.type = 'RT_SCHED' THEN s.calls ELSE 0 END), "
	"sum(CASE WHEN r.type = 'CR_OMPORDERED' THEN s.calls ELSE 0 END) FROM drg_node n "
	"JOIN code_region r ON r.id = n.region AND r.type IN ('RT_SCHED', 'CR_OMPORDERED') "
	"JOIN drg_node w ON w.id = n.parent "
	"JOIN region_summary s ON s.drg_node = n.id " OF_PLACE("w")
	"WHERE n.experiment = ?1 GROUP BY a.region, a.place";

static int take_parts(void *arg, const struct cell *row, struct err *err)
{
	struct advice_place *place = place_of(arg, row);
	(void)err;
	if (place)
		place->facts.chunks = (double)row[2].integer,
		place->facts.ordered = (double)row[3].integer;
	return 0;
}

static const char errors[] =
	"SELECT a.region, a.place, sum(1.0 * e.excl_error_ns * e.excl_error_ns) FROM drg_node n "
	"JOIN estimate e ON e.drg_node = n.id " OF_PLACE("n")
	"WHERE n.experiment = ?1 GROUP BY a.region, a.place";

static int take_error(void *arg, const struct cell *row, struct err *err)
{
	struct advice_place *place = place_of(arg, row);
	(void)err;
	if (place)
		place->error_ns = sqrt(row[2].real);
	return 0;
}

/* Tasks that threads executed while they waited at a barrier. */
static const char tasks[] =
	"SELECT a.region, a.place, sum(s.calls) FROM drg_node n "
	"JOIN code_region r ON r.id = n.region AND r.type IN ('CR_OMPTASKBODY', 'RT_TASK') "
	"JOIN drg_node w ON w.id = n.parent "
	"JOIN code_region b ON b.id = w.region "
	"AND b.type IN ('RT_IBAR', 'RT_EBAR', 'CR_OMPBARRIER') "
	"JOIN region_summary s ON s.drg_node = n.id " OF_PLACE("w")
	"WHERE n.experiment = ?1 GROUP BY a.region, a.place";

static int take_tasks(void *arg, const struct cell *row, struct err *err)
{
	struct advice_place *place = place_of(arg, row);
	(void)err;
	if (place)
		place->facts.tasks = (double)row[2].integer;
	return 0;
}

static const char traffic[] =
	"SELECT a.region, a.place, "
	"sum(CASE WHEN m.name = 'MSGS_S' THEN m.value ELSE 0 END), "
	"sum(CASE WHEN m.name = 'MSGS_R' THEN m.value ELSE 0 END), "
	"sum(CASE WHEN m.name = 'BYTES_S' THEN m.value ELSE 0 END), "
	"sum(CASE WHEN m.name = 'BYTES_R' THEN m.value ELSE 0 END) "
	"FROM drg_node n JOIN region_summary s ON s.drg_node = n.id "
	"JOIN metric m ON m.region_summary = s.id AND m.nested = 0 " OF_PLACE("n")
	"WHERE n.experiment = ?1 AND m.value IS NOT NULL "
	"AND m.name IN ('MSGS_S', 'MSGS_R', 'BYTES_S', 'BYTES_R') GROUP BY a.region, a.place";

static int take_traffic(void *arg, const struct cell *row, struct err *err)
{
	struct advice_place *place = place_of(arg, row);
	(void)err;
	if (place) {
		place->facts.messages =
			fmax((double)row[2].integer, (double)row[3].integer);
		place->facts.bytes = fmax((double)row[4].integer, (double)row[5].integer);
	}
	return 0;
}

/* -- losses ------------------------------------------------------------------------------------ */

static const char losses[] =
	"SELECT a.region, a.place, o.leaf, sum(o.ns) / e.p FROM drg_node n "
	"JOIN experiment e ON e.id = ?1 JOIN overhead o ON o.drg_node = n.id " OF_PLACE("n")
	"WHERE n.experiment = ?1 AND o.leaf NOT IN " LEAVES("IS_OF_RUN") " "
	"GROUP BY a.region, a.place, o.leaf HAVING sum(o.ns) > 0 "
	"UNION ALL SELECT a.region, a.place, d.leaf, sum(d.ns) / e.p "
	"FROM temp.reference_part d JOIN experiment e ON e.id = ?1 "
	"JOIN temp.call_path_of c ON c.node = d.node "
	"JOIN temp.advice_place a ON a.call_path = c.call_path WHERE d.leaf <> 'OUNID' "
	"GROUP BY a.region, a.place, d.leaf HAVING sum(d.ns) > 0 ORDER BY 1, 2, 3";

static int take_loss(void *arg, const struct cell *row, struct err *err)
{
	struct advice_losses *l = arg;
	enum sis_overhead leaf = sis_overhead_by_name(row[2].text, strlen(row[2].text));
	uint32_t place = map_get(&l->by_place, (uint64_t)row[0].integer,
				 (uint64_t)row[1].integer);
	(void)err;
	if (place == MAP_NONE)
		return 0;
	map_put(&l->by_loss, place, leaf, (uint32_t)l->loss.n, NULL);
	*vec_push(&l->loss) = (struct advice_loss){ .place = place, .leaf = leaf,
						    .ns = row[3].integer };
	return 0;
}

/* -- causes of waits --------------------------------------------------------------------------- */

/* The largest cause of each loss comes first. A process counts as a doer of a call path if its
 * useful work there is at least a tenth of that of the process with most. If a culprit was late
 * because of MPI_Init, the whole wait counts as passed on, because the program is not its cause. */
static const char causes[] =
	"WITH worker AS (SELECT c.call_path, u.process, sum(s.useful_ns) AS ns FROM drg_node n "
	"JOIN temp.call_path_of c ON c.node = n.id "
	"JOIN region_summary s ON s.drg_node = n.id JOIN processing_unit u ON u.id = s.pu "
	"WHERE n.experiment = ?1 AND c.call_path IN (SELECT cause FROM temp.path_cause "
	"WHERE experiment = ?1) GROUP BY c.call_path, u.process), "
	"doers AS (SELECT w.call_path, count(*) AS n, "
	"1.0 * m.total / (m.ns * (SELECT count(DISTINCT process) FROM processing_unit "
	"WHERE experiment = ?1)) AS balance FROM worker w "
	"JOIN (SELECT call_path, max(ns) AS ns, sum(ns) AS total FROM worker "
	"GROUP BY call_path) m "
	"ON m.call_path = w.call_path AND w.ns * 10 >= m.ns AND w.ns > 0 GROUP BY w.call_path) "
	"SELECT a.region, a.place, w.leaf, sum(w.ns), sum(w.passed_ns), sum(w.indirect_ns), "
	"sum(w.wrong_order_ns), "
	"CASE WHEN r.type = 'RT_RUN' AND w.leaf <> 'OSYNC_FINWAIT' THEN 0 ELSE 1 END, "
	"coalesce(d.n, 0), r.type = 'CR_MPIINIT', coalesce(d.balance, 0.0), "
	"sum(w.no_processor_ns), h.path GLOB '*task body*' "
	"FROM temp.path_cause w JOIN temp.advice_place a ON a.call_path = w.call_path "
	"JOIN temp.call_path h ON h.id = w.cause JOIN code_region r ON r.id = h.region "
	"LEFT JOIN doers d ON d.call_path = w.cause "
	"WHERE w.experiment = ?1 GROUP BY a.region, a.place, w.leaf, w.cause "
	"ORDER BY a.region, a.place, w.leaf, sum(w.ns - w.passed_ns) DESC";

struct cause_taker { struct advice_losses *l; int64_t p; };

static int take_cause(void *arg, const struct cell *row, struct err *err)
{
	struct cause_taker *t = arg;
	enum sis_overhead leaf = sis_overhead_by_name(row[2].text, strlen(row[2].text));
	uint32_t place = map_get(&t->l->by_place, (uint64_t)row[0].integer,
				 (uint64_t)row[1].integer);
	uint32_t at = place == MAP_NONE ? MAP_NONE : map_get(&t->l->by_loss, place, leaf);
	(void)err;
	if (at == MAP_NONE)
		return 0;
	struct advice_loss *loss = &t->l->loss.at[at];
	double all = (double)loss->ns * (double)t->p;
	int64_t passed = row[9].integer ? row[3].integer : row[4].integer;
	int64_t lack = row[11].integer, indirect = row[5].integer,
		later = row[3].integer > 0 ? muldiv(indirect, lack, row[3].integer) : 0;
	loss->passed_ns = clamp_add(loss->passed_ns, passed / t->p);
	loss->indirect_ns = clamp_add(loss->indirect_ns, indirect / t->p);
	loss->no_processor_ns = clamp_add(loss->no_processor_ns, lack / t->p);
	loss->no_processor_later_ns = clamp_add(loss->no_processor_later_ns, later / t->p);
	if (!row[7].integer)
		return 0;
	if (loss->facts.known <= 0)
		loss->facts.doers = (double)row[8].integer,
		loss->facts.balance = row[10].real,
		loss->facts.in_task = row[12].integer;
	loss->facts.passed += (double)row[4].integer / all;
	loss->facts.known += (double)row[3].integer / all;
	loss->facts.wrong_order += (double)row[6].integer / all;
	return 0;
}

int advice_losses_load(struct advice_losses *l, struct repo *repo, int64_t experiment,
		       int64_t worth, struct err *err)
{
	struct cause_taker t = { .l = l };
	*l = (struct advice_losses){ .by_place = { 0 } };
	if (call_paths_load(repo, experiment, err) ||
	    repo_run(repo, err, "DROP TABLE IF EXISTS temp.advice_place", "") ||
	    repo_run(repo, err, make_places, "") ||
	    repo_run(repo, err, fill_places, "ii", experiment, worth) ||
	    repo_each(repo, take_place, l, err, places, "i", experiment) ||
	    repo_each(repo, take_parts, l, err, parts, "i", experiment) ||
	    repo_each(repo, take_error, l, err, errors, "i", experiment) ||
	    repo_each(repo, take_tasks, l, err, tasks, "i", experiment) ||
	    repo_each(repo, take_traffic, l, err, traffic, "i", experiment) ||
	    repo_each(repo, take_loss, l, err, losses, "i", experiment) ||
	    repo_number(repo, &t.p, err, "SELECT p FROM experiment WHERE id = ?", "i",
			experiment) < 0 ||
	    (t.p > 0 && repo_each(repo, take_cause, &t, err, causes, "i", experiment)))
		return ERR_FAILED;
	return 0;
}

void advice_losses_release(struct advice_losses *l)
{
	for (size_t i = 0; i < l->place.n; i++) {
		struct advice_place *place = &l->place.at[i];
		free(place->region_name), free(place->name), free(place->path);
		free(place->file), free(place->directory), free(place->checksum);
	}
	vec_free(&l->place), vec_free(&l->loss);
	map_free(&l->by_place), map_free(&l->by_loss);
}
