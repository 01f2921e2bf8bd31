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
