# SPDX-License-Identifier: BSD-3-Clause
# Work in the arguments of a measured call is a region of its own: its time is neither output nor
# movement of data nor time of MPI.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file a.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "work.h"
static int work(int ms) { rest(ms); return ms; }
static int (*by_pointer)(int) = work;
static int small(int n) { return n + 1; }
#define SHOW(x) printf("%d\n", x)
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	printf("%d %d\n", work(100), small(small(1)));
	fprintf(stdout, "%d\n", rank ? by_pointer(0) : by_pointer(100));
	SHOW((small(0), work(100)));
	char *copy = malloc((size_t)work(100));
	memset(copy, work(100), 10);
	MPI_Bcast(copy, work(100) / 10, MPI_CHAR, 0, MPI_COMM_WORLD);
	free(copy);
	MPI_Finalize();
	return 0;
}
END
for optimized in -O0 -O2; do
	build a a.c $optimized -I"$E2E/include" --sis-cr=CR_IO,CR_ALLOC,CR_MEM,CR_MPI
	run 1 1 ./a
	equal "$optimized: prints" "$(tr '\n' ' ' <run.out)" "100 3 100 100 "
	by_pu >pu
	leaf() { awk -v leaf="$1" '$3 == leaf { sum += $4 } END { print sum + 0 }' pu; }
	near "$optimized: the work is useful" "$(leaf USEFUL)" 0.6
	for leaf in ODATA_WRITE ODATA_ALLOC ODATA_MEM OSYNC ODATA_COL; do
		near "$optimized: none of it is $leaf" "$(leaf $leaf)" 0
	done
	query '.[] | select(.type == "CR_S") | "\(.region) \(.calls)"' regions "$EXP" |
		awk '{ calls[$1] += $2 } END { for (name in calls) print name, calls[name] }' |
		sort | tr '\n' ' ' >calls
	equal "$optimized: each call is an activation" "$(cat calls)" "by_pointer 1 small 3 work 5 "
	identity "$optimized"
done
matches "a call that a filter excludes is no region" \
	"$("$SISC" --sis-explain --sis-exclude=small -I"$E2E/include" -c a.c)" \
	'CR_S small: not measured: in the arguments of printf, but: --sis-exclude=small$'
