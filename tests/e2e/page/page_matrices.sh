# SPDX-License-Identifier: BSD-3-Clause
# The page's views Units, Waits and Messages: their numbers are those that commands print, and keys
# work with their heat maps.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_page.sh"

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

if [ -z "$CHROMIUM" ]; then
	skip "heat maps in a browser" "there is no chromium-headless-shell"
else
	node "$TOP/tests/page/heatmaps.mjs" hybrid.html
fi
