/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/flow_make.c */
/* test_blame.c - which variables get the samples of small programs. */
#include "unit.h"

#include "blame/attribute/blame.h"
#include "flow_make.h"

#define TYPES \
	"type double real 8\n" \
	"type double* pointer 8 double\n" \
	"type int int 4\n" \
	"type void void 0\n" \
	"type void* pointer 8 void\n" \
	"type double[] array 800 double 100\n"

struct run {
	struct flow_program program;
	struct routines *routines;
	struct placed placed;
	struct blame blame;
};

/* A stack: "FUNCTION:STATEMENT[:ROUTINE] ..." innermost first. */
static void stack(struct run *r, const char *text, uint64_t count)
{
	struct placed_stack s = { .node = FLOW_NONE, .count = count, .weight = 10 * count,
				  .first = r->placed.frame.n };
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

static void begin(struct run *r, const char *text)
{
	*r = (struct run){ .routines = routines_new() };
	flow_make(&r->program, text);
}

static void end(struct run *r)
{
	for (size_t i = 0; i < r->placed.frame.n; i++)
		free((char *)(uintptr_t)r->placed.frame.at[i].callee);
	vec_free(&r->placed.frame);
	vec_free(&r->placed.stack);
	vec_free(&r->placed.statement);
	blame_release(&r->blame);
	flow_program_release(&r->program);
	routines_free(r->routines);
}

static void compute(struct run *r)
{
	blame_release(&r->blame);
	blame_compute(&r->blame, &r->program, r->routines, &r->placed, 0);
}

struct sum { double share, explicit, implicit, base; };

static struct sum sum(const struct run *r, const char *point, const char *name, const char *field)
{
	struct sum s = { 0, 0, 0, 0 };
	for (size_t i = 0; i < r->blame.row.n; i++) {
		const struct blame_row *row = &r->blame.row.at[i];
		const struct blame_variable *v = &r->blame.variable.at[row->variable];
		if (strcmp(r->blame.point.at[v->point].path, point) != 0 ||
		    strcmp(v->name, name) != 0 || strcmp(v->field, field) != 0)
			continue;
		s.share += (double)row->share / BLAME_UNIT;
		s.explicit += (double)row->explicit / BLAME_UNIT;
		s.implicit += (double)row->implicit / BLAME_UNIT;
		s.base += (double)row->base / BLAME_UNIT;
	}
	return s;
}

static void dump(const struct run *r)
{
	for (size_t i = 0; i < r->blame.variable.n; i++) {
		const struct blame_variable *v = &r->blame.variable.at[i];
		const char *point = r->blame.point.at[v->point].path;
		struct sum s = sum(r, point, v->name, v->field);
		printf("%-20s %-24s %-12s share %g explicit %g implicit %g base %g\n", point,
		       v->name, v->field, s.share, s.explicit, s.implicit, s.base);
	}
}

#define share_is(r, point, name, expected) \
	do { \
		double found = sum(r, point, name, "").share; \
		if (found != (expected)) \
			dump(r); \
		ck_assert_double_eq(found, expected); \
	} while (0)

static void doubts_are(const struct run *r, const char *const *expected, size_t n)
{
	ck_assert_uint_eq(r->blame.doubt.n, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(strstr(r->blame.doubt.at[i], expected[i]), "'%s' is not in '%s'",
			      expected[i], r->blame.doubt.at[i]);
}

/* All samples of a point are in its rows. */
static void is_complete(const struct run *r, const char *point, double samples)
{
	double all = 0;
	for (size_t i = 0; i < r->blame.variable.n; i++) {
		const struct blame_variable *v = &r->blame.variable.at[i];
		if (!*v->field && strcmp(r->blame.point.at[v->point].path, point) == 0)
			all += sum(r, point, v->name, "").share;
	}
	ck_assert_double_eq(all, samples);
}

/* The last stack's innermost frame: its time is for these variables. */
static void only_for(struct run *r, const char *names)
{
	const struct placed_stack *s = &r->placed.stack.at[r->placed.stack.n - 1];
	r->placed.frame.at[s->first].only = names;
}

/* -- explicit and implicit --------------------------------------------------------------------- */

/* int a = ...; int b = ...; int c = a + b; */
START_TEST(scalars_that_flow_on_give_all)
{
	struct run r;
	begin(&r, TYPES "function main\n local a int\n local b int\n local c int\n"
	      " statement\n x = literal\n a = define a x\n"
	      " statement\n y = literal\n b = define b y\n"
	      " statement\n s = compute a b\n c = define c s\n");
	stack(&r, "main:2", 3);
	stack(&r, "main:3", 4);
	stack(&r, "main:4", 5);
	compute(&r);
	share_is(&r, "main", "c", 12);
	ck_assert_double_eq(sum(&r, "main", "a", "").explicit, 3);
	ck_assert_double_eq(sum(&r, "main", "b", "").explicit, 4);
	ck_assert_double_eq(sum(&r, "main", "c", "").explicit, 12);
	is_complete(&r, "main", 12);
	end(&r);
}
END_TEST

/* for (i = 0; i < n; i++) x[i] = 1; return */
#define LOOP \
	TYPES "function main\n local i int\n local x double[]\n" \
	" block to 1\n statement\n zero = literal\n i0 = define i zero\n" \
	" block on b to 2 3\n i1 = meet i0 i2\n statement\n n = literal\n less = compute i1 n\n" \
	" b = branch less\n" \
	" block on b to 1\n statement\n x = address x\n at = index x i1 8\n one = literal\n" \
	" store at one 8\n statement\n more = compute i1\n i2 = define i more\n" \
	" block\n"

START_TEST(a_loop_counter_gives_to_the_body)
{
	struct run r;
	begin(&r, LOOP);
	stack(&r, "main:2", 1);
	stack(&r, "main:3", 2);
	stack(&r, "main:4", 4);
	stack(&r, "main:5", 8);
	compute(&r);
	share_is(&r, "main", "x", 15);
	ck_assert_double_eq(sum(&r, "main", "x", "").base, 4);
	ck_assert_double_eq(sum(&r, "main", "i", "").explicit, 9);
	end(&r);
}
END_TEST

/* if (flag) y[0] = 1; else z[0] = 1; */
START_TEST(a_flag_gives_to_both_branches)
{
	struct run r;
	begin(&r, TYPES "function main\n local f int\n local y double[]\n local z double[]\n"
	      " block to 1 2\n statement\n c = literal\n f = define f c\n b = branch f\n"
	      " block on b to 3\n statement\n one = literal\n y = address y\n store y one 8\n"
	      " block on b to 3\n statement\n z = address z\n store z one 8\n block\n");
	stack(&r, "main:2", 6);
	compute(&r);
	share_is(&r, "main", "y", 3);
	share_is(&r, "main", "z", 3);
	ck_assert_double_eq(sum(&r, "main", "y", "").implicit, 6);
	ck_assert_double_eq(sum(&r, "main", "y", "").explicit, 0);
	ck_assert_double_eq(sum(&r, "main", "f", "").explicit, 6);
	end(&r);
}
END_TEST

/* -- memory and calls -------------------------------------------------------------------------- */

#define SWAP \
	"function swap\n parameter p double*\n parameter q double*\n local t double\n" \
	" statement\n p = parameter 0\n q = parameter 1\n v = load p 8\n t = define t v\n" \
	" statement\n w = load q 8\n store p w 8\n" \
	" statement\n store q t 8\n"

/* swap(&a, &b) and swap(&c, &d) do not mix. */
START_TEST(two_calls_stay_apart)
{
	struct run r;
	begin(&r, TYPES SWAP "function main\n local a double\n local b double\n local c double\n"
	      " local d double\n"
	      " statement\n f = address swap\n a = address a\n b = address b\n call f a b\n"
	      " statement\n c = address c\n d = address d\n call f c d\n");
	stack(&r, "swap:3 main:2", 4);
	stack(&r, "swap:4 main:3", 8);
	stack(&r, "swap:2 main:2", 16);
	compute(&r);
	share_is(&r, "main", "a", 4);
	share_is(&r, "main", "b", 16);
	share_is(&r, "main", "d", 8);
	share_is(&r, "main", "c", 0);
	ck_assert_double_eq(sum(&r, "main", "c", "").explicit, 0);
	share_is(&r, "main/swap", "p", 4);
	share_is(&r, "main/swap", "q", 24);
	is_complete(&r, "main", 28);
	end(&r);
}
END_TEST

/* The call is applied above the sampled frame: a -> swap(&a, &b) -> b, not c. */
START_TEST(calls_transfer_in_their_context)
{
	struct run r;
	begin(&r, TYPES SWAP "function main\n local a double\n local b double\n local c double\n"
	      " local d double\n"
	      " statement\n one = literal\n a = address a\n store a one 8\n"
	      " statement\n f = address swap\n b = address b\n call f a b\n"
	      " statement\n c = address c\n d = address d\n call f c d\n");
	stack(&r, "main:2", 5);
	compute(&r);
	share_is(&r, "main", "a", 5);
	ck_assert_double_eq(sum(&r, "main", "b", "").explicit, 5);
	ck_assert_double_eq(sum(&r, "main", "c", "").explicit, 0);
	ck_assert_double_eq(sum(&r, "main", "d", "").explicit, 0);
	end(&r);
}
END_TEST

#define PANEL \
	"type P struct 24\n field L2 0 8 double*\n field A 8 8 double*\n field n 16 4 int\n" \
	"type P* pointer 8 P\n"

/* void fill(P *PANEL) { PANEL->L2[0] = PANEL->n; }, and main makes the struct and its memory. */
START_TEST(fields_have_access_paths)
{
	struct run r;
	begin(&r, TYPES PANEL "function fill\n parameter PANEL P*\n"
	      " statement\n p = parameter 0\n f = field p 0\n l = load f 8\n g = field p 16\n"
	      " n = load g 4\n store l n 8\n"
	      "function main\n local mat P\n"
	      " statement\n m = address malloc\n size = literal\n h = call m size\n"
	      " mat = address mat\n store mat h 8\n"
	      " statement\n k = call m size\n a = field mat 8\n store a k 8\n"
	      " statement\n f = address fill\n call f mat\n");
	stack(&r, "fill:2 main:4", 7);
	compute(&r);
	share_is(&r, "main/fill", "PANEL", 7);
	ck_assert_double_eq(sum(&r, "main/fill", "PANEL", "PANEL->L2").share, 7);
	share_is(&r, "main", "mat", 7);
	ck_assert_double_eq(sum(&r, "main", "mat", "mat.L2").share, 7);
	ck_assert_double_eq(sum(&r, "main", "mat", "mat.A").share, 0);
	end(&r);
}
END_TEST

/* double *make() { return malloc(8); }: two calls, two variables. */
START_TEST(allocations_have_their_call_path)
{
	struct run r;
	begin(&r, TYPES "function make\n local p double*\n"
	      " statement\n m = address malloc\n size = literal\n h = call m size\n"
	      " p = define p h\n statement\n return p\n"
	      "function main\n local a double*\n local b double*\n"
	      " statement\n f = address make\n x = call f\n a = define a x\n"
	      " statement\n y = call f\n b = define b y\n"
	      " statement\n one = literal\n store a one 8\n"
	      " statement\n store b one 8\n");
	stack(&r, "main:4", 3);
	stack(&r, "main:5", 9);
	stack(&r, "make:2:malloc main:3", 2);
	compute(&r);
	share_is(&r, "main", "a", 3);
	share_is(&r, "main", "b", 11);
	is_complete(&r, "main", 14);
	end(&r);
}
END_TEST

/* double *B = mat.A: the memory is that of mat, which got it first. */
START_TEST(memory_belongs_to_what_got_it_first)
{
	struct run r;
	begin(&r, TYPES PANEL "function main\n local B double*\n local info int\n local raw void*\n"
	      " local mat P\n"
	      " statement\n m = address malloc\n size = literal\n h = call m size\n"
	      " raw = define raw h\n"
	      " statement\n i = address info\n c = compute raw size\n store i c 4\n"
	      " statement\n p = address mat\n a = field p 8\n s = compute raw size\n"
	      " store a s 8\n"
	      " statement\n l = load a 8\n n = index l size 8\n B = define B n\n"
	      " statement\n one = literal\n store B one 8\n");
	stack(&r, "main:6", 3);
	compute(&r);
	share_is(&r, "main", "mat", 3);
	ck_assert_double_eq(sum(&r, "main", "mat", "mat.A").share, 3);
	end(&r);
}
END_TEST

/* -- pointers to members ----------------------------------------------------------------------- */

#define MEMBERS TYPES \
	"type double[4] array 32 double 4\n" \
	"type S struct 80\nfield n 0 4 int\nfield first 8 32 double[4]\n" \
	"field second 40 32 double[4]\nfield third 72 8 double\n" \
	"type H struct 64\nfield left 0 32 double[4]\nfield right 32 32 double[4]\n" \
	"type H* pointer 8 H\ntype N struct 80\nfield inner 0 64 H\nfield last 64 8 double\n"
#define FILL \
	"function fill\n parameter p double*\n statement\n p = parameter 0\n n = literal\n" \
	" a = index p n 8\n one = literal\n store a one 8\n"

static void member_is(const struct run *r, const char *name, const char *field, double expected)
{
	double found = sum(r, "main", name, field).share;
	if (found != expected)
		dump(r);
	ck_assert_msg(found == expected, "%s has %g, not %g", field, found, expected);
}

/* fill(v.first); fill(v.second); fill(&v.third); */
START_TEST(a_pointer_to_a_member_is_that_member)
{
	struct run r;
	begin(&r, MEMBERS FILL "function main\n local v S\n local x double\n"
	      " statement\n f = address fill\n v = address v\n a = field v 8\n call f a\n"
	      " statement\n b = field v 40\n call f b\n"
	      " statement\n c = field v 72\n call f c\n"
	      " statement\n l = load b 8\n x = define x l\n");
	stack(&r, "fill:2 main:2", 1);
	stack(&r, "fill:2 main:3", 2);
	stack(&r, "fill:2 main:4", 4);
	compute(&r);
	member_is(&r, "v", "v.first", 1);
	member_is(&r, "v", "v.second", 2);
	member_is(&r, "v", "v.third", 4);
	share_is(&r, "main", "v", 7);
	ck_assert_double_eq(sum(&r, "main", "x", "").explicit, 2);
	end(&r);
}
END_TEST

#define FIRST_MEMBER \
	MEMBERS FILL "global g H\nfunction main\n local h H\n local k H\n local n N\n" \
	" statement\n f = address fill\n h = address h\n a = field h 0\n call f a\n" \
	" statement\n b = field h 32\n call f b\n" \
	" statement\n k = address k\n call f k\n" \
	" statement\n n = address n\n i = field n 0\n c = field i 0\n call f c\n" \
	" statement\n g = address g\n call f g\n"

static void run_first_member(struct run *r)
{
	stack(r, "fill:2 main:2", 1);
	stack(r, "fill:2 main:3", 2);
	stack(r, "fill:2 main:4", 4);
	stack(r, "fill:2 main:5", 8);
	stack(r, "fill:2 main:6", 16);
	compute(r);
}

/* fill(h.left); fill(h.right); fill((double *)&k); fill(n.inner.left); fill(g.left), which is g. */
START_TEST(the_first_member_is_not_the_whole)
{
	struct run r;
	begin(&r, FIRST_MEMBER);
	run_first_member(&r);
	member_is(&r, "h", "h.left", 1);
	member_is(&r, "h", "h.right", 2);
	share_is(&r, "main", "k", 4);
	member_is(&r, "k", "k.left", 0);
	member_is(&r, "n", "n.inner.left", 8);
	member_is(&r, "g", "g.left", 16);
	end(&r);
}
END_TEST

/* void receive(struct H *h) { MPI_Recv(h->left, ...); MPI_Recv(h, ...); } */
START_TEST(routines_get_the_first_member)
{
	struct run r;
	begin(&r, MEMBERS "function receive\n parameter h H*\n"
	      " statement\n h = parameter 0\n a = field h 0\n f = address MPI_Recv\n"
	      " n = literal\n call f a n n n n n n\n"
	      " statement\n call f h n n n n n n\n"
	      "function main\n local h H\n statement\n f = address receive\n h = address h\n"
	      " call f h\n");
	stack(&r, "receive:2:MPI_Recv main:2", 1);
	stack(&r, "receive:3:MPI_Recv main:2", 2);
	compute(&r);
	ck_assert_double_eq(sum(&r, "main/receive", "h", "h->left").share, 1);
	share_is(&r, "main/receive", "h", 3);
	member_is(&r, "h", "h.left", 1);
	share_is(&r, "main", "h", 3);
	end(&r);
}
END_TEST

/* -- handles ----------------------------------------------------------------------------------- */

#define HANDLES TYPES \
	"type MPI_Request int 4\ntype MPI_Request* pointer 8 MPI_Request\n" \
	"type mine int 4 MPI_Request\ntype MPI_Win int 4\ntype int* pointer 8 int\n" \
	"type G struct 24\nfield n 0 4 int\nfield data 8 8 double*\nfield win 16 4 MPI_Win\n" \
	"field done 20 4 MPI_Request\ntype G* pointer 8 G\n"
#define START_X \
	"statement\n f = address MPI_Irecv\n x = address x\n q = address q\n n = literal\n" \
	" call f x n n n n n q\n"
#define WAIT_POINTER(type) \
	"function fin\n parameter r " type "\n statement\n r = parameter 0\n" \
	" f = address MPI_Wait\n s = literal\n call f r s\n"

/* void fin(MPI_Request *r) { MPI_Wait(r, ...); }, and main has the request. */
START_TEST(integer_handles_are_followed_into_callees)
{
	struct run r;
	begin(&r, HANDLES WAIT_POINTER("MPI_Request*")
	      "function main\n local x double[]\n local y double\n local q MPI_Request\n"
	      START_X "statement\n g = address fin\n call g q\n");
	stack(&r, "fin:2:MPI_Wait main:3", 3);
	compute(&r);
	share_is(&r, "main/fin", "r", 3);
	share_is(&r, "main", "x", 3);
	share_is(&r, "main", "Other", 0);
	end(&r);
}
END_TEST

/* A global request: main does not give time to the request, because it knows the buffer. */
START_TEST(integer_handles_may_be_global)
{
	struct run r;
	begin(&r, HANDLES "global q MPI_Request\nglobal x double[]\n"
	      "function begin\n" START_X
	      "function finish\n statement\n f = address MPI_Wait\n q = address q\n"
	      " s = literal\n call f q s\n"
	      "function main\n statement\n b = address begin\n call b\n"
	      " statement\n e = address finish\n call e\n");
	stack(&r, "finish:2:MPI_Wait main:3", 3);
	compute(&r);
	share_is(&r, "main/finish", "q", 3);
	share_is(&r, "main", "x", 3);
	is_complete(&r, "main", 3);
	end(&r);
}
END_TEST

/* void fin(mine r) { MPI_Wait(&r, ...); }, mine keep(mine *to, mine r) { return *to = r; } */
START_TEST(integer_handles_are_copied)
{
	struct run r;
	begin(&r, HANDLES
	      "function fin\n parameter r mine\n statement\n p = parameter 0\n r = address r\n"
	      " store r p 4\n f = address MPI_Wait\n s = literal\n call f r s\n"
	      "function keep\n parameter to MPI_Request*\n parameter r mine\n statement\n"
	      " to = parameter 0\n r = parameter 1\n store to r 4\n v = load to 4\n return v\n"
	      "function main\n local x double[]\n local q MPI_Request\n local kept mine\n"
	      " local other mine\n"
	      START_X "statement\n k = address keep\n kept = address kept\n v = load q 4\n"
	      " w = call k kept v\n other = define other w\n"
	      " statement\n g = address fin\n u = load kept 4\n call g u\n"
	      " statement\n call g other\n");
	stack(&r, "fin:2:MPI_Wait main:4", 3);
	stack(&r, "fin:2:MPI_Wait main:5", 4);
	compute(&r);
	share_is(&r, "main", "x", 7);
	is_complete(&r, "main", 7);
	end(&r);
}
END_TEST

/* void sync(struct G g) { MPI_Win_fence(0, g.win); }: the window, and not what is beside it. */
START_TEST(integer_handles_are_passed_by_value)
{
	struct run r;
	begin(&r, HANDLES
	      "function sync\n parameter from G*\n local g G\n statement\n"
	      " from = parameter 0\n g = address g\n move g from 24\n"
	      " statement\n a = field g 16\n w = load a 4\n f = address MPI_Win_fence\n"
	      " n = literal\n call f n w\n"
	      "function main\n local x double[]\n local y double[]\n local g G\n"
	      " statement\n x = address x\n g = address g\n n = literal\n"
	      " f = address MPI_Win_create\n w = field g 16\n call f x n n n n w\n"
	      " y = address y\n d = field g 8\n store d y 8\n"
	      " statement\n s = address sync\n call s g\n"
	      " statement\n e = address MPI_Win_free\n call e w\n");
	stack(&r, "sync:3:MPI_Win_fence main:3", 3);
	stack(&r, "main:4:MPI_Win_free", 4);
	compute(&r);
	share_is(&r, "main", "x", 7);
	is_complete(&r, "main", 7);
	end(&r);
}
END_TEST

/* A plain int is a handle where a row says so, and only there. */
START_TEST(rows_make_integers_handles)
{
	static const char rows[] = "my_start: *2 = 1\nmy_wait: *1 <- *1, blame **1\n";
	struct run r;
	struct err err = { "" };
	begin(&r, HANDLES
	      "function fin\n parameter r int*\n statement\n r = parameter 0\n"
	      " f = address my_wait\n call f r\n"
	      "function outer\n parameter r int*\n statement\n r = parameter 0\n"
	      " f = address fin\n call f r\n"
	      "function main\n local x double[]\n local q int\n"
	      " statement\n f = address my_start\n x = address x\n q = address q\n"
	      " call f x q\n"
	      " statement\n g = address outer\n call g q\n");
	ck_assert_int_eq(routines_add_text(r.routines, rows, sizeof rows - 1, "my.routines", true,
					   &err), 0);
	stack(&r, "fin:2:my_wait outer:2 main:3", 3);
	compute(&r);
	share_is(&r, "main/outer/fin", "r", 3);
	share_is(&r, "main", "x", 3);
	end(&r);
}
END_TEST

/* One function starts and waits: it gives the time to the buffer, its caller to what this is. */
START_TEST(a_known_handle_has_no_row)
{
	struct run r;
	begin(&r, HANDLES
	      "function exchange\n parameter g G*\n statement\n g = parameter 0\n"
	      " a = field g 8\n d = load a 8\n q = field g 20\n f = address MPI_Irecv\n"
	      " n = literal\n call f d n n n n n q\n"
	      " statement\n w = address MPI_Wait\n call w q n\n"
	      "function main\n local x double[]\n local g G\n"
	      " statement\n x = address x\n g = address g\n d = field g 8\n store d x 8\n"
	      " statement\n e = address exchange\n call e g\n");
	stack(&r, "exchange:3:MPI_Wait main:3", 4);
	compute(&r);
	ck_assert_double_eq(sum(&r, "main/exchange", "g", "g->data").share, 4);
	ck_assert_double_eq(sum(&r, "main/exchange", "g", "g->done").share, 0);
	share_is(&r, "main", "x", 4);
	end(&r);
}
END_TEST

/* -- function pointers, recursion, library routines -------------------------------------------- */

START_TEST(a_sample_shows_what_a_pointer_calls)
{
	struct run r;
	begin(&r, TYPES "global x double\nglobal hook void*\n"
	      "function work\n parameter p double*\n statement\n p = parameter 0\n"
	      " one = literal\n store p one 8\n"
	      "function main\n statement\n h = address hook\n f = load h 8\n x = address x\n"
	      " call f x\n");
	stack(&r, "work:2 main:2", 3);
	compute(&r);
	share_is(&r, "main", "x", 3);
	end(&r);
}
END_TEST

/* clear(): the call itself is work for what it writes. */
START_TEST(a_call_gives_to_what_it_runs)
{
	struct run r;
	begin(&r, TYPES "global x double\n"
	      "function clear\n statement\n p = address x\n one = literal\n store p one 8\n"
	      "function main\n statement\n f = address clear\n call f\n");
	stack(&r, "main:2", 3);
	compute(&r);
	share_is(&r, "main", "x", 3);
	ck_assert_double_eq(sum(&r, "main", "x", "").implicit, 3);
	end(&r);
}
END_TEST

/* double last(int n, ...) { va_start(list, n); return va_arg(list, double); } and an argument that
 * is written through. All arguments are one memory, so the address has the work of x. */
START_TEST(variable_arguments_reach_the_callee)
{
	struct run r;
	begin(&r, TYPES "type list struct 24\n field at 8 8 void*\n"
	      "function last flags 2\n parameter n int\n local list list\n"
	      " statement\n n = parameter 0\n l = address list\n s = address llvm.va_start.p0\n"
	      " call s l\n"
	      " statement\n a = field l 8\n p = load a 8\n v = load p 8\n"
	      " statement\n t = load p 8\n one = literal\n store t one 8\n return v\n"
	      "function main\n local x double\n local y double\n local z double\n"
	      " local w double\n"
	      " statement\n one = literal\n x = define x one\n"
	      " statement\n two = literal\n w = define w two\n"
	      " statement\n f = address last\n z = address z\n c = call f one x z\n"
	      " y = define y c\n"
	      " statement\n u = call f one w\n");
	stack(&r, "main:2", 3);
	stack(&r, "main:3", 4);
	stack(&r, "last:4 main:4", 8);
	compute(&r);
	ck_assert_double_eq(sum(&r, "main", "y", "").explicit, 11);
	ck_assert_double_eq(sum(&r, "main", "z", "").explicit, 11);
	ck_assert_double_eq(sum(&r, "main", "w", "").explicit, 4);
	is_complete(&r, "main", 15);
	end(&r);
}
END_TEST

/* hook = copy; hook(&x, &y, &z); which no sample shows. */
START_TEST(addresses_of_functions_are_followed)
{
	struct run r;
	begin(&r, TYPES "type ops struct 16\n field n 0 4 int\n field hook 8 8 void*\n"
	      "type ops* pointer 8 ops\nglobal table ops\n"
	      "function copy\n parameter to double*\n parameter from double*\n"
	      " parameter unused double*\n"
	      " statement\n p = parameter 0\n q = parameter 1\n u = parameter 2\n v = load q 8\n"
	      " store p v 8\n"
	      "function install\n statement\n t = address table\n h = field t 8\n"
	      " f = address copy\n store h f 8\n"
	      "function run\n parameter ops ops*\n parameter a double*\n parameter b double*\n"
	      " parameter c double*\n statement\n o = parameter 0\n a = parameter 1\n"
	      " b = parameter 2\n c = parameter 3\n h = field o 8\n f = load h 8\n call f a b c\n"
	      "function main\n local x double\n local y double\n local z double\n"
	      " statement\n y = address y\n one = literal\n store y one 8\n"
	      " statement\n g = address run\n t = address table\n x = address x\n"
	      " z = address z\n call g t x y z\n");
	stack(&r, "main:2", 3);
	compute(&r);
	ck_assert_double_eq(sum(&r, "main", "y", "").explicit, 3);
	ck_assert_double_eq(sum(&r, "main", "x", "").explicit, 3);
	ck_assert_double_eq(sum(&r, "main", "z", "").explicit, 0);
	end(&r);
}
END_TEST

/* void outer(double *q) { middle(q); }: a jump, so there is no frame of it. */
#define TAIL \
	"global hook void*\n" \
	"function inner\n parameter p double*\n statement\n p = parameter 0\n" \
	" one = literal\n store p one 8\n" \
	"function outer\n parameter q double*\n statement\n q = parameter 0\n" \
	" f = address inner\n call f q\n return -\n"

START_TEST(a_tail_call_has_its_frame)
{
	struct run r;
	begin(&r, TYPES TAIL "function main\n local x double\n"
	      " statement\n f = address outer\n x = address x\n call f x\n");
	stack(&r, "inner:2 main:2", 3);
	compute(&r);
	share_is(&r, "main", "x", 3);
	share_is(&r, "main/outer", "q", 3);
	share_is(&r, "main/outer/inner", "p", 3);
	is_complete(&r, "main", 3);
	end(&r);
}
END_TEST

START_TEST(a_tail_call_through_a_pointer_has_its_frame)
{
	struct run r;
	begin(&r, TYPES TAIL "function by_hook\n parameter q double*\n statement\n"
	      " q = parameter 0\n h = address hook\n f = load h 8\n call f q\n"
	      "function main\n local x double\n"
	      " statement\n f = address by_hook\n x = address x\n call f x\n");
	stack(&r, "inner:2 main:2", 3);
	compute(&r);
	share_is(&r, "main", "x", 3);
	share_is(&r, "main/by_hook", "q", 3);
	end(&r);
}
END_TEST

/* Work after the call: it was no jump, and what lies between is not known. */
START_TEST(other_calls_are_not_guessed)
{
	struct run r;
	begin(&r, TYPES TAIL "function no_tail\n parameter q double*\n statement\n"
	      " q = parameter 0\n f = address inner\n call f q\n store q f 8\n"
	      "function main\n local x double\n"
	      " statement\n f = address no_tail\n x = address x\n call f x\n"
	      " statement\n g = address outer\n call g x\n call f x\n");
	stack(&r, "inner:2 main:2", 3);
	compute(&r);
	share_is(&r, "main", "Other", 3);
	ck_assert_uint_eq(r.blame.doubt.n, 1);
	end(&r);
}
END_TEST

/* Two functions lead to the frame: it may be either. */
START_TEST(several_ways_of_tail_calls_are_not_guessed)
{
	struct run r;
	begin(&r, TYPES TAIL "function also\n parameter q double*\n statement\n"
	      " q = parameter 0\n f = address inner\n call f q\n"
	      "function main\n local x double\n local y double\n"
	      " statement\n f = address outer\n x = address x\n call f x\n"
	      " g = address also\n y = address y\n call g y\n");
	stack(&r, "inner:2 main:2", 3);
	compute(&r);
	share_is(&r, "main", "Other", 3);
	end(&r);
}
END_TEST

/* int outer(...) { return MPI_Recv(...); }: the routine's caller is not on the stack. */
START_TEST(a_tail_call_of_a_routine_has_its_frame)
{
	struct run r;
	begin(&r, TYPES "function receive\n parameter q double*\n statement\n"
	      " q = parameter 0\n f = address MPI_Recv\n n = literal\n"
	      " c = call f q n n n n n n\n return c\n"
	      "function main\n local x double\n local e int\n"
	      " statement\n f = address receive\n x = address x\n c = call f x\n"
	      " e = define e c\n");
	stack(&r, "main:2:receive", 3);
	compute(&r);
	share_is(&r, "main", "x", 3);
	share_is(&r, "main/receive", "q", 3);
	end(&r);
}
END_TEST

/* parallel single inner(x): clang ends the construct by a call, gcc by nothing. */
#define BODY \
	"function body flags 4 around main\n parameter q double*\n statement\n" \
	" x = parameter 0\n f = address inner\n" \
	" call f x\n t = load x 8\n e = address __kmpc_end_single\n call e t\n" \
	" g = address __kmpc_barrier\n call g t\n return -\n"

START_TEST(a_tail_call_of_a_construct_has_its_frame)
{
	struct run r;
	begin(&r, TYPES TAIL BODY "function main\n local x double\n"
	      " statement\n x = address x\n fork body x\n");
	stack(&r, "inner:2 main:2:GOMP_parallel", 3);
	stack(&r, "inner:2 main:2", 4); /* a team of one */
	compute(&r);
	share_is(&r, "main", "x", 7);
	share_is(&r, "main/inner", "p", 7);
	ck_assert_uint_eq(r.blame.doubt.n, 0);
	end(&r);
}
END_TEST

/* Only the runtime of OpenMP calls what the program's functions name. */
START_TEST(other_libraries_are_not_guessed)
{
	struct run r;
	begin(&r, TYPES TAIL "function main\n local x double\n"
	      " statement\n f = address outer\n x = address x\n call f x\n");
	stack(&r, "inner:2 main:2:other", 3);
	compute(&r);
	share_is(&r, "main", "Other", 3);
	ck_assert_uint_eq(r.blame.doubt.n, 1);
	end(&r);
}
END_TEST

/* void leaf(double *o) { task inner(o); }: called in main's statement 2; 3 is a barrier. */
#define TASK \
	TAIL "function task flags 8 around leaf\n parameter o double*\n statement\n" \
	" o = parameter 0\n" \
	" f = address inner\n call f o\n return -\n" \
	"function leaf\n parameter o double*\n statement\n o = parameter 0\n fork task o\n" \
	" return -\n" \
	"function main\n local x double\n" \
	" statement\n f = address leaf\n x = address x\n call f x\n" \
	" statement\n b = address __kmpc_barrier\n n = literal\n call b n n\n"

START_TEST(a_task_as_the_last_call_has_its_frame)
{
	struct run r;
	begin(&r, TYPES TASK);
	stack(&r, "inner:2 task:2 leaf:2:GOMP_task main:2", 1);
	stack(&r, "inner:2 leaf:2:GOMP_task main:2", 2);
	stack(&r, "inner:2 task:2 main:2:GOMP_task", 4);
	stack(&r, "inner:2 main:2:GOMP_task", 8);
	compute(&r);
	share_is(&r, "main", "x", 15);
	share_is(&r, "main/leaf", "o", 15);
	ck_assert_uint_eq(r.blame.doubt.n, 0);
	end(&r);
}
END_TEST

/* An untied task goes on in the call by which it gave itself back. */
START_TEST(a_task_inside_of_itself_is_one)
{
	struct run r;
	begin(&r, TYPES TASK);
	stack(&r, "inner:2 task:2 task:2:__kmpc_omp_task leaf:2:__kmpc_omp_task main:2", 3);
	compute(&r);
	share_is(&r, "main", "x", 3);
	ck_assert_uint_eq(r.blame.doubt.n, 0);
	end(&r);
}
END_TEST

/* The stack does not say where the task was made, only that it runs in the barrier. */
START_TEST(a_task_elsewhere_goes_through_its_maker)
{
	static const char *const expected[] = {
		"a function was not found in its caller for 2 samples (inner in main)",
	};
	struct run r;
	begin(&r, TYPES TASK);
	stack(&r, "inner:2 task:2 main:3:__kmpc_barrier", 3);
	stack(&r, "inner:2 main:3:__kmpc_barrier", 2);
	compute(&r);
	share_is(&r, "main", "x", 3);
	share_is(&r, "main", "Other", 2);
	doubts_are(&r, expected, 1);
	end(&r);
}
END_TEST

/* void fill(double *p): p[0] of memory that ends with it becomes q[0]. */
START_TEST(work_in_memory_that_ends_goes_on)
{
	struct run r;
	begin(&r, TYPES "function copy\n parameter w double*\n parameter p double*\n"
	      " statement\n w = parameter 0\n p = parameter 1\n one = literal\n store w one 8\n"
	      " statement\n v = load w 8\n store p v 8\n"
	      "function fill\n parameter q double*\n local t double\n"
	      " statement\n q = parameter 0\n t = address t\n f = address copy\n call f t q\n"
	      "function main\n local x double\n"
	      " statement\n f = address fill\n x = address x\n call f x\n");
	stack(&r, "copy:2 fill:2 main:2", 3);
	compute(&r);
	share_is(&r, "main/fill/copy", "w", 3);
	share_is(&r, "main/fill", "t", 3);
	share_is(&r, "main", "x", 3);
	end(&r);
}
END_TEST

/* void down(double *p) { down(p); *p = 1; } */
START_TEST(recursion_is_one_point)
{
	struct run r;
	begin(&r, TYPES "function down\n parameter p double*\n"
	      " statement\n p = parameter 0\n f = address down\n call f p\n"
	      " statement\n one = literal\n store p one 8\n"
	      "function main\n local v double\n"
	      " statement\n f = address down\n v = address v\n call f v\n");
	stack(&r, "down:3 down:2 down:2 main:2", 6);
	stack(&r, "down:3 main:2", 1);
	compute(&r);
	ck_assert_uint_eq(r.blame.point.n, 2);
	share_is(&r, "main", "v", 7);
	share_is(&r, "main/down", "p", 7);
	is_complete(&r, "main/down", 7);
	end(&r);
}
END_TEST

START_TEST(qsort_gives_to_the_array)
{
	struct run r;
	begin(&r, TYPES "function order\n parameter a void*\n parameter b void*\n"
	      " statement\n a = parameter 0\n b = parameter 1\n x = load a 8\n y = load b 8\n"
	      " d = compute x y\n return d\n"
	      "function main\n local v double[]\n"
	      " statement\n f = address qsort\n c = address order\n v = address v\n n = literal\n"
	      " call f v n n c\n");
	stack(&r, "order:2 main:2:qsort", 5);
	stack(&r, "main:2:qsort", 2);
	compute(&r);
	share_is(&r, "main", "v", 7);
	end(&r);
}
END_TEST

/* Alone, such stacks need no graphs. A recursion counts once. */
START_TEST(time_for_nothing_is_other)
{
	struct run r;
	begin(&r, TYPES "function f\n statement\nfunction f2\n statement\n"
	      "function main\n statement\n");
	stack(&r, "f:2:wait f2:2 f:2 main:2", 7);
	only_for(&r, "");
	stack(&r, "main:2:wait", 2);
	only_for(&r, "");
	compute(&r);
	ck_assert_uint_eq(r.blame.samples, 9);
	share_is(&r, "main", "Other", 9);
	share_is(&r, "main/f", "Other", 7);
	is_complete(&r, "main/f/f2", 7);
	ck_assert_str_eq(r.blame.routine.at[r.blame.row.at[0].routine], "wait");
	end(&r);
}
END_TEST

/* double sum, *out; parallel reduction(+: sum): the outlined body writes x and, by its parameter,
 * sum. What is written after the construct is for sum, too. */
#define REDUCTION \
	TYPES "function body flags 4 around main\n parameter sum double*\n parameter x double*\n" \
	" statement\n x = parameter 1\n zero = literal\n store x zero 8\n" \
	" statement\n sum = parameter 0\n old = load sum 8\n more = compute old zero\n" \
	" store sum more 8\n" \
	"function solve\n parameter out double*\n local sum double\n local x double\n" \
	" statement\n s = address sum\n zero = literal\n store s zero 8\n" \
	" statement\n x = address x\n f = fork body s x\n" \
	" statement\n all = load s 8\n out = parameter 0\n store out all 8\n" \
	"function main\n local total double\n" \
	" statement\n t = address total\n at = address solve\n c = call at t\n"

START_TEST(listed_variables_get_the_time)
{
	struct run r;
	begin(&r, REDUCTION);
	stack(&r, "solve:3:loop main:2", 6);
	only_for(&r, "none sum");
	compute(&r);
	share_is(&r, "main/solve", "sum", 6);
	share_is(&r, "main/solve", "x", 0);
	share_is(&r, "main", "total", 6);
	stack(&r, "solve:3:loop main:2", 4);
	only_for(&r, "x sum");
	compute(&r);
	share_is(&r, "main/solve", "sum", 8);
	share_is(&r, "main/solve", "x", 2);
	stack(&r, "solve:3:critical main:2", 5);
	only_for(&r, "");
	compute(&r);
	share_is(&r, "main/solve", "Other", 5);
	share_is(&r, "main", "Other", 5);
	is_complete(&r, "main/solve", 15);
	is_complete(&r, "main", 15);
	end(&r);
}
END_TEST

START_TEST(output_and_other_have_rows)
{
	struct run r;
	begin(&r, TYPES "function main\n local v double\n"
	      " statement\n one = literal\n f = address printf\n call f one\n"
	      " statement\n g = address usleep\n call g one\n");
	stack(&r, "main:2:printf", 5);
	stack(&r, "main:3:usleep", 2);
	compute(&r);
	share_is(&r, "main", "Output", 5);
	share_is(&r, "main", "Other", 2);
	end(&r);
}
END_TEST

/* -- what is not known ------------------------------------------------------------------------- */

/* A sample counts once for each reason, though several calls and frames have it. */
START_TEST(what_is_not_known_is_said)
{
	static const char *const expected[] = {
		"work of 12 samples enters functions without analysis (foreign, other)",
		"work of 8 samples enters calls through pointers (use at unit.c:30)",
		"work of 2 samples enters inline assembly with the clobber \"memory\" (main at unit.c:60)",
		"work of 4 samples decides about a longjmp (check at unit.c:20)",
	};
	struct run r;
	begin(&r, TYPES "global hook void*\nglobal x double\n"
	      "function use\n parameter p double*\n"
	      " statement\n p = parameter 0\n f = address foreign\n r = call f p\n call f r\n"
	      " statement\n h = address hook\n g = load h 8\n call g p\n"
	      "function check\n parameter n int\n"
	      " statement\n n = parameter 0\n f = address longjmp\n call f n\n"
	      "function main\n local a double\n local b double\n"
	      " statement\n a = address a\n one = literal\n v = compute one\n store a v 8\n"
	      " statement\n f = address use\n call f a\n"
	      " statement\n b = address b\n w = compute one\n store b w 8\n"
	      " statement\n o = address other\n call o b\n"
	      " statement\n x = address x\n y = compute one\n assembly y x\n"
	      " statement\n c = address check\n z = compute one\n call c z\n");
	stack(&r, "main:2", 8);
	stack(&r, "main:4", 4);
	stack(&r, "main:6", 2);
	stack(&r, "main:7", 4);
	compute(&r);
	doubts_are(&r, expected, 4);
	end(&r);
}
END_TEST

START_TEST(deep_stacks_are_said)
{
	static const char *const expected[] = {
		"stacks of 3 samples are too deep to be followed to main (they begin in work)",
	};
	struct run r;
	begin(&r, TYPES "global x double\nfunction work\n"
	      " statement\n x = address x\n one = literal\n store x one 8\n");
	stack(&r, "work:2", 3);
	stack(&r, "work:2", 5);
	r.placed.stack.at[0].truncated = true;
	compute(&r);
	doubts_are(&r, expected, 1);
	share_is(&r, "work", "x", 8);
	end(&r);
}
END_TEST

/* if (setjmp(env)) b = a; else { a = 1; work(); }: a is written before the second return. */
START_TEST(memory_keeps_its_value_over_longjmp)
{
	struct run r;
	begin(&r, TYPES "global a double\nglobal b double\nglobal env void*\n"
	      "function work\n statement\n one = literal\n v = compute one\n"
	      "function main\n"
	      " block to 1 2\n"
	      " statement\n s = address setjmp\n e = address env\n c = call s e\n branch c\n"
	      " block on c\n"
	      " statement\n a = address a\n old = load a 8\n b = address b\n store b old 8\n"
	      " block on c\n"
	      " statement\n one = literal\n new = compute one\n a2 = address a\n"
	      " store a2 new 8\n"
	      " statement\n w = address work\n call w\n");
	stack(&r, "main:4", 3);
	compute(&r);
	ck_assert_double_eq(sum(&r, "main", "b", "").explicit, 3);
	end(&r);
}
END_TEST

START_TEST(members_of_a_union_are_one)
{
	struct run r;
	begin(&r, TYPES "type pair struct 16\n field first 0 8 double\n field second 8 8 double\n"
	      "type U union 16\n field real 0 8 double\n field both 0 16 pair\n"
	      "type S struct 24\n field n 0 4 int\n field u 8 16 U\n"
	      "function main\n local s S\n"
	      " statement\n s = address s\n one = literal\n f = field s 8\n v = compute one\n"
	      " store f v 8\n"
	      " statement\n g = field s 16\n w = compute one\n store g w 8\n");
	stack(&r, "main:2", 3);
	stack(&r, "main:3", 5);
	compute(&r);
	share_is(&r, "main", "s", 8);
	ck_assert_double_eq(sum(&r, "main", "s", "s.u.real|both").share, 3);
	ck_assert_double_eq(sum(&r, "main", "s", "s.u.both.second").share, 5);
	end(&r);
}
END_TEST

UNIT_MAIN("blame", scalars_that_flow_on_give_all, a_loop_counter_gives_to_the_body,
	  a_flag_gives_to_both_branches, two_calls_stay_apart, calls_transfer_in_their_context,
	  fields_have_access_paths, allocations_have_their_call_path,
	  memory_belongs_to_what_got_it_first, a_sample_shows_what_a_pointer_calls,
	  a_call_gives_to_what_it_runs, variable_arguments_reach_the_callee,
	  addresses_of_functions_are_followed, a_tail_call_has_its_frame,
	  a_tail_call_through_a_pointer_has_its_frame, other_calls_are_not_guessed,
	  several_ways_of_tail_calls_are_not_guessed, a_tail_call_of_a_routine_has_its_frame,
	  a_tail_call_of_a_construct_has_its_frame, other_libraries_are_not_guessed,
	  a_task_as_the_last_call_has_its_frame, a_task_inside_of_itself_is_one,
	  a_task_elsewhere_goes_through_its_maker,
	  work_in_memory_that_ends_goes_on, recursion_is_one_point, qsort_gives_to_the_array,
	  listed_variables_get_the_time, output_and_other_have_rows, what_is_not_known_is_said,
	  deep_stacks_are_said, memory_keeps_its_value_over_longjmp, members_of_a_union_are_one,
	  integer_handles_are_followed_into_callees, integer_handles_may_be_global,
	  integer_handles_are_copied, integer_handles_are_passed_by_value,
	  rows_make_integers_handles, a_known_handle_has_no_row,
	  a_pointer_to_a_member_is_that_member, the_first_member_is_not_the_whole,
	  routines_get_the_first_member, time_for_nothing_is_other)
