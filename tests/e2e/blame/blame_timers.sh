#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Blame where the kernel refuses perf_event, as in most containers: timers of the threads sample,
# and variables have the shares of the work that is done for them.
# processor: every run needs one of its own to get enough samples
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"
kernels=$TOP/tests/blame/kernels
unit=50000000
$CC -O1 -o deny "$E2E/run/deny.c" || give_up "the filter is built"

# timed PROGRAM UNIT: without perf_event
timed() {
	SIS_BLAME=1 run_alone 2 ./deny "$denied" "$@"
	equal "$1: status" "$run_status" 0
}
# on_processor POINT FILTER: samples of its variables that are no waits
on_processor() {
	query "[.[] | select(.blame_point == \"$1\" and .field_of == null and $2) |
		.partitioned - .blocked] | add // 0" blame "$EXP"
}
# shares_are WHAT VARIABLE SHARE ...: each within five points, or four standard deviations
shares_are() {
	what=$1
	shift
	samples=$(on_processor main '.kind == "all"')
	while [ $# -gt 1 ]; do
		found=$(on_processor main ".kind != \"all\" and .variable == \"$1\"")
		if awk -v k="$found" -v w="$2" -v n="$samples" 'BEGIN {
			d = n ? k / n - w : 1
			exit !(n >= 100 && (d * d <= 0.0025 || d * d <= 16 * w * (1 - w) / n)) }'
		then ok "$what: $1 has $found of $samples samples"
		else not_ok "$what: $1 has $found of $samples samples, not $2"; fi
		shift 2
	done
}

# -- a program with one thread ---------------------------------------------------------------------
cat >split.c <<'END_OF_SOURCE'
#include "kernel.h"

static ALONE double fill(double x, long n) { return mix(x, n); }

int main(int argc, char **argv)
{
	double six[1], three[1], one[1];
	kernel_begin(argc, argv);
	six[0] = fill(1, 6 * unit);
	three[0] = mix(2, 3 * unit);
	one[0] = fill(3, unit);
	printf("%g %g %g\n", six[0], three[0], one[0]);
	return 0;
}
END_OF_SOURCE
denied=perf_event_open
for level in -O0 -O2; do
	built split "$CC" "$level" split.c
	timed ./split $unit
	shares_are "$level" six 0.6 three 0.3 one 0.1
	matches "$level: the method is said" "$(analyze blame "$EXP")" \
		"timers of the threads' CPU time, [0-9]+ per second"
done

# What decides about a variable is known by the stack alone.
cat >decides.c <<'END_OF_SOURCE'
#include "kernel.h"

int main(int argc, char **argv)
{
	double a[1] = { 0 }, b[1] = { 0 };
	kernel_begin(argc, argv);
	if (mix(argc, 6 * unit) > 0.5)
		a[0] = mix(1, unit);
	b[0] = mix(2, 3 * unit);
	printf("%g %g\n", a[0], b[0]);
	return 0;
}
END_OF_SOURCE
built decides "$CC" -O2 decides.c
timed ./decides $unit
shares_are "explicit and implicit" a 0.7 b 0.3

# -- threads, memory -------------------------------------------------------------------------------
for kernel in omp_shared heap; do
	flags=$(sed -n 's/.*flags: \([^.]*\)\..*/\1/p' "$kernels/$kernel.c")
	# shellcheck disable=SC2086 # a list
	built "$kernel" "$CC" -O2 "$kernels/$kernel.c" $flags
	timed "./$kernel" $((8 * unit))
	# shellcheck disable=SC2046 # a list
	shares_are "$kernel" $(awk -F '[ /]' '/^ \* expect: .* at main/ { print $4, $5 / $6 }' \
		"$kernels/$kernel.c")
done

cat >threads.c <<'END_OF_SOURCE'
#include <pthread.h>
#include "kernel.h"

struct job { double out[1]; long n; };

static void *run(void *job)
{
	struct job *my = job;
	my->out[0] = mix(1, my->n);
	return NULL;
}

int main(int argc, char **argv)
{
	struct job small, large;
	pthread_t first, second;
	kernel_begin(argc, argv);
	small.n = 2 * unit;
	large.n = 8 * unit;
	pthread_create(&first, NULL, run, &small);
	pthread_create(&second, NULL, run, &large);
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	printf("%g %g\n", small.out[0], large.out[0]);
	return 0;
}
END_OF_SOURCE
built threads "$CC" -O2 -pthread threads.c
timed ./threads $unit
shares_are threads small 0.2 large 0.8

# -- both are refused ------------------------------------------------------------------------------
denied=perf_event_open,timer_create
timed ./split $unit
matches "without timers: the method is said" "$(analyze blame "$EXP")" \
	'looks of a thread of the runtime, 250 per second'
