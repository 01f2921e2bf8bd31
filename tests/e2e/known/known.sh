# SPDX-License-Identifier: BSD-3-Clause
# Programs whose overheads are known: NAME.c, or cxx_NAME.cc in C++, each with its runs and its
# truths in comments (lib_known.sh). KNOWN='tasks lock' in the environment runs only those.
# KNOWN_WAYS=all, or naming them, compiles each in all three ways. Otherwise a program with OpenMP
# is compiled in two ways, one for each runtime, and others in one way, and only three of those in
# C++ are run, because these programs sleep and a check has to end soon.
# asleep: its truth is time asleep, which ends later on a busy machine
# parts: 8
#
# With MPI=openmpi (lib.sh) only programs with MPI run. KNOWN_THIRD is set: a third of them.
#
# Half of the programs run with a trace, in which all causes are exact.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_known.sh"

# programs: NUMBER WAY FILE of each program and way of this part
PART=${PART:-1 1}
all=${KNOWN_WAYS:-${KNOWN:-}}
number=0
for file in "$HERE"/*.c "$HERE"/*.cc; do
	name=$(basename "${file%.c*}")
	case " ${KNOWN:-$name} " in *" $name "*) ;; *) continue ;; esac
	case $name in
	cxx_mutex | cxx_member_team | cxx_reduction) ;;
	cxx_*) [ -n "$all" ] || continue ;;
	esac
	[ -z "${MPI:-}" ] || grep -q '^#include <mpi.h>' "$file" || continue
	number=$((number + 1))
	[ -z "${KNOWN_THIRD:-}" ] || [ $((number % 3)) = 0 ] || continue
	ways=$((number % 3))
	! grep -q '^/\* build:.*-fopenmp' "$file" || ways="$((number % 2)) 2"
	[ -z "$all" ] || ways="0 1 2"
	[ $((number % ${PART#* })) = $((${PART% *} - 1)) ] || continue
	for way in $ways; do
		[ "$way" != 2 ] || command -v clang-19 >/dev/null || continue
		echo "$number $way $file"
	done
done >programs

for name in ${KNOWN:-}; do
	[ -f "$HERE/$name.c" ] || [ -f "$HERE/$name.cc" ] || give_up "there is no program $name"
done
[ -s programs ] || ok "no program of this part was asked for"

# Compiling does not need the machine for itself.
build_way() { # build_way WAY FILE
	program=$(basename "${2%.c*}").$1
	case $1 in
	0) known_build "$program" "$2" -O2 ;;
	1) known_build "$program" "$2" -O0 -g ;;
	2) with_clang known_build "$program" "$2" -O2 ;;
	esac
}
building=0
while read -r number way file; do
	build_way "$way" "$file" </dev/null &
	building=$((building + 1))
	[ $((building % $(nproc))) != 0 ] || wait
done <programs
wait

before=0
while read -r number way file <&3; do
	[ "$number" = "$before" ] || turn=$number
	before=$number
	unset SIS_TRACE
	traced=
	[ $((turn % 2)) = 0 ] || { traced=" traced" && export SIS_TRACE=1; }
	turn=$((turn + 1))
	name=$(basename "${file%.c*}")
	case $way in 0) with="gcc -O2" ;; 1) with="gcc -O0" ;; 2) with="clang -O2" ;; esac
	known_judge "$name.$way" "$file" "$name $with$traced"
done 3<programs
