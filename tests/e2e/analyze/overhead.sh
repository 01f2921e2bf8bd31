# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze overhead, restricted to regions, call paths, processes and threads, in combinations.
# The same time is counted in several ways, and the sums agree.
. "$(dirname "$0")/../lib.sh"

# same WHAT FILE FILE: lines "KEY SECONDS" in any order; those that one file lacks are 0. Each
# number of the tree is rounded to a nanosecond, and a sum has some dozens of them.
same() {
	verdict=$(awk -F '\t' '
		FNR == NR { a[$1] += $2; keys[$1]; next }
		{ b[$1] += $2; keys[$1] }
		END {
			for (k in keys) {
				n++
				d = a[k] - b[k]
				if (d > 2e-7 || -d > 2e-7) printf "%s: %.9f, %.9f; ", k, a[k], b[k]
			}
			if (n < 2) printf "only %d numbers", n
		}' "$2" "$3")
	equal "$1" "$verdict" ""
}
by_overhead='.[] | [.overhead, .seconds] | @tsv'
by_node='.overheads | to_entries[] | [.key, .value] | @tsv'
# divided N: the lines with their seconds divided by it
divided() { awk -F '\t' -v n="$1" '{ printf "%s\t%.12f\n", $1, $2 / n }'; }

# agree WHAT: the sums of $EXP
agree() {
	query "$by_node" overhead "$EXP" >tree
	p=$(query .p overhead "$EXP")
	query "$by_overhead" overhead "$EXP" --region program >all
	same "$1: inclusive of the program is the tree" all tree
	for node in OTOTAL OSYNC OCTRL OLOSS; do
		query "$by_overhead" overhead "$EXP" --overhead $node
	done >all
	grep -E '^(OTOTAL|OSYNC|OCTRL|OLOSS)	' tree >some
	same "$1: exclusive of all regions is the tree" all some

	query '[.[] | "\(.file):\(.line_start)"] | unique[] | select(. != ":0")' overhead "$EXP" \
		--overhead OTOTAL >places
	while read -r place; do
		query "$by_overhead" overhead "$EXP" --exclusive --region "$place"
	done <places >all
	query '.[] | select(.line_start == 0) | .region' overhead "$EXP" --overhead OTOTAL >others
	while read -r region; do
		query "$by_overhead" overhead "$EXP" --exclusive --region "$region"
	done <others >>all
	same "$1: so it is, one region at a time" all tree

	query '.[] | "\(.process).\(.thread)"' overhead "$EXP" --by-pu --overhead OTOTAL >units
	while read -r pu; do
		query "$by_node" overhead "$EXP" --pu "$pu"
	done <units | divided "$p" >all
	same "$1: all processing units, divided by p, are the tree" all tree
	query "$by_overhead" overhead "$EXP" --by-pu --region program |
		divided "$p" >all
	same "$1: so they are with a region" all tree
	query "$by_node" overhead "$EXP" \
		--pu "$(tr '\n' ',' <units | sed 's/,$//')" >all
	same "$1: all processing units, named one by one" all tree
	query "$by_overhead" overhead "$EXP" --explain OTOTAL |
		awk -F '\t' -v p="$p" '{ printf "OTOTAL\t%.12f\nothers\t0\n", $2 / p }' >all
	printf 'others\t0\n' | cat - some | grep -E '^(OTOTAL|others)' >one
	same "$1: so is the explanation of all" all one
}

for program in "two_phases 2 1" "hybrid_inside 2 2" "tasks 1 2" "critical 1 2"; do
	# shellcheck disable=SC2086
	set -- $program
	flags=$(sed -n 's,^/\* build: \(.*\) \*/$,\1,p' "$E2E/known/$1.c")
	cp "$E2E/known/$1.c" "$E2E/known/known.h" .
	# shellcheck disable=SC2086
	build "$1" "$1.c" -O1 $flags
	run "$2" "$3" "./$1"
	agree "$1"
done

# A program with a sequential run: what that explains belongs to regions, too.
source_file nap.c <<'END'
#include <unistd.h>
#ifndef PARTS
#define PARTS 1
#endif
static void setup(void) { usleep(20000); }
static void part(void) { usleep(40000 / PARTS); }
static void deep(int n) { if (n) deep(n - 1); else part(); }
int main(void)
{
	setup();
#pragma omp parallel num_threads(PARTS)
	{
		setup();
		deep(3);
	}
	part();
#pragma sis measure disable
	usleep(5000); /* neither in T_s nor in T_p */
#pragma sis measure enable
	return 0;
}
END
build seq nap.c --sis-cr=CR_P,CR_F
build par nap.c -DPARTS=2 -fopenmp --sis-cr=CR_P,CR_F,CR_OMP
run_alone 1 ./seq
analyze import "$EXP" --name seq --role seq --set application=nap >import.out
run_alone 2 ./par
analyze import "$EXP" --name par --set application=nap >import.out
matches "with a sequential run" "$(query '.t_s | tostring' overhead par)" '^0\.'
query "$by_node" overhead par >tree
query "$by_overhead" overhead par --region program >all
# the tree has its T_s and T_p rounded, too
same "a sequential run: inclusive of the program is the tree" all tree
equal "T_i is all but what is not identified" \
	"$(query '.t_i - (.overheads.OTOTAL - .overheads.OUNID) | fabs < 1e-6' overhead par)" true
matches "and a row of the tree" "$(analyze overhead par)" \
	"^total identified +$(printf %.6f "$(query .t_i overhead par)") .* all but OUNID"
equal "it is not known of some processing units" \
	"$(query '[.t_s, (.not_computed.OUNID | length > 0)] | tostring' overhead par --pu 0.0)" \
	"[null,true]"

# -- names of regions and call paths
# of R [ARGUMENT...]: the regions of the list, each once
of() {
	region=$1
	shift
	query '[.[] | .path // .region] | unique | join(" ")' overhead par --region "$region" "$@"
}
total() {
	region=$1
	shift
	query '[.[] | select(.overhead == "OTOTAL") | .seconds * 1e9 | round] | add // 0' overhead \
		par --region "$region" "$@"
}
equal "a name" "$(of part)" part
equal "a name and its line" "$(of part@6)" part
equal "a file and line" "$(of nap.c:6)" part
equal "a call path" "$(of 'main > part')" main/part
equal "the end of another one, which is recursive" "$(of 'deep > part')" \
	"main/omp parallel@11/deep/part"
equal "with the separator of --json" "$(of 'omp parallel@11/deep/part')" \
	"main/omp parallel@11/deep/part"
equal "a name without its line" "$(of 'omp parallel')" "omp parallel@11"
# without what the sequential run explains, which is known by region
equal "both call paths are the region" \
	"$(($(total 'main > part' --pu 0.0) + $(total 'deep > part' --pu 0.0)))" \
	"$(total part --pu 0.0)"
equal "a recursive region counts once" \
	"$(query '[.[] | select(.region == "deep") | .seconds] | length' overhead par --overhead \
		OTOTAL --inclusive)" 1
matches "text names the call path" "$(analyze overhead par --region 'main > part')" \
	'^main > part +nap.c +6 +OTOTAL'
cat >twice.c <<'END'
static void f(void) { for (int i = 0; i < 9; i++) __asm__ volatile(""); }
int main(void)
{
	for (int i = 0; i < 2; i++) f();
	for (int i = 0; i < 2; i++) f();
	return 0;
}
END
build twice twice.c --sis-cr=CR_P,CR_F,CR_L
run_alone 1 ./twice
matches "an ambiguous name" "$(analyze overhead "$EXP" --region for)" \
	"^3 regions are named 'for'; NAME@LINE"
matches "an ambiguous call path" "$(analyze overhead "$EXP" --region 'for > f')" \
	"^2 call paths end in 'for > f'"
lacks "one that is not" "$(analyze overhead "$EXP" --region 'for@4 > f')" 'call paths end'

# -- combinations: the value of one overhead, in one call path, of one thread
one() { query '.[] | [.region, .overhead, (.seconds | tostring)] | join(" ")' overhead "$@"; }
equal "a region, a processing unit and an overhead: one number" \
	"$(one par --region setup --pu 0.1 --overhead osync)" "setup OSYNC 0"
matches "of the initial thread" "$(one par --region main --pu 0.0 --overhead OTOTAL)" \
	'^main OTOTAL 0\.'
equal "of all threads, each with its own" \
	"$(query '[.[] | "\(.process).\(.thread) \(.region) \(.overhead)"] | join(", ")' overhead \
		par --region main --overhead OTOTAL --by-pu)" "0.0 main OTOTAL, 0.1 main OTOTAL"
equal "only one thread of all processes" \
	"$(query '[.[] | "\(.process).\(.thread)"] | unique | join(" ")' overhead par --by-pu \
		--pu '*.1')" "0.1"
equal "a process has all its threads" "$(query .processing_units overhead par --pu 0)" 2
equal "where an overhead arises in a region, on a processing unit" \
	"$(query '[.[] | "\(.process).\(.thread) \(.region)"] | unique | join(", ")' overhead par \
		--explain OLOSS --region setup --pu 0.1 )" "0.1 setup"
for format in "" --csv; do
	check "as text or CSV $format" analyze overhead par --region main --pu 0 --by-pu $format
done

refused() { # refused WHAT STATUS PATTERN ARGUMENT...
	what=$1 status=$2 pattern=$3
	shift 3
	one_error "$what" "$status" "$pattern" "$ANALYZE" overhead par --db "$T/sis.db" "$@"
}
refused "an unknown region" 1 "no region 'prat'.* did you mean 'part'" --region prat
refused "an unknown region of a call path" 1 "no region 'mian'.* did you mean 'main'" \
	--region 'mian > part'
refused "a call path that is none" 1 "no call path ends in 'setup > part'" --region 'setup > part'
refused "an unknown processing unit" 1 'no processing unit 3.0 .* lists them' --pu 0,3.0
refused "what is no processing unit" 2 "'0.x' names no processing units; write" --pu 0.x
refused "both extents" 2 'at once; choose one' --region part --inclusive --exclusive
refused "an extent of nothing" 2 'is for regions; name one' --pu 0 --inclusive
refused "two overheads" 2 'answer different questions' --explain OSYNC --overhead OSYNC
