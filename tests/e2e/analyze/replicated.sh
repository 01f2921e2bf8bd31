# SPDX-License-Identifier: BSD-3-Clause
# Replicated and divided work, by call path and by calls: one helper for both, work that is divided
# although each call takes longer, loops that are divided inside of a region, recursion, work of
# one, and processes that replicate what their threads divide.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

# Work is time asleep, in units of 50 ms. Each function is called by processing unit `me` of `n`.
source_file work.h <<'END'
void helper(int units);
void setup(void);
void solve(int me, int n);
void slower(int me, int n);
void inside(int n);
void by_one(int me);
void down(int depth);
END
source_file work.c <<'END'
#include "work.h"
#include <unistd.h>
void helper(int units) { usleep(50000 * units); }
void setup(void) { helper(4); }
void solve(int me, int n)
{
	for (int i = me; i < 4; i += n)
		helper(1);
}
static void contended(int units) { usleep(50000 * units); }
void slower(int me, int n)
{
	for (int i = me; i < 4; i += n)
		contended(n);
}
void inside(int n)
{
	for (int i = 0; i < 4 / n; i++)
		usleep(50000);
}
void by_one(int me)
{
	if (me == 0)
		helper(2);
}
void down(int depth)
{
	if (depth == 0)
		helper(2);
	else
		down(depth - 1);
}
END
source_file seq.c <<'END'
#include "work.h"
int main(void)
{
	setup();
	solve(0, 1);
	slower(0, 1);
	inside(1);
	by_one(0);
	down(3);
	for (int i = 0; i < 4; i++)
		helper(1);
	return 0;
}
END
source_file mpi.c <<'END'
#include "work.h"
#include <mpi.h>
static void solve_mpi(int me, int n) /* between main and solve */
{
	MPI_Barrier(MPI_COMM_WORLD);
	solve(me, n);
}
int main(int argc, char **argv)
{
	int me, n;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	setup();
	solve_mpi(me, n);
	slower(me, n);
	inside(n);
	by_one(me);
	down(3);
	for (int i = me; i < 4; i += n)
		helper(1);
	return MPI_Finalize();
}
END
source_file omp.c <<'END'
#include "work.h"
#include <omp.h>
int main(void)
{
#pragma omp parallel
	{
		int me = omp_get_thread_num(), n = omp_get_num_threads();
		setup();
#pragma omp barrier
		solve(me, n);
		slower(me, n);
		inside(n);
		by_one(me);
		down(3);
#pragma omp for schedule(static)
		for (int i = 0; i < 4; i++)
			helper(1);
	}
	return 0;
}
END
cr=--sis-cr=CR_P,CR_F,CR_OMP,CR_MPI
build seq seq.c work.c $cr
build mpi mpi.c work.c $cr
build omp omp.c work.c -fopenmp $cr
quiet() { "$@" >quiet.out 2>&1 || give_up "$*" quiet.out; }
run_alone 1 ./seq
quiet analyze import "$EXP" --name alone --role seq --set application=all
run 2 1 ./mpi
quiet analyze import "$EXP" --name processes --set application=all
run_alone 2 ./omp
quiet analyze import "$EXP" --name threads --set application=all

value() { query ".overheads.$2" overhead "$1"; }
of() { # of EXPERIMENT LEAF PATH: seconds of all processing units
	query "[.[] | select(.path == \"$3\" and .overhead == \"$2\") | .seconds] | add // 0" \
		overhead "$1" --explain "$2"
}
rule() { # rule EXPERIMENT PATH
	query ".[] | select(.path == \"$2\" and (.overhead | test(\"REPL|UNID\"))) | .rule" \
		overhead "$1" --explain OTOTAL
}
identity_holds() {
	analyze overhead "$1" --json >tree.json
	equal "$2: the total is T_p - T_s/p" "$(jq '.t_o * 1e9 | round' tree.json)" \
		"$(jq '.overheads.OTOTAL * 1e9 | round' tree.json)"
}

check_sharing() { # check_sharing EXPERIMENT TITLE
	near "$2: replicated in all, each pays its part" "$(value "$1" OLOSS_REPL)" 0.15
	near "$2: the helper, where it is replicated" "$(of "$1" OLOSS_REPL main/setup/helper)" 0.2
	near "$2: in a recursion, too" "$(of "$1" OLOSS_REPL main/down/helper)" 0.1
	equal "$2: not where it is divided" "$(of "$1" OLOSS_REPL main/solve/helper)" 0
	equal "$2: nor where one works" "$(of "$1" OLOSS_REPL main/by_one/helper)" 0
	equal "$2: nor in a loop of main" "$(of "$1" OLOSS_REPL main/helper)" 0
	equal "$2: calls are divided" "$(of "$1" OLOSS_REPL main/slower/contended)" 0
	near "$2: and take longer, unidentified" "$(of "$1" OUNID main/slower/contended)" 0.2
	equal "$2: a loop inside is divided" "$(of "$1" OLOSS_REPL main/inside)" 0
	matches "$2: both numbers of divided work" "$(rule "$1" main/solve/helper)" \
		'r = 0.[45].*; 2.0 calls each, 4 in total, 4 alone; they divide the work'
	matches "$2: of a divided loop" "$(rule "$1" main/inside)" \
		'r = 0.[45].*; 1.0 calls each, 2 in total, 1 alone; they divide the work'
	near "$2: the rest" "$(value "$1" OUNID)" 0.1
	matches "$2: both numbers of replicated work" "$(rule "$1" main/setup/helper)" \
		'^2.0 .* r = (1.0|0.9).* 1.0 calls each, 2 in total, 1 alone; each does all of it'
	matches "$2: and of divided calls" "$(rule "$1" main/slower/contended)" \
		'r = (1.0|0.9).*; 2.0 calls each, 4 in total, 4 alone; they divide the calls'
	identity_holds "$1" "$2"
}
check_sharing processes "processes"
check_sharing threads "threads"

# -- the same with the parallel version on one processing unit
run_alone 1 ./omp
quiet analyze import "$EXP" --name one --role par1 --set application=all
near "with par1: replicated" "$(value threads OLOSS_REPL)" 0.15
near "with par1: no other algorithm" "$(value threads OADD_ALGO)" 0
identity_holds threads "with par1"
near "the actions have the call path" \
	"$(query '.actions[] | select(.overhead == "OLOSS_REPL") |
		select(.path | test("/setup/helper$")) | .seconds' report threads)" 0.1
near "of a region: what it calls" \
	"$(query '[.[] | select(.overhead == "OLOSS_REPL") | .seconds] | add' overhead threads \
		--region setup)" 0.1
near "of the helper: all of its paths" \
	"$(query '[.[] | select(.overhead == "OLOSS_REPL") | .seconds] | add' overhead threads \
		--region helper)" 0.15

# -- processes that do the same, and threads that divide it; and the other way round
source_file both.c <<'END'
#include <unistd.h>
#ifdef PARALLEL
#include <mpi.h>
#else
#define MPI_Init(c, v)
#define MPI_Comm_size(c, n) (*(n) = 1)
#define MPI_Barrier(c)
#define MPI_Finalize() 0
#endif
static void helper(void) { usleep(100000); }
static void by_process(void)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < 4; i++)
		helper();
}
static void by_thread(int n)
{
#pragma omp parallel
	for (int i = 0; i < 4 / n; i++)
		helper();
}
int main(int argc, char **argv)
{
	int n;
	(void)argc, (void)argv;
	MPI_Init(&argc, &argv);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	by_process();
	MPI_Barrier(MPI_COMM_WORLD);
	by_thread(n);
	return MPI_Finalize();
}
END
build both_seq both.c --sis-cr=CR_P,CR_F
build both_par both.c -DPARALLEL -fopenmp --sis-cr=CR_P,CR_F,CR_OMP,CR_MPI
run_alone 1 ./both_seq
quiet analyze import "$EXP" --role seq --set application=both
run 2 2 ./both_par
quiet analyze import "$EXP" --name both --set application=both
near "half is replicated by processes, half by threads" "$(value both OLOSS_REPL)" 0.2
near "by processes" "$(of both OLOSS_REPL main/by_process/helper)" 0.4
matches "and that is said" "$(rule both main/by_process/helper)" 'each process does all of it'
near "by threads" "$(of both OLOSS_REPL main/by_thread/helper)" 0.4
identity_holds both "both"

# -- threads of pthreads begin with functions that main calls; any thread executes tasks, anywhere
source_file pthreads.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static void helper(int ms) { usleep(ms * 1000); }
static void init(void) { helper(200); }
static void *worker(void *number)
{
	long me = (long)number % 10, n = (long)number / 10;
	init();
	for (long i = me; i < 4; i += n)
		helper(50);
	return number;
}
#ifdef PARALLEL
#include <pthread.h>
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, worker, (void *)21L);
	worker((void *)20L);
	return pthread_join(thread, NULL);
}
#else
int main(void) { return worker((void *)10L) == NULL; }
#endif
END
build pthreads_seq pthreads.c --sis-cr=CR_P,CR_F
build pthreads_par pthreads.c -DPARALLEL -pthread --sis-cr=CR_P,CR_F
run_alone 1 ./pthreads_seq
quiet analyze import "$EXP" --role seq --set application=pthreads
run_alone 1 ./pthreads_par
quiet analyze import "$EXP" --name pthreads --set application=pthreads
near "in threads: replicated" "$(of pthreads OLOSS_REPL main/worker/init/helper)" 0.2
equal "in threads: divided" "$(of pthreads OLOSS_REPL main/worker/helper)" 0
matches "in threads: by calls, too" "$(rule pthreads main/worker/helper)" '4 in total, 4 alone'

source_file tasks.c <<'END'
#include <unistd.h>
static void leaf(int ms) { usleep(ms * 1000); }
static void tree(int depth)
{
	if (depth == 0) {
		leaf(50);
		return;
	}
#pragma omp task
	tree(depth - 1);
#pragma omp task
	tree(depth - 1);
#pragma omp taskwait
}
int main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		leaf(50);
		tree(2);
	}
	return 0;
}
END
build tasks_seq tasks.c --sis-cr=CR_P,CR_F
build tasks_par tasks.c -fopenmp --sis-cr=CR_P,CR_F,CR_OMP
run_alone 1 ./tasks_seq
quiet analyze import "$EXP" --role seq --set application=tasks
run_alone 2 ./tasks_par
quiet analyze import "$EXP" --name tasks --set application=tasks
near "in tasks: not replicated" "$(value tasks OLOSS_REPL)" 0
near "in tasks: nothing is unidentified" "$(value tasks OUNID)" 0
matches "in tasks: by the function that has the task" "$(rule tasks main/leaf)" \
	'1 in total, 1 alone'
matches "in tasks: of a recursion" "$(rule tasks main/tree/leaf)" '4 in total, 4 alone'
