# SPDX-License-Identifier: BSD-3-Clause
# Efficiencies and the critical path of programs that sleep, so that both are known. The products
# of factors are exact.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

factor() { query ".efficiencies.$1 // \"none\"" report "$EXP"; } # KEY
# KEY COLUMN: what the factor is of, in seconds: starting takes its time, and more of it on a busy
# machine
seconds_of() {
	ns=$(query '.[-1].ns' sql "SELECT $2 AS ns FROM experiment ORDER BY id")
	awk -v v="$(factor "$1")" -v ns="$ns" 'BEGIN { print v * ns / 1e9 }'
}
close_to() { # WHAT VALUE TRUTH: within 0.06, for the time that starting takes
	if awk -v v="$2" -v t="$3" \
		'BEGIN { d = v - t; exit !(v != "none" && v != "" &&
			d * d <= 0.06 * 0.06) }'; then ok "$1"; else
		not_ok "$1: $2, not near $3"
	fi
}
# on_path REGION: its seconds on the critical path
on_path() {
	query "[.critical_path[] | select(.region == \"$1\") | .seconds] | add // 0" report "$EXP"
}
products() { # what is not the product of its factors
	query '.efficiencies | def off(a; b): ((a - b) | if . < 0 then - . else . end) > 1e-6;
		(.mpi_parallel_efficiency // 1) as $m | (.omp_parallel_efficiency // 1) as $o |
		(if off(.parallel_efficiency; $m * $o * .local_efficiency)
			then "parallel" else empty end),
		(if .mpi_load_balance and
		off($m; .mpi_load_balance * .mpi_communication_efficiency)
			then "mpi" else empty end),
		(if .mpi_transfer_efficiency and off(.mpi_communication_efficiency;
			.mpi_serialization_efficiency * .mpi_transfer_efficiency)
			then "communication" else empty end),
		(if .omp_load_balance and
		off($o; .omp_serial_efficiency * .omp_load_balance * .omp_scheduling_efficiency)
			then "omp" else empty end)' report "$EXP"
}
judged() { # WHAT: what holds of every experiment
	equal "$1: factors multiply to what they are factors of" "$(products)" ""
	equal "$1: the path is as long as the run" \
		"$(query '(([.critical_path[].seconds] | add) * 1e9 | round) == (.t_p * 1e9 |
			round)' report "$EXP")" \
		true
	identity "$1"
}

# -- one after the other, then together: both work as long, and the run waits for both in turn
source_file turns.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void first(void) { usleep(600000); }
static void both(void) { usleep(400000); }
static void second(void) { usleep(600000); }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		first();
	MPI_Barrier(MPI_COMM_WORLD);
	both();
	if (rank == 1)
		second();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build turns turns.c --sis-cr=CR_P,CR_F,CR_MPI
run 2 1 ./turns
judged turns
close_to "turns: work is balanced" "$(factor mpi_load_balance)" 1
near "turns: one waits while the other works" \
	"$(seconds_of mpi_serialization_efficiency ideal_ns)" \
	1
near "turns: the ideal run has all the work and no start" \
	"$(seconds_of mpi_transfer_efficiency t_p_ns)" \
	1.6
near "turns: so much is parallel" "$(seconds_of parallel_efficiency t_p_ns)" 1
equal "turns: no threads" "$(factor omp_parallel_efficiency)" none
near "turns: rank 0's work is on the path" "$(on_path first)" 0.6
near "turns: and rank 1's" "$(on_path second)" 0.6
near "turns: what both do is on it once" "$(on_path both)" 0.4
matches "turns: the report says it" \
	"$(analyze report "$EXP")" \
	'^ +serialization +[4-7][0-9]\.[0-9] % +(low|fair|good) '

# -- a message: its sender's work is on the path, and after it its receiver's, but not what the
# receiver did before
source_file relay.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void make(void) { usleep(600000); }
static void other(void) { usleep(200000); }
static void use(void) { usleep(400000); }
int main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		make();
		MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		other();
		MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		use();
	}
	MPI_Finalize();
	return 0;
}
END
build relay relay.c --sis-cr=CR_P,CR_F,CR_MPI
run 2 1 ./relay
judged relay
close_to "relay: both work as long" "$(factor mpi_load_balance)" 1
near "relay: and one waits for the other" "$(seconds_of mpi_serialization_efficiency ideal_ns)" 0.6
near "relay: the sender's work is on the path" "$(on_path make)" 0.6

# -- threads: alone, and unevenly together
source_file threads.c <<'END'
#include <unistd.h>
static void alone(void) { usleep(400000); }
int main(void)
{
	alone();
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 2; i++)
		usleep(200000 + 400000 * i);
	return 0;
}
END
build threads threads.c -fopenmp
run_alone 2 ./threads
judged threads
close_to "threads: serial parts" "$(factor omp_serial_efficiency)" 0.8
close_to "threads: balance" "$(factor omp_load_balance)" 0.75
matches "threads: little scheduling" "$(factor omp_scheduling_efficiency)" '^(0\.[89]|1)'
near "threads: together" "$(seconds_of parallel_efficiency t_p_ns)" 0.6
equal "threads: no messages" "$(factor mpi_parallel_efficiency)" none
# where the initial thread waits, the path goes through the other thread
estimated_seconds() {
	query '.[0].s' sql "SELECT critical_estimated_ns / 1e9 AS s FROM experiment
		ORDER BY id DESC LIMIT 1"
}
near "threads: the path is in the serial part" "$(on_path alone)" 0.4
near "threads: without a trace, the way through threads is an estimate" "$(estimated_seconds)" 0.4
SIS_TRACE=1
export SIS_TRACE
run_alone 2 ./threads
unset SIS_TRACE
judged threads
near "threads: the path is the same with a trace" "$(on_path alone)" 0.4
equal "threads: with a trace, nothing of it is an estimate" "$(estimated_seconds)" 0

# -- against a sequential run: work that was done twice
source_file seq.c <<'END'
#include <unistd.h>
int main(void) { usleep(400000); return 0; }
END
build seq seq.c
run_alone 1 ./seq
analyze import "$EXP" --role seq --set application=twice >import.out 2>&1 ||
	give_up "a sequential run" import.out
source_file twice.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	usleep(400000);
	return 0;
}
END
build twice twice.c -fopenmp
run_alone 2 ./twice
analyze import "$EXP" --set application=twice >import.out 2>&1 || give_up "the run" import.out
close_to "twice: parallel" "$(factor parallel_efficiency)" 1
close_to "twice: but for nothing" "$(factor computation_scaling)" 0.5
close_to "twice: all in all" "$(factor global_efficiency)" 0.5
