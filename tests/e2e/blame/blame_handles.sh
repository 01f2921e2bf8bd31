# SPDX-License-Identifier: BSD-3-Clause
# Requests and windows of MPI, which may be integers: a wait is for the buffer, wherever the request
# was started, and however it came to the call that waits. Exact, from what was measured.
. "$(dirname "$0")/../lib.sh"

source_file handles.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 100, TAG = 3 };
#define ALONE __attribute__((noinline))
typedef MPI_Request pending;
struct domain { double left[N], right[N]; MPI_Request request[2]; int n; };
struct list { pending *at; int n; };
struct shared { int n; MPI_Win window; };

static double global[N];
static MPI_Request global_request;

static ALONE void start(double *buffer, MPI_Request *request)
{
	MPI_Irecv(buffer, N, MPI_DOUBLE, 1, TAG, MPI_COMM_WORLD, request);
}
static ALONE void finish(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }
static ALONE void finish_value(MPI_Request request) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
static ALONE void start_domain(struct domain *d)
{
	start(d->left, &d->request[0]);
	start(d->right, &d->request[1]);
}
static ALONE void finish_domain(struct domain *d)
{
	MPI_Waitall(2, d->request, MPI_STATUSES_IGNORE);
}
static ALONE void start_global(void) { start(global, &global_request); }
static ALONE void finish_global(void) { MPI_Wait(&global_request, MPI_STATUS_IGNORE); }
static ALONE pending start_pending(double *buffer)
{
	pending request;
	start(buffer, &request);
	return request;
}
static ALONE void keep(struct list *list, pending request) { list->at[list->n++] = request; }
static ALONE void synchronize(struct shared shared) { MPI_Win_fence(0, shared.window); }

static void receive(void)
{
	double pointed[N], passed[N], kept[N];
	struct domain domain;
	struct list list = { malloc(sizeof(pending)), 0 };
	MPI_Request a, b;
	start(pointed, &a);
	finish(&a);
	start(passed, &b);
	finish_value(b);
	start_domain(&domain);
	finish_domain(&domain);
	start_global();
	finish_global();
	keep(&list, start_pending(kept));
	finish_value(list.at[0]);
	printf("%g\n", pointed[0] + passed[0] + domain.left[0] + domain.right[0] + kept[0]);
	free(list.at);
}
static void send(void)
{
	double data[N] = { 1 };
	for (int i = 0; i < 6; i++) {
		if (i != 3) /* the second of the domain */
			usleep(50000);
		MPI_Send(data, N, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
	}
}
int main(int argc, char **argv)
{
	int rank;
	double shown[N] = { 0 };
	struct shared shared = { N, MPI_WIN_NULL };
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Win_create(shown, sizeof shown, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &shared.window);
	synchronize(shared);
	if (rank == 0)
		receive();
	else
		send();
	if (rank)
		usleep(50000);
	synchronize(shared);
	MPI_Win_free(&shared.window);
	return MPI_Finalize();
}
END

# at POINT FILTER: rows of waits at a blame point
at() {
	query "[.[] | select(.blame_point | endswith(\"$1\"))] | $2" blame "$EXP" \
		--overhead OSYNC --at "$1"
}
waited='map(select(.seconds > 0.015) | .variable) | sort | join(" ")'

for way in "$CC:-O0" "$CC:-O2" clang-19:-O0 clang-19:-O2; do
	export MPICH_CC="${way%:*}" OMPI_CC="${way%:*}"
	build handles --sis-cc="$MPICC" --sis-blame "${way#*:}" handles.c
	run 2 1 ./handles
	equal "$way: the program runs" "$run_status $(cat run.out)" "0 5"
	equal "$way: waits are for the buffers" "$(at receive "$waited")" \
		"domain global kept passed pointed"
	equal "$way: of a window, for its memory" "$(at main "map(select(.variable == \"shown\"))[0]
		| .routines | contains(\"MPI_Win_fence\")")" true
	lacks "$way: no wait is for nothing that is known" \
		"$(at main 'map(select(.variable == "Other") | .routines) | join(" ")')" \
		'Wait|fence|Win_free'
	equal "$way: where a request was started is not known, it has the time itself" \
		"$(at finish_global '.[0].variable')" global_request
done
