# SPDX-License-Identifier: BSD-3-Clause
# Time that is not measured is neither useful work nor overhead: T_s, T_o and the efficiencies are
# without it. (Where it is booked: known/pauses.c and pcontrol.c.)
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file run.c <<'END'
#include <sis/sis.h>
#include <unistd.h>
static void work(int share) { usleep(600000 / share); }
int main(int argc, char **argv)
{
	(void)argv;
	SIS_PAUSE();
	usleep(500000);
	SIS_RESUME();
	work(argc);
	SIS_PAUSE();
	usleep(300000);
	SIS_RESUME();
	return 0;
}
END
build run run.c --sis-cr=CR_P,CR_F
run 1 1 ./run
analyze import "$EXP" --role seq >/dev/null 2>&1 || give_up "import"
seq=$EXP
near "the sequential time is without pauses" "$(query .t_s report "$seq")" 0.6
near "they are not useful work" "$(query .useful report "$seq")" 0.6
near "and no overhead" "$(query .overheads.UNMEASURED report "$seq")" 0.8
run 2 1 ./run 2
near "of two processes, the mean" "$(query .overheads.UNMEASURED report "$EXP")" 0.8
near "T_o = T_p - not measured - T_s/p" "$(query .t_o overhead "$EXP")" \
	"$(query '.t_p - .overheads.UNMEASURED - .t_s / .p' overhead "$EXP")"
near "parallel efficiency is of the rest" \
	"$(query .efficiencies.parallel_efficiency report "$EXP")" \
	"$(query '.useful / (.t_p - .overheads.UNMEASURED)' report "$EXP")"
matches "the report says so" "$(analyze report "$EXP")" "were not measured"
lacks "it is nothing to improve" "$(query '.actions[].overhead' report "$EXP")" UNMEASURED
matches "the explanation" "$(analyze overhead "$EXP" --explain UNMEASURED)" "unmeasured part"
equal "and the identity" "$(query '.[0].e' sql \
	"SELECT identity_error_ns < 2000 AS e FROM experiment ORDER BY id DESC")" 1

# -- one rank is paused longer than the other: each has its own time
source_file uneven.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void part(int rank) { usleep(rank ? 100000 : 500000); }
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Pcontrol(rank ? 0 : 1);
	usleep(800000);
	MPI_Pcontrol(1);
	part(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build uneven uneven.c --sis-cr=CR_P,CR_F,CR_MPI
run 2 1 ./uneven
equal "of a rank that is paused longer, no efficiency leaves 0 to 1" \
	"$(query '[.efficiencies, .regions[]] | map(to_entries[] |
		select((.key | test("efficiency|balance")) and (.value | type) == "number" and
		(.value < 0 or .value > 1)) | .key) | join(" ")' report "$EXP")" ""
near "so much of the measured time was outside of MPI" \
	"$(query '.efficiencies.mpi_parallel_efficiency * 2 *
		(.t_p - .overheads.UNMEASURED)' report "$EXP")" 1.4
