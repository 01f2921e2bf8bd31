# SPDX-License-Identifier: BSD-3-Clause
# How long threads had no processor, and where, by the kernel's records of switches: as long as the
# kernel's own count says, in each region and thread. The program sees nothing of the records.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
unset SIS_ASLEEP

$CC -O2 -pthread "$HERE/switches.c" -o plain >build.err 2>&1 || give_up "it compiles" build.err
$CC -O1 -o deny "$HERE/deny.c" || give_up "the filter is built"
build switches "$HERE/switches.c" -O2 -pthread
(sleep 4; echo 5) | ./plain >plain.out
measured() { # measured COMMAND...: with an answer that comes late
	runs=$((runs + 1)) EXP=$T/exp$runs
	(sleep 6; echo 5) | SIS_OUTPUT=$EXP timeout 120 "$@" >run.out 2>run.err
}
descriptors() { grep -v '^all\|^region\|^raw\|^ask' "$1"; }
of() { query "[.[] | select(.region == \"$1\" and .type == \"${3:-CR_F}\") | .metrics.$2] | add" \
	regions "$EXP" --metric "$2"; }
agrees() { # agrees WHAT SECONDS TRUTH PART: within this part and 5 ms
	if awk -v v="$2" -v t="$3" -v part="$4" 'BEGIN { d = v - t; if (d < 0) d = -d;
		exit !(t > 0 && d <= part * t + 0.005) }'; then
		ok "$1"
	else
		not_ok "$1: $2 s, not $3"
	fi
}

measured ./switches
equal "descriptors of the program, of its child and of what that executes are as without SIS" \
	"$(descriptors run.out)" "$(descriptors plain.out)"
if ! query '.[0].lack[]' show "$EXP" | grep -q '^known by'; then
	skip "lack of processors by region" "the kernel refuses records of switches"
	exit
fi
for region in long_one short_one with_calls; do
	agrees "lack of processors in $region" "$(of $region OLOSS_NOCPU)" \
		"$(awk -v r=$region '$1 == "region" && $2 == r { s += $3 } END { print s }' \
			run.out)" 0.1
done
by_pu | awk '($1 == 0) && $2 > 0 && $3 == "OLOSS_NOCPU" { print $4 }' | sort -n >found
awk '$1 == "all" { print $2 }' run.out | sort -n >truth
paste found truth >threads
while read -r found truth; do
	agrees "lack of processors of a thread" "$found" "$truth" 0.03
done <threads
for region in raw ask; do
	agrees "sleep that is no call of libc's: $region" "$(of $region OLOSS_ASLEEP)" \
		"$(awk -v r=$region '$1 == r { print $2 }' run.out)" 0.02
done
identity "with records"
matches "the report says how it is known" "$(analyze report "$EXP")" \
	"How long, and where, is known by the kernel's records of switches"
SIS_ASLEEP=0 measured ./switches
equal "SIS_ASLEEP=0: sleep is work" "$(of raw OLOSS_ASLEEP)" 0

measured ./deny perf_event_open ./switches
matches "refused: it is estimated" "$(analyze report "$EXP")" \
	"How long, and where, is estimated from the kernel's counts"
agrees "refused: the sum is the same" "$(of work OLOSS_NOCPU)" \
	"$(awk '$1 == "all" { s += $2 } END { print s }' run.out)" 0.1
identity "refused"

# -- threads of OpenMP between two teams -----------------------------------------------------------

# They sleep there, in no region, after work that takes as long at one time and not at another.
source_file teams.c <<'EOF'
#include <time.h>
static volatile double sink;
static void spin(double seconds)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	double end = (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + seconds, now;
	do {
		for (int i = 0; i < 1000; i++)
			sink += i;
		clock_gettime(CLOCK_MONOTONIC, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	} while (now < end);
}
static void work(int i) { spin(i % 4 ? 0.0001 : 0.006); }
static void serial(void) { spin(0.012); }
int main(void)
{
	for (int i = 0; i < 40; i++) {
#pragma omp parallel
		work(i);
		serial();
	}
	return 0;
}
EOF
build teams teams.c -O2 -fopenmp
run 1 4 env OMP_WAIT_POLICY=passive ./teams
equal "threads of a team do not sleep in their work" \
	"$(query '[.[] | select(.type == "CR_F") | .metrics.OLOSS_ASLEEP] | add < 0.005' regions \
		"$EXP" --metric OLOSS_ASLEEP)" true

# -- killed, and too many switches -----------------------------------------------------------------

source_file forever.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static void spin(double seconds)
{
	for (double end = now() + seconds; now() < end;)
		continue;
}
static void *other(void *unused)
{
	spin(1.0);
	kill(getpid(), SIGKILL);
	return unused;
}
int main(void)
{
	cpu_set_t one;
	pthread_t thread;
	spin(0.02);
	sched_getaffinity(0, sizeof one, &one);
	for (int i = 0, n = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &one) && n++)
			CPU_CLR(i, &one);
	sched_setaffinity(0, sizeof one, &one);
	pthread_create(&thread, NULL, other, NULL);
	spin(100.0);
	return 0;
}
EOF
build forever forever.c -O2 -pthread
run_alone 1 ./forever
by_pu >pu
check "killed: what had been recorded is known" \
	awk '$3 == "OLOSS_NOCPU" && $4 > 0.2 { n++ } END { exit n != 2 }' pu
identity "killed"

source_file talk.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static int to[2], back[2];
static void *answer(void *unused)
{
	char c;
	while (read(to[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
		continue;
	return unused;
}
int main(void)
{
	char c = 0;
	cpu_set_t one;
	pthread_t thread;
	sched_getaffinity(0, sizeof one, &one);
	for (int i = 0, n = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &one) && n++)
			CPU_CLR(i, &one);
	if (pipe(to) || pipe(back))
		return 1;
	pthread_create(&thread, NULL, answer, NULL);
	sched_setaffinity(0, sizeof one, &one);
	pthread_setaffinity_np(thread, sizeof one, &one);
	for (int i = 0; i < 100000; i++)
		if (write(to[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	close(to[1]);
	pthread_join(thread, NULL);
	return 0;
}
EOF
build talk talk.c -O2 -pthread
SIS_OVERHEAD=1% run_alone 1 ./talk
matches "records that cost more than SIS_OVERHEAD allows stop" \
	"$(query '.[0].lack[]' show "$EXP")" 'because they cost more than SIS_OVERHEAD allows'
identity "with records that stopped"
SIS_OVERHEAD=off run_alone 1 ./talk
matches "otherwise they go on; those that are lost are counted" \
	"$(query '.[0].lack[]' show "$EXP")" "^known by the|records were lost, and for 0 they"

# -- one file of all ranks -------------------------------------------------------------------------

source_file ranks.c <<'EOF'
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void raw(void)
{
	struct timespec nap = { 0, 200000000 };
	syscall(SYS_nanosleep, &nap, NULL);
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	raw();
	MPI_Finalize();
	return 0;
}
EOF
build ranks ranks.c -O2
SIS_UNIFY=1 run 2 1 ./ranks
equal "there is one file" "$(basename "$EXP"/*.sis)" ranks.sis
agrees "one file of all ranks has the records" "$(of raw OLOSS_ASLEEP)" 0.4 0.1

# -- sleep that begins at once ---------------------------------------------------------------------

source_file early.c <<'EOF'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static const struct timespec nap = { 0, 300000000 };
static double slept;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static void *sleep_at_once(void *unused)
{
	double from = now();
	syscall(SYS_nanosleep, &nap, NULL);
	slept = now() - from;
	return unused;
}
int main(void)
{
	pthread_t thread;
	double from;
	pthread_create(&thread, NULL, sleep_at_once, NULL);
	pthread_join(thread, NULL); /* is no sleep */
	pid_t child = fork();
	if (child == 0) {
		from = now();
		nanosleep(&nap, NULL);
		printf("%.6f\n", now() - from);
		fflush(stdout);
		_exit(0);
	}
	from = now();
	waitpid(child, NULL, 0);
	printf("%.6f\n", slept + now() - from);
	return 0;
}
EOF
build early early.c -O1 -pthread
run_alone 1 ./early
agrees "sleep of a thread and of a child, from their begin on" \
	"$(query '.overheads.OLOSS_ASLEEP * .p' overhead "$EXP")" \
	"$(awk '{ s += $1 } END { print s }' run.out)" 0.1

# -- threads that leave their slot and fill it again -----------------------------------------------

source_file teams.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static double lack(void)
{
	char text[128] = "";
	int counts = open("/proc/thread-self/schedstat", O_RDONLY);
	if (read(counts, text, sizeof text - 1) <= 0)
		abort();
	close(counts);
	return strtod(strchr(text, ' '), NULL) * 1e-9;
}
static double work(void)
{
	struct timespec t;
	double before = lack();
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_nsec % 100000000 < 60000000);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_nsec % 100000000 >= 60000000);
	return lack() - before;
}
int main(void)
{
	cpu_set_t one;
	double lacked = 0;
	sched_getaffinity(0, sizeof one, &one);
	for (int i = 0, n = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &one) && n++)
			CPU_CLR(i, &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(2) reduction(+ : lacked)
		lacked += work();
		usleep(40000);
	}
	printf("%.6f\n", lacked);
	return 0;
}
EOF
build teams teams.c -O1 -fopenmp
run_alone 2 ./teams
agrees "lack of processors in each of several teams" "$(of work OLOSS_NOCPU)" "$(cat run.out)" 0.2
