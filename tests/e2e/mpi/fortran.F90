! Two processes. Process 0 is 0.3 s late with a message, and 0.3 s late with a broadcast.
! F08: with the module mpi_f08. MODULE: with the module mpi. Otherwise with mpif.h.
program fortran
#if defined(F08)
  use mpi_f08
#elif defined(MODULE)
  use mpi
#endif
  implicit none
#if defined(F08)
#define HANDLE(t) type(t)
#define STATUS(s) type(MPI_Status) :: s
#define SOURCE(s) s%MPI_SOURCE
#define TAG(s) s%MPI_TAG
#else
#if !defined(MODULE)
  include 'mpif.h'
#endif
#define HANDLE(t) integer
#define STATUS(s) integer :: s(MPI_STATUS_SIZE)
#define SOURCE(s) s(MPI_SOURCE)
#define TAG(s) s(MPI_TAG)
#endif
  interface
    function usleep(us) bind(c, name='usleep')
      use iso_c_binding
      integer(c_int), value :: us
      integer(c_int) :: usleep
    end function
  end interface
  integer :: rank, ranks, ierr, i, sums(4), found
  integer, volatile :: values(4) ! MPI changes it through MPI_BOTTOM
  double precision, volatile :: apart
  integer(kind=MPI_ADDRESS_KIND) :: at(2)
  HANDLE(MPI_Datatype) :: both
  HANDLE(MPI_Request) :: requests(2)
  STATUS(said)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  found = 0

  ! a late message, with and without a status
  values = rank
  if (rank == 0) then
    i = usleep(300000)
    call MPI_Send(values, 4, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, ierr)
    call MPI_Send(values, 4, MPI_INTEGER, 1, 6, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(values, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, said, ierr)
    found = found + 10 * SOURCE(said) + TAG(said)
    call MPI_Recv(values, 4, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end if

  ! a late broadcast
  if (rank == 0) i = usleep(300000)
  if (rank == 0) values = [1, 2, 3, 4]
  call MPI_Bcast(values, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)

  ! addresses for which MPI has names
  sums = values
  call MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  apart = 0.5d0 + rank
  call MPI_Get_address(values, at(1), ierr)
  call MPI_Get_address(apart, at(2), ierr)
  call MPI_Type_create_struct(2, [4, 1], at, [MPI_INTEGER, MPI_DOUBLE_PRECISION], both, ierr)
  call MPI_Type_commit(both, ierr)
  if (rank == 0) then
    values = [10, 20, 30, 40]
    call MPI_Isend(MPI_BOTTOM, 1, both, 1, 7, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr)
  else
    call MPI_Irecv(MPI_BOTTOM, 1, both, 0, 7, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Wait(requests(1), said, ierr)
    found = found + TAG(said)
  end if
  call MPI_Type_free(both, ierr)

  ! requests to and from the other process
  call MPI_Irecv(found, 0, MPI_INTEGER, 1 - rank, 8, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(sums, 0, MPI_INTEGER, 1 - rank, 8, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 1) print '(a, 9i4, f5.1)', 'found', found, values, sums, apart
  call MPI_Finalize(ierr)
end program
