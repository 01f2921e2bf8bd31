# SPDX-License-Identifier: BSD-3-Clause
# Target constructs with nowait: threads of libomp execute them, and those of the program wait for
# tasks. Such a wait is one for the device, if nothing else was waited for.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_devices.sh"
host_devices

# shellcheck disable=SC2086
$clang $targets -w "-I$E2E/include" "$HERE/nowait.c" -o plain
./plain >plain.out || give_up "the program runs without the runtime"
for how in "0 CR_F" "1 CR_F,CR_OMP"; do
	title="trace and regions $how"
	# shellcheck disable=SC2086
	build nowait "$HERE/nowait.c" --sis-cc=$clang "-I$E2E/include" $targets \
		--sis-cr="${how#* }"
	SIS_TRACE=${how% *} run_alone 2 ./nowait
	equal "$title: prints and ends as it should" "$run_status $(cat run.out)" \
		"0 $(cat plain.out)"
	equal "$title: says nothing" "$(cat run.err)" ""
	identity "$title"
	for truth in at_taskwait=0.15 at_barrier=0.4 at_join=0.4 at_depend=0.3; do
		at_least "$title: waits for devices ${truth%=*}" \
			"$(waited_inside "${truth%=*}" 2)" "${truth#*=}"
	done
	equal "$title: waits for devices behind_a_task" "$(waited_inside behind_a_task 2)" 0
	for name in "kernels on=7" "bytes to=24000" "bytes from=24000"; do
		equal "$title: ${name%=*} the device" "$(value "${name%=*} device 0")" \
			"${name#*=}"
	done
done
lacks "what began has ended" "$(analyze show "$EXP")" \
	'matched no open|ended only because|is off by'
