# SPDX-License-Identifier: BSD-3-Clause
# lib_devices.sh - for tests of devices. Sourced after lib.sh.
# shellcheck shell=sh disable=SC2154

# waited REGION: seconds in which the region of the last experiment waited for a device
waited() {
	query "map(select(.region == \"$1\") | .seconds) | add // 0" overhead "$EXP" \
		--explain OSYNC_DEVICE
}

# waited_inside REGION P: the same with what the region calls; the run has P processing units
waited_inside() {
	query "map(select(.overhead == \"OSYNC_DEVICE\") | .seconds) | (add // 0) * $2" overhead \
		"$EXP" --region "$1"
}

# at_least WHAT SECONDS TRUTH: as near, but it may be longer: what the device does takes longer if
# the processors are busy
at_least() {
	check "$1 ($2 s)" awk -v v="$2" -v t="$3" 'BEGIN { exit !(v >= 0.95 * t - 0.03) }'
}

# value NAME: sum of the numbers of this name in the last experiment
value() { query "map(.values[\"$1\"].sum // 0) | add" regions "$EXP"; }

# useful REGION: seconds of useful work in the region of the last experiment, and below it
useful() {
	query "map(select(.path | split(\"/\") | index(\"$1\")) | .useful) | add" regions "$EXP"
}

# driver NAME [OPTION...]: builds the stub of a driver as lib/NAME
driver() {
	name=$1
	shift
	mkdir -p lib
	"$CC" -O1 -shared -fPIC -fvisibility=hidden -Wl,-soname,"$name" "-I$E2E/include" \
		"$@" -o "lib/$name" -pthread 2>build.err || give_up "$name is built" build.err
}

# host_devices: sets $clang and $targets for devices of LLVM's plug-in for the host, and the
# environment of programs. Ends the test if there are none.
host_devices() {
	clang=clang-19 targets="-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu"
	LD_LIBRARY_PATH=/usr/lib/llvm-19/lib KMP_BLOCKTIME=0
	export LD_LIBRARY_PATH KMP_BLOCKTIME
	echo 'int main(void) { return 0; }' >empty.c
	# shellcheck disable=SC2086
	if ! command -v $clang >/dev/null || ! $clang $targets empty.c -o empty 2>/dev/null ||
		! ./empty; then
		skip "devices" "no $clang with libomp-19-dev and clang-tools-19"
		exit 0
	fi
}
