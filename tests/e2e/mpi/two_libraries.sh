# SPDX-License-Identifier: BSD-3-Clause
# MPICH and Open MPI with one installation: sisc builds for the MPI of its compiler, and a program
# that was not built with sisc is measured by preloading. Waits are the same.
. "$(dirname "$0")/../lib.sh"

source_file late.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static void work(void) { usleep(300000); }
int main(int argc, char **argv)
{
	int rank, value = 7, sum = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		work();
		MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
	} else {
		MPI_Status status;
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		value = status.MPI_SOURCE + status.MPI_TAG;
	}
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d\n", sum);
	MPI_Finalize();
	return 0;
}
END
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' '; }
calls() { query "[.[] | select(.region == \"$1\") | .calls] | add // 0" regions "$EXP"; }

# judge WHAT: of the last run
judge() {
	equal "$1: prints" "$(cat run.out)" 12
	near "$1: rank 1 waits" "$(query '[.[] | select(.process == 1 and
		.overhead == "OSYNC_LATESEND") | .seconds] | add' overhead --by-pu "$EXP")" 0.3
	equal "$1: one node a call, PMPI by name also" "$(calls MPI_Allreduce)" 4
	equal "$1: the message" "$(query '[.[] | "\(.from)>\(.to) \(.calls) \(.bytes)"] |
		join(" ")' messages "$EXP")" "0>1 1 4"
	identity "$1"
}

own_mpiexec=$MPIEXEC
for library in mpich:libmpich.so.12 openmpi:libmpi.so.40; do
	name=${library%:*} file=${library#*:}
	MPIEXEC=mpiexec.$name
	command -v "$MPIEXEC" >/dev/null || { skip "$name" "no $MPIEXEC"; continue; }
	SISC_CC=mpicc.$name
	export SISC_CC
	build "late.$name" late.c -O1
	matches "$name: is linked" "$(needed "late.$name")" "libsis-mpi.so.[0-9]+ .*$file"
	run 2 1 "./late.$name"
	judge "$name"
	check "$name: sisc++ builds" env "SISC_CXX=mpicxx.$name" "$SISC++" -O1 late.c -o late.cxx
	run 2 1 ./late.cxx
	judge "$name, C++"
	for linker in gold lld; do
		command -v "ld.$linker" >/dev/null || continue
		build "$linker.$name" late.c -O1 "-fuse-ld=$linker"
		run 2 1 "./$linker.$name"
		judge "$name, linked by $linker"
	done
	"mpicc.$name" -O1 late.c -o plain -Wl,--export-dynamic || give_up "$name: a plain program"
	run 2 1 env LD_PRELOAD="$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so" ./plain
	judge "$name, preloaded"
done
unset SISC_CC
MPIEXEC=$own_mpiexec

# A program whose MPI is none of these is not measured, and runs.
source_file other.c <<'END'
int MPI_Init(int *argc, char ***argv) { (void)argc; (void)argv; return 0; }
int MPI_Finalize(void) { return 0; }
END
source_file user.c <<'END'
#include <stdio.h>
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int main(void) { printf("%d\n", MPI_Init(0, 0) + MPI_Finalize()); return 0; }
END
"$CC" -shared -fPIC other.c -o libmpi_other.so.7
"$CC" user.c -o user -L. -l:libmpi_other.so.7 -Wl,-rpath,"$T"
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so" ./user
equal "an unknown library: runs" "$run_status $(cat run.out)" "0 0"
matches "and it is said" "$(cat run.err)" 'calls of MPI are not measured: .*libmpi_other'

# So does one that is opened privately by an extension of the program.
source_file opener.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	void *extension = dlopen("./extension.so", RTLD_NOW | RTLD_LOCAL);
	return extension ? ((int (*)(void))dlsym(extension, "begin"))() : 1;
}
END
sed 's/int main/int begin/' user.c >extension.c
"$CC" -shared -fPIC extension.c -o extension.so -L. -l:libmpi_other.so.7 -Wl,-rpath,"$T" &&
	"$CC" opener.c -o opener || give_up "an extension"
run_alone 1 env LD_PRELOAD="$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so" ./opener
equal "an unknown library of an extension: runs" "$run_status $(cat run.out)" "0 0"
matches "and it is said, too" "$(cat run.err)" 'calls of MPI are not measured: .*libmpi_other'
