# SPDX-License-Identifier: BSD-3-Clause
# lib_devices.sh - for tests of devices. Sourced after lib.sh.
# shellcheck shell=sh disable=SC2154

# waited REGION: seconds in which the region of the last experiment waited for a device
waited() {
	query "map(select(.region == \"$1\") | .seconds) | add // 0" overhead "$EXP" \
		--explain OSYNC_DEVICE
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
LD_LIBRARY_PATH=$T/lib
export LD_LIBRARY_PATH
