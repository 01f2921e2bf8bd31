# SPDX-License-Identifier: BSD-3-Clause
# Several threads end the process at once. C leaves that undefined; libc lets the first one
# through that has nothing left to do. The profile always says how the run ended, and no thread
# waits for ever.
. "$(dirname "$0")/../lib.sh"
TIMES=${TIMES:-25}

cp "$HERE/exits.c" .
source_file team.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static void step(void) { }
static void end(void)
{
	step();
	usleep(1000);
	exit(3);
}
int main(void)
{
#pragma omp parallel num_threads(6)
	end();
	return 0;
}
END

# end_one DIRECTORY PROGRAM HOW: not by SIGTERM if it hangs, for which the program has a handler
end_one() { SIS_OUTPUT=$1 timeout -s KILL 20 "./$2" "$3" >run.out 2>>run.err; }

# ended WHAT STATES PROGRAM HOW: runs the program TIMES times. Each run ends with status 3, and its
# experiment has one of the states. If a signal handler interrupts libc while it holds the lock of
# its list of exit handlers, exit in the handler waits for this lock for ever, measured or not: one
# plain run of 6000 hangs. So a run with HOW `signal` that hangs is repeated once.
ended() {
	runs=$((runs + 1)) EXP=$T/exp$runs statuses=
	for i in $(seq "$TIMES"); do
		end_one "$EXP-$i" "$3" "$4"
		status=$?
		if [ "$4 $status" = "signal 137" ]; then
			rm -r "$EXP-$i"
			end_one "$EXP-$i" "$3" "$4"
			status=$?
		fi
		statuses="$statuses$status "
	done
	equal "$1: ends as ever, $TIMES times" \
		"$(printf %s "$statuses" | tr ' ' '\n' | sort | uniq -c | tr -s ' \n' ' ')" \
		" $TIMES 3 "
	analyze import "$EXP"-* >import.out 2>import.err || give_up "$1: import" import.err
	units="processing_unit u JOIN experiment e ON e.id = u.experiment
		WHERE e.directory LIKE '$EXP-%'"
	states=$(query '.[].state' sql "SELECT DISTINCT state FROM $units" | tr '\n' ' ')
	matches "$1: every record says so" "$states" "^(($2) )+$"
	equal "$1: what both did is there" \
		"$(query '.[].n' sql \
			"SELECT count(DISTINCT u.experiment) AS n FROM $units AND thread = 1")" \
		"$TIMES"
}
build exits exits.c -O1 -pthread
for how in exit return handler destructor again probes signal; do
	ended "$how" ended exits $how
done
SIS_OUTPUT=$T/off SIS_ENABLE=0 timeout 20 ./exits return
equal "with nothing measured: ends as ever" "$? $(ls -d "$T/off" 2>check.err)" "3 "
ended "_exit and return" 'ended|aborted' exits _exit
ended "exec and return" 'ended|exec' exits exec
for setting in SIS_TRACE=0 SIS_TRACE=1 SIS_SENSORS=100s; do
	runs=$((runs + 1)) EXP=$T/exp$runs
	env "$setting" SIS_OUTPUT="$EXP" timeout -s KILL 20 ./exits leave >run.out 2>run.err
	equal "$setting: pthread_exit in main: ends" "$? $(cat run.out run.err)" "3 "
	equal "$setting: pthread_exit in main: says so" \
		"$(query '.[0].processes[].state' show "$EXP")" \
		ended
done
build team team.c -O1 -fopenmp
ended "all of a team" ended team ""
SISC_CC=clang-19 build team_clang team.c -O1 -fopenmp
ended "all of a team of libomp's" ended team_clang ""

if gcc -static -pthread exits.c -o plain 2>cc.err; then
	build static exits.c -O1 -pthread -static
	for how in return destructor; do
		ended "static: $how" ended static $how
	done
else
	skip "static programs" "this system has no static libraries"
fi

# -- a handler that calls exit, at each system call that the runtime makes at the end
cp "$HERE/exits_moments.c" moments.c
build moments moments.c -O1 --sis-exclude='moment sigaction pthread_sigmask'
EXP=$T/moments
for at in $(seq 1 160); do
	end_one "$EXP-$at" moments "$at" || echo $?
done | sort | uniq -c | tr -s ' ' >moments.status
equal "a handler that calls exit at any moment of the end: ends as ever" \
	"$(cat moments.status)" \
	" 160 3"
analyze import "$EXP"-* >import.out 2>import.err || give_up "moments: import" import.err
equal "a handler that calls exit at any moment of the end: every record says so" \
	"$(query '.[] | "\(.state) \(.n)"' sql \
		"SELECT state, count(*) AS n FROM processing_unit u JOIN experiment e
			ON e.id = u.experiment
		WHERE e.directory LIKE '$EXP-%' GROUP BY state")" "ended 160"

# -- a daemon's parent is ended by libc
source_file daemon.c <<'END'
#include <unistd.h>
static void step(void) { }
int main(void)
{
	step();
	if (daemon(1, 1) != 0)
		return 1;
	step();
	return 0;
}
END
build daemon daemon.c -O1 --sis-cr=CR_P,CR_F
run_alone 1 ./daemon
equal "daemon: ends as ever" "$run_status $(cat run.out run.err)" "0 "
sleep 0.5 # it goes on by itself
equal "daemon: its parent was ended by _exit, it has ended" \
	"$(query '[.[0].processes[].state] | sort | join(" ")' show "$EXP")" "aborted ended"
