# SPDX-License-Identifier: BSD-3-Clause
# Names are data: no name of a program, file, computer, region or metric reaches the terminal as
# a control sequence, or forges a line.
# ci: it compiles many programs
. "$(dirname "$0")/../lib.sh"

"$CC" "$HERE/names_hostile.c" -o hostile -lsqlite3 2>cc.err ||
	give_up "names_hostile.c compiles" cc.err
LC_ALL=C.UTF-8
export LC_ALL

# printable WHAT FILE: nothing in it that a terminal obeys but line ends; tabs too, when TAB=yes
TAB=no
FORBIDDEN="[\\x00-\\x08\\x0b-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]"
FORBIDDEN="$FORBIDDEN|\\xe2\\x80[\\x8b-\\x8f\\xa8-\\xae]|\\xe2\\x81[\\xa0-\\xaf]"
printable() {
	forbidden=$FORBIDDEN
	[ $TAB = yes ] || forbidden="$forbidden|\\t"
	found=$(LC_ALL=C grep -aPn -m 1 -- "$forbidden" "$2" | cat -v)
	[ -n "$found" ] || found=$(iconv -f UTF-8 -t UTF-8 "$2" 2>&1 >/dev/null)
	[ -n "$found" ] || found=$(grep -a -m 1 '^FORGED' "$2")
	equal "$1: nothing that terminals obey" "$(printf '%s' "$found" | cut -c 1-200)" ""
}

# -- a repository whose every text is hostile
source_file prog.c <<'END_OF_SOURCE'
#include <mpi.h>
#include <sis/sis.h>
static int work(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	SIS_VALUE(residual, 0.5);
	work(10000000 * (1 + 20 * rank));
	MPI_Bcast(&x, 1, MPI_INT, 1, MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	else
		MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
END_OF_SOURCE
build prog prog.c -O1 --sis-pmetric=WTIME,CTIME
SIS_SENSORS=100ms SIS_TRACE=1 run 2 1 ./prog
analyze import "$EXP" --set note=here >import.out 2>&1 || give_up "it is imported" import.out
cp -r "$EXP" seq && rm -f seq/trace-*
analyze import "$EXP" >/dev/null 2>&1
analyze sql "SELECT 1" >/dev/null
check "its names are made hostile" ./hostile sis.db

# A command a line; all of the repository, experiment 1.
source_file commands <<'END_OF_COMMANDS'
list
show 1
report 1
regions 1
regions 1 --tree
regions 1 --values
regions 1 --tree --metric OTOTAL,CTIME --pu 0
overhead 1
overhead 1 --by-pu
overhead 1 --overhead OTOTAL
overhead 1 --explain OTOTAL
overhead 1 --overhead OTOTAL --inclusive
overhead 1 --region program --pu 0 --by-pu
overhead 1 --imbalance
overhead 1 --seq 1
summary 1
imbalance 1
suggest-filter 1 --target 0%
ratio 1
ratio 1 --define X=WTIME/CALLS
ratio 1 --tree --region program --by-host
compare 1 1
speedup 1
speedup 1 --regions
speedup 1 --efficiencies
speedup 1 --regions --metric CALLS,OSYNC --group host,compiler
waits 1
waits 1 --culprits
messages 1
messages 1 --by-site
sensors 1
env
.tables
END_OF_COMMANDS
while read -r line; do
	# shellcheck disable=SC2086 # words
	case $line in .*) set -- sql "$line" ;; *) set -- $line ;; esac
	for format in "" --csv --json; do
		analyze "$@" $format >out 2>err
		status=$?
		[ $status = 0 ] || [ $status = 1 ] || give_up "$line $format: status $status" err
		printable "$line $format" out
		[ ! -s err ] || printable "$line $format: messages" err
		case $format in
		--csv) equal "$line: no cell is a formula" "$(grep -Ec '(^|,)"?[=@]' out)" 0 ;;
		--json) [ $status = 1 ] || check "$line: is JSON" jq -e . out ;;
		esac
	done
done <commands

analyze regions 1 >out
matches "names are there to be read" "$(cat out)" \
	'^=main\\x1b\]0;x\\x07\\x1b\[31m\\x0d\\x0aFORGED ---\\u009b\\x9b\\u202e\\x09\\\\ '
analyze list --csv >out
matches "in CSV, too, and as no formula" "$(cat out)" "^1,'=.*\\\\x1b\\]0;x\\\\x07"
equal "a record of CSV is one line" "$(wc -l <out)" 2
matches "JSON keeps them" "$(query '.[0].name' list | od -An -tx1 | tr -d ' \n')" \
	'3d657870311b5d303b78071b5b33316d0d0a464f52474544'
analyze sql .schema >out
TAB=yes printable "the repository's own text" out
check "it has its lines" test "$(wc -l <out)" -gt 50

for format in csv folded speedscope hatchet caliper tau xml json; do
	case $format in
	tau) analyze export 1 --format tau -o tau && cat tau/profile.* >out ;;
	*) analyze export 1 --format $format >out 2>err || give_up "export $format" err ;;
	esac
	printable "export $format" out
done
analyze export 1 --format perfetto >out 2>err
printable "export perfetto fails" err
analyze export 1 --format folded >out
equal "a line a stack, for all names" "$(grep -Evc ' [0-9]+$' out)" 0

# -- long names: XML that its readers accept, or an error
# long COUNT TEXT: an experiment whose regions' names are so long, in ./long.db
long() {
	rm -f long.db again.db
	"$ANALYZE" import --db long.db short >import.out 2>&1 && ./hostile long.db "$2" "$1"
}
echo 'int main(void) { return 0; }' >short.c
build short.exe short.c
SIS_OUTPUT=$T/short ./short.exe
for name in '1000000 n' '7900000 n' '1500000 &'; do
	# shellcheck disable=SC2086 # words
	long $name
	"$ANALYZE" export --db long.db --format xml -o long.xml || give_up "$name: exported"
	check "a name of $name is by the schema" \
		xmllint --noout --schema "$build_dir/share/sis/experiment.xsd" long.xml
	check "a name of $name is imported" "$ANALYZE" import --db again.db long.xml
	"$ANALYZE" export --db again.db --format xml -o again.xml
	check "a name of $name is exported alike" cmp long.xml again.xml
done
for name in '8000000 n' '1600000 &'; do
	# shellcheck disable=SC2086 # words
	long $name
	one_error "a name of $name is no XML" 1 'table code_region has 8[0-9]* bytes' \
		"$ANALYZE" export --db long.db --format xml -o long.xml
done
check "it is JSON" "$ANALYZE" export --db long.db --format json -o long.json
check "which is imported" "$ANALYZE" import --db long_again.db long.json
"$ANALYZE" export --db long_again.db --format json -o again.json
check "and exported alike" cmp long.json again.json

# -- numbers and unknown values are as they were
analyze sql "SELECT -5 AS a, -0.5 AS b, '-' AS c, '-7.25e3' AS d, '-x' AS e, '+1+2' AS f, '@x' AS g,
	char(9) || '=1' AS h, char(13) || '=1' AS i, '' AS j, NULL AS k,
	'\\' AS l, 'a,b' AS m, '=\"' AS n" --csv >out
equal "CSV of single values" "$(tail -n 1 out)" \
	"-5,-0.5,-,-7.25e3,'-x,'+1+2,'@x,'\\x09=1,'\\x0d=1,,,\\\\,\"a,b\",\"'=\"\"\""

# -- errors
EVIL=$(printf '\033]0;x\007\033[31m\r\nFORGED\302\233\233\342\200\256x')
evil_error() { # WHAT STATUS ARGUMENT...
	what=$1 wanted=$2
	shift 2
	"$ANALYZE" "$@" >out 2>err
	equal "$what: status" $? "$wanted"
	printable "$what" err
	equal "$what: one line" "$(wc -l <err)" 1
	matches "$what: it is named" "$(cat err)" \
		'\\x1b\]0;x\\x07\\x1b\[31m\\x0d\\x0aFORGED\\u009b\\x9b\\u202ex'
}
evil_error "an unknown command" 2 "$EVIL"
evil_error "an unknown option" 2 list "--$EVIL"
evil_error "an unknown experiment" 1 report --db sis.db "$EVIL"
evil_error "an unknown file" 1 idf "./$EVIL"
evil_error "a repository that cannot be" 1 import --db "./none/$EVIL" "$EXP"
evil_error "a query" 1 sql --db sis.db "SELECT * FROM \"$EVIL\""
evil_error "a column" 2 list --db sis.db --sort "$EVIL"
evil_error "help" 2 help "$EVIL"
mkdir "$EVIL" && echo nothing >"$EVIL/proc-1.sis"
evil_error "a damaged experiment" 1 import --db new.db "$EVIL"

# -- a program, its sources and its experiment with such names; #line accepts no name with a line
# end
NAME=$(printf '%s' "$EVIL" | tr -d '\r\n')
mkdir -p "$EVIL/src" && rm "$EVIL/proc-1.sis"
printf '/* \033]0;x\007 \342\200\256 \\ */\nint main(void) { return 0; }\n' >"$EVIL/src/$NAME.c"
(cd "$EVIL/src" && "$SISC" --sis-explain --sis-verbose "$NAME.c" -w -o "$NAME") >out 2>err ||
	give_up "a hostile file name: compiled" err
printable "what sisc explains" out
printable "what sisc runs" err
matches "the file is named" "$(cat out)" \
	'^\\x1b\]0;x\\x07\\x1b\[31mFORGED\\u009b\\x9b\\u202ex\.c:2:1: CR_P main: measured'
SIS_OUTPUT=$T/$EVIL/run "$EVIL/src/$NAME" || give_up "a hostile program runs"
for command in report regions show idf "idf --source"; do
	# shellcheck disable=SC2086 # words
	"$ANALYZE" $command "$EVIL/run" --db evil.db >out 2>err ||
		give_up "$command of that run" err
	printable "$command of a run so named" out
	[ ! -s err ] || printable "$command of a run so named: messages" err
done

# -- sisc's messages, in the form of the compiler's
cp "$EVIL/src/$NAME.c" "$EVIL/src/$EVIL.c"
(cd "$EVIL/src" && "$SISC" -w -c "$EVIL.c" -o x.o) 2>err
printable "sisc's note of a file that is compiled untouched" err
{ printf '#line 1 "%s.c"\n' "$NAME"; echo '#pragma sis cr x begin'; echo 'int x;'; } >wrong.c
"$SISC" -c wrong.c 2>err
printable "sisc's error in a directive" err
matches "its place" "$(cat err)" \
	'^\\x1b\]0;x\\x07\\x1b\[31mFORGED\\u009b\\x9b\\u202ex\.c:1:[0-9]+: error: '
one_error "an option of sisc's own" 1 'x1b' "$SISC" "--sis-cr=$EVIL" -c wrong.c
printable "sisc's error in an option" error.err
