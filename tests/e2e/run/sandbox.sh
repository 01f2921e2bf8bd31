# SPDX-License-Identifier: BSD-3-Clause
# Programs that forbid system calls to themselves (seccomp): the runtime makes none from then on,
# the program ends as without SIS, and what was measured is there.
. "$(dirname "$0")/../lib.sh"
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }

# compiled NAME OPTION...: NAME, and NAME_plain without SIS
compiled() {
	name=$1
	shift
	gcc -O1 -pthread "$@" "$HERE/sandbox.c" -o "${name}_plain" >cc.err 2>&1 || return 1
	build "$name" -O1 -pthread --sis-blame --sis-cr=CR_F "$@" "$HERE/sandbox.c"
}
compiled few || give_up "sandbox.c is compiled" cc.err
compiled more -DMORE
./few_plain filter >plain.out 2>&1
[ $? = 4 ] || { skip "sandboxes" "this kernel has no seccomp, or a filter forbids it"; exit 0; }

# ends_as_plain PROGRAM SETTING ARGUMENT...: with the same output and the same status
ends_as_plain() {
	program=$1 setting=$2
	shift 2
	timeout 60 "./${program}_plain" "$@" >plain.out 2>plain.err
	plain=$?
	runs=$((runs + 1)) EXP=$T/exp$runs
	env "$setting" SIS_OUTPUT="$EXP" timeout 60 "./$program" "$@" >run.out 2>run.err
	equal "$*, $setting: status, output and nothing more" "$? $(cat run.out run.err)" \
		"$plain $(cat plain.out plain.err)"
}
# said PATTERN: the results have it
said() { matches "$*, $setting: it is said" "$(analyze show "$EXP")" "$1"; }
states() {
	query '[.[].state] | join(" ")' sql "SELECT state FROM processing_unit u JOIN experiment e
		ON e.id = u.experiment WHERE e.directory = '$EXP' AND thread = 0 ORDER BY process"
}
runs=0
twice=$((2 * 200000 + 63)) # calls of step in main: before and after
for setting in SIS_OVERHEAD=off SIS_TRACE=1 SIS_BLAME=1; do
	ends_as_plain few "$setting" filter
	said 'a thread went into a sandbox \(seccomp\) after [0-9.]* s.* the process ended in it'
	equal "filter, $setting: calls, before and after" "$(calls step)" $twice
	identity "filter, $setting"
	ends_as_plain few "$setting" strict
	said 'went into a sandbox .* in which nothing is measured'
	equal "strict, $setting: calls before" "$(calls step)" 200000
	identity "strict, $setting"
	ends_as_plain few "$setting" all 3
	said 'all threads went into a sandbox'
	equal "all, $setting: calls of all threads" "$(calls step)" \
		$((twice + 3 * (1000 + 100 * 100 + 63)))
	identity "all, $setting"
	ends_as_plain few "$setting" worker 2
	said '2 threads went into a sandbox'
	equal "worker, $setting: calls of all threads" "$(calls step)" \
		$((twice + 2 * (10 + 200000 + 63)))
	equal "worker, $setting: the initial thread ends the process" "$(states)" ended
	ends_as_plain few "$setting" lone
	said 'a thread went into a sandbox .* in which nothing is measured'
	equal "lone, $setting: calls, but those of the thread in strict mode" "$(calls step)" \
		$((2 * 200000 + 10))
	equal "lone, $setting: the initial thread ends the process" "$(states)" ended
	identity "lone, $setting"
done

# -- a budget, the other threads of the runtime, and a filter that the kernel refuses first
for setting in SIS_OVERHEAD=5% SIS_TIMING=sample SIS_SENSORS=20ms SIS_PMETRIC=CTIME; do
	ends_as_plain few $setting strict
	ends_as_plain few $setting all 2
	identity "all, $setting"
done
setting=SIS_TRACE=1
ends_as_plain few SIS_TRACE=1 retry
said 'a thread went into'

# -- what the program does there
for end in crash abort _exit thread fork memory; do
	ends_as_plain more SIS_OVERHEAD=5% filter 0 $end
	ends_as_plain more SIS_TRACE=1 all 2 $end
	ends_as_plain more SIS_BLAME=1 all 2 $end
	ends_as_plain more SIS_BLAME=1 worker 2 $end
done
ends_as_plain more SIS_OVERHEAD=off filter 0 thread
equal "a thread that was made there is measured" "$(calls in_thread)" 1
ends_as_plain more SIS_OVERHEAD=off filter 0 fork
equal "a child that was made there is not" "$(calls in_child) $(calls inside)" "1 2"
ends_as_plain more SIS_OVERHEAD=off filter 0 many
said '[0-9]+ activations were not measured'
identity "no memory is left there"
ends_as_plain few SIS_OVERHEAD=off child
equal "a child that goes into a sandbox at once is measured" "$(calls inside)" 2
equal "a child that goes into a sandbox at once: how both ended" "$(states)" "ended sandbox"

# -- static programs
printf 'int main(void) { return 0; }\n' >none.c
gcc -static none.c -o none 2>cc.err ||
	{ skip "static linking" "this system has no static libraries" && exit 0; }
compiled static -static
for setting in SIS_OVERHEAD=5% SIS_TRACE=1; do
	ends_as_plain static "$setting" filter
	said 'a thread went into a sandbox'
	ends_as_plain static "$setting" strict
	ends_as_plain static "$setting" all 3
done
