# SPDX-License-Identifier: BSD-3-Clause
# --top, --filter and --sort work in every command that prints a list, and --seq in every one that
# compares with the sequential run.
. "$(dirname "$0")/../lib.sh"

source_file ring.c <<'EOF'
#include <mpi.h>
#include <unistd.h>
static void work(int ms) { usleep(ms * 1000); }
int main(int argc, char **argv)
{
	int rank, size, token = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	work(100 * (rank + 1));
	if (size > 1)
		MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % size, 0, (rank + 1) % size, 0,
				     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
EOF
build ring ring.c --sis-cr=CR_P,CR_F,CR_MPI
for k in 1 2; do
	SIS_SENSORS=20ms run 2 1 ./ring
	analyze import "$EXP" --name r$k >import.out
done
run 1 1 ./ring
analyze import "$EXP" --name alone >import.out

# Each line: a command; the words after it are arguments.
cat >lists <<'EOF'
list
regions r1
overhead r1 --by-pu
overhead r1 --region main
overhead r1 --overhead OSYNC
summary r1
imbalance r1
compare r1 r2
compare r1 r2 --parts
compare r1 r2 --paths
compare r1 r2 --regions
speedup r1 r2
speedup r1 r2 --regions
speedup r1 r2 --efficiencies
ratio r1
waits r1
waits r1 --victims
waits r1 --culprits
messages r1
messages r1 --by-site
messages r1 --communicators
sensors r1
idf ./ring
sql SELECT~id,name~FROM~code_region
counters
env
EOF
while read -r line; do
	set -- $line
	case $1 in sql) set -- sql "$(echo "$2" | tr '~' ' ')" ;; esac
	all=$(query length "$@" </dev/null)
	if [ "${all:-0}" -lt 1 ]; then
		not_ok "$line: has lines"
		continue
	fi
	equal "$line: --top" "$(query length "$@" --top 1 </dev/null)" 1
	column=$(analyze "$@" --json </dev/null | sed -n '/"/{s/^[^"]*"\([^"]*\)".*/\1/p;q}')
	equal "$line: --sort by $column" \
		"$(query "map(.$column) | map(select(. != null)) | length" "$@" --sort "$column" \
			</dev/null)" \
		"$(query "map(.$column) | map(select(. != null)) | length" "$@" </dev/null)"
	equal "$line: --filter" "$(query length "$@" --filter 'no*such*name' </dev/null)" 0
	check "$line: in text" sh -c \
		'"$0" "$@" --top 1 --db sis.db </dev/null >text.out && test -s text.out' \
		"$ANALYZE" "$@"
	one_error "$line: a wrong column" 2 "no column 'no_such'" \
		"$ANALYZE" "$@" --db "$T/sis.db" --sort no_such </dev/null
done <lists
one_error "sources are shown whole" 2 "leave out --sort" "$ANALYZE" idf ./ring --source --top 1
equal "a query is filtered by its values" \
	"$(query 'map(.name) | join(" ")' sql "SELECT id, name FROM experiment ORDER BY id" \
		--filter 'id>1' --sort name)" \
	"alone r2"
equal "a name is not that of the set" \
	"$(query 'map(.region) | unique | join(" ")' speedup r1 r2 --regions --filter 'MPI_B*')" \
	MPI_Barrier

# -- --seq wherever T_s matters
for line in "overhead r1" "report r1" "waits r1" "compare r1 r2" "speedup r1 r2"; do
	set -- $line
	check "$line: --seq" "$ANALYZE" "$@" --db "$T/sis.db" --seq alone
done
equal "without a sequential run no overhead is compared with it" \
	"$(query 'map(select(.overhead == "OLOSS_REPL")) | length' compare r1 r2)" 0
check "with one" test "$(query 'map(select(.overhead == "OLOSS_REPL" or .overhead == "OUNID") |
	.seconds) | map(select(. != 0)) | length' compare r1 r2 --seq alone)" -ge 2
equal "it is the base" \
	"$(query '.[0] | [.experiment, .speedup] | join(" ")' speedup r1 r2 --seq alone)" "alone 1"
