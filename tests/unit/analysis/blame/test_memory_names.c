/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/flow_make.c */
/* test_memory_names.c - which variables hold the memory that small programs allocate. */
#include "unit.h"

#include "blame/attribute/memory_names.h"
#include "flow_make.h"

#define TYPES \
	"type double real 8\n" \
	"type double* pointer 8 double\n" \
	"type double** pointer 8 double*\n" \
	"type int int 4\n" \
	"type void void 0\n" \
	"type void* pointer 8 void\n" \
	"type P struct 24\n field L2 0 8 double*\n field A 8 8 double*\n field n 16 4 int\n" \
	"type P* pointer 8 P\n" \
	"type M struct 16\n field panel 0 8 P*\n field n 8 4 int\n" \
	"type M* pointer 8 M\n"
/* void *xmalloc() { void *q = malloc(n); return q; } */
#define XMALLOC \
	"function xmalloc\n local q void*\n" \
	" statement\n m = address malloc\n size = literal\n h = call m size\n q = define q h\n" \
	" statement\n return q\n"

struct run {
	struct flow_program program;
	struct routines *routines;
	struct placed placed;
	struct memory_name name;
};

/* A stack: "FUNCTION:STATEMENT[:ROUTINE] ..." innermost first. */
static void add_stack(struct run *r, const char *text)
{
	struct placed_stack s = { .node = FLOW_NONE, .first = r->placed.frame.n };
	char *copy = strdup(text);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		char name[32], routine[32] = "";
		unsigned statement;
		ck_assert_int_ge(sscanf(word, "%31[^:]:%u:%31s", name, &statement, routine), 2);
		*vec_push(&r->placed.frame) = (struct placed_frame){
			.function = flow_function_find(&r->program, name),
			.statement = statement, .first = (uint32_t)r->placed.statement.n,
			.count = 1, .callee = *routine ? strdup(routine) : NULL };
		ck_assert_uint_ne(r->placed.frame.at[r->placed.frame.n - 1].function, FLOW_NONE);
		*vec_push(&r->placed.statement) = statement;
		s.frames++;
	}
	*vec_push(&r->placed.stack) = s;
	free(copy);
}

static void find(struct run *r, const char *program, const char *stack)
{
	*r = (struct run){ .routines = routines_new() };
	flow_make(&r->program, program);
	add_stack(r, stack);
	memory_names_find(&r->name, &r->program, r->routines, &r->placed);
}

static void end(struct run *r)
{
	for (size_t i = 0; i < r->placed.frame.n; i++)
		free((char *)(uintptr_t)r->placed.frame.at[i].callee);
	vec_free(&r->placed.frame);
	vec_free(&r->placed.stack);
	vec_free(&r->placed.statement);
	memory_name_release(&r->name);
	flow_program_release(&r->program);
	routines_free(r->routines);
}

static void ck_name(const struct run *r, const char *name, const char *function,
		    const char *container, const char *container_function)
{
	ck_assert_str_eq(r->name.name, name);
	ck_assert_str_eq(r->name.function, function);
	ck_assert_str_eq(r->name.container, container);
	ck_assert_str_eq(r->name.container_function, container_function);
}

START_TEST(a_pointer_holds_what_is_assigned_to_it)
{
	struct run r;
	find(&r, TYPES "function main\n local x double*\n"
	     " statement\n m = address malloc\n size = literal\n h = call m size\n"
	     " x = define x h\n"
	     " statement\n one = literal\n store x one 8\n", "main:2:malloc");
	ck_name(&r, "x", "main", "x", "main");
	ck_assert_str_eq(r.name.type, "double");
	ck_assert_str_eq(r.name.path, "main");
	ck_assert_uint_eq(r.name.line, 20);
	end(&r);
}
END_TEST

/* A wrapper that is called at two places: each has the variable of its caller. */
#define TWO_CALLS \
	TYPES XMALLOC "function main\n local a double*\n local b double*\n" \
	" statement\n f = address xmalloc\n x = call f\n a = define a x\n" \
	" statement\n y = call f\n b = define b y\n" \
	" statement\n one = literal\n store a one 8\n store b one 8\n"
START_TEST(a_wrapper_passes_memory_on)
{
	struct run r;
	find(&r, TWO_CALLS, "xmalloc:2:malloc main:2");
	ck_name(&r, "a", "main", "a", "main");
	ck_assert_str_eq(r.name.path, "main/xmalloc");
	ck_assert_str_eq(r.name.type, "double");
	ck_assert_uint_eq(r.name.line, 20);
	end(&r);
	find(&r, TWO_CALLS, "xmalloc:2:malloc main:3");
	ck_name(&r, "b", "main", "b", "main");
	ck_assert_uint_eq(r.name.line, 30);
	end(&r);
}
END_TEST

/* void alloc(P *p) { p->L2 = xmalloc(); }  void solve(P *PANEL) { alloc(PANEL); }
 * main: P panel; M mat; mat.panel = &panel; solve(mat.panel); */
START_TEST(containers_are_those_of_the_outermost_function)
{
	struct run r;
	find(&r, TYPES XMALLOC
	     "function alloc\n parameter p P*\n"
	     " statement\n q = parameter 0\n f = address xmalloc\n h = call f\n"
	     " l = field q 0\n store l h 8\n"
	     "function solve\n parameter PANEL P*\n"
	     " statement\n q = parameter 0\n f = address alloc\n call f q\n"
	     "function main\n local mat M\n local panel P\n"
	     " statement\n m = address mat\n p = address panel\n a = field m 0\n store a p 8\n"
	     " statement\n l = load a 8\n f = address solve\n call f l\n",
	     "xmalloc:2:malloc alloc:2 solve:2 main:3");
	ck_name(&r, "p->L2", "alloc", "panel", "main");
	ck_assert_str_eq(r.name.path, "main/solve/alloc/xmalloc");
	ck_assert_str_eq(r.name.type, "double");
	end(&r);
}
END_TEST

/* main: M mat; mat.panel = malloc; solve(&mat): memory that only a pointer in memory reaches. */
START_TEST(memory_behind_memory_is_part_of_the_variable)
{
	struct run r;
	find(&r, TYPES "function alloc\n parameter p P*\n"
	     " statement\n q = parameter 0\n m = address malloc\n size = literal\n"
	     " h = call m size\n l = field q 8\n store l h 8\n"
	     "function fill\n parameter m M*\n"
	     " statement\n q = parameter 0\n a = field q 0\n l = load a 8\n f = address alloc\n"
	     " call f l\n"
	     "function main\n local mat M\n"
	     " statement\n m = address malloc\n size = literal\n h = call m size\n"
	     " p = address mat\n a = field p 0\n store a h 8\n"
	     " statement\n f = address fill\n call f p\n",
	     "alloc:2:malloc fill:2 main:3");
	ck_name(&r, "p->A", "alloc", "mat", "main");
	end(&r);
}
END_TEST

START_TEST(a_global_has_no_function)
{
	struct run r;
	find(&r, TYPES "global grid double*\n"
	     "function init\n"
	     " statement\n m = address malloc\n size = literal\n h = call m size\n"
	     " g = address grid\n store g h 8\n"
	     "function main\n statement\n f = address init\n call f\n",
	     "init:2:malloc main:2");
	ck_name(&r, "grid", "", "grid", "");
	end(&r);
}
END_TEST

/* At a statement with two calls the memory may be of either. */
START_TEST(one_of_several_is_said_to_be_so)
{
	struct run r;
	find(&r, TYPES "function main\n local a double*\n local b double*\n"
	     " statement\n m = address malloc\n size = literal\n h = call m size\n"
	     " a = define a h\n k = call m size\n b = define b k\n"
	     " statement\n one = literal\n store a one 8\n store b one 8\n", "main:2:malloc");
	ck_name(&r, "a|b", "main", "a|b", "main");
	end(&r);
}
END_TEST

/* double **t; t[0] = malloc(): the memory is behind the pointer that t points to. */
START_TEST(pointers_to_pointers_are_counted)
{
	struct run r;
	find(&r, TYPES "function main\n local t double**\n"
	     " statement\n m = address malloc\n size = literal\n h = call m size\n"
	     " t = define t h\n"
	     " statement\n k = call m size\n store t k 8\n", "main:3:malloc");
	ck_name(&r, "*t", "main", "t", "main");
	end(&r);
}
END_TEST

/* void push(L *l) { n = malloc(); n->next = l->head; l->head = n; }
 * main: L list; push(&list); for (p = list.head; p; p = p->next): p only visits the memory. */
START_TEST(a_pointer_that_visits_memory_is_no_container)
{
	struct run r;
	find(&r, TYPES "type N* pointer 8 N\ntype N struct 16\n field next 0 8 N*\n"
	     " field x 8 8 double\ntype L struct 8\n field head 0 8 N*\ntype L* pointer 8 L\n"
	     "function push\n parameter l L*\n local n N*\n"
	     " statement\n q = parameter 0\n m = address malloc\n size = literal\n"
	     " h = call m size\n n = define n h\n"
	     " statement\n a = field q 0\n v = load a 8\n b = field n 0\n store b v 8\n"
	     " statement\n store a n 8\n"
	     "function main\n local p N*\n local list L\n"
	     " statement\n f = address push\n l = address list\n call f l\n"
	     " statement\n a = field l 0\n v = load a 8\n p = define p v\n"
	     " statement\n one = literal\n x = field p 8\n store x one 8\n",
	     "push:2:malloc main:2");
	ck_name(&r, "n", "push", "list", "main");
	ck_assert_str_eq(r.name.type, "N");
	end(&r);
}
END_TEST

#define WRAPPER(name, inner) \
	"function " name "\n statement\n f = address " inner "\n h = call f\n return h\n"
/* Through so many wrappers that the memory of all calls is one: it may be behind each pointer. */
START_TEST(deep_wrappers_have_all_pointers)
{
	struct run r;
	find(&r, TYPES XMALLOC WRAPPER("w1", "xmalloc") WRAPPER("w2", "w1") WRAPPER("w3", "w2")
	     WRAPPER("w4", "w3")
	     "function main\n local mat P\n"
	     " statement\n f = address w4\n h = call f\n p = address mat\n"
	     " a = field p 0\n store a h 8\n"
	     " statement\n k = call f\n b = field p 8\n store b k 8\n",
	     "xmalloc:2:malloc w1:2 w2:2 w3:2 w4:2 main:2");
	ck_name(&r, "mat.L2|mat.A", "main", "mat", "main");
	end(&r);
	/* two variables: it is not known whose it is */
	find(&r, TYPES XMALLOC WRAPPER("w1", "xmalloc") WRAPPER("w2", "w1") WRAPPER("w3", "w2")
	     WRAPPER("w4", "w3")
	     "global one P\nglobal two P\nfunction main\n"
	     " statement\n f = address w4\n h = call f\n p = address one\n"
	     " a = field p 0\n store a h 8\n"
	     " statement\n k = call f\n q = address two\n b = field q 8\n store b k 8\n",
	     "xmalloc:2:malloc w1:2 w2:2 w3:2 w4:2 main:2");
	ck_name(&r, "q", "xmalloc", "q", "xmalloc");
	end(&r);
}
END_TEST

/* A library that allocates for itself: the path names its routine, and no variable is guessed. */
START_TEST(memory_of_a_library_has_no_name)
{
	struct run r;
	find(&r, TYPES "function main\n local a double*\n"
	     " statement\n m = address lib_open\n size = literal\n h = call m size\n"
	     " a = define a h\n"
	     " statement\n one = literal\n store a one 8\n", "main:2:lib_open");
	ck_name(&r, "", "", "", "");
	ck_assert_str_eq(r.name.path, "main/lib_open");
	end(&r);
}
END_TEST

/* The statement calls a function that was not analysed: the chain of callers ends there. */
START_TEST(what_cannot_be_followed_keeps_its_name)
{
	struct run r;
	find(&r, TYPES XMALLOC "function main\n local a double*\n"
	     " statement\n one = literal\n a = define a one\n", "xmalloc:2:malloc main:2");
	ck_name(&r, "q", "xmalloc", "q", "xmalloc");
	ck_assert_str_eq(r.name.path, "main/xmalloc");
	end(&r);
}
END_TEST

UNIT_MAIN("memory_names", a_pointer_holds_what_is_assigned_to_it, a_wrapper_passes_memory_on,
	  containers_are_those_of_the_outermost_function,
	  memory_behind_memory_is_part_of_the_variable, a_global_has_no_function,
	  one_of_several_is_said_to_be_so, pointers_to_pointers_are_counted,
	  a_pointer_that_visits_memory_is_no_container, deep_wrappers_have_all_pointers,
	  memory_of_a_library_has_no_name, what_cannot_be_followed_keeps_its_name)
