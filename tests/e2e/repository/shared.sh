# SPDX-License-Identifier: BSD-3-Clause
# A repository on a PostgreSQL server gives the same answers as one in a file. Several users work
# with it at once, and no user sees half of a change. The server is a real one, started here on a
# socket of its own.
# ci: it runs many programs
. "$(dirname "$0")/../lib.sh"
share_with_all

# -- the server: it does not run as root
for bin in /usr/lib/postgresql/*/bin; do :; done
[ -x "$bin/initdb" ] || { skip "a repository in PostgreSQL" "no server: install postgresql"; exit; }
as_server() {
	[ "$(id -u)" != 0 ] || set -- setpriv --reuid postgres --regid postgres --clear-groups "$@"
	"$@" >server.out 2>&1 </dev/null
}
mkdir server && { [ "$(id -u)" != 0 ] || chown postgres server; }
cd "$T/server" || exit 1
as_server "$bin/initdb" -D "$T/server/data" -U sis -A trust || give_up "initdb" server.out
start_server() {
	as_server "$bin/pg_ctl" -D "$T/server/data" -w -l "$T/server/log" \
		-o "-k $T/server -c listen_addresses='' -c fsync=off" start
}
stop_server() { as_server "$bin/pg_ctl" -D "$T/server/data" -w -m immediate stop; }
cd "$T" || exit 1
start_server || give_up "the server starts" server/log
trap 'stop_server; cd /; rm -rf "$T"' EXIT
URL="postgresql://sis:secret@/postgres?host=$T/server"
server() {
	"$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$URL" -c "SET search_path = sis" -c "$1" 2>&1
}

# as USER COMMAND ARGUMENT...: each user has a replica; `alone` has a repository in a file
as() {
	user=$1 command=$2
	shift 2
	mkdir -p "$T/$user"
	if [ "$user" = alone ]; then database=$T/alone.db; else database=$URL; fi
	XDG_CACHE_HOME=$T/$user "$ANALYZE" "$command" --db "$database" "$@"
}
quiet() { "$@" >quiet.out 2>&1 || give_up "$*" quiet.out; }

# -- experiments
source_file prog.c <<'END'
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sis/sis.h>
static void work(int n) { usleep(1000); SIS_VALUE("n", n / 3.0); if (n) work(n - 1); }
int main(int argc, char **argv)
{
	void *volatile memory = malloc(5000);
	work(argc > 1 ? atoi(argv[1]) : 3);
	free(memory);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num())
		usleep(5000);
	puts("done");
	if (argc > 2)
		kill(getpid(), 9);
	return 0;
}
END
build prog prog.c -fopenmp -I"$build_dir/include" \
	--sis-cr=CR_P,CR_F,CR_IO,CR_OMP --sis-pmetric=WTIME,CALLS,CTIME --sis-blame
export SIS_BLAME=1
run_alone 1 ./prog 3 && A=$EXP
unset SIS_BLAME
run_alone 1 ./prog 5 && B=$EXP
run_alone 1 ./prog 300 && C=$EXP
run_alone 1 ./prog 2 killed
KILLED=$EXP

# -- the same answers as from a repository in a file
equal "before anything is there" "$(as ann list --json)" "[]"
equal "and nothing was made" "$(server "SELECT count(*) FROM pg_namespace WHERE nspname = 'sis'")" 0
for user in ann alone; do
	quiet as $user import "$A" --name "first
tab	and \\ ünïcode" --set size=3
	quiet as $user import "$B" "$C" "$KILLED"
	quiet as $user import "$B" --name second --role seq
done
same_answers() {
	for command in list regions overhead show report compare "sql SELECT*FROM~user_value" \
		"sql SELECT*FROM~machine_fact" "sql SELECT*FROM~wait_pair" "waits --pairs" \
		"sql SELECT*FROM~memory" "sql SELECT*FROM~memory_use" \
		"export --format json" "export --format caliper"; do
		words=$(echo "$command" | tr ' ~' '\n ')
		(IFS='
'
		# shellcheck disable=SC2086 # a line is a word
		case $command in
		list | sql*) as alone $words --csv >one.out 2>&1; as "$1" $words \
			--csv >two.out 2>&1 ;;
		compare) as alone compare 1 2 >one.out 2>&1; as "$1" compare 1 2 >two.out 2>&1 ;;
		*) as alone $words 2 >one.out 2>&1; as "$1" $words 2 >two.out 2>&1 ;;
		esac)
		sed -i '/imported/d' one.out two.out
		if [ -s one.out ] && cmp -s one.out two.out; then ok "$2: $command"; else
			not_ok "$2: $command differs"
			diff one.out two.out | head -n 5
		fi
	done
}
same_answers ann "who wrote it"
matches "there is memory" "$(as ben sql 'SELECT name FROM memory')" memory
same_answers ben "another user"
equal "names are as they were given" \
	"$(as ben list --json | jq -r '.[0].name')" \
	"$(as alone list --json | jq -r '.[0].name')"
equal "the tables are there for other programs, with their views" \
	"$(server "SELECT count(*) FROM summary WHERE experiment = 2")" \
	"$(as ben sql 'SELECT count(*) FROM region_summary s
	JOIN drg_node n ON n.id = s.drg_node WHERE experiment = 2' --csv | tail -n 1)"
equal "and each view can be read" \
	"$(for view in $(server "SELECT viewname FROM pg_views WHERE schemaname = 'sis'"); do
	server "SELECT count(*) FROM $view" >/dev/null || echo "$view"; done)" ""

# -- calibrations belong to no experiment
quiet as ann calibrate --calls 40 --call-time 0us --processes 1 --depths 1 --settings S1,A1 \
	--regions-only
as ann calibrate 1 --json >ann.out
as ben calibrate 1 --json >ben.out
check "a calibration is everyone's" cmp ann.out ben.out
equal "with its portions" "$(jq '[.portions[].portion] | length' ben.out)" 16
quiet as ben calibrate --remove 1
equal "and what one removes, the other has no more" "$(as ann calibrate --list --json)" "[]"

# -- changes
equal "once more changes nothing" \
	"$(as ben import "$A" --json | jq '.[0].id') $(as ben list --json | jq length)" \
	"1 4"
quiet as ben rm "first
tab	and \\ ünïcode"
quiet as alone rm 1
equal "what one removes, the other has no more" "$(as ann list --json | jq -c '[.[].id]')" "[2,3,4]"
same_answers ann "after rm"
quiet as ann gc --incomplete
quiet as alone gc --incomplete
equal "gc at the server" "$(server "SELECT count(*) FROM experiment")" 2
same_answers ben "after gc"
quiet as alone import "$A" --name again
as alone export again --format xml >again.xml
quiet as ben import again.xml
quiet as ann merge alone.db
equal "after an import of XML" "$(as ann regions again --csv)" "$(as alone regions again --csv)"
equal "merged from there" \
	"$("$ANALYZE" merge --db fresh.db "$URL" --json 2>/dev/null | jq length)" \
	3

# -- many at once
for k in 1 2 3 4; do
	run_alone 1 ./prog $k && echo "$EXP" >"many.$k"
done
for k in 1 2 3 4; do
	as "user$k" import "$(cat many.$k)" --name "many-$k" >"many.$k.out" 2>&1 &
	waiting="${waiting:-} $!"
done
for pid in $waiting; do
	wait "$pid" || not_ok "an import among others fails: $(cat many.*.out)"
done
equal "imports at once all come" \
	"$(as ann list \
		--json | jq -r '[.[].name | select(startswith("many"))] | sort | join(" ")')" \
	"many-1 many-2 many-3 many-4"

# -- changes are made completely or not at all
run_alone 1 ./prog 400 && LATE=$EXP
as ann list >/dev/null
server "CREATE FUNCTION no() RETURNS trigger AS 'BEGIN RAISE EXCEPTION ''no more''; END'
	LANGUAGE plpgsql;
	CREATE TRIGGER no BEFORE INSERT ON overhead FOR EACH ROW EXECUTE FUNCTION no()" >/dev/null
one_error "a server that refuses rows" 1 "no more" as ann import "$LATE" --name late
equal "has none of the experiment" \
	"$(server "SELECT count(*) FROM experiment WHERE name = 'late'")" \
	0
equal "nor has the replica" \
	"$(as ann list --json | jq '[.[] | select(.name == "late")] | length')" \
	0
server "DROP TRIGGER no ON overhead" >/dev/null
quiet as ann import "$LATE" --name late
equal "later it comes" "$(as ben list --json | jq '[.[] | select(.name == "late")] | length')" 1
: >"$(find ann -name 'replica-*.db')"
printf 'no database at all, no database at all, no database at all' \
	>"$(find ben -name 'replica-*.db')"
equal "a replica that is empty is made again" "$(as ann list --csv)" "$(as user1 list --csv)"
equal "and one that is damaged" "$(as ben list --csv)" "$(as user1 list --csv)"
equal "and one that cannot be kept" \
	"$(XDG_CACHE_HOME=/dev/null "$ANALYZE" list --db "$URL" --csv)" \
	"$(as user1 list --csv)"

# -- errors
server "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA sis TO reader;
	GRANT SELECT ON ALL TABLES IN SCHEMA sis TO reader" >/dev/null
reader() {
	command=$1
	shift
	XDG_CACHE_HOME=$T/reader "$ANALYZE" "$command" \
		--db "$(echo "$URL" | sed 's/sis:secret/reader/')" "$@"
}
mkdir reader
equal "a user that may only read reads" "$(reader list --csv)" "$(as ben list --csv)"
one_error "and no more" 1 "permission denied" reader rm late
version=$(server "SELECT version FROM repository")
server "UPDATE repository SET version = 99" >/dev/null
one_error "another version is not read" 1 "has version 99, not $version, .*import .* again" \
	as ann list
one_error "... nor written" 1 "has version 99, not $version, " as ann rm late
server "UPDATE repository SET version = $version" >/dev/null
stop_server
one_error "a server that is not there" 1 "sis@/postgres.*check that the server runs" as ann list
lacks "its message" "$(cat error.err)" secret
start_server || give_up "the server starts again" server/log

# -- the server's warnings are data
server "CREATE FUNCTION warn() RETURNS trigger AS
	'BEGIN RAISE WARNING E''\\033[31m\\nforged''; RETURN NULL; END' LANGUAGE plpgsql;
	CREATE TRIGGER warn AFTER UPDATE ON repository EXECUTE FUNCTION warn()" >warn.out
as ann import "$B" --name second >/dev/null 2>warn.err
equal "its warning is a line without controls" "$(grep -v '^sis-analyze: warning: ' warn.err)" ""
matches "that is shown" "$(cat warn.err)" '^sis-analyze: warning: WARNING:  \\x1b\[31m\\x0aforged'
