# SPDX-License-Identifier: BSD-3-Clause
# For which variables a program waited and moved data: exact, from what was measured, without
# samples. The receive fills a parameter of `exchange`, which is a variable of main.
. "$(dirname "$0")/../lib.sh"

source_file halo.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
struct halo { double left[100], right[100]; };
static double sum(double *u, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += u[i];
	return s;
}
static void exchange(struct halo *h, int rank)
{
	if (rank == 0) {
		MPI_Recv(h->left, 100, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else {
		usleep(50000);
		MPI_Send(h->right, 100, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	}
}
int main(int argc, char **argv)
{
	int rank;
	struct halo halo = { { 0 }, { 1 } };
	double mine, total;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 4; i++)
		exchange(&halo, rank);
	mine = sum(halo.left, 100);
	MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%g\n", total);
	return MPI_Finalize();
}
END
build halo halo.c --sis-blame
run 2 1 ./halo
equal "the program runs" "$(cat run.out)" 1
# of OVERHEAD FILTER: rows at main
of() {
	overhead=$1 filter=$2
	shift 2
	query "[.[] | select(.blame_point == \"main\")] | $filter" blame "$EXP" \
		--overhead "$overhead" "$@"
}
equal "the wait for a message is for the variable that it fills" "$(of OSYNC '.[0].variable')" halo
equal "its routine" "$(of OSYNC '.[0].routines | contains("MPI_Recv")')" true
equal "bytes and calls are exact" \
	"$(of ODATA '.[] | select(.variable == "halo") | "\(.bytes) \(.calls)"')" "3200 4"
equal "a reduction moves its result" \
	"$(of ODATA '.[] | select(.variable == "total") | .routines')" MPI_Allreduce
# of 2 processing units; times are rounded to nanoseconds
all=$(query 'map(.seconds) | add * 2e9' overhead "$EXP" --overhead OSYNC)
equal "the variables, with Other, have all waits" \
	"$(of OSYNC "map(.seconds) | add * 1e9 - $all | fabs < 100")" true
equal "a call without variables is Other, with its name" \
	"$(of OCTRL_MPIMGMT 'map("\(.variable) \(.routines)") | sort | join(", ")')" \
	"Other MPI_Finalize, Other MPI_Init"
equal "inside the function it has the name of the parameter" \
	"$(query '.[0].variable' blame "$EXP" --overhead OSYNC --at exchange)" h
