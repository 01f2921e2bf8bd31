# SPDX-License-Identifier: BSD-3-Clause
# sis-analyze messages --from and --to: what was sent in a part of the run. Parts that follow each
# other add up to the whole run.
. "$(dirname "$0")/../lib.sh"

# Rank 1 sends to rank 0 three times, the last time 200 ms late; then rank 0 sends to rank 1 five
# times on another communicator, and all call MPI_Allreduce. Rank 1 begins it early.
source_file phases.c <<'END'
#include <mpi.h>
#include <string.h>
#include "work.h"

static char data[100];

static void first(int rank)
{
	for (int i = 0; i < 3; i++) {
		if (rank == 1) {
			if (i == 2)
				rest(200);
			MPI_Send(data, 100, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
		} else {
			MPI_Recv(data, 100, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
}

static void second(int rank, MPI_Comm comm)
{
	MPI_Request request;
	int sum[2], own[2] = { 1, 2 };
	for (int i = 0; i < 5; i++) {
		if (rank == 0)
			MPI_Isend(data, 40, MPI_CHAR, 1, 0, comm, &request);
		else
			MPI_Irecv(data, 40, MPI_CHAR, 0, 0, comm, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (rank == 0)
		rest(200);
	for (int i = 0; i < 2; i++)
		MPI_Allreduce(own, sum, 2, MPI_INT, MPI_SUM, comm);
}

int main(int argc, char **argv)
{
	int rank;
	MPI_Comm other;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	MPI_Comm_set_name(other, "other");
	MPI_Barrier(MPI_COMM_WORLD);
	first(rank);
	MPI_Barrier(MPI_COMM_WORLD);
	second(rank, other);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
END
build phases phases.c -O1 "-I$E2E/include" --sis-cr=CR_F,CR_MPI
SIS_TRACE=1 run 2 1 ./phases
trace_json

# begin REGION N [RANK]: when it was entered for the N-th time, in seconds
begin() {
	jq "[.traceEvents[] | select(.name == \"$1\" and .ph == \"B\" and
		.pid == ${3:-0} + 1) | .ts] | sort | .[$2 - 1] / 1e6" trace.json
}
start=$(jq -n "[$(begin first 1 0), $(begin first 1 1)] | min")
middle=$(jq -n "[$(begin second 1 0), $(begin second 1 1)] | min")
check "the second phase is after the first" \
	awk -v a="$start" -v b="$middle" 'BEGIN { exit !(a > 0 && b > a + 0.15) }'

# -- each phase shows its own messages
pairs() {
	query '[.[] | "\(.from)>\(.to) \(.calls) \(.bytes) \(.kind)"] | join(", ")' \
		messages "$EXP" "$@"
}
equal "messages of the run" "$(pairs)" "1>0 3 300 message, 0>1 5 200 message"
equal "messages of the first phase" "$(pairs --from "$start" --to "$middle")" "1>0 3 300 message"
equal "messages of the second phase" "$(pairs --from "$middle")" "0>1 5 200 message"
equal "on a communicator" "$(pairs --from "$middle" --comm 0)" ""
equal "in a region" "$(pairs --from "$start" --region second)" "0>1 5 200 message"
third=$(begin MPI_Recv 3)
equal "from the third receive on" "$(pairs --from "$third" --to "$middle")" "1>0 1 100 message"
matches "that nothing was sent is said" "$(analyze messages "$EXP" --to "$start")" \
	'^No messages from process to process'
late=$(query '.[0].receive_seconds' messages "$EXP" --from "$(jq -n "$third + 0.05")" \
	--to "$(jq -n "$third + 0.1")")
equal "the part of a receive that lies in the interval" "$late" 0.05
equal "which sent nothing in it" \
	"$(query '.[0] | "\(.calls) \(.bytes) \(.seconds)"' messages "$EXP" \
		--from "$(jq -n "$third + 0.05")" --to "$(jq -n "$third + 0.1")")" "0 0 0"

# -- collective operations
calls() {
	query '[.[] | select(.region == "MPI_Allreduce") | "\(.calls) \(.bytes) \(.estimated)"] |
		join(", ")' messages "$EXP" --by-site "$@"
}
equal "collective calls of the run" "$(calls)" "4 32 false"
equal "those of the second phase" "$(calls --from "$middle")" "4 32 false"
between=$(jq -n "$(begin MPI_Allreduce 1 1) + 0.1")
# rank 0 was late: both of its calls were later
equal "one of two calls has half of the bytes, as an estimate" "$(calls --from "$between")" \
	"3 24 true"
matches "that they share the bytes is said" \
	"$(analyze messages "$EXP" --by-site --from "$between")" \
	'the calls of the interval have their'
lacks "not where all calls are in the interval" \
	"$(analyze messages "$EXP" --by-site --from "$middle")" 'have their'

# -- sums
# add_up WHAT KEY FILE...: the first one's rows are the sums of the others' ones
add_up() {
	what=$1 key=$2
	shift 2
	equal "$what" "$(jq -s -r --arg key "$key" '
		def rows: map({ key: ([.[$key | split(" ")[]]] | tojson), value: {
			calls: (.calls // .messages), bytes: (.bytes // .message_bytes), seconds,
			receive_seconds: (.receive_seconds // 0), other: (.collectives // 0) } });
		(.[0] | rows) as $whole | ([.[1:][] | rows[]]) as $parts |
		[$whole[] | . as $row | [$parts[] | select(.key == $row.key) | .value] as $own |
			$row.value | to_entries[] | . as $e |
			select((([$own[][$e.key]] | add) - $e.value) | . > 1e-8 or . < -1e-8) |
			"\($row.key) \($e.key)"] | join(", ")' "$@")" ""
}
for list in "" --by-site --communicators; do
	case $list in
	'') key="from to kind" ;;
	--by-site) key="region file line_start communicator kind" ;;
	*) key=communicator ;;
	esac
	analyze messages "$EXP" $list --json >whole.json
	analyze messages "$EXP" $list --json --from 0 >all.json
	equal "from 0 to the end: the whole run ${list:-pairs}" \
		"$(jq -c . all.json)" "$(jq -c . whole.json)"
	analyze messages "$EXP" $list --json --to "$start" >1.json
	analyze messages "$EXP" $list --json --from "$start" --to "$third" >2.json
	analyze messages "$EXP" $list --json --from "$third" --to "$between" >3.json
	analyze messages "$EXP" $list --json --from "$between" --to 1000 >4.json
	add_up "parts add up ${list:-pairs}" "$key" whole.json 1.json 2.json 3.json 4.json
done

# -- a full log: the trace knows when calls were made, and the records to whom they may have sent
cp "$HERE/../mpi/messages.c" ring.c
build ring ring.c -O1
SIS_RECORDS=4096 SIS_TRACE=1 run 1 1 ./ring 20000
analyze import "$EXP" >import.out 2>&1
matches "some records were dropped" "$(analyze show "$EXP")" 'records of messages were dropped'
trace_json
half=$(begin MPI_Sendrecv 8000)
many() { query '.[] | select(.calls > 5) | .calls' messages "$EXP" "$@"; }
equal "all of them" "$(many --from 0)" 20000
sent=$(query '[.[] | select(.region == "MPI_Sendrecv") | .calls] | add' regions "$EXP" \
	--from "$half")
equal "as many as the trace has in the second part" "$(many --from "$half")" "$sent"
equal "which are those from there on" "$sent" 12001
equal "as estimates" \
	"$(query '.[] | select(.calls > 5) | .estimated' messages "$EXP" --from "$half")" true
equal "both parts" "$(($(many --from "$half") + $(many --to "$half")))" 20000
matches "which is said" "$(analyze messages "$EXP" --from "$half")" \
	"it is estimated to whom they sent"

# -- errors
one_error "the wrong order" 2 "--to is not after --from" \
	"$ANALYZE" messages --db sis.db "$EXP" --from 2 --to 1
one_error "after the end" 1 "the run ended after .*; write an earlier time" \
	"$ANALYZE" messages --db sis.db "$EXP" --from 1000
run 2 1 ./phases
one_error "no trace" 1 "only a trace knows when things happened; run the program with SIS_TRACE=1" \
	"$ANALYZE" messages --db sis.db "$EXP" --from 0
