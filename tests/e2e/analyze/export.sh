# SPDX-License-Identifier: BSD-3-Clause
# Each export follows the definition of its format, or is accepted by the format's reader, and
# holds all time of all units. Exported XML can be imported again.
. "$(dirname "$0")/../lib.sh"

source_file prog.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void deep(int n) { if (n) deep(n - 1); else usleep(1000); }
int main(int argc, char **argv)
{
	int rank, sum = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 4; i++) {
		usleep(10000 * (i + 1));
		sum += i;
	}
	deep(20);
	usleep(rank * 30000);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build prog prog.c -fopenmp --sis-pmetric=WTIME,CALLS,CTIME
run 2 2 ./prog '<a&"b
	c>'
analyze import "$EXP" --name 'r<1>' --set 'key=a "b" & ü' >import.out 2>&1 ||
	give_up "the run is imported" import.out
schema=$build_dir/share/sis/experiment
export_as() { format=$1; shift; analyze export "r<1>" --format "$format" -o "out.$format" "$@"; }
for format in xml json csv folded speedscope hatchet caliper tau; do
	check "$format is written" export_as $format
done
p=$(query .p overhead 'r<1>') t_p=$(query '.t_p * 1e9 | round' overhead 'r<1>')
equal "of as many units as ran" "$p" 4

# -- xml, by the schema that is installed; what is imported from it is exported alike
check "xml is by its schema" xmllint --noout --schema "$schema.xsd" out.xml
other() { "$ANALYZE" "$@" --db "$T/other.db"; }
check "and imported" other import out.xml
other export --format xml -o again.xml
check "the same comes out of it" cmp out.xml again.xml
for command in "overhead --json" "regions --json" "show --csv" "summary --json" \
	"imbalance --json"; do
	equal "$command says the same" "$(other $command 'r<1>')" "$(analyze $command 'r<1>')"
done
equal "references hold" "$(other sql 'SELECT * FROM pragma_foreign_key_check' --csv | wc -l)" 1
other import out.xml >/dev/null
equal "once more changes nothing" "$(other list --json | jq length)" 1
check "under another name, beside another run" other import out.xml --name other --role seq
equal "as it was said" "$(other list --json | jq -r '.[0] | .name + .role')" otherseq
equal "a file is an experiment's name" "$(analyze report out.xml --json | jq -r .experiment)" "r<1>"
# refused WHAT PATTERN: out.xml, changed by the sed script on standard input, is refused and
# leaves nothing
refused() {
	sed -f - out.xml >bad.xml
	one_error "$1" 1 "$2" "$ANALYZE" import bad.xml --db "$T/bad.db"
}
echo 's/<sis xmlns="urn:sis:experiment" version="[0-9]*"/<sis xmlns="urn:sis:experiment" version="77"/' |
	refused "another version" 'version 77'
echo '/<overhead /,$d' | refused "a truncated one" 'bad.xml:[0-9]*: no experiment'
echo 's/<drg_node id="3"/<drg_node id="three"/' |
	refused "an id that is none" "bad.xml:[0-9]*: .*'three'"
echo 's/<drg_node /<drg_node more="1" /' | refused "an unknown attribute" "'more'"
echo 's/<overhead drg_node="1"/<overhead drg_node="999"/' |
	refused "a reference to nothing" 'refers to one that is not'
echo 's/<overhead drg_node="1" pu="1"/<overhead drg_node="1" pu="999"/' |
	refused "a unit that is not there" 'of overhead refers to a processing_unit that is not'
echo 's/ useful_ns="/ useful_ns="1/' |
	refused "time that was made up" "work and overheads of a processing unit are not its time"
echo 's/leaf="OCTRL_SPAWN"/leaf="OCTRL_SPIN"/;s/kind name="OCTRL_SPAWN"/kind name="OCTRL_SPIN"/' |
	refused "a leaf of another tree" 'overheads that are unknown'
echo '2i <!DOCTYPE sis [<!ENTITY a "b">]>' | refused "a document type" 'document type'
equal "nothing came of them" "$("$ANALYZE" list --db "$T/bad.db" --json | jq length)" 0
echo '<?xml version="1.0"?><page/>' >page.xml
one_error "a file that is no experiment" 1 "no experiment as sis-analyze exports it" \
	"$ANALYZE" import page.xml --db "$T/bad.db"

# -- json, by its schema
equal "json is by its schema" \
	"$(jq -nr -f "$HERE/json_schema.jq" --slurpfile s "$schema.schema.json" \
		--slurpfile d out.json)" ""
equal "a schema that wants more finds it missing" \
	"$(jq '."$defs".experiment.required += ["x"]' "$schema.schema.json" >more.json
	jq -nr -f "$HERE/json_schema.jq" --slurpfile s more.json --slurpfile d out.json)" \
	'$.experiment[0]: no x'
from_json() { "$ANALYZE" "$@" --db "$T/json.db"; }
check "json is imported" from_json import out.json
from_json export --format json -o again.json
check "json: the same comes out of it" cmp out.json again.json
from_json export --format xml -o again.xml
check "json: it is the experiment that xml has" cmp out.xml again.xml
equal "json: references hold" \
	"$(from_json sql 'SELECT * FROM pragma_foreign_key_check' --csv | wc -l)" 1
equal "json: a file is an experiment's name" \
	"$("$ANALYZE" report out.json --db "$T/third.db" --json | jq -r .experiment)" "r<1>"
# Other tools sort members and break lines elsewhere. jq rounds large numbers, so it is not used.
sed 's/: \[/:\n[/;s/, "/\r\n\t,"/g' out.json >lines.json
sed '1s/^{//; $s/}$//; s/,$//; /^$/d; s/$/,/' out.json | tac |
	sed '1s/^/{/; $s/,$/}/' >reversed.json
for name in lines reversed; do
	check "json: $name" "$ANALYZE" import $name.json --db "$T/$name.db"
	"$ANALYZE" export --format json --db "$T/$name.db" -o again.json
	check "json: $name: the same comes out of it" cmp out.json again.json
done
# not_json WHAT PATTERN: out.json, changed by the sed script on standard input, is refused
not_json() {
	sed -f - out.json >bad.json
	one_error "json: $1" 1 "$2" "$ANALYZE" import bad.json --db "$T/bad.db"
}
echo 's/"sis_experiment": [0-9]*/"sis_experiment": 77/' | not_json "another version" 'version 77'
echo '/^"overhead":/,$d' | not_json "a truncated one" 'bad.json:[0-9]*: .*it ends too early'
echo '/^"delay":/d' | not_json "a table is missing" "no 'delay'"
echo '/^"drg_node":/s/"id": 3,/"id": "three",/' |
	not_json "an id that is none" "bad.json:[0-9]*: .*'id' of drg_node"
echo 's/{"drg_node": 1,/{"more": 1, "drg_node": 1,/' | not_json "an unknown column" "no 'more'"
echo 's/"drg_node": 1, "pu": 1,/"drg_node": 999, "pu": 1,/' |
	not_json "a reference to nothing" 'a row refers to one that is not there'
echo 's/"useful_ns": /"useful_ns": 1/' |
	not_json "time that was made up" "work and overheads of a processing unit are not its time"
equal "json: nothing came of them" "$("$ANALYZE" list --db "$T/bad.db" --json | jq length)" 0
analyze list --json >list.json
one_error "json: a file that is no experiment" 1 "no experiment as sis-analyze exports it" \
	"$ANALYZE" import list.json --db "$T/bad.db"
head -c 1000000 /dev/zero | tr '\0' '[' >deep.json
one_error "json: an abyss of brackets" 1 "no experiment as sis-analyze exports it" \
	"$ANALYZE" import deep.json --db "$T/bad.db"

equal "a row a summary" \
	"$(jq '.region_summary | length' out.json)" \
	"$(query '.[0].n' sql 'SELECT count(*) AS n FROM region_summary')"
equal "--json is --format json" "$(analyze export 'r<1>' --json)" "$(cat out.json)"

# -- csv: of each unit, useful work and overheads are T_p
csv_sums() { # of out.csv: "PROCESS THREAD NANOSECONDS"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ gsub(/"[^"]*"/, "q"); sum[$8 " " $9] += $14;
		for (c in column) if (c ~ /^O[A-Z]/) sum[$8 " " $9] += $(column[c]) }
		END { for (unit in sum) printf "%s %.0f\n", unit, sum[unit] * 1e9 }' out.csv | sort
}
equal "csv has all time of all units" \
	"$(csv_sums)" \
	"$(printf '%s\n' "0 0 $t_p" "0 1 $t_p" "1 0 $t_p" "1 1 $t_p")"
matches "and further metrics" "$(head -n 1 out.csv)" ',CTIME,'
analyze export 'r<1>' --format csv --pu 1.1 >one.csv
equal "of one unit, if asked" \
	"$(tail -n +2 one.csv | cut -d, -f1-14)" \
	"$(awk -F, 'NR > 1 && $8 == 1 && $9 == 1' out.csv | cut -d, -f1-14)"

# -- folded: a stack, a space, a number
equal "folded lines are stacks with numbers" \
	"$(grep -Evc '^[^; ][^;]*(;[^;]+)* [0-9]+$' out.folded)" \
	0
equal "and all time of all units" \
	"$(awk '{ s += $NF } END { printf "%.0f", s }' out.folded)" \
	$((p * t_p))
matches "overheads are frames" \
	"$(cat out.folded)" \
	';MPI_Barrier.*;\[OLOSS_UNPAR\] |;MPI_Barrier.*;\[OSYNC_MBAR\] '
matches "recursion is there as deep as it was" "$(cat out.folded)" '(;deep){21} '

# -- speedscope: https://www.speedscope.app/file-format-schema.json, in words of jq
equal "speedscope's file is by its schema" "$(jq -c '
	(."$schema" == "https://www.speedscope.app/file-format-schema.json"),
	(.name | type == "string"),
	(.shared.frames | all(.name | type == "string")),
	(.shared.frames | all((keys - ["name", "file", "line", "col"]) == [])),
	((.shared.frames | length) as $frames | .profiles |
	all(.type == "sampled" and .unit == "nanoseconds" and
		.startValue == 0 and (.name | type == "string") and
		(.samples | length) == (.weights | length) and
		(.weights | add) == .endValue and (.samples | all(all(. >= 0 and . < $frames)))))' \
		out.speedscope | sort -u)" true
equal "and all time, of each unit" \
	"$(jq -r '.profiles[] | "\(.name) \(.endValue)"' out.speedscope | sort)" \
	"$(for u in "0, thread 0" "0, thread 1" "1, thread 0" "1, thread 1"; do
		echo "process $u $t_p"
	done)"

# -- Hatchet's literal: what its reader takes from each node; a Python literal as well
equal "a literal has frames, metrics and children" \
	"$(jq -c '.[0] as $root | def node: (.frame | has("name") and has("type")) and
	(.metrics | has("time") and has("time (inc)")) and
	(.metrics | map_values(numbers) | length) == (.metrics | length) and
	((.metrics | keys | map(select(endswith("(inc)") | not))) - ($root.metrics |
	keys) == []) and (.children | all(node));
	length == 1 and ($root | node)' out.hatchet)" true
lacks "and no word of JSON's own" "$(sed 's/"[^"]*"//g' out.hatchet)" 'null|true|false'
equal "its times are the regions'" \
	"$(jq '[.. | objects | .metrics? | .time? | numbers] | add * 1e4 | round' out.hatchet)" \
	"$(query '[.[].wtime_excl] | add * 1e4 | round' regions 'r<1>')"

# -- Caliper's split JSON: what Hatchet's reader takes from it
equal "rows, columns and nodes fit" \
	"$(jq -c '(.columns | length) as $columns | (.nodes | length) as $nodes |
	(.columns | index("path")) as $path |
	(.column_metadata | length == $columns and .[$path].is_value == false and
		all(.is_value | type == "boolean")),
		(.data | all(length == $columns and .[$path] < $nodes)),
	(.nodes | to_entries |
	all(.value.column == "path" and (.value.label | type) == "string" and
	(.value.parent // -1) < .key)),
	(.columns | contains(["mpi.rank", "sum#time.duration", "inclusive#sum#time.duration"])),
	(.columns | index("mpi.rank")) as $rank | [.data[] | [.[$path], .[$rank]]] |
	length == (unique | length)' out.caliper | sort -u)" true

# -- TAU's profiles
equal "a profile a unit" \
	"$(cd out.tau && echo *)" \
	"profile.0.0.0 profile.0.0.1 profile.1.0.0 profile.1.0.1"
for profile in out.tau/*; do
	equal "$profile is by TAU's grammar" "$(awk -f "$HERE/tau_profile.awk" "$profile")" ""
done
matches "functions say where they are" \
	"$(cat out.tau/profile.0.0.0)" \
	'^"deep \[\{prog.c\} \{3,1\}-\{3,[0-9]+\}\]" 21 20 '
one_error "not over other profiles" 1 "there are profiles in 'out.tau' already" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format tau -o out.tau
one_error "not to standard output" 2 "name a directory" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format tau

# -- errors
one_error "perfetto needs a trace" 1 "only a trace knows" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format perfetto
one_error "no such format" 2 "unknown format 'pdf'" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format pdf
one_error "no format" 2 "export: no format" "$ANALYZE" export 'r<1>' --db "$T/sis.db"
one_error "no such unit" 1 "no process 7 with a thread 0" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format csv --pu 7.0
one_error "half of a whole" 2 "leave --pu out" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format xml --pu 0.0
one_error "nowhere to write" 1 "cannot write './no/x': No such file" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format csv -o ./no/x
one_error "a full disk" 1 "cannot write|output closed or disk full" \
	"$ANALYZE" export 'r<1>' --db "$T/sis.db" --format json -o /dev/full

# -- recursion too deep for the stack of a reader: the writers do not recurse
source_file abyss.c <<'END'
#include <stdlib.h>
static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }
int main(int argc, char **argv) { return deep(atoi(argv[argc - 1])) != 3000; }
END
build abyss abyss.c
run_alone 1 ./abyss 3000
for format in csv folded speedscope hatchet caliper xml; do
	check "3000 deep: $format" analyze export "$EXP" --format $format -o abyss.$format
done
check "3000 deep: xml comes in again" "$ANALYZE" import abyss.xml --db "$T/abyss.db"
