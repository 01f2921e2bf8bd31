/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* A region of the source is one, for all units that hold it and all names of its file; others
 * are others. */
#include "unit.h"
#include "experiment_make.h"
#include "base/buf.h"
#include "base/path.h"

/* A unit `source` compiled in `directory` with one function of `file`, as sisc describes it. */
static void add_unit(struct profile_writer *w, uint32_t id, const char *directory,
		     const char *source, const char *file, const char *name, int line)
{
	char *json = mem_print(
		"{\"source\":\"%s\",\"directory\":\"%s\",\"compiler\":\"cc\",\"flags\":\"\","
		"\"sisc\":\"0\",\"checksum\":\"%u\",\"regions\":["
		"{\"id\":0,\"name\":\"%s\",\"type\":\"CR_F\",\"file\":\"%s\",\"unit\":\"%s\","
		"\"line_start\":%d,\"column_start\":1,"
		"\"line_end\":%d,\"column_end\":2,\"metrics\":[],\"key\":\"%s:%s:CR_F:%s:0\","
		"\"aux\":{}}]}",
		source, directory, id, name, file, name, line, line + 3, file, name, name);
	writer_unit(w, id, 1, json);
	free(json);
}

struct function { const char *directory, *source, *file, *name; int line; };

/* A run of 1 s that spends 100 ms in each function, called from the root. */
static void make(struct experiment *x, const struct function *f, uint32_t count)
{
	struct profile_writer *w = writer_new(-1, 0);
	for (uint32_t i = 0; i < count; i++)
		add_unit(w, 1000 + i, f[i].directory, f[i].source, f[i].file, f[i].name, f[i].line);
	uint64_t root = writer_thread(w, 0);
	for (uint32_t i = 0; i < count; i++)
		writer_node(w, 0, root, 1000 + i, 2, 100 * MS);
	*x = (struct experiment){ 0 };
	make_process(x, w, SIS_STATE_ENDED);
	make_classified(x);
}

/* The calls of the one region with this key; 0: no such region. */
static uint64_t calls_of(const struct experiment *x, const char *key)
{
	uint64_t n = 0;
	uint32_t found = 0, times = 0;
	for (uint32_t i = 0; i < x->model.region.n; i++)
		if (strcmp(x->model.region.at[i].key, key) == 0)
			found = i, times++;
	ck_assert_uint_le(times, 1);
	for (size_t i = 0; times && i < x->model.summary.n; i++)
		if (x->model.node.at[x->model.summary.at[i].node].region == found)
			n += x->model.summary.at[i].calls;
	return n;
}

START_TEST(a_function_of_a_header_is_one_region)
{
	static const struct function f[] = {
		{ "/p/a", "a.c", "../inc/h.h", "twice", 3 },
		{ "/p/b", "b.c", "/p/./inc//h.h", "twice", 3 },
		{ "/p", "c.c", "inc/h.h", "twice", 3 },
	};
	struct experiment x;
	make(&x, f, 3);
	ck_assert_uint_eq(calls_of(&x, "inc/h.h:twice:CR_F:twice:0"), 6);
	ck_assert_uint_eq(x.model.node.n, 2);    /* run, twice */
	/* one line a unit and node, not one a compilation */
	ck_assert_uint_eq(x.model.summary.n, 2);
	ck_assert_int_eq(x.model.summary.at[1].incl_ns, 300 * MS);
	ck_assert_str_eq(x.model.base, "/p");
	experiment_release(&x);
}
END_TEST

START_TEST(files_of_one_name_in_two_directories_are_two)
{
	static const struct function f[] = {
		{ "/p/a", "util.c", "util.c", "init", 3 },
		{ "/p/b", "util.c", "util.c", "init", 3 },
	};
	struct experiment x;
	make(&x, f, 2);
	ck_assert_uint_eq(calls_of(&x, "a/util.c:init:CR_F:init:0"), 2);
	ck_assert_uint_eq(calls_of(&x, "b/util.c:init:CR_F:init:0"), 2);
	experiment_release(&x);
}
END_TEST

START_TEST(a_library_linked_twice_is_one)
{
	static const struct function f = { "/p", "lib.c", "lib.c", "f", 3 };
	struct experiment x;
	const struct function twice[] = { f, f };
	make(&x, twice, 2);
	ck_assert_uint_eq(calls_of(&x, "lib.c:f:CR_F:f:0"), 4);
	experiment_release(&x);
}
END_TEST

/* Macros of the includer may leave another text of a header: two regions, and a key for each. */
START_TEST(one_key_at_two_places_is_two_regions)
{
	static const struct function f[] = {
		{ "/p", "a.c", "h.h", "f", 3 },
		{ "/p", "b.c", "h.h", "f", 9 },
	};
	struct experiment x;
	make(&x, f, 2);
	ck_assert_uint_eq(calls_of(&x, "h.h:f:CR_F:f:0"), 2);
	ck_assert_uint_eq(calls_of(&x, "h.h:f:CR_F:f:0@9.1-12.2"), 2);
	experiment_release(&x);
}
END_TEST

START_TEST(names_stay_where_no_directory_is_known)
{
	static const struct function f[] = { { "", "a.c", "x/../a.c", "f", 3 },
					     { "/p", "-", "<stdin>", "main", 1 } };
	struct experiment x;
	make(&x, f, 2);
	ck_assert_uint_eq(calls_of(&x, "x/../a.c:f:CR_F:f:0"), 2);
	ck_assert_uint_eq(calls_of(&x, "<stdin>:main:CR_F:main:0"), 2);
	experiment_release(&x);
}
END_TEST

/* An amalgamation with every statement measured has 60 000 regions: their cost is their number's,
 * not its square's. */
START_TEST(a_description_is_as_long_as_it_is)
{
	enum { COUNT = 40000 };
	struct buf json = { 0 };
	buf_print(&json, "{\"source\":\"big.c\",\"directory\":\"/p\",\"regions\":[");
	for (int i = 0; i < COUNT; i++)
		buf_print(
			&json,
			"%s{\"id\":%d,\"name\":\"stmt@%d\",\"type\":\"CR_STMT\","
			"\"file\":\"big.c\",\"unit\":\"f\",\"line_start\":%d,"
			"\"line_end\":%d,\"metrics\":[],\"key\":\"big.c:f:CR_STMT:stmt:%d\","
			"\"aux\":{}}",
			i ? "," : "", i, i, i, i, i);
	buf_print(&json, "]}");
	struct profile_writer *w = writer_new(-1, 0);
	writer_unit(w, 1000, COUNT, json.at);
	uint64_t root = writer_thread(w, 0);
	writer_node(w, 0, root, 1000 + COUNT - 1, 7, 100 * MS);
	struct experiment x = { 0 };
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	ck_assert_uint_eq(calls_of(&x, "big.c:f:CR_STMT:stmt:39999"), 7);
	experiment_release(&x);
	free(json.at);
}
END_TEST

static void is_path(char *got, const char *wanted)
{
	ck_assert_msg(wanted ? got && strcmp(got, wanted) == 0 : !got, "'%s', not '%s'",
		      got ? got : "-", wanted ? wanted : "-");
	free(got);
}

START_TEST(paths_are_lists_of_words)
{
	is_path(path_absolute("/a/b", "../c/./d.c"), "/a/c/d.c");
	is_path(path_absolute("/a", "../../../x.c"), "/x.c");
	is_path(path_absolute("", "/x//y/..//z/"), "/x/z");
	is_path(path_absolute("", "/.."), "/");
	is_path(path_absolute("rel", "x.c"), NULL);
	is_path(path_absolute("/a", "<stdin>"), NULL);
	is_path(path_common("/a/bc", "/a/bd"), "/a");
	is_path(path_common("/a", "/a/b"), "/a");
	is_path(path_common("/a", "/b"), "/");
	is_path(path_relative("/a/b", "/a/b/c.c"), "c.c");
	is_path(path_relative("/a/b/c", "/a/x.c"), "../../x.c");
	is_path(path_relative("/a/b", "/c/x.c"), "/c/x.c");
	is_path(path_relative("/", "/c/x.c"), "/c/x.c");
}
END_TEST

UNIT_MAIN("regions", a_function_of_a_header_is_one_region,
	  files_of_one_name_in_two_directories_are_two, a_library_linked_twice_is_one,
	  one_key_at_two_places_is_two_regions, names_stay_where_no_directory_is_known,
	  a_description_is_as_long_as_it_is, paths_are_lists_of_words)
