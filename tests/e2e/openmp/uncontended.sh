# SPDX-License-Identifier: BSD-3-Clause
# Synchronization without contention is no wait: `waits` lists none of it, and no part of the load
# balance is lost. What other threads hold is listed.
. "$(dirname "$0")/../lib.sh"

# waits: the leaves of atomics, flushes, critical constructs and locks that `waits` lists with more
# than SECONDS
waits() {
	query "map(select(.wait | test(\"ATOMIC|FLUSH|CRIT|LOCK|UNCONT\")) |
		select(.seconds > $1) | .wait) | join(\" \")" waits "$EXP"
}
cp "$E2E/known/uncontended.c" "$E2E/known/critical.c" "$E2E/known/lock.c" "$E2E/known/known.h" .
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
	build free --sis-cc=$compiler -O1 -fopenmp uncontended.c
	run_alone 2 ./free
	equal "$compiler, free: runs" "$run_status" 0
	equal "$compiler, free: no waits" "$(waits 0.01)" ""
	matches "$compiler, free: the cost of the operations" \
		"$(query .overheads.OSYNC_UNCONT overhead "$EXP")" \
		'[1-9]'
	identity "$compiler, free"
	matches "$compiler, free: says what the times are" "$(analyze regions "$EXP")" \
		"^times of locks, critical constructs and atomics .* one in 64 was timed"
	build critical --sis-cc=$compiler -O1 -fopenmp critical.c
	run_alone 2 ./critical
	equal "$compiler: waits for a critical construct" "$(waits 0.01)" OSYNC_CRIT
	build lock --sis-cc=$compiler -O1 -fopenmp lock.c
	run_alone 2 ./lock
	equal "$compiler: waits for a lock" "$(waits 0.01)" OSYNC_LOCK
done
