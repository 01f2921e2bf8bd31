# SPDX-License-Identifier: BSD-3-Clause
# Repositories made to do harm: code planted in a database is not run; views and tables are those
# of sis-analyze, or are refused. `sql` only reads.
. "$(dirname "$0")/../lib.sh"

"$CC" -o execute "$HERE/execute.c" -lsqlite3 2>build.err ||
	give_up "execute is built" build.err
cp "$HERE/sum.c" prog.c
build prog prog.c -O0
run_alone 1 ./prog && first=$EXP
run_alone 1 ./prog && second=$EXP
analyze import "$first" --name first >import.out 2>&1 ||
	give_up "an experiment is imported" import.out
limited() { timeout 20 "$ANALYZE" "$@"; }
# planted SQL...: bad.db, a repository with one experiment in which that was run
planted() { cp sis.db bad.db && ./execute bad.db "$1" 2>execute.err || give_up "$1" execute.err; }
names() {
	limited sql --db "$1" "SELECT name FROM experiment ORDER BY id" --csv | tail -n +2 | xargs
}

# -- triggers
for when in "INSERT ON experiment" "UPDATE ON drg_node" "DELETE ON derived" \
	"INSERT ON processing_unit"; do
	planted "CREATE TRIGGER planted AFTER $when
		BEGIN UPDATE experiment SET name = 'planted'; END;
		UPDATE derived SET checksum = 1"
	limited import --db bad.db "$second" --name second >/dev/null 2>&1
	equal "a trigger is not run: import, $when" "$(names bad.db)" "first second"
	limited rm --db bad.db 1 >/dev/null 2>&1
	equal "nor by rm" "$(names bad.db)" second
done
planted "CREATE TRIGGER planted BEFORE DELETE ON experiment BEGIN SELECT raise(ABORT, 'no'); END"
check "nor one that would keep a row" limited rm --db bad.db 1
equal "which is gone" "$(names bad.db)" ""

# -- views: ours are made again, even if the checksum beside them fits; the user's stay
limited report --db sis.db 1 >report.wanted
for view in overhead_by_source experiment_sum overhead_ancestor region; do
	planted "DROP VIEW $view; CREATE VIEW mine AS SELECT 42 AS x; CREATE VIEW $view AS
		WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)
		SELECT x AS experiment FROM r"
	limited report --db bad.db 1 >report.out 2>&1
	equal "another view $view is replaced" "$(cat report.out)" "$(cat report.wanted)"
done
for change in "UPDATE overhead_kind SET parent = 'OSYNC' WHERE parent IS NOT NULL" \
	"UPDATE overhead_kind SET parent = name" "DELETE FROM overhead_kind" \
	"UPDATE overhead_kind SET is_leaf = 0" "DELETE FROM metric_kind"; do
	planted "$change"
	limited report --db bad.db 1 >report.out 2>&1
	equal "the tables of kinds, too: $change" "$(cat report.out)" "$(cat report.wanted)"
done
planted "DROP VIEW region"
check "one that is gone is made again" limited regions --db bad.db 1
planted "CREATE VIEW mine AS SELECT 42 AS x"
limited report --db bad.db 1 >/dev/null 2>&1
equal "a view of the user's stays" \
	"$(limited sql --db bad.db 'SELECT x FROM mine' --csv | tail -n 1)" 42
equal "and nothing is made again that is ours" "$(cksum <bad.db)" \
	"$(limited list --db bad.db >/dev/null && cksum <bad.db)"

# -- tables
endless="WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x AS id FROM r"
for table in experiment drg_node warning derived; do
	planted "DROP TABLE $table; CREATE VIEW $table AS $endless"
	one_error "a view in place of a table: $table" 1 "'bad.db'.* tables .*;" \
		limited list --db bad.db
	one_error "the same of the other repository of merge" 1 "'bad.db'.* tables .*;" \
		limited merge bad.db --db new.db
	planted "DROP TABLE $table"
	one_error "no table: $table" 1 "'bad.db'.* tables .*;" limited report --db bad.db
done
planted "ALTER TABLE warning
	ADD COLUMN x GENERATED ALWAYS AS (length(zeroblob(1000000000))) VIRTUAL"
one_error "a column that is computed" 1 "'bad.db'.* tables .*;" limited show --db bad.db
planted "DROP TABLE warning; INSERT INTO sqlite_master
	VALUES ('table', 'warning', 'warning', 0,
		'CREATE VIRTUAL TABLE warning USING fts5(experiment, text)')"
one_error "a virtual table" 1 "'bad.db'" limited show --db bad.db

# -- what sql may do
cp sis.db asked.db
for query in "ATTACH 'new.db' AS x" "SELECT load_extension('./x.so')" "PRAGMA journal_mode = WAL" \
	"VACUUM INTO 'copy.db'" "PRAGMA user_version = 7" "DETACH main" \
	"PRAGMA writable_schema = ON" "PRAGMA query_only = OFF" "CREATE TEMP TABLE t(x)" \
	"REINDEX" "ANALYZE" "BEGIN IMMEDIATE" \
	"WITH x AS (SELECT 1) INSERT INTO warning SELECT 1, 'x' FROM x" \
	"SELECT writefile('x', 'y')" "DELETE FROM experiment RETURNING id"; do
	one_error "sql: $query" 1 "^sis-analyze: error: query: " limited sql --db asked.db "$query"
done
for query in "SELECT * FROM pragma_table_info('experiment')" "PRAGMA table_info(experiment)" \
	"PRAGMA user_version" "EXPLAIN QUERY PLAN SELECT * FROM summary" \
	"PRAGMA integrity_check" "SELECT count(*) FROM sensor_rate"; do
	check "sql: $query" limited sql --db asked.db "$query"
done
equal "and the file is as it was" "$(cksum <asked.db)" "$(cksum <sis.db)"
refuse "no other file is made" ls new.db copy.db x
echo "1..$number"
