# SPDX-License-Identifier: BSD-3-Clause
# The Stommel sample in its four forms computes the same numbers with and without measurement,
# for any number of processes and threads.
. "$(dirname "$0")/../lib.sh"

PATH=$(dirname "$SISC"):$PATH
cp -r "$TOP/samples/stommel" plain && cp -r plain measured
make -C plain CC="$MPICC" CFLAGS="-O2 -Wall -Wextra -Werror -Wno-unknown-pragmas" \
	stommel_seq >make.out 2>&1 ||
	give_up "the plain compiler builds the sample" make.out
make -C measured -j2 CC=sisc >make.out 2>&1 || give_up "make CC=sisc builds the sample" make.out
lacks "make CC=sisc warns of nothing" "$(cat make.out)" 'warning|error|note:'

truth=$(plain/stommel_seq 101 60 0)
run_alone 1 measured/stommel_seq 101 60 0
equal "sequential: same result" "$(cat run.out)" "$truth"
identity "sequential"
for threads in 1 2 4; do
	run_alone $threads measured/stommel_omp 101 60 0
	equal "OpenMP, $threads threads: same result" "$(cat run.out)" "$truth"
	identity "OpenMP, $threads threads"
done
for ranks in 1 2 4; do
	run $ranks 1 measured/stommel_mpi 101 60 0
	equal "MPI, $ranks processes: same result" "$(cat run.out)" "$truth"
	identity "MPI, $ranks processes"
done
for ranks in 1 2; do
	run $ranks 2 measured/stommel_hybrid 101 60 0
	equal "hybrid, $ranks x 2: same result" "$(cat run.out)" "$truth"
	identity "hybrid, $ranks x 2"
done

equal "hybrid: p is processes x threads" "$(query .p overhead "$EXP")" 4
regions=$(query '.[] | [.region, .type, .calls, .process, .thread] | @tsv' regions "$EXP")
tab=$(printf '\t')
for rank in 0 1; do
	matches "rank $rank swept 60 times" \
		"$regions" \
		"^do_jacobi${tab}CR_F${tab}60${tab}$rank${tab}0"
	matches "rank $rank has region comp_main" \
		"$regions" \
		"^comp_main${tab}CR_A${tab}1${tab}$rank${tab}0"
	matches "rank $rank has region init_comp" \
		"$regions" \
		"^init_comp${tab}CR_A${tab}1${tab}$rank${tab}0"
	matches "rank $rank reduced 60 times" \
		"$regions" \
		"^MPI_Allreduce${tab}CR_MPIALLREDUCE${tab}60${tab}$rank${tab}0"
done
lacks "bc is not measured" "$regions" "^bc${tab}"

analyze report "$EXP" >report.out 2>report.err || give_up "report" report.err
matches "the report names the program" "$(cat report.out)" stommel_hybrid
equal "no more of the critical path is estimated than there is" \
	"$(query '.critical_path_estimated <= .t_p' report "$EXP")" true
matches "the report shows the tree" "$(cat report.out)" OLOSS
