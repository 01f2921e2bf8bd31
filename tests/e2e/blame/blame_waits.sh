#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Waits by variable, without samples: locks and reductions have variables, other constructs are
# Other with their name, and the rows are all of the overhead. Libraries are found without samples.
# shellcheck disable=SC2154
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"

# rows OVERHEAD [OPTION...]: "POINT VARIABLE ROUTINES", largest first
rows() {
	overhead=$1
	shift
	query 'map("\(.blame_point) \(.variable) \(.routines)") | join(", ")' blame "$EXP" \
		--overhead "$overhead" "$@"
}

# adds_up WHAT OVERHEAD...: the rows of outermost functions are all of each overhead
adds_up() {
	what=$1
	shift
	for overhead; do
		equal "$what: rows add up to $overhead" "$(query \
			'[.[] | select(.blame_point | contains("/") | not) | .share] | add * 1e5 |
				round' blame "$EXP" --overhead "$overhead")" 100000
	done
}

# -- threads: a late thread makes the other one wait
source_file waits.c <<'END_OF_C'
#include <omp.h>
#include <stdio.h>
#include <unistd.h>
static double total;
static omp_lock_t table_lock;
static void late(int thread, int ms)
{
	if (omp_get_thread_num() == thread)
		usleep(1000 * ms);
}
static void orphaned(double *part)
{
#pragma omp for reduction(+: part[0:2])
	for (int i = 0; i < 2; i++) {
		late(1, 40);
		part[i] += i;
	}
}
static double combined(void)
{
	double sum = 0;
#pragma omp parallel for reduction(+: sum)
	for (int i = 0; i < 2; i++) {
		late(1, 80);
		sum += i;
	}
	return sum;
}
int main(void)
{
	double result, parts[2] = { 0, 0 }, most = 0, critical = 0;
	omp_init_lock(&table_lock);
	result = combined();
#pragma omp parallel
	{
		orphaned(parts);
#pragma omp for reduction(max: most)
		for (int i = 0; i < 2; i++) {
			late(1, 30);
			most = i > most ? i : most;
		}
#pragma omp critical (account)
		{
			usleep(20000);
			critical++;
		}
#pragma omp barrier
		omp_set_lock(&table_lock);
		usleep(15000);
		total++;
		omp_unset_lock(&table_lock);
	}
	printf("%g %g %g %g %g\n", result, parts[1], most, critical, total);
	return 0;
}
END_OF_C

# wait_of VARIABLE ROUTINE: its milliseconds of OSYNC, in tens, at main
wait_of() {
	query "[.[] | select(.blame_point == \"main\" and .variable == \"$1\" and
		.routines == \"$2\") | .seconds] | add // 0 | . * 100 | round" blame "$EXP" \
		--overhead OSYNC
}

least() { # least WHAT VALUE LEAST
	if [ "$2" -ge "$3" ]; then ok "$1"; else not_ok "$1: $2, less than $3"; fi
}

for compiler in "$CC" "${CLANG:-clang-19}"; do
	command -v "$compiler" >/dev/null || { skip "$compiler" "it is not installed"; continue; }
	for level in -O0 -O2; do
		build waits --sis-cc="$compiler" --sis-blame $level -fopenmp waits.c
		run_alone 2 ./waits
		equal "$compiler $level: it runs" "$(cat run.out)" "1 1 1 2 2"
		what="$compiler $level"
		least "$what: a reduction's wait is for its variable, above for its result" \
			"$(wait_of result 'omp parallel for@22')" 7
		equal "$what: in the function it is the variable" "$(query \
			'[.[] | select(.variable == "sum") | .blame_point] | join(" ")' \
			blame "$EXP" --overhead OSYNC --at combined)" main/combined
		least "$what: a loop's in another function" "$(wait_of parts 'omp for@13')" 3
		least "$what: a loop's in the region" "$(wait_of most 'omp for@37')" 2
		least "$what: a critical construct has no variable" \
			"$(wait_of Other 'omp critical@42')" 1
		least "$what: a lock is one" "$(wait_of table_lock omp_set_lock)" 1
		adds_up "$what" OSYNC OSYNC_CRIT OLOSS OTOTAL
	done
done

# -- threads of the program: what they wait for belongs to their creator's variables
source_file threads.c <<'END_OF_C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct shared { pthread_mutex_t lock; double sum; };
static void add(struct shared *s, int ms)
{
	pthread_mutex_lock(&s->lock);
	usleep(1000 * ms);
	s->sum += ms;
	pthread_mutex_unlock(&s->lock);
}
static void *second(void *argument)
{
	add(argument, 40);
	return NULL;
}
static void *start(void *argument)
{
	pthread_t inner;
	pthread_create(&inner, NULL, second, argument);
	add(argument, 40);
	pthread_join(inner, NULL);
	return NULL;
}
int main(void)
{
	struct shared account = { PTHREAD_MUTEX_INITIALIZER, 0 };
	pthread_t outer;
	pthread_create(&outer, NULL, start, &account);
	add(&account, 40);
	pthread_join(outer, NULL);
	printf("%g\n", account.sum);
	return 0;
}
END_OF_C
for level in -O0 -O2; do
	built threads "$CC" $level -pthread threads.c \
		--sis-cr=CR_P,CR_F,CR_PTCREATE,CR_PTJOIN,CR_PTMUTEX
	run_alone 2 ./threads
	equal "$level threads: locks" "$(rows OSYNC_PTMUTEX --at main)" \
		"main account pthread_mutex_lock"
	matches "$level threads: joins" "$(rows OSYNC_PTJOIN --at main)" "main outer pthread_join"
	equal "$level threads: in a thread of a thread" \
		"$(rows OSYNC_PTMUTEX --at main/start/second/add)" \
		"main/start/second/add s pthread_mutex_lock"
	adds_up "$level threads" OSYNC OCTRL
done

# -- samples of idle threads: of the construct, wherever the compiler has them wait
source_file idle.c <<'END_OF_C'
#include "kernel.h"
static ALONE void fill(double *to, int k)
{
	to[k] = mix(k, unit / 8);
}
int main(int argc, char **argv)
{
	double single[8], again[8], master[8];
	kernel_begin(argc, argv);
#pragma omp parallel
#pragma omp single
	for (int k = 0; k < 8; k++)
		fill(single, k);
#pragma omp parallel
#pragma omp single
	for (int k = 0; k < 8; k++)
		fill(again, k);
#pragma omp parallel
#pragma omp master
	for (int k = 0; k < 8; k++)
		fill(master, k);
	printf("%g %g %g\n", single[1], again[2], master[3]);
	return 0;
}
END_OF_C
for compiler in "$CC" "${CLANG:-clang-19}"; do
	command -v "$compiler" >/dev/null || { skip "$compiler" "it is not installed"; continue; }
	for level in -O0 -O2; do
		built idle "$compiler" $level -fopenmp idle.c
		export OMP_WAIT_POLICY=passive SIS_BLAME=500hz
		run_alone 2 ./idle 40000000
		unset OMP_WAIT_POLICY SIS_BLAME
		equal "$compiler $level: idle threads wait for variables" \
			"$(ranks | tr ' ' '\n' | sort | tr '\n' ' ')" "again master single "
	done
done

# -- only a reduction; nothing; no variables
source_file only.c <<'END_OF_C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	double sum = 0;
#pragma omp parallel for reduction(+: sum)
	for (int i = 0; i < 2; i++) {
		usleep(50000 * i);
		sum += i;
	}
	printf("%g\n", sum);
	return 0;
}
END_OF_C
build only --sis-blame -O2 -fopenmp only.c
run_alone 2 ./only
equal "a program whose only waits are of a reduction" "$(rows OSYNC)" \
	"main sum omp parallel for@6"
equal "an overhead of 0" "$(analyze blame "$EXP" --overhead OSYNC_LOCK)" \
	"The overhead OSYNC_LOCK is 0 in this run."
equal "in a list" "$(rows OSYNC_LOCK)" ""
equal "no variable has starting threads" "$(rows OCTRL_FORK)" "main Other omp parallel for@6"
build only -O2 -fopenmp only.c
run_alone 2 ./only
one_error "a program that was built without" 1 \
	"no overheads by variable: its program was not built with sisc --sis-blame, or" \
	"$ANALYZE" blame --db "$T/sis.db" "$EXP" --overhead OSYNC
build only --sis-blame -O2 -fopenmp only.c
touch -d '+1 hour' only
run_alone 2 ./only
one_error "a program that is newer than the run" 1 "or a newer one was" \
	"$ANALYZE" blame --db "$T/sis.db" "$EXP" --overhead OSYNC
matches "show says so" "$(analyze show "$EXP")" "only is newer than the run, so waits"

# -- libraries: linked, and opened later by a relative name
source_file lib.c <<'END_OF_C'
#include <mpi.h>
void lib_fetch(double *to, int n) { MPI_Bcast(to, n, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
END_OF_C
source_file linked.c <<'END_OF_C'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
void lib_fetch(double *to, int n);
int main(int argc, char **argv)
{
	double input[10] = { 0 };
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		usleep(100000);
	lib_fetch(input, 10);
	return MPI_Finalize();
}
END_OF_C
sed 's/^void lib.*/#include <dlfcn.h>/
	s/\tlib_fetch(input, 10);/\t((void (*)(double *, int))dlsym(dlopen(".\/libfetch.so", \
		RTLD_NOW), "lib_fetch"))(input, 10);/' linked.c >opened.c

# first_row: the largest row of the waits for a late broadcast
first_row() {
	query '.[0] | "\(.variable) \(.routines)"' blame "$EXP" --overhead OSYNC_LATEBCAST
}
build libfetch.so --sis-blame -shared -fPIC lib.c
build linked --sis-blame linked.c ./libfetch.so
build opened --sis-blame opened.c -ldl
for program in linked opened; do
	run 2 1 ./$program
	equal "$program: the library's call moves the program's variable" "$(first_row)" \
		"input MPI_Bcast"
	equal "$program: inside, its parameter" "$(rows OSYNC_LATEBCAST --at lib_fetch)" \
		"main/lib_fetch to MPI_Bcast"
	adds_up "$program" OSYNC OTOTAL
done
build libfetch.so -shared -fPIC lib.c
run 2 1 ./linked
equal "a library without: the memory that its function gets" "$(first_row)" "input lib_fetch"
matches "and a sentence says so" "$(analyze blame "$EXP" --overhead OSYNC)" \
	"waits and transfers are in functions without analysis \(lib_fetch\)"
adds_up "a library without" OSYNC
build libfetch.so --sis-blame -shared -fPIC lib.c
run 2 1 ./linked
rm libfetch.so
matches "a library that is not there any more" "$(analyze blame "$EXP" --overhead OSYNC)" \
	"not there any more: .*/libfetch.so"
