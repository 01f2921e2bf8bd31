# SPDX-License-Identifier: BSD-3-Clause
# Leaves that are counted: page faults, whose number and time are known here, and misses, with a
# PAPI whose counts the program determines.
# alone: what faults and reading counters take is measured here
. "$(dirname "$0")/../lib.sh"

# Two threads touch pages, one many, one few; what they do besides is sleep, so the faults are the
# work.
cp "$HERE/costs_faults.c" faults.c
build faults -O1 faults.c -lpthread
run_alone 1 ./faults
faults=$(query '[.[] | select(.region == "touches") | .metrics.MINFLT] | add' regions "$EXP")
check "every page is a fault ($faults)" test "$faults" -ge 45000 -a "$faults" -le 45200
# At most little more than the processor time that the program itself measured. It may be much
# less, where the host of a virtual machine has to find the page first.
within() {
	if awk -v v="$2" -v t="$3" 'BEGIN { exit !(v >= 0.02 * t && v <= 1.5 * t) }'; then
		ok "$1"
	else
		not_ok "$1: $2 of $3 s"
	fi
}
for unit in "0.0 40000" "0.1 5000"; do
	pu=${unit% *} spent=$(awk -v n="${unit#* }" '$1 == n { print $2 }' run.out)
	within "page faults of $pu" \
		"$(query ".[] | select(.overhead == \"ODATA_PGFLT\" and
			\"\(.process).\(.thread)\" == \"$pu\") | .seconds" \
		overhead "$EXP" --by-pu)" "$spent"
done
identity "with page faults"
cost=$(strings -a "$EXP"/*.sis | awk '$1 == "cost" { print $3 }')
equal "it is their number times what one costs" \
	"$(query '[.[] | select(.region == "touches" and .overhead == "ODATA_PGFLT") | .seconds] |
		add' \
	overhead "$EXP" --explain ODATA_PGFLT |
	awk -v n="$faults" -v c="$cost" \
		'{ d = $1 / (n * c / 1e9); print (d <= 1.001 && d >= 0.6) }')" 1
matches "and says so" \
	"$(analyze overhead "$EXP" --explain ODATA_PGFLT)" \
	"touches .*MINFLT times ${cost%.0} ns \(measured"
lacks "sleeping costs none" "$(analyze overhead "$EXP" --explain ODATA_PGFLT)" '^ODATA_PGFLT +idle '
equal "it is no reason for the other leaves" \
	"$(query '.not_computed | has("ODATA_PGFLT"), has("ODATA_L1")' overhead "$EXP" | xargs)" \
	"false true"
SIS_LATENCY=MINFLT=100 run_alone 1 ./faults
equal "as the user says" \
	"$(query '.overheads.ODATA_PGFLT' overhead "$EXP" |
		awk -v n="$faults" \
			'{ d = $1 * 2 / (n * 100 / 1e9); print (d > 0.98 && d < 1.02) }')" \
	1
SIS_LATENCY=L9=3 run_alone 1 ./faults
matches "a bad setting gives a warning" "$(cat run.err)" "^sis: warning: bad SIS_LATENCY 'L9=3'"

# -- what counting itself costs: nothing is done between the probes
source_file empty.c <<'END'
#include <stdio.h>
#include <time.h>
int main(void)
{
	for (int i = 0; i < 300000; i++) {
#pragma sis cr empty pmetric MINFLT, VCSW begin
		__asm__ volatile("");
#pragma sis end cr
	}
	printf("%.6f\n", (double)clock() / CLOCKS_PER_SEC);
	return 0;
}
END
build empty -O1 empty.c
run_alone 1 ./empty
# of its processor time, because other programs may run, too
share=$(query ".overheads.OPROBE / $(cat run.out)" overhead "$EXP")
check "reading counters is the probes' cost, not work ($share)" awk -v s="$share" \
	'BEGIN { exit !(s > 0.35 && s <= 1.1) }'
identity "with much reading"

# -- misses
[ -e "$build_dir/lib/sis/libsis-papi.so" ] || { skip "misses" "no papi.h here"; exit 0; }
fake=$(ldd "$build_dir/lib/sis/libsis-papi.so" | awk '/libpapi/ { print $1 }')
gcc -shared -fPIC -O1 "$HERE/fake_papi.c" -Wl,-soname,"$fake" -o "$fake" 2>build.err ||
	give_up "builds a fake PAPI" build.err
source_file misses.c <<'END'
#include <time.h>
void fake_work(long) __attribute__((weak));
static void busy(double seconds)
{
	struct timespec from, t;
	clock_gettime(CLOCK_MONOTONIC, &from);
	do
		clock_gettime(CLOCK_MONOTONIC, &t);
	while ((double)(t.tv_sec - from.tv_sec) +
	       (double)(t.tv_nsec - from.tv_nsec) / 1e9 < seconds);
	if (fake_work)
		fake_work((long)(seconds * 1e6));
}
static void inner(void) { busy(0.05); }
int main(void)
{
#pragma sis cr misses pmetric ODATA_LOC begin
	busy(0.05);
	inner();
#pragma sis end cr
	return 0;
}
END
build misses -O1 misses.c
LD_PRELOAD=$T/$fake run_alone 1 ./misses
# 100000 units of work: 4 L1, 3 L2, 2 L3, 1 TLB each
for leaf in "ODATA_L1 0.0012" "ODATA_L2 0.0036" "ODATA_L3 0.014" "ODATA_TLB 0.0008"; do
	equal "${leaf% *}" \
		"$(query ".overheads.${leaf% *}" overhead "$EXP" |
			awk -v t="${leaf#* }" \
				'{ d = $1 / t; print (d > 0.999 && d < 1.001 ? "exact" : $1) }')" \
		exact
done
identity "with misses"
equal "none is left uncomputed" \
	"$(query '.not_computed | keys | map(select(startswith("ODATA"))) | length' overhead \
		"$EXP")" \
	0
LD_PRELOAD=$T/$fake SIS_LATENCY=L1_DCM=50,L2_TCM=1000 run_alone 1 ./misses
equal "no more than the work" \
	"$(query '.useful < 0.05 and .overheads.ODATA_L1 < .overheads.ODATA_L2' overhead "$EXP")" \
	true
identity "with more misses than work"
run_alone 1 ./misses
matches "without counters: a warning" "$(cat run.err)" '^sis: warning: L1_DCM is not measured'
equal "and has no value" \
	"$(query '[.[] | select(.region == "misses") | .metrics | has("L1_DCM"), .L1_DCM] |
		tostring' regions "$EXP")" \
	"[true,null]"
equal "and listed" \
	"$(query '.not_computed | keys | map(select(startswith("ODATA"))) | length' overhead \
		"$EXP")" \
	4
