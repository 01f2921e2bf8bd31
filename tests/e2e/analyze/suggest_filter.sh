# SPDX-License-Identifier: BSD-3-Clause
# The daily loop: run, sis-analyze suggest-filter, run again with SIS_FILTER, or compile with
# --sis-filter. The predicted number of activations is exact; costs only have to become smaller.
. "$(dirname "$0")/../lib.sh"

source_file a.c <<'END'
#include <stdio.h>
#include "sis/sis.h"
static int tiny(int n) { return n * 3 + 1; }
static int small(int n) { int s = 0; for (int i = 0; i < 50; i++) s += tiny(i) ^ n; return s; }
static int large(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 7; return s; }
static long work(int n)
{
	long sum = 0;
	for (int i = 0; i < n; i++) {
		sum += small(i);
#pragma sis cr step begin
		sum += large(5000);
#pragma sis end cr
	}
	return sum;
}
int main(void)
{
	SIS_REGION_BEGIN(two words?);
	long sum = work(20000);
	SIS_REGION_END(two words?);
	printf("%ld %d\n", sum, large(1));
	return 0;
}
END
build a a.c -O1 --sis-cr=CR_F,CR_FOR,CR_IO
run_alone 1 ./a
first=$EXP

# calls EXPERIMENT [NAME...]: activations of the regions of these names, or of all but the root
calls() {
	names=$(shift; printf '%s\n' "$@" | jq -R . | jq -sc .)
	query "[.[] | select(.type != \"RT_RUN\" and .type != \"RT_PROBE\") |
		select($names == [\"\"] or (.region | IN($names[]))) | .calls] | add" regions "$1"
}

check "writes a file" analyze suggest-filter "$first" --output f
query '.[].region' suggest-filter "$first" >excluded
matches "the shortest region is excluded first" "$(head -n 1 excluded)" '^tiny$'
lacks "a region of a directive is not" "$(cat excluded)" '^step$'
matches "a comment names the region, its calls and its cost" "$(cat f)" \
	'# calls: 1000000, of [0-9]+ ns on average; cost: [0-9.]+ % -> [0-9.]+ %'
matches "the whole cost, before and after" "$(cat f)" '^# With this filter: .* Target: 2 %\.$'

run_alone 1 env SIS_FILTER=f ./a
equal "the run has no warning" "$(cat run.err)" ""
# shellcheck disable=SC2046
gone=$(calls "$first" $(cat excluded))
equal "the activations that are left are those that were predicted" "$(calls "$EXP")" \
	$(($(calls "$first") - gone))
check "less than half is measured" test "$(calls "$EXP")" -lt $(($(calls "$first") / 2))
identity "with the filter"

build b a.c -O1 --sis-cr=CR_F,CR_FOR,CR_IO --sis-filter=f
run_alone 1 ./b
equal "the same file is for --sis-filter" "$(calls "$EXP")" $(($(calls "$first") - gone))

# Nothing else helps: regions whose time is overhead, and named ones, come last, and it is said.
analyze suggest-filter "$first" --target 0% >f
matches "a named region, if nothing else helps" "$(cat f)" \
	'# Nothing else helps: a directive names this region'
matches "a call of I/O, if nothing else helps" "$(cat f)" \
	'# Nothing else helps: its time is overhead, and will count as work'
equal "in this order" \
	"$(query '.[].loss' suggest-filter "$first" --target 0% | uniq | tr '\n' ' ')" \
	"detail leaf named "
equal "a function that one call has in its arguments is no argument" \
	"$(query '.[] | select(.region == "large") | .loss' suggest-filter "$first" --target 0%)" \
	detail
matches "blanks and wildcards in a name are kept" "$(cat f)" '^  EXCLUDE two\\ words\\\?$'
run_alone 1 env SIS_FILTER=f ./a
equal "then only the program is left" "$(calls "$EXP")" 1
analyze suggest-filter "$first" --target 100% >f
matches "nothing to do" "$(cat f)" '^# No region has to be excluded\.$'
run_alone 1 env SIS_FILTER=f ./a
equal "and that is a filter without rules" "$(calls "$EXP") $(cat run.err)" "$(calls "$first") "

one_error "a wrong target" 2 "suggest-filter: --target 'x' is no percentage; write" \
	"$ANALYZE" suggest-filter --db "$T/sis.db" "$first" --target x
one_error "a wrong place" 1 "cannot write '/none/f': No such file" \
	"$ANALYZE" suggest-filter --db "$T/sis.db" "$first" --output /none/f
