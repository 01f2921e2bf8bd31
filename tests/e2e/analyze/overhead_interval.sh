# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze overhead --from and --to: the overheads of a part of the run. Parts that follow each
# other add up to the whole run.
# asleep: its truth is time asleep, which ends later on a busy machine
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

# Rank 1 sends 300 ms late, twice. Then thread 1 comes 200 ms late to a barrier, twice.
source_file phases.c <<'END'
#include <mpi.h>
#include <omp.h>
#include "work.h"

static void late(void) { rest(300); }

static void first(int rank)
{
	int x = 0;
	for (int i = 0; i < 2; i++) {
		if (rank == 1) {
			late();
			MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
		} else {
			MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
}

static void uneven(void)
{
	if (omp_get_thread_num() == 1)
		rest(200);
}

static void second(void)
{
	for (int i = 0; i < 2; i++) {
#pragma omp parallel
		{
			uneven();
#pragma omp barrier
		}
	}
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	first(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	second();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build phases phases.c -O1 -fopenmp "-I$E2E/include" --sis-cr=CR_F,CR_OMP,CR_MPI
SIS_TRACE=1 run 2 2 ./phases
trace_json

# begin REGION: when the first thread entered it, in seconds
begin() {
	jq "[.traceEvents[] | select(.name == \"$1\" and .ph == \"B\" and .tid == 1) | .ts] |
		min / 1e6" trace.json
}
start=$(begin first) middle=$(begin second) t_p=$(query .t_p overhead "$EXP")
check "the second phase is after the first" \
	awk -v a="$start" -v b="$middle" 'BEGIN { exit !(a > 0 && b > a + 0.6) }'

# -- each phase shows its own loss
of_first() { query "$1" overhead "$EXP" --from "$start" --to "$middle" "$2" "$3"; }
of_second() { query "$1" overhead "$EXP" --from "$middle" "$2" "$3"; }
near "late senders in the first phase" "$(of_first .overheads.OSYNC_LATESEND --pu 0.0)" 0.6
near "an idle thread waits with the initial one" \
	"$(of_first .overheads.OSYNC_LATESEND --pu 0.1)" 0.6
near "an idle thread waits for the initial one" "$(of_first .overheads.OLOSS_UNPAR --pu 1.1)" 0.6
near "no barrier of threads in the first phase" "$(of_first .overheads.OSYNC_EBAR --pu 0.0)" 0
near "useful work in the first phase" "$(of_first .useful --pu 1.0)" 0.6
near "barriers in the second phase" "$(of_second .overheads.OSYNC_EBAR --pu 0.0)" 0.4
near "no late sender in the second phase" "$(of_second .overheads.OSYNC_LATESEND --pu 0.0)" 0
near "useful work in the second phase" "$(of_second .useful --pu 1.1)" 0.4
half=$(awk -v a="$start" 'BEGIN { print a + 0.1 }')
near "a wait that lasts longer than the interval" \
	"$(query .overheads.OSYNC_LATESEND overhead "$EXP" --pu 0.0 --from "$half" \
		--to "$(awk -v a="$half" 'BEGIN { print a + 0.15 }')")" 0.15

# -- sums
# same WHOLE.json PART.json...: "same" if the seconds of the parts add up, but for rounding
same() {
	jq -s -r 'map(.overheads + {useful, t_p}) | .[0] as $whole | .[1:] as $parts |
		[$whole | keys[] | . as $k | ([$parts[][$k]] | add) - $whole[$k] |
		select(. > 1e-6 or . < -1e-6) | "\($k) \(.)"] |
		if . == [] then "same" else join(", ") end' "$@"
}
tree() { query . overhead "$EXP" "$@"; }
tree >whole.json
tree --from 0 >all.json
tree --to "$start" >1.json
tree --from "$start" --to "$middle" >2.json
tree --from "$middle" --to 1000 >3.json
tree --to "$middle" >12.json
equal "from 0 to the end: the whole run" "$(same whole.json all.json)" same
equal "parts add up to the whole run" "$(same whole.json 1.json 2.json 3.json)" same
equal "parts add up to a part" "$(same 12.json 1.json 2.json)" same
rest=$(jq -s 'map(.t_p - .useful - .overheads.OTOTAL - .overheads.UNMEASURED) |
	all(. < 1e-6 and . > -1e-6)' all.json 1.json 2.json 3.json 12.json)
equal "useful work and leaves are the interval" "$rest" true
equal "of each processing unit" "$(jq -s -r 'map(.identity_error) | max' all.json 2.json 3.json)" 0
equal "all is known" "$(jq -s -r 'map(.not_known) | max' all.json 2.json)" 0
equal "nothing of the whole run is uncertain" "$(jq '.uncertain < 1e-6' all.json)" true
equal "T_p is the length" "$(jq '.t_p == .to' 12.json)" true
equal "an interval beyond the end is cut" "$(jq ".to == $t_p" 3.json)" true

# -- other forms
sum=$(query 'map(select(.overhead == "OTOTAL") | .seconds) | add' overhead "$EXP" --by-pu \
	--from "$start" --to "$middle")
equal "by processing unit: the same sum" \
	"$(jq "(.overheads.OTOTAL * .p - $sum) | . < 1e-6 and . > -1e-6" 2.json)" true
sum=$(query 'map(.seconds) | add' overhead "$EXP" --overhead OTOTAL --from "$start" --to "$middle")
equal "by region: the same sum" \
	"$(jq "(.overheads.OTOTAL - $sum) | . < 1e-6 and . > -1e-6" 2.json)" true
near "a region of the other phase" "$(query '.[0].seconds' overhead "$EXP" --region second \
	--overhead OSYNC_EBAR --from "$start" --to "$middle")" 0
near "a region of the phase" "$(query '.[0].seconds' overhead "$EXP" --region second --pu 1.0 \
	--overhead OSYNC_EBAR --from "$middle")" 0.4
matches "text names the interval" "$(analyze overhead "$EXP" --from 0.1 --to 0.2 | head -n 1)" \
	'from 0.100000 s to 0.200000 s: p = 4, T_p = 0.100000 s'

# -- idle units, threads of the program, polls, tasks, time that was not measured
adds_up() { # adds_up RANKS THREADS NAME: of a program of known/
	build "$3" "$E2E/known/$3.c" -fopenmp -pthread "-I$E2E/known" "-I$build_dir/include" \
		--sis-cr=CR_F,CR_OMP,CR_MPI,CR_PTCREATE,CR_PTJOIN,CR_PTMUTEX,CR_PTCOND
	SIS_TRACE=1 run "$1" "$2" "./$3"
	t_p=$(query .t_p overhead "$EXP")
	middle=$(awk -v t="$t_p" 'BEGIN { print t * 0.4 }')
	tree >whole.json
	tree --from 0 >all.json
	tree --to "$middle" >1.json
	tree --from "$middle" >2.json
	equal "$3: from 0 to the end" "$(same whole.json all.json)" same
	equal "$3: parts add up" "$(same all.json 1.json 2.json)" same
	equal "$3: all time is accounted for" \
		"$(jq -s 'map(.identity_error + .not_known) | max' 1.json 2.json)" 0
}
adds_up 1 3 team_sizes
adds_up 1 1 pthread_pools
adds_up 2 1 poll_sets
adds_up 1 2 uneven_tasks
adds_up 2 1 pcontrol

# -- errors
one_error "causes" 2 "--explain is for the whole run" \
	"$ANALYZE" overhead --db sis.db "$EXP" --from 1 --explain OSYNC
one_error "a sequential run" 2 "--seq is for the whole run" \
	"$ANALYZE" overhead --db sis.db "$EXP" --from 1 --seq "$EXP"
one_error "the wrong order" 2 "--to is not after --from" \
	"$ANALYZE" overhead --db sis.db "$EXP" --from 2 --to 1
one_error "after the end" 1 "the run ended after .*; write an earlier time" \
	"$ANALYZE" overhead --db sis.db "$EXP" --from 1000
SIS_TRACE=0 run 2 2 ./phases
one_error "no trace" 1 "only a trace knows when things happened; run the program with SIS_TRACE=1" \
	"$ANALYZE" overhead --db sis.db "$EXP" --from 0
