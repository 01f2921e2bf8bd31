#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs whose overheads are known, compiled by mpicc and measured by preloading the runtime:
# samples tell work that only some processes have from work that is uneven, and culprits are
# functions. KNOWN names other programs of this folder.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_known.sh"
preload=$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so

run() { # as that of lib.sh, without sisc
	ranks=$1 threads=$2
	shift 2
	runs=$((runs + 1)) EXP=$T/exp$runs
	SIS_OUTPUT=$EXP OMP_NUM_THREADS=$threads timeout 120 "$MPIEXEC" -n "$ranks" \
		env LD_PRELOAD="$preload" SIS_BLAME=1 "$@" >run.out 2>run.err </dev/null
	run_status=$?
}

for name in ${KNOWN:-late_broadcast late_sender_beside some_work two_phases}; do
	file=$HERE/$name.c
	flags=$(sed -n 's|^/\* build: *\(.*\) \*/$|\1|p' "$file")
	# shellcheck disable=SC2086
	"$MPICC" -g -O1 -o "$name" "$file" $flags 2>"$name.err"
	known_judge "$name" "$file" "$name"
done
