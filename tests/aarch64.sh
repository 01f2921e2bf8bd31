#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# aarch64.sh - the runtime for another processor: built by a cross compiler, run by qemu's emulation
# of a process (make check-long). Speaks TAP.
#
# All unit tests of rtlib/ and schema/ run (clock, atomics, tree, trace, stacks, OpenMP), and a
# program with probes, whose experiment the analyzer of this machine reads. Not tested:
#
#     region_switch, gate_pair_program   gates in the text are of x86-64. Elsewhere a region that is
#                                        off is a test of its id, which the other tests use
#     unwind        needs the tables of call frames, which are read on x86-64 only. Elsewhere
#                   stacks are walked by frame pointers
#     seccomp, perf_event, counters      qemu has none of them
#     MPI, annotations, frontend, sisc, sis-analyze    need libraries that are not there
#     the order of memory accesses       qemu on x86-64 keeps the stronger order of x86-64
e2e_folder=$(cd "$(dirname "$0")/e2e" && pwd)
. "$e2e_folder/lib.sh"
"$TOP/.ci/install-packages" long || give_up "packages of the tests"
mirror=${MIRROR:-http://deb.debian.org/debian} system=$T/system

# The libraries that the tests are linked with, and their libc. Nothing of it is installed here.
debootstrap --arch=arm64 --variant=minbase --download-only \
	--include="$(echo check libc6-dev libgomp1 libzstd-dev libsqlite3-dev libjson-c-dev \
		libdw-dev libncurses-dev | tr ' ' ,)" \
	bookworm "$system" "$mirror" >debootstrap.out 2>&1 || give_up "debootstrap" debootstrap.out
for deb in "$system"/var/cache/apt/archives/*.deb; do
	dpkg -x "$deb" "$system" || give_up "dpkg -x $deb"
done

skipped='gate_pair_program region_switch unwind'
tests=$(cd "$TOP/tests/unit" && ls rtlib/*/test_*.c schema/test_*.c |
	sed 's,.*/test_\(.*\)\.c,\1,' | grep -vxF "$(echo $skipped | tr ' ' '\n')" | tr '\n' ' ')
cross=aarch64-linux-gnu
# cross_make TARGET...: without the MPI of this machine
cross_make() {
	CPPFLAGS="-idirafter $system/usr/include -idirafter $system/usr/include/$cross" \
		LDFLAGS="--sysroot=$system" UNIT_WITH="qemu-aarch64 -L $system" \
		make -C "$TOP" -j2 B=build/aarch64 CC=$cross-gcc LD=$cross-ld AR=$cross-ar \
		MPICC=false "$@"
}
cross_make unit TESTS="$tests" >unit.out 2>&1
sed -n 's/^  \(ok\|FAILED\)  */# &/p' unit.out
failed=$(sed -n 's/^  FAILED  test_\([a-z_]*\),.*/\1/p' unit.out)
if [ -n "$failed" ]; then
	# as in tests/run: again, alone, and only this counts
	JOBS=1 cross_make unit TESTS="$(echo $failed)" >unit.out 2>&1
	sed -n 's/^  \(ok\|FAILED\)  */# again, &/p' unit.out
fi
matches "unit tests of the runtime" "$(grep ' passed, ' unit.out)" '^[0-9]+ passed, 0 failed$'

cross_make build/aarch64/lib/sis/probes_of_program.o >probes.out 2>&1 ||
	give_up "the probes of a program" probes.out
source_file prog.c <<'END'
#include <stdio.h>
static int part(int n) { for (volatile int i = 0; i < 1000; i++) n++; return n; }
int main(void)
{
	int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 10; i++)
		sum += part(i);
	printf("%d\n", sum);
	return 0;
}
END
lib=$TOP/build/aarch64/lib
check "sisc compiles for it" "$SISC" --sis-cc=$cross-gcc --sis-cr=CR_F,CR_P,CR_OMP -fopenmp -O2 \
	-c prog.c
check "the program is linked" $cross-gcc --sysroot="$system" prog.o "$lib/sis/probes_of_program.o" \
	-L"$lib" -lsis -fopenmp -Wl,-rpath,"$lib" -o prog
EXP=$T/exp
equal "and runs" "$(SIS_OUTPUT=$EXP qemu-aarch64 -L "$system" ./prog)" 10045
equal "its regions were called so often" \
	"$(query '[.[] | select(.region == "part") | .calls] | add' regions "$EXP")" 10
equal "in two threads" "$("$ANALYZE" show "$EXP" --json | jq -r '.[0].p')" 2
