# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: a program under valgrind is not measured, and the report says so. It behaves as
# without SIS: valgrind finds the same faults, and counts the same allocations. What the program
# executes is measured, because valgrind does not follow it.
# ci: valgrind is slow
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_as_plain.sh"
unset SIS_ASLEEP SIS_OVERHEAD
if ! command -v valgrind >/dev/null; then
	left_out valgrind
	[ "$number" -gt 0 ] || ok "valgrind is not installed: nothing to check"
	echo "1..$number"
	exit
fi

source_file prog.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile double sum;
static void *work(void *unused)
{
	for (int i = 0; i < 1000000; i++)
		sum += i;
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t other;
	int status = 0;
	if (argc > 1 && strcmp(argv[1], "execute") == 0) {
		for (int i = 0; i < 50; i++)
			work(NULL);
		return 4;
	}
	pthread_create(&other, NULL, work, NULL);
	pthread_join(other, NULL);
	if (fork() == 0) {
		execl(argv[0], argv[0], "execute", (char *)NULL);
		_exit(1);
	}
	wait(&status);
	if (fork() == 0)
		_exit(3);
	char *volatile block = malloc(10);
	if (argc > 1)
		block[10] = 1;
	if (argc < 2)
		free(block);
	wait(NULL);
	printf("%d\n", status);
	return 5;
}
END
"$CC" -w -g -O1 -pthread -o prog prog.c 2>build.err || give_up "the program is built" build.err

# valgrind writes the number of its process, and how many bytes are allocated. The dynamic linker
# allocates variables of threads: more with each library that has some.
cat >under <<'END'
#!/bin/sh
valgrind "$@" 2>err
status=$?
sed 's/==[0-9]*==/==N==/; s/, [0-9,]* bytes allocated//; s/0x[0-9A-Fa-f]*/ADDRESS/' err >&2
exit $status
END
chmod +x under
for tool in memcheck helgrind none; do
	for fault in "" fault; do
		# shellcheck disable=SC2086
		as_plain ./under --tool=$tool ./prog $fault
		check "$tool $fault: valgrind was there" grep -q "Command: ./prog" run.err
		matches "$tool $fault: not measured, and the report says so" "$(cat report)" \
			"not measured: prog, under valgrind"
		"$ANALYZE" regions --db run.db exp >regions 2>&1
		check "$tool $fault: the executed program is measured" grep -q "^work .*prog.c" \
			regions
	done
done
equal "all time is accounted for" "$(unaccounted)" ""
echo "1..$number"
