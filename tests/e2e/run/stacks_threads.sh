# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME: the stack of a thread goes on where it was created, and the program does not notice it.
. "$(dirname "$0")/../lib.sh"

$CC -O1 -I"$TOP/schema" -o dump "$HERE/stacks_dump.c" || give_up "the reader is built"
$CC -O1 -g -pthread -o plain "$HERE/stacks_threads.c" || give_up "the plain program is built"
build measured "$HERE/stacks_threads.c" -O1 -g -pthread
build unmeasured "$HERE/stacks_threads.c" -O1 -g -pthread --sis-cr=CR_P # but main

# running ORIGIN: milliseconds on the processor of threads that have an origin, or '-'
running() { awk -v o="$1" '$1 == "stack" && $2 == "running" && $3 != 0 && $7 == o { n += $5 / 1e6 }
	END { printf "%.0f\n", n }' dump.out; }
ran() { # ran PROGRAM WHAT
	SIS_BLAME=1000hz run_alone 2 "./$1" "$2"
	equal "$1 $2: output and status" \
		"$run_status $(cat run.out)$(grep -v 'SIS_BLAME: the kernel refuses' run.err)" \
		"0 $(./plain "$2")"
	for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out
	lacks "$1 $2: the file is sound" "$(cat dump.out)" "^bad"
}

for program in measured unmeasured; do
	for what in posix c11 nest; do
		ran $program $what
		if grep -q 'method look' dump.out; then
			skip "SIS_BLAME" "the kernel refuses perf_event and timers here"
			exit 0
		fi
		check "$program $what: the thread has the origin" \
			[ "$(running origin:)" -ge 100 ] && [ "$(running -:)" -le 3 ]
	done
	equal "$program: a thread in a thread has two" \
		"$(grep -c '^stack origin.* origin: ' dump.out)" 1
	for what in refused many forks; do
		ran $program $what
	done
done

source_file team.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	double x = 0;
#pragma omp parallel num_threads(2) reduction(+ : x)
	x += 1;
	usleep(300000);
	printf("%g\n", x);
	return 0;
}
END
build team team.c -O1 -fopenmp
OMP_WAIT_POLICY=active SIS_BLAME=1000hz run_alone 2 ./team
for file in "$EXP"/stacks-*.sis; do ./dump "$file"; done >dump.out
check "a thread of OpenMP's runtime without a team has no origin" [ "$(running origin:)" -le 5 ]
