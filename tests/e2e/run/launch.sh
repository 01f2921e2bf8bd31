# SPDX-License-Identifier: BSD-3-Clause
# Which processes make one experiment, and that measuring only some of them disturbs none.
. "$(dirname "$0")/../lib.sh"

source_file ranks.c <<'END'
#include <mpi.h>
#include <stdio.h>
static void work(int *rank) { MPI_Bcast(rank, 1, MPI_INT, 0, MPI_COMM_SELF); }
int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	work(&rank);
	MPI_Barrier(MPI_COMM_WORLD);
	printf("%d of %d\n", rank, size);
	MPI_Finalize();
	return 0;
}
END
build ranks ranks.c -O1
cp ranks other
"$MPICC" -o plain ranks.c || exit 1

# profiles: how many profiles each experiment here has
profiles() {
	for e in sis-*/; do ls "$e" | grep -c '^proc-'; done | sort | tr '\n' ' '
	rm -rf sis-*
}

# launch WHAT PRINTED PROFILES MPIEXEC-ARGUMENT...
launch() {
	what=$1 printed=$2 wanted=$3
	shift 3
	timeout 60 "$MPIEXEC" "$@" >run.out 2>run.err </dev/null
	equal "$what: ends, and prints" "$? $(sort run.out | tr '\n' ' ')" "0 $printed"
	equal "$what: profiles of each experiment" "$(profiles)" "$wanted"
	equal "$what: says nothing" "$(cat run.err)" ""
}
launch "the first is not measured" "0 of 2 1 of 2 " "1 " -n 1 ./plain : -n 1 ./ranks
launch "the last is not measured" "0 of 3 1 of 3 2 of 3 " "2 " -n 2 ./ranks : -n 1 ./plain
launch "two programs" "0 of 4 1 of 4 2 of 4 3 of 4 " "4 " -n 2 ./ranks : -n 2 ./other
launch "started by a script" "0 of 2 1 of 2 " "2 " -n 2 sh -c 'sleep 0.$PMI_RANK; ./ranks'
mkdir 0 1
launch "directories of their own" "0 of 2 1 of 2 " "2 " -n 2 sh -c 'cd $PMI_RANK && ../ranks'
equal "directories of their own: nothing there" "$(ls -A 0 1 | grep -c sis)" 0
launch "two nodes, for all the launcher knows" "0 of 3 1 of 3 2 of 3 " "3 " \
	-launcher fork -hosts localhost,127.0.0.1 -n 3 ./ranks
launch "one has it switched off" "0 of 2 1 of 2 " "1 " -n 1 -env SIS_ENABLE 0 ./ranks : -n 1 ./ranks
launch "one process" "0 of 1 " "1 " -n 1 ./ranks
equal "no lock is left" "$(ls -A | grep -c '^\.sis')" 0

(timeout 60 ./ranks && sleep 1 && timeout 60 ./ranks) >run.out 2>run.err
equal "no launcher: prints" "$(cat run.out)" "0 of 1
0 of 1"
equal "no launcher: an experiment each" "$(profiles)" "1 1 "
"$MPIEXEC" -n 2 ./ranks >run.out 2>run.err && "$MPIEXEC" -n 2 ./ranks >run.out 2>run.err
equal "launched twice: an experiment each" "$(profiles)" "2 2 "
SIS_OUTPUT=named "$MPIEXEC" -n 2 ./ranks >run.out 2>run.err &&
	SIS_OUTPUT=named "$MPIEXEC" -n 2 ./ranks >run.out 2>run.err
equal "launched twice with one name: an experiment each" \
	"$(ls named | grep -c '^proc-') $(ls named-2 | grep -c '^proc-')" "2 2"
mkdir full && touch full/of_things
SIS_OUTPUT=full "$MPIEXEC" -n 2 ./ranks >run.out 2>run.err
equal "an existing directory: one experiment inside" "$(cd full && profiles)" "2 "

EXP=$T/half
SIS_OUTPUT=$EXP "$MPIEXEC" -n 1 ./plain : -n 1 ./ranks >run.out 2>run.err
matches "half of a program: analyzed, with a warning" \
	"$(analyze show "$EXP" 2>&1)" \
	"only 1 of 2 MPI processes"
identity "half of a program"

# -- programs that begin with a session ----------------------------------------------------------
source_file session.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(void)
{
	MPI_Session session;
	MPI_Group world;
	MPI_Comm comm;
	int rank, one = 1, sum;
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
	MPI_Comm_create_from_group(world, "everybody", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
	MPI_Group_free(&world);
	MPI_Comm_rank(comm, &rank);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
	printf("%d of %d\n", rank, sum);
	MPI_Comm_free(&comm);
	MPI_Session_finalize(&session);
	return 0;
}
END
if "$MPICC" -o session_plain session.c 2>/dev/null; then
	build session session.c
	run 2 1 ./session
	equal "session: prints" "$(sort run.out | tr '\n' ' ')" "0 of 2 1 of 2 "
	"$CC" -std=gnu11 -I"$TOP/schema" -o records "$E2E/mpi/records.c" || exit 1
	equal "session: ranks" \
		"$(./records "$EXP" | awk '$1 == "state" { print $2 }' | sort | tr '\n' ' ')" \
		"0 1 "
	lacks "session: all matched" "$(analyze show "$EXP" 2>&1)" "could not be matched"
else
	skip "session" "this MPI has no sessions"
fi

echo "1..$number"
