#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hpl.sh [N [PROCESSES]]: the blame of High Performance Linpack, from Debian's source of hpcc, which
# has it without a main function (1400, 4). Prints the tables that BLAME shows,
# and whether the matrix leads in them (make check-long).
set -u
TOP=$(cd "$(dirname "$0")/../.." && pwd)
B=${B:-$TOP/build/release}
case $B in /*) ;; *) B=$TOP/$B ;; esac
export B
n=${1:-1400} processes=${2:-4}
work=$B/blame-hpl
"$TOP/.ci/install-packages" long || exit 1
sh "$TOP/tests/source-package" hpcc "$work" || exit 1
cd "$work/hpl" && mkdir -p sis || exit 1

cat >main.c <<'END_OF_SOURCE'
#include <mpi.h>
#include <hpl.h>

int HPL_main(int argc, char **argv, HPL_RuntimeData *data, int *failure);
int HPCC_Defaults(void) { return -1; } /* there is an input file */

int main(int argc, char **argv)
{
	HPL_RuntimeData data;
	int failure = 0;
	MPI_Init(&argc, &argv);
	HPL_main(argc, argv, &data, &failure);
	MPI_Finalize();
	return failure;
}
END_OF_SOURCE
# process grid: two rows
sed "s/^1000 /$n /; s/^2  *Ps/2            Ps/; s/^2  *Qs/$((processes / 2))            Qs/" \
	../_hpccinf.txt >hpccinf.txt

flags='-O2 -g1 -w -DAdd_ -DF77_INTEGER=int -DStringSunStyle -Iinclude -I../include'
for source in src/*/*.c testing/*/*.c main.c; do
	object=sis/$(basename "$source" .c).o
	[ -e "$object" ] && [ "$object" -nt "$B/bin/sisc" ] || echo "$source"
done | xargs -P "$(nproc)" -I{} sh -c \
	'"$0" --sis-blame --sis-cr=CR_P '"$flags"' -c "$1" -o "sis/$(basename "$1" .c).o"' \
	"$B/bin/sisc" {} || exit 1
"$B/bin/sisc" --sis-blame -o xhpl sis/*.o -lblas -lm || exit 1

rm -rf experiment
SIS_OUTPUT=experiment SIS_BLAME=${SIS_BLAME:-1} "${MPIEXEC:-mpiexec}" -n "$processes" ./xhpl \
	>run.out 2>&1 </dev/null || { cat run.out; exit 1; }
points='--at main --at main/HPL_main/HPL_pdtest --at main/HPL_main/HPL_pdtest/HPL_pdgesv
	--at main/HPL_main/HPL_pdtest/HPL_pdgesv/HPL_pdgesvK2'
# shellcheck disable=SC2086 # a list
"$B/bin/sis-analyze" blame experiment --over process --fields $points || exit 1

# leads POINT VARIABLE: it has more than three quarters of the point's samples
good=0 bad=0
leads() {
	# shellcheck disable=SC2086 # a list
	part=$("$B/bin/sis-analyze" blame experiment $points --json | gojq "
		map(select(.blame_point | endswith(\"$1\"))) |
		(map(select(.variable == \"$2\") | .partitioned) | add // 0) * 100 /
		(map(select(.kind == \"all\") | .partitioned) | add) | round")
	if [ "$part" -ge 75 ]; then
		good=$((good + 1))
	else
		bad=$((bad + 1))
		echo "hpl: error: $2 has $part % of $1"
	fi
}
leads /HPL_pdtest mat
leads /HPL_pdgesv A
echo "$good passed, $bad failed"
[ $bad = 0 ]
