# SPDX-License-Identifier: BSD-3-Clause
# The instrumentation description: valid by its schema, merged from what is linked, with keys
# that do not change between builds.
. "$(dirname "$0")/../lib.sh"

valid() { # valid WHAT FILE
	equal "$1" \
		"$(jq -r --slurpfile schema "$TOP/schema/idf.schema.json" -f "$HERE/idf_schema.jq" \
			"$2" 2>&1)" \
		""
}
regions() { jq -r '[.units[].regions[] | .name] | sort | join(" ")' "$1"; } # regions FILE
sources() { jq -r '[.units[].source] | sort | join(" ")' "$1"; }

source_file all.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int f(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		while (s < i)
			s++;
	for (int i = 0; i < n; i++)
		s += i;
	if (s > 3)
		return s;
	return 0;
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
#pragma sis cr part, CR_OMP pmetric L2_TCM, ODATA_SEND, PAPI(perf::CYCLES) begin
#pragma omp parallel for
	for (int i = 0; i < 3; i++)
		f(i);
	puts("\"quotes\", \\ and\ttabs");
#pragma sis end cr
	return MPI_Finalize();
}
END
all=$("$SISC" --sis-list | awk '/^metrics:/ { exit }
	/^ +CR_/ { printf "%s%s", comma, $1; comma = "," }')
"$SISC" -fopenmp -DTEXT='"a \"b\""' --sis-cr="$all" all.c -o all 2>all.err ||
	give_up "all.c" all.err
valid "everything of one file" all.idf
equal "Table I: no field is empty" \
	"$(jq -r '.units[].regions[] | select([.type, .file, .unit, .name, .key] | any(. == ""))' \
		all.idf)" \
	""
equal "extents are extents" \
	"$(jq -r '.units[].regions[] |
		select([.line_start, .column_start] > [.line_end, .column_end])' all.idf)" \
	""
equal "ids are dense" "$(jq -c '.units[0].regions | [.[].id] == [range(length)]' all.idf)" true
equal "parents come first" "$(jq -c '[.units[0].regions[] | .aux.parent < .id] | all' all.idf)" true
equal "the named region" "$(jq -c '.units[0].regions[] | select(.type == "CR_A") |
	[.name, .unit, .line_start, .line_end, .metrics, .key, .aux.entries]' all.idf)" \
	'["part","main",18,23,["L2_TCM","ODATA_SEND","PAPI(perf::CYCLES)"],"all.c:main:CR_A:part:0",1]'
equal "a call's routine" \
	"$(jq -r '.units[0].regions[] | select(.type == "CR_MPIINIT") | .aux.callee' all.idf |
		sort -u | tr '\n' ' ')" \
	"MPI_Finalize MPI_Init "
equal "all regions of a function have its checksum" \
	"$(jq -r '.units[].regions | group_by(.unit) | .[] | [.[].tokens] | unique |
		select(length != 1 or (.[0] | test("^[0-9a-f]{16}([.][0-9a-f]{16}){0,2}$") | not))' \
		all.idf)" \
	""
matches "the flags that choose the code" "$(jq -r '.units[].build' all.idf)" \
	"^[a-z]+ [0-9].* -O0 -fopenmp$"
unique='[.units[] | [.regions[].key] | length == (unique | length)] | all'
equal "keys are unique" "$(jq "$unique" all.idf)" true
latin=$(printf 'gr\303\274n\374.c')
cp all.c "$latin"
check "a file whose name is no UTF-8" "$SISC" -w "$latin" -o latin
valid "is described as well" latin.idf

# -- keys do not change
keys() { jq '[.units[].regions[] | .key] | sort' "$1"; }
keys all.idf >keys.first
"$SISC" -fopenmp -DTEXT='"a \"b\""' --sis-cr="$all" all.c -o again 2>all.err
equal "another build writes the same" \
	"$(jq 'del(.program)' again.idf)" \
	"$(jq 'del(.program)' all.idf)"
{ # lines, comments, other functions before and after
	echo '/* a comment'
	echo '*/ extern int before(int); int before(int n) { for (int i = 0; i < n; i++) n -= i; return n; }'
	sed 's/^static int f/\n\n&/; s/s += i/s  +=  i \/* more *\//' all.c
	echo 'int after(int n); int after(int n) { while (n) n--; return n; }'
} >edited.c
mkdir old && mv all.c old && mv edited.c all.c
"$SISC" -fopenmp --sis-cr="$all" all.c -o edited 2>all.err || give_up "edited all.c" all.err
keys edited.idf >keys.edited
equal "no key is lost by edits elsewhere" \
	"$(jq -n --slurpfile a keys.first --slurpfile b keys.edited '$a[0] - $b[0]' -c)" \
	"[]"

# -- merged from what is linked
for name in used unused other part; do
	echo "int $name(int n); int $name(int n) { while (n > 1) n--; return n; }" >"$name.c"
	"$SISC" --sis-cr=CR_F -fPIC -c "$name.c" || give_up "$name.c"
done
echo 'int used(int); int other(int); int main(void) { return used(1) + other(1) - 2; }' >main.c
ar rc libboth.a used.o unused.o
build program main.c libboth.a other.o
equal "an archive's members that are linked" "$(sources program.idf)" "main.c other.c used.c"
valid "merged" program.idf
ar rcT thin.a used.o unused.o
build thin main.c thin.a other.o
equal "a thin archive's" "$(sources thin.idf)" "main.c other.c used.c"
build search main.c -L. -lboth other.o
equal "one that -l finds" "$(sources search.idf)" "main.c other.c used.c"
"$SISC" -r used.o other.o -o partial.o || give_up "sisc -r"
build partial main.c partial.o
equal "a partial link's" "$(sources partial.idf)" "main.c other.c used.c"
check "a shared library" "$SISC" -shared used.o part.o -o libshared.so
equal "has its own" "$(regions libshared.so.idf)" "part used"
build shared main.c other.o -L. -lshared -Wl,-rpath,.
equal "which is not the program's" "$(sources shared.idf)" "main.c other.c"
build collected main.c libboth.a other.o -Wl,--gc-sections -ffunction-sections
equal "garbage collection keeps it" "$(sources collected.idf)" "main.c other.c used.c"
build optimized -flto main.c used.c other.c
equal "link-time optimization does" "$(sources optimized.idf)" "main.c other.c used.c"
build stripped main.c libboth.a other.o -s
equal "stripping does" "$(sources stripped.idf)" "main.c other.c used.c"
run_alone 1 ./stripped
equal "and the run has it" \
	"$(query '[.[] | select(.type | test("^CR_")) | .region] | unique | join(" ")' regions \
		"$EXP")" \
	"main other used"
rm -f ./*.idf
build nowhere main.c libboth.a other.o --sis-idf=elsewhere.json
valid "where --sis-idf says" elsewhere.json
"$SISC" main.c libboth.a other.o -o quiet --sis-idf=/nonexistent/x 2>quiet.err
equal "a description that cannot be written is a warning" \
	"$?$(grep -c "^sisc: warning: cannot create '/nonexistent/x'" quiet.err)" \
	01

# -- the same source gives the same object, at any time and in any directory
mkdir -p here there/deep
for place in here there/deep; do
	cp used.c "$place"
	(cd "$place" && "$SISC" -g -O2 -ffile-prefix-map="$PWD"=. -c used.c -o relative.o &&
		cp relative.o once.o &&
	 "$SISC" -g -O2 -ffile-prefix-map="$PWD"=. -c "$PWD/used.c" -o absolute.o &&
	 "$SISC" -g -O2 -ffile-prefix-map="$PWD"=. -c used.c -o relative.o)
done
check "built again: the same object" cmp here/once.o here/relative.o
check "built elsewhere: the same object" cmp here/relative.o there/deep/relative.o
check "built elsewhere, by its absolute name: the same object" cmp here/absolute.o \
	there/deep/absolute.o
lacks "the object does not show where" "$(strings -a here/absolute.o)" "$T"

# A header has one name, however it is included.
source_file twice.h <<'END'
static int NAME(int n) { return n + 1; }
#undef NAME
END
source_file ways.c <<'END'
#define NAME first
#include "twice.h"
#define NAME second
#include ".//twice.h"
int main(void) { return first(0) - second(0); }
END
build ways ./ways.c --sis-cr=CR_F
equal "u.h and ./u.h are one file" \
	"$(jq -r '.units[0] | [.source, (.files[] | .file), (.regions[] | .file)] |
		unique | join(" ")' ways.idf)" "twice.h ways.c"
equal "u.h and ./u.h: its checksum is there once" "$(jq '.units[0].files | length' ways.idf)" 1
