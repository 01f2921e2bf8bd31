#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Kernels whose work is divided among variables in a known way (tests/blame/kernels): the
# partitioned shares of a run are those of their comments.
#
# Samples are random, so each share is judged by the exact binomial test. If its probability is
# below 0.001, the kernel is measured again with four times the work, and then the probability must
# not be below 0.001. A last check counts the shares of all kernels whose probability is below 0.05:
# there must be no more of them than chance allows.
#
#     KERNELS='swap lists' tests/run e2e blame_kernels
#     KERNEL_WAYS=all      beside gcc -O2, and clang -O2 for tasks: gcc -O0, clang -O0, clang -O2,
#                          and all kernels (make check-long)
# alone: every run needs a processor of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
kernels=$TOP/tests/blame/kernels
few='scalars pass_through structs heap swap flags counters points tail_calls threads nameless
omp_private omp_reduction omp_shared omp_tasks omp_tail_calls omp_task_calls cxx_containers
cxx_classes cxx_aliases cxx_templates cxx_exceptions cxx_omp'
all=$(cd "$kernels" && ls ./*.c ./*.cc | sed 's|^\./||; s|\.cc*$||')
clang=${CLANG:-clang-19}
ways="$CC:-O2"
if [ "${KERNEL_WAYS:-}" = all ]; then
	few=$all
	ways="$CC:-O0 $CC:-O2"
	! command -v "$clang" >/dev/null || ways="$ways $clang:-O0 $clang:-O2"
fi

# expectations SOURCE: VARIABLE FRACTION POINT
expectations() { sed -n 's|^ \* expect: \([^ ]*\) \([0-9/]*\) at \([^ ]*\).*|\1 \2 \3|p' "$1"; }

# measure PROGRAM UNIT SOURCE: of samples on the processor, a line for each expectation:
# VARIABLE POINT EXPECTED SAMPLES OF P
measure() {
	export SIS_BLAME=1000hz
	run_alone 2 "$1" "$2"
	unset SIS_BLAME
	points=$(expectations "$3" | cut -d ' ' -f 3 | sort -u)
	# shellcheck disable=SC2046 # a list of options
	query '.[] | select(.field_of == null) |
		[.blame_point, .variable, .partitioned - .blocked, .kind] | @tsv' blame "$EXP" \
		$(printf ' --at %s' $points) >cells 2>cells.err || return 1
	expectations "$3" | awk -F '[ \t]' -v rows=cells '
		function choose(n, k) {
			return log_factorial(n) - log_factorial(k) - log_factorial(n - k)
		}
		function log_factorial(n) {
			for (; known < n; known++)
				table[known + 1] = table[known] + log(known + 1)
			return table[n]
		}
		# both sides: all numbers that are no more likely than k
		function p_value(k, n, p, i, here, sum) {
			here = choose(n, k) + k * log(p) + (n - k) * log(1 - p)
			for (i = 0; i <= n; i++) {
				one = choose(n, i) + i * log(p) + (n - i) * log(1 - p)
				if (one > -700 && one <= here + 1e-9)
					sum += exp(one)
			}
			return sum
		}
		BEGIN {
			table[0] = 0
			while ((getline line < rows) > 0) {
				split(line, cell, "\t")
				if (cell[4] == "all")
					whole[cell[1]] += cell[3]
				else
					part[cell[1] " " cell[2]] += cell[3]
			}
		}
		{
			split($2, fraction, "/")
			p = fraction[1] / fraction[2]
			n = int(whole[$3] + 0.5)
			k = int(part[$3 " " $1] + 0.5)
			printf "%s %s %.4f %d %d %.6f\n", $1, $3, p, k, n, p_value(k, n, p)
		}'
}

judge() { # judge WAY KERNEL: one line for each expectation
	compiler=${1%:*} level=${1#*:} source=$kernels/$2.c
	if [ ! -f "$source" ]; then # it is in C++
		source=${source}c
		case $compiler in
		*clang*) compiler=$(echo "$compiler" | sed 's/clang/clang++/') ;;
		*) compiler=${CXX:-g++} ;;
		esac
		command -v "$compiler" >/dev/null || { skip "$2" "no $compiler"; return; }
	fi
	flags=$(sed -n 's|^/\* flags: \(-[^ .]*\).*|\1|p' "$source")
	# shellcheck disable=SC2086
	build "$2" --sis-cc="$compiler" --sis-blame "$level" $flags -I"$kernels" "$source"
	measure "./$2" 20000000 "$source" >shares || give_up "$1 $2: blame" cells.err
	while read -r variable point expected samples of p; do
		what="$1 $2: $variable at $point has $samples of $of samples, expected $expected,"
		what="$what p = $p"
		echo "$p" >>every.p
		if [ "$of" -ge 100 ] && awk -v p="$p" 'BEGIN { exit !(p >= 0.001) }'; then
			ok "$what"
			continue
		fi
		measure "./$2" 80000000 "$source" >shares.again || give_up "$1 $2: blame" cells.err
		grep "^$variable $point " shares.again >again
		read -r variable point expected samples of p <again
		what="$what; again $samples of $of, p = $p"
		if [ "$of" -ge 100 ] && awk -v p="$p" 'BEGIN { exit !(p >= 0.001) }'; then
			ok "$what"
		else
			not_ok "$what"
		fi
	done <shares
}

for way in $ways; do
	for kernel in ${KERNELS:-$few}; do
		judge "$way" "$kernel"
	done
done
# libomp runs tasks in another way
if [ "${KERNEL_WAYS:-}${KERNELS:-}" = "" ] && command -v "$clang" >/dev/null; then
	for kernel in omp_tasks omp_tail_calls omp_task_calls; do
		judge "$clang:-O2" "$kernel"
	done
fi

# As many outside of 95 % as chance allows: the probability of so many or more
verdict=$(awk '{ n++; out += $1 < 0.05 } END {
	for (i = 0; i < out; i++) { # P(fewer)
		c = 1
		for (j = 0; j < i; j++)
			c *= (n - j) / (j + 1)
		fewer += c * 0.05 ^ i * 0.95 ^ (n - i)
	}
	printf "%d of %d shares are outside of their interval of 95 %%, probability %.4f\n", out, n,
		1 - fewer }' every.p)
if awk -v p="${verdict##* }" 'BEGIN { exit !(p >= 0.001) }'; then
	ok "$verdict"
else
	not_ok "$verdict"
fi
