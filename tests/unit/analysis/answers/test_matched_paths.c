/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Call paths of two runs: which are the same work, whatever constructs are between the regions. */
#include "unit.h"
#include "answers/query/matched_paths.h"

#include <stdlib.h>
#include <string.h>

/* Regions are letters. Capital ones are no functions. They are in m, but for U, which is in f. */
static const char *type_of(char letter)
{
	switch (letter) {
	case 'm': return "CR_P";
	case 'L': return "CR_FOR";
	case 'P': return "CR_OMPPAFOR";
	case 'S': return "CR_OMPSINGLE";
	case 'W': return "CR_OMPTASKWAIT";
	case 'T': case 'U': return "CR_OMPTASKBODY";
	case 'I': return "CR_MPISEND";
	case 'J': return "CR_PTJOIN";
	case 'B': return "RT_IBAR";
	case '/': return "RT_RUN";
	default: return "CR_F";
	}
}

/* file_text: of all regions but functions n and o, which are in a file of their own. */
static uint32_t region_number(struct call_graph *g, char letter, const char *file_text)
{
	char key[64];
	const char *type = type_of(letter);
	char function = letter >= 'a' ? letter : letter == 'U' ? 'f' : 'm';
	snprintf(key, sizeof key, "f.c:%c:%s:%c:0", function, type, letter);
	for (uint32_t i = 0; i < g->region.n; i++)
		if (strcmp(g->region.at[i].key, key) == 0)
			return i;
	bool is_new = letter == 'n' || letter == 'o';
	*vec_push(&g->region) = (struct graph_region){
		.name = mem_print("%c", letter), .type = mem_string(type),
		.function = mem_print("%c", function), .file = mem_string("f.c"),
		.key = mem_string(key), .checksum = mem_string(is_new ? key : file_text),
		.tokens = mem_print("%c", letter), .build = mem_string(""),
	};
	return g->region.n - 1;
}

static uint32_t find_node(const struct call_graph *g, const char *path)
{
	for (uint32_t i = 0; i < g->node.n; i++)
		if (strcmp(g->node.at[i].path, path) == 0)
			return i;
	ck_abort_msg("no node '%s'", path);
	return 0;
}

/* A graph with these nodes, which are separated by blanks, each after its parent. */
static void make_graph(struct call_graph *g, const char *nodes, const char *file_text)
{
	*g = (struct call_graph){ 0 };
	*vec_push(&g->node) = (struct graph_node){ .region = region_number(g, '/', file_text),
						   .parent = GRAPH_NONE, .path = mem_string("") };
	for (; *nodes; nodes += strspn(nodes, " ")) {
		char path[32], parent[32];
		int n = (int)strcspn(nodes, " ");
		snprintf(path, sizeof path, "%.*s", n, nodes);
		snprintf(parent, sizeof parent, "%.*s", n - 1, nodes);
		uint32_t above = find_node(g, parent);
		uint32_t region = region_number(g, nodes[n - 1], file_text);
		*vec_push(&g->node) = (struct graph_node){ .region = region, .parent = above,
							   .path = mem_string(path) };
		nodes += n;
	}
}

static struct call_graph graph[2];
static struct matched_paths matched;

static void match(const char *first, const char *second)
{
	make_graph(&graph[0], first, "text 1");
	make_graph(&graph[1], second, "text 2");
	matched_paths_load(&matched, &graph[0], &graph[1]);
}

static void release(void)
{
	matched_paths_release(&matched);
	call_graph_release(&graph[0]), call_graph_release(&graph[1]);
}

static void counts_for(int run, const char *node, const char *wanted)
{
	uint32_t path = matched.of_node[run][find_node(&graph[run], node)];
	char *text = matched_path_text(&matched, path, "");
	ck_assert_msg(strcmp(text, wanted) == 0, "%s of run %d is %s, not %s", node, run, text,
		      wanted);
	free(text);
}

static bool have_both(int run, const char *node)
{
	const struct matched_path *m =
		&matched.match.at[matched.of_node[run][find_node(&graph[run], node)]];
	return m->node[0] != NO_MATCH && m->node[1] != NO_MATCH;
}

START_TEST(one_helper_has_a_path_for_each_caller)
{
	match("m ma mah mb mbh", "m ma mah mb mbh");
	counts_for(0, "mah", "mah");
	counts_for(1, "mbh", "mbh");
	ck_assert_uint_ne(matched.of_node[1][find_node(&graph[1], "mah")],
			  matched.of_node[1][find_node(&graph[1], "mbh")]);
	ck_assert(have_both(1, "mah") && have_both(1, "mbh"));
	ck_assert_uint_eq(matched.of_node[0][0], 0);
	release();
}
END_TEST

START_TEST(constructs_of_one_run_are_left_out)
{
	match("m ma mah maL maLg", "m ma maP maPh maPB maI maIg maJ");
	counts_for(1, "maPh", "mah");
	counts_for(1, "maPB", "ma");
	counts_for(0, "maL", "ma");
	counts_for(0, "maLg", "mag");
	counts_for(1, "maIg", "mag");
	counts_for(1, "maJ", "ma");
	ck_assert(have_both(1, "maPh") && have_both(0, "maLg"));
	release();
	match("m mP mPa mS mSa", "m mP mPa mS mSa");
	counts_for(0, "mPa", "mPa");
	counts_for(1, "mSa", "mSa");
	release();
}
END_TEST

START_TEST(recursion_is_one_path)
{
	match("m mf mff mffh mffg mffgf", "m mf mfP mfPf mfPfh");
	counts_for(0, "mff", "mf");
	counts_for(0, "mffgf", "mf");
	counts_for(0, "mffh", "mfh");
	counts_for(1, "mfPfh", "mfh");
	release();
}
END_TEST

START_TEST(a_new_function_between_two_hides_nothing)
{
	match("m ma mak", "m mn mna mnak mnakn");
	counts_for(1, "mn", "mn");
	counts_for(1, "mna", "ma");
	counts_for(1, "mnak", "mak");
	ck_assert(have_both(1, "mnak") && !have_both(1, "mn"));
	release();
	match("m mo mok", "m mn mnk"); /* each version has a caller of its own */
	counts_for(0, "mok", "mk");
	counts_for(1, "mnk", "mk");
	ck_assert(have_both(1, "mnk") && !have_both(0, "mo") && !have_both(1, "mn"));
	release();
}
END_TEST

START_TEST(additional_calls_of_new_functions_are_new)
{
	match("m mh", "m mh mn mnh mng");
	counts_for(1, "mnh", "mnh");
	counts_for(1, "mng", "mng");
	ck_assert(have_both(1, "mh") && !have_both(1, "mnh"));
	release();
}
END_TEST

START_TEST(functions_of_threads_are_called_by_main)
{
	match("m ma mah", "a ah m mh");
	counts_for(1, "ah", "mah");
	ck_assert(have_both(1, "ah") && !have_both(1, "mh"));
	release();
}
END_TEST

/* T is in main, U in f. */
START_TEST(bodies_of_tasks_count_for_their_functions)
{
	match("m mh mf mfh", "m mP mPf mPfW mPfWT mPfWTh mPfWU mPfWUf mPfWUfh mPB mPBU mPBUh");
	counts_for(1, "mPfWTh", "mh");
	counts_for(1, "mPfWU", "mf");
	counts_for(1, "mPfWUfh", "mfh");
	counts_for(1, "mPBUh", "mfh");
	release();
}
END_TEST

START_TEST(a_path_knows_its_nodes)
{
	match("m ma maL", "m ma maP");
	ck_assert(matched_paths_ends(&matched, &graph[0], 0, find_node(&graph[0], "ma")));
	ck_assert(!matched_paths_ends(&matched, &graph[0], 0, find_node(&graph[0], "maL")));
	ck_assert(!matched_paths_ends(&matched, &graph[1], 1, find_node(&graph[1], "maP")));
	ck_assert(matched_paths_ends(&matched, &graph[1], 1, 0));
	release();
	match("", ""); /* roots alone */
	ck_assert_uint_eq(matched.match.n, 1);
	release();
}
END_TEST

UNIT_MAIN("matched_paths", one_helper_has_a_path_for_each_caller,
	  constructs_of_one_run_are_left_out, recursion_is_one_path,
	  a_new_function_between_two_hides_nothing, additional_calls_of_new_functions_are_new,
	  functions_of_threads_are_called_by_main, bodies_of_tasks_count_for_their_functions,
	  a_path_knows_its_nodes)
