# SPDX-License-Identifier: BSD-3-Clause
# SIS_TIMING: calls are counted exactly, times of short regions are estimates and marked as such,
# everything else is exact.
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
lacks "all timed: no estimates" "$(analyze regions "$EXP")" "estimates"
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
lacks "1/1: all are timed" "$(query '.[0].warnings[]' show "$EXP")" "estimates"
for bad in 1/3 1/2048; do
	SIS_TIMING=$bad run 1 1 ./small
	matches "bad SIS_TIMING '$bad': one line" \
		"$(cat run.err)" \
		"^sis: warning: bad SIS_TIMING '$bad': not 1/N with N a power of two up to 1024; taken as 1/1$"
	lacks "bad SIS_TIMING '$bad': all are timed" \
		"$(query '.[0].warnings[]' show "$EXP")" \
		"estimates"
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
lacks "with a trace there are no estimates" "$(query '.[0].warnings[]' show "$EXP")" "estimates"
