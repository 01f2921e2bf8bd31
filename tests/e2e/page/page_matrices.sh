# SPDX-License-Identifier: BSD-3-Clause
# The page's views Units, Waits and Messages: their numbers are those that commands print, and keys
# work with their heat maps.
# ci: it opens many pages in a browser
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"
. "$E2E/known/lib_traced.sh"

cp "$TOP"/samples/stommel/*.[ch] .
build hybrid stommel_mpi.c model.c -O2 -fopenmp --sis-cr=CR_F,CR_OMP,CR_MPI -lm
run 4 2 ./hybrid 100 100 20
page hybrid "$EXP"
node "$TOP/tests/page/matrices.mjs" hybrid.html

# -- one-sided, on another communicator
source_file window.c <<'END'
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, mine = 0, got[100] = { 0 }, all[100] = { 0 };
	MPI_Comm two;
	MPI_Win window;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &two);
	MPI_Win_create(all, sizeof all, sizeof *all, MPI_INFO_NULL, two, &window);
	MPI_Win_fence(0, window);
	if (rank < 2) {
		MPI_Put(&mine, 1, MPI_INT, 1, rank, 1, MPI_INT, window);
		MPI_Get(got, 50, MPI_INT, 1, 0, 50, MPI_INT, window);
	}
	MPI_Win_fence(0, window);
	MPI_Allreduce(&mine, got, 1, MPI_INT, MPI_SUM, two);
	MPI_Win_free(&window);
	MPI_Comm_free(&two);
	MPI_Finalize();
	return 0;
}
END
build window window.c -O1
run 4 1 ./window
page window "$EXP"
node "$TOP/tests/page/matrices.mjs" window.html

# -- intervals of runs with a trace
intervals() { # intervals NAME: of $EXP
	page "$1" "$EXP"
	intervals_tiles=
	[ ! -e "$1.tiles" ] || intervals_tiles=$1.tiles
	node "$TOP/tests/page/matrices.mjs" "$1.html" $intervals_tiles ||
		not_ok "the matrices of $1 end well"
}
SIS_TRACE=1 run 4 2 ./hybrid 100 100 20
intervals traced
if [ -n "$CHROMIUM" ]; then
	node "$TOP/tests/page/interval_operations.mjs" traced.html ||
		not_ok "messages and waits of an interval in Chromium end well"
else
	skip "an interval in a browser" "there is no chromium-headless-shell"
fi
SIS_TRACE=1 run 4 1 ./window
intervals traced_window
known() { # known RANKS THREADS NAME: a program of known/
	run_traced "$@"
	intervals "$3"
}
known 2 2 hybrid_inside
known 1 1 pthread_pools
known 2 1 poll_sets
# full logs: values of the run are estimates
SIS_RECORDS=1024 SIS_TRACE=1 run 2 1 ./hybrid 100 100 400
intervals full
# Tiles that are in the file beside the page. The sizes of the messages do not repeat, so that the
# tiles cannot be compressed to what the page has room for, even if all calls take the same time.
source_file sizes.c <<'END'
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static char out[4096], in[4096];
	unsigned number = 1;
	long rounds = argc > 1 ? atol(argv[1]) : 0;
	MPI_Init(&argc, &argv);
	for (long i = 0; i < rounds; i++) {
		number = number * 1103515245 + 12345;
		MPI_Sendrecv(out, (int)(number >> 20), MPI_BYTE, 0, 0, in, sizeof in, MPI_BYTE, 0,
			     0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
END
build sizes sizes.c -O1
SIS_TRACE=1 SIS_OVERHEAD=off run 1 1 ./sizes 80000
analyze view "$EXP" -o beside.html --limit 1 >view.out 2>view.err ||
	give_up "sis-analyze view writes beside.html" view.err
check "there is a file" test -s beside.tiles
node "$TOP/tests/page/matrices.mjs" beside.html beside.tiles ||
	not_ok "the matrices of beside end well"

if [ -z "$CHROMIUM" ]; then
	skip "heat maps in a browser" "there is no chromium-headless-shell"
else
	node "$TOP/tests/page/heatmaps.mjs" hybrid.html
fi
