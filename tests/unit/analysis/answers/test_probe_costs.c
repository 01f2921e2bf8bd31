/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* What the probes cost in nodes, in regions and on the critical path. */
#include "unit.h"
#include <string.h>
#include <unistd.h>
#include "experiment_make.h"
#include "answers/query/probe_costs.h"
#include "repository/store/store.h"

enum { INNER = 1000, OUTER = 2000 }; /* ns of a pair */
/* main (1) calls a (1000), and that main again (100) */
enum {
	NESTED = 100 * INNER,
	A = 1000 * INNER + 100 * OUTER,
	MAIN = INNER + 1000 * OUTER,
	ROOT = OUTER,
};

static char path[UNIT_PATH];
static struct repo *repo;
static int64_t id;
static struct err err;

static int64_t number(const char *sql)
{
	int64_t n = -1;
	ck_assert_msg(repo_number(repo, &n, &err, sql, "") >= 0, "%s", err.text);
	return n;
}

static void change(const char *sql)
{
	ck_assert_msg(repo_run(repo, &err, sql, "") == 0, "%s", err.text);
}

static void set_up(void)
{
	static const char *const names[] = { "main", "a" };
	const struct store_options options = { .name = "made", .role = "par" };
	struct experiment x = { .run = { 0 } };
	struct profile_writer *w = writer_new(0, 1);
	writer_functions(w, names, 2);
	writer_header(w)->probe_inner_ns = INNER;
	writer_header(w)->probe_outer_ns = OUTER;
	uint64_t root = writer_thread(w, 0),
		 node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900 * MS);
	node = writer_node(w, 0, node, WRITER_FUNCTION(1), 1000, 500 * MS);
	writer_node(w, 0, node, WRITER_FUNCTION(0), 100, 200 * MS);
	writer_thread_at(w, 0)->stamp = WRITER_START + 1000 * MS;
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	int fd = mkstemp(unit_template(path));
	close(fd), unlink(path);
	ck_assert_msg(repo_open(&repo, path, REPO_WRITE, &err) == 0, "%s", err.text);
	ck_assert_msg(store_experiment(repo, &x, &options, &id, &err) == 0, "%s", err.text);
	experiment_release(&x);
}

static void tear_down(void)
{
	repo_close(repo);
	unlink(path);
}

static struct probe_costs load(bool by_region)
{
	struct probe_costs costs = { .by_region = by_region };
	ck_assert_msg(probe_costs_load(&costs, repo, id, &err) == 0, "%s", err.text);
	return costs;
}

static struct probe_cost at(const struct probe_costs *costs, const char *item)
{
	return probe_costs_at(costs, number(item), number("SELECT id FROM processing_unit"));
}

#define NODE(path) "SELECT id FROM drg_node WHERE path = '" path "'"
#define REGION(name) "SELECT id FROM code_region WHERE name = '" name "'"

START_TEST(costs_of_a_node_include_all_below)
{
	set_up();
	struct probe_costs costs = load(false);
	ck_assert_int_eq(at(&costs, NODE("main/a/main")).own_ns, NESTED);
	ck_assert_int_eq(at(&costs, NODE("main/a/main")).all_ns, NESTED);
	ck_assert_int_eq(at(&costs, NODE("main/a")).own_ns, A);
	ck_assert_int_eq(at(&costs, NODE("main/a")).all_ns, A + NESTED);
	ck_assert_int_eq(at(&costs, NODE("main")).own_ns, MAIN);
	ck_assert_int_eq(at(&costs, NODE("main")).all_ns, MAIN + A + NESTED);
	ck_assert_int_eq(at(&costs, NODE("run")).all_ns, ROOT + MAIN + A + NESTED);
	probe_costs_release(&costs);
	tear_down();
}
END_TEST

/* The time of the inner main is in the outer one already. */
START_TEST(a_region_inside_itself_counts_once)
{
	set_up();
	struct probe_costs costs = load(true);
	ck_assert_int_eq(at(&costs, REGION("main")).own_ns, MAIN + NESTED);
	ck_assert_int_eq(at(&costs, REGION("main")).all_ns, MAIN + A + NESTED);
	ck_assert_int_eq(at(&costs, REGION("a")).all_ns, A + NESTED);
	ck_assert_int_eq(probe_costs_at(&costs, -1, 0).all_ns, 0);
	probe_costs_release(&costs);
	tear_down();
}
END_TEST

static int64_t of_t_p(void)
{
	int64_t ns;
	ck_assert_int_eq(probe_costs_of_t_p(&ns, repo, id, &err), 0);
	return ns;
}

START_TEST(t_p_has_the_part_on_the_critical_path)
{
	int64_t ns;
	set_up();
	change("DELETE FROM critical_path");
	ck_assert_int_eq(of_t_p(), ROOT + MAIN + A + NESTED); /* one unit is the path */
	change("INSERT INTO critical_path SELECT n.id, s.pu, s.excl_ns / 4 FROM drg_node n "
	       "JOIN region_summary s ON s.drg_node = n.id WHERE n.path IN ('main', 'main/a')");
	ck_assert_int_eq(of_t_p(), (MAIN + A) / 4);
	ck_assert_int_eq(t_p_without_probes(&ns, repo, id, 1000 * MS, &err), 0);
	ck_assert_int_eq(ns, 1000 * MS - (MAIN + A) / 4);
	change("DELETE FROM critical_path");
	change("UPDATE experiment SET p = 2");
	ck_assert_int_eq(of_t_p(), COST_UNKNOWN);
	ck_assert_int_eq(t_p_without_probes(&ns, repo, id, 1000 * MS, &err), 0);
	ck_assert_int_eq(ns, COST_UNKNOWN);
	tear_down();
}
END_TEST

START_TEST(impossible_costs_stay_numbers)
{
	int64_t ns;
	set_up();
	change("UPDATE overhead SET ns = 9223372036854775807 WHERE leaf = 'OPROBE'");
	struct probe_costs costs = load(false);
	ck_assert_int_eq(at(&costs, NODE("run")).all_ns, INT64_MAX);
	probe_costs_release(&costs);
	ck_assert_int_eq(t_p_without_probes(&ns, repo, id, 1000 * MS, &err), 0);
	ck_assert_int_ge(ns, 0);
	change("UPDATE overhead SET ns = -5 WHERE leaf = 'OPROBE'");
	costs = load(false);
	ck_assert_int_eq(costs.cost.n, 0);
	probe_costs_release(&costs);
	ck_assert_int_eq(of_t_p(), 0);
	tear_down();
}
END_TEST

UNIT_MAIN("probe costs", costs_of_a_node_include_all_below,
	  a_region_inside_itself_counts_once, t_p_has_the_part_on_the_critical_path,
	  impossible_costs_stay_numbers)
