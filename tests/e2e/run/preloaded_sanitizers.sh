# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: programs with sanitizers find the same faults, and no fault of ours. Those with
# the thread sanitizer are not measured, and the report says so.
# ci: runs 30 programs with sanitizers
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_as_plain.sh"
unset SIS_ASLEEP SIS_OVERHEAD

source_file prog.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double work(int ms)
{
	double sum = 0;
	for (clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000); clock() < end;)
		for (int i = 0; i < 1000; i++)
			sum += i;
	return sum;
}
static void *thread(void *unused)
{
	char *block = calloc(100, 1);
	if (work(10) > 0)
		free(block);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t other;
	int status = 0;
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	fflush(stdout);
	if (fork() == 0)
		exit(work(10) > 0 ? 3 : 4);
	wait(&status);
	char *volatile block = malloc(10); /* a copy of one pointer may be left anywhere */
	volatile int most = 0x7fffffff;
	if (argc > 1) {
		if (strcmp(argv[1], "undefined") == 0)
			most++;
		else if (strcmp(argv[1], "memory") == 0 && block[3] == 5)
			puts("five");
		else if (strcmp(argv[1], "leak") == 0)
			for (int i = 0; i < 100; i++)
				block = malloc(10);
		else if (strcmp(argv[1], "address") == 0)
			((volatile char *)block)[10] = 1;
	}
	free(block);
	printf("%d\n", status);
	return 0;
}
END
# found: the kinds of faults on the standard error of the plain program, and of the measured one
found() {
	grep -hoE 'heap-buffer-overflow|signed integer overflow|uninitialized-value|leaked in' "$1" |
		sort -u
}
for compiler in "$CC" clang-19; do
	for sanitizer in address undefined leak thread memory; do
		[ "$compiler $sanitizer" != "$CC memory" ] || continue # gcc has none
		name=$compiler-$sanitizer
		if ! $compiler -w -g -O1 -pthread "-fsanitize=$sanitizer" -o "$name" prog.c \
			2>build.err; then
			left_out "$name"
			continue
		fi
		as_plain "./$name"
		if [ $sanitizer = thread ]; then
			matches "$name: not measured, and the report says so" "$(cat report)" \
				"^sis-analyze: not measured: $name, with the thread sanitizer"
			continue
		fi
		equal "$name: processes" "$(seen)" 2
		timeout -s KILL 60 "./$name" "$sanitizer" >plain.out 2>plain.err
		plain=$?
		timeout -s KILL 60 "$ANALYZE" run --db run.db --report report "./$name" \
			"$sanitizer" >run.out 2>run.err
		equal "$name, with a fault: status and fault" "$? $(found run.err)" \
			"$plain $(found plain.err)"
		check "$name, with a fault: it is found" [ -n "$(found plain.err)" ]
		equal "$name, with a fault: output" "$(cat run.out)" "$(cat plain.out)"
	done
done
equal "all time is accounted for" "$(unaccounted)" ""
echo "1..$number"
