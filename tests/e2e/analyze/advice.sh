# SPDX-License-Identifier: BSD-3-Clause
# Advice on costs (schema/advice.def): for each rule a program for which it is right; it must not
# appear for the other programs. Rules on waits are checked with the programs of tests/e2e/known.
# alone: on a busy machine, waits take the place of costs
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

# wrong_advice RULES...: prints each rule in the advice of the last run that is not among RULES, and
# each of RULES that the advice lacks. A rule in brackets may be missing.
wrong_advice() {
	got=$(query '[.actions[].rule] | unique | .[]' report "$EXP" |
		grep -v -e PROCESSOR -e OTHER_PROGRAMS -e 'PROBES$' | tr '\n' ' ')
	for rule in $got; do
		case " $* " in *" $rule "* | *" [$rule] "*) ;; *) echo "$rule" ;; esac
	done
	for rule in "$@"; do
		case $rule in "["*) continue ;; esac
		case " $got" in *" $rule "*) ;; *) echo "no $rule" ;; esac
	done
}

# advises WHAT PROGRAM RANKS RULES...: a run of the program gets this advice, in any order, and no
# other. RANKS 0: two threads. On a busy machine, the lack of processors explains any loss, so the
# program is tried again.
advises() {
	what=$1 program=$2 ranks=$3
	shift 3
	for try in 1 2 3 4 5 6 7 8; do
		[ $try = 1 ] || sleep "$try"
		# shellcheck disable=SC2086
		if [ "$ranks" = 0 ]; then
			run_alone 2 $program
		else
			run "$ranks" 1 $program
		fi
		wrong=$([ $run_status = 0 ] && wrong_advice "$@" || echo "status $run_status")
		[ -n "$wrong" ] || break
	done
	check "$what: $(printf '%s' "$wrong" | tr '\n' ' ')" test -z "$wrong"
	[ $try = 1 ] || echo "# $what: $try tries"
}

source_file messages.c <<'END'
#include <mpi.h>
static char buffer[1 << 22];
static void exchange(int rank, int count, int size)
{
	for (int i = 0; i < count; i++)
		if (rank == 0) {
			MPI_Send(buffer, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
			MPI_Recv(buffer, size, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(buffer, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(buffer, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
		}
}
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	exchange(rank, COUNT, SIZE);
	MPI_Finalize();
	return 0;
}
END
cp messages.c small.c
build small small.c -DCOUNT=200000 -DSIZE=8
advises "many small messages" ./small 2 SMALL_MESSAGES "[FREQUENT_CALLS]"

source_file overlap.c <<'END'
#include <mpi.h>
static char buffer[1 << 24];
static volatile double sum;
int main(int argc, char **argv)
{
	int rank;
	MPI_Request request;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 60; i++) {
		for (int k = 0; k < 4000000; k++)
			sum += k;
		MPI_Irecv(buffer, 1 << 24, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, &request);
		MPI_Send(buffer, 1 << 24, MPI_CHAR, !rank, 0, MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Finalize();
	return sum < 0;
}
END
build overlap overlap.c -O1
advises "large messages" ./overlap 2 LARGE_MESSAGES "[SENDER_UNEVEN]" "[RECEIVER_LATE]" \
	"[SENDER_LATE]"

source_file reductions.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	double one = 1, sum;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 200000; i++)
		MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build reductions reductions.c -O1
advises "many small reductions" ./reductions 2 FREQUENT_CALLS "[SMALL_COLLECTIVES]"

source_file objects.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Comm other;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 20000; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &other);
		MPI_Comm_free(&other);
	}
	MPI_Finalize();
	return 0;
}
END
build objects objects.c -O1
advises "communicators made again and again" ./objects 2 MANY_OBJECTS "[FREQUENT_CALLS]" \
	"[LATE_CHANGES]"

source_file forks.c <<'END'
static double x[64];
int main(void)
{
	for (int k = 0; k < 100000; k++)
#pragma omp parallel for
		for (int i = 0; i < 64; i++)
			x[i] += i;
	return x[0] > 1;
}
END
OMP_WAIT_POLICY=active
build forks forks.c -O1 -fopenmp
advises "many parallel regions of little work" ./forks 0 MANY_FORKS "[MANY_JOINS]" \
	"[FREQUENT_BARRIERS]" "[UNPAR_SERIAL]"

source_file chunks.c <<'END'
static volatile double x;
int main(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (long i = 0; i < 4000000; i++)
		x = (double)i;
	return x < 0;
}
END
build chunks chunks.c -O1 -fopenmp
advises "chunks of one small iteration" ./chunks 0 MANY_CHUNKS

source_file tasks.c <<'END'
static long fib(int n)
{
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
int main(void)
{
	long sum = 0;
#pragma omp parallel
#pragma omp single
	sum = fib(25);
	return sum < 0;
}
END
build tasks tasks.c -O1 -fopenmp
advises "tasks that do nothing" ./tasks 0 MANY_TASKS "[TASKWAIT]" "[BARRIER_TASKS]" "[UNCONTENDED]"
OMP_WAIT_POLICY=passive

source_file dynamic.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 9; i++)
		usleep(i < 8 ? 20000 : 300000);
	return 0;
}
END
build dynamic dynamic.c -O1 -fopenmp
advises "the longest iteration comes last" ./dynamic 0 LOOP_DYNAMIC

source_file sections.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	{
		usleep(50000);
#pragma omp sections
		{
			usleep(300000);
#pragma omp section
			usleep(100000);
		}
	}
	return 0;
}
END
build sections sections.c -O1 -fopenmp
advises "unequal sections" ./sections 0 UNPAR_SECTIONS

source_file memory.c <<'END'
#include <stdlib.h>
#include <string.h>
static char from[1 << 20], to[1 << 20];
int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		for (int i = 0; i < 5000; i++)
			memcpy(to, from, sizeof to);
	else
		for (int i = 0; i < 2000000; i++)
			free(malloc(4000 + i % 100000));
	return to[5];
}
END
build memory memory.c -O0 --sis-cr=CR_P,CR_F,CR_ALLOC,CR_MEM -fno-builtin
advises "memory is allocated and freed" ./memory 0 ALLOCATION
advises "memory is copied" "./memory copy" 0 COPYING

source_file files.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char c = 'x';
	(void)argv;
	for (int i = 0; i < 100000; i++)
		if (argc > 1) {
			int file = open("files.out", O_RDWR | O_CREAT, 0600);
			close(file);
		} else {
			write(1, &c, 1);
		}
	return 0;
}
END
build files files.c -O1 -w
advises "written byte by byte" ./files 0 SMALL_IO
advises "opened again and again" "./files open" 0 META_IO

source_file queries.c <<'END'
#include <mpi.h>
static volatile int size;
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 300000; i++) { /* each call takes longer than its probes */
		int dims[3] = { 0, 0, 0 };
		MPI_Dims_create(5040, 3, dims);
		size = dims[0];
	}
	MPI_Finalize();
	return 0;
}
END
build queries queries.c -O1
advises "asked again and again" ./queries 1 QUERIES

source_file idle.c <<'END'
#include <unistd.h>
int main(void)
{
#pragma omp parallel
	usleep(300000);
	return 0;
}
END
build idle idle.c -O1 -fopenmp
advises "nothing to do" ./idle 0
matches "is said" "$(analyze report "$EXP")" \
	'^Nothing is worth a change: .* A shorter run needs a faster algorithm'

SIS_ASLEEP=1 advises "the same time, asleep" ./idle 0 ASLEEP
sqlite3 "$T/sis.db" "INSERT OR REPLACE INTO estimate SELECT drg_node, pu, 2 * sum(ns), 2 * sum(ns)
	FROM overhead GROUP BY drg_node, pu"
equal "none where the error is over half of the time" \
	"$(query '[.actions[].rule] | join(" ")' report "$EXP")" ""
matches "which is said" "$(analyze report "$EXP")" 'a further [0-9.]* s of overheads, whose error'

# Each rule is checked here, with the known programs, or against a sequential run.
checked="$(cat "$HERE/advice.sh" "$E2E/known"/*.c "$TOP/tests/unit/analysis/answers/test_advice.c")"
for rule in $(sed -n 's/^SIS_ADVICE(\([A-Z_]*\),.*/\1/p' "$TOP/schema/advice.def"); do
	case $checked in
	*"$rule"*) ;;
	*) not_ok "$rule is checked" ;;
	esac
done
