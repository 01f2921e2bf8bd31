#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze blame --memory shows the rows of a repository, whose values are chosen here: they come
# in an exported experiment. So this test needs no samples.
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
	"$ANALYZE" blame plain --memory

# 200 samples: rank 0 has 80 in the panel and 20 in the grid, rank 1 has 40 in the panel. One line
# has no samples and little memory.
cat >memory.jq <<'END'
.processing_unit as $u | .experiment[0].id as $e
| ($u | map(select(.process == 0)) | .[0].id) as $p0
| ($u | map(select(.process == 1)) | .[0].id) as $p1
| def memory($id; $kind; $name; $function; $container; $of; $type; $line; $path; $bytes):
	{ id: $id, experiment: $e, kind: $kind, name: $name, function: $function,
	  container: $container, container_function: $of, type: $type,
	  file: (if $line > 0 then "prog.c" else "" end), line: $line, path: $path,
	  module: "prog", bytes: $bytes };
  def use($memory; $pu; $n; $freed; $most; $life; $samples):
	{ memory: $memory, pu: $pu, allocations: $n, freed: $freed, bytes: ($n * 1000),
	  most_bytes: $most, largest_bytes: (if $n > 0 then 1000 else 0 end), life_ns: $life,
	  samples: $samples, weight: ($samples * 4000000) };
.experiment[0].run_id = "blamed" | .experiment[0].name = "blamed"
| .sampling = [{ experiment: $e, method: "perf cpu-clock", metric: "WTIME", rate: 250, lost: 0,
	samples: 210, unknown: 0, coarse: 0, unit: 10, least_bytes: 4096, memory_lost: 3 }]
| .memory = [
	memory(1; "heap"; "p->L2"; "alloc"; "mat"; "main"; "double"; 31; "main/solve/alloc"; 0),
	memory(2; "static"; "grid"; "solve"; "grid"; "solve"; "double[100]"; 9; ""; 800),
	memory(3; "static"; ""; ""; ""; ""; ""; 0; ""; 0),
	memory(4; "stack"; ""; "solve"; ""; ""; ""; 0; ""; 0),
	memory(5; "stack"; "w"; "solve"; "w"; "solve"; "int[4]"; 12; ""; 16),
	memory(6; "thread_local"; ""; ""; ""; ""; ""; 0; ""; 0),
	memory(7; "other"; ""; ""; ""; ""; ""; 0; ""; 0),
	memory(8; "none"; ""; ""; ""; ""; ""; 0; ""; 0),
	memory(9; "unknown"; ""; ""; ""; ""; ""; 0; ""; 0),
	memory(10; "mapping"; ""; ""; ""; ""; ""; 0; "main/lib_open"; 0),
	memory(11; "heap"; "tiny"; "main"; "tiny"; "main"; "int"; 7; "main"; 0)]
| .memory_use = [use(1; $p0; 4; 2; 3000; 500000000; 80), use(1; $p1; 2; 2; 1000; 100000000; 40),
	use(2; $p0; 0; 0; 0; 0; 20), use(3; $p0; 0; 0; 0; 0; 6), use(4; $p0; 0; 0; 0; 0; 5),
	use(5; $p0; 0; 0; 0; 0; 4), use(6; $p0; 0; 0; 0; 0; 3), use(7; $p0; 0; 0; 0; 0; 2),
	use(8; $p0; 0; 0; 0; 0; 30), use(9; $p0; 0; 0; 0; 0; 10), use(10; $p0; 1; 0; 1000; 0; 0),
	use(11; $p0; 1; 0; 20; 0; 0)]
END
jq -f memory.jq plain.json >blamed.json || give_up "the experiment is made"
analyze import blamed.json >import.out 2>import.err || give_up "it is imported" import.err

# -- the page
analyze blame blamed --memory >page
line() { grep -m 1 "^$1 " page | tr -s ' ' | sed 's/ *$//'; }
equal "allocated memory" "$(line p-.L2)" "p->L2 mat of main heap double prog.c:31 \
main > solve > alloc 6 4 6000 4000 1000 0.150000 120 60.0 % 60 20 1.33"
equal "a static variable of a function" "$(line solve.grid)" \
	"solve.grid static double[100] prog.c:9 - - 800 - - - 20 10.0 % 10 10 2.00"
matches "data without a variable" "$(line static)" "^static data of prog static [- ]*6 3.0 %"
matches "a frame without a variable" "$(line stack)" "^stack of solve stack [- ]*5 2.5 %"
matches "a variable in a frame" "$(line w)" "^w stack int\[4\] prog.c:12 - - 16 [- ]*4 2.0 %"
matches "thread-local data" "$(line thread-local)" "^thread-local data thread_local [- ]*3 1.5 %"
matches "memory of a library" "$(line -)" "^- mapping prog main > lib_open 1 0 1000 1000 1000 - 0 "
equal "what has no memory comes last" \
	"$(grep -En '^(small|no memory|not known)' page | sed 's/:\([a-z]* [a-z]*\).*/:\1/' |
		tr '\n' ' ')" "9:small allocations 10:no memory 11:not known "
lacks "what has next to nothing is left out" "$(cat page)" "tiny"
matches "and counted" "$(cat page)" \
	"^1 line with little memory and less than 0.1 % of the samples is not shown"
matches "how many samples access memory" "$(cat page)" \
	"^80.0 % of the samples access memory, 15.0 % access none, and of 5.0 % it is not known"
matches "from when on" "$(cat page)" "less than 4096 bytes are not recorded"
matches "what was lost" "$(cat page)" "^3 allocations found no room"

# -- lists for programs
rows() { query "$1" blame blamed --memory; }
equal "shares add up to all" "$(rows 'map(.share) | add * 1000 | round')" 1000
equal "samples, too" "$(rows 'map(.samples) | add')" 200
equal "with little ones" "$(rows '.[] | select(.memory == "tiny") | .bytes')" 1000
equal "keys" "$(rows '.[0] | "\(.name) \(.function) \(.container) \(.container_function) " +
	"\(.file):\(.line) \(.path) \(.module) \(.allocations) \(.freed) \(.most_bytes) " +
	"\(.life_seconds) \(.weight)"')" \
	"p->L2 alloc mat main prog.c:31 main/solve/alloc prog 6 4 4000 0.15 480000000"
equal "of each process" "$(query '[.[] | select(.name == "p->L2") |
	"\(.unit) \(.samples) \(.allocations) \(.mean)"] | join(", ")' blame blamed --memory \
	--by process)" "process 0 80 4 null, process 1 40 2 null"
equal "spread over processes" "$(query '.[0] | "\(.mean) \(.deviation) \(.imbalance)"' \
	blame blamed --memory --over process | sed 's/\(1\.33\).*/\1/')" "60 20 1.33"
equal "filter, sort and top" "$(query '[.[].memory] | join(" ")' blame blamed --memory \
	--filter 'kind=heap' --sort bytes --top 1)" "p->L2"
equal "csv has the same rows" "$(analyze blame blamed --memory --csv | wc -l)" 12
one_error "not with points" 2 "--memory and --at at once" "$ANALYZE" blame blamed --memory --at main

# -- the rows go with their experiment
"$ANALYZE" import --db other.db blamed.json >import.out
"$ANALYZE" import --db other.db "$EXP" --name plain >import.out
"$ANALYZE" merge --db third.db other.db >merge.out
"$ANALYZE" import --db third.db "$EXP" --name plain >import.out
equal "merged" "$("$ANALYZE" blame --db third.db --json blamed --memory)" \
	"$(analyze blame blamed --memory --json)"
analyze export --format xml blamed >blamed.xml
"$ANALYZE" import --db xml.db blamed.xml >import.out
equal "as XML" "$("$ANALYZE" blame --db xml.db --json blamed --memory)" \
	"$(analyze blame blamed --memory --json)"
"$ANALYZE" rm --db third.db blamed >rm.out
equal "removed" "$("$ANALYZE" sql --db third.db --json \
	'SELECT (SELECT count(*) FROM memory) + (SELECT count(*) FROM memory_use) AS n' |
	jq '.[0].n')" 0
jq '.memory_use[0].pu = 999' blamed.json >strange.json
one_error "a processing unit that is not there" 1 "refers to a processing_unit that is not there" \
	"$ANALYZE" import --db strange.db strange.json
jq '.sampling[0].least_bytes = null | .memory = [] | .memory_use = []' blamed.json >without.json
"$ANALYZE" import --db without.db without.json >import.out
one_error "an experiment without memory" 1 "does not have which memory its samples access; build" \
	"$ANALYZE" blame --db without.db blamed --memory

# -- damaged rows are shown, or refused with one line
"$CC" -o execute "$E2E/robust/execute.c" -lsqlite3 || give_up "execute is built"
while read -r statement; do
	cp sis.db damaged.db
	./execute damaged.db "$statement"
	"$ANALYZE" blame --db damaged.db blamed --memory >damaged.out 2>damaged.err
	status=$?
	lines=$(wc -l <damaged.err)
	if [ $status -le 1 ] && [ "$lines" = $status ]; then ok "damaged: $statement"; else
		not_ok "damaged: $statement: status $status, $(head -n 2 damaged.err)"
	fi
done <<'END'
UPDATE memory SET name = x'00ff', kind = 'strange', path = 7, line = 'x'
UPDATE memory_use SET samples = 'x', life_ns = -9223372036854775808, freed = 1e300
UPDATE memory_use SET samples = 9223372036854775807, most_bytes = 9223372036854775807
UPDATE OR REPLACE memory_use SET pu = 77
UPDATE sampling SET least_bytes = 'x', memory_lost = -1
DELETE FROM memory
PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'TEXT NOT NULL', 'TEXT') WHERE name = 'memory'; PRAGMA writable_schema = RESET; UPDATE memory SET name = NULL, module = NULL, file = NULL
END
