# SPDX-License-Identifier: BSD-3-Clause
# The places of MPI calls: also of calls in C99 inline functions, which other units share.
. "$(dirname "$0")/../lib.sh"

source_file shared.h <<'EOF'
#include <mpi.h>
inline int total(int x)
{
	int sum = 0;
	MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return sum;
}
EOF
source_file shared.c <<'EOF'
#include "shared.h"
extern inline int total(int x);
int from_shared(void);
int from_shared(void) { return total(1); }
EOF
source_file main.c <<'EOF'
#include "shared.h"
int from_shared(void);
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	int sum = from_shared() + total(1) + total(1);
	MPI_Finalize();
	return sum;
}
EOF
mpi_headers=$("$MPICC" -show -c x.c | tr ' ' '\n' | grep -E '^-I' | tr '\n' ' ')
for compiler in gcc clang-19; do
	command -v $compiler >/dev/null || { skip "$compiler" "not installed" && continue; }
	for options in -O0 -O2 "-O2 -flto"; do
		for source in shared main; do
			# shellcheck disable=SC2086
			"$SISC" --sis-cc=$compiler $mpi_headers -Wall -Wextra -pedantic-errors \
				-Werror $options -c $source.c 2>said || cat said
			equal "$compiler $options $source.c: nothing is said" "$(cat said)" ""
		done
		# shellcheck disable=SC2086
		"$SISC" --sis-cc=$compiler $options main.o shared.o -lmpich -o inlines ||
			give_up "$compiler $options: links"
		run 2 1 ./inlines
		equal "$compiler $options: runs" "$run_status" 6
		equal "$compiler $options: the call in an inline function has its place" \
			"$(query '[.[] | select(.region == "MPI_Allreduce") |
				{ file, line_start, calls }] | group_by([.file, .line_start]) |
				map("\(.[0].file):\(.[0].line_start) \(map(.calls) | add)") |
				join(" ")' regions "$EXP")" "shared.h:5 6"
	done
done
