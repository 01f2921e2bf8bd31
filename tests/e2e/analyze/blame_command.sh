# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze blame shows the rows of a repository, whose values are chosen here: they come in an
# exported experiment. So this test needs no samples.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
END
build prog prog.c --sis-cr=CR_P,CR_F,CR_MPI
run 2 1 ./prog
analyze import "$EXP" --name plain >import.out
analyze export --format json plain >plain.json
one_error "an experiment without samples" 1 "no samples; build the program with sisc --sis-blame" \
	"$ANALYZE" blame plain
one_error "an experiment without overheads by variable" 1 "no overheads by variable" \
	"$ANALYZE" blame plain --overhead OSYNC

# 100 samples of rank 0, 60 of rank 1; a sample has 10 parts. In main: a gets 60 + 40, its field
# a.x 30 of these, b 30 + 10, output 5, other 0; 15 samples were not placed. `solve` knows a as p.
cat >blame.jq <<'END'
.processing_unit as $u | .experiment[0].id as $e
| ($u | map(select(.process == 0)) | .[0].id) as $p0
| ($u | map(select(.process == 1)) | .[0].id) as $p1
| def row($v; $pu; $parts; $implicit; $routine; $blocked):
	{ variable: $v, pu: $pu, is_blocked: $blocked, routine: $routine,
	  explicit: ($parts * 10 - $implicit * 10), implicit: ($implicit * 10),
	  parts: ($parts * 10), base: 10, weight: ($parts * 4000000),
	  inclusive_weight: ($parts * 4000000) };
  def var($id; $point; $kind; $name; $field; $type):
	{ id: $id, blame_point: $point, kind: $kind, name: $name, field: $field, type: $type,
	  file: "prog.c", line: 3 };
  def point($id; $parent; $path; $samples; $top):
	{ id: $id, experiment: $e, parent: $parent, function: ($path | split("/") | last),
	  file: "prog.c", line: 2, path: $path, samples: $samples, is_chosen: 0, is_top: $top,
	  is_cut: 0 };
.experiment[0].run_id = "blamed" | .experiment[0].name = "blamed"
| .sampling = [{ experiment: $e, method: "perf cpu-clock", metric: "WTIME", rate: 250, lost: 2,
	samples: 160, unknown: 7, coarse: 0, unit: 10, least_bytes: null, memory_lost: null }]
| .sample_share = [
	{ experiment: $e, is_reason: 0, place: 0, key: "statement", text: "a statement",
	  samples: 145, weight: 1 },
	{ experiment: $e, is_reason: 0, place: 7, key: "nothing", text: "nothing", samples: 15,
	  weight: 1 },
	{ experiment: $e, is_reason: 1, place: 6, key: "stripped", text: "no symbols", samples: 15,
	  weight: 1 }]
| .function_samples = [
	{ experiment: $e, pu: $p0, function: "solve", file: "prog.c", line: 9, own: 80,
	  inclusive: 80 },
	{ experiment: $e, pu: $p1, function: "main", file: "prog.c", line: 2, own: 5,
	  inclusive: 55 },
	{ experiment: $e, pu: $p0, function: "main", file: "prog.c", line: 2, own: 10,
	  inclusive: 90 }]
| .blame_point = [point(1; null; "main"; 145; 0), point(2; 1; "main/solve"; 80; 1),
	point(3; 2; "main/solve/tiny"; 1; 1)]
| .variable = [var(1; 1; "local"; "a"; ""; "struct s"), var(2; 1; "local"; "a"; "a.x"; "double *"),
	var(3; 1; "global"; "b"; ""; "double [100]"), var(4; 1; "output"; "Output"; ""; ""),
	var(5; 2; "parameter"; "p"; ""; "struct s *"), var(6; 1; "local"; "small"; ""; "int"),
	var(7; 3; "local"; "t"; ""; "int"), var(8; 1; "local"; "moved"; ""; "int")]
| .blame = [row(1; $p0; 60; 20; ""; 0), row(1; $p1; 30; 0; ""; 0),
	row(1; $p1; 10; 0; "MPI_Barrier"; 1), row(2; $p0; 30; 0; ""; 0), row(3; $p0; 30; 0; ""; 0),
	row(3; $p1; 9.9; 0; ""; 0), row(6; $p1; 0.1; 0; ""; 0), row(4; $p1; 5; 0; ""; 0),
	row(5; $p0; 80; 20; ""; 0), row(7; $p0; 1; 0; ""; 0)]
| .variable_overhead = [
	{ variable: 3, pu: $p1, routine: "MPI_Send", leaf: "ODATA_SEND", ns: 1000, bytes: 8,
	  calls: 1 },
	{ variable: 5, pu: $p1, routine: "MPI_Barrier", leaf: "OSYNC_MBAR", ns: 300000000,
	  bytes: 0, calls: 1 },
	{ variable: 8, pu: $p1, routine: "MPI_Recv", leaf: "OSYNC_LATESEND", ns: 100000000,
	  bytes: 0, calls: 1 },
	{ variable: 3, pu: $p0, routine: "MPI_Recv", leaf: "OSYNC_LATESEND", ns: 800000000,
	  bytes: 0, calls: 4 },
	{ variable: 3, pu: $p0, routine: "MPI_Recv", leaf: "ODATA_RECV", ns: 200000000,
	  bytes: 4096, calls: 4 },
	{ variable: 1, pu: $p1, routine: "MPI_Barrier", leaf: "OSYNC_MBAR", ns: 300000000,
	  bytes: 0, calls: 1 }]
END
jq -f blame.jq plain.json >blamed.json || give_up "the experiment is made"
analyze import blamed.json >import.out 2>import.err || give_up "it is imported" import.err

holds() { # holds WHAT TEXT WORDS
	case $2 in *"$3"*) ok "$1" ;; *) not_ok "$1: no '$3' in '$2'" ;; esac
}

# -- the page
analyze blame blamed >page
line() { grep -m 1 "^$1 " page | tr -s ' ' | sed 's/ *$//'; }
holds "it says what the samples are" "$(head -n 1 page)" \
	"blamed: 160 samples (perf cpu-clock, 250 per second), 2 lost"
equal "a variable, its parts, and how even processes are" "$(line a)" \
	"a struct s 100 62.5 % 80 20 10 3 50 10 1.20 0.300000 0 MPI_Barrier"
holds "what reaches output only" "$(line Output)" "Output 5 3.1 %"
holds "all instances are the sum" "$(line All)" "All instances 145 90.6 %"
holds "a point above which blame cannot rise" "$(cat page)" "main > solve: 80 samples, 50.0 %"
lacks "not one with few samples" "$(cat page)" "tiny"
holds "but it is counted" "$(cat page)" "1 more blame points have less than 1 %"
holds "small variables are counted" "$(cat page)" \
	"1 variable with less than 0.1 % is not shown"
holds "functions of the same samples" "$(line solve)" "solve prog.c:9 80 50.0 % 80 50.0 %"
holds "how samples were placed" "$(cat page)" "90.6 %  a statement"
holds "and why not" "$(cat page)" "because: no symbols"
holds "what is guessed" "$(cat page)" "7 samples are in routines that are in no table"

# -- lists for programs
equal "keys" "$(analyze blame blamed --json | tr '{},' '\n' | sed -n 's/^ *"\([^"]*\)":.*/\1/p' |
	head -n 9 | tr '\n' ' ' | sed 's/ $//')" \
	"blame_point variable type samples share explicit implicit process thread"
equal "partitioned: variables, output and other are all" \
	"$(query '[.[] | select(.blame_point == "main")] |
		([.[] | select(.kind != "all") | .samples] | add * 10 | round) as $sum |
		([.[] | select(.kind == "all") | .samples] | add * 10 | round) == $sum' \
		blame blamed)" true
equal "shares are of all samples of the run" \
	"$(query '[.[] | select(.variable == "a" and .blame_point == "main") | .share] | add' \
		blame blamed)" 0.625
equal "of each process and thread" \
	"$(query '[.[] | select(.variable == "a") | "\(.process).\(.thread) \(.samples)"] |
		join(", ")' blame blamed)" "0.0 60, 1.0 40"
equal "routines are a list" \
	"$(query '[.[] | select(.variable == "a" and .process == 1) | .calls[]] | join(",")' \
		blame blamed)" MPI_Barrier
equal "fields are asked for" "$(query '[.[].variable] | index("a.x")' blame blamed)" null
equal "and name their variable" \
	"$(query '.[] | select(.variable == "a.x") | .field_of' blame blamed --fields)" a
equal "with a path" "$(query '[.[].blame_point] | unique | join(",")' blame blamed --at solve)" \
	main/solve
equal "as commands print it" \
	"$(query '[.[].blame_point] | unique | join(",")' blame blamed --at 'main > solve')" \
	main/solve
equal "all with a share" \
	"$(query '[.[].blame_point] | unique | join(",")' blame blamed --share 60%)" main
equal "inclusive" "$(query '[.[] | select(.variable == "p") | .samples] | add' blame blamed \
	--inclusive)" 80
holds "by process" "$(analyze blame blamed --by process | tr -s ' ')" \
	"a struct s process 1 40"
for unit in process thread node; do
	wanted='0.800000 4096|- 8|'
	[ $unit != node ] || wanted='0.800000 4104|'
	analyze blame blamed --by $unit | tr -s ' ' | sed 's/ $//' >by
	equal "by $unit: each line has its own waits and bytes" \
		"$(awk '$1 == "b" { printf "%s %s|", $(NF - 1), $NF }' by)" "$wanted"
done
equal "a process has a line for its waits without samples" \
	"$(analyze blame blamed --at solve --by process | tr -s ' ' |
		sed -n 's/ $//; /^p .* process 1/p')" \
	"p struct s * process 1 0 0.0 % 0 0 0 0.300000"
equal "JSON has the same" "$(query '[.[] | select(.variable == "b" or .variable == "p") |
	"\(.variable)\(.process) \(.wait_seconds) \(.bytes)"] | sort | join("|")' blame blamed \
	--share 0)" "b0 0.8 4096|b1 0 8|p0 0 0|p1 0.3 0"
equal "all instances have the sum" "$(query '[.[] | select(.blame_point == "main")] |
	[.[] | select(.kind == "all")], [.[] | select(.kind != "all")] |
	"\(map(.wait_seconds) | add * 10 | round) \(map(.bytes) | add)"' blame blamed | uniq)" \
	"12 4104"
equal "a variable has a line for its waits without samples" "$(line moved)" \
	"moved int 0 0.0 % 0 0 0 0 0 0 - 0.100000 0"
holds "fields below their variable" \
	"$(analyze blame blamed --fields | grep -A 1 '^a ' | tr -s ' ')" " a.x double * 30"
equal "stacks" "$(analyze blame blamed --folded | head -n 3 | tr '\n' '|')" \
	"main;Output 5|main;a 100|main;b 40|"
equal "csv has the same rows" "$(analyze blame blamed --csv | wc -l)" \
	"$(($(query length blame blamed) + 1))"
equal "functions" "$(query '.[0] | "\(.function) \(.samples)"' blame blamed --functions)" \
	"solve 80"

# -- overheads, which are exact
equal "waits of a variable" \
	"$(query '[.[] | "\(.variable) \(.seconds) \(.routines)"] | join(", ")' blame blamed \
		--overhead OSYNC)" \
	"b 0.8 MPI_Recv, a 0.3 MPI_Barrier, moved 0.1 MPI_Recv, p 0.3 MPI_Barrier"
equal "transfers, with bytes" \
	"$(query '.[0] | "\(.variable) \(.seconds) \(.bytes)"' blame blamed --overhead ODATA)" \
	"b 0.200001 4104"

holds "the report says what was waited for" "$(analyze report blamed)" \
	"0.400000 s of waiting for 'b': MPI_Recv"
equal "as JSON" "$(query '.waited_for[0] | "\(.variable) \(.seconds)"' report blamed)" "b 0.4"

# -- several runs
jq '.experiment[0].run_id = "faster" | .experiment[0].name = "faster" |
	.blame |= map(if .variable == 1 then .weight = .weight / 2 else . end) |
	.variable |= map(if .id == 3 then .name = "c" else . end)' blamed.json >faster.json
analyze import faster.json >import.out
equal "compare by variable" \
	"$(query '[.[] | select(.blame_point == "main" and .variable == "a") |
		"\(.experiment) \(.seconds) \(.difference)"] | join(", ")' \
		compare blamed faster --by variable)" "blamed 0.2 null, faster 0.1 -0.1"
equal "one that only a run has" \
	"$(query '[.[] | select(.variable == "c") | "\(.experiment) \(.seconds)"] | join(", ")' \
		compare blamed faster --by variable)" "blamed 0, faster 0.0798"
equal "speedup by variable" \
	"$(query '[.[] | select(.blame_point == "main" and .variable == "a") |
		"\(.experiment) \(.speedup) \(.efficiency)"] | join(", ")' \
		speedup blamed faster --by variable)" "blamed 1 1, faster 2 2"
holds "as text" "$(analyze compare blamed faster --by variable | tr -s ' ')" \
	"main a struct s faster 62.5 % 0.100000 -0.100000"
one_error "by something else" 2 "--by 'region' is unknown; there is --by variable" \
	"$ANALYZE" compare blamed faster --by region
one_error "a run without samples" 1 "'plain' has no samples of the time" \
	"$ANALYZE" compare blamed plain --by variable

# -- rows of routines
echo 'my_fill my_copy{,2}: *1 <- *2 3' >my.routines
check "rows of a user are read" \
	"$ANALYZE" import --db rows.db "$EXP" --routines my.routines
printf 'fill: *1 <- 2\ncopy: *1 < *2\n' >bad.routines
one_error "a row that is wrong has a place" 1 "bad.routines:2:10: after a place, '<-' or '='" \
	"$ANALYZE" import --db rows.db "$EXP" --routines bad.routines

# -- what is wrong
one_error "no such point" 1 "no blame point 'nowhere'" "$ANALYZE" blame blamed --at nowhere
one_error "no such unit" 2 "none of thread, process and node" "$ANALYZE" blame blamed --by core
one_error "two at once" 2 "choose one" "$ANALYZE" blame blamed --inclusive --partitioned

# -- the rows go with their experiment
"$ANALYZE" import --db other.db blamed.json >import.out
"$ANALYZE" import --db other.db "$EXP" --name plain >import.out
"$ANALYZE" merge --db third.db other.db >merge.out
equal "merged" "$("$ANALYZE" blame --db third.db --json blamed | jq -r 'map(.samples) | add')" \
	"$(query 'map(.samples) | add' blame blamed)"
analyze export --format xml blamed >blamed.xml
"$ANALYZE" import --db xml.db blamed.xml >import.out
equal "as XML" "$("$ANALYZE" blame --db xml.db --json blamed | jq -r .)" \
	"$(query . blame blamed)"
"$ANALYZE" rm --db third.db blamed >rm.out
equal "removed" "$("$ANALYZE" sql --db third.db --json \
	'SELECT (SELECT count(*) FROM blame) + (SELECT count(*) FROM variable) +
	 (SELECT count(*) FROM blame_point) + (SELECT count(*) FROM sampling) AS n' |
	jq '.[0].n')" 0
