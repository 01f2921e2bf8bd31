# SPDX-License-Identifier: BSD-3-Clause
# Programs whose overheads are known: NAME.c, each with its runs and its truths in comments
# (lib_known.sh). KNOWN='tasks lock' in the environment runs only those. KNOWN_WAYS=all, or
# naming them, compiles each in all three ways. Otherwise a program with OpenMP is compiled in
# two ways, one for each runtime, and others in one way, because these programs sleep and a check
# has to end soon.
# alone: its truth is time asleep, which ends later on a busy machine
# Half of the programs run with a trace, in which all causes are exact.
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_known.sh"

all=${KNOWN_WAYS:-${KNOWN:-}}
number=0
for file in "$HERE"/*.c; do
	name=$(basename "$file" .c)
	case " ${KNOWN:-$name} " in *" $name "*) ;; *) continue ;; esac
	number=$((number + 1))
	ways=$((number % 3))
	! grep -q '^/\* build:.*-fopenmp' "$file" || ways="$((number % 2)) 2"
	[ -z "$all" ] || ways="0 1 2"
	turn=$number
	for way in $ways; do
		unset SIS_TRACE
		traced=
		[ $((turn % 2)) = 0 ] || { traced=" traced" && export SIS_TRACE=1; }
		turn=$((turn + 1))
		case $way in
		0) known_program "$file" "gcc -O2$traced" -O2 ;;
		1) known_program "$file" "gcc -O0$traced" -O0 -g ;;
		2) ! command -v clang-19 >/dev/null ||
			known_by_clang "$file" "clang -O2$traced" -O2 ;;
		esac
	done
done
