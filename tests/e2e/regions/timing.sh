# SPDX-License-Identifier: BSD-3-Clause
# SIS_TIMING: calls are counted exactly, times of short regions are estimates and marked as such,
# everything else is exact.
# ci: its programs run until the sampler has seen enough
. "$(dirname "$0")/../lib.sh"

cp "$HERE/timing.c" small.c
SISC_CC=$MPICC build small small.c -O1 -fopenmp --sis-cr=CR_F,CR_OMP,CR_MPI,CR_P
calls() {
	query '[.[] | select(.region | test("^(small|middle|recurse|MPI_Allreduce|omp)")) |
		"\(.path) \(.process).\(.thread) \(.calls)"] | sort | .[]' regions "$EXP"
}
seconds() { query "[.[] | select(.region == \"$1\") | .wtime_incl] | add" regions "$EXP"; }

run 2 2 ./small
all=$(calls) printed=$(cat run.out) sends=$(query \
	'[.[] | select(.metric == "BYTES_S") | .value] | add' summary "$EXP")
lacks "all timed: no estimates" "$(analyze regions "$EXP")" "times of short regions"
for n in 2 16 1024; do
	SIS_TIMING=1/$n run 2 2 ./small
	equal "1/$n: the program is the same" "$(cat run.out)$(cat run.err)" "$printed"
	equal "1/$n: all calls of all paths are counted" "$(calls)" "$all"
	equal "1/$n: no time is negative" \
		"$(query '[.[] | select(.wtime_incl < 0 or .wtime_excl < 0)] | length' regions \
			"$EXP")" \
		0
	identity "1/$n"
	equal "1/$n: bytes are exact" \
		"$(query '[.[] | select(.metric == "BYTES_S") | .value] | add' summary "$EXP")" \
		"$sends"
	matches "1/$n: regions says what its times are" \
		"$(analyze regions "$EXP")" \
		"^times of short regions are estimates.*SIS_TIMING=1/$n\)"
	matches "1/$n: and so does show" \
		"$(query '.[0].warnings[]' show "$EXP")" \
		"^times of short regions are estimates"
done
check "some time of a region that is seldom timed" awk "BEGIN { exit !($(seconds small) > 0) }"

SIS_TIMING=1/1 run 1 1 ./small
lacks "1/1: all are timed" "$(query '.[0].warnings[]' show "$EXP")" "times of short regions"
for bad in 1/3 1/2048 sample/ sample/0 sample/20000 samples; do
	SIS_TIMING=$bad run 1 1 ./small
	matches "bad SIS_TIMING '$bad': one line" \
		"$(cat run.err)" \
		"^sis: warning: bad SIS_TIMING '$bad': neither 1/N with N a power of two up to 1024 nor sample/RATE with a RATE from 1 to 10000; taken as 1/1$"
	lacks "bad SIS_TIMING '$bad': all are timed" \
		"$(query '.[0].warnings[]' show "$EXP")" \
		"times of short regions"
done

SIS_TIMING=1/16 SIS_UNIFY=1 run 2 2 ./small
equal "one file for both ranks: all calls are counted" "$(calls)" "$all"
matches "one file for both ranks: says what its times are" \
	"$(query '.[0].warnings[]' show "$EXP")" \
	"^times of short regions are estimates"
identity "one file for both ranks"
SIS_TIMING=1/16 SIS_TRACE=1 run 1 1 ./small
matches "with a trace all are timed, and that is said" \
	"$(cat run.err)" \
	"^sis: warning: SIS_TIMING does nothing with SIS_TRACE"
lacks "with a trace there are no estimates" "$(query '.[0].warnings[]' show "$EXP")" \
	"times of short regions"

# sampled: calls are exact, what is not short is timed, and the rest has an error
SIS_TIMING=sample run 2 2 ./small
equal "sample: the program is the same" "$(cat run.out)$(cat run.err)" "$printed"
equal "sample: all calls of all paths are counted" "$(calls)" "$all"
identity "sample"
matches "sample: regions says what its times are" \
	"$(analyze regions "$EXP")" \
	"^times of short regions are estimates from samples \(SIS_TIMING=sample\)"
equal "sample: each short region has an error" \
	"$(query '[.[] | select(.region == "small" and .calls > 1 and .error <= 0)] | length' \
		regions "$EXP")" \
	0
equal "sample: main is timed, and MPI" \
	"$(query '[.[] | select(.region == "main" or .region == "MPI_Allreduce") | .error] | add' \
		regions "$EXP")" \
	0
SIS_TIMING=sample/100 SIS_UNIFY=1 run 2 2 ./small
equal "sample, one file for both ranks: all calls are counted" "$(calls)" "$all"
check "sample, one file for both ranks: errors" \
	[ "$(query '[.[] | select(.error > 0)] | length' regions "$EXP")" -gt 0 ]
identity "sample, one file for both ranks"

# The time of a function that is sampled is the one that it has when all are timed, within the
# error: five times what has 95 %, and the processor may be slower in one of the runs.
source_file halves.c <<'END'
#include <time.h>
static volatile double sink;
static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
__attribute__((noinline)) static void some(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
}
/* Short enough to be sampled. Much shorter ones are timed wrongly: the processor reads the clock up
 * to 100 ns before the work has ended. */
__attribute__((noinline)) static void more(void) { some(100); }
__attribute__((noinline)) static void most(void) { some(300); }
int main(void)
{
	for (double from = cpu(); cpu() - from < 1;)
		for (int i = 0; i < 1000; i++) {
			more();
			most();
		}
	return 0;
}
END
build halves halves.c -O1 --sis-cr=CR_F,CR_P
SIS_TIMING=sample run 1 1 ./halves
share() {
	query "[.[] | select(.region == \"most\" or .region == \"more\")] |
		(map(select(.region == \"most\") | .wtime_incl) | add) /
		(map(.wtime_incl) | add)" regions "$EXP"
}
error() {
	query "([.[] | select(.region == \"most\" or .region == \"more\")] |
		map(.error * .error) | add | sqrt) /
		([.[] | select(.region == \"most\" or .region == \"more\") | .wtime_incl] | add)" \
		regions "$EXP"
}
sampled=$(share) bound=$(error)
check "sample: an error of less than all" awk "BEGIN { exit !($bound > 0 && $bound < 1) }"
SIS_TIMING=1/1 run 1 1 ./halves
check "sample: $sampled of the time is near $(share)" \
	awk "BEGIN { d = $sampled - $(share); exit !(d * d < (0.1 + 2.5 * $bound) ^ 2) }"

# killed: what was sampled until then is in the file
source_file killed.c <<'END'
#include <signal.h>
#include <unistd.h>
static volatile double sink;
__attribute__((noinline)) static void tiny(int n) { sink += n; }
int main(void)
{
	for (int i = 0; i < 50000000; i++)
		tiny(i);
	kill(getpid(), SIGKILL);
	return 0;
}
END
build killed killed.c -O1 --sis-cr=CR_F,CR_P
SIS_TIMING=sample SIS_OUTPUT=killed.exp ./killed > run.out 2> run.err
EXP=killed.exp
equal "sample, killed: all calls are counted" \
	"$(query '[.[] | select(.region == "tiny") | .calls] | add' regions "$EXP")" \
	50000000
identity "sample, killed"

# a forked child has a sampler of its own
source_file forks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static volatile double sink;
__attribute__((noinline)) static void tiny(int n) { sink += n; }
static void many(void)
{
	for (int i = 0; i < 20000000; i++)
		tiny(i);
}
int main(void)
{
	many();
	if (fork() == 0) {
		many();
		_exit(0);
	}
	many();
	wait(0);
	return 0;
}
END
build forks forks.c -O1 --sis-cr=CR_F,CR_P
SIS_TIMING=sample run 1 1 ./forks
equal "sample, fork: both count" \
	"$(query '[group_by(.process)[] | map(select(.region == "tiny") | .calls) | add] | sort |
		map(tostring) | join(" ")' regions "$EXP")" \
	"20000000 40000000"
equal "sample, fork: both have samples" \
	"$(query '[.[] | select(.region == "tiny" and .wtime_incl > 0)] | length > 1' regions "$EXP")" \
	true
