# SPDX-License-Identifier: BSD-3-Clause
# A loop with work between polls, on a processor that it shares: the work is useful, and what it
# lacks of the processor is no wait for the message, whether each poll is timed or one in 16.
# alone: with others on its processor, it lacks the processor more often than the kernel is asked
. "$(dirname "$0")/../lib.sh"

cp "$HERE/polls_crowded.c" .
build polls polls_crowded.c -O2
# useful: seconds of rank 0 in the loop
useful() {
	query '[.[] | select(.process == 0 and (.path | test("overlap"))) | .useful] | add' \
		regions "$EXP"
}
processor=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
for budget in off 5; do
	SIS_OVERHEAD=$budget
	taskset -cp "$processor" $$ >/dev/null
	run 2 1 ./polls
	equal "budget $budget: runs" $run_status 0
	worked=$(cat run.out) said=$(useful)
	# one timed poll in 16 gives an estimate
	error=$([ $budget = off ] && echo 0.15 || echo 0.3)
	matches "budget $budget: $said of $worked s of work are useful" \
		"$(awk -v w="$worked" -v s="$said" -v e="$error" \
			'BEGIN { print (s > (1 - e) * w && s < (1 + e) * w) }')" 1
	equal "budget $budget: no number is negative" "$(analyze report "$EXP" | grep -c ' -0\.')" 0
done
echo "1..$number"
