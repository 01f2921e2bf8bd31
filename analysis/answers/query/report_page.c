/* SPDX-License-Identifier: BSD-3-Clause */
/* report_page.c - loads all that a report shows. One thread; owns the page. */
#include "answers/query/report_page.h"

#include "base/clamp.h"
#include "answers/query/call_paths.h"
#include "answers/query/processors.h"
#include "answers/query/report_scope.h"

static const struct column shape_columns[] = {
	{ "processes", "", CELL_INTEGER }, { "threads", "", CELL_INTEGER },
	{ "nodes", "", CELL_INTEGER },	   { "useful_max", "", CELL_INTEGER },
	{ "command", "", CELL_TEXT },	   { "estimated", "", CELL_SECONDS },
	{ "clock", "", CELL_TEXT },
};
static const char shape[] =
	"SELECT count(DISTINCT process), max(thread) + 1, count(DISTINCT node), max(useful_ns), "
	"(SELECT command FROM experiment WHERE id = ?1), "
	"(SELECT critical_estimated_ns FROM experiment WHERE id = ?1), "
	"(SELECT clock FROM experiment WHERE id = ?1) "
	"FROM processing_unit "
	"WHERE experiment = ?1";

static const struct column region_columns[] = {
	{ "region", NULL, CELL_TEXT },		  { "name", "region", CELL_TEXT },
	{ "place", "place", CELL_TEXT },
	{ "useful", "useful [s]", CELL_SECONDS }, { "overhead", "overhead [s]", CELL_SECONDS },
	{ "mostly", "mostly", CELL_TEXT },
};
/* The regions of the source that lose most. The time of nodes that the runtime adds below a region
 * counts for the region. Useful work counts as lost, too, if it is an overhead according to the
 * reference runs. Times are divided by p. A call in a file of MPI wrappers has a row for each
 * caller outside of the file. The begin and end of MPI, time in no region, and the runtime's own
 * time are left out, because the program cannot change them. */
static const char worst[] =
	"WITH wrapped AS MATERIALIZED (SELECT k.node, h.region, h.outside "
	"FROM temp.call_path h JOIN temp.call_path_of c ON c.call_path = h.id "
	"JOIN temp.report_node k ON k.node = c.node "
	"WHERE h.experiment = ?1 AND h.outside IS NOT NULL), "
	"part AS (SELECT region, NULL AS outside, leaf, ns FROM temp.region_part "
	"WHERE region NOT IN (SELECT region FROM wrapped) "
	"UNION ALL SELECT w.region, w.outside, NULL, sum(s.useful_ns) FROM wrapped w "
	"JOIN region_summary s ON s.drg_node = w.node GROUP BY w.region, w.outside "
	"UNION ALL SELECT w.region, w.outside, o.leaf, sum(o.ns) FROM wrapped w "
	"JOIN overhead o ON o.drg_node = w.node GROUP BY w.region, w.outside, o.leaf), "
	"useful AS (SELECT region, outside, sum(ns) AS ns FROM part WHERE leaf IS NULL "
	"GROUP BY region, outside), "
	"leaves AS (SELECT region, outside, leaf, ns FROM part "
	"WHERE leaf IS NOT NULL AND leaf <> 'UNMEASURED' UNION ALL SELECT d.region, w.outside, "
	"d.leaf, sum(d.ns) "
	"FROM temp.report_node k JOIN temp.reference_part d ON d.node = k.node "
	"LEFT JOIN wrapped w ON w.node = k.node "
	"WHERE d.leaf <> 'OUNID' GROUP BY d.region, w.outside, d.leaf), "
	"lost AS (SELECT region, outside, sum(ns) AS ns, max(ns) AS most, leaf FROM leaves "
	"GROUP BY region, outside), "
	"row AS (SELECT region, outside FROM useful UNION SELECT region, outside FROM lost) "
	"SELECT r.name, coalesce(k.outside, r.name), "
	"r.place, coalesce(u.ns, 0) / e.p, coalesce(l.ns, 0) / e.p, l.leaf "
	"FROM row k "
	"JOIN region r ON r.id = k.region "
	"JOIN experiment e ON e.id = ?1 "
	"LEFT JOIN useful u ON u.region = k.region AND u.outside IS k.outside "
	"LEFT JOIN lost l ON l.region = k.region AND l.outside IS k.outside "
	"WHERE coalesce(u.ns, 0) + coalesce(l.ns, 0) > 0 "
	"AND r.type NOT IN ('CR_MPIINIT', 'RT_RUN', 'RT_PROBE') "
	"ORDER BY coalesce(l.ns, 0) DESC, coalesce(u.ns, 0) DESC LIMIT 8";

static const struct column path_columns[] = {
	{ "region", NULL, CELL_TEXT },
	{ NULL, "region", CELL_TEXT },
	{ "place", "place", CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS },
	{ "share", "share of T_p", CELL_SHARE },
	{ "processes", "processes on it", CELL_INTEGER },
	{ "path", NULL, CELL_TEXT },
};
/* The critical path, by call path. A region that is called from everywhere is on the critical path
 * in many call paths, each of which may be too small to be worth a line (a fiftieth of the critical
 * path). So a region is divided into its call paths only if the paths that are worth a line have at
 * least half of its time. */
static const char path[] =
	"WITH booked AS (SELECT f.call_path, c.pu, sum(c.ns) AS ns "
	"FROM temp.report_node n JOIN critical_path c ON c.drg_node = n.node "
	"JOIN temp.call_path_of f ON f.node = n.node "
	"GROUP BY f.call_path, c.pu), "
	"part AS (SELECT h.region, sum(b.ns) AS ns FROM booked b "
	"JOIN temp.call_path h ON h.id = b.call_path GROUP BY h.id), "
	"divided AS (SELECT p.region FROM part p JOIN experiment e ON e.id = ?1 GROUP BY p.region "
	"HAVING count(*) = 1 "
	"OR 2 * sum(CASE WHEN p.ns >= e.t_p_ns / 50 THEN p.ns ELSE 0 END) >= sum(p.ns)) "
	"SELECT r.name, coalesce(k.name, r.name), "
	"r.place, sum(b.ns), 1.0 * sum(b.ns) / e.t_p_ns, count(DISTINCT u.process), k.path "
	"FROM booked b "
	"JOIN temp.call_path h ON h.id = b.call_path "
	"JOIN region r ON r.id = h.region "
	"JOIN processing_unit u ON u.id = b.pu "
	"JOIN experiment e ON e.id = ?1 "
	"LEFT JOIN divided d ON d.region = r.id "
	"LEFT JOIN temp.call_path k ON k.id = h.id AND d.region IS NOT NULL "
	"GROUP BY r.id, k.id "
	"ORDER BY sum(b.ns) DESC, r.id, k.id";

static const char start[] =
	"SELECT coalesce(sum(o.ns), 0) / e.p FROM experiment e "
	"JOIN drg_node n ON n.experiment = e.id "
	"JOIN code_region r ON r.id = n.region AND r.type = 'CR_MPIINIT' "
	"JOIN overhead o ON o.drg_node = n.id WHERE e.id = ? GROUP BY e.p";

/* Replaces the overheads of the run by the overheads of a region with all that it calls. */
static void narrow(struct overheads *o, const struct region_efficiency *r)
{
	o->t_p = r->ns;
	o->t_p_without = clamp_subtract(r->ns, r->leaf[OPROBE]);
	o->t_s_without = COST_UNKNOWN;
	o->useful = r->leaf[O_NONE];
	o->has_t_s = false;
	for (int i = 1; i < SIS_OVERHEADS; i++)
		o->ns[i] = 0;
	for (int i = 1; i < SIS_OVERHEADS; i++)
		for (enum sis_overhead n = i; n != O_NONE && r->leaf[i];
		     n = sis_overhead_table[n].parent)
			o->ns[n] = clamp_add(o->ns[n], r->leaf[i]);
}

static const struct column waited_columns[] = {
	{ "variable", "variable", CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS },
	{ "routines", "routines", CELL_TEXT },
};

/* Variables of outermost functions for which units waited. ?1 experiment; seconds are means over
 * the processing units. */
static const char waited[] =
	"SELECT v.name, sum(o.ns) / e.p, (SELECT group_concat(routine, ', ') FROM "
	"(SELECT DISTINCT r.routine FROM variable_overhead r JOIN overhead_ancestor l "
	"ON l.leaf = r.leaf AND l.name = 'OSYNC' WHERE r.variable = v.id AND r.routine <> '' "
	"ORDER BY r.routine)) FROM blame_point b JOIN experiment e ON e.id = b.experiment "
	"JOIN variable v ON v.blame_point = b.id AND v.field = '' "
	"AND v.kind NOT IN ('output', 'other') JOIN variable_overhead o ON o.variable = v.id "
	"JOIN overhead_ancestor a ON a.leaf = o.leaf AND a.name = 'OSYNC' "
	"WHERE b.experiment = ?1 AND b.parent IS NULL AND b.is_cut = 0 GROUP BY v.id, e.p "
	"HAVING sum(o.ns) > 0 ORDER BY sum(o.ns) DESC, v.name LIMIT 5";

static int load_tables(struct report_page *page, struct repo *repo, int64_t id, struct err *err)
{
	table_init(&page->shape, shape_columns, sizeof shape_columns / sizeof *shape_columns);
	table_init(&page->worst, region_columns, sizeof region_columns / sizeof *region_columns);
	table_init(&page->path, path_columns, sizeof path_columns / sizeof *path_columns);
	table_init(&page->waited, waited_columns, sizeof waited_columns / sizeof *waited_columns);
	return repo_fill(repo, &page->shape, err, shape, "i", id) ||
			repo_fill(repo, &page->waited, err, waited, "i", id) ||
			repo_fill(repo, &page->worst, err, worst, "i", id) ||
			repo_fill(repo, &page->path, err, path, "i", id) ||
			measured_less_load(&page->less, repo, id, err) ||
			switched_off_load(&page->switched, repo, id, err) ||
			off_inside_load(repo, id, err) ||
			off_inside_table(&page->off, repo, id, err) ||
			repo_number(repo, &page->start_ns, err, start, "i", id) < 0 ?
		ERR_FAILED :
		0;
}

int report_page_load(struct report_page *page, struct repo *repo, int64_t experiment,
		     const char *name, int64_t seq, int64_t par1, struct err *err)
{
	struct report_scope scope = { .region = 0 };
	*page = (struct report_page){ .region = NULL };
	int rc = overheads_load(&page->o, repo, experiment, seq, par1, err);
	rc = rc ? rc : references_keep(&page->o.ref, repo, err);
	rc = rc ? rc : call_paths_load(repo, experiment, err);
	rc = rc ? rc : report_scope_load(&scope, repo, experiment, name, err);
	const struct efficiency_base base = { .experiment = page->o.ref.seq, .times = 1 };
	rc = rc ? rc : region_efficiencies_load(&page->regions, repo, experiment, scope.region,
						err);
	rc = rc ? rc : load_tables(page, repo, experiment, err);
	rc = rc ? rc : efficiencies_load(&page->efficiencies, repo, experiment, page->o.t_p, base,
					 err);
	rc = rc ? rc : processors_count(&page->processors, repo, experiment, err);
	rc = rc ? rc : actions_load(&page->actions, repo, experiment, &page->o, page->processors,
				    scope.region ? &scope.regions : NULL, err);
	page->tree = page->o;
	if (rc == 0 && name) {
		for (size_t i = 0; !page->region && i < page->regions.n; i++)
			if (page->regions.at[i].region == scope.region)
				page->region = &page->regions.at[i];
		if (page->region)
			narrow(&page->tree, page->region);
		else
			rc = err_fail(err, "report: region '%s' took no time in this experiment",
				      name);
	}
	report_scope_release(&scope);
	return rc;
}

void report_page_release(struct report_page *page)
{
	overheads_release(&page->o);
	efficiencies_release(&page->efficiencies);
	actions_release(&page->actions);
	region_efficiencies_release(&page->regions);
	table_release(&page->shape);
	table_release(&page->worst);
	table_release(&page->path);
	table_release(&page->less);
	table_release(&page->switched);
	table_release(&page->waited);
	table_release(&page->off);
}
