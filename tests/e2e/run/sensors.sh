# SPDX-License-Identifier: BSD-3-Clause
# SIS_SENSORS samples the load of the hosts during a run, by one process on each host.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file rest.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"
int main(int argc, char **argv)
{
	(void)argv;
	rest(250);
	if (argc > 1) {
		if (fork() == 0)
			exit(0);
		wait(NULL);
	}
	rest(250);
	if (argc > 2)
		raise(SIGKILL);
	puts("done");
	return 0;
}
END
build rest "-I$E2E/include" rest.c -O1
sampled() { query "$1" sensors "$EXP"; }

SIS_SENSORS=50ms run 2 1 ./rest
equal "two processes of a node: run" "$(cat run.out run.err)" "done
done"
count=$(sampled length)
check "samples at the interval, of one of them ($count)" test "$count" -ge 6 -a "$count" -le 14
equal "they follow each other" \
	"$(sampled '[range(1; length) as $i | .[$i].from == .[$i - 1].to] | all')" \
	true
near "from the start of the run" "$(sampled '.[0].from')" 0
near "to its end" "$(sampled '.[-1].to')" "$(query .t_p overhead "$EXP")"
equal "with numbers that can be" \
	"$(sampled '[.[] | (.cpu // 0) >= 0 and (.cpu // 0) <= 1 and .running >= 1 and
		.memory_used > 0 and .switches >= 0] | all')" \
	true
equal "the sampler is no processing unit" "$(query .p overhead "$EXP")" 2
identity "two processes of a node"
matches "people see them" "$(analyze sensors "$EXP")" '^node +from'

SIS_SENSORS=0.05 run_alone 1 ./rest fork
equal "fork: the child samples nothing" \
	"$(sampled '[range(1; length) as $i | .[$i].from == .[$i - 1].to] | all')" \
	true
SIS_SENSORS=50ms run_alone 1 ./rest fork kill
check "killed: they are there" test "$(sampled length)" -ge 4
run_alone 1 ./rest
one_error "not asked for: says how" 1 "SIS_SENSORS=1s" analyze sensors "$EXP"
equal "not asked for: no trace of it" "$(ls "$EXP" | grep -c sensors)" 0

# into another repository
SIS_SENSORS=50ms run_alone 1 ./rest
"$ANALYZE" import --db other.db "$EXP" >import.out 2>import.err
analyze merge other.db >merge.out 2>merge.err || give_up "merge" merge.err
equal "merged: the same" \
	"$(sampled length)" \
	"$("$ANALYZE" sensors --db other.db --json | jq length)"
