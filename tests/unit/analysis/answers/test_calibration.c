/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis -lxml2 */
/* Portions from times, their picture, and calibrations in the repository. */
#include "unit.h"
#include <libxml/parser.h>
#include <math.h>
#include <sqlite3.h>
#include <unistd.h>
#include "answers/calibrate/places.h"
#include "answers/calibrate/portions_svg.h"
#include "repository/store/merge.h"
#include "repository/store/store.h"

static void add_setting(struct calibration *c, const char *name, const char *writer,
			const char *cpus)
{
	*vec_push(&c->setting) = (struct cost_setting){
		mem_string(name), mem_string("some <place>"), mem_string(writer),
		cpus ? mem_string(cpus) : NULL, cpus ? NULL : mem_string("it is not there"),
	};
}

static void add_time(struct calibration *c, const char *kernel, const char *setting,
		     enum state state, int64_t depth, int64_t process, double median, double mean)
{
	*vec_push(&c->time) = (struct cost_time){
		mem_string(setting), mem_string(kernel), state, depth, process, mean, median,
	};
}

/* What each state adds to the one before it: floor 2, I 1, C 16 (6 inside), C trace 7, and W, which
 * only the means have. Each deeper region costs as much again; process k is k ns slower. */
static void add_regions(struct calibration *c, const char *setting, int64_t depth, double w)
{
	static const double above[STATES] = {
		[STATE_OFF] = 2,      [STATE_EXCLUDED] = 1,  [STATE_PROFILE] = 17,
		[STATE_INSIDE] = 6,   [STATE_BUFFERED] = 24, [STATE_WRITTEN] = 24,
	};
	for (enum state state = 0; state < STATES; state++)
		for (int k = 0; k < 3; k++) {
			double ns = 10 + k + above[state] * (double)depth;
			add_time(c, "region", setting, state, depth, k, ns,
				 ns + (state == STATE_WRITTEN ? w * (double)depth : 0));
		}
}

static void make(struct calibration *c, const char *run_id)
{
	*c = (struct calibration){
		.host = mem_string("host & <co>"), .processor = mem_string("a <processor> & more"),
		.runtime = mem_string("1"), .run_id = mem_string(run_id), .cores = 2,
		.memory_bytes = 1000, .started_ns = 17, .calls = 100, .call_ns = 5, .processes = 3,
	};
	add_setting(c, "S1", "sync", "0");
	add_setting(c, "A4", "async", NULL);
	add_setting(c, "A5", "async", "0-1");
	add_regions(c, "S1", 1, 20);
	add_regions(c, "A5", 1, 3);
	add_regions(c, "A5", 2, 3);
	add_regions(c, "A5", 4, 3);
	for (int k = 0; k < 3; k++) {
		add_time(c, "MPI_Test", "A5", STATE_PLAIN, 1, k, 20, 20);
		add_time(c, "MPI_Test", "A5", STATE_OFF, 1, k, 23, 23);
		add_time(c, "MPI_Test", "A5", STATE_PROFILE, 1, k, 60.25, 60.25);
		add_time(c, "CTIME", "A5", STATE_PROFILE, 1, k, 427 + k, 427 + k);
	}
	*vec_push(&c->writer) = (struct cost_writer){ mem_string("A5"), 0, 1000000, 3000, 1000,
						      12000, 3000 };
	*vec_push(&c->writer) = (struct cost_writer){ mem_string("A5"), 1, 1000000, 5000, 0, 20000,
						      1000 };
}

static double median(const portion_list *list, const char *setting, const char *kernel,
		     int64_t depth, enum portion_kind kind)
{
	const struct portion *p = portion_of(list, setting, kernel, depth, kind);
	return p ? p->ns.median : NAN;
}

START_TEST(portions_add_up)
{
	struct calibration c;
	portion_list list = { 0 };
	make(&c, "a");
	portions_find(&list, &c);
	const double wanted[PORTIONS] = {
		[PORTION_T] = 11, [PORTION_FLOOR] = 2, [PORTION_I] = 1, [PORTION_C] = 16,
		[PORTION_C_INSIDE] = 6, [PORTION_C_OUTSIDE] = 10, [PORTION_C_TRACE] = 7,
		[PORTION_W] = 20, [PORTION_READING] = NAN,
	};
	for (enum portion_kind kind = 0; kind < PORTIONS; kind++) {
		double ns = median(&list, "S1", "region", 1, kind);
		if (isnan(wanted[kind]))
			ck_assert(isnan(ns));
		else
			ck_assert_double_eq_tol(ns, wanted[kind], 1e-9);
	}
	const struct portion *t = portion_of(&list, "S1", "region", 1, PORTION_T);
	ck_assert_uint_eq(t->ns.n, 3);
	ck_assert_double_eq_tol(t->ns.lower_quartile, 10.5, 1e-9);
	ck_assert_double_eq_tol(median(&list, "A5", "MPI_Test", 1, PORTION_FLOOR), 3, 1e-9);
	ck_assert_double_eq_tol(median(&list, "A5", "MPI_Test", 1, PORTION_C), 40.25, 1e-9);
	ck_assert_double_eq_tol(median(&list, "A5", "CTIME", 1, PORTION_READING), 400, 1e-9);
	ck_assert(isnan(median(&list, "A4", "region", 1, PORTION_T)));
	vec_free(&list);
	calibration_release(&c);
}
END_TEST

START_TEST(portions_are_lines_over_the_depth)
{
	struct calibration c;
	portion_list list = { 0 };
	portion_fits fits = { 0 };
	make(&c, "a");
	portions_find(&list, &c);
	portions_fit(&fits, &list);
	ck_assert_uint_eq(fits.n, 6); /* of A5 alone: S1 has one depth */
	for (size_t i = 0; i < fits.n; i++) {
		static const double slope[PORTIONS] = {
			[PORTION_FLOOR] = 2, [PORTION_I] = 1, [PORTION_C] = 16,
			[PORTION_C_TRACE] = 7, [PORTION_W] = 3,
		};
		ck_assert_str_eq(fits.at[i].setting, "A5");
		ck_assert_uint_eq(fits.at[i].depths, 3);
		ck_assert_double_eq_tol(fits.at[i].line.slope, slope[fits.at[i].kind], 1e-9);
		ck_assert_double_eq_tol(fits.at[i].line.intercept,
					fits.at[i].kind == PORTION_T ? 11 : 0, 1e-9);
		ck_assert_double_eq_tol(fits.at[i].line.r2, 1, 1e-9);
	}
	vec_free(&fits), vec_free(&list);
	calibration_release(&c);
}
END_TEST

START_TEST(a_writer_that_drops_events_is_saturated)
{
	struct calibration c;
	writer_speeds speeds = { 0 };
	make(&c, "a");
	writers_find(&speeds, &c);
	ck_assert_uint_eq(speeds.n, 1);
	ck_assert(speeds.at[0].saturated);
	ck_assert_double_eq_tol(speeds.at[0].written.median, 4e6, 1e-3);
	ck_assert_double_eq_tol(speeds.at[0].made.median, 4.5e6, 1e-3);
	ck_assert_double_eq_tol(speeds.at[0].raw_bytes, 4, 1e-9);
	ck_assert_double_eq_tol(speeds.at[0].bytes, 0.5, 1e-9);
	vec_free(&speeds);
	calibration_release(&c);
}
END_TEST

/* -- the picture ------------------------------------------------------------------------------- */

struct bars { int rows, parts; double widest, row_y, row_end; };

static double attribute(const xmlNode *node, const char *name)
{
	xmlChar *text = xmlGetProp(node, (const xmlChar *)name);
	double value = text ? atof((const char *)text) : NAN;
	xmlFree(text);
	return value;
}

/* The parts of a bar begin where the one before ends. */
static void look_at_bar(const xmlNode *node, struct bars *bars)
{
	xmlChar *class = xmlGetProp(node, (const xmlChar *)"class");
	if (class) {
		double x = attribute(node, "x"), y = attribute(node, "y");
		if (bars->parts++ == 0 || y > bars->row_y)
			bars->rows++;
		else
			ck_assert_double_eq_tol(x, bars->row_end, 0.002);
		bars->row_y = y;
		bars->row_end = x + attribute(node, "width");
		bars->widest = fmax(bars->widest, bars->row_end);
	}
	xmlFree(class);
}

static void draw(const struct calibration *c, struct bars *bars)
{
	portion_list list = { 0 };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	portions_find(&list, c);
	portions_svg(c, &list, out);
	fclose(out);
	vec_free(&list);
	xmlDoc *doc = xmlReadMemory(text, (int)size, "x.svg", NULL, XML_PARSE_NONET);
	ck_assert_msg(doc != NULL, "no XML: %s", text);
	*bars = (struct bars){ 0 };
	for (const xmlNode *n = xmlDocGetRootElement(doc)->children; n; n = n->next)
		if (n->type == XML_ELEMENT_NODE)
			look_at_bar(n, bars);
	xmlFreeDoc(doc);
	free(text);
}

START_TEST(the_parts_of_a_bar_add_up)
{
	struct calibration c;
	struct bars bars;
	make(&c, "a");
	draw(&c, &bars);
	ck_assert_int_eq(bars.rows, 2); /* of the settings that are there */
	ck_assert_int_eq(bars.parts, 10);
	/* the last bar, A5: 1 + 16 + 7 + 3 of the widest, S1's 1 + 16 + 7 + 20 = 44 */
	double scale = (bars.widest - 90) / 44;
	ck_assert_double_eq_tol(bars.row_end, 90 + 27 * scale, 0.01);
	calibration_release(&c);
}
END_TEST

START_TEST(a_picture_of_nothing_is_a_picture)
{
	struct calibration c;
	struct bars bars;
	make(&c, "a");
	for (size_t i = 0; i < c.time.n; i++)
		c.time.at[i].mean_ns = c.time.at[i].median_ns = -1e18;
	draw(&c, &bars);
	ck_assert_int_eq(bars.rows, 2);
	calibration_release(&c);
}
END_TEST

/* -- the repository ---------------------------------------------------------------------------- */

static char path[2][UNIT_PATH];

static struct repo *open_repo(int which)
{
	struct repo *repo;
	struct err err = { 0 };
	if (!path[which][0])
		close(mkstemp(unit_template(path[which])));
	ck_assert_msg(repo_open(&repo, path[which], REPO_WRITE, &err) == 0, "%s", err.text);
	return repo;
}

static void remove_repos(void)
{
	for (int i = 0; i < 2; i++)
		if (path[i][0])
			unlink(path[i]);
}

static int64_t store(struct repo *repo, const char *run_id)
{
	struct calibration c;
	struct err err = { 0 };
	make(&c, run_id);
	ck_assert_msg(calibration_store(&c, repo, &err) == 0, "%s", err.text);
	int64_t id = c.id;
	calibration_release(&c);
	return id;
}

static void check_same(const struct calibration *c)
{
	struct calibration wanted;
	portion_list list = { 0 }, wanted_list = { 0 };
	make(&wanted, "a");
	ck_assert_str_eq(c->host, wanted.host);
	ck_assert_str_eq(c->processor, wanted.processor);
	ck_assert_int_eq(c->started_ns, wanted.started_ns);
	ck_assert_uint_eq(c->setting.n, wanted.setting.n);
	ck_assert_str_eq(c->setting.at[0].name, "S1");
	ck_assert_str_eq(c->setting.at[1].missing, "it is not there");
	ck_assert_ptr_null(c->setting.at[1].cpus);
	ck_assert_uint_eq(c->writer.n, 2);
	ck_assert_int_eq(c->writer.at[1].raw_bytes, 20000);
	portions_find(&list, c);
	portions_find(&wanted_list, &wanted);
	ck_assert_uint_eq(list.n, wanted_list.n);
	for (size_t i = 0; i < list.n; i++) {
		ck_assert_str_eq(list.at[i].kernel, wanted_list.at[i].kernel);
		ck_assert_double_eq(list.at[i].ns.median, wanted_list.at[i].ns.median);
		ck_assert_double_eq(list.at[i].ns.high, wanted_list.at[i].ns.high);
	}
	vec_free(&list), vec_free(&wanted_list);
	calibration_release(&wanted);
}

static void check_stored(struct repo *repo, int64_t id)
{
	struct calibration c;
	struct err err = { 0 };
	ck_assert_msg(calibration_load(&c, repo, id, &err) == 0, "%s", err.text);
	check_same(&c);
	calibration_release(&c);
}

static int64_t number(struct repo *repo, const char *sql)
{
	int64_t n = -1;
	struct err err = { 0 };
	ck_assert_msg(repo_number(repo, &n, &err, sql, "") >= 0, "%s", err.text);
	return n;
}

START_TEST(what_goes_in_comes_out)
{
	struct repo *repo = open_repo(0);
	struct calibration c;
	struct err err = { 0 };
	check_stored(repo, store(repo, "a"));
	ck_assert_int_ne(calibration_load(&c, repo, 77, &err), 0);
	ck_assert_msg(strstr(err.text, "no calibration 77"), "%s", err.text);
	repo_close(repo);
	remove_repos();
}
END_TEST

START_TEST(the_same_is_not_stored_twice_and_nothing_half)
{
	struct repo *repo = open_repo(0);
	struct calibration c;
	struct err err = { 0 };
	store(repo, "a");
	make(&c, "a");
	ck_assert_int_ne(calibration_store(&c, repo, &err), 0);
	ck_assert_int_eq(c.id, 0);
	calibration_release(&c);
	make(&c, "b");
	add_time(&c, "region", "S1", STATE_PLAIN, 1, 0, 1, 1); /* it is there already */
	ck_assert_int_ne(calibration_store(&c, repo, &err), 0);
	calibration_release(&c);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM calibration"), 1);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM physical_machine"), 1);
	repo_close(repo);
	remove_repos();
}
END_TEST

START_TEST(its_machine_stays_as_long_as_it)
{
	struct repo *repo = open_repo(0);
	struct err err = { 0 };
	int64_t rows = 0;
	store(repo, "a");
	ck_assert_int_eq(store_sweep(repo, &rows, &err), 0);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM physical_machine"), 1);
	ck_assert_int_eq(repo_run(repo, &err, "DELETE FROM calibration", ""), 0);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM calibration_time"), 0);
	ck_assert_int_eq(store_sweep(repo, &rows, &err), 0);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM physical_machine"), 0);
	repo_close(repo);
	remove_repos();
}
END_TEST

static void merge(struct repo *repo)
{
	struct table taken;
	struct err err = { 0 };
	table_init(&taken, merge_columns, MERGE_COLUMNS);
	ck_assert_msg(repo_attach(repo, path[1], &err) == 0, "%s", err.text);
	ck_assert_msg(merge_other(repo, &taken, &err) == 0, "%s", err.text);
	ck_assert_int_eq(repo_detach(repo, &err), 0);
	table_release(&taken);
}

START_TEST(those_of_another_repository_are_merged_once)
{
	struct repo *other = open_repo(1), *repo = open_repo(0);
	store(other, "b");
	store(other, "a");
	repo_close(other);
	store(repo, "b");
	merge(repo);
	merge(repo);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM calibration"), 2);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM physical_machine"), 1);
	check_stored(repo, number(repo, "SELECT id FROM calibration WHERE run_id = 'a'"));
	repo_close(repo);
	remove_repos();
}
END_TEST

START_TEST(rows_that_cannot_be_are_refused)
{
	static const char *const damage[] = {
		"UPDATE calibration SET processes = 0",
		"UPDATE calibration SET processes = 'many'",
		"UPDATE calibration SET calls = x'00'",
		"UPDATE calibration SET processes = 4611686018427387904",
		"UPDATE calibration_setting SET missing = 'no'",
		"UPDATE calibration_setting SET cpus = NULL",
		"UPDATE OR IGNORE calibration_time SET state = 'unheard of'",
		"UPDATE calibration_time SET process = -1 WHERE process = 1",
		"UPDATE calibration_time SET process = 3 WHERE process = 1",
		"UPDATE calibration_time SET depth = 0 WHERE process = 1 AND depth = 2",
		"UPDATE calibration_time SET mean_ns = 9e999",
		"UPDATE calibration_time SET median_ns = 'soon'",
		"UPDATE calibration_time SET mean_ns = x'61'",
		"UPDATE calibration_writer SET events = -1",
		"UPDATE calibration_writer SET bytes = 0.5",
	};
	struct repo *repo = open_repo(0);
	int64_t id = store(repo, "a");
	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		struct calibration c;
		struct err err = { 0 };
		ck_assert_int_eq(repo_begin(repo, &err), 0);
		ck_assert_msg(repo_run(repo, &err, damage[i], "") == 0, "%s: %s", damage[i],
			      err.text);
		ck_assert_msg(calibration_load(&c, repo, id, &err) != 0, "%s", damage[i]);
		ck_assert_msg(strstr(err.text, "was damaged"), "%s: %s", damage[i], err.text);
		repo_rollback(repo);
	}
	check_stored(repo, id);
	repo_close(repo);
	remove_repos();
}
END_TEST

/* -- settings ---------------------------------------------------------------------------------- */

static void check_setting(const char *name, const struct places *places, const char *wanted)
{
	cpu_set_t cpus;
	const char *missing;
	const struct setting *s = setting_by_name(name, strlen(name));
	bool there = setting_places(s, places, &cpus, &missing);
	char *text = cpus_text(&cpus);
	ck_assert_msg(there == (wanted != NULL), "%s", name);
	if (there)
		ck_assert_str_eq(text, wanted);
	else
		ck_assert_ptr_nonnull(missing);
	free(text);
}

START_TEST(settings_find_their_processors)
{
	/* two packages of two cores of two threads; threads 0 and 4 are one core */
	static struct place machine[] = { { 0, 0, 0 }, { 1, 1, 0 }, { 2, 2, 1 }, { 3, 3, 1 },
					  { 4, 0, 0 }, { 5, 1, 0 }, { 6, 2, 1 }, { 7, 3, 1 } };
	struct places places = { { machine, 8, 8 }, true };
	static const char *const wanted[SETTINGS][2] = {
		{ "S1", "0" },	 { "S2", "0,4" }, { "A1", "0" },  { "A2", "0,4" },
		{ "A3", "0-1" }, { "A4", "0,2" }, { "A5", "0-7" } };
	for (size_t i = 0; i < SETTINGS; i++)
		check_setting(wanted[i][0], &places, wanted[i][1]);
	ck_assert_ptr_null(setting_by_name("A6", 2));
	ck_assert_ptr_null(setting_by_name("A", 1));
	places.place.n = 1;
	check_setting("S1", &places, "0");
	check_setting("A3", &places, NULL);
	check_setting("A5", &places, NULL);
	places.place.n = 8;
	places.known = false;
	check_setting("A4", &places, NULL);
	check_setting("A5", &places, "0-7");
}
END_TEST

UNIT_MAIN("calibration", portions_add_up, portions_are_lines_over_the_depth,
	  a_writer_that_drops_events_is_saturated, the_parts_of_a_bar_add_up,
	  a_picture_of_nothing_is_a_picture, what_goes_in_comes_out,
	  the_same_is_not_stored_twice_and_nothing_half, its_machine_stays_as_long_as_it,
	  those_of_another_repository_are_merged_once, rows_that_cannot_be_are_refused,
	  settings_find_their_processors)
