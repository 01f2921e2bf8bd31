# SPDX-License-Identifier: BSD-3-Clause
# A thread that waits in MPI_Recv asks for the message again and again, and often has no processor
# meanwhile. This makes nobody wait: a thread that waits for it at a barrier waits for the process
# that sends late.
. "$(dirname "$0")/../lib.sh"

cp "$E2E/known/hybrid_inside.c" "$E2E/known/known.h" .
build inside hybrid_inside.c -fopenmp -O1
processor=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
taskset -c "$processor" sh -c 'while :; do :; done' & # shares the processor of both processes
other=$!
run 2 2 taskset -c "$processor" ./inside
kill $other
equal "runs" "$run_status" 0
id=$(query '.[0].id' import "$EXP")
# delay COLUMN PATTERN: seconds of delays of culprits whose path ends so
delay() {
	query '.[0].ns / 1e9' sql "SELECT coalesce(sum(d.$1), 0) AS ns FROM delay d
		JOIN drg_node n ON n.id = d.drg_node JOIN drg_node c ON c.id = d.culprit_node
		WHERE n.experiment = $id AND c.path LIKE '%$2'"
}
lacked=$(delay no_processor_ns /MPI_Recv) waited=$(delay ns /MPI_Recv)
check "for the thread in MPI_Recv the other one waits" \
	awk -v waited="$waited" 'BEGIN { exit !(waited > 0.25) }'
check "not because this thread lacks a processor: $lacked of $waited" \
	awk -v lacked="$lacked" -v waited="$waited" 'BEGIN { exit !(lacked < 0.05 * waited) }'
indirect=$(delay indirect_ns /work)
check "but because of the work of the sender: $indirect" \
	awk -v indirect="$indirect" -v waited="$waited" 'BEGIN { exit !(indirect > 0.8 * waited) }'
identity "in all"
