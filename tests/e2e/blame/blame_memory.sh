#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which memory the samples of real programs access: sis-analyze blame --memory. One function does
# all the work, so its statements cannot tell the variables apart; the addresses can.
# processor: every run needs one of its own to get enough samples
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { skip "memory" "instructions are decoded for x86-64 only"; exit 0; }

# rows FILTER [OPTION...]: of the last experiment
rows() {
	filter=$1
	shift
	query "$filter" blame "$EXP" --memory "$@"
}
# row NAME: "container,its function type file:line"; nothing: it is not there
row() {
	rows "[.[] | select(.memory == \"$1\" and (.kind != \"stack\" or
		.memory == \"frame\"))] | .[0] // empty | \"\(.container),\" +
		\"\(.container_function) \(.type | sub(\"long int\"; \"long\")) \" +
		\"\(.file | sub(\".*/\"; \"\")):\(.line)\""
}
line_of() { grep -n -m 1 "$1" "$2" | cut -d : -f 1; }

cat >objects.c <<'END_OF_SOURCE'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define ALONE __attribute__((noinline))
enum { N = 4096, MS = 80 };
struct panel { long *L2, *U; int n; };
struct matrix { struct panel *panel; int n; };
struct node { struct node *next; long x[1000]; };
struct list { struct node *head; };

long grid[N];
static __thread long own[N];

/* Nearly all samples access the memory, whatever the compiler does. */
static ALONE void work(long *at, int n)
{
	long *end = at + n;
	__asm__ volatile("1: addq $1, (%0)\n\taddq $1, 8(%0)\n\tadd $16, %0\n\t"
			 "cmp %1, %0\n\tjb 1b" : "+r"(at) : "r"(end) : "memory", "cc");
}
static ALONE void touch(long *at)
{
	clock_t end = clock() + MS * (CLOCKS_PER_SEC / 1000);
	while (clock() < end)
		work(at, N);
}
static ALONE void *xmalloc(size_t bytes)
{
	void *memory = malloc(bytes);
	if (!memory)
		abort();
	return memset(memory, 0, bytes);
}
static ALONE void *jumps(size_t bytes)
{
	return malloc(bytes); /* the compiler makes it a jump */
}
static ALONE void fill(struct panel *p)
{
	p->L2 = xmalloc(N * sizeof(long));
	p->U = xmalloc(N * sizeof(long));
}
static ALONE void push(struct list *list)
{
	struct node *node = calloc(1, sizeof *node); /* node */
	node->next = list->head;
	list->head = node;
}
static ALONE long *counted(void)
{
	static long count[N];
	return count;
}
static ALONE void visit(struct node *node)
{
	for (; node; node = node->next)
		work(node->x, 1000);
}

int main(void)
{
	long frame[N] = { 0 };
	struct matrix mat = { calloc(1, sizeof *mat.panel), N };
	struct list list = { NULL };
	long *x = calloc(N, sizeof *x); /* x */
	long *v = malloc(10000);
	long *y = xmalloc(N * sizeof *y);
	long *m = mmap(NULL, N * sizeof *m, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0); /* m */
	long *z = jumps(N * sizeof *z);
	v = realloc(v, N * sizeof *v); /* v */
	memset(v, 0, N * sizeof *v);
	memset(z, 0, N * sizeof *z);
	fill(mat.panel);
	for (int i = 0; i < 20; i++)
		push(&list);
	for (int i = 0; i < 5; i++)
		touch(x);
	touch(y);
	touch(z);
	touch(mat.panel->L2);
	touch(v);
	touch(m);
	touch(grid);
	touch(counted());
	touch(frame);
	touch(own);
	for (clock_t end = clock() + MS * (CLOCKS_PER_SEC / 1000); clock() < end;)
		visit(list.head);
	free(x);
	munmap(m, N * sizeof *m);
	printf("%d\n", y[3] + z[4] + v[1] + grid[2] + own[3] + frame[5] + counted()[6] > 0);
	return 0;
}
END_OF_SOURCE

sampled() { # sampled THREADS COMMAND...
	export SIS_BLAME=1000hz
	run_alone "$@"
	unset SIS_BLAME
}

here() { line_of "$1" objects.c; }
for compiler in "$CC" clang-19; do
	for level in -O0 -O2; do
		what="$compiler $level"
		build objects --sis-cc="$compiler" --sis-blame -g "$level" objects.c
		sampled 1 ./objects
		equal "$what: the program prints the same" "$(cat run.out)" 1
		equal "$what: allocated" "$(row x)" "x,main long objects.c:$(here '/\* x')"
		equal "$what: by a wrapper" "$(row y)" "y,main long objects.c:$(here 'y = xmalloc')"
		equal "$what: by a call at the end of a function" "$(row z)" \
			"z,main long objects.c:$(here 'z = jumps')"
		equal "$what: in a field behind a parameter" "$(row 'p->L2')" \
			"mat,main long objects.c:$(here 'L2 = xmalloc')"
		equal "$what: moved" "$(row v)" "v,main long objects.c:$(here '/\* v')"
		equal "$what: mapped" "$(row m)" "m,main long objects.c:$(here 'm = mmap')"
		equal "$what: nodes of a list" "$(row node)" \
			"list,main struct node objects.c:$(here '/\* node')"
		equal "$what: static" "$(row grid)" \
			"grid, long[4096] objects.c:$(here '^long grid')"
		equal "$what: static in a function" "$(row counted.count)" \
			"count,counted long[4096] objects.c:$(here 'static long count')"
		equal "$what: on the stack" "$(row frame)" \
			"frame,main long[4096] objects.c:$(here 'long frame')"
		equal "$what: thread-local" "$(row own)" \
			"own, long[4096] objects.c:$(here '__thread')"
		equal "$what: samples access all" "$(rows '[.[] | select(.samples > 0) | .memory |
			select(IN("x", "y", "v", "m", "p->L2", "node", "grid", "counted.count",
				"frame", "own"))] | unique | length')" 10
		equal "$what: the most accessed first" \
			"$(rows '[.[] | select(.kind == "heap")] | .[0].memory')" x
		equal "$what: shares add up" "$(rows 'map(.share) | add * 1000 | round')" 1000
		equal "$what: call paths" \
			"$(rows '[.[] | select(.type == "long" and .kind == "heap") | .path] |
				unique | join(" ")')" \
			"main main/fill/xmalloc main/jumps main/xmalloc"
		equal "$what: nodes" "$(rows '.[] | select(.memory == "node" and .kind == "heap") |
			"\(.allocations) \(.freed) \(.largest_bytes)"')" "20 0 8008"
		equal "$what: x is freed" "$(rows '.[] | select(.memory == "x") |
			"\(.allocations) \(.freed) \(.bytes) \(.life_seconds > 0.4)"')" \
			"1 1 32768 true"
		equal "$what: the mapping is unmapped" "$(rows '.[] | select(.memory == "m") |
			"\(.kind) \(.freed) \(.bytes)"')" "mapping 1 32768"
	done
done
build objects --sis-cc="$CC" --sis-blame -O2 objects.c
sampled 1 ./objects
equal "without -g: allocated memory is named" "$(row 'p->L2')" \
	"mat,main long objects.c:$(here 'L2 = xmalloc')"
equal "without -g: static variables, too" "$(row grid) $(row counted.count)" \
	"grid, long[] objects.c:$(here '^long grid') count,counted long[] objects.c:$(
		here 'static long count')"
equal "without -g: a stack is of its function" \
	"$(rows '[.[] | select(.memory == "stack of main" and .samples > 0)] | length')" 1
build plain --sis-cc="$CC" -O2 objects.c
sampled 1 ./plain
matches "without --sis-blame: no allocations" "$(analyze blame "$EXP" --memory)" \
	'^Allocations were not recorded: the program was not built with --sis-blame'
build objects --sis-cc="$CC" --sis-blame -g -O2 objects.c
sampled 1 ./objects
matches "the page says from when on" "$(analyze blame "$EXP" --memory)" \
	'^Allocations of less than [0-9]* bytes are not recorded'
matches "and how many samples access memory" "$(analyze blame "$EXP" --memory)" \
	'^[0-9.]* % of the samples access memory, '

# -- threads --------------------------------------------------------------------------------------
cat >threads.c <<'END_OF_SOURCE'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { N = 4096, MS = 150 };
static __attribute__((noinline)) void work(long *at, int n)
{
	long *end = at + n;
	__asm__ volatile("1: addq $1, (%0)\n\taddq $1, 8(%0)\n\tadd $16, %0\n\t"
			 "cmp %1, %0\n\tjb 1b" : "+r"(at) : "r"(end) : "memory", "cc");
}
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}
int main(void)
{
	long *both = calloc(2 * N, sizeof *both);
#pragma omp parallel num_threads(2)
	{
		long *mine = calloc(N, sizeof *mine);
		int half = 0;
#pragma omp for
		for (int i = 0; i < 2; i++)
			half = i * N;
		for (double end = now() + MS; now() < end;)
			work(both + half, N);
		for (double end = now() + MS; now() < end;)
			work(mine, N);
		free(mine);
	}
	printf("%d\n", both[3] > 0);
	return 0;
}
END_OF_SOURCE
for compiler in "$CC" clang-19; do # libgomp and libomp
	build threads --sis-cc="$compiler" --sis-blame -O2 -fopenmp threads.c
	sampled 2 ./threads
	equal "threads, $compiler: memory of each is one line" \
		"$(rows '.[] | select(.memory == "mine") |
			"\(.allocations) \(.freed) \(.path)"')" "2 2 main"
	equal "threads, $compiler: both access what is shared" \
		"$(rows '[.[] | select(.memory == "both" and .samples > 0)] | length' \
			--by thread)" 2
	equal "threads, $compiler: shares add up" \
		"$(rows 'map(.share) | add * 1000 | round' --by thread)" 1000
done

# -- processes ------------------------------------------------------------------------------------
cat >ranks.c <<'END_OF_SOURCE'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { N = 4096 };
static __attribute__((noinline)) void work(long *at, int n)
{
	long *end = at + n;
	__asm__ volatile("1: addq $1, (%0)\n\taddq $1, 8(%0)\n\tadd $16, %0\n\t"
			 "cmp %1, %0\n\tjb 1b" : "+r"(at) : "r"(end) : "memory", "cc");
}
static long *allocate(int n) { return calloc(n, sizeof(long)); }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	long *part = allocate(N);
	clock_t end = clock() + (rank + 1) * (CLOCKS_PER_SEC / 10);
	while (clock() < end)
		work(part, N);
	MPI_Send(part, 0, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD);
	MPI_Recv(part, 0, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	free(part);
	return MPI_Finalize();
}
END_OF_SOURCE
build ranks --sis-blame -O2 ranks.c
export SIS_BLAME=1000hz
run 2 1 ./ranks
unset SIS_BLAME
equal "ranks: one line" "$(rows '[.[] | select(.memory == "part")] |
	"\(length) \(.[0].allocations) \(.[0].freed) \(.[0].path) \(.[0].samples > 50)"')" \
	"1 2 2 main/allocate true"
equal "ranks: a line for each process" "$(rows '[.[] | select(.memory == "part")] |
	"\(length) \(.[0].unit) \(map(.allocations) | add)"' --by process)" "2 process 1 2"

# -- files that are damaged or old ----------------------------------------------------------------
sampled 1 ./objects
"$CC" -O1 -I"$TOP/schema" -o mutate "$E2E/robust/mutate.c" 2>build.err ||
	give_up "mutate is built" build.err
bad=
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	rm -rf damaged damaged.db
	cp -r "$EXP" damaged
	stacks=$(ls damaged/stacks-*.sis)
	# as that of a process that was killed: it has no checksums, which would find all damage
	printf '\001' | dd of="$stacks" bs=1 seek=24 conv=notrunc 2>dd.err
	./mutate "$stacks" $seed || give_up "a file is damaged"
	"$ANALYZE" import --db damaged.db damaged >import.out 2>&1 || bad="$bad $seed"
	"$ANALYZE" blame --db damaged.db --memory >page.out 2>page.err
	status=$?
	[ $status -le 1 ] && [ "$(wc -l <page.err)" = $status ] || bad="$bad $seed:$status"
done
equal "damaged files are imported, and shown or refused" "$bad" ""
