# SPDX-License-Identifier: BSD-3-Clause
# SIS_TMPDIR: the files of processes are in a directory of the host, and become one file of the host
# in the experiment. This file says what their own files say, and nothing is lost with a process
# that is killed.
#
#     HOST_FAULTS=all tests/run e2e host_files    lets every call fail, not one of three
. "$(dirname "$0")/../lib.sh"

source_file ranks.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"
static void step(int ms)
{
	rest(ms);
}
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 5; i++) {
		step(5 * (1 + rank));
		MPI_Barrier(MPI_COMM_WORLD);
	}
	if (argc > 1 && strcmp(argv[1], "fork") == 0) {
		if (fork() == 0) {
			step(5);
			exit(0);
		}
		wait(NULL);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 2 && rank == 0) {
		fclose(fopen(argv[2], "w")); /* all ranks have come here */
		step(120000);
	} else if (argc > 2) {
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
END
build ranks "-I$E2E/include" --sis-blame -O1 -g ranks.c
mkdir tmp && chmod 1777 tmp
host=$(hostname | cut -c 1-63)

in_experiment() { (cd "$EXP" && echo *); }
on_host() { (cd tmp && echo *); }
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }
# exported DIRECTORY: what an import of the files says
exported() {
	"$ANALYZE" export --format "$2" --db "$1.$2.db" "$1" 2>&1 |
		sed -E 's/(imported_ns": |imported_ns>|imported_ns=")[0-9]+//; s/(plain|packed)//g'
}
# plain_copy: copies the files of processes into a directory `plain`, as without SIS_TMPDIR; same
# compares it with the collected experiment
plain_copy() {
	rm -rf plain packed plain.*.db packed.*.db
	mkdir plain && cp tmp/sis-*/*-"$host"-* "$EXP/run" plain
}
same() {
	cp -r "$EXP" packed
	for format in xml json perfetto; do
		exported plain $format >plain.export
		exported packed $format >packed.export
		check "$1: the same $format" cmp plain.export packed.export
		check "$1: of something" test "$(wc -c <plain.export)" -gt 500
	done
}

echo "== a run to its end"
export SIS_TMPDIR=$T/tmp
for settings in SIS_TRACE=0 'SIS_TRACE=1 SIS_BLAME=1000hz SIS_SENSORS=10ms'; do
	# shellcheck disable=SC2086
	run 3 1 env $settings ./ranks fork
	equal "$settings: runs" "$run_status $(cat run.err)" "0 "
	equal "$settings: one file of the host" "$(in_experiment)" "host-$host.sis run"
	equal "$settings: nothing is left" "$(on_host)" '*'
	equal "$settings: all processes are there" "$(calls step)" 18
	lacks "$settings: complete" "$("$ANALYZE" report --db complete.db "$EXP" 2>&1)" INCOMPLETE
done
check "the trace is there" test "$(exported "$EXP" perfetto | wc -c)" -gt 500
SIS_UNIFY=1 run 2 1 ./ranks
equal "the host's file is also that of all ranks" "$(in_experiment)" "host-$host.sis run"

echo "== while it runs, and after it was killed"
EXP=$T/killed
SIS_TRACE=1 SIS_BLAME=1000hz SIS_OUTPUT=$EXP "$MPIEXEC" -n 2 ./ranks fork "$T/ready" \
	>run.out 2>run.err </dev/null &
behind=$!
await() { # await COMMAND...
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] || give_up "waits for $*"
		sleep 0.1
	done
}
await test -f ready
equal "only the file run, and the children's" "$(in_experiment)" "host-$host.sis run"
pid=$(ls tmp/sis-*/proc-* | sed -n '1s/.*-\([0-9]*\)\.sis/\1/p')
for word in "$EXP" "$pid"; do
	matches "top finds them" "$("$ANALYZE" top --once "$word" 2>&1)" '^2 of 4 processes run'
done
matches "collect: files of running processes stay" "$("$ANALYZE" collect --csv "$EXP")" \
	"killed,0,0,8\$"
equal "... all of them" "$(ls tmp/sis-*/proc-* | grep -c .)" 2
kill -9 $(ls tmp/sis-*/proc-* | sed 's/.*-\([0-9]*\)\.sis/\1/')
wait $behind
matches "its directory belongs to the user alone" "$(ls -ld tmp/sis-*)" '^drwx------'
equal "killed: nothing is lost" "$(calls MPI_Init)" 2
plain_copy
cp "$EXP/host-$host.sis" children.sis
for copy in 1 2 3; do # at once, as by a job script that starts one in each process
	"$ANALYZE" collect --csv >"collected.$copy" 2>&1 &
	collectors="${collectors:-} $!"
done
# shellcheck disable=SC2086
wait $collectors
equal "collect: all files, each of them once" \
	"$(cat collected.* | awk -F , '/killed,/ { n += $2 } END { print n }')" 8
equal "... and none of them fails" "$(grep -h error collected.*)" ""
equal "... and nothing is left" "$(on_host)" '*'
check "collected again: nothing changes" sh -c "cp '$EXP/host-$host.sis' before &&
	'$ANALYZE' collect && '$ANALYZE' collect '$EXP' && cmp '$EXP/host-$host.sis' before"
equal "its processes and their children" "$(calls step)" 13
# the ranks without their children, to compare with their own files
tail -c +$(($(wc -c <children.sis) + 1)) "$EXP/host-$host.sis" >ranks.sis
cp ranks.sis "$EXP/host-$host.sis"
same "killed"

echo "== two hosts, one of which has another name here"
source_file host.c <<'END'
#include <stdio.h>
int gethostname(char *name, size_t size)
{
	snprintf(name, size, "nodeb");
	return 0;
}
END
"$CC" -shared -fPIC -O1 -o host.so host.c || exit 1
mkdir tmp/a tmp/b
saved=$EXP EXP=$T/two
SIS_RUN=two SIS_OUTPUT=$EXP timeout 120 "$MPIEXEC" -n 2 env SIS_TMPDIR="$T/tmp/a" ./ranks fork : \
	-n 2 env SIS_TMPDIR="$T/tmp/b" LD_PRELOAD="$T/host.so" ./ranks fork >run.out 2>run.err
equal "run" "$? $(cat run.err)" "0 "
equal "a file for each host" "$(in_experiment)" "$(printf '%s\n' "host-$host.sis" host-nodeb.sis |
	sort | tr '\n' ' ')run"
equal "all processes" "$(calls step)" 24
rmdir tmp/a tmp/b
EXP=$saved

echo "== damaged"
damaged() { cp ranks.sis "$EXP/host-$host.sis"; }
size=$(wc -c <ranks.sis)
for at in 0 3 9 20 100 5000 70000 $((size - 1)) $((size / 2)) $((size / 3)); do
	damaged
	printf '\377\376' | dd of="$EXP/host-$host.sis" bs=1 seek="$at" conv=notrunc 2>/dev/null
	"$ANALYZE" report --db damaged.db "$EXP" >out 2>err
	check "a changed byte at $at: answers or refuses" test $? -le 1
	damaged
	truncate -s "$at" "$EXP/host-$host.sis"
	"$ANALYZE" report --db damaged.db "$EXP" >out 2>err
	check "cut at $at: answers or refuses" test $? -le 1
done
damaged
at=$(grep -abo 'proc-' "$EXP/host-$host.sis" | head -1 | cut -d : -f 1)
printf '\377' | dd of="$EXP/host-$host.sis" bs=1 seek=$((at / 4096 * 4096 + 4096 + 8)) conv=notrunc \
	2>/dev/null
"$ANALYZE" report --db one.db "$EXP" >out 2>err
matches "a damaged profile is left out" "$(cat out err)" "left out: .*does not match its checksum"
equal "... and the other one is there" "$(calls MPI_Init)" 1
head -c 8192 /dev/urandom >"$EXP/host-$host.sis"
"$ANALYZE" report --db one.db "$EXP" >out 2>err
matches "no entry" "$(cat err)" "has no profile yet: its processes have their files in"

echo "== files that cannot be moved"
mkdir -p "$T/blocked/host-$host.sis"
SIS_OUTPUT=$T/blocked SIS_RUN=blocked SIS_LOG=normal ./ranks >run.out 2>run.err
EXP=$T/blocked
equal "the program ends as always" "$?" 0
matches "a warning" "$(cat run.err)" "^sis: warning: cannot move the files of process"
equal "the files stay" "$(ls tmp/sis-*/proc-* | grep -c .)" 1
refuse "collect fails as well" "$ANALYZE" collect
rmdir "$T/blocked/host-$host.sis"
check "and later it does not" "$ANALYZE" collect "$T/blocked"
equal "nothing is lost" "$(calls step) $(on_host)" "5 *"
(umask 777 && SIS_OUTPUT=$T/masked exec ./ranks >/dev/null 2>run.err)
EXP=$T/masked
equal "without rights for new files" "$(cat run.err) $(in_experiment) $(on_host)" \
	" host-$host.sis run *"

echo "== a call fails, or the process dies in it, while it moves its files"
gcc -shared -fPIC -O1 -Wall -Wextra "$HERE/inject.c" -o inject.so -ldl >build.err 2>&1 ||
	give_up "builds inject.so" build.err
source_file leaves.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "work.h"
static void step(void)
{
	rest(1);
}
static void at_end(void)
{
	fclose(fopen("leaving", "w"));
}
int main(void)
{
	atexit(at_end);
	for (int i = 0; i < 7; i++)
		step();
	puts("done");
	return 5;
}
END
build leaves "-I$E2E/include" leaves.c -O1
# faulty FAULT KILL: a run in which a call fails after main, and what is left is collected
faulty() {
	rm -rf leaving "$T/faulty" calls.db
	EXP=$T/faulty
	SIS_OUTPUT=$EXP SIS_LOG=quiet FAULT_FROM=$T/leaving FAULT=$1 FAULT_KILL=$2 FAULT_LOG=$3 \
		LD_PRELOAD=$T/inject.so ./leaves >run.out 2>run.err
	run_status=$?
	"$ANALYZE" collect "$EXP" >collect.out 2>&1 || cat collect.out >>problems
}
: >problems
: >faults
faulty 0 "" "$T/faults"
can_fail=$(wc -c <faults)
check "enough calls can fail ($can_fail)" test "$can_fail" -gt 20
step=3
[ "${HOST_FAULTS:-}" != all ] || step=1
for n in $(seq 2 $step "$can_fail"); do
	for kill in '' 1; do
		faulty "$n" "$kill" ''
		[ "$kill" ] || [ "$run_status $(cat run.out run.err)" = "5 done" ] ||
			echo "$n: $run_status $(cat run.out run.err)" >>problems
		[ "$(calls step) $(on_host)" = "7 *" ] ||
			echo "$n $kill: $(calls step) steps, $(on_host) $(in_experiment)" >>problems
	done
done
equal "nothing is lost" "$(cat problems)" ""

echo "== a child that outlives its parent, and a program that is replaced"
source_file family.c <<'END'
#include <stdio.h>
#include <unistd.h>
#include "work.h"
static void step(void)
{
	rest(1);
}
int main(int argc, char **argv)
{
	step();
	if (argc == 1)
		return 0;
	if (fork() == 0) {
		while (access(argv[1], F_OK) != 0)
			rest(10);
		step();
		fclose(fopen("child", "w"));
		return 0;
	}
	execl(argv[0], argv[0], (char *)0);
	return 1;
}
END
build family "-I$E2E/include" family.c -O1
EXP=$T/family.dir
SIS_OUTPUT=$EXP ./family go >run.out 2>run.err
equal "runs" "$? $(cat run.err)" "0 "
: >go
await test -f child
await sh -c '[ "$(ls tmp/sis-*/proc-* | grep -c .)" -le 1 ]'
"$ANALYZE" collect "$EXP" >collect.out 2>&1
equal "three files of one host" "$(calls step) $(in_experiment) $(on_host)" "3 host-$host.sis run *"

echo "== another user's directory"
name=$(SIS_OUTPUT=$T/named SIS_RUN=fixed SIS_ASLEEP=0 ./ranks x "$T/again" >run.out 2>&1 &
	await test -f "$T/again"; ls tmp; kill -9 "$(ls tmp/sis-*/proc-* |
	sed 's/.*-\([0-9]*\)\.sis/\1/')")
rm -rf tmp/sis-* named again
mkdir "tmp/$name" && chmod 777 "tmp/$name"
SIS_RUN=fixed SIS_LOG=normal run 1 1 ./ranks
matches "is not used" "$(cat run.err)" "cannot make a directory for this run in SIS_TMPDIR"
equal "the files are in the experiment" "$(in_experiment | sed "s/-[0-9]*\.sis/-PID.sis/")" \
	"proc-$host-PID.sis run"
rm -rf "tmp/$name"
SIS_TMPDIR=$T/missing run 1 1 ./ranks
matches "a directory that is missing" "$(cat run.err)" "bad SIS_TMPDIR .*taken as unset"
SIS_TMPDIR='' "$ANALYZE" collect >out 2>err
matches "collect without SIS_TMPDIR" "$(cat err)" "SIS_TMPDIR is not set"
"$ANALYZE" collect "$T" >out 2>err
matches "collect of what is no experiment" "$(cat err)" "is no experiment"

echo "== sis-analyze run"
unset SIS_ASLEEP
source_file any.c <<'END'
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	(void)argv;
	usleep(20000);
	if (argc > 1)
		raise(SIGKILL);
	return 3;
}
END
"$CC" -O1 -o any any.c || exit 1
"$ANALYZE" run --db run.db --name anyrun --report report sh -c './any x; true; ./any' >out 2>&1
equal "the command's status" $? 3
equal "killed processes are collected" "$(cd anyrun && echo *)" "host-$host.sis run"
equal "nothing is left on the host" "$(on_host)" '*'
equal "both processes" "$("$ANALYZE" overhead --db run.db --json anyrun | jq .processing_units)" 2

echo "1..$number"
