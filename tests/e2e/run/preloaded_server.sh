# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze run: a PostgreSQL server, which is started by a program that ends before, has a
# process for each of its clients and helpers, and does not run as root. It does the same as
# without SIS.
# ci: it starts a server twice
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_as_plain.sh"
share_with_all
unset SIS_ASLEEP SIS_OVERHEAD
for bin in /usr/lib/postgresql/*/bin; do :; done
[ -x "$bin/initdb" ] || { skip "a server" "not installed: postgresql"; echo "1..$number"; exit; }
[ ! -x sis/bin/sis-analyze ] || ANALYZE=$T/sis/bin/sis-analyze
umask 0 # the user of the server makes files in the directory of the experiment

mkdir server && { [ "$(id -u)" != 0 ] || chown postgres server; }
cat >serve <<END
#!/bin/sh
cd $T/server
$bin/initdb -D data -U sis -A trust >made 2>&1 || cat made
$bin/pg_ctl -D data -w -l log -o "-k $T/server -c listen_addresses='' -c fsync=off" start >said
echo start \$?
$bin/psql -X -q -A -t -v ON_ERROR_STOP=1 -h $T/server -U sis postgres <<'SQL'
CREATE TABLE numbers AS SELECT i, i % 97 AS k FROM generate_series(1, 300000) i;
ANALYZE numbers;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT count(*), sum(a.i) FROM numbers a JOIN numbers b USING (i) WHERE a.k < 40;
SELECT k, count(*) FROM numbers GROUP BY k ORDER BY k LIMIT 3;
SELECT * FROM missing;
SQL
echo psql \$?
$bin/pg_ctl -D data -w -m fast stop >said
echo stop \$?
grep -E "PANIC|FATAL|ERROR|WARNING|terminated by" log | sed 's/.*\] //'
rm -rf data log made said
exit 6
END
chmod +x serve
set -- ./serve
[ "$(id -u)" != 0 ] || set -- setpriv --reuid postgres --regid postgres --clear-groups "$@"
as_plain "$@"
equal "the server did its work" \
	"$(grep -c 'start 0\|psql 3\|stop 0\|missing\|^123719|' plain.out)" 5
check "the server's processes are measured" [ "$(ls exp/proc-*.sis | wc -l)" -gt 5 ]
equal "all time is accounted for" "$(unaccounted)" ""
echo "1..$number"
