# SPDX-License-Identifier: BSD-3-Clause
# Calls of MPI that are not measured: while measurement is paused, in a program that is off, and
# where SIS_FILTER turns calls off. The program does the same, and what is measured before and after
# is matched.
. "$(dirname "$0")/../lib.sh"

"$CC" -I"$TOP/schema" -o records "$HERE/records.c" 2>build.err ||
	give_up "records is built" build.err
SISC_CC=$MPICC build calls "$HERE/calls.c" -O2 --sis-cr=CR_MPI -lpthread

# holds WHAT: the program has run to its end, and its records match
holds() {
	equal "$1: exit status" "$run_status" 0
	equal "$1: output" "$(cat run.out)" done
	./records "$EXP" | sort -k2,2n -s >lines
	equal "$1: what must hold" "$(awk -f "$HERE/invariants.awk" lines)" ""
}
# ranks CASE
ranks() { case $1 in various) echo 3 ;; neighbours) echo 4 ;; *) echo 2 ;; esac; }

# -- paused --------------------------------------------------------------------------------------
for name in pingpong various waitall completion persistent probed none collectives begun \
	neighbours communicators memory file partitioned cut given_up errors operator; do
	run "$(ranks $name)" 1 ./calls $name off
	holds "$name, paused"
	equal "$name, paused: only what comes after it is recorded" \
		"$(awk '$2 == 0 { n[$1]++ }
			END { print n["SEND"], n["RECV"], n["ISEND"], n["IRECV"], n["DONE"] }' \
			lines)" "10 10 120 120 240"
	equal "$name, paused: and the barriers around it" \
		"$(awk '$2 == 0 && $1 == "BARRIER"' lines | wc -l)" 2
done

run 2 1 ./calls pingpong
matches "the profile says what a wrapper costs, inside and outside of the call" \
	"$(cat "$EXP"/*.sis | tr '\0' '\n' | grep -a '^mpi_call' | tr '\t\n' '  ')" \
	'^(mpi_call [0-9]+[.][0-9]+ [0-9]+[.][0-9]+ ){2}$'

# -- off -----------------------------------------------------------------------------------------
for name in completion persistent probed begun communicators memory file partitioned cut threads; do
	SIS_ENABLE=0 run 2 1 ./calls $name
	equal "$name, off" "$(cat run.out) $run_status $(ls -d "$EXP" 2>/dev/null)" "done 0 "
done

# -- excluded ------------------------------------------------------------------------------------
echo 'SIS_REGION_TYPES_BEGIN EXCLUDE CR_MPI SIS_REGION_TYPES_END' >f
SIS_FILTER=f
export SIS_FILTER
for name in waitall completion persistent probed collectives begun communicators memory file \
	partitioned threads; do
	run 2 1 ./calls $name
	holds "$name, excluded"
done

source_file asks.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int rank, done = 0, polls = 0, sum = 0, got[4] = { 0 };
	MPI_Request request[4];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 4 && rank == 1; i++)
		MPI_Irecv(&got[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < 4 && rank == 0; i++)
		MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
	for (; rank == 1 && !done; polls++)
		MPI_Test(&request[0], &done, MPI_STATUS_IGNORE);
	for (int left = 3, index; rank == 1 && left > 0; left -= done) {
		MPI_Testany(3, request + 1, &index, &done, MPI_STATUS_IGNORE);
		sum += done ? got[1 + index] : 0;
	}
	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
	if (rank == 1)
		puts(sum == 6 && polls > 0 ? "done" : "wrong");
	MPI_Finalize();
	return 0;
}
END
build asks asks.c -O1
for trace in 0 1; do
	SIS_TRACE=$trace run 2 1 ./asks
	holds "asks, SIS_TRACE=$trace"
	equal "asks, SIS_TRACE=$trace: every message has its receive" \
		"$(awk '$2 == 1 && $1 == "DONE" { print $6 }' lines | sort | tr '\n' ' ')" \
		"0 1 2 3 "
done
SIS_TRACE=0 run 2 1 ./asks
./records "$EXP" >lines
equal "a test that completes a request counts for its routine, others not at all" \
	"$(awk '$1 == "call" && $2 == 1 && $3 ~ /Test|Iprobe|rank/ { print $3, $4, $6 }' lines |
		sort | tr '\n' ' ')" "MPI_Test 1 1 MPI_Testany 3 3 "
echo 'SIS_REGION_NAMES_BEGIN EXCLUDE MPI_Testany SIS_REGION_NAMES_END' >f
run 2 1 ./asks
equal "other routines are measured, with their places" \
	"$(query '[.[] | select(.process == 1 and (.region | test("MPI_(Iprobe|Testany)"))) |
		"\(.region) \(.calls) \(.line_start > 0)"] | sort | join(", ")' regions "$EXP")" \
	"MPI_Iprobe 1 true, MPI_Testany 3 false"
echo "1..$number"
