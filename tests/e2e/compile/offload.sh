# SPDX-License-Identifier: BSD-3-Clause
# Code for devices: clang compiles it in a second reading of the source. It is that of the source,
# without probes, and a note says so.
. "$(dirname "$0")/../lib.sh"
command -v clang-19 >/dev/null || { skip "clang-19" "not installed" && exit; }

source_file device.c <<'EOF'
#include <stdio.h>
static int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; return s; }
int main(void)
{
	int sum = 0;
#pragma omp target map(tofrom : sum)
	for (int i = 0; i < 10; i++)
		sum += twice(i);
	printf("%d\n", sum);
	return 0;
}
EOF
# What binds the device's object into the host's one is in a package of its own (clang-tools-19).
# This stand-in keeps the device's object.
mkdir bin
source_file bin/clang-offload-packager <<'EOF'
#!/bin/sh
for word; do
	case $word in
	--image=*) image=${word#*file=} && cp "${image%%,*}" "$KEPT" ;;
	-o) next=1 && continue ;;
	*) [ -z "${next:-}" ] || : >"$word" ;;
	esac
	next=
done
EOF
chmod +x bin/clang-offload-packager
targets="-fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -B $T/bin"
symbols() { nm "$1" | awk '$2 != "U" && $3 !~ /^\.L/ { print $NF }' | sort; }
mkdir sub && cp device.c sub
for source in device.c sub/device.c; do
	for options in "-O2" "-g -O0"; do
		# shellcheck disable=SC2086
		KEPT=$T/plain.o clang-19 $targets $options -c $source -o host.o 2>said ||
			give_up "clang-19 $options" said
		# shellcheck disable=SC2086
		KEPT=$T/device.o "$SISC" --sis-cc=clang-19 --sis-cr=CR_F,CR_L,CR_OMP $targets \
			$options -c $source -o host.o 2>said
		equal "$source $options: a note" "$(cat said)" \
			"sisc: note: $source:2:1: code for a device has no probes"
		matches "$source $options: the host's code is measured" \
			"$(readelf -SW host.o)" ' sis_idf '
		matches "$source $options: the device has its code" "$(symbols plain.o)" \
			'__omp_offloading_.*_main_l6'
		equal "$source $options: as without sisc" "$(symbols device.o)" "$(symbols plain.o)"
	done
done
equal "without a device: no note" \
	"$("$SISC" --sis-cc=clang-19 -fopenmp -c device.c 2>&1)" ""
