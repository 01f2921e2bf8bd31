# SPDX-License-Identifier: BSD-3-Clause
# The description of the machine: every run records what the kernel says in a line; only longer
# runs record what hwloc has to gather.
. "$(dirname "$0")/../lib.sh"

source_file rest.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 0;
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};
	nanosleep(&t, NULL);
	puts("rested");
	return 0;
}
END
build rest rest.c -O1

run_alone 1 ./rest
matches "a run of a moment: the system" "$(analyze show "$EXP")" 'system +Linux'
equal "... and no more" "$(analyze show "$EXP" | grep -c 'hardware threads')" 0

run_alone 1 ./rest $((1300 + 100 * $(getconf _NPROCESSORS_ONLN)))
matches "a longer one: what hwloc knows, too" "$(analyze show "$EXP")" 'hardware threads +[1-9]'

# PAPI takes milliseconds to begin: not where it would have nothing to count.
SIS_PMETRIC=L2_TCM LD_DEBUG=files LD_DEBUG_OUTPUT=$T/opened run_alone 1 ./rest
counters=$(ls /sys/bus/event_source/devices | grep -Eq '^(cpu|armv)' && echo yes || echo no)
equal "PAPI is asked only where the kernel shows counters" \
	"$(cat opened.* | grep -q libpapi && echo yes || echo no)" \
	"$counters"

# -- the clock of the probes
clock_of() { query '.clock' report "$EXP"; }
SIS_CLOCK=monotonic run_alone 1 ./rest
matches "SIS_CLOCK chooses the clock" "$(clock_of)" \
	'^clock_gettime, [0-9.]+ ns a read; SIS_CLOCK chose it$'
matches "... report says so" "$(analyze report "$EXP")" 'Clock of the probes: clock_gettime'
matches "... show, too" "$(analyze show "$EXP")" 'clock of the probes +clock_gettime'
identity "the clock of the kernel"
matches "env says which one it would be here" "$(query '.[] | select(.name == "SIS_CLOCK") |
	.default' env)" "^auto: (the processor's counter|clock_gettime), [0-9.]+ ns a read"
SIS_CLOCK=sundial run_alone 1 ./rest
matches "another word" "$(cat run.err)" "bad SIS_CLOCK 'sundial'"

# Kernels of virtual machines may not list the processor's counter, although it is steady.
listed=/sys/devices/system/clocksource/clocksource0/available_clocksource
echo kvm-clock >unlisted
if grep -q constant_tsc.*nonstop_tsc /proc/cpuinfo &&
	unshare -m mount --bind unlisted $listed 2>/dev/null; then
	SIS_CLOCK=auto SIS_OUTPUT=$T/unlisted.exp unshare -m sh -c \
		"mount --bind unlisted $listed && exec ./rest" >run.out 2>run.err
	EXP=$T/unlisted.exp
	equal "the kernel does not list the counter: the program" "$(cat run.err run.out)" "rested"
	steady='a test on [1-9][0-9]* processors? found it steady'
	matches "... and the processors were visited" "$(clock_of)" \
		"$steady|counters of the processors differ"
	identity "a counter that was tested"
else
	skip "the kernel does not list the counter" "no such counter, or no rights to hide it"
fi
