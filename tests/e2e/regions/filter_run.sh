# SPDX-License-Identifier: BSD-3-Clause
# SIS_FILTER turns regions off without compiling: the same ones that --sis-filter excludes.
. "$(dirname "$0")/../lib.sh"

mkdir src
source_file src/a.h <<'END'
static int in_header(int n) { return n + 1; }
END
source_file src/a.c <<'END'
#include <stdio.h>
#include "a.h"
#include "sis/sis.h"
static int tiny(int n) { return in_header(n); }
int work(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			s += i;
	while (s > 9)
		s /= 2;
	return tiny(s);
}
int work_more(int n)
{
	int s = n;
#pragma sis cr inner, CR_S begin
	for (int i = 0; i < n; i++)
		s += work(i);
#pragma sis end cr
	return s;
}
int main(void)
{
	SIS_REGION_BEGIN(by_hand);
	int sum = work_more(5);
	SIS_REGION_END(by_hand);
	printf("%d\n", sum);
	return 0;
}
END
all=--sis-cr=CR_F,CR_L,CR_IO,CR_S,CR_IF
cd src && build ../a a.c $all && cd .. || exit 1
run_alone 1 ./a
cp run.out plain.out

# ran EXPERIMENT: the regions of the source that were activated, with their places
ran() {
	query '.[] | select(.line_start > 0) | "\(.type) \(.region) \(.line_start)"' regions "$1" |
		sort
}
ran "$EXP" >all.regions

# agree WHAT FILE: the filter does in a run what it does in sisc
agree() {
	(cd src && "$SISC" -o ../b a.c $all --sis-filter="../$2" 2>&1) >build.err ||
		give_up "sisc takes $2" build.err
	run_alone 1 ./b
	ran "$EXP" | grep -v by_hand >compiled.regions
	run_alone 1 env SIS_FILTER="$2" ./a
	equal "$1: the program prints the same" "$(cat run.out)" "$(cat plain.out)"
	equal "$1: no warning" "$(cat run.err)" ""
	ran "$EXP" | grep -v by_hand >run.regions
	equal "$1: as --sis-filter" "$(cat run.regions)" "$(cat compiled.regions)"
	refuse "$1: regions are off" cmp -s run.regions all.regions
	identity "$1"
}
while IFS='|' read -r what rules; do
	printf '%b\n' "$rules" >f
	agree "$what" f
done <<'END'
names|SIS_REGION_NAMES_BEGIN EXCLUDE t?ny while@* INCLUDE tiny EXCLUDE work SIS_REGION_NAMES_END
types|SIS_REGION_TYPES_BEGIN EXCLUDE CR_L CR_IO INCLUDE cr_while SIS_REGION_TYPES_END
inner loops|SIS_REGION_TYPES_BEGIN EXCLUDE CR_INNERLOOP SIS_REGION_TYPES_END
calls|SIS_REGION_TYPES_BEGIN EXCLUDE CR_S SIS_REGION_TYPES_END
functions|SIS_UNIT_NAMES_BEGIN EXCLUDE work_more SIS_UNIT_NAMES_END
a header|SIS_FILE_NAMES_BEGIN EXCLUDE a.h SIS_FILE_NAMES_END
./ before a header|SIS_FILE_NAMES_BEGIN EXCLUDE ./a.h SIS_FILE_NAMES_END
a path|SIS_FILE_NAMES_BEGIN EXCLUDE */src/a.c SIS_FILE_NAMES_END
Score-P's|SCOREP_REGION_NAMES_BEGIN EXCLUDE *\n INCLUDE work SCOREP_REGION_NAMES_END
all|SIS_REGION_NAMES_BEGIN EXCLUDE * SIS_REGION_NAMES_END
END

echo 'SIS_REGION_NAMES_BEGIN EXCLUDE by_hand tiny SIS_REGION_NAMES_END' >f
SIS_FILTER=f run 2 1 ./a
lacks "regions of sis/sis.h are turned off, too" "$(ran "$EXP")" 'by_hand|CR_F tiny'
equal "time and calls of the others stay" \
	"$(query '[.[] | select(.region == "work" and .type == "CR_F") | .calls] | add' regions \
		"$EXP")" 10
for command in show report regions; do
	matches "$command says what is off" "$(analyze $command "$EXP")" \
		'SIS_FILTER=f turned off 3 of [0-9]+ regions \(tiny, by_hand\)'
done

# MPI and OpenMP: messages are matched, teams and their waits are known, whatever is turned off.
source_file m.c <<'END'
#include <mpi.h>
static double sum(int n)
{
	double all = 0;
#pragma omp parallel for reduction(+ : all)
	for (int i = 0; i < n; i++)
		all += i;
	return all;
}
static void pass_on(int rank, int tag)
{
	double x = sum(1000);
	if (rank == 0)
		MPI_Send(&x, 1, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD);
	else if (rank == 1)
		MPI_Recv(&x, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv)
{
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 20; i++)
		pass_on(rank, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build m m.c -O1 -fopenmp
cat >f <<'END'
SIS_REGION_NAMES_BEGIN EXCLUDE MPI_Send MPI_Barrier SIS_REGION_NAMES_END
SIS_REGION_TYPES_BEGIN EXCLUDE CR_OMP SIS_REGION_TYPES_END
END
for unify in 0 1; do
	SIS_UNIFY=$unify SIS_FILTER=f run 2 2 ./m
	equal "SIS_UNIFY=$unify: messages are those that were sent" \
		"$(query '.[] | select(.to == 1) | .calls' messages "$EXP")" 20
	lacks "SIS_UNIFY=$unify: every message has its receiver" "$(analyze show "$EXP")" \
		'could not be matched'
	equal "SIS_UNIFY=$unify: an excluded call counts for its routine, without a place" \
		"$(query '.[] | select(.region == "MPI_Send" or .region == "MPI_Recv") |
			"\(.region) \(.line_start) \(.calls)"' regions "$EXP" | sort |
			tr '\n' ' ')" "MPI_Recv 16 20 MPI_Send 0 20 "
	lacks "SIS_UNIFY=$unify: constructs of OpenMP are off" "$(ran "$EXP")" CR_OMP
	matches "SIS_UNIFY=$unify: teams are not" "$(analyze regions "$EXP")" RT_IBAR
	matches "SIS_UNIFY=$unify: said" "$(analyze show "$EXP")" \
		'turned off 3 of .*; calls of MPI that communicate stay measured, without their places'
	identity "SIS_UNIFY=$unify"
done

# wrong WHAT PATTERN FILE: a warning on stderr, and everything is measured
wrong() {
	run_alone 1 env SIS_FILTER="$3" ./a
	matches "$1: said" "$(cat run.err)" "$2"
	matches "$1: what follows" "$(cat run.err)" 'no region is turned off: correct the file'
	equal "$1: the program runs, status $run_status" "$(cat run.out)" "$(cat plain.out)"
	equal "$1: everything is measured" "$(ran "$EXP")" "$(cat all.regions)"
}
printf 'SIS_REGION_TYPES_BEGIN\n  EXCLUDE CR_F CR_LOP\nSIS_REGION_TYPES_END\n' >bad
wrong "a wrong word" "SIS_FILTER: bad:2:16: unknown code region 'CR_LOP'; did you mean 'CR_" bad
wrong "no file" "SIS_FILTER: cannot read 'none': No such file" none
wrong "a directory" "SIS_FILTER: cannot read 'src': it is no regular file" src
wrong "a binary file" "SIS_FILTER: cannot read './a': it is not text" ./a
: >empty
run_alone 1 env SIS_FILTER=empty ./a
equal "an empty file has no rules" "$(cat run.err)$(ran "$EXP")" "$(cat all.regions)"
