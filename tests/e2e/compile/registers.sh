# SPDX-License-Identifier: BSD-3-Clause
# Probes keep what the program has in its registers: a program with values of all kinds prints the
# same with a region around each of its functions, loops, branches and statements. Each way of
# compiling it is run with each way through the probes.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"
cp "$HERE/registers.c" .

# prints_the_same WHAT COMPILER FLAGS...
prints_the_same() {
	what=$1 compiler=$2
	shift 2
	"$compiler" "$@" registers.c -o plain -lm 2>errors || give_up "$what: $(head -n 1 errors)"
	wanted=$(./plain)
	SISC_CC=$compiler "$SISC" --sis-cr=CR_F,CR_L,CR_IF,CR_STMT "$@" registers.c -o measured \
		-lm 2>errors || give_up "sisc, $what: $(head -n 1 errors)"
	! grep 'the compiler refuses' errors >refused ||
		not_ok "$what: $(head -n 1 refused)"
	for way in SIS_OVERHEAD=off SIS_TIMING=sample SIS_TIMING=1/16 SIS_TRACE=1 SIS_OVERHEAD=1% \
		SIS_ENABLE=0 SIS_PATCH=0; do
		rm -rf out
		equal "$what, $way" "$(env SIS_LOG=quiet SIS_OUTPUT=out "$way" ./measured)" \
			"$wanted"
	done
}

for flags in -O0 -O1 -O2 "-O3 -march=native" -Os "-O2 -masm=intel" "-O2 -fPIC" "-O2 -mno-mmx" \
	"-O2 -mfpmath=387" "-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables" \
	"-O2 -flto"; do
	# shellcheck disable=SC2086
	prints_the_same "gcc $flags" gcc $flags
done
! grep -q avx2 /proc/cpuinfo || prints_the_same "gcc, AVX2" gcc -O3 -mavx2 -mfma
if grep -q avx512vl /proc/cpuinfo; then
	prints_the_same "gcc, wide registers" gcc -O3 -DWIDE
	prints_the_same "gcc, AVX-512" gcc -O3 -mavx512f -mprefer-vector-width=512
fi
if command -v clang-19 >/dev/null; then
	for flags in -O0 -O2 "-O3 -march=native"; do
		# shellcheck disable=SC2086
		prints_the_same "clang $flags" clang-19 $flags
	done
	! grep -q avx512vl /proc/cpuinfo || prints_the_same "clang, wide registers" clang-19 -O3 \
		-DWIDE
fi

# The runtime's functions that a gate calls without saving those registers.
if [ "$(uname -m)" = x86_64 ]; then
	for probe in sis__enter_quickly sis__leave_quickly; do
		objdump -d --disassemble=$probe "$build_dir/lib/libsis.so" >text
		matches "$probe is there" "$(cat text)" "<$probe>:"
		lacks "$probe has no vector and no x87 registers" "$(cat text)" '%[xyz]?mm[0-9]|%st'
		equal "$probe calls only the slow clock" "$(grep call text |
			grep -v sis__clock_slow)" ""
	done
fi

# Which probes the code jumps to. Files that may have other registers in some function call them.
# jumps_to PROBE FLAGS...: how often
jumps_to() {
	probe=$1
	shift
	SISC_CC=gcc "$SISC" -O2 --sis-cr=CR_F "$@" -c registers.c -o one.o &&
		objdump -dr one.o | grep -c "$probe-0x4"
}
if [ "$(uname -m)" = x86_64 ]; then
	check "gcc jumps to the probes" test "$(jumps_to sis__gate_enter)" -gt 10
	check "with AVX" test "$(jumps_to sis__gate_enter_avx -mavx)" -gt 10
	check "with AVX2" test "$(jumps_to sis__gate_enter_avx -mavx2)" -gt 10
	check "with AVX-512" test "$(jumps_to sis__gate_enter_avx512 -mavx512f)" -gt 10
fi
for flags in -DWIDE "-flto -ffat-lto-objects"; do
	# shellcheck disable=SC2086
	equal "not with $flags" "$(jumps_to sis__gate_enter $flags)" 0
done
