# SPDX-License-Identifier: BSD-3-Clause
# Damaged experiments and repositories: whatever is in them, sis-analyze answers or says what is
# wrong, soon and in bounded memory (FUZZ_MEMORY KiB; unlimited for an address sanitizer).
# FUZZ_ROUNDS=10000 from seed FUZZ_FIRST on; a round that fails can be repeated alone. FUZZ_ONLY
# chooses what is damaged: files (of experiments), ranks (the file of all ranks, its checksums
# put right again), bytes (of a repository), rows (of a repository).
# ci: it reads many damaged files
. "$(dirname "$0")/../lib.sh"

rounds=${FUZZ_ROUNDS:-200} first=${FUZZ_FIRST:-1}
"$CC" -O1 -I"$TOP/schema" -o mutate "$HERE/mutate.c" 2>build.err ||
	give_up "mutate is built" build.err
for tool in mutate_rows execute; do
	"$CC" -O1 -o $tool "$HERE/$tool.c" -lsqlite3 2>build.err ||
		give_up "$tool is built" build.err
done

source_file prog.c <<'END'
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
static void part(int n) { for (volatile int i = 0; i < n * 1000; i++) ; }
int main(int argc, char **argv)
{
	int rank, x = 0;
	MPI_Comm half;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);
	for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2)
		part(i * (rank + 1));
		if (rank)
			MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		else
			MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
		MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
	if (argc > 1)
		raise(SIGKILL);
	MPI_Finalize();
	return 0;
}
END
build prog prog.c -O1 -fopenmp
run 2 2 ./prog
whole=$EXP
SIS_UNIFY=1 run 2 2 ./prog
shared=$EXP # one file for both ranks
run 2 2 ./prog die; killed=$EXP # its chunks have no checksums yet
SIS_TRACE=1 run 2 2 ./prog die; traced=$EXP # with the rings, which have no checksums at all
"$ANALYZE" import --db good.db "$whole" "$killed" "$shared" "$traced" >import.out 2>&1 ||
	give_up "what is not damaged is read" import.out
rm -rf "$T"/*-journal
ok "all are read before they are damaged"
cp good.db rows.db # without NOT NULL, which other programs need not keep either
./execute rows.db "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')
	WHERE type = 'table' AND name <> 'derived'" || give_up "columns may be NULL"

# What is asked of an experiment, by its number in place of N
source_file commands <<'END'
report N
report N --json
overhead N --by-pu
overhead N --explain OTOTAL
overhead N --overhead OTOTAL --inclusive
overhead N --region program --pu 0
regions N --tree
regions N --json
regions N --tree --metric OTOTAL,CALLS --pu 0
regions N --values
summary N
imbalance N
suggest-filter N --target 0%
compare N 2
compare N 3 --regions
compare N 3 --parts
compare N 2 --paths --total
speedup 1 2 3 --regions
speedup 1 2 3 --efficiencies
speedup 1 2 3 --regions --metric CALLS,OSYNC --group nodes,threads
speedup 1 2 3 --region main/main
speedup 1 2 3 --base best --seq N
waits N
waits N --culprits
messages N
messages N --by-site
messages N --communicators
sensors N
ratio N --define X=OSYNC/CALLS
ratio N --tree --region program --by-host
idf N
show N
show N --json
list
export N --format xml -o out.xml
export N --format json
export N --format csv
export N --format folded
export N --format speedscope
export N --format hatchet
export N --format caliper
export N --format tau -o tau
merge bad.db --db other.db
rm N
gc
END
commands=$(wc -l <commands)

# sound STATUS: a command may end so; on stderr is one error, or nothing
sound() {
	case $1 in
	0) true ;;
	1 | 2) [ "$(grep -c '^sis-analyze: error: ' err)" = 1 ] && [ "$(wc -l <err)" = 1 ] ;;
	*) false ;; # killed by a signal, or too slow
	esac
}

# try SEED WHAT COMMAND...: with bounded time and memory
try() {
	seed=$1 what=$2
	shift 2
	(ulimit -v "${FUZZ_MEMORY:-4000000}"; exec timeout 20 "$ANALYZE" "$@") >out 2>err </dev/null
	status=$?
	sound $status && return
	not_ok "seed $seed, $what: $* ends with $status: $(head -n 2 err | cut -c1-200)"
}

# damaged_run SEED: of one of the experiments one file is damaged, or all are
damaged_run() {
	rm -rf bad bad.db
	case $(($1 / 16 % 4)) in
	0) cp -r "$whole" bad ;;
	1) cp -r "$killed" bad ;;
	2) cp -r "$shared" bad ;;
	3) cp -r "$traced" bad ;;
	esac
	case $(($1 % 16)) in
	14) rm "$(ls bad/*.sis | head -n 1)" ;;
	15) head -c 5000 mutate >>"$(ls bad/*.sis | head -n 1)" ;;
	*) for file in bad/*.sis bad/*.ring; do
		[ -e "$file" ] || continue
		[ $(($1 % 3)) = 0 ] || [ "${file%.ring}" != "$file" ] ||
			[ "$file" = "$(ls bad/*.sis | head -n 1)" ] || continue
		./mutate "$file" "$1" || return
	done ;;
	esac
	try "$1" experiment import --db bad.db bad
	[ $status != 0 ] && return
	taken=$((taken + 1))
	case $(($1 / 16 % 5)) in
	0) try "$1" "imported experiment" report --db bad.db 1 ;;
	1) try "$1" "imported experiment" waits --db bad.db 1 ;;
	2) try "$1" "imported experiment" export --format speedscope --db bad.db 1 ;;
	3) try "$1" "its files" top bad --once --json ;;
	4) try "$1" "its files" top bad --once --prometheus bad.prom ;;
	esac
}

# ask SEED WHAT NUMBER EXPERIMENT: command NUMBER of the list
ask() {
	rm -rf tau other.db out.xml
	question=$(sed -n "$(($3 % commands + 1)){s/ N/ $4/;p;}" commands)
	# shellcheck disable=SC2086
	try "$1" "$2" --db bad.db $question
}

# A file of all ranks whose damage is behind its checksums
damaged_ranks() {
	rm -rf bad bad.db
	cp -r "$shared" bad
	./mutate bad/ranks.sis "$1" mend || return
	try "$1" "file of all ranks" import --db bad.db bad
	[ $status != 0 ] && return
	taken=$((taken + 1))
	ask "$1" "its experiment" $(($1 / 8)) 1
}

# Rows: every second time of a repository whose columns may all be NULL
damaged_rows() {
	if [ $(($1 / 3 % 2)) = 0 ]; then cp good.db bad.db; else cp rows.db bad.db; fi
	./mutate_rows bad.db "$1" >rows.sql || return
	cp bad.db saved.db
	ask "$1" rows "$1" $(($1 % 3 + 1))
	[ $status = 0 ] && taken=$((taken + 1))
	cp saved.db bad.db
	ask "$1" rows $(($1 * 7 + 3)) $(($1 % 3 + 1))
}

damaged_bytes() {
	cp good.db bad.db
	./mutate bad.db "$1"
	case $(($1 % 5)) in
	0) try "$1" repository report --db bad.db 1 ;;
	1) try "$1" repository list --db bad.db ;;
	2) try "$1" repository import --db bad.db "$whole" ;;
	3) try "$1" repository messages --by-site --db bad.db 2 ;;
	4) try "$1" repository gc --db bad.db ;;
	esac
}

taken=0 seed=$first
while [ "$seed" -lt $((first + rounds)) ]; do
	case ${FUZZ_ONLY:-$((seed % 8))} in
	files | [0-3]) damaged_run "$seed" ;;
	ranks | 4) damaged_ranks "$seed" ;;
	bytes | 5) damaged_bytes "$seed" ;;
	rows | [67]) damaged_rows "$seed" ;;
	*) give_up "FUZZ_ONLY=$FUZZ_ONLY is files, ranks, bytes or rows" ;;
	esac
	seed=$((seed + 1))
done
[ $number -gt 1 ] || ok "$rounds times damage was answered or refused"
if [ "$rounds" -lt 100 ] || [ $taken -ge $((rounds / 20)) ]; then ok \
	"and not all of it was refused at the door"; else
	not_ok "only $taken of $rounds were let in: the damage finds nothing behind the checks"
fi
echo "# $taken of $rounds were answered"
echo "1..$number"
