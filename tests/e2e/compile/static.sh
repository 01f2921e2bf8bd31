# SPDX-License-Identifier: BSD-3-Clause
# Statically linked programs: OpenMP, threads and every way to end are measured as in other
# programs.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/static_team.c" team.c
printf 'int main(void) { return 0; }\n' >plain.c
gcc -static -fopenmp team.c -o plain 2>cc.err || {
	skip "static linking" "this system has no static libraries" && exit 0
}

# How often each region was entered, without what depends on which thread was faster.
counts() {
	query '[.[] | select(.type | test("^CR_|RT_(FORK|JOIN|IBAR|EBAR|TASK)$"))] |
		group_by(.type + .region) |
		map("\(.[0].type) \(.[0].region) \(map(.calls) | add)") | .[]' regions "$EXP" | sort
}
build shared -O1 -fopenmp team.c
run_alone 3 ./shared
wanted=$(cat run.out && counts)
for flags in "-static" "-static -O2 -flto" "-static-pie"; do
	# shellcheck disable=SC2086
	"$SISC" -O1 -fopenmp $flags team.c -o team >build.err 2>&1 ||
		give_up "sisc $flags" build.err
	run_alone 3 ./team
	equal "$flags: prints and is measured as when shared" "$(cat run.out && counts)" "$wanted"
	equal "$flags: nothing is said" "$(cat run.err)" ""
	identity "$flags"
done
check "no threads, no OpenMP" "$SISC" -static plain.c -o none
lacks "what OpenMP needs is in no other program" "$(nm none)" 'GOMP|omp_'

# -- ends
cp "$HERE/static_ends.c" ends.c
"$SISC" -O1 -static -pthread --sis-cr=CR_F -Wno-free-nonheap-object ends.c -o ends 2>build.err ||
	give_up "sisc -static ends.c" build.err
# ends HOW STATUS STATE: the program ends as without measurement
ends() {
	run_alone 1 ./ends "$1"
	equal "$1: status, what it prints, what is noted" \
		"$run_status $(cat run.out) $(query '.[0].processes[0].state' show "$EXP")" \
		"$2 11 $3"
	equal "$1: calls of all threads" \
		"$(query '[.[] | select(.region == "work") | .calls] | add' regions "$EXP")" \
		"${4:-6}"
	identity "$1"
}
ends return 5 ended
ends exit 3 ended
ends _exit 4 aborted
ends quick_exit 4 aborted
ends abort 134 signal
ends assert 134 signal
ends kill 137 running
ends exec 6 exec
ends execve 5 ended
ends fork 5 ended 7

# -- what is not possible in such a program
SIS_PMETRIC=TOT_CYC run_alone 1 ./ends
matches "counters: says why not" \
	"$(cat run.err)" \
	'^sis: warning: TOT_CYC is not measured: .*link it without -static'

# -- MPI: its own libraries cannot be linked statically everywhere, ours can
source_file ranks.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, sum = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return sum != 1;
}
END
"$SISC" -c ranks.c -o ranks.o &&
	"$MPICC" ranks.o -o ranks "$build_dir/lib/libsis-mpi.a" "$build_dir/lib/libsis.a" \
	"-Wl,@$build_dir/share/sis/wrap-libc" >build.err 2>&1 || give_up "libsis-mpi.a" build.err
lacks "libsis-mpi.a: nothing of ours is needed to run it" "$(readelf -d ranks)" 'libsis'
run 2 1 ./ranks
equal "libsis-mpi.a: runs, and calls of MPI are measured" \
	"$run_status $(query '[.[] | select(.region == "MPI_Allreduce") |
	.calls] | add' regions "$EXP")" "0 2"
identity "libsis-mpi.a"
