# SPDX-License-Identifier: BSD-3-Clause
# The places of MPI calls: also of calls in C99 inline functions, which other units share. Of calls
# in a file of MPI wrappers, text shows the callers outside of the file.
. "$(dirname "$0")/../lib.sh"

source_file shared.h <<'EOF'
#include <mpi.h>
inline int total(int x)
{
	int sum = 0;
	MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return sum;
}
EOF
source_file shared.c <<'EOF'
#include "shared.h"
extern inline int total(int x);
int from_shared(void);
int from_shared(void) { return total(1); }
EOF
source_file main.c <<'EOF'
#include "shared.h"
int from_shared(void);
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	int sum = from_shared() + total(1) + total(1);
	MPI_Finalize();
	return sum;
}
EOF
mpi_headers=$("$MPICC" -show -c x.c | tr ' ' '\n' | grep -E '^-I' | tr '\n' ' ')
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	for options in -O0 -O2 "-O2 -flto"; do
		for source in shared main; do
			# shellcheck disable=SC2086
			"$SISC" --sis-cc=$compiler $mpi_headers -Wall -Wextra -pedantic-errors \
				-Werror $options -c $source.c 2>said || cat said
			equal "$compiler $options $source.c: nothing is said" "$(cat said)" ""
		done
		# shellcheck disable=SC2086
		"$SISC" --sis-cc=$compiler $options main.o shared.o -lmpich -o inlines ||
			give_up "$compiler $options: links"
		run 2 1 ./inlines
		equal "$compiler $options: runs" "$run_status" 6
		equal "$compiler $options: the call in an inline function has its place" \
			"$(query '[.[] | select(.region == "MPI_Allreduce") |
				{ file, line_start, calls }] | group_by([.file, .line_start]) |
				map("\(.[0].file):\(.[0].line_start) \(map(.calls) | add)") |
				join(" ")' regions "$EXP")" "shared.h:5 6"
	done
done

# -- a file of MPI wrappers ------------------------------------------------------------------------
source_file comm.c <<'EOF'
#include <mpi.h>
void put(int x, int to) { MPI_Send(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }
static int checked(int from)
{
	int x;
	MPI_Recv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return x;
}
int get(int from) { return checked(from); }
EOF
source_file phases.c <<'EOF'
#include <mpi.h>
void put(int x, int to);
int get(int from);
void there(int rank) { if (rank) get(0); else put(1, 1); }
void back(int rank)
{
	for (int i = 0; i < 3; i++)
		if (rank) put(1, 0); else get(1);
	MPI_Barrier(MPI_COMM_WORLD);
}
EOF
source_file wrapped.c <<'EOF'
#include <mpi.h>
#include <unistd.h>
void there(int rank);
void back(int rank);
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(100000); /* the calls take longer than a busy machine takes the processor */
	there(rank);
	back(rank);
	return MPI_Finalize();
}
EOF
build wrapped comm.c phases.c wrapped.c --sis-cr=CR_F,CR_MPI,CR_P
SIS_TRACE=1 run 2 1 ./wrapped
# of_calls: name, place and calls of MPI_Send, MPI_Recv and MPI_Barrier in text of `regions`
of_calls() {
	call='^(.*MPI_(Send|Recv|Barrier)) +CR_[A-Z0-9]+ +([^ ]+) +([0-9]+) .*'
	analyze regions "$EXP" --type CR_MPI "$@" | sed -E -n "s/$call/\\1 \\3 \\4/p" | sort
}
equal "regions: a row for each caller outside of the file" "$(of_calls)" \
	"MPI_Barrier phases.c:9 2
back > get > checked > MPI_Recv comm.c:6 3
back > put > MPI_Send comm.c:2 3
there > get > checked > MPI_Recv comm.c:6 1
there > put > MPI_Send comm.c:2 1"
equal "regions: the same of an interval" "$(of_calls --from 0)" "$(of_calls)"
equal "regions: of one process" "$(of_calls --pu 1)" \
	"MPI_Barrier phases.c:9 1
back > put > MPI_Send comm.c:2 3
there > get > checked > MPI_Recv comm.c:6 1"
waits=$(analyze waits "$EXP")
matches "waits: names the caller" "$waits" '(back|there) > (get|put) > '
lacks "waits: none without its caller" "$waits" '  (get > |put > )?(checked > )?MPI_(Recv|Send) '
matches "report: names the caller" "$(analyze report "$EXP")" \
	'^(back|there) > (put > MPI_Send  *comm\.c:2 |get > checked > MPI_Recv  *comm\.c:6 )'
equal "report: --json has the region, and what text shows" \
	"$(query '[.worst[] | select(.region == "MPI_Recv" or .region == "MPI_Send") |
		.name | test("^(there|back) > (put|get > checked) > MPI_(Send|Recv)$")] |
		unique' report "$EXP" | tr -d ' \n')" "[true]"
equal "--json: the calls as they are" \
	"$(query '[.[] | select(.region == "MPI_Recv") | "\(.file):\(.line_start) \(.calls)"] |
		sort | join(", ")' regions "$EXP")" "comm.c:6 1, comm.c:6 3"

# A file that computes is none of wrappers, although it calls only MPI.
source_file solver.c <<'EOF'
#include <mpi.h>
void solve(void)
{
	volatile double sum = 0;
	double all;
	for (int i = 0; i < 20000000; i++)
		sum += i;
	MPI_Allreduce((void *)&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
EOF
source_file solves.c <<'EOF'
#include <mpi.h>
void solve(void);
void first(void) { solve(); MPI_Barrier(MPI_COMM_WORLD); }
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	first();
	solve();
	return MPI_Finalize();
}
EOF
build solves solver.c solves.c
run 1 1 ./solves
matches "a file that computes is none of wrappers" "$(analyze regions "$EXP")" \
	'^MPI_Allreduce +CR_MPIALLREDUCE +solver\.c:8 +2 '
