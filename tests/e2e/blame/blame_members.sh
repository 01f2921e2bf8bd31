# SPDX-License-Identifier: BSD-3-Clause
# Pointers to members of structures: the work behind them is that of the member, also of the first
# one, which has the address of the structure.
# processor: every run needs one of its own to get enough samples
. "$(dirname "$0")/../lib.sh"
. "$HERE/lib_blame.sh"

cat >members.c <<'END_OF_SOURCE'
#include "kernel.h"

struct inner { double x, y; };
struct data {
	double first[4], second[4], third;
	struct inner inner;
	double *pointer;
};
static struct data global;

static ALONE void fill(double *to, long n)
{
	for (int i = 0; i < 4; i++)
		to[i] = mix(i, n / 4);
}
static ALONE void set(double *to, long n) { *to = mix(1, n); }
static ALONE void work(struct data *d)
{
	fill(d->first, unit);
	fill(d->second, 2 * unit);
	set(&d->third, unit);
	set(&d->inner.y, unit);
	fill(d->pointer, unit);
}

int main(int argc, char **argv)
{
	double memory[4];
	struct data data = { .pointer = memory };
	kernel_begin(argc, argv);
	work(&data);
	fill(global.first, unit);
	fill(global.second, unit);
	printf("%g %g %g %g %g\n", data.first[1], data.second[1], data.third, data.inner.y,
	       memory[1]);
	printf("%g %g\n", global.first[1], global.second[1]);
	return 0;
}
END_OF_SOURCE
# part_is WHAT VARIABLE SHARE: between 0.4 and 1.8 times the share, which is more than three
# standard deviations of 400 samples
part_is() {
	found=$(share "$2")
	if awk -v s="$found" -v w="$3" 'BEGIN { exit !(s > 0.4 * w && s < 1.8 * w) }'; then
		ok "$1: $2 has $found"
	else
		not_ok "$1: $2 has $found, not $3"
	fi
}
for compiler in "$CC" clang-19; do
	for level in -O0 -O2; do
		way="$compiler $level"
		built members "$compiler" "$level" members.c
		sampled 1000hz ./members 40000000
		part_is "$way, the first member" data.first 0.125
		part_is "$way, an array" data.second 0.25
		part_is "$way, a scalar" data.third 0.125
		part_is "$way, a member of a member" data.inner.y 0.125
		share_is "$way, all members" data 0.625
		part_is "$way, memory of another variable" memory 0.125
		part_is "$way, the first member of a global" global.first 0.125
		part_is "$way, another one of it" global.second 0.125
	done
done

cat >halo.c <<'END_OF_SOURCE'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 100 };
struct halo { double left[N], right[N]; };
static __attribute__((noinline)) void exchange(struct halo *h, int rank)
{
	double *side[2] = { h->left, h->right };
	if (rank) {
		for (int i = 0; i < 2; i++) {
			usleep(50000);
			MPI_Send(side[i], N, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
		}
		return;
	}
	MPI_Recv(h->left, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(h->right, N, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	int rank;
	struct halo halo = { { 0 }, { 1 } };
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	exchange(&halo, rank);
	printf("%g\n", halo.left[0] + halo.right[0]);
	return MPI_Finalize();
}
END_OF_SOURCE
waited() { # waited POINT: members for which it waited
	query '[.[] | select(.seconds > 0.015) | .variable | select(test("[.>]"))] | sort |
		join(" ")' blame "$EXP" --overhead OSYNC --fields --at "$1"
}
for level in -O0 -O2; do
	build halo --sis-blame "$level" halo.c
	run 2 1 ./halo
	equal "$level, messages: members of a parameter" "$(waited exchange)" "h->left h->right"
	equal "$level, messages: members of a variable" "$(waited main)" "halo.left halo.right"
done
