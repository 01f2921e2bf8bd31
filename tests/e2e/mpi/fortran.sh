# SPDX-License-Identifier: BSD-3-Clause
# MPI and OpenMP in Fortran: mpif.h, the modules mpi and mpi_f08, of MPICH and of Open MPI, linked
# by sisc and preloaded. A call of MPI is one node. What MPI has names for (MPI_IN_PLACE,
# MPI_BOTTOM, MPI_STATUS_IGNORE) reaches the library. Waits are the same as in C.
# ci: compiles and runs two dozen programs
# asleep: its truth is time asleep, which ends later on a busy machine
. "$(dirname "$0")/../lib.sh"

preload="env LD_PRELOAD=$build_dir/lib/libsis-mpi.so:$build_dir/lib/libsis.so"
routines() { # PATTERN: regions of the last run, and how often each was called
	query "[.[] | select(.region | test(\"$1\"))] | group_by(.region) |
		map(\"\(.[0].region) \(map(.calls) | add)\") | join(\", \")" regions "$EXP"
}
seconds() { # PROCESS THREAD OVERHEAD: of the last run; *: of all
	by_pu | awk -F '\t' -v p="$1" -v t="$2" -v o="$3" \
		'(p == "*" || $1 == p) && (t == "*" || $2 == t) && $3 == o { n += $4 }
		END { print n + 0 }'
}
wanted="MPI_Allreduce 2, MPI_Barrier 2, MPI_Bcast 2, MPI_Comm_rank 2, MPI_Comm_size 2, \
MPI_Finalize 2, MPI_Init 2, MPI_Irecv 3, MPI_Isend 3, MPI_Recv 2, MPI_Send 2, MPI_Type_commit 2, \
MPI_Type_create_struct 2, MPI_Type_free 2, MPI_Wait 2, MPI_Waitall 2"
found="found  12  10  20  30  40   2   4   6   8  0.5"

judge() { # judge WHAT: of the last run
	equal "$1: prints" "$run_status $(cat run.out run.err)" "0 $found"
	equal "$1: a node a call" "$(routines ^MPI_)" "$wanted"
	near "$1: the late message" "$(seconds 1 0 OSYNC_LATESEND)" 0.3
	near "$1: the late broadcast" "$(seconds 1 0 OSYNC_LATEBCAST)" 0.3
	identity "$1"
}

# compile WHAT LIBRARY FLAG...: fortran.F90, plain and by sisc
compile() {
	said=$1 compiler=mpif90.$2 libraries=
	# Debian's mpif90.openmpi finds MPICH's libmpi.so, if this one is the default
	[ "$2" != openmpi ] || libraries=-L$(mpicc.openmpi -showme:libdirs)
	shift 2
	# mpif.h declares no parameters, so gfortran warns about buffers of different types
	# shellcheck disable=SC2086 # one word or none
	set -- -O1 -w -fallow-argument-mismatch $libraries "$@" "$HERE/fortran.F90"
	"$compiler" "$@" -o plain >build.err 2>&1 || give_up "$said: compiles" build.err
	"$SISC" --sis-cc="$compiler" "$@" -o ours >build.err 2>&1 ||
		give_up "$said: compiles with sisc" build.err
	equal "$said: sisc says what is measured" "$(cat build.err)" \
		"sisc: note: ours: functions in Fortran are not measured, only MPI and OpenMP"
}

for library in mpich openmpi; do
	MPIEXEC=mpiexec.$library
	command -v "mpif90.$library" >/dev/null || { skip "$library" "no mpif90.$library"; continue; }
	for interface in MPIF MODULE F08; do
		what="$library, $interface"
		compile "$what" "$library" -D$interface -Wl,--as-needed
		run 2 1 ./plain
		equal "$what: plain" "$run_status $(cat run.out run.err)" "0 $found"
		# shellcheck disable=SC2086
		run 2 1 $preload ./plain
		judge "$what, preloaded"
		run 2 1 ./ours
		judge "$what, sisc"
	done
done
# the names of the other compilers; an object has no probes, and is linked later
for compiler in mpif77 mpifort; do
	command -v $compiler.mpich >/dev/null || continue
	printf '      program none\n      call mpi_init(i)\n      call mpi_finalize(i)\n      end\n' \
		>none.f
	equal "$compiler: an object" "$("$SISC" --sis-cc=$compiler.mpich -c none.f 2>&1)" ""
	check "$compiler: links" "$SISC" --sis-cc=$compiler.mpich none.o -o none
	MPIEXEC=mpiexec.mpich
	run 1 1 ./none
	equal "$compiler: MPI is measured" "$(routines ^MPI_)" "MPI_Finalize 1, MPI_Init 1"
done

# -- OpenMP ----------------------------------------------------------------------------------------
source_file team.f90 <<'END'
program team
  use omp_lib
  implicit none
  integer :: i, total
  interface
    function usleep(us) bind(c)
      use iso_c_binding
      integer(c_int), value :: us
      integer(c_int) :: usleep
    end function
  end interface
  total = 0
  !$omp parallel private(i)
  if (omp_get_thread_num() == 0) i = usleep(300000)
  !$omp barrier
  !$omp critical
  i = usleep(200000)
  total = total + omp_get_thread_num() + 1
  !$omp end critical
  !$omp do schedule(dynamic) reduction(+:total)
  do i = 1, 4
    total = total + i
  end do
  !$omp end do
  !$omp single
  !$omp task
  total = total + 100
  !$omp end task
  !$omp end single
  !$omp end parallel
  print '(i4)', total
end program
END
command -v gfortran >/dev/null || { skip "OpenMP" "no gfortran" && exit; }
gfortran -fopenmp -O1 team.f90 -o team_plain && "$SISC" --sis-cc=gfortran -fopenmp -O1 team.f90 \
	-o team_sisc 2>build.err || give_up "team.f90 compiles" build.err
for program in ./team_sisc "$preload ./team_plain"; do
	what="OpenMP, ${program##*_}"
	# shellcheck disable=SC2086
	run_alone 2 $program
	equal "$what: prints" "$run_status $(cat run.out run.err)" "0  113"
	# at the first barrier for thread 0, later for the second one in the critical section
	near "$what: waits at barriers" "$(seconds '*' '*' OSYNC_IBAR)" 0.5
	near "$what: waits at the critical section" "$(seconds '*' '*' OSYNC_CRIT)" 0.2
	equal "$what: what the threads did" "$(routines 'critical|schedule|task')" \
		"critical wait 2, schedule 6, task body 1, task create 1"
	identity "$what"
done
