#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kills.sh - programs that end by SIGKILL at any time: what they measured can be read.
#
#     tests/kills.sh [N [SEED]]      200 kills if nothing is said; part of `make check-long`
#
# Each run has one to three ranks with two threads each, and settings drawn by the seed: one file
# for each rank or for all, a trace, call stacks, a budget. One rank or all are killed, up to a
# second after the start. The experiment must be imported without a complaint, all its time must be
# accounted for, and report and blame must show it. Only a process that was killed before it made
# its profile may have none.
e2e_folder=$(cd "$(dirname "$0")/e2e" && pwd)
. "$e2e_folder/lib.sh"
kills=${1:-200} seed=${2:-1}

source_file killed.c <<'END'
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

static double step(double *field, int n)
{
	double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 1; i < n; i++) {
		field[i] += field[i - 1] * 0.5;
		sum += field[i];
	}
	return sum;
}

static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void *add(void *part)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&lock);
		total += *(double *)part;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	enum { SIZE = 20000 };
	int rank, ranks;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (double end = MPI_Wtime() + 20; MPI_Wtime() < end;) {
		double *field = malloc(SIZE * sizeof *field), sum, all;
		pthread_t thread;
		memset(field, 0, SIZE * sizeof *field);
		sum = step(field, SIZE) + fib(12);
		pthread_create(&thread, NULL, add, &sum);
		MPI_Sendrecv_replace(field, 100, MPI_DOUBLE, (rank + 1) % ranks, 1,
				     (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
				     MPI_STATUS_IGNORE);
		MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		pthread_join(thread, NULL);
		free(field);
	}
	printf("%g\n", total);
	MPI_Finalize();
	return 0;
}
END
name=sis-kill-$$
build "$name" killed.c --sis-cc="$MPICC" --sis-blame -O1 -fopenmp -pthread

# draw N: a number below N, from the seed
draw() {
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	drawn=$((seed / 65536 % $1))
}
choose() { # choose WORD...
	draw $#
	shift "$drawn"
	chosen=$1
}

kill_some() { # one process of the program, or all
	# shellcheck disable=SC2046 # a list
	set -- $(pgrep -x "$(printf %.15s "$name")")
	[ $# -gt 0 ] || return
	draw 2
	if [ "$drawn" = 0 ]; then
		kill -9 "$@"
	else
		draw $#
		shift "$drawn"
		kill -9 "$1"
	fi 2>/dev/null
}

complaint() { # of what is in the experiment; nothing: all is well
	if ! "$ANALYZE" import --db killed.db killed >import.out 2>import.err; then
		grep -q 'only empty profiles\|has no profile' import.err || cat import.err
		return
	fi
	"$ANALYZE" sql --db killed.db --json 'SELECT max(identity_error_ns) AS ns FROM experiment' |
		gojq -r '.[] | select(.ns > 1000) | "\(.ns) ns are not accounted for"'
	"$ANALYZE" report --db killed.db >report.out 2>&1 || cat report.out
	case $settings in
	*SIS_BLAME=0*) ;;
	*) "$ANALYZE" blame --db killed.db >blame.out 2>&1 || grep -v 'no samples' blame.out ;;
	esac
}

for i in $(seq "$kills"); do
	settings=
	for set in "SIS_UNIFY=0 SIS_UNIFY=1 SIS_UNIFY=keep" "SIS_TRACE=0 SIS_TRACE=1" \
		"SIS_BLAME=0 SIS_BLAME=1000hz" "SIS_OVERHEAD=off SIS_OVERHEAD=5%"; do
		# shellcheck disable=SC2086 # a list
		choose $set
		settings="$settings $chosen"
	done
	draw 3
	ranks=$((drawn + 1))
	draw 1000
	after=$drawn
	rm -rf killed killed.db
	# shellcheck disable=SC2086 # a list
	env $settings SIS_OUTPUT="$T/killed" "$MPIEXEC" -n $ranks "./$name" \
		>run.out 2>&1 </dev/null &
	started=$!
	sleep "$(awk -v ms="$after" 'BEGIN { print ms / 1000 }')"
	kill_some
	sleep 0.2
	pkill -9 -x "$(printf %.15s "$name")"
	wait $started 2>/dev/null
	what="$i: $ranks ranks,$settings, after $after ms"
	[ -d killed ] || { ok "$what: killed before there was anything"; continue; }
	problem=$(complaint 2>&1)
	if [ -z "$problem" ]; then
		ok "$what"
	else
		not_ok "$what: $problem"
	fi
done >kills.out
grep -A5 '^not ok' kills.out
echo "$(grep -c '^ok' kills.out) passed, $(grep -c '^not ok' kills.out) failed"
! grep -q '^not ok' kills.out
