# SPDX-License-Identifier: BSD-3-Clause
# An earlier run chooses functions: run, sis-analyze suggest-regions, compile with --sis-profile.
. "$(dirname "$0")/../lib.sh"

source_file a.c <<'END'
#include <stdio.h>
static int dear(int n) { for (int i = 0; i < n; i++) n ^= i; return n; }
static int find(const char *s, int c) { while (*s) if (*s++ == c) return 1; return 0; }
static int get(const char *s) { return s[1]; }
static long inside(const char *s, int n) { long f = 0; for (int i = 0; i < n; i++) f += find(s, 'x') + get(s); return f; }
int main(void)
{
	static char text[200000];
	long sum = 0;
	for (int i = 0; i < 199999; i++)
		text[i] = 'a' + i % 7;
	for (int i = 0; i < 2000000; i++)
		sum += dear(i & 3);
	printf("%ld\n", sum + inside(text, 300));
	return 0;
}
END
functions() { "$SISC" -O1 --sis-explain "$@" -c a.c -o ignored.o | grep ' CR_F ' ; }
without=$(functions)
matches "the estimate of a measured function" "$without" \
	'CR_F dear: measured for the default metrics: default, estimated at 30[0-9] ns$'
matches "and of a small one" "$without" \
	'CR_F get: not measured: tiny: estimated at [0-9]+ ns, worth a probe from 300 ns on where'
matches "a search looks small" "$without" 'CR_F find: not measured: tiny'

build a a.c -O1
run_alone 1 ./a
plain=$(cat run.out)
check "writes a file" analyze suggest-regions "$EXP" --target 0.1% --output p
matches "the short function with many calls is left out" "$(cat p)" \
	'^leave 2000000 [0-9]+ dear a\.c$'
matches "much time is inside of another one" "$(cat p)" '^inside 1 [0-9]+ inside a\.c$'
matches "the same as JSON" "$(query '[.[] | .verdict + " " + .region] | sort | join(",")' \
	suggest-regions "$EXP" --target 0.1%)" '^inside inside,.*leave dear$'

with=$(functions --sis-profile=p)
matches "what was too dear is not measured" "$with" \
	'CR_F dear: not measured: p:[0-9]+: too dear, it had 2000000 calls of [0-9]+ ns; --sis-cr=CR_F'
matches "what looked small is, because its caller took long" "$with" \
	'CR_F find: measured for the default metrics: default, p:[0-9]+: the function that uses it had'
matches "but not if a probe costs more than the function" "$with" 'CR_F get: not measured: tiny'
sed -i '1a /* a line more */' a.c
mkdir -p "exp" && cp p exp/regions
equal "lines may change, and a directory may be named" \
	"$(functions --sis-profile=exp | sed 's/a.c:[0-9]*//; s,exp/regions,p,')" \
	"$(printf '%s\n' "$with" | sed 's/a.c:[0-9]*//')"
matches "CR_F comes before the file" "$(functions --sis-profile=p --sis-cr=CR_F)" \
	'CR_F dear: measured for the default metrics: --sis-cr'
matches "a filter does, too" "$(functions --sis-profile=p --sis-include=dear)" \
	'CR_F dear: measured for'
echo 'measure 0 0 dear a.c' >more
matches "of several files the last one holds" \
	"$(functions --sis-profile=p --sis-profile=more)" 'CR_F dear: measured'
build a a.c -O1 --sis-profile=p
run_alone 1 ./a
equal "the program prints the same" "$(cat run.out)" "$plain"
equal "find is measured" \
	"$(query '[.[] | select(.region == "find") | .calls] | add' regions "$EXP")" 300
equal "dear is not" "$(query '[.[] | select(.region == "dear")] | length' regions "$EXP")" 0

fails_to() { "$SISC" -O1 "--sis-profile=$1" -c a.c -o ignored.o 2>&1; }
matches "a missing file says what to do" "$(fails_to none)" \
	"^sisc: error: cannot open 'none': No such file or directory; for --sis-profile, 'sis-analyze suggest-regions"
printf 'leave 1 1 f a.c\nleave 1 x f a.c\n' >bad
matches "a wrong line has its place" "$(fails_to bad)" \
	"^bad:2:9: error: the time of a call is no number; a line is "
