# SPDX-License-Identifier: BSD-3-Clause
# Programs made from seeds: phases of serial, replicated, balanced and uneven work, messages in
# many ways, collective operations, teams, nested teams, locks, tasks, threads, teams that wait for
# messages, and ranks that wait for teams. Their truth follows from how they are made (random.awk).
# RANDOM_SEEDS=100 makes 100 of them, from seed RANDOM_FIRST on. Those with even seeds are compiled
# with clang; every second pair has a trace.
# asleep: its truth is time asleep, which ends later on a busy machine
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_known.sh"

known_tries=5
cp "$HERE/known.h" .
first=${RANDOM_FIRST:-1}
for seed in $(seq "$first" $((first + ${RANDOM_SEEDS:-6} - 1))); do
	awk -v seed="$seed" -f "$HERE/random.awk" -f "$HERE/random_mpi.awk" \
		-f "$HERE/random_threads.awk" -f "$HERE/random_tasks.awk" \
		-f "$HERE/random_nested.awk" >seed$seed.c
	unset SIS_TRACE
	[ $((seed / 2 % 2)) = 0 ] || export SIS_TRACE=1
	if [ $((seed % 2)) = 0 ] && command -v clang-19 >/dev/null; then
		with_clang known_build "seed$seed" "$T/seed$seed.c" -O2
		known_judge "seed$seed" "$T/seed$seed.c" "seed$seed clang -O2"
	else
		known_build "seed$seed" "$T/seed$seed.c" -O2
		known_judge "seed$seed" "$T/seed$seed.c" "seed$seed gcc -O2"
	fi
	rm -rf "$T"/exp*
done
