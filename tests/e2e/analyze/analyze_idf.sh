# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze idf shows the description of programs, objects, archives and experiments beside the
# source.
. "$(dirname "$0")/../lib.sh"

mkdir inc sub
cp "$HERE/loops.h" inc
source_file sub/part.c <<'END'
#include "../inc/loops.h"
int part(int n)
{
	int s = 1;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			s ^= i + j;
	return s + sum(n);
}
END
source_file main.c <<'END'
#include <stdio.h>
#include "inc/loops.h"
int part(int);
int main(int argc, char **argv)
{
	(void)argv;
#pragma sis cr whole pmetric WTIME, CTIME begin
	int s = part(10) + sum(10);
#pragma sis end cr whole
	if (argc > 9)
		return 3;
	printf("%d\n", s);
	return 0;
}
END
FLAGS="--sis-cr=CR_P,CR_F,CR_L -O1"
"$SISC" $FLAGS -c main.c || give_up "main.c compiles"
(cd sub && "$SISC" $FLAGS -c part.c) || give_up "part.c compiles"
ar rc libpart.a sub/part.o
build prog main.o libpart.a

# one_line FILTER COMMAND...: a string per line, joined
joined() { filter=$1; shift; "$ANALYZE" idf --json "$@" | jq -r "[$filter] | join(\" \")"; }
WHOLE='.[] | select(.name == "whole")'
equal "a region's fields" \
	"$(joined "$WHOLE | .id, .type, .file, .unit, .line_start, .column_start, .line_end, .column_end, .entries, .exits" \
		prog)" \
	"$(jq -r '[.units[].regions[] | select(.name == "whole") | .id, .type, .file, .unit,
		.line_start, .column_start,
	.line_end, .column_end, .aux.entries, .aux.exits] | join(" ")' prog.idf)"
equal "its metrics" "$(joined "$WHOLE | .metrics[]" prog)" "WTIME CTIME"
equal "its key" "$(joined "$WHOLE | .key" prog)" "main.c:main:CR_A:whole:0"
equal "its parent" "$(joined "(.[] | select(.name == \"main\") | .id), ($WHOLE | .parent)" prog |
	awk '{ print $1 == $2 }')" 1
equal "as many regions as in the file beside it" "$("$ANALYZE" idf prog --json | jq length)" \
	"$(jq '[.units[].regions[]] | length' prog.idf)"
SAME='.[] | [.source, .id, .key] | @tsv'
equal "the program says what the file says" "$("$ANALYZE" idf prog --json | jq -r "$SAME")" \
	"$("$ANALYZE" idf prog.idf --json | jq -r "$SAME")"
equal "an object has its own unit" "$(joined '.[].source' main.o | tr ' ' '\n' | sort -u)" main.c
equal "an archive has its members'" \
	"$(joined '.[].source' libpart.a | tr ' ' '\n' | sort -u)" \
	part.c
run_alone 1 ./prog
equal "an experiment's is the program's" "$("$ANALYZE" idf "$EXP" --json | jq -r "$SAME" | sort)" \
	"$("$ANALYZE" idf prog --json | jq -r "$SAME" | sort)"
analyze import "$EXP" --name base >import.out
equal "also by its name" \
	"$(analyze idf base --json | jq length)" \
	"$("$ANALYZE" idf prog --json | jq length)"
equal "--type takes a group" "$(joined '.[].type' prog --type CR_L | tr ' ' '\n' | sort -u)" CR_FOR
equal "--unit" "$(joined '.[].unit' prog --unit main | tr ' ' '\n' | sort -u)" main
equal "--csv has a line a region and a head" "$("$ANALYZE" idf prog --csv | wc -l)" \
	$(($("$ANALYZE" idf prog --json | jq length) + 1))
matches "the table" \
	"$("$ANALYZE" idf prog)" \
	'^ *[0-9]+  whole +CR_A +main.c:7:1-9:[0-9]+ +main +WTIME,CTIME'

# -- beside the source
"$ANALYZE" idf prog --source >drawn
matches "the file is the one compiled" "$(cat drawn)" '/main\.c: as it was compiled$'
matches "a label in the margin" "$(cat drawn)" '^ +\| \+ +whole CR_A 7:1-9:24 pmetric WTIME,CTIME$'
matches "its last line" "$(cat drawn)" '^ +9 \| \+ +#pragma sis end cr whole$'
matches "a loop in a loop" "$(cat drawn)" '^ +7 \| \+ \+ [[:space:]]+s .= i \+ j;$'
numbers() { awk '/^ *[0-9]+ / { print file, $1 } /^\// { file = $0 }' "$1"; }
equal "every line once" "$(numbers drawn | sort | uniq -d)" ""
echo "/* later */" >>main.c
equal "a changed file is named" \
	"$(joined '.[] | select(.source == "main.c" and .file == "main.c") | .state' prog |
	tr ' ' '\n' | sort -u)" changed
matches "and not shown" \
	"$("$ANALYZE" idf prog --source)" \
	'/main\.c: changed since it was compiled; [0-9]+ regions not shown'
rm main.c
matches "nor one that is gone" "$("$ANALYZE" idf prog --source)" '/main\.c: absent'

# -- files that are no descriptions
one_error "no such file" 1 "cannot open './none'" "$ANALYZE" idf ./none
one_error "no experiment either" 1 "no experiment 'none'" "$ANALYZE" idf none --db "$T/sis.db"
one_error "a source file" 1 "neither a program" "$ANALYZE" idf inc/loops.h
one_error "a program of another compiler" 1 "holds no description" "$ANALYZE" idf "$(command -v sh)"
one_error "an unknown type" 2 "unknown type 'CR_FRO'; did you mean CR_FOR" \
	"$ANALYZE" idf prog --type CR_FRO
head -c 2000 prog >cut
one_error "a program cut short" 1 "cut: its sections cannot be read" "$ANALYZE" idf cut
head -c 300 prog.idf >cut.idf
one_error "a description cut short" 1 "cut.idf: .*ends too early" "$ANALYZE" idf cut.idf
sed 's/"sis_idf":1/"sis_idf":2/' prog.idf >later.idf
one_error "one of a later version" 1 "later.idf: a description of version 2" \
	"$ANALYZE" idf later.idf
sed 's/"id":1,/"id":77,/' prog.idf >ids.idf
one_error "ids out of range" 1 "ids.idf: .*no proper id" "$ANALYZE" idf ids.idf
