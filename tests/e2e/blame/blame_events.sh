# SPDX-License-Identifier: BSD-3-Clause
# SIS_BLAME=EVENT:PERIOD: samples by an event that PAPI names. Page faults are events of the kernel,
# which are counted without counters of a processor, and their number is known.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"

cat >faults.c <<'END_OF_SOURCE'
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
enum { PAGE = 4096, PAGES = 4000 };

static __attribute__((noinline)) char *pages(size_t n)
{
	char *memory = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	madvise(memory, n * PAGE, MADV_NOHUGEPAGE);
	return memory;
}

static __attribute__((noinline)) void touch(char *memory, size_t n)
{
	for (size_t i = 0; i < n; i++)
		memory[i * PAGE] = 1;
}

int main(void)
{
	char *many = pages(3 * PAGES), *few = pages(PAGES);
	touch(many, 3 * PAGES);
	touch(few, PAGES);
	printf("%d\n", many[PAGE] + few[PAGE]);
	return 0;
}
END_OF_SOURCE
built faults "$CC" -O1 faults.c
for event in perf::PAGE-FAULTS perf_event:::perf::PAGE-FAULTS; do
	sampled "$event:20" ./faults 1
	if grep -q 'refuses perf_event' run.err; then
		skip "SIS_BLAME=$event" "the kernel refuses perf_event"
		exit 0
	fi
	equal "$event: no warning" "$(cat run.err)" ""
	equal "$event: the heading" "$(analyze blame "$EXP" | sed -n '1s/.*samples //p')" \
		"(events that PAPI names, every 20 $event)"
	share_is "$event" many 0.75
	share_is "$event" few 0.25
done

said() { # said EVENT:PERIOD PATTERN
	sampled "$1" ./faults 1
	equal "$1: the program runs" "$run_status $(cat run.out)" "0 2"
	matches "$1: why not" "$(cat run.err)" "SIS_BLAME: .*$2.*; samples are taken by CPU time"
}
said perf::CONTEXT-SWITCHES:10 'it happens in the kernel only, where no sample is taken'
said perf::NO_SUCH_EVENT:10 'libpfm says: '
said no_such_pmu::EVENT:10 'libpfm says: '
if ! grep -rq . /sys/bus/event_source/devices/cpu*/type 2>/dev/null; then
	said PAPI_TOT_CYC:1000000 'the kernel shows no counters of a processor'
	said PAPI_DP_OPS:1000000 'the kernel shows no counters of a processor'
fi
