# SPDX-License-Identifier: BSD-3-Clause
# Computation scaling and its factors, with a PAPI that counts what the program says: more
# instructions, fewer instructions per cycle, a slower clock, each alone. Without counters, the
# reason is shown.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

[ -e "$build_dir/lib/sis/libsis-papi.so" ] || { skip "scaling" "no papi.h here"; exit 0; }
fake=$(ldd "$build_dir/lib/sis/libsis-papi.so" | awk '/libpapi/ { print $1 }')
gcc -shared -fPIC -O1 "$HERE/fake_papi.c" -Wl,-soname,"$fake" -o "$fake" 2>build.err ||
	give_up "builds a fake PAPI" build.err

# each unit works 300 ms / p, and says that this was `work` units; then it waits for the slowest,
# computing all the time
source_file scales.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
void fake_work(long) __attribute__((weak));
static void compute(double seconds, long work)
{
	usleep((useconds_t)(seconds * 1e6));
	if (fake_work)
		fake_work(work);
}
int main(int argc, char **argv)
{
	int rank, size;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	compute(atof(argv[1]) / size, atol(argv[2]) / size);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build scales scales.c --sis-cr=CR_P,CR_F,CR_MPI
# take NAME RANKS SECONDS WORK [CYCLES]: of all ranks together; a unit of work is CYCLES (10) and 20
# instructions
take() {
	FAKE_PAPI=cycles=${5:-10} SIS_PMETRIC=TOT_INS,TOT_CYC LD_PRELOAD=$T/$fake run "$2" 1 \
		./scales "$3" "$4"
	analyze import "$EXP" --name "$1" >import.out 2>&1 || give_up "imports $1" import.out
}
factor() {
	query ".[] | select(.experiment == \"$2\" and .factor == \"$1\") | .value" speedup \
		--efficiencies base "$2"
}
# is WHAT VALUE TRUTH [PART]: within 1 %, or that; what holds times is less exact where others are
# at work, too
is() {
	if awk -v v="$2" -v t="$3" -v p="${4:-0.01}" \
		'BEGIN { d = v / t - 1; exit !(v != "" && d <= p && -d <= p) }'; then
		ok "$1"
	else
		not_ok "$1: $2, not $3"
	fi
}
take base 1 0.6 1000000
take same 2 0.6 1000000
is "the same work: instructions" "$(factor instruction_scaling same)" 1
is "the same work: instructions per cycle" "$(factor ipc_scaling same)" 1
take more 2 0.6 2000000
is "twice the instructions" "$(factor instruction_scaling more)" 0.5
is "twice the instructions in the same time: frequency" "$(factor frequency_scaling more)" 2 0.2
take slow 2 0.6 1000000 20
is "half as many a cycle" "$(factor ipc_scaling slow)" 0.5
is "no more of them" "$(factor instruction_scaling slow)" 1
is "instructions a cycle" "$(factor ipc slow)" 1
weak() {
	query ".[] | select(.experiment == \"more\" and .factor == \"$1\") | .value" speedup \
		--efficiencies --weak base more
}
is "twice the instructions on twice the units" "$(weak instruction_scaling)" 1
is "and so often the work in the time" "$(weak computation_scaling)" 2 0.2
one_error "weak without efficiencies" 2 'give both' \
	"$ANALYZE" speedup --db "$T/sis.db" --weak base more
for run in same more slow; do
	equal "$run: the factors multiply to computation scaling" \
		"$(query "[.[] | select(.experiment == \"$run\")] | map({(.factor): .value}) | add |
		(.instruction_scaling * .ipc_scaling * .frequency_scaling /
			.computation_scaling - 1) |
		. < 1e-6 and . > -1e-6" \
		speedup --efficiencies base "$run")" true
	equal "$run: and that with the parallel one to the global" \
		"$(query "[.[] | select(.experiment == \"$run\")] | map({(.factor): .value}) | add |
		(.computation_scaling * .parallel_efficiency / .global_efficiency - 1) |
		. < 1e-6 and . > -1e-6" \
		speedup --efficiencies base "$run")" \
		true
done
matches "for people" \
	"$(analyze speedup --efficiencies base same more)" \
	'^    instructions per cycle +100.0 % +100.0 % +100.0 %$'

# -- against the sequential run, in the report
analyze import "$T/exp1" --role seq >import.out 2>&1
is "in the report" "$(query .efficiencies.instruction_scaling report more)" 0.5
matches "for people" "$(analyze report more)" '^ +instructions +[45][0-9]\.[0-9] % +low'

# -- what counters cannot show
run 2 1 ./scales 0.2 100
analyze import "$EXP" --name without >import.out 2>&1
equal "without counters" \
	"$(query '.[] | select(.experiment == "without" and .factor == "ipc_scaling") | .value' \
		speedup --efficiencies base without)" \
	null
undivided='computation scaling is not divided into its factors: in this run:'
matches "there is a reason" \
	"$(analyze speedup --efficiencies base without)" \
	"^without: $undivided the instructions .* SIS_PMETRIC"
matches "in the report, too" \
	"$(analyze report without)" \
	"^$undivided "
matches "the scaling itself is known" \
	"$(query .efficiencies.computation_scaling report without)" \
	'^[0-9.]+$'
source_file part.c <<'END'
#include <unistd.h>
void fake_work(long) __attribute__((weak));
int main(void)
{
#pragma sis cr part pmetric TOT_INS, TOT_CYC begin
	usleep(50000);
	if (fake_work)
		fake_work(10);
#pragma sis end cr
	usleep(100000);
	return 0;
}
END
build part part.c
LD_PRELOAD=$T/$fake run_alone 1 ./part
analyze import "$EXP" --name part --set application=scales >import.out 2>&1
matches "a part of the work is not all" "$(analyze speedup --efficiencies base part)" \
	"^part: $undivided only [23][0-9] % of the useful work is in regions that counted"
lacks "what no run has is not shown" "$(analyze speedup --efficiencies base same)" "between threads"
one_error "of the program only" 2 'leave out --region' \
	"$ANALYZE" speedup --db "$T/sis.db" --efficiencies --regions base same
