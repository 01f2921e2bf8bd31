# SPDX-License-Identifier: BSD-3-Clause
# A page of a program that runs, in a browser: two runs of a program are the looks, and a server of
# the test gives them to the page.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

[ -n "$CHROMIUM" ] || { skip "a live page" "there is no chromium-headless-shell" && exit 0; }

# early() comes first in the source and in the call graph: when it is called, all regions and nodes
# have other numbers
source_file work.c <<'END_OF_SOURCE'
#include <mpi.h>
#include <stdlib.h>
static volatile double sink;
static void early(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
}
static void work(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
}
static void outer(int n, int is_later)
{
	if (is_later)
		early(n);
	work(n);
}
static void a(void) { sink += 1; }
static void b(void) { sink += 2; }
static void c(void) { sink += 3; }
static void d(void) { sink += 4; }
static void e(void) { sink += 5; }
static void f(void) { sink += 6; }
int main(int argc, char **argv)
{
	int rank, n = atoi(argv[1]);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 20; i++)
		outer(n * (1 + rank), argc > 2);
	a(), b(), c(), d(), e(), f();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END_OF_SOURCE
build work work.c -O1 --sis-cr=CR_F,CR_L,CR_MPI
run 2 1 ./work 300000
page first "$EXP"
run 2 1 ./work 400000 later
page second "$EXP"
node "$TOP/tests/page/live.mjs" first.html second.html || not_ok "the live page ends well"
