# SPDX-License-Identifier: BSD-3-Clause
# Each leaf of schema/overheads.def is booked in some run: the table below names one for each. A
# leaf without a row fails. To add a leaf, add its row, and what its program must do for it. A row
# is LEAF PROGRAM: the name under which one of the runs below is kept.
. "$(dirname "$0")/../lib.sh"
source_file table <<'END'
UNMEASURED	serial
ODATA_L1	written
ODATA_L2	written
ODATA_L3	written
ODATA_TLB	written
ODATA_PGFLT	written
ODATA_ALLOC	common
ODATA_MEM	common
ODATA_READ	common
ODATA_WRITE	common
ODATA_META	common
ODATA_FSYNC	serial
ODATA_MPIIO_IND	mpi
ODATA_MPIIO_COL	ranks
ODATA_SEND	mpi
ODATA_RECV	mpi
ODATA_SENDRECV	mpi
ODATA_NBLK	mpi
ODATA_PERS	mpi
ODATA_PART	mpi
ODATA_BCAST	mpi
ODATA_SCATTER	mpi
ODATA_GATHER	mpi
ODATA_ALLGATHER	mpi
ODATA_ALLTOALL	mpi
ODATA_NEIGH	mpi
ODATA_RED	mpi
ODATA_PACK	ranks
ODATA_MBAR	ranks
ODATA_FENCE	ranks
ODATA_PUT	mpi
ODATA_GET	mpi
ODATA_ACC	mpi
OSYNC_EBAR	openmp
OSYNC_IBAR	openmp
OSYNC_CRIT	team
OSYNC_LOCK	team
OSYNC_ATOMIC	team
OSYNC_ORDERED	openmp
OSYNC_FLUSH	written
OSYNC_TASKWAIT	openmp
OSYNC_TASKGROUP	openmp
OSYNC_COPYPRIV	team
OSYNC_PTMUTEX	serial
OSYNC_PTCOND	common
OSYNC_PTJOIN	common
OSYNC_UNCONT	common
OSYNC_MBAR	ranks
OSYNC_LATESEND	ranks
OSYNC_LATERECV	ranks
OSYNC_NXN	ranks
OSYNC_NEIGH	mpi
OSYNC_EARLYRED	ranks
OSYNC_LATEBCAST	ranks
OSYNC_EARLYSCAN	ranks
OSYNC_FENCE	ranks
OSYNC_FILE	ranks
OSYNC_PSCW	ranks
OSYNC_RMALOCK	ranks
OSYNC_RMAFLUSH	ranks
OSYNC_INIT	ranks
OSYNC_FINWAIT	ranks
OSYNC_DEVICE	device
OCTRL_FORK	openmp
OCTRL_JOIN	openmp
OCTRL_SCHED	openmp
OCTRL_TASKCRE	openmp
OCTRL_TASKSCHED	openmp
OCTRL_CANCEL	openmp
OCTRL_REDIST	common
OCTRL_MPIMGMT	mpi
OCTRL_SPAWN	ranks
OADD_ALGO	ranks
OADD_COMP	ranks
OADD_QUERY	openmp
OADD_PRIV	team
OADD_RED	team
OLOSS_UNPAR	openmp
OLOSS_REPL	ranks
OLOSS_PART	team
OLOSS_ASLEEP	serial
OLOSS_NOCPU	serial
OLOSS_IMB	ranks
OPROBE	openmp
OUNID	ranks
END

# -- the programs that have each mnemonic
all() { "$SISC" --sis-list | sed -n "/^$1/,/^$2/s/^ *\([A-Z][A-Z0-9_]*\) .*/\1/p" | tr '\n' ,; }
take() { # take NAME [OPTION...]: keeps the last run as that
	analyze import "$EXP" --name "$@" >take.out 2>&1 || give_up "$1 is imported" take.out
	identity "$1"
}
regions=$(all "code regions" metrics)
for name in common openmp mpi; do
	build $name -w -fopenmp -pthread --sis-cr="${regions%,}" --sis-pmetric=ODATA_PGFLT \
		"$E2E/regions/mnemonics/$name.c"
done
run_alone 1 ./common
take common
run_alone 2 ./openmp
take openmp
run 2 2 ./mpi
take mpi

# -- one thread, or a few that share a processor
source_file serial.c <<'END'
#define _GNU_SOURCE
#include "work.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sis/sis.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *spin(void *arg)
{
	for (volatile long i = 0; i < 50000000; i++)
		;
	pthread_mutex_lock(&mutex);
	rest(20);
	pthread_mutex_unlock(&mutex);
	return arg;
}
int main(void)
{
	cpu_set_t one;
	pthread_t other[2];
	FILE *file = fopen("serial.txt", "w");
	fputs("x", file);
	fflush(file);
	fsync(fileno(file));
	fclose(file);
	SIS_PAUSE();
	rest(10);
	SIS_RESUME();
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	for (int i = 0; i < 2; i++)
		pthread_create(&other[i], NULL, spin, NULL);
	spin(NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(other[i], NULL);
	return 0;
}
END
build serial serial.c "-I$E2E/include" "-I$build_dir/include" -pthread \
	--sis-cr=CR_P,CR_F,CR_IO,CR_PTMUTEX
SIS_ASLEEP=1 run_alone 1 ./serial
take serial

# -- a team of three
source_file team.c <<'END'
#include "work.h"
#include <omp.h>
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
static double a[100000], kept;
static struct { double at[100000]; } big;
int main(void)
{
	omp_lock_t lock;
	double *part = a, value;
	omp_init_lock(&lock);
#pragma omp parallel num_threads(3) private(value)
	{
#pragma omp critical
		rest(20);
#pragma omp barrier
		omp_set_lock(&lock);
		rest(20);
		omp_unset_lock(&lock);
#pragma omp barrier
		GOMP_atomic_start();
		rest(20);
		GOMP_atomic_end();
#pragma omp single copyprivate(value)
		{
			rest(20);
			value = 1;
		}
#pragma omp sections
		{
#pragma omp section
			rest(40);
#pragma omp section
			rest(40);
		}
#pragma omp for reduction(+ : part[ : 100000])
		for (int i = 0; i < 3; i++)
			part[i] += value;
	}
#pragma omp parallel num_threads(3) firstprivate(big)
	{
		__asm__ volatile("" : : "r"(&big) : "memory");
#pragma omp atomic
		kept += big.at[1];
	}
	return kept != 0;
}
END
build team team.c "-I$E2E/include" -O1 -fopenmp
run_alone 3 ./team
take team

# -- two ranks, of which one is late at each operation; with a sequential run and one on one unit
source_file shared.h <<'END'
static double spin(long n)
{
	volatile double x = 1;
	while (n--)
		x = x * 0.5 + 1;
	return x;
}
END
source_file shared.c <<'END'
#include "shared.h"
double setup(void) { return spin(20000000); }
double kernel(void) { return spin((char)-1 > 0 ? 20000000 : 5000000); }
END
source_file alone.c <<'END'
#include "shared.h"
double setup(void), kernel(void);
int main(void) { return setup() + kernel() < 0; }
END
source_file ranks.c <<'END'
#include "shared.h"
#include "work.h"
#include <mpi.h>
double setup(void), kernel(void);
static double rebalance(void) { return spin(20000000); }
static int rank;
static void late(int who) { MPI_Barrier(MPI_COMM_WORLD); rest(rank == who ? 20 : 1); }
int main(int argc, char **argv)
{
	int size, one = 1, sum, other, position = 0, *memory;
	char packed[100];
	MPI_Group all, partner;
	MPI_File file;
	MPI_Win window;
	MPI_Status status;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	sum = setup() + kernel() + rebalance() < 0;
	if (size == 2) {
		other = !rank;
		late(1), MPI_Barrier(MPI_COMM_WORLD);
		late(1);
		if (rank == 0)
			MPI_Recv(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
		else
			MPI_Send(&one, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
		late(1);
		if (rank == 0)
			MPI_Ssend(&one, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
		else
			MPI_Recv(&sum, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
		late(1), MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		late(1), MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
		late(0), MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
		late(0), MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		MPI_Pack(&one, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
		late(1);
		MPI_File_open(MPI_COMM_WORLD, "ranks.txt", MPI_MODE_CREATE | MPI_MODE_RDWR,
			      MPI_INFO_NULL, &file);
		late(1);
		MPI_File_write_all(file, &one, 1, MPI_INT, &status);
		MPI_File_close(&file);
		MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD,
				 &memory, &window);
		MPI_Win_fence(0, window);
		late(1), MPI_Win_fence(0, window);
		MPI_Comm_group(MPI_COMM_WORLD, &all);
		MPI_Group_incl(all, 1, &other, &partner);
		late(1);
		if (rank == 0) {
			MPI_Win_start(partner, 0, window);
			MPI_Win_complete(window);
		} else {
			MPI_Win_post(partner, 0, window);
			MPI_Win_wait(window);
		}
		MPI_Group_free(&partner), MPI_Group_free(&all);
		late(1);
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
		MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
		MPI_Win_flush(0, window);
		rest(20);
		MPI_Win_unlock(0, window);
		MPI_Win_free(&window);
		late(1);
	}
	MPI_Finalize();
	return 0;
}
END
build alone alone.c shared.c -O1 --sis-cr=CR_P,CR_F
build ranks ranks.c shared.c "-I$E2E/include" -O1 -funsigned-char --sis-cr=CR_P,CR_F,CR_MPI
run_alone 1 ./alone
take alone --role seq --set application=pair
run 1 1 ./ranks
take single --role par1 --set application=pair
run 2 1 ./ranks
take ranks --set application=pair

# -- streams of a device
"$CC" -shared -fPIC "-I$E2E/include" "$E2E/devices/hip_stub.c" -o libhip.so -pthread 2>build.err ||
	give_up "the stub of HIP is built" build.err
build device "$E2E/devices/hip.c" "-I$E2E/include" -L. -lhip "-Wl,-rpath,$T" -pthread
run_alone 1 ./device
take device

# -- what needs counters, and a flush that takes long
gcc "-I$TOP/tests/unit/analysis" "-I$TOP/schema" -o written "$HERE/every_leaf_written.c" \
	"$TOP/tests/unit/analysis/profile_write.c" "$TOP/schema/tables.c" ||
	give_up "the writer of a profile is built"
EXP=$T/by_hand
mkdir "$EXP" && ./written "$EXP/profile-0.sis"
take written

# -- all leaves
leaves=$(sed -n 's/^SIS_OVERHEAD(\([A-Z0-9_]*\), *\([A-Z0-9_]*\),.*/\1 \2/p' \
	"$TOP/schema/overheads.def" | awk '{ parent[$2] = 1; node[NR] = $1 }
		END { for (i = 1; i <= NR; i++) if (!(node[i] in parent)) print node[i] }')
value() { # value LEAF PROGRAM: its seconds
	case $1 in
	OLOSS_IMB) query ".overheads.$1" overhead "$2" --imbalance ;;
	UNMEASURED) query "[.[].ns] | add // 0" sql "SELECT o.ns FROM overhead o
		JOIN drg_node n ON n.id = o.drg_node JOIN experiment e ON e.id = n.experiment
		WHERE o.leaf = '$1' AND e.name = '$2'" ;;
	*) query ".overheads.$1" overhead "$2" ;;
	esac
}
for leaf in $leaves; do
	program=$(awk -v leaf="$leaf" '$1 == leaf { print $2 }' table)
	if [ -z "$program" ]; then
		not_ok "$leaf has a row in the table: none"
		continue
	fi
	seconds=$(value "$leaf" "$program")
	check "$leaf is booked in $program ($seconds s)" \
		awk -v s="$seconds" 'BEGIN { exit !(s + 0 != 0) }'
done
equal "each row is that of a leaf" "$(cut -f 1 table | sort | xargs)" \
	"$(echo "$leaves" | sort | xargs)"
