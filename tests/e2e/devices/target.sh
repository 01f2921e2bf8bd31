# SPDX-License-Identifier: BSD-3-Clause
# Target constructs of OpenMP: programs with code for devices run, their kernels and copies are
# measured, and the host waits for them. The devices are those of LLVM's plug-in for the host. With
# gcc, and where devices are disabled, the constructs are work of the host.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_devices.sh"

# waits_in WHAT FUNCTION WAITED ALL: the function waits for devices for so long, and else works. The
# seconds are those of one of the two processing units
waits_in() {
	if [ "$3" = 0 ]; then
		equal "$1: waits in $2" "$(waited_inside "$2" 2)" 0
		at_least "$1: works in $2" "$(useful "$2")" "$4"
	else
		at_least "$1: waits in $2" "$(waited_inside "$2" 2)" "$3"
	fi
}

# judge WHAT WAITED...: of the last run: the seconds in which one_kernel, stays_there and
# another_device wait for devices. plain.out has what the program prints without the runtime
judge() {
	equal "$1: prints and ends as it should" "$run_status $(cat run.out)" \
		"0 $(cat plain.out)"
	equal "$1: says nothing" "$(cat run.err)" ""
	identity "$1"
	for work in prepare on_host; do
		at_least "$1: works in $work" "$(useful $work)" 0.1
		equal "$1: does not wait in $work" "$(waited_inside $work 2)" 0
	done
	waits_in "$1" one_kernel "$2" 0.2
	waits_in "$1" stays_there "$3" 0.1
	waits_in "$1" another_device "$4" 0.05
	equal "$1: functions of the host are measured" "$(query '[.[] | select(.type == "CR_F" and
		.region == ("prepare", "one_kernel", "on_host")) | .calls] | add' regions "$EXP")" 3
}

# -- on the host
"$CC" -fopenmp -w "-I$E2E/include" "$HERE/target.c" -o plain 2>build.err ||
	give_up "target.c is built" build.err
./plain >plain.out
for regions in CR_P,CR_F CR_F,CR_OMP,CR_L; do
	build target "$HERE/target.c" "-I$E2E/include" -fopenmp --sis-cr=$regions
	equal "gcc, $regions: sisc says nothing" "$(cat build.err)" ""
	run_alone 2 ./target
	judge "gcc, $regions" 0 0 0
done

# -- on devices
host_devices
# shellcheck disable=SC2086
$clang $targets -w "-I$E2E/include" "$HERE/target.c" -o plain
./plain >plain.out || give_up "the program runs on devices without the runtime"
for options in "-O0 --sis-cr=CR_F" "-O1 --sis-cr=CR_F,CR_OMPTARGET" \
	"-O2 -g --sis-cr=CR_F,CR_OMP,CR_L"; do
	# shellcheck disable=SC2086
	build target "$HERE/target.c" --sis-cc=$clang "-I$E2E/include" $targets $options
	run_alone 2 ./target
	judge "$options" 0.2 0.1 0.05
done
bytes() { echo "$(value "bytes to device $1") $(value "bytes from device $1")"; }
equal "kernels of devices" "$(value "kernels on device 0") $(value "kernels on device 1")" "3 1"
equal "bytes of device 0" "$(bytes 0)" "16008 24008"
equal "bytes of device 1" "$(bytes 1)" "8 8"
matches "the report says what to do" "$(analyze report "$EXP")" \
	'OSYNC_DEVICE, potential gain.*: a thread waits for a device'

OMP_TARGET_OFFLOAD=disabled run_alone 2 ./target
judge "devices are disabled" 0 0 0
SIS_TRACE=1 run_alone 2 ./target
judge "with a trace" 0.2 0.1 0.05
equal "SIS_ENABLE=0: prints the same" "$(SIS_ENABLE=0 ./target)" "$(cat plain.out)"
