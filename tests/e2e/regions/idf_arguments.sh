# SPDX-License-Identifier: BSD-3-Clause
# The description has the expressions of the arguments of MPI calls and locks, and the variables of
# reductions, as the source has them.
. "$(dirname "$0")/../lib.sh"

source_file a.c <<'END'
#include <mpi.h>
#include <omp.h>
#define RECV MPI_Recv
struct halo { double *left, *right; } halo;
int main(int argc, char **argv)
{
	double psi[10] = { 0 }, sum = 0, max = 0; int n = 10; omp_lock_t lock;
	MPI_Init(&argc, &argv);
	omp_init_lock(&lock);
	MPI_Send(&psi[0], n /* count, all */, MPI_DOUBLE,
		 (n > 1 ? MPI_PROC_NULL : (0, 0)), 0, MPI_COMM_WORLD);
	RECV(halo.left, 0, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(&sum, &max, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); MPI_Comm_set_name(
		MPI_COMM_WORLD, "a, \") b");
#pragma omp parallel for reduction(+ : sum) \
	reduction(max : max)
	for (int i = 0; i < n; i++) { sum += psi[i]; omp_set_lock(&lock); omp_unset_lock(&lock); }
	return MPI_Finalize();
}
END
build a a.c -fopenmp --sis-cr=CR_P,CR_OMP,CR_MPI
# of NAME FIELD: the list of a region
of() { jq -c ".. | objects | select(.name? == \"$1\" and .aux?) | .aux.$2" a.idf; }
equal "a call in several lines, with a comment" "$(of MPI_Send arguments)" \
	'["&psi[0]","n","MPI_DOUBLE","(n > 1 ? MPI_PROC_NULL : (0, 0))","0","MPI_COMM_WORLD"]'
equal "the second one of a line" "$(of MPI_Comm_set_name arguments)" \
	'["MPI_COMM_WORLD","\"a, \\\") b\""]'
equal "no arguments" "$(of MPI_Finalize arguments)" '[]'
equal "a macro is not read" "$(of MPI_Recv arguments)" null
equal "a lock" "$(of omp_set_lock arguments)" '["&lock"]'
equal "reductions" "$(of 'omp parallel for@15' reductions)" '["sum","max"]'
run 1 1 ./a
equal "the program runs" "$(analyze import "$EXP" --json | jq '.[0].complete')" true
