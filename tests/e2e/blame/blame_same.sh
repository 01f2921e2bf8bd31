#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What must not change the blame of variables: other names, another order of independent statements,
# the compiler and its options, the rate of samples. And what cannot be resolved is said.
# alone: every run needs a processor of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
clang=${CLANG:-clang-19}

# The shares are far from each other, so that their order is certain.
source_file stages.c <<'END_OF_SOURCE'
#include "kernel.h"

static ALONE void stage(double *to, long work)
{
	for (int i = 0; i < 2; i++)
		to[i] = mix(i, work / 2);
}

int main(int argc, char **argv)
{
	double alpha[2], beta[2], gamma[2], delta[1];
	kernel_begin(argc, argv);
	stage(alpha, 50 * unit); /* first */
	stage(beta, 30 * unit); /* second */
	stage(gamma, 15 * unit); /* third */
	delta[0] = mix(1, unit);
	asm volatile("" : "+m"(delta[0]));
	printf("%g %g %g %g\n", alpha[argc > 9], beta[0], gamma[0], delta[0]);
	return 0;
}
END_OF_SOURCE
sed 's/alpha/zulu/g; s/beta/yankee/g; s/gamma/xray/g' stages.c >renamed.c
awk '/first/ { kept = $0; next } { print } /third/ { print kept }' stages.c >reordered.c

sampled() { # sampled RATE PROGRAM UNIT
	export SIS_BLAME="$1"
	run_alone 1 "$2" "$3"
	unset SIS_BLAME
}
built() { # built PROGRAM COMPILER FLAG... SOURCE
	program=$1 compiler=$2
	shift 2
	build "$program" --sis-cc="$compiler" --sis-blame -I"$TOP/tests/blame/kernels" "$@"
}
# ranks: the variables of main with more than 5 %, largest first
ranks() {
	query '[.[] | select(.blame_point == "main" and .field_of == null and .kind != "all")]
		| group_by(.variable) | map({ name: .[0].variable, share: map(.share) | add })
		| map(select(.share > 0.05)) | sort_by(-.share) | map(.name) | join(" ")' \
		blame "$EXP"
}
share() { # share VARIABLE
	query "[.[] | select(.blame_point == \"main\" and .variable == \"$1\") | .share] | add" \
		blame "$EXP"
}

built stages "$CC" -O2 stages.c
sampled 1000hz ./stages 2000000
equal "ranks" "$(ranks)" "alpha beta gamma"
fast=$(share alpha)
sampled 500hz ./stages 4000000
equal "ranks at half the rate" "$(ranks)" "alpha beta gamma"
# six standard deviations of 500 samples
check "the share at half the rate is the same" \
	awk -v a="$fast" -v b="$(share alpha)" 'BEGIN { exit !(a - b < 0.15 && b - a < 0.15) }'

built renamed "$CC" -O2 renamed.c
sampled 1000hz ./renamed 2000000
equal "ranks with other names" "$(ranks)" "zulu yankee xray"
built reordered "$CC" -O2 reordered.c
sampled 1000hz ./reordered 2000000
equal "ranks in another order of statements" "$(ranks)" "alpha beta gamma"

for way in "$CC:-O0" "$clang:-O0" "$clang:-O2"; do
	command -v "${way%:*}" >/dev/null || { skip "$way" "there is no ${way%:*}"; continue; }
	built other "${way%:*}" "${way#*:}" stages.c
	sampled 1000hz ./other 1000000
	equal "ranks with $way" "$(ranks)" "alpha beta gamma"
done

# -- what cannot be resolved ---------------------------------------------------------------------
cat >helper.c <<'END_OF_SOURCE'
#include "kernel.h"

double helper(double x, long n) { return mix(x, n); }
END_OF_SOURCE
cat >caller.c <<'END_OF_SOURCE'
#include <stdio.h>
#include <stdlib.h>

double helper(double x, long n);

int main(int argc, char **argv)
{
	double result = helper(argc, atol(argv[1]));
	printf("%g\n", result);
	return 0;
}
END_OF_SOURCE
"$CC" -O2 -g0 -fno-omit-frame-pointer -I"$TOP/tests/blame/kernels" -c helper.c ||
	give_up "helper.c compiles"
build mixed --sis-cc="$CC" --sis-blame -O2 caller.c helper.o
sampled 1000hz ./mixed 200000000
equal "code without --sis-blame, called at a statement: all is for the result" "$(ranks)" result

built bare "$CC" -O2 -g0 stages.c
sampled 1000hz ./bare 2000000
equal "a program without debug information runs" "$run_status" 0
check "and is imported" analyze import "$EXP"
page=$(analyze blame "$EXP" 2>&1)
matches "without debug information: it is said" "$page" 'no debug information'
lacks "and no variable is guessed" "$page" '^ *alpha'

built whole "$CC" -O2 stages.c
strip whole
sampled 1000hz ./whole 2000000
equal "a stripped program runs" "$run_status" 0
page=$(analyze blame "$EXP" 2>&1)
matches "a stripped program: it is said" "$page" 'stripped|no debug information|not built'
lacks "and no variable of it is guessed" "$page" '^ *alpha'
