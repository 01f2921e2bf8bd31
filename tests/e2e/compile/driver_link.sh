# SPDX-License-Identifier: BSD-3-Clause
# The link: which parts of the runtime are linked, and where the description of the program is.
. "$(dirname "$0")/../lib.sh"

needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' '; }
units() { jq -r '[.units[].source] | sort | join(" ")' "$1"; }

source_file plain.c <<'END'
int part(int n);
int main(void) { return part(3) != 3; }
END
source_file part.c <<'END'
int part(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
END
source_file team.c <<'END'
int main(void)
{
	int s = 0;
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < 10; i++) s += i;
	return s != 45;
}
END
source_file talk.c <<'END'
#include <mpi.h>
int talk(void)
{
	int rank;
	MPI_Init(0, 0);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	return MPI_Finalize();
}
END
source_file talker.c <<'END'
int talk(void);
int main(void) { return talk(); }
END

# Without instrumented objects nothing of ours is linked.
gcc -c plain.c part.c
check "plain objects link" "$SISC" plain.o part.o -o prog
lacks "plain objects: no runtime" "$(needed prog)" libsis
check "plain objects: no description" test ! -e prog.idf

# Order: the runtime comes before what it wraps.
build team -fopenmp team.c
matches "libsis comes before libgomp" "$(needed team)" 'libsis\.so.* libgomp'
mpi_libraries=$("$MPICC" -show -o x x.o | tr ' ' '\n' | grep -E '^-(L|l)' | tr '\n' ' ')
mpi_headers=$("$MPICC" -show -c x.c | tr ' ' '\n' | grep -E '^-I' | tr '\n' ' ')
"$SISC" --sis-cc=gcc $mpi_headers talk.c talker.c $mpi_libraries -o talker 2>build.err ||
	give_up "MPI libraries named by the user" build.err
matches "libsis-mpi comes before MPI" "$(needed talker)" '^libsis-mpi'
run 2 1 ./talker
equal "it runs" "$run_status" 0
"$SISC" -c talk.c && ar rcs libtalk.a talk.o
build talker talker.c libtalk.a
matches "MPI calls in an archive" "$(needed talker)" libsis-mpi
equal "its unit is described" "$(units talker.idf)" "talk.c talker.c"
SISC_CC=$MPICC build talker talker.c -L. -ltalk
matches "MPI calls in an archive by -l" "$(needed talker)" libsis-mpi
run 2 1 ./talker
equal "that runs too" "$run_status" 0

# Libraries.
build libpart.so -shared -fPIC part.c
equal "a shared library is described" "$(units libpart.so.idf)" part.c
check "a plain program with an instrumented library" gcc plain.c -o prog -L. -lpart -Wl,-rpath,"$T"
run_alone 1 ./prog
equal "a plain program with an instrumented library: runs" "$run_status" 0
"$SISC" -c part.c && ar rcs libparts.a part.o
gcc -c plain.c
build prog plain.o -L. -lparts
equal "only what is linked is described" "$(units prog.idf)" part.c
"$SISC" -c part.c team.c && ar rcs libboth.a part.o team.o
build prog plain.c libboth.a
equal "a member that is not linked is not described" "$(units prog.idf)" "part.c plain.c"

# Other ways to link.
check "-r" "$SISC" -r part.o -o both.o
check "-r: no description" test ! -e both.o.idf
build prog plain.c both.o
equal "-r: its result is instrumented" "$(units prog.idf)" "part.c plain.c"
build prog -flto -O2 plain.c part.c
equal "-flto" "$(units prog.idf)" "part.c plain.c"
"$SISC" -flto -O2 -c plain.c part.c
build prog -flto -O2 plain.o part.o
equal "-flto of objects" "$(units prog.idf)" "part.c plain.c"
run_alone 1 ./prog
equal "-flto of objects: runs" "$run_status" 0
build prog -Wl,--gc-sections -ffunction-sections -O2 plain.c part.c
equal "--gc-sections keeps the descriptions" "$(units prog.idf)" "part.c plain.c"
build prog plain.c part.c --sis-idf=here.idf
equal "--sis-idf" "$(units here.idf)" "part.c plain.c"
"$SISC" plain.c part.c -o prog --sis-idf=/nowhere/x.idf 2>sisc.err
equal "a description that cannot be written: the program is there" $? 0
matches "and it is said" "$(cat sisc.err)" '^sisc: warning: .*/nowhere/x.idf'
if gcc -static plain.c part.c -o prog 2>/dev/null; then
	if "$SISC" -static plain.c part.c -o prog 2>sisc.err; then
		run_alone 1 ./prog
		equal "-static: runs" "$run_status" 0
	else
		matches "-static: refused with a remedy" \
			"$(cat sisc.err)" \
			'^sisc: error: .*--sis-off'
	fi
fi

# A compiler that calls sisc, signals.
check "mpicc that calls sisc" env MPICH_CC="$SISC" OMPI_CC="$SISC" timeout 20 "$MPICC" talk.c \
	talker.c -o wrapped
matches "and has the MPI part" "$(needed wrapped)" libsis-mpi
source_file killed <<'END'
#!/bin/sh
kill -SEGV $$
END
chmod +x killed
(SISC_CC=./killed "$SISC" -x c-header part.c) 2>/dev/null
equal "a compiler that a signal ends: the status is its" $? 139
source_file slow <<'END'
#!/bin/sh
case "$*" in *-dM*) exec gcc "$@" ;; esac
touch started
exec sleep 30
END
chmod +x slow
mkdir tmp
TMPDIR=$T/tmp SISC_CC=./slow "$SISC" -c part.c 2>/dev/null &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -e started ] || sleep 0.3
done
kill -TERM $pid
wait $pid
equal "SIGTERM ends it so" $? 143
equal "and leaves nothing" "$(ls tmp)" ""
