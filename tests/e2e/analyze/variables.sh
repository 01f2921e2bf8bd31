# SPDX-License-Identifier: BSD-3-Clause
# From a program built with --sis-blame to its variables: sampling, placing, flow, rows. `large` has
# four times the work of `small`; the bounds leave room for any noise. A changed program is not
# guessed.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 2000 };
static void fill(double *v, int n, double by)
{
	for (int i = 0; i < n; i++)
		v[i] = sqrt(v[i] + by * i);
}
int main(void)
{
	double *small = calloc(N, sizeof *small), *large = calloc(N, sizeof *large);
	for (int k = 0; k < 60000; k++) {
		fill(small, N / 4, k);
		fill(large, N, 1.0 / (k + 1));
	}
	printf("%g\n", small[3] + large[5]);
	return 0;
}
END
export SIS_BLAME=1000hz
build prog prog.c -O2 --sis-blame -lm
run 1 1 ./prog
analyze import "$EXP" --name whole >import.out
analyze blame whole --json >blame.json
check "large has more samples than small" \
	jq -e '[.[] | select(.blame_point == "main")]
	       | (map(select(.variable == "large").samples) | add) >
	         2 * (map(select(.variable == "small").samples) | add)' blame.json
analyze blame whole >blame.txt
check "most samples are at a statement" \
	awk '$NF == "statement" { good = $1 > 90 } END { exit !good }' blame.txt

build prog prog.c -O0 --sis-blame -lm
analyze rm whole >rm.out
analyze import "$EXP" --name changed >import.out
analyze blame changed >changed.txt
check "samples of a program that was built again are not placed" \
	grep -q 'because: the file of the code has changed since the run' changed.txt
