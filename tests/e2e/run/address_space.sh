# SPDX-License-Identifier: BSD-3-Clause
# The addresses that the runtime reserves: few, and more only when a file grows.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }

# threads N: prints "0", and on stderr the most addresses that the process had, in KiB
source_file threads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_barrier_t all;
static int once(int n) { return n % 7 ? once(n - 1) + 1 : 0; }
static void *run(void *unused)
{
	pthread_barrier_wait(&all);
	int left = once(7);
	pthread_barrier_wait(&all);
	return left ? &all : unused;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, failed = 0;
	pthread_t thread[500];
	char line[256];
	pthread_barrier_init(&all, NULL, (unsigned)n + 1);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, run, NULL) != 0)
			return 3;
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	for (int i = 0; i < n; i++)
		failed |= pthread_join(thread[i], NULL);
	char *most = malloc(8 << 20);
	if (!most)
		return 4;
	memset(most, 1, 8 << 20);
	FILE *file = fopen("/proc/self/status", "r");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "VmPeak: %d", &n) == 1)
			fprintf(stderr, "%d\n", n);
	printf("%d\n", failed);
	return 0;
}
END
gcc -O1 -pthread threads.c -o threads_plain || give_up "threads.c is compiled"
build threads threads.c -O1 -pthread --sis-blame --sis-cr=CR_F

# bounded THREADS SETTING...: at most 1 GB more than plain has, and a limit of so much is enough
bounded() {
	count=$1
	shift
	plain=$(./threads_plain "$count" 2>&1 >/dev/null)
	runs=$((runs + 1)) EXP=$T/exp$runs
	env "$@" SIS_OUTPUT="$EXP" ./threads "$count" >run.out 2>run.err
	equal "$count threads, $*: runs the same" "$? $(cat run.out)" "0 0"
	check "$count threads, $*: at most 1 GB more addresses ($plain, $(cat run.err) KiB)" \
		test "$(cat run.err)" -le $((plain + 1048576))
	runs=$((runs + 1)) EXP=$T/exp$runs
	(
		ulimit -v $((plain + 1048576))
		env "$@" SIS_OUTPUT="$EXP" ./threads "$count" >run.out 2>run.err
		echo "$? $(cat run.out) $(wc -l <run.err)" >status
	)
	equal "$count threads, $*: runs with so many" "$(cat status)" "0 0 1"
	equal "$count threads, $*: and all is measured" "$(calls once)" "$count"
}
runs=0
for count in 1 200; do
	bounded $count SIS_UNIFY=1
	bounded $count SIS_TRACE=1
	bounded $count SIS_BLAME=1
done
bounded 200 SIS_TRACE=1 SIS_BLAME=1 SIS_SENSORS=1s

# -- a file longer than the range was at the start
# The program first maps a page where TAKEN says: at the place of the profile, or 64 MB behind it,
# where the range cannot become longer then.
cat >taken.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static void take(int argc, char **argv, char **environment)
{
	(void)argc, (void)argv;
	while (strncmp(*environment, "TAKEN=", 6) != 0)
		environment++;
	void *at = (void *)strtoul(*environment + 6, NULL, 0);
	if (mmap(at, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != at)
		abort();
}
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **, char **) = take;
END
gcc -O1 -c taken.c || give_up "taken.c is compiled"
build memory -O1 -fno-optimize-sibling-calls -pthread taken.o "$TOP/tests/bench/memory.c"
grown() { # grown NAME TAKEN
	runs=$((runs + 1)) EXP=$T/exp$runs
	SIS_RECURSION=0 TAKEN=$2 SIS_OUTPUT=$EXP ./memory wide 19 >run.out 2>run.err
	equal "$1: runs the same" "$? $(cat run.out)" "0 524287"
	size=$(cat "$EXP"/*.sis | wc -c)
}
grown "a million nodes, the place is taken" 0x3a5000000000
equal "a million nodes, the place is taken: nothing is missing" "$(cat run.err)" ""
check "a million nodes, the place is taken: the file is as long as elsewhere ($size)" \
	test "$size" -gt 70000000
grown "a million nodes, the range cannot grow" 0x3a5004000000
matches "a million nodes, the range cannot grow: that is said" "$(cat run.err)" \
	'^sis: warning: cannot extend the profile .*Cannot allocate memory'
equal "a million nodes, the range cannot grow: in one line" "$(wc -l <run.err)" 1
check "a million nodes, the range cannot grow: what fits is there ($size)" \
	test "$size" -gt 30000000
