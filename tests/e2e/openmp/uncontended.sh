# SPDX-License-Identifier: BSD-3-Clause
# Synchronization without contention is no wait: `waits` lists none of it, and no part of the load
# balance is lost. What other threads hold is listed.
. "$(dirname "$0")/../lib.sh"

# waits: the leaves of atomics, flushes, critical constructs and locks that `waits` lists with more
# than SECONDS
waits() {
	query "map(select(.wait | test(\"ATOMIC|FLUSH|CRIT|LOCK|UNCONT\")) |
		select(.seconds > $1) | .wait) | join(\" \")" waits "$EXP"
}
cp "$E2E/known/uncontended.c" "$E2E/known/critical.c" "$E2E/known/lock.c" "$E2E/known/known.h" .
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	build free --sis-cc=$compiler -O1 -fopenmp uncontended.c
	run_alone 2 ./free
	equal "$compiler, free: runs" "$run_status" 0
	equal "$compiler, free: no waits" "$(waits 0.01)" ""
	matches "$compiler, free: the cost of the operations" \
		"$(query .overheads.OSYNC_UNCONT overhead "$EXP")" \
		'[1-9]'
	identity "$compiler, free"
	matches "$compiler, free: says what the times are" "$(analyze regions "$EXP")" \
		"^times of locks, critical constructs and atomics .* one in 64 was timed"
	build critical --sis-cc=$compiler -O1 -fopenmp critical.c
	run_alone 2 ./critical
	equal "$compiler: waits for a critical construct" "$(waits 0.01)" OSYNC_CRIT
	build lock --sis-cc=$compiler -O1 -fopenmp lock.c
	run_alone 2 ./lock
	equal "$compiler: waits for a lock" "$(waits 0.01)" OSYNC_LOCK
done

# Short constructs are timed one in 16 (SIS_OVERHEAD), and a wait in one of them is timed all the
# same: the program logs how long it waited.
source_file busy.c <<'END'
#include <omp.h>
#include <stdio.h>
static omp_lock_t lock;
static volatile long counter;
static int ready;
static void busy(double seconds)
{
	double start = omp_get_wtime();
	while (omp_get_wtime() - start < seconds)
		;
}
/* In the construct: the time if how < 0; if how > 0, lets the other thread wait. */
static double inside(int how)
{
	double got = how < 0 ? omp_get_wtime() : 0;
	counter++;
	if (how > 0) {
#pragma omp atomic write
		ready = 1;
		busy(0.3);
	}
	return got;
}
static double critical(int how)
{
	double got;
#pragma omp critical
	got = inside(how);
	return got;
}
static double locked(int how)
{
	omp_set_lock(&lock);
	double got = inside(how);
	omp_unset_lock(&lock);
	return got;
}
static void wait_for(const char *name, double (*enter)(int))
{
	ready = 0;
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			for (int i = 0; i < 10000000; i++)
				enter(0);
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			enter(1);
		} else {
			int is;
			do {
#pragma omp atomic read
				is = ready;
			} while (!is);
			double start = omp_get_wtime(), got = enter(-1);
			printf("%s %.6f\n", name, got - start);
		}
	}
}
int main(void)
{
	omp_init_lock(&lock);
	wait_for("OSYNC_CRIT", critical);
	wait_for("OSYNC_LOCK", locked);
	return 0;
}
END
build busy -O1 -fopenmp --sis-cr=CR_P,CR_OMP busy.c
SIS_OVERHEAD=5% run_alone 2 ./busy
for leaf in OSYNC_CRIT OSYNC_LOCK; do
	near "turned down: the wait $leaf is as the program logged it" \
		"$(query "[.[] | select(.wait == \"$leaf\") | .seconds] | add * 2" waits "$EXP")" \
		"$(awk -v leaf=$leaf '$1 == leaf { print $2 }' run.out)"
	equal "turned down: $leaf has its culprit" \
		"$(query "[.[] | select(.wait == \"$leaf\")] | max_by(.seconds) |
			\"\(.victim) \(.culprit)\"" waits --pairs "$EXP")" "0.1 0.0"
done
turned=$(query '[.[0].turned_down[] | select(.rung != "full") | .region] | unique | .[]' \
	show "$EXP")
matches "turned down: the critical construct" "$turned" '^omp critical@'
matches "turned down: the lock" "$turned" '^omp_set_lock$'
identity "turned down"

# Two threads that fight for a line: what they take beyond the same atomics on lines of their own is
# contention. The program logs it; if the threads seldom ran at once, there was none.
source_file fight.c <<'END'
#include <omp.h>
#include <stdio.h>
#include <time.h>
static volatile long own[2][64], both;
static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
int main(void)
{
	enum { TIMES = 10000000 };
	double beyond = 0, alone = 0;
#pragma omp parallel num_threads(2) reduction(+ : beyond, alone)
	{
		int thread = omp_get_thread_num();
		double start = cpu();
		for (int i = 0; i < TIMES; i++)
#pragma omp atomic
			own[thread][0]++;
		alone = cpu() - start;
#pragma omp barrier
		start = cpu();
		for (int i = 0; i < TIMES; i++)
#pragma omp atomic
			both++;
		beyond = cpu() - start - alone;
	}
	printf("%.6f %d\n", beyond, beyond > 2.5 * alone);
	return 0;
}
END
build fight -O1 -fopenmp fight.c
SIS_OVERHEAD=5% run_alone 2 ./fight
identity "a contended atomic"
if [ "$(cut -d ' ' -f 2 run.out)" = 1 ]; then
	awk -v measured="$(query '.overheads.OSYNC_ATOMIC * 2' overhead "$EXP")" \
		-v logged="$(cut -d ' ' -f 1 run.out)" \
		'BEGIN { exit !(measured > 0.8 * logged && measured < 1.2 * logged) }'
	equal "a contended atomic: what is beyond one thread's own" $? 0
else
	ok "a contended atomic: the threads seldom ran at once"
fi
