# SPDX-License-Identifier: BSD-3-Clause
# Lines of a source are shown only if its recorded checksum matches: the description of another
# user may name any file that the reader can open.
. "$(dirname "$0")/../lib.sh"

mkdir inc
cp "$HERE/loops.h" inc
source_file body.inc <<'END'
	for (int i = 0; i < 9; i++)
		x += sum(i);
END
source_file gram.y <<'END'
int from_grammar(int n)
{
	for (int i = 0; i < 5; i++)
		n += i;
	return n;
}
END
source_file main.c <<'END'
#include <sis/sis.h>
#include "inc/loops.h"
int from_grammar(int);
int main(void)
{
	volatile int x = 0;
	SIS_REGION_BEGIN(by_hand);
#include "body.inc"
	SIS_REGION_END(by_hand);
	return from_grammar(x) < 0;
}
END
{ echo '#line 1 "gram.y"' && cat gram.y; } >gram.c
build prog main.c gram.c --sis-cr=CR_P,CR_F,CR_L -O1
run_alone 1 ./prog

# shown FILE DESCRIPTION: what idf --source says of it and how many of its lines it draws
shown() {
	"$ANALYZE" idf "$2" --source >drawn 2>&1
	awk -v file="$1" '/^[^ ].*: / { mine = index($0, "/" file ": "); if (mine) said = $0; next }
		mine && /^ *[0-9]+ / { n++ }
		END {
			sub(/^.*: /, "", said)
			sub(/[0-9]+ regions/, "N regions", said)
			print said "|" n + 0
		}' drawn
}
# states DESCRIPTION: the files and the state of each
states() { "$ANALYZE" idf "$1" --json | jq -r 'map("\(.file) \(.state)") | unique | join(", ")'; }

# -- every source that sisc compiled has a checksum, also that of an included file
ALL="body.inc unchanged, gram.y unchanged, inc/loops.h unchanged, main.c unchanged"
equal "of a program" "$(states prog)" "$ALL"
equal "of its description" "$(states prog.idf)" "$ALL"
"$SISC" --sis-cr=CR_F,CR_L -O1 -c main.c -o main.o
equal "of an object" "$(states main.o)" \
	"body.inc unchanged, inc/loops.h unchanged, main.c unchanged"
equal "of an experiment" "$(states "$EXP")" "$ALL"
equal "a header is drawn" "$(shown inc/loops.h prog)" "as it was compiled|7"
equal "an included body is drawn" "$(shown body.inc prog)" "as it was compiled|2"
equal "what #line names is drawn" "$(shown gram.y prog)" "as it was compiled|6"
equal "the main file is drawn" "$(shown main.c "$EXP")" "as it was compiled|9"
equal "with the region by hand" "$(grep -c 'by_hand CR_' drawn)" 1

# -- files that changed since are not shown
WITHHELD="changed since it was compiled; N regions not shown, build again|0"
cp inc/loops.h loops.h && echo '/* secret */' >>inc/loops.h
equal "a header that changed" "$(shown inc/loops.h prog)" "$WITHHELD"
equal "of an experiment, too" "$(shown inc/loops.h "$EXP")" "$WITHHELD"
equal "and it is said" "$(states prog)" \
	"body.inc unchanged, gram.y unchanged, inc/loops.h changed, main.c unchanged"
rm inc/loops.h && ln -s ../loops.h inc/loops.h
equal "a link to the same text is drawn" "$(shown inc/loops.h prog)" "as it was compiled|7"
echo '/* secret */' >other && ln -sf ../other inc/loops.h
equal "a link to another is not" "$(shown inc/loops.h prog)" "$WITHHELD"
rm inc/loops.h
equal "one that is gone" "$(shown inc/loops.h prog)" \
	"absent, or cannot be read; N regions not shown|0"
mkfifo inc/loops.h
equal "a pipe" "$(states prog | tr , '\n' | grep loops.h)" " inc/loops.h irregular"
equal "is not waited for" "$(shown inc/loops.h prog)" "not a regular file; N regions not shown|0"
rm inc/loops.h && mkdir inc/loops.h
equal "a directory" "$(shown inc/loops.h prog)" "not a regular file; N regions not shown|0"
rmdir inc/loops.h && ln -s /dev/zero inc/loops.h
equal "a device" "$(shown inc/loops.h prog)" "not a regular file; N regions not shown|0"
rm inc/loops.h && truncate -s 1T inc/loops.h
equal "a file that fills the memory" "$(shown inc/loops.h prog)" \
	"larger than 64 MiB; N regions not shown|0"
rm inc/loops.h && mv loops.h inc/loops.h

# -- a hostile description: a file that was never its source
echo 'top secret, line one' >secret
# hostile NAME FILTER: a description where the regions of inc/loops.h lie in ./secret, and more
hostile() {
	jq "(.units[].regions[] | select(.file == \"inc/loops.h\")) |= (.file = \"./secret\" |
		.line_start = 1 | .line_end = 1 | .column_end = 3) | $2" prog.idf >"$1.idf"
	"$ANALYZE" idf "$1.idf" --source >drawn 2>&1
}
hostile none '.'
lacks "without a checksum of it" "$(cat drawn)" 'top secret'
matches "it is said" "$(cat drawn)" \
	'/secret: no checksum of it was recorded; [0-9]+ regions not shown'
hostile empty '.units[].files = [{"file": "./secret", "checksum": ""}]'
lacks "with an empty one" "$(cat drawn)" 'top secret'
hostile wrong '.units[].files = [{"file": "./secret", "checksum": "0123456789abcdef"}]'
lacks "with a wrong one" "$(cat drawn)" 'top secret'
matches "it has changed then" "$(cat drawn)" '/secret: changed since it was compiled'
hostile main '.units[].source = "./secret" | .units[].checksum = ""'
lacks "as the unit's main file" "$(cat drawn)" 'top secret'
hostile absolute ".units[].regions[].file = \"$T/secret\""
lacks "by its absolute path" "$(cat drawn)" 'top secret'
hostile types '.units[].files = [{"file": 7}, 3, null, {"checksum": "x"}] | .units[0].checksum = 9'
lacks "with nonsense for checksums" "$(cat drawn)" 'top secret'

# -- the same for the report, whose regions come from the repository
source_file late.c <<'END'
#include <mpi.h>
#include <time.h>
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	nanosleep(&(struct timespec){0, rank * 200000000}, 0);
	MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build late late.c -O1
analyze import "$EXP" --name base >import.out 2>&1 || give_up "prog is imported" import.out
run 2 1 ./late
analyze import "$EXP" --name late >import.out 2>&1 || give_up "late is imported" import.out
matches "the report shows the line" "$(analyze report late)" '>     9 \|.*MPI_Bcast'
equal "the repository has checksums of headers" "$(query '[.[].n] | @csv' sql "SELECT count(*) AS n
	FROM source_file WHERE path IN ('main.c', 'body.inc', 'gram.y', 'inc/loops.h')
	AND length(checksum) = 16")" 4
analyze export late --format xml >late.xml
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "top secret, line $i"; done >secret
# reported WHAT SED: the report of the experiment with other source files
reported() {
	sed "$2" late.xml >hostile.xml && rm -f hostile.db
	"$ANALYZE" report hostile.xml --db hostile.db >hostile.out 2>&1 || give_up "$1" hostile.out
	lacks "$1" "$(cat hostile.out)" 'top secret'
}
reported "another file without a checksum" \
	"/<source_file /{ s| path=\"late.c\"| path=\"./secret\"|
	s| checksum=\"[^\"]*\"| checksum=\"\"|; }"
matches "the report says why" "$(cat hostile.out)" \
	'\(./secret is not shown: no checksum of it was recorded\)'
reported "another file with the checksum of this one" \
	"/<source_file /s| path=\"late.c\"| path=\"./secret\"|"
matches "the report says that it changed" "$(cat hostile.out)" \
	'\(./secret has changed since it was compiled\)'
reported "a pipe" "/<source_file /s| path=\"late.c\"| path=\"./pipe\"|"

# -- sisc waits for no pipe that #line names
mkfifo pipe
{ echo '#line 1 "pipe"' && cat gram.y; } >piped.c
timeout 60 "$SISC" --sis-cr=CR_F,CR_L -O1 -c piped.c -o piped.o
equal "sisc compiles what says that it comes from a pipe" $? 0
equal "which has no checksum" "$(states piped.o)" "pipe irregular"
