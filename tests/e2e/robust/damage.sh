# SPDX-License-Identifier: BSD-3-Clause
# Rows of a repository that contradict each other: every command answers, or says in one line
# what is wrong and what to do. Each kind of damage is a statement of SQL, tried with every
# command.
# ci: it reads many damaged files
. "$(dirname "$0")/../lib.sh"

"$CC" -o execute "$HERE/execute.c" -lsqlite3 2>build.err ||
	give_up "execute is built" build.err
source_file prog.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 3; i++) {
#pragma omp parallel
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
END
build prog prog.c -fopenmp
run 2 1 ./prog && first=$EXP
run 2 1 ./prog && second=$EXP
analyze import "$first" --name a >import.out 2>&1 || give_up "one is imported" import.out
analyze import "$second" --name b >import.out 2>&1 || give_up "another one is imported" import.out
limited() { (ulimit -v 4000000; exec timeout 20 "$ANALYZE" "$@"); }

source_file commands <<'END'
report a
report a --json
overhead a --by-pu
overhead a --explain OTOTAL
overhead a --overhead OTOTAL --inclusive
overhead a --region program --pu 0 --by-pu
regions a --tree
regions a --json
regions a --tree --metric OTOTAL,CALLS --pu 0
summary a
imbalance a
suggest-filter a --target 0%
compare a b
compare a b --regions
speedup a b --regions
speedup a b --efficiencies
speedup a b --regions --metric CALLS,OSYNC --group nodes,threads
speedup a b --region main/main
waits a
waits a --culprits
waits a --pairs
messages a
messages a --by-site
messages a --communicators
sensors a
ratio a --define X=OSYNC/CALLS
ratio a --tree --region program --by-host
idf a
show a
show a --json
list
export a --format xml
export a --format json
export a --format csv
export a --format folded
export a --format speedscope
export a --format hatchet
export a --format caliper
export a --format tau -o tau
export a --format perfetto
merge bad.db --db other.db
END

# One check refuses a damaged experiment for all commands; these find their experiments in other
# ways.
grep -E '^(compare a b$|export a --format csv|merge)' commands >few

# answered WHAT COMMANDS: each on bad.db ends with a result, or with one line that says why not
answered() {
	while read -r command; do
		rm -rf tau other.db
		# shellcheck disable=SC2086
		limited --db bad.db $command >out 2>err </dev/null
		status=$?
		[ $status = 0 ] || { [ $status -le 2 ] && [ "$(wc -l <err)" = 1 ] &&
			grep -q '^sis-analyze: error: .*;' err; } ||
			echo "$command ($status: $(head -c 100 err))"
	done <"$2" >wrong
	equal "$1" "$(cat wrong)" ""
}

# -- one statement a line. refused: no command accepts the experiment
cp sis.db bad.db && answered "(no damage)" commands
while IFS='|' read -r kind sql; do
	cp sis.db bad.db
	./execute bad.db "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')
		WHERE type = 'table' AND name <> 'derived'" 2>execute.err &&
		./execute bad.db "$sql" 2>>execute.err || give_up "$sql" execute.err
	if [ "$kind" = answered ]; then answered "$sql" commands; else
		answered "$sql" few
		one_error "refused: $sql" 1 "experiment 1 .*; take it out \(sis-analyze rm 1\)" \
			limited report a --db bad.db
	fi
done <<'END'
refused|UPDATE drg_node SET parent = id WHERE parent IS NOT NULL
refused|UPDATE drg_node SET parent = (SELECT max(id) FROM drg_node WHERE experiment = 1) WHERE parent IS NOT NULL
refused|UPDATE drg_node SET parent = NULL
refused|UPDATE drg_node SET parent = 'x' WHERE depth = 2
refused|UPDATE drg_node SET depth = 9223372036854775807
refused|UPDATE drg_node SET depth = -1 WHERE depth = 1
refused|UPDATE drg_node SET depth = NULL
refused|UPDATE drg_node SET path = NULL
refused|UPDATE drg_node SET region = 0
refused|UPDATE drg_node SET source_node = NULL
refused|UPDATE drg_node SET source_node = (SELECT max(id) FROM drg_node)
refused|UPDATE drg_node SET nested = x'00'
refused|DELETE FROM drg_node WHERE depth = 1
refused|DELETE FROM code_region
refused|UPDATE code_region SET name = NULL
refused|UPDATE code_region SET type = NULL
refused|UPDATE code_region SET key = NULL
refused|UPDATE code_region SET unit = NULL
refused|UPDATE code_region SET line_start = -9223372036854775808
refused|UPDATE source_file SET path = NULL
refused|UPDATE source_file SET directory = NULL
refused|UPDATE source_file SET checksum = NULL
refused|DELETE FROM source_file
refused|UPDATE experiment SET p = 0
refused|UPDATE experiment SET p = 9223372036854775807
refused|UPDATE experiment SET t_p_ns = -1
refused|UPDATE experiment SET t_p_ns = 9223372036854775807
refused|UPDATE experiment SET directory = NULL
refused|UPDATE experiment SET command = NULL, program = NULL
refused|UPDATE experiment SET version = 77
refused|UPDATE experiment SET virtual_machine = NULL
refused|UPDATE application SET name = NULL
refused|DELETE FROM processing_unit
refused|UPDATE OR REPLACE processing_unit SET process = 9223372036854775807 WHERE process = 1
refused|UPDATE OR REPLACE processing_unit SET thread = NULL
refused|UPDATE OR REPLACE processing_unit SET useful_ns = 9223372036854775807
refused|UPDATE OR REPLACE processing_unit SET useful_ns = 'a lot'
refused|UPDATE OR REPLACE processing_unit SET node = 77
refused|UPDATE physical_machine SET host = NULL
answered|UPDATE warning SET text = NULL; INSERT INTO warning (experiment, text) VALUES (1, NULL), (1, x'00'), (1, x''); UPDATE overhead SET ns = 9223372036854775807; UPDATE code_region SET metrics = NULL
answered|UPDATE overhead SET ns = -9223372036854775808; UPDATE metric SET value = 9223372036854775807; UPDATE OR REPLACE message SET target = -9223372036854775808, calls = -1
answered|UPDATE region_summary SET incl_ns = 9223372036854775807, excl_ns = 9223372036854775807; UPDATE OR REPLACE communicator SET name = NULL, kind = NULL, size = 'x'
answered|UPDATE region_summary SET useful_ns = -9223372036854775808; UPDATE OR REPLACE message SET bytes = 9223372036854775807, target = 9223372036854775807
answered|UPDATE region_summary SET calls = NULL, subs = NULL, min_ns = 'x', max_ns = x'ff'; UPDATE experiment SET ideal_ns = 'x', critical_estimated_ns = x'ff'
answered|UPDATE OR REPLACE region_summary SET pu = 77; UPDATE OR REPLACE overhead SET pu = 77; UPDATE OR REPLACE critical_path SET ns = 9223372036854775807, pu = 77
answered|UPDATE OR REPLACE wait_pair SET victim = -5, culprit_node = 77, ns = 9223372036854775807
answered|UPDATE wait_pair SET ns = 9223372036854775807
answered|UPDATE OR REPLACE wait_pair SET culprit = 77, ns = 'x'
answered|UPDATE overhead SET leaf = leaf || char(10) || char(27) || 'x'
answered|UPDATE OR REPLACE overhead SET leaf = 'OTOTAL'; UPDATE OR REPLACE delay SET culprit = 77, culprit_node = 77, ns = 9223372036854775807
answered|UPDATE overhead SET ns = 'x'; DELETE FROM metric_kind; UPDATE experiment SET identity_error_ns = -9223372036854775808; UPDATE derived SET checksum = 'x'
answered|UPDATE overhead SET ns = 9e999; DELETE FROM region_summary; UPDATE experiment SET started_ns = 9223372036854775807
answered|DELETE FROM overhead_kind; UPDATE experiment SET ideal_ns = 9223372036854775807, critical_estimated_ns = 9223372036854775807
answered|UPDATE overhead_kind SET parent = name; UPDATE experiment SET name = NULL WHERE id = 2
answered|UPDATE OR REPLACE machine_fact SET value = x'fffefd'; UPDATE code_region SET name = CAST(zeroblob(100000) AS TEXT) || 'x'
answered|UPDATE code_region SET name = hex(zeroblob(100000)), unit = 'a' || char(0) || 'b'
END

# -- the advice in the message helps
cp sis.db bad.db && ./execute bad.db "UPDATE drg_node SET depth = 7 WHERE experiment = 1"
check "a damaged experiment can be taken out" limited rm 1 --db bad.db
check "and imported again" limited import "$first" --name a --db bad.db
equal "and is what it was" "$(limited regions a --csv --db bad.db)" "$(analyze regions a --csv)"
cp sis.db bad.db && ./execute bad.db "UPDATE drg_node SET depth = 7 WHERE experiment = 1"
check "another experiment is not touched by it" limited report b --db bad.db
one_error "merge leaves damage where it is" 1 \
	'experiment 1 of the other repository .*; take it out' \
	limited merge bad.db --db fresh.db
equal "and takes nothing" "$(limited list --db fresh.db --json)" "[]"
echo "1..$number"
