# SPDX-License-Identifier: BSD-3-Clause
# What daemons, shells and servers do to their processes (descriptors, limits, rights,
# directories, forks, handlers, stacks, libraries that come and go) changes nothing for the
# program, and costs the profile and the trace no call.
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"
share_with_all

prog() { build "$1" -O1 -fopenmp --sis-cr=CR_P,CR_F,CR_OMP "$HERE/surroundings.c" $2; }
prog shared ""
source_file plugin.c <<'END'
int plugged(int n) { return n + 3; }
END
build plugin.so -O1 -shared -fPIC --sis-cr=CR_F plugin.c
mkdir open && chmod 777 open

calls() { query '[.[] | select(.region == "work") | .calls] | add' regions "$EXP"; }
# Of the exported trace: how often work begins, and what does not match.
traced_calls() {
	trace_json
	grep -c '^{"ph":"B".*"name":"work"' trace.json
}

# surroundings PROGRAM MODE PROCESSES: as the program says itself; what does not end well is
# for the caller to say
surroundings() {
	runs=$((runs + 1)) EXP=$T/open/exp$runs
	(cd open && SIS_OUTPUT=$EXP timeout 120 "../$1" "$2" \
		"$T/plugin.so" >../run.out 2>../run.err </dev/null)
	run_status=$?
	equal "$1 $2: runs, and nothing is said" \
		"$run_status $(wc -l <run.out) $(cat run.err)" \
		"0 1 "
	equal "$1 $2: each call is there" "$(calls)" "$(cat run.out)"
	equal "$1 $2: of each process" "$(query '.[0].processes | length' show "$EXP")" "$3"
	lacks "$1 $2: initial process has ended" \
		"$(query '.[0].processes[0].state' show "$EXP")" \
		'running'
	identity "$1 $2"
}
all_modes="closed 1,nofile 1,full 1,as 1,room 1,data 1"
all_modes="$all_modes,daemon 2,fork 3,_Fork 2,team 4,faults 1,stacks 1"
if [ "$(id -u)" = 0 ]; then
	all_modes="$all_modes,setuid 1,seteuid 1,chroot 1,jail 1"
else
	echo "# not run: setuid, seteuid, chroot, jail: only root can"
fi
modes() { # modes PROGRAM
	echo "$all_modes" | tr , '\n' >modes.list
	while read -r mode processes; do
		surroundings "$1" "$mode" "$processes"
		rm -rf open/jail
	done <modes.list
}
modes shared
surroundings shared dlopen 1

# Each program that the program starts is measured, too, and has its own experiment.
SIS_LOG=quiet && export SIS_LOG
surroundings shared spawn 1
equal "spawned ones, too" "$(ls -d "$EXP"-* | wc -l)" 4
unset SIS_LOG

# -- a limit on files that is below what is there already
runs=$((runs + 1)) EXP=$T/exp$runs
SIS_OUTPUT=$EXP ./shared fsize >run.out 2>run.err
equal "fsize: runs" "$? $(cat run.out)" "0 1024"
matches "fsize: and it is said what is missing" "$(cat run.err)" '^sis: warning: cannot extend'
equal "fsize: what there is is whole" "$(query '.[0].processes[0].state' show "$EXP")" ended
identity fsize

for trace in 0 1; do
	runs=$((runs + 1)) EXP=$T/exp$runs
	(ulimit -f 0; SIS_TRACE=$trace SIS_OUTPUT=$EXP ./shared grow 2>&1; echo $?) | cat >run.out
	equal "no files at all, trace $trace: runs" "$(sed 1d run.out | paste -sd' ')" "1024 0"
	matches "no files at all, trace $trace: and it is said why nothing is kept" \
		"$(head -n 1 run.out)" \
		'^sis: warning: cannot create'
done

# -- handlers, 1000 a second: those that interrupt the runtime are counted, not measured
run_alone 3 ./shared alarms
said=$(query '.[0].warnings[]' show "$EXP" |
	sed -n 's/.*: \([0-9]*\) activations were not measured.*/\1/p' | paste -sd+)
check "alarms: runs" test "$run_status" = 0
check "alarms: each call of work is there, or is one of those that are not measured (${said:-0})" \
	test "$(($(cat run.out) - $(calls)))" -le "$((${said:-0}))"
identity alarms

cp "$HERE/surroundings_ranks.c" ranks.c
build ranks ranks.c -O1 --sis-cr=CR_P,CR_F,CR_MPI
for trace in 0 1; do
	SIS_TRACE=$trace run 2 1 ./ranks
	said=$(query '.[0].warnings[]' show "$EXP" |
		sed -n 's/.*: \([0-9]*\) activations were not measured.*/\1/p' | paste -sd+)
	equal "alarms while ranks wait, trace $trace: calls of MPI" \
		"$run_status $(query '[.[] | select(.region == "MPI_Recv" or
		.region == "MPI_Allreduce") | .calls] | add' regions "$EXP")" "0 900"
	missing=$(($(cat run.out) - $(query '[.[] | select(.region == "tick") | .calls] | add' \
		regions "$EXP")))
	check "alarms while ranks wait, trace $trace: and of the handlers, but those that are not measured (${said:-0})" \
		test "$missing" -ge 0 -a "$missing" -le "$((${said:-0}))"
	identity "alarms while ranks wait, trace $trace"
done

# -- descriptors that are closed from the beginning: files of the runtime must not get their
# numbers
runs=$((runs + 1)) EXP=$T/exp$runs
SIS_OUTPUT=$EXP ./shared grow <&- >&- 2>&-
equal "no standard descriptors: runs" $? 0
equal "no standard descriptors: each call is there" "$(calls)" 1024

# -- a umask that grants nothing. Root can open the files all the same, so a user without rights
# runs the program.
without_rights() { if [ "$(id -u)" = 0 ]; then as_nobody "$@"; else "$@"; fi; }
for trace in 0 1; do
	runs=$((runs + 1)) EXP=$T/open/exp$runs
	(cd open && umask 0777 && SIS_TRACE=$trace SIS_OUTPUT=$EXP without_rights ../shared grow) \
		>run.out 2>run.err
	equal "umask 0777, trace $trace: runs, and nothing is said" \
		"$? $(cat run.out run.err)" \
		"0 1024"
	equal "umask 0777, trace $trace: each call is there" "$(calls)" 1024
done

# -- the trace
for mode in closed nofile seteuid setuid chroot _Fork fork stacks; do
	case "$(id -u) $mode" in 0*) ;; *set*uid | *chroot) continue ;; esac
	SIS_TRACE=1 surroundings shared $mode \
		"$(echo "$all_modes" | tr , '\n' | sed -n "s/^$mode //p")"
	equal "$mode: each call is in the trace" "$(traced_calls)" "$(cat run.out)"
	rm -rf open/jail
done

# -- rights that the user does not have: refused
source_file secure.c <<'END'
#include <sys/auxv.h>
int main(void) { return getauxval(AT_SECURE) ? 0 : 1; }
END
gcc secure.c -o secure && cp shared privileged
if [ "$(id -u)" = 0 ] && chown 65534 secure privileged &&
	chmod 4755 secure privileged && ./secure; then
	SIS_OUTPUT=$T/stolen ./privileged grow >run.out 2>run.err
	equal "set-user-ID: runs" "$? $(cat run.out)" "0 1024"
	matches "set-user-ID: says that it is not measured" \
		"$(cat run.err)" \
		'^sis: warning: .*rights.*nothing is measured'
	equal "set-user-ID: in one line" "$(wc -l <run.err)" 1
	check "set-user-ID: and writes nothing" test ! -e stolen
else
	echo "# not run: set-user-ID: this user or file system has no such programs"
fi

# -- a static program
if printf 'int main(void) { return 0; }\n' >plain.c &&
	gcc -static -fopenmp plain.c -o plain 2>check.out; then
	"$SISC" -O1 -static -fopenmp --sis-cr=CR_P,CR_F,CR_OMP -w "$HERE/surroundings.c" \
		-o whole >build.err 2>&1 ||
		give_up "sisc -static" build.err
	all_modes=$(echo "$all_modes" |
		tr , '\n' | grep -E '^(nofile|full|room|_Fork|fork|team|chroot|jail) ' | paste -sd,)
	modes whole
else
	skip "static linking" "this system has no static libraries"
fi
