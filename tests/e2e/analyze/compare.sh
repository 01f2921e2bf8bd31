# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze compare says which regions became slower between two builds, and whether the
# difference is noise.
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

source_file v1.c <<'END'
#include <unistd.h>
static void setup(void) { usleep(20000); }
static void solve(void) { for (int i = 0; i < 4; i++) usleep(10000); }
static void drop(void) { usleep(5000); }
int main(void) { setup(); solve(); drop(); return 0; }
END
source_file v2.c <<'END'
#include <unistd.h>

/* everything has moved, and solve() takes three times as long */
static void setup(void) { usleep(20000); }
static void check(void) { usleep(5000); }
static void solve(void) { for (int i = 0; i < 12; i++) usleep(10000); }
int main(void) { setup(); solve(); check(); return 0; }
END
mkdir old new && cp v1.c old/prog.c && cp v2.c new/prog.c
for version in old new; do
	(cd $version && "$SISC" --sis-cr=CR_P,CR_F -o prog prog.c) || give_up "$version builds"
	for k in 1 2 3; do
		run_alone 1 $version/prog
		analyze import "$EXP" --name $version$k >import.out
	done
done

# of REGION KEY [ARGUMENT...]
of() {
	region=$1 key=$2
	shift 2
	query ".[] | select(.region == \"$region\") | .$key" compare "$@"
}
OLD=old1,old2,old3 NEW=new1,new2,new3
equal "a slower region is named" "$(of solve verdict $OLD $NEW --regions)" slower
equal "not its caller, whose time is inside" \
	"$(of main verdict $OLD $NEW --regions --ignore-below 5%)" \
	same
equal "nor what is as it was" "$(of setup verdict $OLD $NEW --regions --ignore-below 5%)" same
equal "the program, too" "$(of program verdict $OLD $NEW --regions)" slower
equal "by how much" \
	"$(query '.[] | select(.region == "solve") |
		(.change > 1 and (.change - (.b - .a) / .a | fabs) < 1e-6)' compare $OLD $NEW \
		--regions)" \
	true
check "which is no noise" test \
	"$(query '[.[] | select(.region == "solve") | .p_value < 0.05][0]' compare $OLD $NEW \
		--regions)" = true
equal "faster the other way round" "$(of solve verdict $NEW $OLD --regions)" faster
equal "new regions and gone ones" \
	"$(of check verdict $OLD $NEW --regions) $(of drop verdict $OLD $NEW --regions)" \
	"new gone"
equal "repetitions are found" \
	"$(of solve runs_a old2 new1 --regions --repeats) $(of solve verdict old2 new1 --regions \
		--repeats)" \
	"3 slower"
equal "the order: the program, then the worst" \
	"$(query '[.[0, 1].region] | join(" ")' compare $OLD $NEW --regions)" \
	"program solve"
equal "a region that one side has not has no time there" \
	"$(of check a $OLD $NEW --regions) $(of drop b $OLD $NEW --regions)" \
	"null null"
one_error "a regression fails" 1 "above 5 %: program is [0-9.]+ % slower" \
	"$ANALYZE" compare $OLD $NEW --db "$T/sis.db" --fail-above 5%
matches "after the table" "$(cat error.out)" '^solve +prog.c:6 .* slower$'
check "a faster program does not" "$ANALYZE" compare $NEW $OLD --db "$T/sis.db" --fail-above 5%
check "nor one that is slower by less" "$ANALYZE" compare $OLD $NEW --db "$T/sis.db" \
	--fail-above 900%
one_error "one run each" 1 "above 10 %" \
	"$ANALYZE" compare old1 new1 --db "$T/sis.db" --fail-above 10
matches "of which the noise is not known" "$(cat error.out)" '^One run each: how much is noise'
equal "whose probability has no value" "$(of solve p_value old1 new1 --regions)" null
equal "nor may it fail, unlike the program" \
	"$(query 'map(select(.fails) | .region) | join(" ")' compare old1 new1 --fail-above 10 \
		2>/dev/null)" \
	program
equal "differences may be left out" \
	"$(of solve verdict $OLD $NEW --regions --ignore-below 500%)" \
	same
equal "without --regions the overheads, as ever" \
	"$(query '.[0] | keys | join(" ")' compare old1 new1)" \
	"experiment overhead seconds"

# -- what made the difference
matches "which one is slower" "$(analyze compare old1 new1)" \
	'^B is 0\.[0-9]+ s \([0-9.]+ %\) slower than A: T_p is 0\.[0-9]+ s, and 0\.[0-9]+ s in A\.$'
matches "or faster" "$(analyze compare new1 old1)" '^B is 0\.[0-9]+ s \([0-9.]+ %\) faster than A'
matches "the largest part first" \
	"$(analyze compare old1 new1 | grep -A 2 '^What made the difference' | tail -n 1)" \
	'^solve +prog.c:6 +useful work +0\.0[0-9]+ +0\.1[0-9]+ +0\.0[0-9]+ +[0-9.]+ %$'
matches "in per cent of T_p, as the whole" "$(analyze compare old1 new1 --regions)" \
	"^all: T_p .* $(analyze compare old1 new1 | sed -n 's/^B is [^(]*(\([^)]*\)).*/\1/p')$"
matches "how much is noise" "$(analyze compare $OLD $NEW)" \
	'^Noise alone makes such a difference with a probability of [0-9.]+ %\.$'
parts_add_up() { # parts_add_up WHAT A B [ARGUMENT...]: to the nanosecond
	what=$1 a=$2 b=$3
	shift 3
	equal "$what" \
		"$(query '[(map(.a), map(.b), map(.difference)) | map(. * 1e9 | round) | add] |
			map(tostring) | join(" ")' compare "$a" "$b" --parts "$@")" \
		"$(query "map({(.name): (.t_p * .p * 1e9 | round)}) | add |
			[.$a, .$b, .$b - .$a] | map(tostring) | join(\" \")" list)"
}
parts_add_up "parts add up" old1 new1
equal "also those of series" \
	"$(query 'map(.difference * 1e9 | round) | add' compare $OLD $NEW --parts)" \
	"$(query 'def mean(n): map(select(.name | startswith(n)) | .t_p) | add / length * 1e9;
		(mean("new") | round) - (mean("old") | round)' list)"
equal "ranked by seconds" \
	"$(query 'map(select(.overhead) | .difference | fabs) | . == (sort | reverse)' compare \
		old1 new1 --parts)" true
one_error "one list at a time" 2 "choose one list" \
	"$ANALYZE" compare old1 new1 --db "$T/sis.db" --parts --regions

one_error "three sides" 2 "compare two" "$ANALYZE" compare old1 old2 new1 --db "$T/sis.db" --regions
one_error "no percentage" 2 "'5x' is no percentage" \
	"$ANALYZE" compare old1 new1 --db "$T/sis.db" --fail-above 5x
one_error "one run on both sides" 1 "'old1' is on both sides" \
	"$ANALYZE" compare old1 old1 --db "$T/sis.db" --regions
one_error "a list with a hole" 1 "no experiment ''" \
	"$ANALYZE" compare old1, new1 --db "$T/sis.db" --regions
one_error "--ignore-below by itself" 2 "add --regions" \
	"$ANALYZE" compare old1 new1 --db "$T/sis.db" --ignore-below 1
