#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What must not change the blame of variables: other names, another order of independent statements,
# the compiler and its options, the rate of samples.
# processor: every run needs one of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"
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
