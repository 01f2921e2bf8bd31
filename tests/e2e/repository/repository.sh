# SPDX-License-Identifier: BSD-3-Clause
# Repositories as a whole: rm, gc, merge. A merged experiment equals an imported one.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <stdlib.h>
#include <unistd.h>
static void work(int n) { usleep(1000); if (n) work(n - 1); }
int main(int argc, char **argv)
{
	work(argc > 1 ? atoi(argv[1]) : 3);
	if (argc > 2)
		_Exit(0 * *argv[2]);
	return 0;
}
END
build prog prog.c --sis-cr=CR_P,CR_F --sis-pmetric=WTIME,CALLS,CTIME
sed 's/1000/2000/' prog.c >later.c && build later later.c --sis-cr=CR_P,CR_F
run_alone 1 ./prog 3
A=$EXP
run_alone 1 ./prog 4
B=$EXP
run_alone 1 ./later 2
C=$EXP
at() { database=$1 command=$2; shift 2; "$ANALYZE" "$command" --db "$T/$database.db" "$@"; }
count() { at "$1" sql "SELECT count(*) AS n FROM $2" --json | jq '.[0].n'; }
quiet() { "$@" >quiet.out 2>&1 || give_up "$*" quiet.out; }
quiet at one import "$A" --name a --set size=3
quiet at one import "$C" --name c
SIS_RECURSION=0 run_alone 1 ./prog 300
DEEP=$EXP
quiet at two import "$B" --name a
quiet at two import "$A" --name same
quiet at all import "$A" --name a --set size=3
quiet at all import "$C" --name c
quiet at all import "$B" --name a-2

# -- merge
equal "what is new comes, under a free name" \
	"$(at one merge two.db --json | jq -r '[.[].name] | join(" ")')" \
	"a-2"
equal "the rest stays" "$(at one list --json | jq -r '[.[].name] | sort | join(" ")')" "a a-2 c"
for table in version source_file code_region machine_fact physical_machine node experiment \
	experiment_fact processing_unit \
	drg_node region_summary metric overhead; do
	equal "as many rows as imported: $table" "$(count one $table)" "$(count all $table)"
done
for experiment in a a-2 c; do
	equal "the same regions: $experiment" \
		"$(at one regions $experiment --csv)" \
		"$(at all regions $experiment --csv)"
	equal "the same overheads: $experiment" \
		"$(at one overhead $experiment --csv)" \
		"$(at all overhead $experiment --csv)"
done
equal "and once more changes nothing" "$(at one merge two.db --json)$(count one experiment)" "[]3"
equal "into a new one" "$(at fresh merge one.db --json | jq length)" 3
equal "which has the facts" \
	"$(at fresh show a --json | jq -r '.[0].facts[0] | .key + .value')" \
	size3
equal "references hold" "$(at fresh sql 'SELECT * FROM pragma_foreign_key_check' --csv | wc -l)" 1

# -- the application that the user names holds for later runs of the build, too
quiet at app import "$A" --set application=other
quiet at app import "$B"
equal "all runs of a build are of one application" \
	"$(at app sql "SELECT DISTINCT a.name FROM experiment e JOIN version v
	ON v.id = e.version JOIN application a ON a.id = v.application" --csv | tail -n +2)" other
quiet at app import "$B" --set application=third
equal "and stay so" "$(at app sql "SELECT DISTINCT a.name FROM experiment e JOIN version v
	ON v.id = e.version JOIN application a ON a.id = v.application" --csv | tail -n +2)" third

# -- a question about one experiment does not read all of them: n, o, d, u, m, c are tables of what
# was measured
for view in overhead_leaf_by_pu overhead_by_pu overhead_tree overhead_by_node overhead_by_source \
	wait_cause summary sensor_rate; do
	plan=$(at all sql "EXPLAIN QUERY PLAN SELECT * FROM $view WHERE experiment = 1" --csv)
	matches "$view finds its rows" "$plan" 'SEARCH .*experiment='
	lacks "$view reads only those" "$plan" 'SCAN (n|o|d|u|m|c|sensor)( |$)'
done

# -- rm
equal "rm says what it took" "$(at one rm a a-2 --json | jq -r '[.[].name] | join(" ")')" "a a-2"
equal "the other stays as it was" "$(at one regions c --csv)" "$(at all regions c --csv)"
equal "nothing of them is left" \
	"$(count one experiment) $(count one version) $(count one experiment_fact)" \
	"1 1 0"
one_error "one that is not there: none goes" 1 "no experiment 'b'" \
	"$ANALYZE" rm c b --db "$T/one.db"
equal "(none)" "$(count one experiment)" 1
one_error "rm without a name" 2 "rm: no experiments" "$ANALYZE" rm --db "$T/one.db"
check "the directory stays" test -d "$A"

# -- gc
quiet at one import "$DEEP" --name deep
quiet at one rm deep
equal "gc makes the file smaller" \
	"$(at one gc --json | jq '.[0] | .experiments == 0 and .bytes_after < .bytes_before')" \
	true
SIS_OUTPUT=$T/killed ./prog 300 &
sleep 0.1
kill -9 $! && wait $! 2>/dev/null
quiet at one import killed --name killed
equal "an incomplete one stays, unless it is asked for" \
	"$(at one gc --json | jq '.[0].experiments')$(at one gc --incomplete --json |
	jq '.[0].experiments')$(count one experiment)" 011
one_error "nothing to collect" 1 "no repository '.*nowhere.db'" "$ANALYZE" gc --db "$T/nowhere.db"
check "and none is made" test ! -e nowhere.db

# -- what cannot be merged
one_error "no such repository" 1 "cannot open repository './none.db'" \
	"$ANALYZE" merge ./none.db --db "$T/one.db"
one_error "no repository" 1 "repository 'prog.c': file is not a database" \
	"$ANALYZE" merge prog.c --db "$T/one.db"
one_error "itself" 1 "is the repository itself" "$ANALYZE" merge ./one.db --db "$T/one.db"
one_error "no name" 2 "merge: no repository" "$ANALYZE" merge --db "$T/one.db"
cp two.db later.db && printf "\0\0\0\115" | dd of=later.db bs=1 seek=60 conv=notrunc 2>dd.err
one_error "one of a later version" 1 \
	"has version 77, not $(sed -n "s/.*REPOSITORY_VERSION //p" \
		"$TOP/schema/repository_version.h")" "$ANALYZE" merge later.db --db "$T/one.db"
equal "nothing came of it" "$(count one experiment)" 1

# -- names that SQLite gives another meaning: nothing would be kept
for name in '' :memory: 'file:x?mode=memory' FILE:x; do
	one_error "--db '$name': import" 2 "^sis-analyze: error: --db '?.*; " \
		"$ANALYZE" import "$A" --db "$name"
	one_error "--db '$name': list" 2 "^sis-analyze: error: --db '?.*; " \
		"$ANALYZE" list --db "$name"
done
check "a file may have such a name" "$ANALYZE" import "$A" --db './file:x?mode=memory'
equal "... and keeps what is imported" \
	"$("$ANALYZE" list --db './file:x?mode=memory' --json | jq length)" 1

# -- names: that of a directory that the user named, else the program and a number
mkdir named && cd named || exit 1
named() { "$ANALYZE" "$@" --json | jq -r '.[-1].name'; }
unset SIS_OUTPUT
../prog 1 >/dev/null
SIS_OUTPUT=size-1024 ../prog 2 >/dev/null
SIS_OUTPUT=16 ../prog 3 >/dev/null
equal "a default directory" "$(named import sis-prog-*)" prog-1
equal "SIS_OUTPUT gives the name" "$(named import size-1024)" size-1024
equal "a number does not" "$(named import 16)" prog-2
equal "--name comes first" "$(named import 16 --name mine)" mine
rm -r size-1024
SIS_OUTPUT=size-1024 ../prog 5 >/dev/null
equal "a directory is what is in it, not what was there" \
	"$("$ANALYZE" show size-1024 --json | jq -r '.[0] | .name + ": " + .command')" \
	"size-1024-2: ../prog 5"
equal "list: names and arguments" \
	"$("$ANALYZE" list --json | jq -r '.[] | .name + ": " + .command')" "prog-1: ../prog 1
size-1024: ../prog 2
mine: ../prog 3
size-1024-2: ../prog 5"
matches "list: directories as seen from here" "$("$ANALYZE" list)" \
	'^ 4  size-1024-2 .*  \.\./prog 5  size-1024$'
equal "list: directories in JSON" "$("$ANALYZE" list --json | jq -r '.[3].dir')" \
	"$T/named/size-1024"
