# SPDX-License-Identifier: BSD-3-Clause
# Time asleep, and waits for something outside of the program, are no work (OLOSS_ASLEEP): as long
# as the program's own clock says, in the region that slept. Calls do what they do without SIS.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
unset SIS_ASLEEP

# asleep REGION: seconds of OLOSS_ASLEEP in it and in what it calls, sum of all units
asleep() {
	query "[.[] | select(.region == \"$1\" and .type == \"CR_F\") | .metrics.OLOSS_ASLEEP] |
		add" regions "$EXP" --metric OLOSS_ASLEEP
}

# measure_lack: seconds in which units of the last run had no processor
measure_lack() {
	by_pu >pu
	lack=$(awk '$3 == "OLOSS_NOCPU" { s += $4 } END { print s + 0 }' pu)
}

# agrees NAME SECONDS LOGGED: the part of the call within the two clock reads of the log, which may
# also contain time without a processor
agrees() {
	if awk -v v="$2" -v t="$3" -v lack="$lack" \
		'BEGIN { exit !(v <= t && v >= 0.98 * t - 0.002 - lack) }'; then
		ok "asleep $1"
	else
		not_ok "asleep $1: $2 s, the program says $3"
	fi
}

$CC -O2 -pthread "$HERE/asleep.c" -o plain || give_up "it compiles"
./plain | sed 's/ [0-9.]*$//' >plain.out
for flags in "-O2" "-O1 -D_FORTIFY_SOURCE=2"; do
	# shellcheck disable=SC2086
	build asleep "$HERE/asleep.c" $flags -pthread
	run_alone 1 ./asleep
	equal "$flags: it ends as without SIS" "$run_status" 0
	equal "$flags: calls return what they return without SIS" \
		"$(sed 's/ [0-9.]*$//' run.out | diff - plain.out)" ""
	grep '^by_[a-z]* ' run.out >logged
	measure_lack
	while read -r name seconds; do
		agrees "$name" "$(asleep "$name")" "$seconds"
	done <logged
	equal "reading memory, and calls that only ask, are no waits" "$(asleep no_wait)" 0
	identity "$flags"
done

SIS_ASLEEP=0 run_alone 1 ./asleep
equal "SIS_ASLEEP=0: time asleep is work" "$(query '[.[] | .region] | index("asleep")' regions \
	"$EXP" --tree)" null
SIS_TRACE=1 run_alone 1 ./asleep
grep '^by_[a-z]* ' run.out | head -n 3 >logged
measure_lack
while read -r name seconds; do
	agrees "$name with a trace" "$(asleep "$name")" "$seconds"
done <logged
identity "with a trace"

# -- others wait for the one that sleeps -----------------------------------------------------------

source_file others.c <<'EOF'
#include <mpi.h>
#include <unistd.h>
static void slow(void) { usleep(200000); }
static void nap(void) { usleep(1000); }
int main(int argc, char **argv)
{
	int rank, n = 0, done = 0;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Irecv(&n, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
		for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
		     MPI_Test(&request, &done, MPI_STATUS_IGNORE))
			nap();
		for (done = 0; !done;) {
			MPI_Iprobe(1, 3, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
			if (!done)
				usleep(2000);
		}
		MPI_Recv(&n, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	for (int tag = 1; rank == 1 && tag <= 3; tag++) {
		slow();
		MPI_Send(&n, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
EOF
build others others.c -O2
run 2 1 ./others
by_pu >pu
of() { awk -v p="$1" -v o="$2" '$1 == p && $3 == o { s = $4 } END { print s + 0 }' pu; }
slept=$(of 1 OLOSS_ASLEEP)
check "the sender sleeps" awk -v s="$slept" 'BEGIN { exit !(s >= 0.6) }'
check "the receiver waits for it as long, in MPI_Recv and between polls" \
	awk -v w="$(of 0 OSYNC_LATESEND)" -v s="$slept" \
	'BEGIN { exit !(w > 0.95 * s && w < 1.05 * s) }'
check "and hardly sleeps itself" \
	awk -v a="$(of 0 OLOSS_ASLEEP)" -v s="$slept" 'BEGIN { exit !(a < 0.02 * s) }'
for list in "" --culprits --pairs; do
	# shellcheck disable=SC2086
	matches "the culprit is named as asleep: waits $list" "$(analyze waits "$EXP" $list)" \
		'slow, asleep'
done
matches "in the report" "$(analyze report "$EXP")" 'slow .*, asleep, makes others wait in'
equal "advice on sleep" "$(query '[.actions[] | select(.rule == "ASLEEP") | .region] | tostring' \
	report "$EXP")" '["slow"]'
identity "polls that sleep"

source_file idle.c <<'EOF'
#include <unistd.h>
static void serial(void) { usleep(200000); }
int main(void)
{
#pragma omp parallel num_threads(2)
	usleep(1000);
	serial();
	return 0;
}
EOF
build idle idle.c -O2 -fopenmp
run_alone 2 ./idle
by_pu >pu
check "a thread that sleeps is busy for idle ones: these lose parallelism" \
	awk '$2 == 1 && $3 == "OLOSS_UNPAR" { u = $4 } $2 == 0 && $3 == "OLOSS_ASLEEP" { a = $4 }
		END { exit !(a >= 0.2 && u >= 0.2) }' pu
identity "a serial part that sleeps"

# -- statically linked -----------------------------------------------------------------------------

if echo 'int main(void) { return 0; }' | $CC -static -x c - -o static_probe 2>/dev/null; then
	build static "$HERE/asleep.c" -O2 -static -pthread
	run_alone 1 ./static
	equal "static: calls return what they return without SIS" \
		"$(sed 's/ [0-9.]*$//' run.out | diff - plain.out)" ""
	grep '^by_[a-z]* ' run.out >logged
	measure_lack
	while read -r name seconds; do
		agrees "$name, static" "$(asleep "$name")" "$seconds"
	done <logged
else
	skip "static: time asleep" "no static libc"
fi
