# SPDX-License-Identifier: BSD-3-Clause
# A rank creates or opens at most 6 files of the experiment, however long it runs, because the
# servers of a shared file system are asked for each of them. ranks.sis.new is renamed to ranks.sis,
# so both are one file.
. "$(dirname "$0")/../lib.sh"

source_file ranks.c <<'END'
#include <mpi.h>
#include <stdlib.h>
#include "work.h"
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int step = argc > 1 ? atoi(argv[1]) : 0; step > 0; step--) {
		rest(20);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
END
build ranks "-I$E2E/include" --sis-blame -O1 -g ranks.c
gcc -shared -fPIC -O1 -Wall -Wextra "$HERE/opened.c" -o opened.so -ldl >build.err 2>&1 ||
	give_up "builds opened.so" build.err
echo 'when calls(MPI_Barrier) > 1000000 then trace off' >rules

# most: the largest number of files that a process opened
most() {
	sed 's/\.new$//' opened.log | sort -u | cut -f 1 | uniq -c |
		awk '$1 > n { n = $1 } END { print n + 0 }'
}

# counted RANKS STEPS
counted() {
	rm -f opened.log
	OPENED_IN=$T OPENED_LOG=$T/opened.log LD_PRELOAD=$T/opened.so \
		run "$1" 1 ./ranks "$2"
	equal "$1 ranks, $2 steps: runs" "$run_status $(cat run.err)" "0 "
	[ "$(most)" -ge 2 ] || not_ok "opened.so counts: $(cat opened.log)"
}
few() { check "$1: at most 6 files, and here $(most)" test "$(most)" -le 6; }

counted 2 1
few "2 ranks"
export SIS_TRACE=1 SIS_BLAME=1000hz SIS_SENSORS=20ms SIS_RULES=$T/rules
counted 2 5
few "trace, blame, rules, sensors"
counted 2 150
few "... for some seconds"
counted 20 3
few "20 ranks and their common file"
check "... which is there" test -s "$EXP/ranks.sis"
SIS_UNIFY=1 counted 2 5
few "2 ranks and their common file"
mkdir tmp
export SIS_TMPDIR=$T/tmp
counted 20 3
few "files on the host"
equal "of the experiment only run and the host's file" \
	"$(cut -f 2 opened.log | sort -u | sed -n "s|^$EXP/||p" | sed 's/-.*//' | tr '\n' ' ')" \
	"host run "

echo "1..$number"
