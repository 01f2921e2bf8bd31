# SPDX-License-Identifier: BSD-3-Clause
# Nobody is charged with more than it did, where loops poll many messages, with or without sleep
# between polls, and with more ranks than processors. The profile has the time between polls at the
# polls, and a trace has it around them.
. "$(dirname "$0")/../lib.sh"

cp "$HERE/polls_some.c" .
build some polls_some.c -O2
for traced in "" 1; do
	[ -z "$traced" ] || export SIS_TRACE=1
	for sleeps in 0 1; do
		run $((2 * $(nproc))) 1 ./some $sleeps
		id=$(query '.[0].id' import "$EXP")
		error=$(query '.[0].ms' sql "SELECT cause_error_ns / 1000000 AS ms FROM experiment
			WHERE id = $id")
		equal "sleeps $sleeps${traced:+, traced}: milliseconds too much" "$error" 0
	done
done
echo "1..$number"
