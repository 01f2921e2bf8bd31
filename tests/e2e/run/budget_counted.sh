# SPDX-License-Identifier: BSD-3-Clause
# SIS_OVERHEAD and what is never turned off: of frequent polls of MPI, atomics and flushes one in 16
# is timed. All are counted, waits are found as with exact times, and regions whose cost could be
# saved are not turned down for them.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

rungs() { query '[.[0].turned_down[] | "\(.region) \(.rung)"] | unique | .[]' show "$EXP"; }
calls() { query "[.[] | select(.region | test(\"^$1\")) | .calls] | add" regions "$EXP"; }
# errors REGION: of its time; 0: it is exact
errors() { query "[.[] | select(.region | test(\"^$1\")) | .error] | add" regions "$EXP"; }
leaf() { query ".overheads.$1" overhead "$EXP"; }

# Rank 0 asks whether messages have come, which rank 1 sends late: each kind of poll in turn, and
# two requests by turns.
source_file polls.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
enum { KINDS = 7, LATE_US = 60000 };
static long polls[KINDS];
static void ask(int kind, MPI_Request *r)
{
	int done = 0, other = 0, i, n = 0, all[2];
	MPI_Status s;
	while (!done) {
		polls[kind]++;
		switch (kind) {
		case 0: MPI_Test(&r[0], &done, &s); break;
		case 1: MPI_Testany(1, r, &i, &done, &s); break;
		case 2: MPI_Testall(1, r, &done, &s); break;
		case 3: MPI_Testsome(1, r, &n, all, &s), done = n > 0; break;
		case 4: MPI_Request_get_status(r[0], &done, &s); break;
		case 5: MPI_Iprobe(1, 5, MPI_COMM_WORLD, &done, &s); break;
		case 6:
			MPI_Test(&r[1], &other, &s);
			MPI_Test(&r[0], &done, &s);
		}
	}
}
int main(int argc, char **argv)
{
	int rank, in[2] = { 0 }, out = 7;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int kind = 0; kind < KINDS; kind++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 1) {
			usleep(LATE_US);
			MPI_Send(&out, 1, MPI_INT, 0, kind, MPI_COMM_WORLD);
			MPI_Send(&out, 1, MPI_INT, 0, KINDS, MPI_COMM_WORLD);
			continue;
		}
		MPI_Request r[2] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };
		if (kind != 5)
			MPI_Irecv(&in[0], 1, MPI_INT, 1, kind, MPI_COMM_WORLD, &r[0]);
		MPI_Irecv(&in[1], 1, MPI_INT, 1, KINDS, MPI_COMM_WORLD, &r[1]);
		ask(kind, r);
		if (kind == 5)
			MPI_Recv(&in[0], 1, MPI_INT, 1, kind, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
		if (in[0] != 7 || in[1] != 7)
			return 1;
	}
	if (rank == 0)
		printf("%ld %ld %ld %ld %ld %ld\n", polls[0] + 2 * polls[6], polls[1], polls[2],
		       polls[3], polls[4], polls[5]);
	MPI_Finalize();
	return 0;
}
END
counted() {
	echo "$(calls 'MPI_Test$') $(calls 'MPI_Testany') $(calls 'MPI_Testall')" \
		"$(calls 'MPI_Testsome') $(calls 'MPI_Request_get') $(calls 'MPI_Iprobe')"
}
late=0.21 # of 0.42 s, the mean of two ranks
# A busy machine wakes the sender late, or stops rank 0: then the program runs again.
run_polls() {
	for try in 1 2 3 4 5; do
		run 2 1 ./polls
		! is_near "$(leaf OSYNC_LATESEND)" $late || break
	done
}
for chosen in '--sis-cr=CR_P,CR_MPI' '--sis-cr=CR_P'; do
	polls="polls, $chosen"
	SISC_CC=$MPICC build polls polls.c -O2 "$chosen"
	SIS_OVERHEAD=0.5% run_polls
	equal "$polls: runs" "$run_status" 0
	equal "$polls: all are counted" "$(counted)" "$(cat run.out)"
	matches "$polls: they are timed one call in 16" "$(rungs)" '^MPI_Test fraction'
	lacks "$polls: none is sampled or off" "$(rungs)" 'MPI.*(sampled|off)'
	check "$polls: their times have an error" test "$(errors MPI_Test)" != 0
	identity "$polls"
	near "$polls: rank 0 waits for the sender" "$(leaf OSYNC_LATESEND)" $late
	SIS_OVERHEAD=off run_polls
	equal "$polls, off: all are counted" "$(counted)" "$(cat run.out)"
	equal "$polls, off: their times are exact" "$(errors MPI)" 0
	near "$polls, off: rank 0 waits for the sender" "$(leaf OSYNC_LATESEND)" $late
done

# A function called beside polls is not turned off because of what the polls cost.
source_file beside.c <<'END'
#include <mpi.h>
static volatile unsigned sink;
__attribute__((noinline)) static void work(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}
int main(int argc, char **argv)
{
	int flag;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 3000; i++) {
		work(3000);
		for (int k = 0; k < 300; k++)
			MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return 0;
}
END
SISC_CC=$MPICC build beside beside.c -O1 --sis-cr=CR_P,CR_F,CR_MPI
SIS_OVERHEAD=5% run 1 1 ./beside
equal "beside polls: the function is timed each time" "$(rungs)" "MPI_Iprobe fraction"
equal "beside polls: its time is exact" "$(errors work)" 0
equal "beside polls: all are counted" "$(calls MPI_Iprobe) $(calls work)" "900000 3000"

# Calls that only ask, which MPI answers in nanoseconds. One of them is inside of a function that
# the MPI library calls.
source_file queries.c <<'END'
#include <mpi.h>
static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
	int size;
	(void)key, (void)extra, (void)in, (void)out;
	*flag = 0;
	return MPI_Comm_size(comm, &size);
}
int main(int argc, char **argv)
{
	int rank, size, key;
	MPI_Comm comm;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 2000000; i++) {
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
		MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
	}
	MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, 0);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
END
SISC_CC=$MPICC build queries queries.c -O1
SIS_OVERHEAD=5% run 1 1 ./queries
equal "queries: they are timed one call in 16" "$(rungs)" "MPI_Comm_rank fraction
MPI_Pack_size fraction"
equal "queries: all are counted" "$(calls MPI_Comm_rank) $(calls MPI_Pack_size)" "2000000 2000000"
check "queries: the probes' cost is known" awk -v ns="$(leaf OPROBE)" \
	'BEGIN { exit !(ns > 0.002 && ns < 0.08) }'
identity "queries"

# Atomics of both kinds: by an instruction, and by a lock of libgomp's for what has none.
source_file atomics.c <<'END'
#include <omp.h>
#include <stdio.h>
static long sum;
static long double precise;
int main(void)
{
	for (int i = 0; i < 400000; i++) {
#pragma omp atomic
		sum++;
#pragma omp atomic
		precise += 1;
#pragma omp flush
	}
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 100000; i++) {
#pragma omp atomic
		precise += 1;
	}
	printf("%ld %.0Lf\n", sum, precise);
	return 0;
}
END
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	library=
	[ $compiler = gcc ] || library=-latomic
	build atomics atomics.c --sis-cc=$compiler -O1 -fopenmp --sis-cr=CR_P,CR_OMP $library
	SIS_OVERHEAD=0.5% run 1 2 ./atomics
	equal "$compiler: prints" "$(cat run.out)" "400000 600000"
	equal "$compiler: all are counted" "$(calls 'omp atomic') $(calls 'omp flush')" \
		"1000000 400000"
	matches "$compiler: atomics are timed one in 16" "$(rungs)" 'atomic.* fraction'
	matches "$compiler: flushes are timed one in 16" "$(rungs)" 'flush.* fraction'
	lacks "$compiler: none is sampled or off" "$(rungs)" '(atomic|flush).*(sampled|off)'
	check "$compiler: their times have an error" test "$(errors 'omp atomic')" != 0
	identity "$compiler"
	SIS_OVERHEAD=off run 1 2 ./atomics
	equal "$compiler, off: their times are exact" "$(errors 'omp atomic')" 0
done
