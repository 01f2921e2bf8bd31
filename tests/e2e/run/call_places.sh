# SPDX-License-Identifier: BSD-3-Clause
# Programs that were not compiled with sisc: calls of MPI, constructs of OpenMP and waits for
# threads are below the function that calls them, and have the line of the call.
. "$(dirname "$0")/../lib.sh"
export SIS_OVERHEAD=off

# measure COMMAND...
measure() {
	rm -rf exp run.db
	timeout 120 "$ANALYZE" run --db run.db --name exp --report report "$@" >run.out 2>&1 ||
		give_up "$*" run.out
}
# line_of FILE TEXT: the number of the line that has the comment TEXT
line_of() { grep -n -- "/\* $2 \*/" "$1" | cut -d: -f1; }
# ask SQL: the only value of the result
ask() { "$ANALYZE" sql --db run.db --csv "$1" | sed 1d; }
# calls WHAT REGION FUNCTION FILE TEXT CALLS: the calls of the region on the line with this comment,
# directly below the function
calls() {
	equal "$1: $5" "$(ask "SELECT sum(s.calls) AS calls FROM drg_node n
		JOIN region r ON r.id = n.region JOIN drg_node m ON m.id = n.parent
		JOIN region f ON f.id = m.region JOIN region_summary s ON s.drg_node = n.id
		WHERE r.name = '$2' AND f.name LIKE '$3' AND r.file LIKE '%$4'
		AND r.line_start = $(line_of "$4" "$5")")" "$6"
}

cat >ranks.c <<'C'
#include <mpi.h>
static void share(int times)
{
	int x = 1;
	MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* first */
	for (int i = 0; i < times; i++)
		MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* second */
}
static __attribute__((noinline)) void meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD); /* meets */
	__asm__ volatile("");
}
static __attribute__((noinline)) void step(void)
{
	meet();
	PMPI_Barrier(MPI_COMM_WORLD); /* steps */
	__asm__ volatile("");
}
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv); /* begins */
	share(3);
	step();
	meet();
	MPI_Barrier(MPI_COMM_WORLD); /* ends */
	return MPI_Finalize();
}
C
cat >ranks.f90 <<'F'
subroutine share(times)
	use mpi_f08
	integer :: times, i, x = 1
	do i = 1, times
		call MPI_Bcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD) !/* f08 */
	end do
end subroutine
subroutine meet()
	use mpi
	integer :: code
	call MPI_Barrier(MPI_COMM_WORLD, code) !/* module */
end subroutine
program ranks
	use mpi_f08
	call MPI_Init()
	call share(3)
	call meet()
	call MPI_Finalize()
end program
F
cat >teams.c <<'C'
#include <omp.h>
static omp_lock_t lock;
static __attribute__((noinline)) void member(void)
{
	omp_set_lock(&lock); /* lock */
	omp_unset_lock(&lock);
#pragma omp critical(one) /* critical */
	__asm__ volatile("" ::: "memory");
#pragma omp barrier /* barrier */
	__asm__ volatile("" ::: "memory");
}
int main(void)
{
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2) /* team */
	member();
#pragma omp parallel num_threads(2) /* other team */
	member();
	return 0;
}
C
cat >threads.c <<'C'
#include <pthread.h>
#include "work.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *arg)
{
	rest(50); /* begins late */
	pthread_mutex_lock(&mutex); /* locks */
	pthread_mutex_unlock(&mutex);
	return arg;
}
int main(void)
{
	pthread_t id;
	pthread_mutex_lock(&mutex);
	pthread_create(&id, NULL, thread, NULL);
	rest(150); /* holds it */
	pthread_mutex_unlock(&mutex);
	pthread_join(id, NULL); /* joins */
	return 0;
}
C

for library in mpich openmpi; do
	command -v "mpicc.$library" >/dev/null || { skip "$library" "no mpicc.$library"; continue; }
	for options in "-O0 -g" "-O2 -g"; do
		# shellcheck disable=SC2086 # several options
		"mpicc.$library" $options -o ranks ranks.c 2>build.err ||
			give_up "$library" build.err
		measure "mpiexec.$library" -n 2 ./ranks
		calls "$library $options" MPI_Allreduce share ranks.c first 2
		calls "$library $options" MPI_Allreduce share ranks.c second 6
		calls "$library $options" MPI_Barrier meet ranks.c meets 4
		calls "$library $options" MPI_Barrier step ranks.c steps 2
		calls "$library $options" MPI_Barrier main ranks.c ends 2
		calls "$library $options" MPI_Init main ranks.c begins 2
	done
	# Debian's mpif90.openmpi finds MPICH's libmpi.so, if this one is the default
	libraries=
	[ "$library" != openmpi ] || libraries=-L$(mpicc.openmpi -showme:libdirs)
	"mpif90.$library" -O1 -g $libraries -o ranks ranks.f90 2>build.err ||
		give_up "$library, Fortran" build.err
	measure "mpiexec.$library" -n 2 ./ranks
	calls "$library, Fortran" MPI_Bcast share_ ranks.f90 f08 6
	calls "$library, Fortran" MPI_Barrier meet_ ranks.f90 module 2
done

for compiler in "$CC" clang-19; do
	"$compiler" -O1 -g -fopenmp -o teams teams.c 2>build.err || give_up "$compiler" build.err
	measure ./teams
	[ "$compiler" = clang-19 ] && barrier="barrier wait" || barrier="implicit barrier"
	calls "$compiler" parallel main teams.c team 2
	calls "$compiler" parallel main teams.c "other team" 2
	calls "$compiler" "lock wait" member teams.c lock 4
	calls "$compiler" "critical wait" member teams.c critical 4
	calls "$compiler" "$barrier" member teams.c barrier 4
done

"$CC" -O1 -g -I"$E2E/include" -o threads threads.c -lpthread || exit 1
measure ./threads
calls threads "pthread mutex" thread threads.c locks 1
calls threads "pthread join" main threads.c joins 1
# The source has not changed since the program was built, so advice shows it: to the user who has
# made the run, and not if it was made by others.
matches "the source in advice" "$(cat report)" "^ *> *[0-9]+ .*pthread_mutex_lock"
"$ANALYZE" report --db others.db "$PWD/exp" >others 2>&1
matches "a run of others" "$(cat others)" "threads.c is not shown: no checksum of it was recorded"
touch threads.c
measure ./threads
lacks "a source that has changed" "$(cat report)" pthread_mutex_lock

# without debug information: the function, by its symbol
strip -g threads
measure ./threads
equal "no lines: the function" "$(ask "SELECT f.name FROM drg_node n
	JOIN region r ON r.id = n.region JOIN drg_node m ON m.id = n.parent
	JOIN region f ON f.id = m.region WHERE r.name = 'pthread join'")" main
