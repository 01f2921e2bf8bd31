/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/live_make.c */
/* What `top` shows: sums of rows, keys, search, the heat strip, pages of any size, names that are
 * hostile. No terminal takes part. */
#include "unit.h"
#include "base/text_width.h"
#include "live_make.h"
#include "live/top/heat.h"
#include "live/top/top.h"
#include "live/top/top_json.h"

#define HOSTILE "=bad\033]0;x\a\r\nFORGED\xc2\x9b\xe2\x80\xae"

static struct live_run run;
static struct top top;
static char *directory;

static struct live_made made_rank(int rank, int work_ms, uint64_t times)
{
	return (struct live_made){ .rank = rank, .size = 2, .begun_ms = 4000 - rank,
				   .stamp_ms = 1000 + 100 * rank, .work_ms = work_ms,
				   .calls = times, .state = SIS_STATE_RUNNING,
				   .name = rank ? HOSTILE : NULL,
				   .host = rank ? "elsewhere" : NULL };
}

/* Two ranks; two looks if `later`, and each of the ranks has called its function three times
 * between them. */
static void begin(bool later)
{
	directory = live_make_directory();
	live_attach(&run, directory);
	for (int look = 0; look <= later; look++) {
		for (int rank = 0; rank < 2; rank++) {
			struct live_made made = made_rank(rank, 100 + 200 * look, 7 + 3 * look);
			live_make(directory, rank, &made);
		}
		live_make_look(&run);
	}
	top_init(&top, 1000000000);
	top_refresh(&top, &run);
}

static void end(void)
{
	top_release(&top);
	live_detach(&run);
	live_make_remove(directory);
	free(directory);
}

static void keys(const char *text)
{
	for (; *text; text++)
		ck_assert_int_ne(top_key(&top, &run, (unsigned char)*text), TOP_QUIT);
}

static const struct top_row *row_named(const char *name)
{
	for (size_t i = 0; i < top.rows.row.n; i++) {
		char *row = top_row_name(&run, top.at.view, &top.rows.row.at[i]);
		bool found = strcmp(row, name) == 0;
		free(row);
		if (found)
			return &top.rows.row.at[i];
	}
	ck_abort_msg("no row %s", name);
	return NULL;
}

static const char *cursor_name(char text[64])
{
	char *name = top_row_name(&run, top.at.view, &top.rows.row.at[top.cursor]);
	snprintf(text, 64, "%s", name);
	free(name);
	return text;
}

/* -- sums -------------------------------------------------------------------------------------- */

static int64_t sum_of(const struct top_times *t)
{
	return t->overhead_ns + t->useful_ns + t->unmeasured_ns;
}

START_TEST(each_list_has_all_time)
{
	begin(true);
	for (int view = 0; view < TOP_VIEWS; view++) {
		struct top_rows rows;
		const struct top_choice everything = TOP_EVERYTHING;
		top_rows_make(&rows, &run, (enum top_view)view, &everything, SORT_ORDER);
		ck_assert_int_eq(rows.pus, 2);
		ck_assert_int_eq(rows.wall_ns, 2 * run.now.t_p_ns);
		ck_assert_int_eq(sum_of(&rows.all), rows.wall_ns);
		ck_assert_int_eq(rows.now_ns, run.now.t_p_ns - run.before.t_p_ns);
		ck_assert_int_eq(sum_of(&rows.now), rows.now_wall_ns);
		int64_t sum = 0;
		for (size_t i = 0; i < rows.row.n && view != TOP_OVERHEADS; i++)
			sum += sum_of(&rows.row.at[i].all);
		ck_assert(view == TOP_OVERHEADS || sum == rows.wall_ns);
		top_rows_release(&rows);
	}
	end();
}
END_TEST

START_TEST(a_node_of_the_tree_is_the_sum_of_its_children)
{
	begin(false);
	ck_assert_int_eq(row_named("OSYNC_LATESEND")->all.overhead_ns,
			 row_named("OSYNC_M")->all.overhead_ns);
	int64_t children = 0;
	const struct top_row *total = row_named("OTOTAL");
	for (size_t i = 0; i < top.rows.row.n; i++)
		if (top.rows.row.at[i].depth == 1)
			children += top.rows.row.at[i].all.overhead_ns;
	ck_assert_int_eq(total->all.overhead_ns, children);
	ck_assert_int_eq(top.rows.row.at[0].id, O_NONE); /* the first look: useful work */
	ck_assert_int_eq(top.rows.now_wall_ns, 0);
	end();
}
END_TEST

START_TEST(what_happened_since_the_look_before)
{
	begin(true);
	keys("r");
	const struct top_row *work = row_named("work");
	ck_assert_int_eq(work->all.calls, 10);
	ck_assert_int_eq(work->now.calls, 3);
	ck_assert_int_eq((work->now.useful_ns + 50000) / 100000, 2000);
	end();
}
END_TEST

/* A processing unit that was not there at the look before has no rate: its idle time before would
 * be one. */
START_TEST(a_new_unit_has_no_rate)
{
	begin(false);
	struct live_made late = made_rank(1, 100, 7);
	late.rank = 2, late.size = 3, late.begun_ms = 100, late.stamp_ms = 50, late.work_ms = 10;
	late.name = NULL, late.host = "third";
	live_make(directory, 2, &late);
	live_make_look(&run);
	keys("u");
	top_refresh(&top, &run);
	ck_assert_uint_eq(top.rows.row.n, 3);
	ck_assert_int_eq(sum_of(&row_named("2.0")->now), 0);
	ck_assert_int_eq(sum_of(&row_named("2.0")->all), run.now.t_p_ns);
	ck_assert_int_eq(top.rows.now_wall_ns, 2 * top.rows.now_ns);
	end();
}
END_TEST

/* -- keys -------------------------------------------------------------------------------------- */

START_TEST(enter_restricts_and_escape_returns)
{
	char name[64];
	begin(true);
	while (strcmp(cursor_name(name), "OSYNC_LATESEND") != 0)
		top_key(&top, &run, TOP_DOWN);
	top_key(&top, &run, TOP_ENTER);
	ck_assert_int_eq(top.at.view, TOP_REGIONS);
	ck_assert_int_eq(top.at.choice.overhead, OSYNC_LATESEND);
	ck_assert_str_eq(cursor_name(name), "MPI_Recv");
	ck_assert_int_eq(row_named("MPI_Recv")->worst, OSYNC_LATESEND);
	top_key(&top, &run, TOP_ENTER);
	ck_assert_int_eq(top.at.view, TOP_PUS);
	ck_assert_uint_eq(top.rows.row.n, 2);
	keys("j");
	top_key(&top, &run, TOP_ENTER);
	ck_assert_int_eq(top.at.view, TOP_OVERHEADS);
	ck_assert_int_eq(top.rows.pus, 1);
	ck_assert_int_eq(top.rows.wall_ns, run.now.t_p_ns);
	ck_assert_str_eq(cursor_name(name), "OSYNC_LATESEND");
	top_key(&top, &run, TOP_ESCAPE);
	ck_assert_str_eq(cursor_name(name), "1.0");
	top_key(&top, &run, TOP_BACK);
	top_key(&top, &run, TOP_ESCAPE);
	ck_assert_int_eq(top.at.view, TOP_OVERHEADS);
	ck_assert_int_eq(top.at.choice.overhead, O_NONE);
	ck_assert_str_eq(cursor_name(name), "OSYNC_LATESEND");
	top_key(&top, &run, TOP_ESCAPE); /* nothing to return to */
	end();
}
END_TEST

START_TEST(the_cursor_stays_on_its_row)
{
	char name[64];
	begin(true);
	keys("r");
	while (strcmp(cursor_name(name), "work") != 0)
		keys("j");
	for (int i = 0; i < TOP_SORTS; i++) {
		keys("s");
		ck_assert_str_eq(cursor_name(name), "work");
	}
	top_key(&top, &run, TOP_END);
	ck_assert_uint_eq(top.cursor, top.rows.row.n - 1);
	keys("j");
	ck_assert_uint_eq(top.cursor, top.rows.row.n - 1);
	keys("gk");
	ck_assert_uint_eq(top.cursor, 0);
	end();
}
END_TEST

static int64_t value_of(const struct top_row *row, enum top_sort sort)
{
	return sort == SORT_OVERHEAD ? row->all.overhead_ns :
	       sort == SORT_NOW	     ? row->now.overhead_ns :
	       sort == SORT_USEFUL   ? row->all.useful_ns :
	       sort == SORT_CALLS    ? row->all.calls :
				       row->pu->age_ns;
}

START_TEST(lists_are_sorted_by_any_column)
{
	begin(true);
	keys("u");
	for (int i = 0; i < TOP_SORTS; i++, keys("s"))
		for (size_t k = 1; k < top.rows.row.n; k++) {
			enum top_sort sort = top.sort[TOP_PUS];
			const struct top_row *row = &top.rows.row.at[k];
			ck_assert(sort == SORT_ORDER ?
				  row[-1].pu->process < row->pu->process :
				  value_of(&row[-1], sort) >= value_of(row, sort));
		}
	ck_assert_int_eq(top.sort[TOP_PUS], SORT_ORDER);
	end();
}
END_TEST

START_TEST(search_marks_and_finds)
{
	char name[64];
	begin(true);
	keys("r/RECV");
	ck_assert(top.typing);
	ck_assert_str_eq(cursor_name(name), "MPI_Recv");
	keys("q"); /* a letter of the text, not a command */
	ck_assert_str_eq(top.search, "RECVq");
	top_key(&top, &run, TOP_BACK);
	top_key(&top, &run, TOP_ENTER);
	ck_assert(!top.typing);
	size_t marked = 0;
	for (size_t i = 0; i < top.rows.row.n; i++)
		marked += top_matches(&top, &run, &top.rows.row.at[i]);
	ck_assert_uint_eq(marked, 1);
	keys("/f.c"); /* the file of the functions */
	top_key(&top, &run, TOP_ENTER);
	size_t first = top.cursor;
	keys("n");
	ck_assert_uint_ne(top.cursor, first);
	keys("N");
	ck_assert_uint_eq(top.cursor, first);
	top_key(&top, &run, TOP_ESCAPE);
	ck_assert_ptr_null(top.search);
	keys("/\xc3\xa4");
	top_key(&top, &run, TOP_BACK); /* one character of two bytes */
	ck_assert_str_eq(top.search, "");
	for (int i = 0; i < 300; i++)
		keys("x");
	ck_assert_uint_le(strlen(top.search), 200);
	end();
}
END_TEST

START_TEST(other_keys)
{
	begin(true);
	ck_assert_int_eq(top_key(&top, &run, 'p'), TOP_NOTHING);
	ck_assert(top.paused);
	ck_assert_int_eq(top_key(&top, &run, 'p'), TOP_LOOK);
	ck_assert_int_eq(top_key(&top, &run, ' '), TOP_LOOK);
	for (int i = 0; i < 50; i++)
		keys("+");
	ck_assert_int_eq(top.interval_ns, 3600 * INT64_C(1000000000));
	for (int i = 0; i < 50; i++)
		keys("-");
	ck_assert_int_eq(top.interval_ns, 100000000);
	ck_assert_int_eq(top_key(&top, &run, 'q'), TOP_QUIT);
	end();
}
END_TEST

/* -- pages ------------------------------------------------------------------------------------- */

static char *page_text(const struct top_page *page)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	top_page_print(page, out);
	fclose(out);
	return text;
}

static bool is_harmless(const char *text)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if ((*at < ' ' && *at != '\n') || *at == 0x7f)
			return false;
	return !strstr(text, "\xc2\x9b") && !strstr(text, "\xe2\x80\xae") &&
		!strstr(text, "\nFORGED");
}

START_TEST(a_page_has_the_size_of_the_screen)
{
	static const size_t heights[] = { 1, 2, 3, 5, 8, 12, 24, 60 },
			    widths[] = { 1, 2, 9, 40, 80, 300 };
	begin(true);
	for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
			struct top_page page;
			top_page_init(&page, widths[w], h % 2);
			top_draw(&top, &run, NULL, heights[h], &page);
			ck_assert_uint_eq(page.line.n, heights[h]);
			for (size_t i = 0; i < page.line.n; i++) {
				size_t width = 0;
				for (size_t k = 0; k < page.line.at[i].span.n; k++)
					width += text_width(page.line.at[i].span.at[k].text);
				ck_assert_uint_le(width, widths[w]);
			}
			top_page_release(&page);
			keys("\th");
		}
	end();
}
END_TEST

START_TEST(the_row_of_the_cursor_is_shown)
{
	enum { LOW = 12 };
	begin(true);
	keys("r");
	for (size_t i = 0; i < top.rows.row.n; i++, keys("j")) {
		struct top_page page;
		size_t marked = 0;
		top_page_init(&page, 100, true);
		top_draw(&top, &run, NULL, LOW, &page);
		for (size_t k = 0; k < page.line.n; k++)
			marked += page.line.at[k].span.n &&
				page.line.at[k].span.at[0].style == STYLE_CURSOR;
		ck_assert_uint_eq(marked, 1);
		top_page_release(&page);
	}
	end();
}
END_TEST

START_TEST(names_are_data)
{
	begin(true);
	keys("r/");
	for (const char *c = HOSTILE; *c; c++)
		keys((char[]){ *c, '\0' });
	for (int utf8 = 0; utf8 < 2; utf8++) {
		struct top_page page;
		top_page_init(&page, utf8 ? 0 : 200, utf8);
		top_draw(&top, &run, "note\033[31m", 40, &page);
		char *text = page_text(&page);
		ck_assert_msg(is_harmless(text), "%s", text);
		ck_assert_ptr_nonnull(strstr(text, "=bad\\x1b]0;x"));
		ck_assert_ptr_nonnull(strstr(text, "note\\x1b[31m"));
		for (const char *c = text; *c && !utf8; c++)
			ck_assert_int_ge(*c, 0);
		free(text);
		top_page_release(&page);
	}
	end();
}
END_TEST

START_TEST(long_names_lack_their_middle)
{
	static char name[10001];
	struct top_page page;
	memset(name, 'n', sizeof name - 1);
	memcpy(name, "begin", 5), memcpy(name + sizeof name - 4, "end", 3);
	top_page_init(&page, 80, true);
	for (size_t columns = 1; columns < 60; columns++) {
		char *shown = top_page_cell(&page, name, columns);
		ck_assert_uint_eq(text_width(shown), columns);
		ck_assert(columns < 20 || (strstr(shown, "begin") && strstr(shown, "end")));
		free(shown);
		shown = top_page_cell(&page, "語語語", columns); /* six columns wide */
		ck_assert_uint_eq(text_width(shown), columns);
		free(shown);
	}
	top_page_release(&page);
}
END_TEST

START_TEST(the_strip_has_each_unit_once)
{
	for (size_t units = 1; units < 300; units += 7)
		for (size_t cells = 1; cells <= units; cells += 3) {
			size_t next = 0;
			for (size_t c = 0, first; c < cells; c++) {
				size_t n = heat_units(units, cells, c, &first);
				ck_assert_uint_eq(first, next);
				ck_assert_uint_ge(n, 1);
				next += n;
			}
			ck_assert_uint_eq(next, units);
		}
	ck_assert_int_eq(heat_level(0), 0);
	ck_assert_int_eq(heat_level(1), HEAT_LEVELS - 1);
	ck_assert_int_eq(heat_level(-3), 0);
	ck_assert_int_eq(heat_level(3), HEAT_LEVELS - 1);
	ck_assert_int_eq(heat_style(0), STYLE_LOW);
	ck_assert_int_eq(heat_style(HEAT_LEVELS - 1), STYLE_HIGH);
}
END_TEST

/* -- for other programs ------------------------------------------------------------------------ */

START_TEST(labels_are_escaped)
{
	char *text;
	size_t length;
	begin(false);
	free(run.program);
	run.program = strdup("a\"b\\c\nd\033e");
	FILE *out = open_memstream(&text, &length);
	top_prometheus(&run, out);
	fclose(out);
	/* as a name, then as a label */
	ck_assert_ptr_nonnull(strstr(text, "program=\"a\\\"b\\\\\\\\c\\\\x0ad\\\\x1be\""));
	ck_assert_ptr_nonnull(strstr(text, "sis_processes{run=\"run\"} 2\n"));
	ck_assert(is_harmless(text));
	free(text);
	end();
}
END_TEST

UNIT_MAIN("top", each_list_has_all_time, a_node_of_the_tree_is_the_sum_of_its_children,
	  what_happened_since_the_look_before, a_new_unit_has_no_rate,
	  enter_restricts_and_escape_returns, the_cursor_stays_on_its_row,
	  lists_are_sorted_by_any_column, search_marks_and_finds, other_keys,
	  a_page_has_the_size_of_the_screen, the_row_of_the_cursor_is_shown, names_are_data,
	  long_names_lack_their_middle, the_strip_has_each_unit_once, labels_are_escaped)
