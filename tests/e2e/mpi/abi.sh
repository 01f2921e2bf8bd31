# SPDX-License-Identifier: BSD-3-Clause
# The binary interface of MPI 5.0 (libmpi_abi): a program that was compiled with the header of the
# MPI Forum is measured by sisc and preloaded. The library is one for a single process (abi_stub.c).
. "$(dirname "$0")/../lib.sh"

source_file program.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int value = 7, got = 0, sum = 1, late[2] = { 8, 9 };
	MPI_Request requests[2];
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
	MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
	MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(late, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend((int[]){ 1, 2 }, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("%d %d %d %d %d\n", got, status.MPI_TAG, late[1], sum, requests[1] == MPI_REQUEST_NULL);
	MPI_Finalize();
	return 0;
}
END
cat >cc_abi <<'END'
#!/bin/sh
exec "$STUB_CC" -I"$STUB_INCLUDE" "$@" -L. -Wl,-rpath,"$PWD" -lmpi_abi
END
chmod +x cc_abi
export STUB_CC="$CC" STUB_INCLUDE="$TOP/rtlib/apart/mpi_abi"
"$CC" -shared -fPIC -I"$STUB_INCLUDE" "$HERE/abi_stub.c" -Wl,-soname,libmpi_abi.so.1 \
	-o libmpi_abi.so.1 2>build.err && ln -s libmpi_abi.so.1 libmpi_abi.so &&
	./cc_abi -O1 program.c -o plain 2>>build.err || give_up "the library is built" build.err

judge() { # of the last run
	equal "$1: prints" "$run_status $(cat run.out run.err)" "0 7 5 2 1 1"
	equal "$1: a node a call" "$(query '[.[] | select(.region | test("^MPI_"))] |
		group_by(.region) | map("\(.[0].region) \(map(.calls) | add)") | join(", ")' \
		regions "$EXP")" "MPI_Allreduce 1, MPI_Finalize 1, MPI_Init 1, MPI_Irecv 1, \
MPI_Isend 1, MPI_Recv 2, MPI_Send 2, MPI_Waitall 1"
	equal "$1: the messages" "$(query '[.[] | "\(.from)>\(.to) \(.calls) \(.bytes)"] |
		join(" ")' messages "$EXP")" "0>0 3 16"
	near "$1: the collective" "$(query '[.[] | select(.region == "MPI_Allreduce") |
		.wtime_incl] | add' regions "$EXP")" 0.3
	identity "$1"
}
run_alone 1 ./plain
equal "plain" "$run_status $(cat run.out run.err)" "0 7 5 2 1 1"
preload=$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so
run_alone 1 env LD_PRELOAD="$preload" ./plain
judge "preloaded"
SISC_CC=$T/cc_abi build ours program.c -O1 -Wl,--as-needed
run_alone 1 ./ours
judge "sisc"
