# SPDX-License-Identifier: BSD-3-Clause
# SIS_UNIFY: one file for all ranks. It says what their own files would have said, to the last byte
# of an export; and whatever fails or dies on the way, nothing that was measured is lost.
#
#     UNIFY_FAULTS=all tests/run e2e unify       lets every call fail, not one of thirteen
# ci: it lets many calls fail, one after the other
. "$(dirname "$0")/../lib.sh"

cp "$HERE/unify.c" ranks.c
build ranks ranks.c -O1 -fopenmp
"$MPICC" -fopenmp -o plain ranks.c || exit 1
gcc -shared -fPIC -O1 -Wall -Wextra "$E2E/run/inject.c" -o inject.so -ldl >build.err 2>&1 ||
	give_up "builds inject.so" build.err

calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }
files() { (cd "$EXP" && echo *.sis); }
unified() { SIS_UNIFY=1 run "$@"; }

# -- the same ------------------------------------------------------------------------------------
# exported FORMAT WITHOUT: the experiment without some of its files, in a database of its own
exported() {
	rm -rf same && cp -r "$EXP" same && rm same/$2
	"$ANALYZE" export --format "$1" --db "same/sis.db" same |
		sed -E 's/(imported_ns": |imported_ns>|imported_ns=")[0-9]+//'
}
for shape in "2 1" "8 2" "3 4"; do
	# shellcheck disable=SC2086
	SIS_TRACE=1 SIS_UNIFY=keep SIS_PMETRIC=WTIME,CTIME SIS_SENSORS=20ms run $shape ./ranks fork
	equal "$shape: runs" "$run_status $(cat run.err)" "0 "
	for format in xml json perfetto; do
		exported $format ranks.sis >own.export
		exported $format 'proc-*.*.sis' >all.export
		check "$shape: the same $format from one file as from one each" cmp own.export \
			all.export
		check "$shape: of something" test "$(wc -c <all.export)" -gt 2000
	done
done

# -- samples of call stacks, which name nodes by their addresses ---------------------------------
source_file blamed.c <<'END'
#include <mpi.h>
static double field[10000];
static void sweep(void)
{
	for (int i = 1; i < 10000; i++)
		field[i] = field[i - 1] * 0.5 + i;
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 5000; i++)
		sweep();
	MPI_Finalize();
	return field[9999] < 0;
}
END
build blamed --sis-blame -O1 -g blamed.c
SIS_BLAME=1000hz SIS_UNIFY=keep run 2 1 ./blamed
for part in own all; do
	rm -rf same && cp -r "$EXP" same
	if [ $part = own ]; then rm same/ranks.sis; else rm same/proc-*.sis; fi
	"$ANALYZE" import --db same/sis.db same >/dev/null
	"$ANALYZE" blame --db same/sis.db >$part.blame
done
check "the same blame from one file as from one each" cmp own.blame all.blame
matches "... of something" "$(cat all.blame)" "field +double"
SIS_BLAME=1000hz unified 2 1 ./blamed
equal "samples: one file for all ranks" "$(cd "$EXP" && echo proc* ranks*)" "proc* ranks.sis"

# -- which files are left, and when --------------------------------------------------------------
for how in "" pmpi; do
	unified 2 2 ./ranks $how
	equal "${how:-ends}: one file" "$(ls "$EXP" | tr '\n' ' ')" "ranks.sis run "
	equal "${how:-ends}: prints" "$(sort run.out | tr '\n' ' ')$(cat run.err)" "0 of 2 1 of 2 "
	equal "${how:-ends}: all calls are there" \
		"$(calls step) $(calls odd) $(calls after)" \
		"25 1 4"
	equal "${how:-ends}: complete" "$(query '.[0].complete' import "$EXP")" true
	identity "${how:-ends}"
done
run 2 1 ./ranks
equal "few ranks, nothing said: a file each" "$(files | wc -w)" 2
run 16 1 ./ranks
equal "many ranks, nothing said: one file" "$(files)" ranks.sis
SIS_UNIFY=0 run 16 1 ./ranks
equal "SIS_UNIFY=0: a file each" "$(files | wc -w)" 16
for how in fork fork-late; do
	unified 2 1 ./ranks $how
	equal "$how: the children's files are their own" \
		"$(files | wc -w) $(ls "$EXP" | grep -c ranks.sis)" \
		"3 1"
	equal "$how: all calls are there" "$(calls step) $(calls odd)" "25 3"
	identity "$how"
done

# -- processes that end in other ways ------------------------------------------------------------
unified 2 1 ./ranks kill
equal "killed after MPI_Finalize: all calls are there" "$(calls step) $(calls odd)" "23 1"
check "killed after MPI_Finalize: and those after it" test "$(calls after)" -ge 1
equal "killed after MPI_Finalize: the experiment is not complete" \
	"$(query '.[0].complete' import "$EXP")" \
	false
identity "killed after MPI_Finalize"
unified 2 1 ./ranks _exit
equal "_exit: their own files count" "$(files | wc -w) $(calls step) $(calls after)" "3 23 2"
identity "_exit"

# -- ranks that are not measured -----------------------------------------------------------------
# mixed WHAT PROFILES MPIEXEC-ARGUMENT...
mixed() {
	what=$1 profiles=$2
	shift 2
	runs=$((runs + 1)) EXP=$T/exp$runs
	SIS_UNIFY=1 SIS_OUTPUT=$EXP timeout 60 "$MPIEXEC" "$@" >run.out 2>run.err </dev/null
	equal "$what: ends, and says nothing" "$? $(cat run.err)" "0 "
	equal "$what: a file each" "$(files | wc -w)" "$profiles"
}
mixed "the last one is not measured" 2 -n 2 ./ranks : -n 1 ./plain
mixed "the first one is not measured" 2 -n 1 ./plain : -n 2 ./ranks
mixed "one has it switched off" 1 -n 1 -env SIS_ENABLE 0 ./ranks : -n 1 ./ranks
mixed "one does not want it" 2 -n 1 -env SIS_UNIFY 0 ./ranks : -n 1 ./ranks

# A rank that is not measured starts a measured program with wrappers of MPI. That program is no
# rank, but is taken for one at first.
source_file helper.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void step(void) { usleep(1000); }
int main(int argc, char **argv)
{
	step();
	return argc > 9 ? MPI_Init(&argc, &argv) : 0;
}
END
source_file starter.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	int status = system("./helper");
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return status != 0;
}
END
source_file waiter.c <<'END'
#include <mpi.h>
#include <unistd.h>
static void step(void) { usleep(1000); }
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	step();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build helper helper.c -O1
build waiter waiter.c -O1
"$MPICC" -o starter starter.c || exit 1
runs=$((runs + 1)) EXP=$T/exp$runs
SIS_UNIFY=1 SIS_OUTPUT=$EXP timeout 60 "$MPIEXEC" -n 1 ./waiter : -n 1 \
	./starter >run.out 2>run.err </dev/null
equal "one that is taken for a rank: no process waits for it for ever" \
	"$? $(files | wc -w) $(calls step)" \
	"0 2 2"

# -- ranks of two programs, whose descriptions differ ---------------------------------------------
sed 's/step/other/g' waiter.c >another.c
build another another.c -O1
runs=$((runs + 1)) EXP=$T/exp$runs
SIS_UNIFY=1 SIS_OUTPUT=$EXP timeout 60 "$MPIEXEC" -n 2 ./waiter : -n 2 \
	./another >run.out 2>run.err </dev/null
equal "two programs: one file, nothing is said" "$? $(files) $(cat run.err)" "0 ranks.sis "
equal "two programs: all calls are there" "$(calls step) $(calls other)" "2 2"

# -- no time and no space left -------------------------------------------------------------------
SIS_UNIFY_TIMEOUT=1ms SIS_UNIFY=1 run 8 1 ./ranks
equal "no time: all calls are there" "$(calls step) $(calls odd)" "92 4"
SIS_UNIFY=1 SIS_LOG=quiet FAULT_FROM=$T/finalizing FAULT=1+ LD_PRELOAD=$T/inject.so run 2 1 \
	./ranks mark
equal "everything fails from MPI_Finalize on: runs" \
	"$run_status $(sort run.out | tr '\n' ' ')" \
	"0 0 of 2 1 of 2 "
equal "everything fails from MPI_Finalize on: all calls are there" \
	"$(calls step) $(calls odd)" \
	"23 1"

# try RANK N KILL: one call of one rank fails, or kills it; faults are written to the file
# problems
try() {
	rm -f finalizing
	SIS_UNIFY=1 FAULT_FROM=$T/finalizing FAULT_RANK=$1 FAULT=$2 FAULT_KILL=$3 \
		LD_PRELOAD=$T/inject.so \
		run 2 1 ./ranks mark
	[ "$3" ] || [ "$run_status" = 0 ] ||
		echo "$*: status $run_status, says $(cat run.err)" >>problems
	[ "$3" ] || [ "$(sort run.out | tr '\n' ' ')" = "0 of 2 1 of 2 " ] ||
		echo "$*: prints $(cat run.out)" >>problems
	[ "$(calls step) $(calls odd)" = "23 1" ] ||
		echo "$*: $(calls step) $(calls odd) calls; $(analyze import \
			"$EXP" 2>&1); $(files)" >>problems
	rm -rf "$EXP"
}
: >problems
for rank in 0 1; do
	: >log
	rm -f finalizing
	SIS_UNIFY=1 FAULT_FROM=$T/finalizing FAULT_RANK=$rank FAULT=0 FAULT_LOG=$T/log \
		LD_PRELOAD=$T/inject.so \
		run 2 1 ./ranks mark
	calls=$(wc -c <log) step=13
	check "rank $rank: enough calls can fail ($calls)" test "$calls" -gt 12
	[ "${UNIFY_FAULTS:-}" != all ] || step=1
	for n in $(seq $((1 + rank * 3)) $step "$calls"); do
		try $rank "$n" ""
		try $rank "$n" 1
	done
done
equal "a call fails, or the rank dies in it: nothing is lost" "$(cat problems)" ""

# -- damage: it costs one rank, and is said -----------------------------------------------------
unified 2 1 ./ranks
cp -r "$EXP" ending && ln -s nowhere ending/proc-gone.1.sis
check "a file that is gone since the directory was read is in that of all ranks" "$ANALYZE" import \
	--db ending.db ending
word() { od -A n -t u8 -j "$1" -N 8 "$EXP/ranks.sis" | tr -d ' '; }
second=$(word $((4096 + 24))) # where the index says
bad=$T/bad/ranks.sis
spoil() { rm -rf bad bad.db && cp -r "$EXP" bad; }
# one_rank WHAT MESSAGE: rank 0 is read, and is known not to be all
one_rank() {
	equal "$1: the other rank is there" \
		"$("$ANALYZE" import --db bad.db --json bad 2>err | jq '.[0].complete')" false
	matches "$1: said" "$("$ANALYZE" show --db bad.db 1)" "left out: .*/ranks.sis, rank 1: $2"
	matches "$1: and that it is missing" "$("$ANALYZE" show --db bad.db 1)" \
		"only 1 of 2 MPI processes left a profile"
}
spoil && head -c $((second + 500)) "$EXP/ranks.sis" >"$bad"
one_rank "truncated" truncated
spoil && printf x | dd of="$bad" bs=1 seek=$((4096 + 25)) conv=notrunc 2>dd.err
one_rank "a spoilt entry of the index" damaged
spoil && printf xyz | dd of="$bad" bs=1 seek=$((second + 100)) conv=notrunc 2>dd.err
one_rank "a spoilt part" damaged
spoil && head -c $(($(word 4096) + 100)) "$EXP/ranks.sis" >"$bad"
one_error "nothing is left" 1 'ranks.sis, rank 0: truncated' "$ANALYZE" import --db bad.db bad
spoil && echo "something else" >"$bad"
one_error "something else" 1 'ranks.sis: ' "$ANALYZE" import --db bad.db bad

# -- without zstd: parts are profiles as they are ------------------------------------------------
size() { stat -c %s "$EXP/ranks.sis"; }
packed=$(size)
cp -r "$(dirname "$SISC")/../lib" bare && rm -f bare/sis/libsis-zstd.so
LD_LIBRARY_PATH=$T/bare unified 2 1 ./ranks
equal "without zstd: one file" "$(files) $(cat run.err)" "ranks.sis "
check "... of more bytes ($(size) of $packed)" test "$(size)" -gt $((4 * packed))
equal "... all calls are there" "$(calls step) $(calls odd)" "23 1"
identity "without zstd"

echo "1..$number"
